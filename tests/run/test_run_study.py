from __future__ import annotations

import asyncio
import json
from collections import Counter

import pytest

from compared_reports import lines_without_calls
from counterbalance.errors import (
    InputError,
    JudgeError,
    MissingExtraError,
    ProtocolError,
    RecordMismatchError,
)
from counterbalance.presentations.rendering import Renderer
from counterbalance.presentations.reply import Reply
from counterbalance.record import open_record
from counterbalance.report.build import build_report
from counterbalance.report.evidence import read_evidence
from counterbalance.run.study import load_study
from studies import attempts_of, row, run, write_study


def report_of(record):
    with open_record(record, create=False, exclusive=False) as store:
        return build_report(read_evidence(store))


def test_every_planned_presentation_ends_in_a_recorded_outcome(tmp_path):
    protocol = write_study(tmp_path, 8, judge="refusal_rate = 0.3\nunparsed_rate = 0.2")
    summary = run(protocol)
    assert (summary.planned, summary.calls, summary.outstanding) == (16, 16, 0)
    report = report_of(load_study(protocol).default_record)
    assert report.reconciliation.adds_up
    assert report.reconciliation.not_run == 0
    (group,) = report.groups
    assert sum(group.dispositions.values()) == group.counts.pairs == 8
    assert group.transition.n_pairs == 8
    assert sum(group.outcomes.values()) == 16
    assert group.outcomes["refused"] > 0
    assert group.outcomes["unparsed"] > 0


def test_a_second_run_asks_and_appends_nothing(tmp_path):
    protocol = write_study(tmp_path)
    run(protocol)
    record = load_study(protocol).default_record
    before = attempts_of(record)
    summary = run(protocol)
    assert (summary.calls, summary.recorded_before) == (0, 12)
    assert attempts_of(record) == before


class Stop(BaseException):
    """Ends a run from inside, as a kill would, at a moment the test chooses."""


@pytest.mark.parametrize("after", [1, 5, 11])
def test_an_interrupted_run_equals_an_uninterrupted_one(tmp_path, after):
    judge = "noise = 0.3\nslot_rate = 0.3\nunparsed_rate = 0.2"
    more = '[retry]\noutcomes = ["unparsed"]\nmax_attempts = 3\n'
    whole = write_study(tmp_path / "whole", judge=judge, more=more)
    run(whole)
    broken = write_study(tmp_path / "broken", judge=judge, more=more)
    done = []

    def stop(attempt):
        done.append(attempt)
        if len(done) == after:
            raise Stop

    with pytest.raises(BaseExceptionGroup):
        run(broken, finished=stop)
    run(broken)
    records = [load_study(p).default_record for p in (whole, broken)]
    one, other = (
        [(a.key, a.outcome, a.reply) for a in attempts_of(record) if a.outcome.failure != "lost"]
        for record in records
    )
    assert one == other
    assert lines_without_calls(report_of(records[0])) == lines_without_calls(report_of(records[1]))


def test_lost_calls_change_no_later_verdict(tmp_path):
    """Started and never back, as after kill -9: counted, asked again, drawn as if never lost."""
    whole = write_study(tmp_path / "whole", 12, judge="noise = 0.5")
    run(whole)
    once = "[budget]\nmax_calls = 1\n"
    broken = write_study(tmp_path / "broken", 12, judge="noise = 0.5", more=once)
    run(broken)
    record = load_study(broken).default_record

    async def begin_and_die():
        with open_record(record, create=False, exclusive=True) as store:
            done = {a.key for a in store.attempts()}
            for entry in list(store.plan()):
                shown = entry.presentation
                if shown.key not in done:
                    prompt = Renderer(protocol, protocol.delimiter_secret).render(
                        pairs[shown.pair_id], shown.order, protocol.labellings[0]
                    )
                    await store.start(
                        shown.key, 1, "2026-11-30T00:00:00.000+00:00", prompt.messages
                    )

    study = load_study(broken)
    protocol, pairs = study.protocol, {p.id: p for p in study.pairs.pairs}
    asyncio.run(begin_and_die())
    broken.write_text(whole.read_text("utf-8"), "utf-8")
    summary = run(broken)
    assert summary.lost == 23
    verdicts = [
        {a.key: a.outcome for a in attempts_of(load_study(p).default_record) if a.reply}
        for p in (whole, broken)
    ]
    assert verdicts[0] == verdicts[1]
    assert run(broken).calls == 0


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (JudgeError("overloaded", "busy"), "failed:server"),
        (JudgeError("too_long", "9,000 tokens"), "too_long"),
        (None, "failed:server"),
        (Reply(None), "failed:server"),
        (Reply("[[A]]", sent={"x": float("nan")}), "failed:server"),
        (Reply("[[A]]", sent={"x": object()}), "failed:server"),
        (asyncio.CancelledError(), "failed:cancelled"),
        (ZeroDivisionError("oops"), "failed:server"),
    ],
)
def test_whatever_a_judge_does_is_recorded_and_ends_no_run(tmp_path, monkeypatch, answer, kind):
    class Odd:
        notes = ()

        async def ask(self, _):
            if isinstance(answer, BaseException):
                raise answer
            return answer

        async def close(self):
            pass

    monkeypatch.setattr("counterbalance.run.opening.open_judge", lambda *_: Odd())
    protocol = write_study(tmp_path, 3)
    summary = run(protocol)
    assert (summary.calls, summary.outstanding, summary.stopped) == (6, 0, "")
    report = report_of(load_study(protocol).default_record)
    assert report.reconciliation.without_verdict == {kind: 6}
    assert report.groups[0].dispositions["incomplete"] == 3


