"""Every row is counted once, words become codes, and our readings stand beside the source's."""

from __future__ import annotations

import math

import numpy as np

from counterbalance.dispositions.codes import OUTCOMES
from counterbalance.importers.collected import OURS, SOURCE, LogGroup
from counterbalance.importers.collecting import Collector
from counterbalance.importers.judgment import Judgment, Rating, Reject, Row, source_outcome
from counterbalance.importers.reading import Reading
from counterbalance.items.frames import Order, Verdict
from counterbalance.parsing.outcome import FailureKind, OutcomeKind
from counterbalance.protocol.labelling import Labelling
from counterbalance.protocol.verdict_format import VerdictFormat

READING = Reading(VerdictFormat(format="bracket", tie="C"), Labelling(first="A", second="B"))


def judgment(line: int = 1, **changes: object) -> Judgment:
    row = Judgment(
        line, "q1", "m1", "m2", Order.FORWARD, source_outcome(OutcomeKind.FIRST), "j", strategy="s"
    )
    for name, value in changes.items():
        setattr(row, name, value)
    return row


def collector(*rows: Row, by: tuple[str, ...] = ("judge", "strategy")) -> Collector:
    made = Collector(by)
    made.begin_file()
    for row in rows:
        made.take(0, row)
    return made


def test_rows_are_counted_by_line_and_rejects_by_reason() -> None:
    found = collector(
        judgment(1),
        judgment(1, order=Order.REVERSED),
        Reject(2, "bad", "x"),
        judgment(3),
        Reject(3, "bad", "y"),
        Reject(0, "the file ends early"),
    ).collected()
    assert found.n_rows == (3,)
    assert found.n_rejected == (2,)
    assert [(r.line, r.reason, r.found, r.count) for r in found.rejects] == [
        (2, "bad", "x", 2),
        (0, "the file ends early", "", 1),
    ]


def test_columns_hold_what_the_rows_said() -> None:
    failed = source_outcome(OutcomeKind.FAILED, failure=FailureKind.TIMEOUT)
    found = collector(
        judgment(7, margin=0.25, reference=(Verdict.A,), setting="x", cluster="c"),
        judgment(8, order=Order.REVERSED, outcome=failed, repetition=2),
        judgment(9, order=None, item="q2", outcome=source_outcome(OutcomeKind.TIE)),
    ).collected()
    columns = found.columns
    assert columns.order.tolist() == [0, 1, 2]
    assert [OUTCOMES[code] for code in columns.outcome] == ["first", "failed:timeout", "tie"]
    assert columns.repetition.tolist() == [0, 2, 0]
    assert columns.line.tolist() == [7, 8, 9]
    assert columns.setting.tolist() == [0, -1, -1]
    assert found.margins[0] == 0.25
    assert math.isnan(found.margins[1])
    assert list(columns.pairs.ids) == ["q1: m1 | m2", "q2: m1 | m2"]
    assert columns.pairs.accepted.tolist() == [1, 0]


def test_strong_and_slight_wins_are_told_apart() -> None:
    much = source_outcome(OutcomeKind.SECOND, "much")
    found = collector(judgment(outcome=much), judgment(2)).collected()
    assert np.unique(found.columns.strength).size == 2


def test_groups_are_split_by_what_was_chosen() -> None:
    rows = [judgment(1, subset="x"), judgment(2, subset="y", item="q2"), judgment(3, judge="k")]
    assert collector(*rows, by=("judge", "subset")).collected().groups == (
        LogGroup("j", "all", "x", SOURCE),
        LogGroup("j", "all", "y", SOURCE),
        LogGroup("k", "all", "", SOURCE),
    )


def test_items_of_two_subsets_with_one_id_are_two() -> None:
    found = collector(judgment(1, subset="x"), judgment(2, subset="y")).collected()
    assert found.columns.pairs.n_pairs == 2
    assert found.columns.pairs.cluster.tolist() == [0, 1]


def test_our_reading_is_a_group_of_its_own_and_differences_are_counted() -> None:
    found = collector(
        judgment(1, reply="so [[B]]", reading=READING),
        judgment(2, reply="so [[A]]", reading=READING, order=Order.REVERSED),
    ).collected()
    source = LogGroup("j", "s", "all", SOURCE)
    assert found.groups == (source, source._replace(verdict_by=OURS))
    assert found.differences == {source: {("first", "second"): 1, ("first", "first"): 1}}
    outcomes = {
        group.verdict_by: [OUTCOMES[c] for c in found.columns.outcome[found.columns.group == place]]
        for place, group in enumerate(found.groups)
    }
    assert outcomes == {SOURCE: ["first", "first"], OURS: ["second", "first"]}


def test_a_call_that_failed_has_no_reply_to_be_read_again() -> None:
    failed = source_outcome(OutcomeKind.FAILED, failure=FailureKind.LOST)
    found = collector(judgment(1, reply="$ERROR$", outcome=failed, reading=READING)).collected()
    assert [group.verdict_by for group in found.groups] == [SOURCE, OURS]
    assert len({OUTCOMES[code] for code in found.columns.outcome}) == 1
    (differences,) = found.differences.values()
    assert differences == {("failed", "failed"): 1}


def test_replies_are_not_read_again_where_nobody_wants_it() -> None:
    made = Collector(rereads=False)
    made.begin_file()
    made.take(0, judgment(reply="[[B]]", reading=READING))
    assert made.collected().columns.n_rows == 1


def test_ratings_are_summed_by_system_and_never_become_judgments() -> None:
    found = collector(
        Rating(1, "q", "m1", "j", 4.0),
        Rating(2, "q", "m2", "j", 2.0),
        Rating(3, "q", "m1", "j", 5.0),
        Rating(4, "q", "m1", "j", None, reason="unparsed"),
    ).collected()
    (group,) = found.ratings.values()
    assert (group.count, group.without_score) == (4, {"unparsed": 1})
    assert group.sums == {"m1": (2, 9.0), "m2": (1, 2.0)}
    assert found.columns.n_rows == 0


def test_rows_that_disagree_about_the_reference_are_named() -> None:
    found = collector(
        judgment(1, reference=(Verdict.A,)), judgment(2, reference=(Verdict.B,))
    ).collected()
    assert found.conflicts == ("q1: m1 | m2",)
    assert found.columns.pairs.accepted.tolist() == [1]


def test_a_call_that_brought_no_reply_is_not_read_again() -> None:
    failed = source_outcome(OutcomeKind.FAILED, failure=FailureKind.LOST)
    too_long = source_outcome(OutcomeKind.TOO_LONG)
    found = collector(
        judgment(1, outcome=failed, reading=READING, reply="The call failed."),
        judgment(2, outcome=too_long, reading=READING, item="q2"),
    ).collected()
    (differences,) = found.differences.values()
    assert differences == {("failed", "failed"): 1, ("too_long", "too_long"): 1}
    outcomes = found.columns.outcome.tolist()
    assert outcomes[:2] == outcomes[2:]


def test_a_pair_of_equal_texts_without_a_call_is_identical() -> None:
    tie = source_outcome(OutcomeKind.TIE)
    found = collector(judgment(1, outcome=tie, identical=True), judgment(2, item="q2")).collected()
    assert found.columns.pairs.is_identical.tolist() == [True, False]
