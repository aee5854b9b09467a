"""The battery through the whole road: pairs, run, record, scores, text and JSON."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from commands import command_here
from counterbalance.cli.bundle import copy_bias
from counterbalance.errors import InputError, ProtocolError
from counterbalance.items.frames import Order
from counterbalance.measures.length_quality import LengthQualityRegion
from counterbalance.measures.probe_decision import ProbeDecision
from counterbalance.presentations.assignment import held_out_ids, order_plan, work_order
from counterbalance.probes.catalogue import PROBES
from counterbalance.protocol.bias_section import PROBE_NAMES
from counterbalance.record import open_record
from counterbalance.report.bias_json import bias_value
from counterbalance.report.bias_text import DECISION_WORDS, bias_text
from counterbalance.run.battery import load_battery
from counterbalance.run.study import load_study
from probes.planted import EXCHANGED, bias_of, result, source, write_battery
from probes.planted import run_battery as run
from studies import run as run_study

RUBRICS = (
    'inverted_rubric = "The wrong one is better."\nparaphrased_rubric = "Prefer what is right."'
)
ALL = [name for name in PROBE_NAMES if name not in {"plain", "neither", "same_family"}]


def test_the_names_of_probes_are_those_that_a_protocol_can_declare() -> None:
    assert tuple(PROBES) == PROBE_NAMES
    assert set(DECISION_WORDS) == set(ProbeDecision)


def test_probes_are_recorded_as_links_and_a_rerun_asks_nothing(tmp_path: Path) -> None:
    path = write_battery(tmp_path, ["identical", "expanded"], n=3)
    assert run(path).calls == 12
    again = run(path)
    assert (again.calls, again.recorded_before) == (0, 12)
    whole = load_battery(path)
    with open_record(whole.default_record, create=False, exclusive=False) as store:
        assert [p.digest for p in store.pairs()] == [p.digest for p in whole.study.pairs.pairs]
        assert [p.probe for p in store.pairs()] == ["identical"] * 3 + ["expanded"] * 3
        assert store.verify() == []
    connection = sqlite3.connect(whole.default_record)
    for statement in ("UPDATE probes SET probe = 'position'", "DELETE FROM probes"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            connection.execute(statement)
    connection.close()


def test_a_changed_link_is_noticed(tmp_path: Path) -> None:
    path = write_battery(tmp_path, ["identical"], n=2)
    run(path)
    record = load_battery(path).default_record
    with sqlite3.connect(record) as connection:
        connection.execute("DROP TRIGGER probes_no_update")
        connection.execute("UPDATE probes SET probe = 'position' WHERE pair = 0")
    connection.close()
    with open_record(record, create=False, exclusive=False) as store:
        assert any("its digest" in problem for problem in store.verify())


def test_criteria_and_interventions_are_all_that_tells_two_prompts_apart(tmp_path: Path) -> None:
    rubric = '[prompt]\nrubric = "The right one is better."\n'
    path = write_battery(
        tmp_path, ["criterion_inverted"], n=1, rubric=rubric,
        bias='inverted_rubric = "The wrong one is better."',
    )  # fmt: skip
    run(path)
    with open_record(load_battery(path).default_record, create=False, exclusive=False) as store:
        texts = {
            entry.presentation.pair_id: [
                m.content for m in store.prompt(entry.presentation.prompt_digest)
            ]
            for entry in store.plan()
            if entry.presentation.order is Order.FORWARD
        }
    one, other = texts.values()
    assert [m.replace("wrong", "right") for m in other] == one
    assert other != one


def test_a_planted_preference_is_scored_with_its_sign(tmp_path: Path) -> None:
    path = write_battery(
        tmp_path,
        ["expanded", "truncated", "markdown", "same_format"],
        judge="length_rate = 1.0",
        bias="margin = 0.2",
    )
    run(path)
    report = bias_of(path)
    expanded = result(report, "expanded")
    assert expanded.scores.score.value == 1
    assert expanded.scores.slot.value == 0
    assert expanded.decision is ProbeDecision.SENSITIVE
    assert result(report, "truncated").decision is ProbeDecision.AS_EXPECTED
    assert report.planes[0].place.region is LengthQualityRegion.VERBOSITY_WITH_QUALITY
    assert result(report, "markdown").same_format is not None
    assert report.family_size == 4


def test_a_slot_is_told_from_a_format(tmp_path: Path) -> None:
    path = write_battery(
        tmp_path, ["markdown", "identical"], judge='slot_rate = 1.0\nfavoured_slot = "second"'
    )
    run(path)
    report = bias_of(path)
    markdown = result(report, "markdown").scores
    assert (markdown.score.value, markdown.effect.value, markdown.slot.value) == (0, 0, -1)
    assert result(report, "identical").scores.score.value == -1
    cells = {(c.probe, c.strategy): c.score.value for c in report.cross.cells}
    assert cells["markdown", "S1"] == 0
    assert cells["identical", "S1"] is None
    assert cells["identical", "B0"] == -1


def test_a_label_is_told_from_a_slot(tmp_path: Path) -> None:
    judge = 'label_rate = 1.0\nfavoured_label = "B"'
    path = write_battery(tmp_path, ["labels", "identical"], judge=judge, more=EXCHANGED)
    summary = run(path)
    assert summary.planned == 24 * 4 + 24 * 2
    labels = result(bias_of(path), "labels").scores
    assert (labels.score.value, labels.slot.value) == (-1, 0)


def test_ties_and_lost_verdicts_are_counted_and_ties_are_in_the_denominator(tmp_path: Path) -> None:
    judge = "length_rate = 1.0\ntie_rate = 0.5\nunparsed_rate = 0.2"
    path = write_battery(tmp_path, ["expanded"], judge=judge, n=60)
    run(path)
    scores = result(bias_of(path), "expanded").scores
    counts = scores.counts
    assert counts.presentations == 120
    assert 0 < counts.missing < 60
    assert counts.target + counts.other + counts.undirected == counts.verdicts
    assert counts.undirected > 0
    assert counts.other == 0
    assert scores.score.value == pytest.approx(counts.target / counts.verdicts)
    assert scores.directional.value == 1
    assert scores.share.value == scores.score.value
    assert [name for name, _ in scores.by_category] == ["facts", "tone"]


def test_a_judge_follows_what_it_is_told_inside_an_answer(tmp_path: Path) -> None:
    path = write_battery(tmp_path, ["injection"], judge="injection_rate = 1.0")
    run(path)
    assert result(bias_of(path), "injection").decision is ProbeDecision.SENSITIVE


def _kin(n: int) -> dict[str, object]:
    return source(n, a={"system": "gpt-4o", "text": f"Case {n} is open, I would think."})


TWO_JUDGES = """family_rate = 1.0
family_marker = "I would think"
model = "gpt-4o"

