"""The pairs of a log whose verdict depends on the order, worst first, with both raw replies."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from counterbalance.dispositions.cell import verdict_of
from counterbalance.dispositions.codes import (
    DETAILS,
    DISPOSITIONS,
    NONE,
    REJECTED_CODE,
    STRENGTHS,
    VERDICTS,
)
from counterbalance.dispositions.disposition import Disposition
from counterbalance.importers.judgment import Judgment
from counterbalance.importers.loading import found_rows
from counterbalance.items.frames import Order, Slot
from counterbalance.presentations.order import side_in
from counterbalance.report.log_reading import LogCase, LogGame

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.importers.collected import LogGroup
    from counterbalance.importers.loading import ImportedLog

__all__ = [
    "CASE_RANK",
    "Place",
    "PlacedCase",
    "order_sensitive",
    "placed_cases",
    "with_replies",
]

CASE_RANK = {
    Disposition.ORDER_DISAGREEMENT: 0,
    Disposition.TIE_TRANSITION: 1,
    Disposition.ABSTENTION_TRANSITION: 2,
}
"""Classes of order-sensitive pairs, in the order of listing."""
_STRENGTH = np.array([1.0 if name != "much" else 2.0 for name in STRENGTHS])

Place = tuple[int, int, float]
"""Group, place of the pair in its columns, and clarity."""


def order_sensitive(log: ImportedLog, groups: Sequence[tuple[int, PairColumns]]) -> list[Place]:
    """List every order-sensitive pair, the most consequential first, then the clearest.

    Parameters
    ----------
    log : ImportedLog
        The log.
    groups : Sequence[tuple[int, PairColumns]]
        Group codes with their pairs.

    Returns
    -------
    list[Place]
        By consequence, class, clarity and id, so that the list is the same whatever the order of
        the rows.
    """
    ranks = np.array([CASE_RANK.get(d, NONE) for d in DISPOSITIONS])
    found: list[tuple[float, int, float, str, Place]] = []
    for code, pairs in groups:
        rank = ranks[pairs.disposition]
        chosen = np.flatnonzero(rank != NONE)
        if not chosen.size:
            continue
        clarity = _clarity(log, code, pairs)
        for place in chosen.tolist():
            pair = int(pairs.pair[place])
            consequence = float(pairs.table.consequence[pair])
            how = float(clarity[place])
            name = pairs.table.ids[pair]
            key = (-consequence, int(rank[place]), -how, name, (code, place, how))
            found.append(key)
    return [place for *_, place in sorted(found)]


def _clarity(log: ImportedLog, code: int, pairs: PairColumns) -> NDArray[np.float64]:
    columns = log.collected.columns
    rows = np.flatnonzero((columns.group == code) & (columns.outcome != REJECTED_CODE))
    place = np.searchsorted(pairs.pair, columns.pair[rows])
    margins = np.abs(log.collected.margins[rows])
    wins = columns.outcome[rows] <= 1  # first or second
    stated = np.where(wins, _STRENGTH[columns.strength[rows]], 0.0)
    how = np.where(np.isnan(margins), stated, margins)
    total = np.bincount(place, weights=how, minlength=pairs.n_pairs)
    count = np.bincount(place, minlength=pairs.n_pairs)
    return total / np.maximum(count, 1)


class PlacedCase(NamedTuple):
    """A case with what it was made of.

    Attributes
    ----------
    place : Place
        Where its pair stands.
    case : LogCase
        The case.
    judgments : tuple[Judgment, ...]
        Its judgments, in the order of the log.
    """

    place: Place
    case: LogCase
    judgments: tuple[Judgment, ...]


def with_replies(
    log: ImportedLog, groups: dict[int, tuple[LogGroup, PairColumns]], places: Sequence[Place]
) -> Iterator[LogCase]:
    """Read the judgments of chosen pairs again and give them with their raw replies.

    Parameters
    ----------
    log : ImportedLog
        The log.
    groups : dict[int, tuple[LogGroup, PairColumns]]
        Groups by code.
    places : Sequence[Place]
        From `order_sensitive`.

    Yields
    ------
    LogCase
        In the sequence given.
    """
    for placed in placed_cases(log, groups, places, len(places)):
        yield placed.case


def placed_cases(
    log: ImportedLog,
    groups: dict[int, tuple[LogGroup, PairColumns]],
    places: Sequence[Place],
    n_at_once: int,
) -> Iterator[PlacedCase]:
    """Do as `with_replies`, and give the judgments too.

    Parameters
    ----------
    log : ImportedLog
        The log.
    groups : dict[int, tuple[LogGroup, PairColumns]]
        Groups by code.
    places : Sequence[Place]
        Which pairs.
    n_at_once : int
        For how many of them rows are read, and held, at a time.

    Yields
    ------
    PlacedCase
        In the sequence given.
    """
    rows = _RowIndex(log)
    for start in range(0, len(places), max(n_at_once, 1)):
        chosen = places[start : start + n_at_once]
        lines = {place: rows.lines(place[0], int(groups[place[0]][1].pair[place[1]]))
                 for place in chosen}  # fmt: skip
        found: defaultdict[tuple[int, int], list[Judgment]] = defaultdict(list)
        for file, judged in found_rows(log, set(chain.from_iterable(lines.values()))):
            if isinstance(judged, Judgment):
                found[file, judged.line].append(judged)
        for place in chosen:
            group, pairs = groups[place[0]]
            seen = [(at, judged) for at in dict.fromkeys(lines[place]) for judged in found[at]]
            name = pairs.table.ids[int(pairs.pair[place[1]])]
            own = [(at, judged) for at, judged in seen if _is_of(judged, group, name)]
            case = _case(log, group, pairs, place, own)
            yield PlacedCase(place, case, tuple(judged for _, judged in own))


class _RowIndex:
    """Where the rows of each group and pair stand, found without a look at all of them."""

    def __init__(self, log: ImportedLog) -> None:
        columns = log.collected.columns
        self._columns = columns
        self._n_pairs = columns.pairs.n_pairs
        keys = columns.group.astype(np.int64) * self._n_pairs + columns.pair
        self._order = np.argsort(keys, kind="stable")
        self._keys = keys[self._order]

    def lines(self, group: int, pair: int) -> list[tuple[int, int]]:
        """Return file and line of each row of a pair, in the order of the log."""
        key = group * self._n_pairs + pair
        start, end = np.searchsorted(self._keys, [key, key + 1])
        at = self._order[start:end]
        columns = self._columns
        return [(int(columns.file[i]), int(columns.line[i])) for i in at]


def _case(
    log: ImportedLog,
    group: LogGroup,
    pairs: PairColumns,
    place: Place,
    own: Sequence[tuple[tuple[int, int], Judgment]],
) -> LogCase:
    _, row, clarity = place
    pair = int(pairs.pair[row])
    name = pairs.table.ids[pair]
    first = own[0][1] if own else None
    bits = int(pairs.table.accepted[pair])
    return LogCase(
        judge=group.judge,
        strategy=group.strategy,
        subset=group.subset,
        item=first.item if first else name,
        a=first.a if first else "",
        b=first.b if first else "",
        disposition=DISPOSITIONS[pairs.disposition[row]].value,
        detail=DETAILS[pairs.detail[row]],
        consequence=float(pairs.table.consequence[pair]),
        clarity=clarity,
        reference=tuple(v.value for i, v in enumerate(VERDICTS) if bits >> i & 1),
        games=tuple(_game(log, file, judgment) for (file, _), judgment in own),
    )


def _is_of(judgment: Judgment, group: LogGroup, name: str) -> bool:
    """Tell the judgments of one pair and judge from others that stand on the same line."""
    shown = f"{judgment.item}: {judgment.a} | {judgment.b}"
    is_judge = group.judge in {judgment.judge, "all"}
    is_strategy = group.strategy in {judgment.strategy, "all"}
    return name.endswith(shown) and is_judge and is_strategy


def _game(log: ImportedLog, file: int, judgment: Judgment) -> LogGame:
    order = judgment.order
    verdict = verdict_of(judgment.outcome, order or Order.FORWARD)
    failure = judgment.outcome.failure
    kind = judgment.outcome.kind.value
    without = kind if failure is None else f"{kind}:{failure}"
    return LogGame(
        file=log.files[file].name,
        line=judgment.line,
        shown_first="" if order is None else side_in(Slot.FIRST, order).value,
        verdict=without if verdict is None else verdict.value,
        strength=judgment.outcome.strength or "",
        margin=judgment.margin,
        reply=judgment.reply,
    )
