"""What somebody who removed the guards might do to a review, and what `verify` says of it."""

from __future__ import annotations

import asyncio
import sqlite3
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from counterbalance.record import open_record
from counterbalance.record.review import NoteKind, ReviewNote
from counterbalance.record.review_tables import REVIEW_TABLES
from record.reviews import ANN, LATER, PAIRS, PLAN, REVIEW, SHOWN, answer
from record.studies import HEADER, STARTED_AT

if TYPE_CHECKING:
    from pathlib import Path

EDITS = {
    "settings": ("UPDATE reviews SET settings = '{}'", "review 1: its row"),
    "reason": ("UPDATE review_cases SET reasons = '[]' WHERE position = 0", "over its cases"),
    "lost case": ("DELETE FROM review_cases WHERE position = 1", "over its cases"),
    "name": ("UPDATE reviewers SET name = 'eve'", "reviewer 1: its row"),
    "lost task": ("DELETE FROM review_tasks WHERE position = 2", "digest over the tasks"),
    "other pair": ("UPDATE review_tasks SET pair = 1 WHERE position = 0", "other texts than its"),
    "order": (
        (
            "UPDATE presentations SET display_order = 'forward' WHERE id ="
            " (SELECT presentation FROM review_tasks WHERE position = 0)"
        ),
        "does not fit what the reviewer is asked",
    ),
    "answer": ("UPDATE attempts SET outcome = 'second'", "does not fit its digest"),
    "note": ("UPDATE review_notes SET content = '{}'", "does not fit its digest"),
    "closing": ("UPDATE review_closings SET closed_at = '2027'", "review-closing 1: its row"),
    "late": ("UPDATE calls SET started_at = '2027'", "began after its review was closed"),
    "dangling": ("UPDATE review_notes SET call = 99", "points to a row of calls"),
}


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("reviewed") / "record.sqlite"

    async def write() -> None:
        with open_record(str(path), create=True, exclusive=True) as store:
            store.begin(HEADER, PAIRS, PLAN)
            review = replace(REVIEW, number=store.reviews.open(REVIEW))
            store.reviews.join(review, ANN)
            await store.start(ANN.tasks[0].key, 1, STARTED_AT, SHOWN)
            await store.append(answer(ANN.tasks[0]))
            store.reviews.note(
                review,
                ReviewNote(ANN.tasks[0].key, 1, NoteKind.FLAG, STARTED_AT, {"flagged": True}),
            )
            store.reviews.close(review, LATER, "counterbalance 0")

    asyncio.run(write())
    return path


def copied(reviewed: Path, folder: Path) -> tuple[Path, sqlite3.Connection]:
    path = folder / "record.sqlite"
    path.write_bytes(reviewed.read_bytes())
    return path, sqlite3.connect(path)


@pytest.mark.parametrize("edit", EDITS)
def test_verify_notices_every_edit(reviewed: Path, tmp_path: Path, edit: str) -> None:
    statement, says = EDITS[edit]
    path, connection = copied(reviewed, tmp_path)
    for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'"):
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute(statement)
    connection.commit()
    connection.close()
    with open_record(str(path), create=False, exclusive=False) as store:
        found = store.verify()
    assert [sentence for sentence in found if says in sentence], found
    assert all("\n" not in sentence for sentence in found)


@pytest.mark.parametrize("table", REVIEW_TABLES)
def test_rows_are_never_changed_or_removed(reviewed: Path, tmp_path: Path, table: str) -> None:
    _, connection = copied(reviewed, tmp_path)
    column = connection.execute(f"SELECT name FROM pragma_table_info('{table}')").fetchone()[0]  # noqa: S608
    for statement in (f"UPDATE {table} SET {column} = {column}", f"DELETE FROM {table}"):  # noqa: S608
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            connection.execute(statement)
    connection.close()