[[judges]]
name = "other"
kind = "scripted"
seed = 2
model = "gemini-2.5"
"""


def test_self_preference_is_held_against_a_judge_of_another_family(tmp_path: Path) -> None:
    rows = [_kin(i) for i in range(40)]
    path = write_battery(tmp_path, ["same_family"], judge=TWO_JUDGES, rows=rows)
    run(path)
    report = bias_of(path)
    own = result(report, "same_family")
    assert own.scores.score.value == 1
    assert own.self_preference.against == "other"
    assert own.self_preference.excess.low > 0.3
    other = result(report, "same_family", "other")
    assert other.scores is None
    assert other.decision is ProbeDecision.UNTESTED


def test_self_preference_alone_is_not_separated_from_quality(tmp_path: Path) -> None:
    judge = TWO_JUDGES.partition("\n\n")[0]
    path = write_battery(tmp_path, ["same_family"], judge=judge, rows=[_kin(i) for i in range(12)])
    run(path)
    report = bias_of(path)
    assert result(report, "same_family").self_preference.against == "not separated from quality"
    assert "not separated from quality" in bias_text(report)
    rows = [{**_kin(i), "reference": "a"} for i in range(12)]
    people = write_battery(tmp_path / "people", ["same_family"], judge=judge, rows=rows)
    run(people)
    contrast = result(bias_of(people), "same_family").self_preference
    assert (contrast.against, contrast.excess.value) == ("the references of the pairs", 0)


def test_neither_is_a_verdict_to_be_offered_and_found(tmp_path: Path) -> None:
    requirement = {"id": "no", "rule": "absent", "value": ["a"], "text": "No letter a."}
    rows = [source(i, requirements=[requirement]) for i in range(12)]
    path = write_battery(tmp_path, ["neither"], rows=rows)
    with pytest.raises(ProtocolError, match=r"verdict\.neither"):
        load_battery(path)
    path.write_text(path.read_text().replace('tie = "C"', 'tie = "C"\nneither = "D"'))
    run(path)
    assert result(bias_of(path), "neither").decision is ProbeDecision.SENSITIVE


@pytest.mark.parametrize(
    ("probes", "bias", "found"),
    [
        (["labels"], "", "two labellings that exchange"),
        (["criterion_inverted"], "", "inverted_rubric"),
        (["expanded"], 'inverted_rubric = "x"', "goes together with the probe"),
        (["criterion_inverted"], 'inverted_rubric = "x"', "has none or does not show it"),
        (["expanded", "expanded"], "", "listed twice"),
        (["colour"], "", "identical"),
        ([], "", "the list is empty"),
        (["expanded"], "margin = 0", "greater than 0"),
    ],
)
def test_a_table_that_cannot_work_says_what_it_needs(
    tmp_path: Path, probes: list[str], bias: str, found: str
) -> None:
    path = write_battery(tmp_path, probes, bias=bias)
    with pytest.raises(ProtocolError, match=found):
        load_battery(path)


def test_a_protocol_without_the_table_and_pairs_without_a_probe_are_refused(
    tmp_path: Path,
) -> None:
    path = write_battery(tmp_path, ["plain"], n=2)
    with pytest.raises(InputError, match="no Markdown to take away"):
        load_battery(path)
    path.write_text(path.read_text().partition("[bias]")[0])
    with pytest.raises(ProtocolError, match=r"no table \[bias\]"):
        load_battery(path)
    unknown = write_battery(tmp_path / "u", ["expanded"], rows=[source(0, probe="colour")])
    with pytest.raises(InputError, match="known are identical"):
        load_battery(unknown)


def test_excluded_and_held_out_pairs_are_no_sources(tmp_path: Path) -> None:
    more = '[[exclusions]]\nreason = "x"\npairs = ["p1"]\n[held_out]\nshare = 0.25\nseed = 3\n'
    path = write_battery(tmp_path, ["identical"], n=12, more=more)
    ids = {pair.id.partition("~")[0] for pair in load_battery(path).study.pairs.pairs}
    study = load_study(path)
    apart = held_out_ids(study.pairs.pairs, study.protocol) | {"p1"}
    assert len(apart) > 1
    assert ids == {pair.id for pair in study.pairs.pairs} - apart


def test_probes_of_a_file_are_for_bias_only(tmp_path: Path) -> None:
    hand = source(9, id="p9", probe="expanded")
    hand["a"] = {"text": "It is open. It will be closed soon, as far as anybody can tell now."}
    hand["b"] = {"text": "It is open. It will be closed soon."}
    path = write_battery(tmp_path, ["expanded"], rows=[source(0), hand])
    study = load_study(path)
    assert [pair.id for pair in study.pairs.pairs] == ["p0"]
    assert "1 pairs of the file are probes, which only `bias` judges." in study.pairs.notes
    assert run_study(path).planned == 2
    assert [pair.id for pair in load_battery(path).study.pairs.pairs] == ["p9"]
    only = write_battery(tmp_path / "only", ["expanded"], rows=[hand])
    with pytest.raises(InputError, match="every pair is a probe"):
        load_study(only)


def test_the_verb_prints_a_signed_table_and_the_same_as_json(tmp_path: Path) -> None:
    path = write_battery(
        tmp_path, ALL, judge="length_rate = 0.5", n=12, more=EXCHANGED,
        rubric='[prompt]\nrubric = "The right one is better."\n', bias=RUBRICS,
    )  # fmt: skip
    shown = command_here("bias", path, "--quiet", "--full")
    assert shown.code == 0, shown.err
    for name in ALL:
        assert f"  {name}" in shown.out
    assert max(map(len, shown.out.splitlines())) < 140
    told = command_here("bias", path, "--quiet", "--json")
    value = json.loads(told.out)
    assert value["schema"] == "counterbalance.bias/1"
    assert [p["probe"] for p in value["probes"]] == ALL
    assert value["family"] == {"method": "holm", "size": len(ALL)}
    assert value == json.loads(json.dumps(bias_value(bias_of(path)), allow_nan=False))


def test_a_stopped_battery_says_what_is_left(tmp_path: Path) -> None:
    path = write_battery(tmp_path, ["identical"], n=12, more="[budget]\nmax_calls = 5\n")
    ended = command_here("bias", path, "--quiet")
    assert ended.code == 3
    assert "19 planned presentations are not asked yet" in " ".join(ended.out.split())
    few = json.loads(command_here("bias", path, "--quiet", "--json").out)
    assert few["outstanding"] == 19


def test_the_bundled_battery_is_sound_and_as_large_as_its_page_says(tmp_path: Path) -> None:
    whole = load_battery(copy_bias(tmp_path / "battery"))
    assert whole.battery.flaws == ()
    assert whole.battery.left_out == ()
    plan = order_plan(whole.study.pairs.pairs, whole.study.protocol, "s")
    page = (Path(__file__).parents[2] / "docs" / "howto" / "probe-a-judge.md").read_text("utf-8")
    assert f"{len(work_order(plan, 1))} presentations, no key" in page
    for name in whole.declared.probes:
        assert len({p.item.cluster for p in whole.battery.pairs if p.probe == name}) >= 10


def test_a_slot_under_one_labelling_is_said_to_hold_its_label(tmp_path: Path) -> None:
    judge = 'label_rate = 1.0\nfavoured_label = "A"'
    path = write_battery(tmp_path, ["identical"], judge=judge, more=EXCHANGED)
    run(path)
    one = bias_of(path)
    assert result(one, "identical").scores.score.value == 1
    assert any("Slots had the labels A/B throughout" in warning for warning in one.warnings)
    every = write_battery(
        tmp_path / "every",
        ["identical"],
        judge=judge,
        more=EXCHANGED,
        bias="every_labelling = true",
    )
    run(every)
    both = bias_of(every)
    assert result(both, "identical").scores.score.value == 0
    assert not any("Slots had" in warning for warning in both.warnings)


def test_a_report_of_a_battery_says_that_its_pairs_are_probes(tmp_path: Path) -> None:
    path = write_battery(tmp_path, ["identical"], n=2)
    run(path)
    shown = command_here("report", load_battery(path).default_record)
    assert "2 of the pairs are probes" in " ".join(shown.out.split())


def test_few_sources_are_scored_and_not_tested(tmp_path: Path) -> None:
    path = write_battery(tmp_path, ["expanded"], judge="length_rate = 1.0", n=4)
    run(path)
    found = result(bias_of(path), "expanded")
    assert found.decision is ProbeDecision.UNTESTED
    assert "4 clusters are too few" in found.scores.p_undefined
