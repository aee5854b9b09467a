"""What a record needs of the engine under it; everything else is written once for all engines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from counterbalance.record.dialect import Dialect

__all__ = ["Connection", "Rows"]


class Rows(Protocol):
    """What a statement brought."""

    @property
    def rowcount(self) -> int:
        """Number of rows that were added."""
        ...

    @property
    def description(self) -> Any:  # noqa: ANN401 (each engine has a type of its own)
        """One entry for each column, its name first."""
        ...

    def fetchone(self) -> Any:  # noqa: ANN401 (a row holds anything)
        """Return the next row, None after the last."""
        ...

    def __iter__(self) -> Iterator[Any]:
        """Yield the rows."""
        ...


class Connection(Protocol):
    """A connection without implicit transactions, to one record."""

    dialect: Dialect

    @property
    def IntegrityError(self) -> type[Exception]:  # noqa: N802 (its name in every engine)
        """What the engine raises when a row breaks a constraint."""
        ...

    def execute(self, sql: str, parameters: Sequence[Any] = ..., /) -> Rows:
        """Run a statement; what it returns is read at once."""
        ...

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> Rows:
        """Run a statement once for each row of parameters."""
        ...

    def stream(self, sql: str, /) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query without ever holding all of them."""
        ...

    def transaction(self) -> AbstractContextManager[None]:
        """Commit what the block does, all of it or nothing."""
        ...

    def snapshot(self) -> AbstractContextManager[None]:
        """Let every query of the block see the record as it is now."""
        ...

    def translated(self) -> AbstractContextManager[None]:
        """Turn every error of the engine inside the block into a `RecordError`."""
        ...

    def damage(self) -> Iterator[str]:
        """Yield what the engine itself finds wrong with its storage."""
        ...
