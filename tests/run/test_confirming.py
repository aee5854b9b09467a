"""The confirmation: when it may open, what it records, what the report makes of it."""

from __future__ import annotations

import csv
import io
import json
import sqlite3

import pytest

from compared_reports import groups_without_cost
from counterbalance.errors import (
    OutstandingError,
    ProtocolError,
    RecordBusyError,
    RecordError,
    RecordMismatchError,
)
from counterbalance.record import open_record
from counterbalance.report.as_json import report_json, report_value
from counterbalance.report.build import build_report
from counterbalance.report.cases import case_values, write_cases_csv
from counterbalance.report.evidence import read_evidence
from counterbalance.report.html.page import render_html
from counterbalance.report.html.page_cases import run_cases
from counterbalance.report.text import render_text
from counterbalance.run.forecast import forecast
from counterbalance.run.session import Confirm, Revise
from counterbalance.run.study import load_study
from page_reading import read_page
from studies import attempts_of, row, run, write_study

HELD_OUT = "[held_out]\nshare = 0.34\nseed = 11\n"
REPEATED = "[repetitions]\nper_order = 3\n"
SINGLE = '[orders]\nassignment = "single_balanced"\n'
DRAWN = ("p0", "p1", "p4", "p5")
ROWS = [
    row(n, cluster=f"c{n // 2}")
    | ({"prompt": f"SECRET {n}"} if f"p{n}" in DRAWN else {})
    | ({"b": "The old answer to 5."} if n == 5 else {})
    for n in range(12)
]
"""Pairs in six clusters; of the four that are held out one has identical texts."""


def record_of(protocol):
    return load_study(protocol).default_record


def reading(protocol):
    return open_record(record_of(protocol), create=False, exclusive=False)


def report_of(protocol):
    with reading(protocol) as store:
        assert store.verify() == []
        return build_report(read_evidence(store))


def study(folder, more=HELD_OUT, **given):
    return write_study(folder, rows=ROWS, more=more, **given)


@pytest.fixture
def protocol(tmp_path):
    """A study whose ordinary presentations were all run."""
    made = study(tmp_path)
    run(made)
    return made


def test_the_held_out_pairs_are_judged_once(protocol):
    summary = run(protocol, task=Confirm())
    assert (summary.planned, summary.recorded_before, summary.calls) == (6, 0, 6)
    assert summary.confirms
    before = attempts_of(record_of(protocol))
    assert len(before) == 16 + 6
    for task in (Confirm(), None):
        assert run(protocol, task=task).calls == 0
        assert attempts_of(record_of(protocol)) == before
    with reading(protocol) as store:
        assert len(store.openings()) == 1


def test_the_plan_says_how_many_calls_it_takes(protocol):
    assert forecast(load_study(protocol), "0" * 32).confirmation_calls == 6


def test_that_they_were_opened_is_recorded(protocol):
    run(protocol, task=Confirm())
    with reading(protocol) as store:
        (opening,) = store.openings()
        (header,) = store.headers()
        assert opening.pairs == DRAWN
        assert (opening.revision, opening.calls_before) == (1, 16)
        assert len(opening.revisions) == 1
        assert header.created_at < opening.opened_at
        asked = [a.started_at for a in store.attempts()][16:]
        assert all(opening.opened_at <= started for started in asked)
        ordinary = {e.presentation.pair_id for e in store.plan()}
        opened = {e.presentation.pair_id for e in store.plan(opened=True)}
        assert (ordinary.isdisjoint(DRAWN), opened) == (True, {"p0", "p1", "p4"})


def test_nothing_is_shown_before(protocol):
    with reading(protocol) as store:
        evidence = read_evidence(store)
    report = build_report(evidence)
    assert report.confirmation is None
    assert report_value(report)["confirmation"] is None
    assert report.groups[0].counts.held_out == 4
    shown = [report_json(report), render_text(report, detail="full")]
    shown += [json.dumps(case) for case in case_values(evidence)]
    assert not any("SECRET" in text for text in shown)


