"""Blocks of rows to blocks of judgments, as a mapping says: `RowReader` at a fraction of the time.

What rows say alike is read once, by `RowReader`; here each row is only told apart. A row that is
rejected, in whole or in part, goes the way of single rows.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from counterbalance.importers.judgment import Judgment, Reject
from counterbalance.importers.judgment_block import JudgmentBlock
from counterbalance.importers.log_format import Notes
from counterbalance.importers.mapped_rows import RowReader, told_of_pair
from counterbalance.importers.mapped_verdicts import margin_of, text_in
from counterbalance.importers.word_lists import word_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.mapped_rows import SharedCall
    from counterbalance.importers.mapped_verdicts import MappedCall
    from counterbalance.importers.mapping import Mapping
    from counterbalance.importers.row_blocks import RowBlock

__all__ = ["BlockReader", "can_read_blocks"]

_NUMBERS = frozenset({bool, int, float})
_SCALARS = _NUMBERS | {str, type(None)}
_MOST_KEPT = 10_000
_MOST_ODD = 8
"""One row of so many that is odd makes a block not worth its while."""


def can_read_blocks(mapping: Mapping) -> bool:
    """Say whether rows of a mapping can be read in blocks: verdicts that stand in columns."""
    return (
        mapping.rows.at is None
        and not mapping.split
        and not mapping.holds_ratings
        and RowReader(mapping, Notes()).keeps
    )


class _Call(NamedTuple):
    """A call of a row, with the judgment that all rows share which say the same."""

    call: MappedCall
    shared: SharedCall
    judgment: Judgment


_Own = TypeVar("_Own")
_Calls: TypeAlias = tuple[_Call, ...]
_ODD: _Calls = ()


class BlockReader:
    """Reads blocks of rows; made once for a mapping and a file.

    Parameters
    ----------
    mapping : Mapping
        The mapping.
    notes : Notes
        Takes what a reader of the results must know.
    """

    def __init__(self, mapping: Mapping, notes: Notes) -> None:
        self._reader = RowReader(mapping, notes)
        self._item = mapping.columns.item
        self._of_pair = mapping.columns.cluster, mapping.columns.consequence
        self._kept: dict[tuple[frozenset[type], ...], dict[tuple[Any, ...], _Calls]] = {}

    def rows(self, block: RowBlock) -> Iterator[Row | JudgmentBlock]:
        """Yield what a block of rows tells of.

        Parameters
        ----------
        block : RowBlock
            The rows.

        Yields
        ------
        Row | JudgmentBlock
            In the sequence of the rows.
        """
        calls = self._calls(block)
        if calls is None:
            yield from self._singly(block, range(len(block.lines)))
            return
        items = _words(block.column(self._item))
        if all(items) and all(calls):
            yield self._block(block, range(len(items)), calls, items)
            return
        is_odd = [not (item and told) for item, told in zip(items, calls, strict=True)]
        if _MOST_ODD * sum(is_odd) > len(items):
            yield from self._singly(block, range(len(items)))
        else:
            for odd, places in groupby(range(len(items)), is_odd.__getitem__):
                if odd:
                    yield from self._singly(block, places)
                else:
                    yield self._block(block, [*places], calls, items)

    def _singly(self, block: RowBlock, places: Iterable[int]) -> Iterator[Row]:
        for place in places:
            yield from self._reader.rows(block.lines[place], block.row(place))

    def _calls(self, block: RowBlock) -> list[_Calls] | None:
        """Return the calls of each row, none for a row that is odd; None for a block that is."""
        columns = [block.column(path) for path in self._reader.telling]
        kinds = tuple(frozenset(map(type, column)) for column in columns)
        # True, 1 and 1.0 are one key, and three words: a column of one block has one kind.
        if any(not each <= _SCALARS or len(each & _NUMBERS) > 1 for each in kinds):
            return None
        kept = self._kept.setdefault(kinds, {})
        if len(kept) > _MOST_KEPT:
            kept.clear()
        told = [*zip(*columns, strict=True)]
        calls = [*map(kept.get, told)]
        if None not in calls:
            return calls  # type: ignore[return-value]
        for place, key in enumerate(told):
            if calls[place] is None:
                if key not in kept:
                    kept[key] = self._read(block.row(place))
                calls[place] = kept[key]
        return calls  # type: ignore[return-value]

    def _read(self, row: dict[str, Any]) -> _Calls:
        calls = self._reader.calls_told(row)
        if isinstance(calls, Reject):
            return _ODD
        read = []
        for call, shared in calls:
            made = shared if isinstance(shared, Reject) else shared.judgment()
            if isinstance(made, Reject) or isinstance(shared, Reject):
                return _ODD
            read.append(_Call(call, shared, made))
        return tuple(read)

    def _block(
        self,
        block: RowBlock,
        places: Sequence[int],
        calls: Sequence[_Calls],
        items: Sequence[Any],
    ) -> JudgmentBlock:
        if len(places) == len(items) and set(map(len, calls)) == {1}:
            rows, called = places, [told[0] for told in calls]
            lines, named = block.lines, items
        else:
            each = [(place, call) for place in places for call in calls[place]]
            rows, called = [place for place, _ in each], [call for _, call in each]
            lines, named = [block.lines[row] for row in rows], [items[row] for row in rows]
        own, distinct = self._reader.own, {id(call): call for call in called}.values()

        clusters, consequences = (_column(block, path) for path in self._of_pair)

        def of_pair(at: int) -> tuple[str, float]:
            row = rows[at]
            cluster, consequence = told_of_pair(clusters[row], consequences[row])
            return cluster or called[at].judgment.cluster, consequence

        def of_each(read: Callable[[dict[str, Any], _Call], _Own]) -> list[_Own]:
            return [read(block.row(row), call) for row, call in zip(rows, called, strict=True)]

        has_margins = any(each.call.has_margin for each in distinct)
        is_read_again = any(each.judgment.reading is not None for each in distinct)
        return JudgmentBlock(
            lines=lines,
            shared=[call.judgment for call in called],
            items=named,
            of_pair=of_pair if own.is_of_pair else None,
            settings=of_each(lambda row, _: own.setting(row)) if own.has_setting else None,
            margins=of_each(_margin) if has_margins else None,
            replies=of_each(_reply) if is_read_again else None,
        )


def _column(block: RowBlock, path: str | None) -> Sequence[Any]:
    return [None] * len(block.lines) if path is None else block.column(path)


def _words(values: Sequence[Any]) -> list[str | None]:
    if set(map(type, values)) == {str}:
        return [*map(str.strip, values)]
    return [*map(word_of, values)]


def _margin(row: dict[str, Any], call: _Call) -> float | None:
    return margin_of(row, call.call, call.shared.names) if call.call.has_margin else None


def _reply(row: dict[str, Any], call: _Call) -> tuple[str, str]:
    texts = {name: text_in(call.call.values[name](row)) for name in call.call.texts}
    return texts.get("reply", ""), texts.get("finish", "")
