"""Revisions of a record: what is shared, what is inherited, what is refused."""

from __future__ import annotations

import pytest

from compared_reports import groups_without_cost
from counterbalance.errors import (
    ProtocolError,
    RecordBusyError,
    RecordError,
    RecordMismatchError,
    UsageError,
)
from counterbalance.record import open_record
from counterbalance.report.as_json import report_value
from counterbalance.report.build import build_report
from counterbalance.report.cases import case_values
from counterbalance.report.evidence import read_evidence
from counterbalance.report.text import render_text
from counterbalance.run.revising import checked_reason
from counterbalance.run.session import Revise
from counterbalance.run.study import load_study
from studies import attempts_of, row, run, write_study

HELD_OUT = "[held_out]\nshare = 0.34\nseed = 11\n"
REPEATED = "[repetitions]\nper_order = 3\n"
JUDGE = "noise = 0.4"
ROWS = [row(n, cluster=f"c{n // 2}") for n in range(12)]


def reading(protocol):
    record = load_study(protocol).default_record
    return open_record(record, create=False, exclusive=False)


def report_of(protocol):
    with reading(protocol) as store:
        assert store.verify() == []
        return build_report(read_evidence(store))


def revised(protocol, reason="more repetitions", **study):
    write_study(protocol.parent, **study)
    return run(protocol, task=Revise(reason))


@pytest.fixture
def protocol(tmp_path):
    """A study that was run to its end."""
    made = write_study(tmp_path, judge=JUDGE)
    run(made)
    return made


def test_what_is_recorded_is_not_asked_again(protocol):
    before = attempts_of(load_study(protocol).default_record)
    summary = revised(protocol, judge=JUDGE, more=REPEATED)
    assert (summary.planned, summary.recorded_before, summary.calls) == (36, 12, 24)
    after = attempts_of(load_study(protocol).default_record)
    assert [attempt for attempt in after if attempt in before] == before
    assert len(after) == 36
    assert run(protocol).calls == 0
    assert attempts_of(load_study(protocol).default_record) == after


def test_a_revision_equals_a_record_that_was_begun_so(protocol, tmp_path):
    revised(protocol, judge=JUDGE, more=REPEATED)
    whole = write_study(tmp_path / "whole", judge=JUDGE, more=REPEATED)
    run(whole)
    found = [
        sorted(
            (a.key, a.outcome.kind, a.reply.text)
            for a in attempts_of(p.with_suffix(".record.sqlite"))
        )
        for p in (protocol, whole)
    ]
    assert found[0] == found[1]
    one, other = report_of(protocol), report_of(whole)
    assert groups_without_cost(one) == groups_without_cost(other)
    assert one.reconciliation == other.reconciliation


def test_the_header_says_why_and_when(protocol):
    revised(protocol, judge=JUDGE, more=REPEATED)
    with reading(protocol) as store:
        first, second = store.headers()
        assert store.header() == second
        assert (first.number, first.reason, first.calls_before) == (1, "", 0)
        assert (second.number, second.reason, second.calls_before) == (2, "more repetitions", 12)
        assert second.secret == first.secret
        assert second.created_at > first.created_at
        assert len(list(store.plan(1))) == 12
        assert len(list(store.plan())) == 36


def test_the_report_says_what_came_before(protocol):
    """Another seed draws other samples: none of the first revision's calls is in the plan."""
    text = protocol.read_text("utf-8")
    protocol.write_text(text.replace("noise = 0.4", "noise = 0.5"), "utf-8")
    run(protocol, task=Revise("a steadier 🔔 judge"))
    report = report_of(protocol)
    assert report.reconciliation.adds_up
    assert report.reconciliation.unplanned == 0
    value = report_value(report)
    revision = value["revision"]
    assert (revision["number"], revision["of"], revision["reason"]) == (2, 2, "a steadier 🔔 judge")
    assert (revision["calls_before"], revision["calls_outside"]) == (12, 12)
    assert revision["after_data"]
    assert [x["number"] for x in revision["earlier"]] == [1]
    assert value["source"]["protocol"] == report.protocol_digest
    assert value["source"]["begun_at"] == revision["earlier"][0]["created_at"]
    assert all(m["exploratory"] for m in value["groups"][0]["measures"].values())
    text = " ".join(render_text(report).split())
    assert "revision 2 of 2" in text
    assert "a steadier" in text
    assert "12 of all calls outside its plan" in text
    assert "it is exploratory with respect to them, unless it is confirmed" in text
    assert "planned before the first call" not in text


