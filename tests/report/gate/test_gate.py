"""Rules held to records: planted judges fail, fair ones pass, little evidence decides nothing."""

from __future__ import annotations

import json
import re
import sqlite3
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from commands import command, command_here, is_one_clear_line
from counterbalance.measures.estimate import Estimate
from counterbalance.protocol.bias_section import PROBE_MEASURES
from counterbalance.protocol.gate_section import GATE_MEASURES, GateRule
from counterbalance.protocol.loading import protocol_from_toml
from counterbalance.report.gate.as_json import gate_json
from counterbalance.report.gate.deciding import decided, units_needed
from counterbalance.report.gate.junit import gate_junit
from counterbalance.report.gate.result import GateVerdict
from counterbalance.report.gate.sarif import gate_sarif
from counterbalance.report.gate.simulating import simulate_gate
from counterbalance.report.gate.summary import summary_lines
from counterbalance.report.gate.text import gate_lines
from counterbalance.statistics.clustered_proportion import cluster_proportion
from report.gate.studies_with_gates import MISSING, ORDER, gate_of, judged
from studies import PROTOCOL, row, write_study

FAIR, BIASED = "slot_rate = 0.0\n", "slot_rate = 0.6\n"


def share(successes, n, level=0.9):
    found = cluster_proportion([1] * successes + [0] * (n - successes), [1] * n, None, level)
    name, limits = "order_disagreement", (found.low, found.high)
    return Estimate(name, found.estimate, successes, n, *limits, level, "", "pair", "")


def rule(**more):
    settings = {"name": "r", "measure": "order_disagreement", "at_most": 0.1, "confidence": 0.95}
    settings |= more
    return GateRule(**{key: value for key, value in settings.items() if value is not None})


# ---------------------------------------------------------------- one rule, one estimate


@pytest.mark.parametrize(
    ("successes", "n", "verdict"),
    [
        (0, 60, "pass"),
        (0, 20, "not enough evidence"),
        (30, 60, "fail"),
        (8, 60, "not enough evidence"),
    ],
)
def test_a_rule_is_decided_by_its_whole_interval(successes, n, verdict):
    assert decided(rule(), share(successes, n)).value == verdict


@pytest.mark.parametrize(("value", "verdict"), [(6, "pass"), (7, "fail")])
def test_an_observed_rule_looks_at_the_value_alone(value, verdict):
    assert decided(rule(confidence=None, observed=True), share(value, 60)).value == verdict


def test_a_floor_is_a_ceiling_upside_down():
    floor = rule(at_most=None, at_least=0.9)
    for successes in range(0, 61, 5):
        above, below = share(60 - successes, 60), share(successes, 60)
        assert decided(floor, above) is decided(rule(), below)


@pytest.mark.parametrize("missing", ["value", "low"])
def test_what_is_undefined_decides_nothing(missing):
    assert decided(rule(), replace(share(1, 60), **{missing: None})) is GateVerdict.NOT_ENOUGH


@pytest.mark.parametrize(("successes", "n"), [(0, 8), (2, 40), (8, 60), (12, 90)])
def test_as_many_pairs_as_are_named_decide_it(successes, n):
    needed = units_needed(rule(), share(successes, n))

    def at(units):
        trials = round(units)
        return decided(rule(), share(round(successes * units / n), trials))

    assert at(n) is GateVerdict.NOT_ENOUGH
    assert at(1.1 * needed + 2) is not GateVerdict.NOT_ENOUGH
    assert at(0.8 * needed) is GateVerdict.NOT_ENOUGH


def test_at_the_limit_no_number_is_named():
    assert units_needed(rule(), share(6, 60)) is None


# ---------------------------------------------------------------- whole records


def test_a_planted_bias_fails_and_a_fair_judge_passes(tmp_path):
    rules = ORDER + MISSING
    fair = gate_of(judged(tmp_path / "fair", rules, judge=FAIR))
    assert (fair.verdict, fair.passed) == (GateVerdict.PASS, True)
    biased = gate_of(judged(tmp_path / "biased", rules, judge=BIASED))
    assert [check.verdict.value for check in biased.checks] == ["fail", "pass"]
    assert biased.verdict is GateVerdict.FAIL
    few = gate_of(judged(tmp_path / "few", rules, 6, judge=FAIR))
    assert few.verdict is GateVerdict.NOT_ENOUGH
    assert few.checks[0].needed > 6


@pytest.mark.parametrize("measure", [m for m in GATE_MEASURES if m not in PROBE_MEASURES])
def test_every_measure_can_be_ruled(measure, tmp_path):
    text = f'[[gate]]\nname = "r"\nmeasure = "{measure}"\nat_most = 0.5\nconfidence = 0.95\n'
    more = "[repetitions]\nper_order = 3\n" + text
    result = gate_of(judged(tmp_path, more, 12, judge="slot_rate = 0.4\ntie_rate = 0.2\n"))
    check = result.checks[0]
    assert check.estimate.name in {measure, "lead_of_b"}
    assert (check.estimate.value is None) == (check.estimate.undefined is not None)
    assert check.estimate.level == pytest.approx(0.9)