def test_it_stands_apart_from_the_other_pairs(protocol):
    before = report_of(protocol)
    run(protocol, task=Confirm())
    report = report_of(protocol)
    assert report.groups == before.groups
    assert report.reconciliation == before.reconciliation
    assert report.strategies == before.strategies
    value = report_value(report)
    (group,) = value["groups"]
    assert (group["counts"]["pairs"], group["counts"]["held_out"]) == (8, 4)
    confirmation = value["confirmation"]
    (opened,) = confirmation["groups"]
    assert opened["subset"] == "held_out, labels A/B"
    assert (opened["counts"]["pairs"], opened["counts"]["held_out"]) == (4, 0)
    assert opened["dispositions"]["identical"] == 1
    assert confirmation["reconciliation"]["planned"] == 6
    assert confirmation["reconciliation"]["adds_up"]
    assert not confirmation["exploratory"]
    assert not opened["measures"]["position_consistency"]["exploratory"]
    assert opened["measures"]["tie_rate"]["exploratory"]
    text = " ".join(render_text(report).split())
    assert "Confirmation on 4 held-out pairs, apart from everything above" in text
    assert "4 pairs are held out, opened" in text
    assert "neither judged nor shown" not in text


def test_cases_come_after_all_others_and_say_so(protocol):
    run(protocol, task=Confirm())
    with reading(protocol) as store:
        evidence = read_evidence(store)
    cases = list(case_values(evidence))
    assert [case["held_out"] for case in cases] == [False] * 8 + [True] * 4
    assert {case["pair"] for case in cases if case["held_out"]} == set(DRAWN)
    file = io.StringIO()
    assert write_cases_csv(cases, file) == 12
    file.seek(0)
    assert [r["held_out"] for r in csv.DictReader(file)] == ["false"] * 8 + ["true"] * 4


def test_excluded_pairs_are_not_opened(tmp_path):
    exclusion = '[[exclusions]]\nreason = "Read before."\npairs = ["p1"]\n'
    protocol = study(tmp_path, HELD_OUT + exclusion)
    run(protocol)
    assert run(protocol, task=Confirm()).planned == 4
    with reading(protocol) as store:
        assert store.openings()[0].pairs == ("p0", "p4", "p5")


@pytest.mark.parametrize("orders", ["", SINGLE])
def test_a_confirmation_is_planned_like_the_rest(tmp_path, orders):
    subset = "[repetitions.subset]\npairs = 2\nper_order = 2\n"
    protocol = study(tmp_path, HELD_OUT + orders + subset, judge="noise = 0.5")
    run(protocol)
    run(protocol, task=Confirm())
    with reading(protocol) as store:
        found = [list(store.plan(opened=is_opened)) for is_opened in (False, True)]
    per_pair = 1 if orders else 2
    assert [sum(e.purpose == "main" for e in plan) for plan in found] == [
        8 * per_pair,
        3 * per_pair,
    ]
    assert [sum(e.purpose == "stability" for e in plan) for plan in found] == [4 * per_pair] * 2


def test_it_is_too_early_while_something_is_outstanding(tmp_path):
    protocol = study(tmp_path, HELD_OUT + "[budget]\nmax_calls = 5\n")
    run(protocol)
    with pytest.raises(OutstandingError, match="11 of the 16 presentations of revision 1") as error:
        run(protocol, task=Confirm())
    assert error.value.exit_code == 3
    with reading(protocol) as store:
        assert store.openings() == ()
        assert list(store.plan(opened=True)) == []
    assert len(attempts_of(record_of(protocol))) == 5


def test_there_must_be_something_to_confirm_on(tmp_path):
    protocol = write_study(tmp_path / "plain")
    run(protocol)
    with pytest.raises(ProtocolError, match="declares no share") as error:
        run(protocol, task=Confirm())
    assert error.value.exit_code == 2
    exclusion = '[[exclusions]]\nreason = "x"\npairs = ["p0", "p1", "p4", "p5"]\n'
    protocol = study(tmp_path / "excluded", HELD_OUT + exclusion)
    run(protocol)
    with pytest.raises(ProtocolError, match="declares no share"):
        run(protocol, task=Confirm())


