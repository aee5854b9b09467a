"""Strategies and probes in one protocol: plan, run, bias, killed and resumed, report, gate."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from commands import command_here
from counterbalance.cli.bundle import copy_start
from counterbalance.errors import ProtocolError
from counterbalance.probes.catalogue import PROBES
from counterbalance.protocol.bias_section import PROBE_MEASURES
from counterbalance.record import open_record
from counterbalance.run.battery import load_battery
from counterbalance.run.study import load_study
from probes.planted import EXCHANGED, bias_of, run_battery, write_battery

if TYPE_CHECKING:
    from pathlib import Path

GATE = """
[[gate]]
name = "length"
measure = "bias_verbosity"
at_most = 0.2
confidence = 0.95
[[gate]]
name = "complete"
measure = "bias_truncation"
at_least = 0.2
confidence = 0.95
[[gate]]
name = "orders"
measure = "position_consistency"
at_least = 0.1
observed = true
"""
BOTH = 'strategies = ["B0", "S1", "S4", "S8"]'


def write_both(folder: Path, **more: str) -> Path:
    path = write_battery(
        folder, ["identical", "expanded", "truncated"], n=12,
        judge="length_rate = 1.0", bias="margin = 0.2", **more,
    )  # fmt: skip
    text = path.read_text("utf-8").replace("title =", f"{BOTH}\ntitle =", 1)
    path.write_text(text + GATE, "utf-8")
    return path


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study and its battery under four strategies, both judged."""
    path = write_both(tmp_path_factory.mktemp("both"))
    assert command_here("run", path, "--quiet").code == 0
    assert command_here("bias", path, "--quiet").code == 0
    return path


def test_the_names_of_measures_are_those_of_the_probes() -> None:
    assert {name: probe.measure for name, probe in PROBES.items()} == {
        probe: measure for measure, probe in PROBE_MEASURES.items()
    }
    assert len(set(PROBE_MEASURES.values())) == len(PROBES)


def test_run_judges_answers_and_bias_judges_probes_under_the_same_strategies(both: Path) -> None:
    record, battery = both.with_suffix(".record.sqlite"), both.with_suffix(".bias.record.sqlite")
    for place, is_probe in ((record, False), (battery, True)):
        with open_record(place, create=False, exclusive=False) as store:
            assert store.verify() == []
            assert {bool(pair.probe) for pair in store.pairs()} == {is_probe}
            asked = {entry.strategy for entry in store.plan() if entry.strategy}
        assert asked == {"B0", "S1", "S4", "S8"}
    compared = json.loads(command_here("compare", record, "--strategies", "--json").out)
    assert {s["strategy"] for s in compared["strategies"]} == {"B0", "S1", "S4", "S8"}


def test_a_rerun_asks_nothing(both: Path) -> None:
    assert run_battery(both).calls == 0
    assert command_here("run", both, "--quiet").code == 0


def test_a_killed_battery_goes_on_to_the_same_cells(both: Path, tmp_path: Path) -> None:
    path = write_both(tmp_path / "killed")
    record = load_battery(path).default_record
    program = [sys.executable, "-m", "counterbalance", "bias", path, "--quiet"]
    with subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        journal = record.with_name(record.name + "-wal")
        while process.poll() is None and not (journal.exists() and journal.stat().st_size > 90_000):
            time.sleep(0.005)
        process.kill()
    resumed = command_here("bias", path, "--quiet", "--json")
    assert resumed.code == 0, resumed.err
    whole = json.loads(command_here("bias", both, "--quiet", "--json").out)
    again = json.loads(resumed.out)
    for key in ("probes", "cross", "cross_family", "planes", "outstanding"):
        assert again[key] == whole[key]


def test_the_report_of_a_battery_has_the_numbers_that_bias_prints(
    both: Path, tmp_path: Path
) -> None:
    record = both.with_suffix(".bias.record.sqlite")
    value = json.loads(command_here("report", record, "--json").out)
    measures = value["groups"][0]["measures"]
    for result in bias_of(both).results:
        found = measures[result.probe.measure]
        score = result.scores.score
        assert (found["value"], found["low"], found["high"]) == (
            score.value, score.low, score.high,
        )  # fmt: skip
        assert found["exploratory"] is False
        assert found["margin"] == 0.2
    text = command_here("report", record).out
    assert "bias_verbosity*" in text
    assert "+1.000" in text
    table = tmp_path / "measures.csv"
    markdown = tmp_path / "report.md"
    assert command_here("report", record, "--measures", table, "--markdown", markdown).code == 0
    assert any(",bias_truncation," in line for line in table.read_text("utf-8").splitlines())
    assert "bias" in markdown.read_text("utf-8")
    answers = json.loads(command_here("report", both.with_suffix(".record.sqlite"), "--json").out)
    assert "bias_verbosity" not in answers["groups"][0]["measures"]