def test_missing_verdicts_are_counted_out_of_all_planned_pairs(tmp_path):
    rows = [row(n) for n in range(8)] + [row(9, a="same", b="same")]
    rule_text = MISSING.replace("0.02", "0.99")
    record = judged(tmp_path, rule_text, rows=rows, judge="unparsed_rate = 1.0\n")
    estimate = gate_of(record).checks[0].estimate
    assert (estimate.numerator, estimate.denominator) == (8, 8)


def test_the_lead_of_b_is_the_win_rate_turned_round(tmp_path):
    text = '[[gate]]\nname="{0}"\nmeasure="{0}"\nat_most=0.5\nconfidence=0.9\n'
    record = judged(tmp_path, text.format("lead_of_b") + text.format("win_rate_a"), 20)
    lead, win = (check.estimate for check in gate_of(record).checks)
    assert lead.value == pytest.approx(1 - 2 * win.value)
    assert (lead.low, lead.high) == pytest.approx((1 - 2 * win.high, 1 - 2 * win.low))
    assert lead.numerator / lead.denominator == pytest.approx(lead.value)


def test_a_run_that_was_stopped_does_not_pass(tmp_path):
    protocol = write_study(tmp_path, 60, judge=FAIR, more=ORDER + "[budget]\nmax_calls = 100\n")
    assert command("run", protocol, "--quiet").code == 3
    ended = command("gate", tmp_path / "protocol.record.sqlite")
    assert ended.code == 3
    assert "20 of 120 presentations were not run" in ended.out


def test_a_record_that_was_changed_fails(tmp_path):
    record = judged(tmp_path, ORDER, judge=FAIR)
    assert command_here("gate", record).code == 0
    with sqlite3.connect(record) as db:
        triggers = [
            name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type='trigger'")
        ]
        for name in triggers:
            db.execute(f'DROP TRIGGER "{name}"')
        db.execute("DELETE FROM attempts WHERE call = (SELECT max(call) FROM attempts)")
    ended = command_here("gate", record)
    assert ended.code == 1
    assert "FAIL" in ended.out


def test_rules_that_came_after_the_data_are_called_so(tmp_path):
    record = judged(tmp_path, ORDER, judge=FAIR)
    protocol = tmp_path / "protocol.toml"
    protocol.write_text(protocol.read_text("utf-8").replace("0.10", "0.20"), "utf-8")
    revised = command("run", protocol, "--revise", "a laxer rule", "--quiet")
    assert revised.code == 0, revised.err
    result = gate_of(record)
    assert result.cautions
    assert "after calls had been recorded" in "\n".join(gate_lines(result))


def test_rules_can_name_judge_and_labelling(tmp_path):
    more = '[[labellings]]\nfirst = "B"\nsecond = "A"\n'
    both = gate_of(judged(tmp_path / "all", more + ORDER, 6))
    assert [check.group for check in both.checks] == ["script, labels A/B", "script, labels B/A"]
    one = gate_of(
        judged(tmp_path / "one", more + ORDER + 'labelling = "B/A"\njudge = "script"\n', 6)
    )
    assert [check.group for check in one.checks] == ["script, labels B/A"]


# ---------------------------------------------------------------- what cannot be


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("at_most = 0.10", ""), "needs one limit"),
        (("at_most = 0.10", "at_most = 0.1\nat_least = 0.0"), "needs one limit"),
        (("confidence = 0.95", ""), "how sure"),
        (("confidence = 0.95", "confidence = 0.95\nobserved = true"), "how sure"),
        (("confidence = 0.95", "confidence = 0.4"), "0.5"),
        (('"order_disagreement"', '"order_disagreements"'), "order_disagreement"),
        (('"order_disagreement"', '"lead_of_b"'), "baseline"),
        (("confidence = 0.95", 'confidence = 0.95\njudge = "nobody"'), "nobody"),
        (("confidence = 0.95", 'confidence = 0.95\nlabelling = "X/Y"'), "X/Y"),
        (("[[gate]]", MISSING.replace("missing", "order") + "[[gate]]"), "two rules"),
    ],
)  # fmt: skip
def test_a_rule_that_cannot_be_is_one_clear_line(change, says, tmp_path):
    protocol = write_study(tmp_path, 4, more=ORDER.replace(*change))
    text = protocol.read_text("utf-8").replace('baseline = "old"\n', "")
    protocol.write_text(text, "utf-8")
    ended = command_here("plan", protocol)
    assert (ended.code, is_one_clear_line(ended)) == (2, True), ended.err
    assert says in ended.err


def test_without_rules_there_is_no_verdict(tmp_path):
    record = judged(tmp_path, "", 4)
    for words in ((record,), (record, "--simulate"), (tmp_path / "protocol.toml", "--simulate")):
        ended = command_here("gate", *words)
        assert (ended.code, is_one_clear_line(ended)) == (2, True)
        assert "[[gate]]" in ended.err


def test_a_protocol_without_rules_keeps_its_hash():
    plain = protocol_from_toml(PROTOCOL.format(judge="", more=""), "p")
    assert "gate" not in plain.canonical
    assert protocol_from_toml(PROTOCOL.format(judge="", more=ORDER), "p").digest != plain.digest