def test_a_run_that_cannot_begin_leaves_no_record(tmp_path, monkeypatch):
    def absent(*_):
        part = "the engine"
        raise MissingExtraError(part, "pip install it")

    monkeypatch.setattr("counterbalance.run.opening.open_judge", absent)
    protocol = write_study(tmp_path)
    with pytest.raises(MissingExtraError):
        run(protocol)
    assert {p.name for p in tmp_path.iterdir()} == {"protocol.toml", "pairs.jsonl"}


def test_a_record_whose_prompts_this_version_writes_otherwise_is_refused(tmp_path, monkeypatch):
    protocol = write_study(tmp_path, more="[budget]\nmax_calls = 3\n")
    run(protocol)
    monkeypatch.setattr("counterbalance.presentations.rendering.question_words", lambda _: "Which?")
    with pytest.raises(RecordMismatchError, match="9 of the 9 prompts still to be asked"):
        run(protocol)


def test_only_outcomes_that_the_retry_rule_names_are_asked_again(tmp_path):
    judge = "unparsed_rate = 0.4\nrefusal_rate = 0.3"
    more = '[retry]\noutcomes = ["unparsed"]\nmax_attempts = 4\n'
    protocol = write_study(tmp_path, 12, judge=judge, more=more)
    run(protocol)
    by_key: dict = {}
    for attempt in attempts_of(load_study(protocol).default_record):
        by_key.setdefault(attempt.key, []).append(attempt.outcome.kind.value)
    assert len(by_key) == 24
    for kinds in by_key.values():
        assert set(kinds[:-1]) <= {"unparsed"}
        assert len(kinds) <= 4
        if kinds[-1] == "unparsed":
            assert len(kinds) == 4
    assert any(len(kinds) > 1 for kinds in by_key.values())
    assert any(kinds[-1] == "refused" for kinds in by_key.values())


def test_a_budget_of_calls_stops_cleanly_and_keeps_whole_pairs(tmp_path):
    protocol = write_study(tmp_path, 10, more="[budget]\nmax_calls = 7\n")
    summary = run(protocol)
    assert (summary.calls, summary.outstanding) == (7, 13)
    assert "budget of 7 calls" in summary.stopped
    (group,) = report_of(load_study(protocol).default_record).groups
    # Pairs stay together in the order of work: three whole pairs, one half, six not begun.
    assert group.dispositions["incomplete"] == 7
    assert sum(group.dispositions.values()) == 10


def test_a_changed_protocol_is_refused_and_named(tmp_path):
    protocol = write_study(tmp_path)
    run(protocol)
    text = protocol.read_text("utf-8")
    protocol.write_text(text.replace("seed = 7", "seed = 8"), "utf-8")
    with pytest.raises(RecordMismatchError, match="seed was 7, is 8"):
        run(protocol)
    protocol.write_text(text.replace('tie = "C"', ""), "utf-8")
    with pytest.raises(RecordMismatchError, match=r"verdict\.tie was 'C', is None"):
        run(protocol)
    protocol.write_text(text + "# a comment changes nothing\n", "utf-8")
    assert run(protocol).calls == 0


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda rows: rows[:-1], "pair p5 is gone"),
        (lambda rows: [*rows, row(9)], "pair p9 is new"),
        (lambda rows: [row(0, a="edited"), *rows[1:]], "pair p0 has another text of candidate a"),
        (lambda rows: [row(0, reference="b"), *rows[1:]], "pair p0 has another reference"),
        (lambda rows: [row(0, category="x"), *rows[1:]], "pair p0 has another item"),
    ],
)
def test_a_changed_pair_file_is_refused_and_named(tmp_path, edit, words):
    rows = [row(n) for n in range(6)]
    protocol = write_study(tmp_path, rows=rows)
    run(protocol)
    changed = edit(rows)
    lines = "".join(json.dumps(pair) + "\n" for pair in changed)
    (tmp_path / "pairs.jsonl").write_text(lines, "utf-8")
    with pytest.raises(RecordMismatchError, match=words):
        run(protocol)


