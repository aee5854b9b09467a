"""Rows of an imported log out of a record, each joined with the attempt that it became."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from counterbalance.items.frames import Order
from counterbalance.record.encoding import prompt_from_bytes, text_from_bytes
from counterbalance.record.imported import IMPORT_SCHEMA
from counterbalance.record.json_columns import json_from_column
from counterbalance.record.log_row import RowKind, StoredCall, StoredRow
from counterbalance.record.log_writing import LOG_TAG, row_line
from counterbalance.record.reading import stored_revisions
from counterbalance.record.reading_columns import outcome_from_columns
from counterbalance.record.study_writing import StudyDigest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from counterbalance.record.connection import Connection

__all__ = ["log_misfits", "stored_log_rows"]

_ROWS = """SELECT log_rows.file, log_rows.line, log_rows.kind, log_rows.content, said.content,
    items.id, items.cluster, items.category, items.content,
    a.supplied_id, b.supplied_id, a.system, b.system, a.text = b.text, pairs.reference,
    presentations.display_order, presentations.labelling, presentations.repetition,
    attempts.outcome, attempts.failure, attempts.reading, attempts.reply, reply.content, {prompt}
    FROM log_rows
    LEFT JOIN texts AS said ON said.digest = log_rows.text
    LEFT JOIN pairs ON pairs.number = log_rows.pair
    LEFT JOIN items ON items.digest = pairs.item
    LEFT JOIN candidates AS a ON a.id = pairs.a
    LEFT JOIN candidates AS b ON b.id = pairs.b
    LEFT JOIN calls ON calls.id = log_rows.call
    LEFT JOIN presentations ON presentations.id = calls.presentation
    LEFT JOIN attempts ON attempts.call = calls.id
    LEFT JOIN texts AS reply ON reply.digest = attempts.reply_text
    {joined} {where}
    ORDER BY log_rows.position"""
_PROMPT = "LEFT JOIN texts AS prompt ON prompt.digest = presentations.prompt_digest"
_CALL = 5

_LINES = """SELECT log_rows.file, log_rows.line, log_rows.kind, log_rows.content, log_rows.text,
    pairs.id, presentations.key, calls.number
    FROM log_rows
    LEFT JOIN pairs ON pairs.number = log_rows.pair
    LEFT JOIN calls ON calls.id = log_rows.call
    LEFT JOIN presentations ON presentations.id = calls.presentation
    ORDER BY log_rows.position"""

_OTHER_PAIR = """SELECT log_rows.position FROM log_rows
    JOIN pairs ON pairs.number = log_rows.pair
    JOIN calls ON calls.id = log_rows.call
    JOIN presentations ON presentations.id = calls.presentation
    WHERE presentations.pair_key <> pairs.key"""


def stored_log_rows(
    connection: Connection, lines: Mapping[int, Collection[int]] | None = None
) -> Iterator[StoredRow]:
    """Yield rows in the order of the log.

    Parameters
    ----------
    connection : Connection
        A connection to the record.
    lines : Mapping[int, Collection[int]] | None
        Lines by place of the file, to yield only those rows, with their prompts; None for all,
        without.

    Yields
    ------
    StoredRow
        One by one, never all of them held.
    """
    if lines is None:
        query = _ROWS.format(prompt="NULL", joined="", where="")
    else:
        query = _ROWS.format(prompt="prompt.content", joined=_PROMPT, where=_where(lines))
    for row in connection.stream(query):
        file, line, kind, content, text = row[:_CALL]
        call = _call(row[_CALL:]) if kind == RowKind.JUDGMENT else None
        yield StoredRow(
            file, line, RowKind(kind), json_from_column(content), text_from_bytes(text), call
        )


def _where(lines: Mapping[int, Collection[int]]) -> str:
    """Return a condition of numbers only: places and lines are whole numbers, never texts."""
    parts = [
        f"(log_rows.file = {file:d} AND log_rows.line IN ({', '.join(f'{n:d}' for n in asked)}))"
        for file, asked in sorted(lines.items())
        if asked
    ]
    return f"WHERE {' OR '.join(parts)}" if parts else "WHERE 1 = 0"


def _call(row: tuple[Any, ...]) -> StoredCall:
    item, cluster, category, content, a, b, system_a, system_b, is_identical, reference = row[:10]
    order, labelling, repetition, kind, failure, reading, answer, reply, prompt = row[10:]
    return StoredCall(
        item=item,
        cluster=cluster,
        category=category,
        consequence=json.loads(content)["consequence"],
        a=a,
        b=b,
        system_a=system_a,
        system_b=system_b,
        is_identical=bool(is_identical),
        accepted=() if reference is None else tuple(json.loads(reference)["accepted"]),
        order=Order(order),
        labelling=labelling,
        repetition=repetition,
        outcome=_outcome(kind, failure, reading),
        finish="" if answer is None else _finish(answer),
        reply=text_from_bytes(reply),
        prompt="" if prompt is None else prompt_from_bytes(prompt)[0].content,
    )


# Most rows of a log share a few dozen outcomes: one object for each, as importers make them.
_outcome = lru_cache(maxsize=4096)(outcome_from_columns)


@lru_cache(maxsize=4096)
def _finish(answer: str) -> str:
    return str(json_from_column(answer)["finish"])


def log_misfits(connection: Connection) -> Iterator[str]:
    """Yield what does not fit in the rows of an imported log.

    Parameters
    ----------
    connection : Connection
        A connection to the record.

    Yields
    ------
    str
        One sentence each.
    """
    whole, n_rows = StudyDigest(LOG_TAG), 0
    for row in connection.stream(_LINES):
        whole.add(row_line(*row))
        n_rows += 1
    for stored in stored_revisions(connection):
        protocol = stored.header.protocol
        if protocol.get("schema") == IMPORT_SCHEMA and protocol["rows_digest"] != str(whole):
            yield (
                f"log rows: the digest over all {n_rows} is {whole}, not {protocol['rows_digest']}"
                " as at the import"
            )
    for (position,) in connection.stream(_OTHER_PAIR):
        yield f"log row {position}: its call shows another pair than the row names"