# ---------------------------------------------------------------- what others read


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    name = r"<script>|`x`*_[y](z) @all #1 \u001b[31m=cmd"
    rules = ORDER.replace('"order"', f'"{name}"') + MISSING
    return gate_of(judged(tmp_path_factory.mktemp("hostile"), rules, 12, judge=BIASED))


def test_junit_has_a_case_for_each_check(hostile):
    root = ET.fromstring(gate_junit(hostile))  # noqa: S314 (our own)
    suite = root.find("testsuite")
    cases = suite.findall("testcase")
    assert len(cases) == len(hostile.checks) + 2 == int(suite.get("tests"))
    found = [len(suite.findall(f"testcase/{name}")) for name in ("failure", "error")]
    assert found == [int(suite.get("failures")), int(suite.get("errors"))]
    assert sum(found) == sum(check.verdict is not GateVerdict.PASS for check in hostile.checks)
    assert "\x1b" not in gate_junit(hostile)


def test_sarif_points_at_the_rule(tmp_path):
    result = gate_of(judged(tmp_path, MISSING + ORDER, judge=BIASED))
    text = (tmp_path / "protocol.toml").read_text("utf-8")
    run_of = gate_sarif(result, "a/protocol.toml", text)["runs"][0]
    known = {each["id"] for each in run_of["tool"]["driver"]["rules"]}
    found = run_of["results"]
    assert [(each["ruleId"], each["level"]) for each in found] == [("order", "error")]
    assert {each["ruleId"] for each in found} <= known
    place = found[0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a/protocol.toml"
    assert text.splitlines()[place["region"]["startLine"] - 1] == 'name = "order"'


def test_markdown_is_inert(hostile):
    text = "\n".join(summary_lines(hostile))
    assert "<script>" not in text
    assert "\x1b" not in text
    rows = [line for line in text.splitlines() if line.startswith("| **")]
    assert len(rows) == len(hostile.checks)
    # A bar inside a cell is escaped: every row has the columns of the head.
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in rows} == {5}
    assert "@all" not in text


def test_every_format_says_the_same(hostile):
    told = gate_json(hostile)
    assert "NaN" not in json.dumps(told, allow_nan=False)
    assert told["verdict"] == hostile.verdict.value
    assert [check["verdict"] for check in told["checks"]] == [c.verdict for c in hostile.checks]
    assert "\x1b" not in "\n".join(gate_lines(hostile))


def test_files_are_written_and_the_record_is_not_replaced(tmp_path):
    record = judged(tmp_path, ORDER, 4)
    summary = tmp_path / "summary.md"
    summary.write_text("before\n", "utf-8")
    words = ("--junit", tmp_path / "j.xml", "--sarif", tmp_path / "s.json", "--summary", summary)
    assert command_here("gate", record, *words).code == 3
    assert summary.read_text("utf-8").startswith("before\n## Gate")
    assert json.loads((tmp_path / "s.json").read_text("utf-8"))["version"] == "2.1.0"
    ended = command_here("gate", record, "--junit", record)
    assert (ended.code, is_one_clear_line(ended)) == (2, True)


# ---------------------------------------------------------------- simulated judges


@pytest.mark.parametrize("correlation", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("limit", ["at_most = 0.10", "at_least = 0.90"])
def test_false_alarms_are_as_rare_as_declared(limit, correlation):
    text = ORDER.replace("at_most = 0.10", limit)
    if "least" in limit:
        text = text.replace("order_disagreement", "position_consistency")
    protocol = protocol_from_toml(PROTOCOL.format(judge="", more=text), "p")
    clusters = np.repeat(np.arange(60), 3)
    found = simulate_gate(protocol, clusters, draws=600, correlation=correlation).rules[0]
    good, limit_, bad = found.truths
    assert limit_.passed <= 0.05 + 4 * limit_.standard_error
    assert limit_.failed <= 0.05 + 4 * limit_.standard_error
    assert good.passed > limit_.passed
    assert bad.failed > limit_.failed
    assert good.failed <= 0.01 + 4 * good.standard_error


def test_a_simulation_prints_the_same_twice_and_before_any_run(tmp_path):
    kappa = '[[gate]]\nname="k"\nmeasure="kappa_orders"\nat_least=0.6\nconfidence=0.9\n'
    protocol = write_study(tmp_path, 30, more=ORDER + kappa)
    first, again = (command_here("gate", protocol, "--simulate", 50) for _ in range(2))
    assert first.code == 0
    assert first.out == again.out
    assert "30 pairs in 30 clusters" in first.out
    assert "not simulated" in first.out
    told = json.loads(command_here("gate", protocol, "--simulate", 50, "--json").out)
    assert len(told["rules"][0]["truths"]) == 3


@pytest.mark.parametrize("words", [("--simulate", 0), ("--simulate", 5, "--correlation", 2)])
def test_a_simulation_that_cannot_be_is_one_clear_line(words, tmp_path):
    protocol = write_study(tmp_path, 4, more=ORDER)
    ended = command_here("gate", protocol, *words)
    assert (ended.code, is_one_clear_line(ended)) == (2, True)