def test_each_record_is_held_to_the_rules_about_what_it_holds(both: Path) -> None:
    battery = command_here("gate", both.with_suffix(".bias.record.sqlite"), "--json")
    value = json.loads(battery.out)
    found = {check["rule"]["name"]: check["verdict"] for check in value["checks"]}
    assert found == {"length": "fail", "complete": "pass"}
    assert battery.code == 1
    assert any("orders: about answers" in line for line in value["cautions"])
    study = command_here("gate", both.with_suffix(".record.sqlite"))
    assert study.code == 0, study.out
    assert "length, complete: about probes" in " ".join(study.out.split())
    simulated = command_here("gate", both, "--simulate", "50")
    assert simulated.code == 0, simulated.err


def test_the_score_of_every_probe_can_be_ruled(tmp_path: Path) -> None:
    rule = '[[gate]]\nname = "{0}"\nmeasure = "{0}"\nat_most = 0.5\nconfidence = 0.95\n'
    path = write_battery(
        tmp_path, list(PROBE_MEASURES.values()), n=12, judge='model = "gpt-4o"',
        more=EXCHANGED, rubric='[prompt]\nrubric = "The right one is better."\n',
        bias='inverted_rubric = "The wrong one."\nparaphrased_rubric = "Prefer what is right."',
    )  # fmt: skip
    text = path.read_text("utf-8").replace('tie = "C"', 'tie = "C"\nneither = "D"')
    path.write_text(text + "".join(map(rule.format, PROBE_MEASURES)), "utf-8")
    run_battery(path)
    ended = command_here("gate", path.with_suffix(".bias.record.sqlite"), "--json")
    checks = json.loads(ended.out)["checks"]
    assert [check["rule"]["name"] for check in checks] == list(PROBE_MEASURES)
    for check in checks:
        estimate = check["estimate"]
        assert estimate["name"] == check["rule"]["measure"]
        assert (estimate["value"] is None) == (estimate["undefined"] is not None)
        assert estimate["level"] == pytest.approx(0.9)
    assert sum(check["estimate"]["value"] is None for check in checks) == 2  # plain, neither


def test_a_record_that_no_rule_is_about_says_which_one_is(tmp_path: Path) -> None:
    path = write_both(tmp_path)
    text = path.read_text("utf-8")
    path.write_text(text.partition('[[gate]]\nname = "orders"')[0], "utf-8")
    assert command_here("run", path, "--quiet").code == 0
    ended = command_here("gate", path.with_suffix(".record.sqlite"))
    assert ended.code == 2
    assert "gate that one, too" in ended.err


def test_a_rule_about_a_probe_needs_the_probe(tmp_path: Path) -> None:
    path = write_battery(tmp_path, ["identical"], n=2)
    rule = '[[gate]]\nname = "x"\nmeasure = "bias_self"\nat_most = 0.1\nobserved = true\n'
    path.write_text(path.read_text("utf-8") + rule, "utf-8")
    with pytest.raises(ProtocolError, match="score of the probe same_family"):
        load_study(path)


def test_strategies_of_a_battery_are_compared_by_bias_and_not_pooled(both: Path) -> None:
    ended = command_here("compare", both.with_suffix(".bias.record.sqlite"), "--strategies")
    assert ended.code == 2
    assert "counterbalance bias" in ended.err


@pytest.mark.parametrize("strategies", [False, True])
def test_what_init_writes_with_probes_is_ready_to_plan(tmp_path: Path, *, strategies: bool) -> None:
    copy_start(tmp_path, strategies=strategies, probes=True)
    whole = load_battery(tmp_path / "protocol.toml")
    assert whole.battery.flaws == ()
    for name in whole.declared.probes:
        assert len({p.item.cluster for p in whole.battery.pairs if p.probe == name}) >= 10
    ids = [strategy.id for strategy in whole.study.protocol.asked_strategies]
    assert ids == (["B0", "S1", "S2", "S3", "S6", "S7"] if strategies else ["B0", "S1"])
