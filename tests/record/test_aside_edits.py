"""What `verify` says of calls for no verdict that somebody edited."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from contracts.test_asides import filled
from counterbalance.record import open_record
from counterbalance.record.aside_tables import ASIDE_TABLES

if TYPE_CHECKING:
    from pathlib import Path

EDITS = {
    "subject": ("UPDATE asides SET subject = 'x' WHERE number = 1", "does not fit what it asks"),
    "model": ("UPDATE asides SET model = 'x' WHERE number = 1", "does not fit what it asks"),
    "reply": ("UPDATE aside_replies SET seconds = 9", "does not fit its digest"),
    "text": ("UPDATE aside_replies SET reply_text = NULL", "does not fit its digest"),
    "lost reply": ("DELETE FROM aside_calls WHERE id = 2", "points to a row of aside_calls"),
    "gap": (
        "DELETE FROM aside_replies WHERE call = 2; DELETE FROM aside_calls WHERE id = 2",
        "aside_calls 2 to 2: missing",
    ),
    "prompt": ("DELETE FROM texts WHERE tag = 'prompt/1'", "points to a row of texts"),
    "guards": ("SELECT 1", "trigger asides_no_delete"),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_is_noticed(tmp_path: Path, name: str) -> None:
    path = tmp_path / "record.sqlite"
    filled(str(path))
    statements, said = EDITS[name]
    with closing(sqlite3.connect(path)) as connection:
        for table in ASIDE_TABLES:
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(f"DELETE FROM {table}")  # noqa: S608
            for verb in ("update", "delete"):
                connection.execute(f"DROP TRIGGER {table}_no_{verb}")
        connection.execute("DROP TRIGGER texts_no_delete")
        connection.executescript(statements)
    with open_record(path, create=False, exclusive=False) as store:
        assert any(said in problem for problem in store.verify())