def test_there_must_be_a_record(tmp_path):
    protocol = study(tmp_path)
    with pytest.raises(RecordError, match="no such record"):
        run(protocol, task=Confirm())
    assert {p.name for p in tmp_path.iterdir()} == {"protocol.toml", "pairs.jsonl"}


def test_a_changed_protocol_is_not_confirmed(protocol):
    study(protocol.parent, HELD_OUT + REPEATED)
    with pytest.raises(RecordMismatchError, match="--revise REASON"):
        run(protocol, task=Confirm())


def test_two_runs_exclude_each_other(protocol):
    with (
        open_record(record_of(protocol), create=False, exclusive=True),
        pytest.raises(RecordBusyError),
    ):
        run(protocol, task=Confirm())


class Stop(BaseException):
    """Ends a run from inside, as a kill would."""


@pytest.mark.parametrize("after", [0, 1, 3])
def test_an_interrupted_confirmation_equals_an_uninterrupted_one(tmp_path, monkeypatch, after):
    judge = "noise = 0.4"
    protocols = [study(tmp_path / name, judge=judge) for name in ("whole", "broken")]
    for protocol in protocols:
        run(protocol)
    run(protocols[0], task=Confirm())
    done = []

    def stop(attempt):
        done.append(attempt)
        if len(done) == after:
            raise Stop

    def at_once(*_):
        raise Stop

    if after:
        with pytest.raises(BaseExceptionGroup):
            run(protocols[1], task=Confirm(), finished=stop)
    else:  # between the opening and the first call
        with monkeypatch.context() as patched:
            patched.setattr("counterbalance.run.session.check_same_prompts", at_once)
            with pytest.raises(Stop):
                run(protocols[1], task=Confirm())
        assert report_of(protocols[1]).confirmation.reconciliation.not_run == 6
    with reading(protocols[1]) as store:
        opened = store.openings()
        assert len(opened) == 1
    # What is outstanding of the confirmation is no business of an ordinary run.
    assert run(protocols[1]).calls == 0
    run(protocols[1], task=Confirm())
    with reading(protocols[1]) as store:
        assert store.openings() == opened
    one, other = (report_of(p) for p in protocols)
    assert groups_without_cost(one) == groups_without_cost(other)
    confirmed = [groups_without_cost(report.confirmation) for report in (one, other)]
    assert confirmed[0] == confirmed[1]
    found = [[(a.key, a.outcome) for a in attempts_of(record_of(p)) if a.reply] for p in protocols]
    assert sorted(found[0], key=str) == sorted(found[1], key=str)


def test_after_a_revision_it_confirms_what_was_revised(protocol):
    study(protocol.parent, HELD_OUT + REPEATED)
    run(protocol, task=Revise("three times"))
    assert run(protocol, task=Confirm()).planned == 18
    report = report_of(protocol)
    assert report.planned == frozenset()
    assert report.confirmation.planned == {"position_consistency", "bias_position"}
    with reading(protocol) as store:
        (opening,) = store.openings()
        assert (opening.revision, len(opening.revisions)) == (2, 2)
    text = " ".join(render_text(report).split())
    assert "planned before the held-out pairs were opened" in text
    assert "unless it is confirmed on held-out pairs" in text


def test_a_revision_after_the_opening_is_not_confirmed_by_the_same_pairs(protocol):
    run(protocol, task=Confirm())
    study(protocol.parent, HELD_OUT + REPEATED)
    run(protocol, task=Revise("it came out badly"))
    report = report_of(protocol)
    assert report.confirmation is None
    value = report_value(report)["revision"]
    assert value["held_out_seen"]
    assert value["openings"][0]["revision"] == 1
    assert value["calls_outside"] == 6
    text = " ".join(render_text(report).split())
    assert "under revision 1, before revision 2 was made" in text
    assert "neither judged nor shown" not in text
    with reading(protocol) as store:
        assert [h.openings_before for h in store.headers()] == [0, 1]
    summary = run(protocol, task=Confirm())
    assert (summary.planned, summary.recorded_before, summary.calls) == (18, 6, 12)
    report = report_of(protocol)
    assert report.confirmation.planned == frozenset()
    confirmation = report_value(report)["confirmation"]
    assert confirmation["exploratory"]
    assert all(m["exploratory"] for m in confirmation["groups"][0]["measures"].values())
    text = " ".join(render_text(report).split())
    assert "no confirmation of 4 held-out pairs" in text
    assert "Confirmation on" not in text
    assert "these pairs were seen before this revision was made" in text


