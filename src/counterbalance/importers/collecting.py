"""Judgments of any log to columns: every word becomes a small integer, every row is accounted for.

Source verdicts form groups by judge, strategy and subset; where our own parser can read the reply
again, its readings form a second group beside, and what differs between the two is counted.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from counterbalance.dispositions.attempt_columns import AttemptColumns
from counterbalance.dispositions.codes import (
    NONE,
    ORDERS,
    UNKNOWN_ORDER,
)
from counterbalance.importers.collected import (
    ALL,
    OURS,
    SOURCE,
    SPLITS,
    Collected,
    LogGroup,
    RatingGroup,
    RejectCount,
)
from counterbalance.importers.judgment import Judgment, Rating, Reject
from counterbalance.importers.packed_rows import REJECTED_OUTCOME, ROW, coded, pack_row
from counterbalance.importers.pair_properties import Codes, PairName, PairProperties, pair_id
from counterbalance.importers.rating_rows import RatingRows
from counterbalance.importers.reading import read_again
from counterbalance.parsing.outcome import OutcomeKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.judgment_block import JudgmentBlock
    from counterbalance.importers.reading import Reading
    from counterbalance.importers.text_counts import TextCounter
    from counterbalance.items.frames import Order
    from counterbalance.parsing.outcome import Outcome

__all__ = ["Collector"]

_MOST_SHARED = 10_000
_READ_AT_ONCE = 200
_MOST_UNREAD = 1_000_000
"""Characters of replies that wait."""
_Unread: TypeAlias = "tuple[Reading, str, str]"
_WITHOUT_REPLY = frozenset({OutcomeKind.FAILED, OutcomeKind.TOO_LONG})
"""Outcomes of calls that brought no reply: there is nothing to read again."""


class _Shared(NamedTuple):
    """Codes of what judgments of a block share."""

    judgment: Judgment
    subset: str
    a: str
    b: str
    frame: dict[str, int]
    name: int
    ours: int
    repetition: int
    order: int
    outcome: int
    strength: int
    setting: int
    bits: int


class Collector:
    """Takes rows one at a time and keeps a few dozen bytes of each.

    Parameters
    ----------
    by : Iterable[str]
        What groups are split by; see `SPLITS`.
    rereads : bool
        Whether our own parser reads the replies again.
    counter : TextCounter | None
        What counts the answers; None to leave them alone.
    """

    def __init__(
        self,
        by: Iterable[str] = ("judge", "strategy"),
        *,
        rereads: bool = True,
        counter: TextCounter | None = None,
    ) -> None:
        chosen = set(by)
        self._by_judge, self._by_strategy, self._by_subset = (name in chosen for name in SPLITS)
        self._rereads = rereads
        self._counter = counter
        self._names = Codes[LogGroup]()
        self._pairs: list[PairName] = []
        self._frames: defaultdict[tuple[str, str, str], dict[str, int]] = defaultdict(dict)
        self._shared: dict[int, _Shared] = {}
        self._settings = Codes[str]()
        self._table = PairProperties()
        self._rows = bytearray()
        self._rated = RatingRows()
        self._named: dict[tuple[str, str, str], int] = {}
        self._ours: dict[int, int] = {}
        self._unread: list[tuple[_Unread, Outcome, int, tuple[Any, ...]]] = []
        self._n_unread = 0
        self._orders: dict[Order | None, int] = {o: i for i, o in enumerate(ORDERS)}
        self._orders[None] = UNKNOWN_ORDER
        self._outcomes: dict[int, tuple[tuple[int, int], Outcome]] = {}
        self._n_rows: list[int] = []
        self._n_rejected: list[int] = []
        self._last: list[tuple[int, bool]] = []
        self._rejects: dict[tuple[int, str], RejectCount] = {}
        self._ratings: dict[LogGroup, RatingGroup] = {}
        self._differences: Counter[tuple[int, str, str]] = Counter()

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
        if row.line == line and line and type(row) is Judgment:
            self._judgment(file, row)
            return
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
            self._rating(file, row)
        else:
            known = self._rejects.setdefault(
                (file, row.reason), RejectCount(file, row.line, row.reason, row.found, 0)
            )
            known.count += 1
            if row.call is not None:
                self._judgment(file, row.call, is_rejected=True)

    def _judgment(self, file: int, row: Judgment, *, is_rejected: bool = False) -> None:
        frame = self._frames[row.subset, row.a, row.b]
        pair = frame.get(row.item)
        if pair is None:
            pair = frame[row.item] = len(self._pairs)
            self._pairs.append((row.subset, row.item, row.a, row.b))
        self._table.take(pair, row)
        if self._counter is not None:
            self._counter.take(pair, row)
        name = row.judge, row.strategy, row.subset
        code = self._code_of(name)
        codes = REJECTED_OUTCOME if is_rejected else self._coded(row.outcome)
        margin = math.nan if row.margin is None else row.margin
        length_a = NONE if row.length_a is None else row.length_a
        length_b = NONE if row.length_b is None else row.length_b
        setting = self._settings[row.setting] if row.setting else NONE
        order = self._orders[row.order]
        own = row.repetition, file, row.line, margin, length_a, length_b, order
        place = pair, setting, *own
        self._rows += pack_row(code, *place, *codes)
        if not self._rereads or row.reading is None:
            return
        ours = self._ours_of(code, name)
        if is_rejected:
            self._rows += pack_row(ours, *place, *codes)
            return
        # Not the row itself: it holds the prompt, too.
        reply = row.reading, row.reply, row.finish
        self._unread.append((reply, row.outcome, code, (ours, *place)))
        self._n_unread += len(row.reply)
        if len(self._unread) >= _READ_AT_ONCE or self._n_unread > _MOST_UNREAD:
            self._read_again()

    def _code_of(self, name: tuple[str, str, str]) -> int:
        code = self._named.get(name)
        if code is None:
            code = self._named[name] = self._names[LogGroup(*name, SOURCE)]
        return code

    def _ours_of(self, code: int, name: tuple[str, str, str]) -> int:
        """Return the code of our own readings beside the source's group."""
        ours = self._ours.get(code)
        if ours is None:
            ours = self._ours[code] = self._names[LogGroup(*name, OURS)]
        return ours

    def _coded(self, outcome: Outcome) -> tuple[int, int]:
        # Outcomes of sources are shared objects: to know one by its id is much quicker than to
        # hash it, and keeping it beside makes sure that no other ever has this id.
        known = self._outcomes.get(id(outcome))
        if known is None:
            known = coded(outcome), outcome
            if outcome.rule == SOURCE:
                self._outcomes[id(outcome)] = known
        return known[0]

    def _read_again(self) -> None:
        """Read the replies that wait: many in a row take half the time that each alone does."""
        for reply, outcome, code, place in self._unread:
            again = outcome if outcome.kind in _WITHOUT_REPLY else read_again(*reply)
            self._rows += pack_row(*place, *coded(again))
            self._differences[code, outcome.kind, again.kind] += 1
        self._unread.clear()
        self._n_unread = 0

    def take_block(self, file: int, block: JudgmentBlock) -> None:
        """Take judgments many at a time, as `take` takes each of them.

        Parameters
        ----------
        file : int
            Place of their file among those begun.
        block : JudgmentBlock
            The judgments, at least one; their answers are not counted.
        """
        self._read_again()
        lines = np.array(block.lines, dtype=np.int64)
        before = self._last[file][0]
        self._n_rows[file] += int((np.diff(lines, prepend=before) != 0).sum())
        if lines[-1] != before:
            self._last[file] = int(lines[-1]), False
        keys = [*map(id, block.shared)]
        distinct = dict(zip(keys, block.shared, strict=True))
        known = {key: self._shared_by(key, each) for key, each in distinct.items()}
        shared = [*map(known.__getitem__, keys)]
        pairs = np.array(self._pairs_of(block, shared), dtype=np.int32)
        place_of = {key: place for place, key in enumerate(known)}
        which = np.array([*map(place_of.__getitem__, keys)], dtype=np.intp)

        def of_each(name: str, dtype: type) -> NDArray[Any]:
            return np.array([getattr(each, name) for each in known.values()], dtype=dtype)[which]

        rows = np.zeros(lines.size, ROW)
        rows["file"], rows["line"], rows["pair"] = file, lines, pairs
        rows["length_a"] = rows["length_b"] = NONE
        rows["margin"] = np.nan
        for name in ("name", "setting", "repetition", "order", "outcome", "strength"):
            rows[name] = of_each(name, np.int32)
        if block.margins is not None:
            rows["margin"] = [math.nan if each is None else each for each in block.margins]
        if block.settings is not None:
            rows["setting"] = [self._settings[each] if each else NONE for each in block.settings]
        for place in self._table.conflicting(pairs, of_each("bits", np.uint8)):
            self._table.conflicts.setdefault(pair_id(self._pairs[pairs[place]]))
        self._rows += rows.tobytes()
        if self._rereads and block.replies is not None:
            self._rows += self._read_block(rows, shared, block.replies)

    def _shared_by(self, key: int, judgment: Judgment) -> _Shared:
        """Return the codes of what judgments share; kept with it, so that its id stays its own."""
        known = self._shared.get(key)
        if known is None:
            if len(self._shared) >= _MOST_SHARED:
                self._shared.clear()
            name = judgment.judge, judgment.strategy, judgment.subset
            code = self._code_of(name)
            is_read_again = self._rereads and judgment.reading is not None
            outcome, strength = self._coded(judgment.outcome)
            known = self._shared[key] = _Shared(
                judgment=judgment,
                subset=judgment.subset,
                a=judgment.a,
                b=judgment.b,
                frame=self._frames[judgment.subset, judgment.a, judgment.b],
                name=code,
                ours=self._ours_of(code, name) if is_read_again else NONE,
                repetition=judgment.repetition,
                order=self._orders[judgment.order],
                outcome=outcome,
                strength=strength,
                setting=self._settings[judgment.setting] if judgment.setting else NONE,
                bits=self._table.bits(judgment.reference),
            )
        return known

    def _pairs_of(self, block: JudgmentBlock, shared: Iterable[_Shared]) -> list[int]:
        codes: list[int] = []
        new: list[int] = []
        names, items = self._pairs, block.items
        for place, (item, each) in enumerate(zip(items, shared, strict=True)):
            pair = each.frame.get(item)
            if pair is None:
                pair = each.frame[item] = len(names)
                names.append((each.subset, item, each.a, each.b))
                new.append(place)
            codes.append(pair)
        rows = [block.shared[place] for place in new]
        own = [(row.cluster, row.consequence) for row in rows]
        if block.of_pair is not None:
            own = [*map(block.of_pair, new)]
        self._table.add(rows, [items[place] for place in new], own)
        return codes

    def _read_block(
        self, rows: NDArray[np.void], shared: Iterable[_Shared], replies: Iterable[tuple[str, str]]
    ) -> bytes:
        """Return the rows of our own readings."""
        places, names, codes = [], [], []
        for place, (each, reply) in enumerate(zip(shared, replies, strict=True)):
            outcome, reading = each.judgment.outcome, each.judgment.reading
            if reading is None:
                continue
            again = outcome if outcome.kind in _WITHOUT_REPLY else read_again(reading, *reply)
            self._differences[each.name, outcome.kind, again.kind] += 1
            places.append(place)
            names.append(each.ours)
            codes.append(self._coded(again))
        ours = rows[places]
        ours["name"] = names
        ours["outcome"], ours["strength"] = np.array(codes, dtype=np.int8).reshape(-1, 2).T
        return ours.tobytes()

    def _rating(self, file: int, row: Rating) -> None:
        self._rated.take(file, row)
        name = LogGroup(row.judge, row.strategy, row.subset, SOURCE)
        group = self._ratings.setdefault(self._split(name), RatingGroup())
        group.count += 1
        if row.value is None:
            group.without_score[row.reason] = group.without_score.get(row.reason, 0) + 1
            return
        count, total = group.sums.get(row.system, (0, 0.0))
        group.sums[row.system] = (count + 1, total + row.value)

    def _split(self, name: LogGroup) -> LogGroup:
        """Return the group that a name belongs to, by what groups are split by."""
        judge, strategy, subset, verdict_by = name
        return LogGroup(
            judge if self._by_judge else ALL,
            strategy if self._by_strategy else ALL,
            subset if self._by_subset else ALL,
            verdict_by,
        )

    def collected(self) -> Collected:
        """Return everything that was taken."""
        self._read_again()
        rows = np.frombuffer(self._rows, ROW) if self._rows else np.empty(0, ROW)
        arrays = {name: np.ascontiguousarray(rows[name]) for name in ROW.names or ()}
        margins, named = arrays.pop("margin"), arrays.pop("name")
        lengths = np.stack([arrays.pop("length_a"), arrays.pop("length_b")])
        groups = Codes[LogGroup]()
        split = np.array([groups[self._split(name)] for name in self._names], dtype=np.int32)
        columns = AttemptColumns(
            n_groups=len(groups),
            pairs=self._table.table(self._pairs),
            group=split[named],
            **arrays,
        )
        differences: defaultdict[LogGroup, Counter[tuple[str, str]]] = defaultdict(Counter)
        names = tuple(self._names)
        for (code, source, again), count in self._differences.items():
            differences[self._split(names[code])][str(source), str(again)] += count
        return Collected(
            columns=columns,
            groups=tuple(groups),
            named=named,
            names=names,
            margins=margins,
            lengths=lengths,
            rated=self._rated.columns(),
            n_rows=tuple(self._n_rows),
            n_rejected=tuple(self._n_rejected),
            rejects=tuple(self._rejects.values()),
            ratings=self._ratings,
            differences=dict(differences),
            conflicts=tuple(self._table.conflicts),
            counts=None if self._counter is None else self._counter.counts(len(self._pairs)),
        )
