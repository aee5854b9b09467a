"""A connection to a record's SQLite file, as the code that all engines share needs it."""

from __future__ import annotations

import sqlite3
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counterbalance.errors import one_line
from counterbalance.record.dialect import SQLITE
from counterbalance.record.sqlite_errors import translated

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["SqliteConnection"]


class SqliteConnection(sqlite3.Connection):
    """A `counterbalance.record.connection.Connection` to a file."""

    dialect = SQLITE
    path = Path()

    def stream(self, sql: str, /) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query; SQLite computes each when it is asked for."""
        return self.execute(sql)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit what the block does, all of it or nothing."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                if self.in_transaction:
                    self.execute("ROLLBACK")
            raise

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let every query of the block see the record as it is at the first."""
        self.execute("BEGIN")
        try:
            yield
        finally:
            with suppress(sqlite3.Error):
                self.execute("ROLLBACK")

    def translated(self) -> AbstractContextManager[None]:
        """Turn every error of SQLite inside the block into a `RecordError`."""
        return translated(self.path)

    def damage(self) -> Iterator[str]:
        """Yield what SQLite finds wrong with the structure of the file."""
        for (sentence,) in self.execute("PRAGMA integrity_check"):
            if sentence != "ok":
                yield f"file: {one_line(sentence, 300)}"