def test_reordering_the_pair_file_changes_nothing(tmp_path):
    rows = [row(n) for n in range(6)]
    protocol = write_study(tmp_path, rows=rows)
    run(protocol)
    lines = "".join(json.dumps(pair) + "\n" for pair in reversed(rows))
    (tmp_path / "pairs.jsonl").write_text(lines, "utf-8")
    assert run(protocol).calls == 0


def test_identical_and_excluded_pairs_cost_nothing_and_are_counted(tmp_path):
    rows = [row(0), row(1, a="same", b="same"), row(2, category="draft"), row(3)]
    more = '[[exclusions]]\nreason = "Drafts are not judged."\ncategory = "draft"\n'
    protocol = write_study(tmp_path, rows=rows, more=more)
    assert run(protocol).calls == 4
    report = report_of(load_study(protocol).default_record)
    (group,) = report.groups
    assert (group.counts.pairs, group.counts.excluded) == (3, 1)
    assert group.dispositions["identical"] == 1
    assert any("Drafts are not judged." in warning for warning in report.warnings)


def test_an_exclusion_of_no_pair_is_refused(tmp_path):
    more = '[[exclusions]]\nreason = "x"\npairs = ["p77"]\n'
    with pytest.raises(ProtocolError, match=r"exclusions\[1\].pairs.*'p77'"):
        load_study(write_study(tmp_path, more=more))


def test_repetitions_of_a_subset_never_enter_dispositions(tmp_path):
    more = "[repetitions.subset]\npairs = 3\nper_order = 4\n"
    plain = write_study(tmp_path / "plain", judge="noise = 0.4")
    repeated = write_study(tmp_path / "repeated", judge="noise = 0.4", more=more)
    run(plain)
    summary = run(repeated)
    # The first repetition of the subset is the main presentation itself: asked once.
    assert summary.calls == 12 + 3 * 2 * 3
    reports = [report_of(load_study(p).default_record) for p in (plain, repeated)]
    assert reports[0].groups[0].dispositions == reports[1].groups[0].dispositions
    measure = reports[1].groups[0].measure("repetition_stability")
    assert measure.denominator == 6
    assert reports[0].groups[0].measure("repetition_stability").undefined


def test_one_balanced_order_is_never_called_stable(tmp_path):
    more = '[orders]\nassignment = "single_balanced"\n'
    protocol = write_study(tmp_path, 9, more=more)
    assert run(protocol).calls == 9
    report = report_of(load_study(protocol).default_record)
    (group,) = report.groups
    assert group.dispositions["single_order"] == 9
    assert Counter(label for label in group.transition.labels)["not_planned"] == 1
    tests = {test.name: test for test in group.tests}
    assert tests["first_slot"].p_value is not None
    assert group.measure("position_consistency").undefined
    assert {s.strategy for s in report.strategies} == {"B0"}


def test_a_record_can_be_replayed_under_another_parser(tmp_path):
    first = write_study(tmp_path / "first", judge="slot_rate = 0.5")
    run(first)
    again = write_study(tmp_path / "again")
    text = again.read_text("utf-8").replace('kind = "scripted"', 'kind = "replay"')
    source = '\nrecord = "../first/protocol.record.sqlite"\njudge = "script"\n'
    again.write_text(text.replace('kind = "replay"\n', 'kind = "replay"' + source), "utf-8")
    run(again)
    reports = [report_of(load_study(p).default_record) for p in (first, again)]
    assert reports[0].groups[0].dispositions == reports[1].groups[0].dispositions
    replies = [
        sorted(a.reply.text for a in attempts_of(load_study(p).default_record))
        for p in (first, again)
    ]
    assert replies[0] == replies[1]


def test_what_a_replayed_record_does_not_hold_is_a_failure_and_no_verdict(tmp_path):
    first = write_study(tmp_path / "first", 4)
    run(first)
    again = write_study(tmp_path / "again", 6)
    text = again.read_text("utf-8").replace(
        'kind = "scripted"',
        'kind = "replay"\nrecord = "../first/protocol.record.sqlite"\njudge = "script"',
    )
    again.write_text(text, "utf-8")
    summary = run(again)
    (group,) = report_of(load_study(again).default_record).groups
    assert group.incomplete_reasons == {"failed:bad_request": 4}
    assert group.dispositions["incomplete"] == 2
    assert summary.outstanding == 0
    assert run(again).calls == 0


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("missing.toml", None, "No such file.*counterbalance init"),
        ("latin.toml", b'title = "\xe9"', "not UTF-8 at byte 9"),
        ("broken.toml", b"title = ", "not TOML"),
        ("empty.toml", b"", "needed and missing"),
    ],
)
def test_an_unreadable_protocol_is_one_line(tmp_path, name, content, words):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises((InputError, ProtocolError), match=words) as error:
        load_study(path)
    assert "\n" not in str(error.value)
