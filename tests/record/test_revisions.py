"""Revisions and openings under every engine: what `record.store.Store` promises of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from commands import command
from counterbalance.errors import RecordError, RecordIntegrityError
from counterbalance.items.frames import Order
from counterbalance.record import Opening, Store, open_record
from record.studies import (
    HEADER,
    STARTED_AT,
    awaited,
    entry,
    failure,
    pair,
    prompt,
    prompt_of,
    study,
    verdict,
)

if TYPE_CHECKING:
    from pathlib import Path

LATER = "2026-12-01T12:00:00.000000Z"
REVISED = replace(
    HEADER,
    created_at=LATER,
    reason="the rubric was unclear é",
    held_out=("cluster-0",),
    notes=(),
)
OPENING = Opening(LATER, "counterbalance 0", (pair(0).id, pair(1).id))


def writing(place: str) -> Store:
    return open_record(place, create=True, exclusive=True)


def reading(place: object) -> Store:
    return open_record(str(place), create=False, exclusive=False)


def opened_plan() -> list:
    return [entry(pair(n), order) for n in (0, 1) for order in Order]


@awaited
async def fill(place: str) -> None:
    """A record of two revisions, whose held-out pairs were opened, with calls under each."""
    pairs, plan = study()
    edited = [pair(4), pair(2, a="Edited."), pair(1), pair(0)]
    with writing(place) as store:
        store.begin(HEADER, pairs, plan)
        for planned in (plan[1], plan[4]):
            attempt = verdict(planned)
            await store.start(attempt.key, 1, STARTED_AT, prompt_of(planned, pairs))
            await store.append(attempt)
        store.revise(REVISED, edited, [entry(edited[1], order) for order in Order])
        store.open_held_out(OPENING, opened_plan())
        attempt = failure(opened_plan()[0])
        await store.start(attempt.key, 1, STARTED_AT, prompt(pair(0), Order.FORWARD))
        await store.append(attempt)


def test_everything_of_every_revision_comes_back(place: str) -> None:
    fill(place)
    pairs, plan = study()
    with reading(place) as store:
        second = replace(REVISED, number=2, calls_before=2)
        assert store.headers() == (HEADER, second)
        assert store.header() == second
        assert list(store.pairs(1)) == pairs
        assert [p.id for p in store.pairs()] == ["pair-4", "pair-2", "pair-1", "pair-0"]
        assert store.pair(pair(2).id).a.text == "Edited."
        assert list(store.plan(1)) == plan
        assert [e.presentation.pair_id for e in store.plan()] == ["pair-2", "pair-2"]
        assert list(store.plan(opened=True)) == opened_plan()
        assert list(store.plan(1, opened=True)) == []
        assert list(store.attempts()) == [failure(plan[0]), verdict(plan[1]), verdict(plan[4])]
        (opening,) = store.openings()
        assert (opening.revision, opening.calls_before) == (2, 2)
        assert opening.pairs == OPENING.pairs
        assert len(set(opening.revisions)) == 2
        assert store.verify() == []


def test_what_is_there_is_not_written_again(place: str) -> None:
    fill(place)
    with reading(place) as store, store.tables() as tables:
        rows = {given.table: len(list(given.rows)) for given in tables}
    assert rows["pairs"] == 3 + 2
    assert rows["revision_pairs"] == 3 + 4
    assert rows["presentations"] == 7 + 2
    assert rows["plan"] == 8 + 2 + 4
    assert (rows["revisions"], rows["openings"]) == (2, 1)


def test_there_must_be_a_beginning(place: str) -> None:
    pairs, plan = study()
    with writing(place) as store:
        with pytest.raises(RecordError, match="nothing to revise"):
            store.revise(REVISED, pairs, plan)
        with pytest.raises(RecordError, match="cannot be opened"):
            store.open_held_out(OPENING, [])
        store.begin(HEADER, pairs, plan)
        assert len(store.headers()) == 1


def test_a_revision_that_fails_leaves_nothing(place: str) -> None:
    pairs, plan = study()
    with writing(place) as store:
        store.begin(HEADER, pairs, plan)
        with pytest.raises(RecordIntegrityError, match="not recorded"):
            store.revise(REVISED, [pair(0), pair(7)], plan)
        # A pair of the first revision is not one of the second.
        with pytest.raises(RecordIntegrityError, match="not recorded"):
            store.revise(REVISED, pairs[:1], [entry(pairs[1], Order.FORWARD)])
        with pytest.raises(RecordIntegrityError, match="two pairs"):
            store.revise(REVISED, [pairs[0], pair(0, a="Other.")], [])
        with pytest.raises(RecordError, match="no Unicode text"):
            store.revise(replace(REVISED, reason="\ud800"), pairs, plan)
        assert store.headers() == (HEADER,)
        assert list(store.plan()) == plan
        assert list(store.pairs()) == pairs
        assert store.verify() == []


def test_held_out_pairs_are_opened_once_under_a_revision(place: str) -> None:
    fill(place)
    with open_record(place, create=False, exclusive=True) as store:
        with pytest.raises(RecordError, match="or were before"):
            store.open_held_out(OPENING, opened_plan())
        assert len(store.openings()) == 1
        store.revise(replace(REVISED, reason="again"), list(store.pairs()), [])
        with pytest.raises(RecordIntegrityError, match="pair-4"):
            store.open_held_out(OPENING, [entry(pair(4), Order.FORWARD)])
        store.open_held_out(OPENING, opened_plan())
        assert [x.revision for x in store.openings()] == [2, 3]
        assert [h.openings_before for h in store.headers()] == [0, 0, 1]
        assert store.verify() == []


def test_a_reader_revises_nothing(place: str) -> None:
    fill(place)
    with reading(place) as store:
        with pytest.raises(RecordError, match="reading only"):
            store.revise(REVISED, [], [])
        with pytest.raises(RecordError, match="reading only"):
            store.open_held_out(OPENING, [])


def content(place: object) -> tuple:
    with reading(place) as store, store.tables() as tables:
        rows = {given.table: [tuple(given.columns), *given.rows] for given in tables}
        return rows, store.headers(), store.openings(), store.verify()


@pytest.mark.parametrize("name", ["x.jsonl", "folder"])
def test_an_export_and_a_copy_hold_all_of_it(
    place: str, tmp_path: Path, postgres, name: str
) -> None:
    fill(place)
    export, there, back = tmp_path / name, postgres.place(), tmp_path / "back.sqlite"
    for words in (("export", place, export), ("migrate", export, there), ("migrate", there, back)):
        ended = command("record", *words)
        assert ended.code == 0, ended.err
    assert content(place) == content(export) == content(there) == content(back)
    assert content(place)[-1] == []
