"""``compare --strategies`` over strategies that a protocol declares, panels among them."""

from __future__ import annotations

import json

import pytest

from commands import command_here
from studies import run, write_study

MORE = """
[[judges]]
name = "other"
kind = "scripted"
seed = 2
noise = 0.2

[prices.script]
prompt_usd_per_million = 1.0
completion_usd_per_million = 4.0

[prices.other]
prompt_usd_per_million = 2.0
completion_usd_per_million = 8.0
"""


@pytest.fixture(scope="module")
def protocol(tmp_path_factory):
    path = write_study(
        tmp_path_factory.mktemp("declared"), 24, judge="slot_rate = 0.4\nnoise = 0.1", more=MORE
    )
    text = path.read_text("utf-8")
    named = 'strategies = ["B0", "S1", "S3", "S5", "S8"]\n\n[question]'
    path.write_text(text.replace("[question]", named, 1), "utf-8")
    run(path)
    return path


@pytest.fixture(scope="module")
def value(protocol):
    record = protocol.with_suffix(".record.sqlite")
    ended = command_here("compare", record, "--strategies", "--json")
    assert ended.code == 0, ended.err
    return json.loads(ended.out)


def test_every_declared_strategy_of_every_judge_is_in_one_declared_family(value):
    rows = {(row["judge"], row["strategy"]): row for row in value["strategies"]}
    judges = ("script", "other")
    assert set(rows) == {
        *((judge, name) for judge in judges for name in ("B0", "S1", "S5", "S8")),
        ("script + other", "S3"),
    }
    assert value["declared"] is True
    assert value["family"]["family_size"] == len(value["differences"]) == 7
    assert rows["script", "B0"]["stable"]["denominator"] == 0
    assert rows["script", "S1"]["stable"]["denominator"] == 24
    assert rows["script", "S1"]["ties_by_rule"] > 0


def test_a_panel_is_compared_with_the_baseline_of_its_first_member(value):
    (panel,) = [d for d in value["differences"] if d["strategy"] == "S3"]
    assert panel["baseline"] == "B0 of script"
    assert panel["common"] > 0


def test_a_strategy_in_both_orders_is_held_against_both_orders_of_the_plain_prompt(value):
    assert {(t["strategy"], t["baseline"]) for t in value["consistency"]} <= {("S8", "S1")}
    assert value["consistency"]


def test_each_strategy_pays_for_every_call_that_it_rests_on(value):
    rows = {(row["judge"], row["strategy"]): row for row in value["strategies"]}
    one, both = (rows["script", name]["cost_per_pair_usd"] for name in ("B0", "S1"))
    assert 0 < one < both
    panel = rows["script + other", "S3"]
    assert panel["calls_per_pair"] == 2
    assert panel["cost_per_pair_usd"] == pytest.approx(
        one + rows["other", "B0"]["cost_per_pair_usd"]
    )
    assert value["frontier"]["unit"] == "dollars"


def test_another_baseline_is_a_choice_that_was_not_declared(protocol):
    record = protocol.with_suffix(".record.sqlite")
    ended = command_here("compare", record, "--strategies", "--baseline", "S1", "--json")
    assert json.loads(ended.out)["declared"] is False


def test_the_plan_prices_each_strategy(protocol):
    value = json.loads(command_here("plan", protocol, "--json").out)
    prices = {(s["strategy"], s["judge"]): s["cost_usd"] for s in value["strategies"]}
    assert prices["S1", "script"] == pytest.approx(2 * prices["B0", "script"])
    assert prices["B0", "other"] == pytest.approx(2 * prices["B0", "script"])
    text = command_here("plan", protocol).out
    assert "at most $" in text
    assert "tokens estimated from characters" in text


def test_a_strategy_with_an_unpriced_judge_is_unpriced(protocol, tmp_path):
    text = protocol.read_text("utf-8").partition("[prices.other]")[0]
    path = tmp_path / "protocol.toml"
    path.write_text(text, "utf-8")
    (tmp_path / "pairs.jsonl").write_bytes((protocol.parent / "pairs.jsonl").read_bytes())
    value = json.loads(command_here("plan", path, "--json").out)
    prices = {(s["strategy"], s["judge"]): s["cost_usd"] for s in value["strategies"]}
    assert prices["S3", "script + other"] is None
    assert prices["S1", "script"] > 0
    assert "unpriced" in command_here("plan", path).out
