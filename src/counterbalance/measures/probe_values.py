"""Verdicts on probe pairs as signed values: +1 target, -1 other side, 0 neither side.

The one place that says what the target of a verdict is. Values stay with their pair, order and
labelling, so that everything later is a mean of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.dispositions.cell import verdict_of
from counterbalance.items.frames import Order, Side, Slot, Verdict
from counterbalance.presentations.order import side_in
from counterbalance.probes.criterion_inverted import DECLARED, EXCHANGED
from counterbalance.probes.probe import Frame
from counterbalance.protocol.families import families_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from counterbalance.items.item import Pair
    from counterbalance.measures.group import JudgedPair
    from counterbalance.probes.probe import Probe
    from counterbalance.protocol.labelling import Labelling

__all__ = ["Value", "by_unit", "family_side", "probe_values", "signed"]


@dataclass(frozen=True, slots=True)
class Value:
    """What one planned presentation of a probe says.

    Attributes
    ----------
    unit : str
        Id of the probe pair, or of its source where two pairs make one comparison.
    cluster : str
        The source's cluster.
    category : str
        The source's category.
    order : Order
        Display order.
    value : int | None
        +1 for the target, -1 for the other side, 0 for a verdict for neither; None without verdict.
    slot : int | None
        +1 for the first slot, -1 for the second, 0 for neither; None without verdict.
    """

    unit: str
    cluster: str
    category: str
    order: Order
    value: int | None
    slot: int | None


def probe_values(
    probe: Probe,
    groups: Iterable[tuple[Labelling, Sequence[JudgedPair]]],
    first_label: str,
    families: frozenset[str],
) -> list[Value]:
    """Return a value for every planned presentation of one probe by one judge.

    Parameters
    ----------
    probe : Probe
        The probe.
    groups : Iterable[tuple[Labelling, Sequence[JudgedPair]]]
        Its judged pairs under each labelling.
    first_label : str
        The label that a preference for labels is told by.
    families : frozenset[str]
        Families of the judge.

    Returns
    -------
    list[Value]
        In the sequence of the groups. A pair whose orders differ in more than the order gives no
        value; nor does a pair of two other families than the judge's.
    """
    values: list[Value] = []
    for labelling, judged in groups:
        sign = 1 if labelling.first == first_label else -1
        if probe.frame in {Frame.FLIP, Frame.KEEP}:
            values += _compared(probe.frame, judged)
            continue
        for each in judged:
            target = Side.A
            if probe.frame is Frame.FAMILY:
                side = family_side(each.pair, families)
                if side is None:
                    continue
                target = side
            values += _of_pair(each, probe.frame, target, sign)
    return values


def family_side(pair: Pair, families: frozenset[str]) -> Side | None:
    """Return the candidate of some families, None where both or neither are."""
    sides = [side for side in Side if families_of(pair.candidate(side).system) & families]
    return sides[0] if len(sides) == 1 else None


def signed(verdict: Verdict, order: Order, frame: Frame, target: Side, sign: int) -> int:
    """Return what one verdict says of the target.

    Parameters
    ----------
    verdict : Verdict
        In terms of candidates.
    order : Order
        In which order they were shown.
    frame : Frame
        What the target is told by.
    target : Side
        The target, where it is a candidate.
    sign : int
        +1 where the first slot has the label in question, -1 where the second has it.

    Returns
    -------
    int
        +1, -1 or 0.
    """
    if frame is Frame.NEITHER:
        if verdict is Verdict.NEITHER:
            return 1
        return -1 if verdict.side is not None else 0
    if verdict.side is None:
        return 0
    if frame in {Frame.CANDIDATE, Frame.FAMILY}:
        return 1 if verdict.side is target else -1
    slot = 1 if verdict.side is side_in(Slot.FIRST, order) else -1
    return slot * sign if frame is Frame.LABEL else slot


def _verdicts(each: JudgedPair) -> Iterator[tuple[Order, Verdict | None]]:
    """Yield the verdict of each main presentation, none where the pair is confounded."""
    for order, shown in each.main():
        decisive = None if each.result.is_confounded else shown.decisive
        yield order, None if decisive is None else verdict_of(decisive.outcome, order)


def _of_pair(each: JudgedPair, frame: Frame, target: Side, sign: int) -> Iterator[Value]:
    item = each.pair.item
    for order, verdict in _verdicts(each):
        value = slot = None
        if verdict is not None:
            value = signed(verdict, order, frame, target, sign)
            slot = signed(verdict, order, Frame.SLOT, target, sign)
        yield Value(each.pair.id, item.cluster, item.category, order, value, slot)


def _compared(frame: Frame, judged: Sequence[JudgedPair]) -> Iterator[Value]:
    """Hold a pair under the declared criterion beside the same under another, order by order."""
    by_source: dict[str, dict[str, JudgedPair]] = {}
    for each in judged:
        source, _, variant = each.pair.id.rpartition("~")
        by_source.setdefault(source, {})[variant] = each
    for source, both in by_source.items():
        if both.keys() != {DECLARED, EXCHANGED}:
            continue
        item = both[DECLARED].pair.item
        for order in Order:
            one, other = (_in_order(both[v], order) for v in (DECLARED, EXCHANGED))
            for before, after in zip(one, other, strict=False):
                value = _kept_or_flipped(before, after, frame)
                slot = None if after is None else signed(after, order, Frame.SLOT, Side.A, 1)
                yield Value(source, item.cluster, item.category, order, value, slot)


def _in_order(each: JudgedPair, order: Order) -> list[Verdict | None]:
    return [verdict for shown, verdict in _verdicts(each) if shown is order]


def _kept_or_flipped(before: Verdict | None, after: Verdict | None, frame: Frame) -> int | None:
    if before is None or after is None:
        return None
    if before.side is None or after.side is None:
        return 0
    is_kept = before.side is after.side
    return 1 if is_kept == (frame is Frame.KEEP) else -1


def by_unit(values: Iterable[Value]) -> Mapping[str, list[Value]]:
    """Return values by the pair they belong to, in their sequence."""
    units: dict[str, list[Value]] = {}
    for value in values:
        units.setdefault(value.unit, []).append(value)
    return units