TAMPERED = {
    "UPDATE openings SET opened_at = '2020-01-01T00:00:00.000+00:00'": "does not fit its digest",
    "UPDATE openings SET pairs = '[\"p0\"]'": "pair p1 is asked, not opened",
    "UPDATE openings SET pairs = '[\"p2\"]'": "pair p2 was not held out",
    'UPDATE openings SET revisions = \'["b2:0","b2:1"]\'': "not those that it names",
    "DELETE FROM openings": "points to a row of openings that is not there",
    "UPDATE plan SET opening = NULL": "plan: the digest over the plan of revision 2",
    "UPDATE revisions SET reason = 'none' WHERE number = 2": "revision 2: does not fit its digest",
    "UPDATE revisions SET created_at = '2020' WHERE number = 1": "revision 1: does not fit its",
    "UPDATE revisions SET held_out = '[\"c1\"]' WHERE number = 2": "does not hold out what",
    "UPDATE revisions SET secret = 'x' WHERE number = 2": "has another secret",
    "UPDATE revisions SET openings_before = 1 WHERE number = 2": "0 openings came before it",
    "UPDATE revisions SET calls_before = -1 WHERE number = 2": "is of fewer calls",
    "DELETE FROM revisions WHERE number = 1": "a revision is missing",
    "DELETE FROM revision_pairs WHERE position = 3": "digest over all pairs of revision 1",
    "DELETE FROM revision_pairs WHERE revision = 2": "of another revision than its pair",
    "UPDATE plan SET revision = 1 WHERE opening = 2": "of another revision than its pair or open",
}


@pytest.mark.parametrize("statement", TAMPERED)
def test_verify_notices_a_tampered_revision_or_opening(protocol, statement):
    study(protocol.parent, HELD_OUT + REPEATED)
    run(protocol, task=Revise("three times"))
    run(protocol, task=Confirm())
    connection = sqlite3.connect(record_of(protocol))
    for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'"):
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute(statement)
    connection.commit()
    connection.close()
    with reading(protocol) as store:
        found = store.verify()
    assert [sentence for sentence in found if TAMPERED[statement] in sentence], found


def test_the_page_keeps_held_out_pairs_apart(protocol):
    def page():
        with reading(protocol) as store:
            evidence = read_evidence(store)
        return read_page(render_html(build_report(evidence), run_cases(evidence)))

    assert "SECRET" not in page().text
    assert not [s for s in page().all("section") if s.attributes["id"].startswith("held-out-")]
    run(protocol, task=Confirm())
    shown = page()
    assert "Confirmation on 4 held-out pairs, apart from everything above" in shown.text
    sections = {section.attributes["id"]: section.text for section in shown.all("section")}
    assert "n = 8 pairs" in sections["flow"]
    assert "n = 4 pairs" in sections["held-out-flow"]
    assert sum(name.startswith("held-out-") for name in sections) > 5


def test_the_page_of_a_later_revision_calls_nothing_planned(protocol):
    study(protocol.parent, f'{HELD_OUT}[analysis]\nmeasures = ["tie_rate"]\n')
    run(protocol, task=Revise("another measure"))
    with reading(protocol) as store:
        evidence = read_evidence(store)
    text = read_page(render_html(build_report(evidence), run_cases(evidence))).text
    assert "reason: another measure" in text
    assert "All exploratory: this revision was made after data were seen." in text
    assert "after 16 calls" in text
    assert "before the first call" not in text
