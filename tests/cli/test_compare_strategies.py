"""``compare --strategies``: records and logs, and what it refuses."""

from __future__ import annotations

import json

import pytest

from commands import command_here, is_one_clear_line
from studies import row, run, write_study

PRICES = "[prices.script]\nprompt_usd_per_million = 100.0\ncompletion_usd_per_million = 400.0\n"


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    folder = tmp_path_factory.mktemp("strategies")
    judge = "slot_rate = 0.3\nnoise = 0.1\nunparsed_rate = 0.05"
    protocol = write_study(folder, 30, judge=judge, more=PRICES)
    run(protocol)
    return protocol.with_suffix(".record.sqlite")


def test_a_record_has_one_call_and_the_rule_of_both(record):
    ended = command_here("compare", record, "--strategies", "--json")
    assert ended.code == 0, ended.err
    value = json.loads(ended.out)
    one, both = value["strategies"]
    assert (one["strategy"], both["strategy"]) == ("B0", "S1")
    assert both["cost_per_pair_usd"] == pytest.approx(2 * one["cost_per_pair_usd"])
    assert both["calls_per_pair"] == 2
    assert both["ties_by_rule"] > 0
    assert value["frontier"]["unit"] == "dollars"
    assert value["prior"] is None
    assert {x["situation"] for x in value["advice"]} == {
        "adversarial or high-stakes data", "natural data", "tight budget", "no reference",
    }  # fmt: skip


def test_the_text_says_everything_and_categories_on_demand(record):
    text = command_here("compare", record, "--strategies").out
    for words in (
        "strategies against B0, EXPLORATORY", "Agreement against B0, in points", "finds:",
        "Cost of a pair (dollars", "Advice, from these numbers alone", "What this does not say",
    ):  # fmt: skip
        assert words in text
    assert "Published advice" not in text
    full = command_here("compare", record, "--strategies", "--full").out
    assert "script, facts: agreement in points, EXPLORATORY" in full
    adversarial = command_here("compare", record, "--strategies", "--adversarial", "facts").out
    assert "no pair is of this kind" not in adversarial.lower()


def test_published_advice_is_shown_on_demand_and_marked_as_somebody_elses(record):
    text = command_here("compare", record, "--strategies", "--prior", "judging-the-judges").out
    assert "SOMEBODY ELSE'S JUDGES AND DATA, not these" in text
    assert "holds in its table for Claude only" in text
    own, _, published = text.partition("Published advice")
    assert "S8" not in own
    assert "S8" in published


def test_a_record_without_prices_counts_calls_and_calls_them_unpriced(tmp_path):
    protocol = write_study(tmp_path, 12, rows=[row(n) for n in range(12)])
    run(protocol)
    record = protocol.with_suffix(".record.sqlite")
    value = json.loads(command_here("compare", record, "--strategies", "--json").out)
    assert {row["cost_per_pair_usd"] for row in value["strategies"]} == {None}
    assert value["frontier"]["unit"] == "calls"
    assert "unpriced" in command_here("compare", record, "--strategies").out


def test_without_references_the_exit_code_says_that_nothing_could_be_told(tmp_path):
    rows = [{k: v for k, v in row(n).items() if k != "reference"} for n in range(12)]
    protocol = write_study(tmp_path, rows=rows)
    run(protocol)
    ended = command_here("compare", protocol.with_suffix(".record.sqlite"), "--strategies")
    assert ended.code == 3
    assert "no pair of this kind has a reference" in " ".join(ended.out.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--baseline", "B0"), "--baseline is about strategies"),
        (("--prior", "judging-the-judges"), "--prior is about strategies"),
        (("--adversarial", "facts"), "--adversarial is about strategies"),
        (("--strategies", "--baseline", "S9"), "there are: B0, S1"),
        (("--strategies", "--prior", "mine"), "known is judging-the-judges"),
        (("--strategies", "--adversarial", "x"), "there are: facts, tone"),
        (("--strategies", "--against", "script"), "--against is about judges"),
        (("--strategies", "--margin", "tie_rate=0.1"), "compared by strategy_agreement"),
    ],
)
def test_what_it_cannot_do_is_said_in_one_line(record, words, said):
    ended = command_here("compare", record, *words)
    assert ended.code == 2
    assert is_one_clear_line(ended)
    assert said in ended.err


def test_strategies_of_two_records_are_not_mixed(record):
    ended = command_here("compare", record, record, "--strategies")
    assert ended.code == 2
    assert "within one record" in ended.err
