"""One suite over every store: what `record.review_record.ReviewRecord` promises."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import pytest

from counterbalance.errors import RecordError, RecordIntegrityError
from counterbalance.items.item import PairId
from counterbalance.parsing.outcome import Outcome, OutcomeKind
from counterbalance.record import open_record
from counterbalance.record.exports import write_export
from counterbalance.record.review import NoteKind, ReviewCase, ReviewNote
from record.reviews import ANN, LATER, PAIRS, PLAN, REVIEW, SHOWN, answer, task
from record.studies import HEADER, STARTED_AT, awaited, prompt_of, verdict

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(params=["sqlite", "postgres"])
def begun(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the place of a record with a run, in which one call is under way."""
    if request.param == "postgres":
        place = request.getfixturevalue("postgres").place()
    else:
        place = str(tmp_path / f"record {next(count(1))}.sqlite")

    @awaited
    async def write() -> None:
        with open_record(place, create=True, exclusive=True) as store:
            store.begin(HEADER, PAIRS, PLAN)
            for planned in PLAN[:2]:
                shown = prompt_of(planned, PAIRS)
                await store.start(planned.presentation.key, 1, STARTED_AT, shown)
            await store.append(verdict(PLAN[0]))

    write()
    return place


@awaited
async def answered(place: str) -> None:
    with open_record(place, create=False, exclusive=True) as store:
        number = store.reviews.open(REVIEW)
        review = replace(REVIEW, number=number)
        store.reviews.join(review, ANN)
        await store.start(ANN.tasks[0].key, 1, STARTED_AT, SHOWN)
        await store.append(answer(ANN.tasks[0]))
        await store.start(ANN.tasks[1].key, 1, STARTED_AT, SHOWN)
        for flagged in (True, False):
            note = ReviewNote(
                ANN.tasks[0].key, 1, NoteKind.FLAG, STARTED_AT, {"flagged": flagged, "w": "é\0"}
            )
            store.reviews.note(review, note)


def test_what_is_written_is_read_and_verified(begun: str) -> None:
    answered(begun)
    with open_record(begun, create=False, exclusive=False) as store:
        (review,) = store.reviews.all()
        assert review == REVIEW
        assert store.reviews.reviewers(review) == (ANN,)
        calls = store.reviews.calls(review)
        assert [(call.key, call.attempt) for call in calls] == [
            (ANN.tasks[0].key, answer(ANN.tasks[0])),
            (ANN.tasks[1].key, None),
        ]
        assert [note.content["flagged"] for note in store.reviews.notes(review)] == [True, False]
        assert store.verify() == []


def test_a_run_sees_nothing_of_it(begun: str) -> None:
    with open_record(begun, create=False, exclusive=False) as store:
        before = list(store.attempts()), list(store.unfinished()), list(store.plan())
    answered(begun)
    with open_record(begun, create=False, exclusive=False) as store:
        assert (list(store.attempts()), list(store.unfinished()), list(store.plan())) == before


@awaited
async def test_a_showing_takes_one_answer(begun: str) -> None:
    with open_record(begun, create=False, exclusive=True) as store:
        review = replace(REVIEW, number=store.reviews.open(REVIEW))
        store.reviews.join(review, ANN)
        await store.start(ANN.tasks[0].key, 1, STARTED_AT, SHOWN)
        await store.append(answer(ANN.tasks[0]))
        await store.append(answer(ANN.tasks[0]))
        other = replace(answer(ANN.tasks[0]), outcome=Outcome(OutcomeKind.TIE, "r", label="3"))
        with pytest.raises(RecordIntegrityError, match="attempts never change"):
            await store.append(other)
        assert len(store.reviews.calls(review)) == 1


def test_what_does_not_fit_is_refused_whole(begun: str) -> None:
    strange = replace(REVIEW, cases=(*REVIEW.cases, ReviewCase(PairId("absent"), ())))
    with open_record(begun, create=False, exclusive=True) as store:
        with pytest.raises(RecordIntegrityError, match="no pair of revision 1"):
            store.reviews.open(strange)
        assert store.reviews.all() == ()
        review = replace(REVIEW, number=store.reviews.open(REVIEW))
        with pytest.raises(RecordIntegrityError, match="no case of the review"):
            store.reviews.join(review, replace(ANN, tasks=(task(2),)))
        assert store.reviews.reviewers(review) == ()
        store.reviews.join(review, ANN)
        with pytest.raises(RecordError, match="takes part in review 1 already"):
            store.reviews.join(review, ANN)
        with pytest.raises(RecordIntegrityError, match="was not shown"):
            store.reviews.note(
                review, ReviewNote(ANN.tasks[0].key, 1, NoteKind.FLAG, STARTED_AT, {})
            )


def test_nothing_is_taken_after_the_close(begun: str) -> None:
    answered(begun)
    with open_record(begun, create=False, exclusive=True) as store:
        (review,) = store.reviews.all()
        store.reviews.close(review, LATER, "counterbalance 0")
        (closed,) = store.reviews.all()
        assert closed == replace(review, closed_at=LATER)
        for late in (
            lambda: store.reviews.join(closed, replace(ANN, name="bob", tasks=())),
            lambda: store.reviews.close(closed, LATER, "x"),
            lambda: store.reviews.note(
                closed, ReviewNote(ANN.tasks[0].key, 1, NoteKind.FLAG, LATER, {})
            ),
        ):
            with pytest.raises(RecordError, match="closed at 2026-11-30T13"):
                late()
        assert store.verify() == []


def test_a_copy_holds_it(begun: str, tmp_path: Path) -> None:
    answered(begun)
    with open_record(begun, create=False, exclusive=False) as store:
        write_export(store, tmp_path / "export.jsonl")
        calls = store.reviews.calls(store.reviews.all()[0])
    with open_record(str(tmp_path / "export.jsonl"), create=False, exclusive=False) as copy:
        (review,) = copy.reviews.all()
        assert copy.reviews.calls(review) == calls
        assert copy.verify() == []
