"""Every strategy by every probe: planned, asked, combined, compared with one call."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from commands import command_here
from counterbalance.errors import ProtocolError
from counterbalance.presentations.presentation import Purpose
from counterbalance.probes.catalogue import PROBES
from counterbalance.probes.probe import Frame
from counterbalance.protocol.bias_section import PROBE_NAMES
from counterbalance.protocol.strategies.on_probes import COMPARED_PROBES, SLOT_PROBES
from counterbalance.record import open_record
from counterbalance.report.bias_json import bias_value
from counterbalance.report.bias_text import bias_text
from counterbalance.report.html.bias_page import render_bias_html
from counterbalance.run.battery import load_battery
from probes.planted import bias_of, run_battery, source, write_battery

if TYPE_CHECKING:
    from pathlib import Path

    from counterbalance.report.bias import BiasReport
    from counterbalance.report.cross import CrossCell

LENGTH_AND_SLOT = "length_rate = 0.3\nslot_rate = 0.6"
NINE = """strategies = [
  "B0", "S1", "S2", { id = "S3", panel = ["script", "other"] }, "S4", "S5", "S6",
  { id = "S7", panel = ["script", "other"] }, "S8",
  { id = "mine", prompts = ["plain", "reasoning", "rubric"], orders = "both", rule = "majority" },
]
on_call = ["other"]
"""
OTHER = """
[[judges]]
name = "other"
kind = "scripted"
seed = 5
markdown_rate = 0.7
"""
RUBRIC = '[prompt]\nrubric = "The right one is better."\nhides = ["reference_answer"]\n'


def with_strategies(path: Path, listed: str) -> Path:
    """Put a list of strategies at the head of a protocol."""
    head, title, rest = path.read_text("utf-8").partition("title =")
    path.write_text(f"{head}{listed}\n{title}{rest}", "utf-8")
    return path


def cells(report: BiasReport) -> dict[tuple[str, str], CrossCell]:
    return {(c.strategy, c.probe): c for c in report.cross.cells}


def answered(n: int) -> list[dict[str, object]]:
    return [source(i, reference_answer="It is open.") for i in range(n)]


def test_what_a_strategy_has_no_score_on_is_what_the_frames_of_the_probes_say() -> None:
    slots = {name for name, probe in PROBES.items() if probe.frame is Frame.SLOT}
    compared = {n for n, probe in PROBES.items() if probe.frame in {Frame.FLIP, Frame.KEEP}}
    assert slots == SLOT_PROBES
    assert compared == COMPARED_PROBES
    assert PROBES["labels"].frame is Frame.LABEL
    assert PROBES["same_family"].frame is Frame.FAMILY
    assert PROBES["neither"].frame is Frame.NEITHER
    assert set(PROBE_NAMES) == set(PROBES)


@pytest.fixture(scope="module")
def nine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A battery under nine strategies and one of the user's own, judged."""
    probes = ["identical", "expanded", "markdown", "same_family", "criterion_inverted", "neither"]
    requirement = {"id": "no", "rule": "absent", "value": ["a"], "text": "No letter a."}
    rows = [{**row, "requirements": [requirement]} for row in answered(12)]
    path = write_battery(
        tmp_path_factory.mktemp("nine"), probes, rows=rows,
        judge=f'{LENGTH_AND_SLOT}\nmodel = "gpt-4o"\n{OTHER}',
        rubric=RUBRIC, bias='margin = 0.2\ninverted_rubric = "The wrong one is better."',
    )  # fmt: skip
    path.write_text(path.read_text("utf-8").replace('tie = "C"', 'tie = "C"\nneither = "D"'))
    with_strategies(path, NINE)
    run_battery(path)
    return path


