"""Judgments of any log to columns: every word becomes a small integer, every row is accounted for.

Source verdicts form groups by judge, strategy and subset; where our own parser can read the reply
again, its readings form a second group beside, and what differs between the two is counted.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar, overload

import numpy as np

from counterbalance.dispositions.attempt_columns import AttemptColumns, PairTable, SystemPair
from counterbalance.dispositions.codes import (
    NONE,
    ORDERS,
    STRENGTHS,
    UNKNOWN_ORDER,
    accepted_bits,
    outcome_code,
)
from counterbalance.importers.judgment import Judgment, Rating, Reject
from counterbalance.importers.reading import read_again
from counterbalance.parsing.outcome import OutcomeKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from counterbalance.importers.judgment import Row
    from counterbalance.items.frames import Order, Verdict
    from counterbalance.parsing.outcome import Outcome

__all__ = [
    "OURS",
    "SOURCE",
    "SPLITS",
    "Collected",
    "Collector",
    "LogGroup",
    "RatingGroup",
    "RejectCount",
    "pair_id",
]

SPLITS = ("judge", "strategy", "subset")
"""What groups can be split by."""
ALL = "all"
"""Stands for what groups are not split by."""
SOURCE = "source"
OURS = "our reading"
_WITHOUT_REPLY = frozenset({OutcomeKind.FAILED, OutcomeKind.TOO_LONG})
"""Outcomes of calls that brought no reply: there is nothing to read again."""


class LogGroup(NamedTuple):
    """What dispositions are formed within.

    Attributes
    ----------
    judge : str
        Who judged.
    strategy : str
        How it was asked, in the log's words.
    subset : str
        Part of the data set.
    verdict_by : str
        ``source`` for the log's own verdict, ``our reading`` for that of our parser.
    """

    judge: str
    strategy: str
    subset: str
    verdict_by: str


@dataclass(slots=True)
class RejectCount:
    """Rows of one file that were rejected for one reason.

    Attributes
    ----------
    file : int
        Place of the file among those read.
    line : int
        The first such row.
    reason : str
        Why.
    found : str
        What stood in the first.
    count : int
        How many there are.
    """

    file: int
    line: int
    reason: str
    found: str
    count: int


@dataclass(slots=True)
class RatingGroup:
    """Scores of single answers by one judge.

    Attributes
    ----------
    count : int
        Ratings, with or without a score.
    without_score : dict[str, int]
        Those without, by reason.
    sums : dict[str, tuple[int, float]]
        Scores of each system: how many, and their sum.
    """

    count: int = 0
    without_score: dict[str, int] = field(default_factory=dict)
    sums: dict[str, tuple[int, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Collected:
    """Everything that logs told.

    Attributes
    ----------
    columns : AttemptColumns
        All judgments.
    groups : tuple[LogGroup, ...]
        Names of the groups, by code.
    margins : NDArray[np.float64]
        How clearly the first slot won, for each row of ``columns``; NaN where unknown.
    n_rows : tuple[int, ...]
        Rows of each file, rejected ones included.
    n_rejected : tuple[int, ...]
        Rejected rows of each file; a row of which only a part was rejected counts as one.
    rejects : tuple[RejectCount, ...]
        By file and reason, in order of appearance.
    ratings : dict[LogGroup, RatingGroup]
        Scores of single answers.
    differences : dict[LogGroup, Counter[tuple[str, str]]]
        How our reading differs from the source's verdict, by group of the source: pairs of
        outcomes and how often each occurred; what is equal is counted under equal names.
    conflicts : tuple[str, ...]
        Ids of pairs whose rows do not agree about the reference; the first one holds.
    """

    columns: AttemptColumns
    groups: tuple[LogGroup, ...]
    margins: NDArray[np.float64]
    n_rows: tuple[int, ...]
    n_rejected: tuple[int, ...]
    rejects: tuple[RejectCount, ...]
    ratings: dict[LogGroup, RatingGroup]
    differences: dict[LogGroup, Counter[tuple[str, str]]]
    conflicts: tuple[str, ...]


_Word = TypeVar("_Word", bound=Hashable)
_PairName: TypeAlias = tuple[str, str, str, str]
"""Subset, item and both candidates."""


class _Codes(dict[_Word, int]):
    """Codes for words, given out in order of appearance."""

    def __missing__(self, word: _Word) -> int:
        code = self[word] = len(self)
        return code


class Collector:
    """Takes rows one at a time and keeps a few dozen bytes of each.

    Parameters
    ----------
    by : Iterable[str]
        What groups are split by; see `SPLITS`.
    rereads : bool
        Whether our own parser reads the replies again.
    """

    def __init__(self, by: Iterable[str] = ("judge", "strategy"), *, rereads: bool = True) -> None:
        chosen = set(by)
        self._by_judge, self._by_strategy, self._by_subset = (name in chosen for name in SPLITS)
        self._rereads = rereads
        self._groups = _Codes[LogGroup]()
        self._pairs = _Codes[_PairName]()
        self._settings = _Codes[str]()
        self._table = _PairProperties()
        self._columns = {name: array(kind) for name, kind in _KINDS.items()}
        self._margins = array("d")
        self._orders: dict[Order | None, int] = {o: i for i, o in enumerate(ORDERS)}
        self._orders[None] = UNKNOWN_ORDER
        self._outcomes: dict[Outcome, tuple[int, int]] = {}
        self._n_rows: list[int] = []
        self._n_rejected: list[int] = []
        self._last: list[tuple[int, bool]] = []
        self._rejects: dict[tuple[int, str], RejectCount] = {}
        self._ratings: dict[LogGroup, RatingGroup] = {}
        self._differences: defaultdict[LogGroup, Counter[tuple[str, str]]] = defaultdict(Counter)

    def begin_file(self) -> None:
        """Make room for the counts of another file; its place is one more than the last."""
        self._n_rows.append(0)
        self._n_rejected.append(0)
        self._last.append((0, False))

    def take(self, file: int, row: Row) -> None:
        """Take one row.

        Parameters
        ----------
        file : int
            Place of its file among those begun.
        row : Row
            What the importer made of it.
        """
        line, was_rejected = self._last[file]
        is_reject = isinstance(row, Reject)
        if row.line != line or not line:
            self._n_rows[file] += bool(row.line)
            was_rejected = False
        if is_reject and not was_rejected and row.line:
            self._n_rejected[file] += 1
        self._last[file] = (row.line, was_rejected or is_reject)
        if isinstance(row, Judgment):
            self._judgment(file, row)
        elif isinstance(row, Rating):
            self._rating(row)
        else:
            known = self._rejects.setdefault(
                (file, row.reason), RejectCount(file, row.line, row.reason, row.found, 0)
            )
            known.count += 1

    def _group(self, row: Judgment | Rating, verdict_by: str) -> LogGroup:
        return LogGroup(
            row.judge if self._by_judge else ALL,
            row.strategy if self._by_strategy else ALL,
            row.subset if self._by_subset else ALL,
            verdict_by,
        )

    def _judgment(self, file: int, row: Judgment) -> None:
        pair = self._pairs[row.subset, row.item, row.a, row.b]
        self._table.take(pair, row)
        group = self._group(row, SOURCE)
        setting = self._settings[row.setting] if row.setting else NONE
        self._append(file, row, (self._groups[group], pair, setting), row.outcome)
        if self._rereads and row.reading is not None:
            has_reply = row.outcome.kind not in _WITHOUT_REPLY
            again = read_again(row.reading, row.reply, row.finish) if has_reply else row.outcome
            ours = group._replace(verdict_by=OURS)
            self._append(file, row, (self._groups[ours], pair, setting), again)
            self._differences[group][row.outcome.kind.value, again.kind.value] += 1

    def _append(
        self, file: int, row: Judgment, codes: tuple[int, int, int], outcome: Outcome
    ) -> None:
        coded = self._outcomes.get(outcome)
        if coded is None:
            coded = outcome_code(outcome.kind, outcome.failure), STRENGTHS.index(outcome.strength)
            if outcome.rule == SOURCE:  # others have spans: no two are the same
                self._outcomes[outcome] = coded
        columns = self._columns
        columns["group"].append(codes[0])
        columns["pair"].append(codes[1])
        columns["setting"].append(codes[2])
        columns["order"].append(self._orders[row.order])
        columns["repetition"].append(row.repetition)
        columns["outcome"].append(coded[0])
        columns["strength"].append(coded[1])
        columns["file"].append(file)
        columns["line"].append(row.line)
        self._margins.append(float("nan") if row.margin is None else row.margin)

    def _rating(self, row: Rating) -> None:
        group = self._ratings.setdefault(self._group(row, SOURCE), RatingGroup())
        group.count += 1
        if row.value is None:
            group.without_score[row.reason] = group.without_score.get(row.reason, 0) + 1
            return
        count, total = group.sums.get(row.system, (0, 0.0))
        group.sums[row.system] = (count + 1, total + row.value)

    def collected(self) -> Collected:
        """Return everything that was taken."""
        arrays = {
            name: np.frombuffer(column, _TYPES[name]) if column else np.empty(0, _TYPES[name])
            for name, column in self._columns.items()
        }
        columns = AttemptColumns(
            n_groups=len(self._groups), pairs=self._table.table(list(self._pairs)), **arrays
        )
        return Collected(
            columns=columns,
            groups=tuple(self._groups),
            margins=np.array(self._margins, dtype=np.float64),
            n_rows=tuple(self._n_rows),
            n_rejected=tuple(self._n_rejected),
            rejects=tuple(self._rejects.values()),
            ratings=self._ratings,
            differences=dict(self._differences),
            conflicts=tuple(self._table.conflicts),
        )


_KINDS = {
    "group": "i",
    "pair": "i",
    "order": "b",
    "repetition": "i",
    "outcome": "b",
    "strength": "b",
    "setting": "i",
    "file": "i",
    "line": "q",
}
_TYPES = {name: {"i": np.int32, "b": np.int8, "q": np.int64}[kind] for name, kind in _KINDS.items()}


class _PairIds(Sequence[str]):
    """Ids of pairs, written when they are asked for: few ever are."""

    def __init__(self, names: list[_PairName]) -> None:
        self._names = names

    def __len__(self) -> int:
        return len(self._names)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return [pair_id(name) for name in self._names[place]]
        return pair_id(self._names[place])


def pair_id(name: _PairName) -> str:
    """Return what a pair is called: subset, item and both candidates."""
    subset, item, a, b = name
    return f"{subset}: {item}: {a} | {b}" if subset else f"{item}: {a} | {b}"


class _PairProperties:
    """What rows say of their pairs; the first row that names a pair is believed."""

    def __init__(self) -> None:
        self.conflicts: dict[str, None] = {}
        self._items = _Codes[tuple[str, str]]()
        self._clusters = _Codes[tuple[str, str]]()
        self._systems = _Codes[SystemPair]()
        self._categories = _Codes[str]()
        self._bits: dict[tuple[Verdict, ...], int] = {(): 0}
        self._item, self._cluster = array("i"), array("i")
        self._system, self._category = array("i"), array("i")
        self._accepted, self._consequence = array("B"), array("d")
        self._identical = array("B")

    def take(self, pair: int, row: Judgment) -> None:
        """Keep what the row says of a pair that is new; notice where it contradicts a known one."""
        bits = self._bits.get(row.reference)
        if bits is None:
            bits = self._bits[row.reference] = accepted_bits(row.reference)
        if pair < len(self._item):
            if self._accepted[pair] != bits:
                self.conflicts.setdefault(pair_id((row.subset, row.item, row.a, row.b)))
            return
        self._item.append(self._items[row.subset, row.item])
        self._cluster.append(self._clusters[row.subset, row.cluster or row.item])
        self._system.append(self._systems[(row.system_a, ""), (row.system_b, "")])
        self._category.append(self._categories[row.category])
        self._accepted.append(bits)
        self._consequence.append(row.consequence)
        self._identical.append(row.identical)

    def table(self, pairs: list[_PairName]) -> PairTable:
        """Return the table of all pairs, given their keys in order of their codes."""
        return PairTable(
            ids=_PairIds(pairs),
            item=np.array(self._item, dtype=np.int32),
            cluster=np.array(self._cluster, dtype=np.int32),
            systems=np.array(self._system, dtype=np.int32),
            category=np.array(self._category, dtype=np.int32),
            accepted=np.array(self._accepted, dtype=np.uint8),
            consequence=np.array(self._consequence, dtype=np.float64),
            is_identical=np.array(self._identical, dtype=np.bool_),
            system_pairs=tuple(self._systems),
            categories=tuple(self._categories),
        )
