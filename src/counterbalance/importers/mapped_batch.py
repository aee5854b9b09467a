"""The calls of a batch as the rows that a mapping describes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.importers.batch_calls import joined, read_requests
from counterbalance.importers.formats import anthropic_batch, openai_batch
from counterbalance.importers.judgment import Reject
from counterbalance.importers.mapped_rows import RowReader

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_file import LogFile
    from counterbalance.importers.log_format import Notes, Shape
    from counterbalance.importers.mapping import Mapping

__all__ = ["read_mapped_batch", "shapes_of"]

_BATCHES = {
    openai_batch.FORMAT.name: (openai_batch.KIND, openai_batch.FORMAT.shapes),
    anthropic_batch.FORMAT.name: (anthropic_batch.KIND, anthropic_batch.FORMAT.shapes),
}


def shapes_of(source: str) -> tuple[Shape, ...]:
    """Return what the files of a kind of batch look like."""
    return _BATCHES[source][1]


def read_mapped_batch(
    mapping: Mapping, files: Sequence[LogFile], notes: Notes
) -> Iterator[tuple[int, Row]]:
    """Yield the judgments that a mapping finds in the calls of a batch.

    Parameters
    ----------
    mapping : Mapping
        The mapping; its rows are those of a batch.
    files : Sequence[LogFile]
        Requests, results and errors, in any order.
    notes : Notes
        Takes what a reader of the results must know.

    Yields
    ------
    tuple[int, Row]
        File and row.
    """
    reader = RowReader(mapping, notes)
    kind, _ = _BATCHES[mapping.rows.source]
    batch = read_requests(kind, files, lambda _: frozenset())
    for place, line, call in joined(kind, files, batch):
        if isinstance(call, Reject):
            yield place, call
        else:
            yield from ((place, row) for row in reader.rows(line, call.row(), call))