def test_every_strategy_has_a_cell_for_every_probe_or_the_reason_why_not(nine: Path) -> None:
    report = bias_of(nine)
    found = cells(report)
    strategies = ["B0", "S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "mine"]
    probes = ["identical", "expanded", "markdown", "same_family", "criterion_inverted", "neither"]
    assert list(found) == [(s, p) for s in strategies for p in probes]
    merged = {"S1", "S7", "S8", "mine"}
    for (strategy, probe), cell in found.items():
        is_undefined = (probe == "identical" and strategy in merged) or (
            probe == "same_family" and strategy in {"S3", "S7"}
        )
        assert (cell.by_construction is not None) == is_undefined, (strategy, probe)
        assert (cell.score.value is None) == is_undefined, (strategy, probe)
        if is_undefined:
            assert cell.moved is None
        else:
            assert cell.score.low is not None
            assert cell.score.counted == "pairs"
    assert "0 by construction" in str(found["S1", "identical"].by_construction)
    assert {c.judge for c in report.cross.cells} == {"script", "script + other"}
    compared = [c for c in report.cross.cells if c.strategy != "B0" and c.by_construction is None]
    assert report.cross.family_size == len(compared)


def test_a_strategy_asks_nothing_that_it_can_have_no_score_for_and_shares_the_rest(
    nine: Path,
) -> None:
    whole = load_battery(nine)
    with open_record(whole.default_record, create=False, exclusive=False) as store:
        plan = list(store.plan())
    probe_of = {pair.id: pair.probe for pair in whole.battery.pairs}
    asked = {
        (e.strategy, probe_of[e.presentation.pair_id])
        for e in plan
        if e.purpose is Purpose.STRATEGY
    }
    assert ("S1", "identical") not in asked
    assert ("S4", "identical") in asked
    assert ("S7", "same_family") not in asked
    main = {e.presentation.key for e in plan if e.purpose is Purpose.MAIN}
    for strategy in ("B0", "S1"):
        assert {e.presentation.key for e in plan if e.strategy == strategy} <= main
    assert not {e.presentation.key for e in plan if e.strategy == "S4"} & main


def test_one_order_is_balanced_within_each_probe_and_alike_for_what_is_compared(
    nine: Path,
) -> None:
    whole = load_battery(nine)
    with open_record(whole.default_record, create=False, exclusive=False) as store:
        entries = [e.presentation for e in store.plan() if e.strategy == "B0"]
    orders = {p.pair_id: p.order for p in entries}
    for probe in ("identical", "expanded", "markdown"):
        own = [orders[pair.id] for pair in whole.battery.pairs if pair.probe == probe]
        assert abs(2 * sum(order == own[0] for order in own) - len(own)) <= 1
    twins = [pair.id for pair in whole.battery.pairs if pair.probe == "criterion_inverted"]
    assert all(
        orders[name] == orders[name.replace("~declared", "~exchanged")]
        for name in twins
        if name.endswith("~declared")
    )


def test_a_cure_for_the_slot_moves_the_slot_and_not_the_length(tmp_path: Path) -> None:
    path = write_battery(tmp_path, ["identical", "expanded"], judge="slot_rate = 1.0", n=24)
    run_battery(path)
    found = cells(bias_of(path))
    assert found["B0", "identical"].score.value == 1
    assert found["B0", "expanded"].score.value == 0
    assert found["S1", "expanded"].score.value == 0
    moved = found["S1", "expanded"].moved
    assert moved is not None
    assert moved.difference.value == 0
    assert (moved.n_up, moved.n_down) == (12, 12)


def test_what_a_strategy_moves_is_told_with_its_interval_and_holm(tmp_path: Path) -> None:
    path = write_battery(tmp_path, ["expanded"], judge="length_rate = 1.0", n=24)
    text = path.read_text("utf-8")
    more = '[[judges]]\nname = "fair"\nkind = "scripted"\nseed = 9\n[[judges]]\nname = "fair2"\n'
    more += 'kind = "scripted"\nseed = 8\n'
    path.write_text(text.replace("[verdict]", f"{more}[verdict]"), "utf-8")
    with_strategies(
        path,
        'strategies = ["B0", { id = "panel", panel = ["script", "fair", "fair2"],'
        ' rule = "majority" }]\non_call = ["fair", "fair2"]',
    )
    run_battery(path)
    report = bias_of(path)
    cell = cells(report)["panel", "expanded"]
    assert cell.baseline == "B0 of script"
    assert cell.moved is not None
    difference = cell.moved.difference
    assert difference.value is not None
    assert difference.high is not None
    assert difference.low is not None
    assert difference.low < difference.value < difference.high < 0
    assert difference.value == pytest.approx(cell.score.value - 1)
    assert cell.is_rejected
    assert report.cross.family_size == 2
    assert cell.moved.p_value is not None
    assert cell.adjusted_p_value == pytest.approx(2 * cell.moved.p_value)
    text = bias_text(report)
    assert "1 of 2 differences told from 0" in text
    assert "panel" in text.partition("less B0, on the same pairs")[2]


def test_a_pair_that_every_strategy_moves_alike_is_tested_by_its_sign(tmp_path: Path) -> None:
    path = write_battery(tmp_path, ["expanded"], judge="length_rate = 1.0", n=12)
    text = path.read_text("utf-8").replace(
        "[verdict]",
        '[[judges]]\nname = "tied"\nkind = "scripted"\nseed = 9\ntie_rate = 1.0\n[verdict]',
    )
    path.write_text(text, "utf-8")
    listed = (
        'strategies = ["B0", { id = "both", panel = ["script", "tied"], rule = "majority" }]\n'
        'on_call = ["tied"]'
    )
    run_battery(with_strategies(path, listed))
    cell = cells(bias_of(path))["both", "expanded"]
    assert cell.score.value == 0
    assert cell.moved is not None
    assert cell.moved.difference.value == -1
    assert cell.moved.p_value == pytest.approx(2 / 2**12)


def test_the_protocol_can_name_which_strategies_judge_probes(tmp_path: Path) -> None:
    path = write_battery(tmp_path, ["expanded"], n=10, bias='strategies = ["S2"]')
    with_strategies(path, 'strategies = ["B0", "S2", "S4"]')
    run_battery(path)
    assert {c.strategy for c in bias_of(path).cross.cells} == {"B0", "S1", "S2"}
    text = path.read_text("utf-8")
    path.write_text(text.replace('strategies = ["S2"]', "strategies = []"), "utf-8")
    protocol = load_battery(path).study.protocol
    assert [s.id for s in protocol.asked_strategies] == ["B0", "S1"]
    path.write_text(text.replace('strategies = ["S2"]', 'strategies = ["S9"]'), "utf-8")
    with pytest.raises(ProtocolError, match="no strategy has the id 'S9'"):
        load_battery(path)


def test_log_odds_are_averaged_only_where_every_labelling_was_shown(tmp_path: Path) -> None:
    more = '[[labellings]]\nfirst = "B"\nsecond = "A"\n'
    path = write_battery(tmp_path, ["expanded", "identical"], n=10, more=more)
    with_strategies(path, 'strategies = ["balanced_calibration"]')
    run_battery(path)
    found = cells(bias_of(path))
    assert "every_labelling" in str(found["balanced_calibration", "expanded"].by_construction)
    assert "no slot" in str(found["balanced_calibration", "identical"].by_construction)
    every = write_battery(
        tmp_path / "every", ["expanded"], n=10, more=more, bias="every_labelling = true"
    )
    with_strategies(every, 'strategies = ["balanced_calibration"]')
    run_battery(every)
    cell = cells(bias_of(every))["balanced_calibration", "expanded"]
    assert cell.by_construction is None
    assert cell.missing == 10
    assert "no result for any pair" in str(cell.score.undefined)


def test_the_known_good_answer_must_be_there_for_the_strategy_that_it_guides(
    tmp_path: Path,
) -> None:
    hides = '[prompt]\nhides = ["reference_answer"]\n'
    path = write_battery(tmp_path, ["expanded"], n=3, rubric=hides)
    with pytest.raises(ProtocolError, match="guided by the reference answer"):
        load_battery(with_strategies(path, 'strategies = ["B0", "S6"]'))


def test_all_renderings_show_the_same_cells(nine: Path) -> None:
    report = bias_of(nine)
    shown = command_here("bias", nine, "--quiet", "--full")
    assert shown.code == 0, shown.err
    assert max(map(len, shown.out.splitlines())) < 140
    value = json.loads(command_here("bias", nine, "--quiet", "--json").out)
    assert value == json.loads(json.dumps(bias_value(report), allow_nan=False))
    assert value["cross_family"] == {
        "method": "holm", "size": report.cross.family_size, "baseline": "B0",
    }  # fmt: skip
    listed = {(c["strategy"], c["probe"]): c for c in value["cross"]}
    own = listed["S4", "expanded"]
    assert own["moved"]["difference"]["low"] is not None
    assert listed["S1", "identical"]["b"]["value"] is None
    merged = listed["S1", "identical"]
    assert merged["by_construction"] == merged["b"]["undefined"]
    page = render_bias_html(report)
    assert "by construction" in page
    for name in ("S3", "S8", "mine"):
        assert f'<th scope="col">{name}</th>' in page or f">{name}<" in page
    assert "<script" not in page


def test_a_stopped_battery_counts_what_strategies_still_have_to_ask(tmp_path: Path) -> None:
    path = write_battery(tmp_path, ["expanded"], n=10, more="[budget]\nmax_calls = 25\n")
    with_strategies(path, 'strategies = ["B0", "S4"]')
    ended = command_here("bias", path, "--quiet", "--json")
    assert ended.code == 3
    assert json.loads(ended.out)["outstanding"] == 5


def test_a_plan_counts_the_calls_and_the_price_of_the_battery(tmp_path: Path) -> None:
    path = write_battery(tmp_path, ["identical", "expanded"], n=10)
    with_strategies(path, 'strategies = ["B0", "S4"]')
    price = "[prices.script]\nprompt_usd_per_million = 1.0\ncompletion_usd_per_million = 2.0\n"
    path.write_text(path.read_text("utf-8") + price + 'as_of = "2026-11-30"\nsource = "list"\n')
    shown = command_here("plan", path)
    assert shown.code == 0, shown.err
    line = next(x for x in shown.out.splitlines() if x.startswith("probe battery"))
    assert "20 probes of 10 items in 10 clusters, 60 calls" in line
    value = json.loads(command_here("plan", path, "--json").out)["battery"]
    assert [j["calls"] for j in value["judges"]] == [60]
    assert value["judges"][0]["cost_usd"] > 0
    rows = {s["strategy"]: (s["calls"], s["shared"]) for s in value["strategies"]}
    assert rows == {"B0": (20, 20), "S1": (20, 20), "S4": (20, 0)}
    assert run_battery(path).calls == 60


def test_a_battery_that_cannot_be_made_does_not_keep_the_plan_of_the_study(tmp_path: Path) -> None:
    path = write_battery(tmp_path, ["plain"], n=2)
    shown = command_here("plan", path)
    assert shown.code == 0, shown.err
    assert "no probe pair could be made" in shown.out
    battery = json.loads(command_here("plan", path, "--json").out)["battery"]
    assert "no Markdown to take away" in battery["problem"]