def test_a_revision_before_any_call_is_not_exploratory(tmp_path, monkeypatch):
    protocol = write_study(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr("counterbalance.run.session._take_stock", stopped)
        with pytest.raises(Stop):
            run(protocol)
    revised(protocol, "thought again", more=REPEATED)
    report = report_of(protocol)
    assert len(report.history.revisions) == 2
    assert report.planned
    assert "planned before the first call" in render_text(report)


@pytest.mark.parametrize(
    ("edit", "n_planned", "n_calls"),
    [
        (lambda rows: rows[:4], 8, 0),
        (lambda rows: [*rows, row(9)], 14, 2),
        (lambda rows: [row(0, a="edited"), *rows[1:]], 12, 2),
        (lambda rows: [row(0, reference="b"), *rows[1:]], 12, 0),
        (lambda rows: [*rows[1:], row(7), rows[0]], 14, 2),
    ],
)
def test_the_pair_file_may_grow_shrink_and_change(protocol, edit, n_planned, n_calls):
    rows = [row(n) for n in range(6)]
    changed = edit(rows)
    summary = revised(protocol, judge=JUDGE, rows=changed)
    assert (summary.planned, summary.calls) == (n_planned, n_calls)
    report = report_of(protocol)
    assert report.rows == len(changed)
    assert report.reconciliation.adds_up
    with reading(protocol) as store:
        assert [p.id for p in store.pairs()] == [r["id"] for r in changed]
        assert [p.id for p in store.pairs(1)] == [r["id"] for r in rows]
        by_id = {p.id: p for p in store.pairs()}
        for pair_id, pair in by_id.items():
            assert store.pair(pair_id) == pair
        assert store.pair("p5").id == "p5"
    assert run(protocol).calls == 0


def test_an_edited_pair_has_a_row_of_its_own_and_the_old_one_stays(protocol):
    rows = [row(n) for n in range(6)]
    revised(protocol, judge=JUDGE, rows=[row(0, a="edited"), *rows[1:]])
    revised(protocol, "back again", judge=JUDGE, rows=rows)
    with reading(protocol) as store:
        texts = [next(store.pairs(n)).a.text for n in (1, 2, 3)]
        assert texts == ["The old answer to 0.", "edited", "The old answer to 0."]
        assert [h.reason for h in store.headers()] == ["", "more repetitions", "back again"]
        with store.tables() as tables:
            assert {t.table: len(list(t.rows)) for t in tables}["pairs"] == 7
    assert report_of(protocol).history.n_outside == 2


def test_a_change_without_it_names_it(protocol):
    text = protocol.read_text("utf-8")
    protocol.write_text(text.replace("seed = 7", "seed = 8"), "utf-8")
    with pytest.raises(RecordMismatchError, match="open a revision of this record with --revise"):
        run(protocol)


def test_nothing_to_revise(protocol):
    with pytest.raises(RecordMismatchError, match=r"are those of revision 1.*run without --revise"):
        run(protocol, task=Revise("a whim"))
    protocol.write_text(protocol.read_text("utf-8") + "# a comment\n", "utf-8")
    with pytest.raises(RecordMismatchError, match="nothing to revise"):
        run(protocol, task=Revise("a whim"))
    with reading(protocol) as store:
        assert len(store.headers()) == 1


def test_an_earlier_revision_is_not_gone_on_with(protocol):
    first = protocol.read_text("utf-8")
    revised(protocol, judge=JUDGE, more=REPEATED)
    protocol.write_text(first, "utf-8")
    with pytest.raises(RecordMismatchError, match="of revision 1; the newest is 2: more rep"):
        run(protocol)
    assert run(protocol, task=Revise("back to one")).calls == 0
    assert report_of(protocol).history.newest.number == 3


def test_there_must_be_a_record(tmp_path):
    protocol = write_study(tmp_path)
    with pytest.raises(RecordError, match="no such record"):
        run(protocol, task=Revise("why not"))
    open_record(load_study(protocol).default_record, create=True, exclusive=True).close()
    with pytest.raises(RecordError, match="never begun"):
        run(protocol, task=Revise("why not"))


def test_two_runs_exclude_each_other(protocol):
    with (
        open_record(load_study(protocol).default_record, create=False, exclusive=True),
        pytest.raises(RecordBusyError),
    ):
        revised(protocol, judge=JUDGE, more=REPEATED)


def test_the_secret_is_inherited(protocol):
    text = protocol.read_text("utf-8")
    protocol.write_text(text.replace("a fixed secret", "another secret"), "utf-8")
    with pytest.raises(RecordMismatchError, match="fenced under one secret"):
        run(protocol, task=Revise("other marks"))
    protocol.write_text(
        text.replace('delimiter_secret = "a fixed secret for tests"\n', ""), "utf-8"
    )
    assert run(protocol, task=Revise("the same marks")).calls == 0


def test_a_judge_that_cannot_be_opened_leaves_no_revision(protocol, monkeypatch):
    def absent(*_):
        raise UsageError

    monkeypatch.setattr("counterbalance.run.opening.open_judge", absent)
    with pytest.raises(UsageError):
        revised(protocol, judge=JUDGE, more=REPEATED)
    with reading(protocol) as store:
        assert len(store.headers()) == 1


class Stop(BaseException):
    """Ends a run from inside, as a kill would."""


@pytest.mark.parametrize("after", [0, 1, 9])
def test_an_interrupted_revision_equals_an_uninterrupted_one(tmp_path, monkeypatch, after):
    protocols = [write_study(tmp_path / name, judge=JUDGE) for name in ("whole", "broken")]
    for protocol in protocols:
        run(protocol)
        write_study(protocol.parent, judge=JUDGE, more=REPEATED)
    run(protocols[0], task=Revise("more"))
    done = []

    def stop(attempt):
        done.append(attempt)
        if len(done) == after:
            raise Stop

    if after:
        with pytest.raises(BaseExceptionGroup):
            run(protocols[1], task=Revise("more"), finished=stop)
    else:  # after the revision is written, before its first call
        with monkeypatch.context() as patched:
            patched.setattr("counterbalance.run.session._take_stock", stopped)
            with pytest.raises(Stop):
                run(protocols[1], task=Revise("more"))
    with pytest.raises(RecordMismatchError, match="run without --revise"):
        run(protocols[1], task=Revise("more"))
    run(protocols[1])
    assert run(protocols[1]).calls == 0
    one, other = (report_of(p) for p in protocols)
    assert groups_without_cost(one) == groups_without_cost(other)
    assert one.reconciliation.with_verdict == other.reconciliation.with_verdict


async def stopped(*_):
    raise Stop


@pytest.mark.parametrize(
    ("reason", "says"),
    [
        ("", "is empty"),
        (" \t ", "is empty"),
        ("x" * 501, "501 characters"),
        ("a\x1b[31mred", "one line"),
        ("two\nlines", "one line"),
        ("\u202eright to left", "one line"),
    ],
)
def test_a_reason_is_one_printable_line(reason, says):
    with pytest.raises(UsageError, match=says) as error:
        checked_reason(reason)
    assert str(error.value).isprintable()


def test_a_reason_loses_the_space_around_it():
    assert checked_reason("  the rubric was unclear é ") == "the rubric was unclear é"


# ---------------------------------------------------------------- the split is inherited


@pytest.fixture
def split(tmp_path):
    made = write_study(tmp_path, rows=ROWS, more=HELD_OUT)
    run(made)
    return made


def held_out(protocol):
    with reading(protocol) as store:
        return read_evidence(store).held_out, set(store.header().held_out)


def test_held_out_pairs_stay_held_out_in_a_grown_file(split):
    ids, clusters = held_out(split)
    assert (len(ids), clusters) == (4, {"c0", "c2"})
    grown = [*ROWS, *(row(n, cluster=f"n{n}") for n in range(20, 38))]
    revised(split, rows=grown, more=HELD_OUT)
    more, clusters_now = held_out(split)
    assert ids < more
    assert clusters < clusters_now
    assert len(more) == 10  # nearest to 0.34 of 30
    assert not clusters_now & {"c1", "c3", "c4", "c5"}
    with reading(split) as store:
        asked = {e.presentation.pair_id for e in store.plan()}
        assert asked.isdisjoint(more)
        assert {case["pair"] for case in case_values(read_evidence(store))}.isdisjoint(more)


def test_a_cluster_is_held_out_also_when_its_pairs_come_back_later(split):
    ids, clusters = held_out(split)
    without = [r for r in ROWS if r["cluster"] != "c0"]
    revised(split, rows=without, more=HELD_OUT)
    assert held_out(split) == ({i for i in ids if i not in {"p0", "p1"}}, clusters)
    revised(split, "and back", rows=ROWS, more=HELD_OUT)
    assert held_out(split) == (ids, clusters)


def test_a_renamed_cluster_keeps_its_part(split):
    renamed = [r | {"cluster": r["cluster"].replace("c", "k")} for r in ROWS]
    revised(split, rows=renamed, more=HELD_OUT)
    ids, clusters = held_out(split)
    assert ids == {"p0", "p1", "p4", "p5"}
    assert {"k0", "k2"} < clusters


def test_a_renamed_pair_with_the_same_content_keeps_its_part(split):
    renamed = [r | {"cluster": f"k{r['cluster']}", "id": f"q{r['id']}"} for r in ROWS]
    revised(split, rows=renamed, more=HELD_OUT)
    assert held_out(split)[0] == {"qp0", "qp1", "qp4", "qp5"}


@pytest.mark.parametrize(("pair", "cluster"), [(0, "c1"), (2, "c0"), (0, "c9+2"), (4, "c3")])
def test_a_cluster_is_never_split(split, pair, cluster):
    moved = [dict(r) for r in ROWS]
    names = cluster.split("+")
    moved[pair]["cluster"] = names[0]
    for other in names[1:]:
        moved[int(other)]["cluster"] = names[0]
    with pytest.raises(RecordMismatchError, match="a cluster is never split"):
        revised(split, rows=moved, more=HELD_OUT)


@pytest.mark.parametrize(
    "table", ["", "[held_out]\nshare = 0.5\nseed = 11\n", "[held_out]\nshare = 0.34\nseed = 1\n"]
)
def test_the_split_itself_is_no_part_of_a_revision(split, table):
    with pytest.raises(
        ProtocolError, match=r"inherited from revision 1.*share = 0\.34, seed = 11"
    ) as error:
        revised(split, rows=ROWS, more=table + REPEATED)
    assert error.value.key == "held_out"


def test_a_share_that_is_declared_later_holds_out_what_nobody_has_seen(tmp_path):
    protocol = write_study(tmp_path, rows=ROWS)
    run(protocol)
    with pytest.raises(ProtocolError, match="every cluster was asked under an earlier revision"):
        revised(protocol, rows=ROWS, more=HELD_OUT)
    grown = [*ROWS, *(row(n, cluster=f"n{n}") for n in range(20, 24))]
    revised(protocol, rows=grown, more=HELD_OUT)
    ids, clusters = held_out(protocol)
    assert clusters == {"n20", "n21", "n22", "n23"}
    assert ids == {"p20", "p21", "p22", "p23"}


def test_what_was_planned_and_never_asked_can_still_be_held_out(tmp_path):
    protocol = write_study(tmp_path, rows=ROWS, more="[budget]\nmax_calls = 4\n")
    run(protocol)
    asked = {a.key for a in attempts_of(load_study(protocol).default_record)}
    with reading(protocol) as store:
        seen = {e.presentation.pair_id for e in store.plan() if e.presentation.key in asked}
        clusters = {p.item.cluster for p in store.pairs() if p.id in seen}
    revised(protocol, rows=ROWS, more=HELD_OUT)
    assert len(held_out(protocol)[0]) == 4
    assert not held_out(protocol)[1] & clusters


def test_a_revision_that_leaves_nothing_to_judge_is_refused(split):
    kept = [r for r in ROWS if r["cluster"] in {"c0", "c2"}]
    with pytest.raises(ProtocolError, match="no pair is left to judge"):
        revised(split, rows=kept, more=HELD_OUT)
