"""Probes under strategies: what a rule that combines calls makes of each bias.

A strategy has one result for a pair and no slot, so that probes of slots and labels have no score
under one that combines both orders: by construction it cannot prefer a slot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.dispositions.strategy_result import balanced_calibration, plain_result
from counterbalance.items.frames import Order, Side, Verdict
from counterbalance.measures.estimate import Estimate, undefined
from counterbalance.measures.probe_scores import signed_score
from counterbalance.measures.probe_values import Value, family_side, probe_values, signed
from counterbalance.presentations.seeding import rank
from counterbalance.probes.criterion_inverted import DECLARED, EXCHANGED
from counterbalance.probes.probe import Frame

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from counterbalance.measures.group import JudgedPair
    from counterbalance.probes.probe import Probe
    from counterbalance.protocol.labelling import Labelling

__all__ = ["strategy_bias"]

_NO_SLOT = "a strategy over both orders prefers no slot and no label, by construction"
_SLOTS = frozenset({Frame.SLOT, Frame.LABEL})
_COMPARED = frozenset({Frame.FLIP, Frame.KEEP})


def strategy_bias(
    strategy: str,
    probe: Probe,
    groups: Sequence[tuple[Labelling, Sequence[JudgedPair]]],
    *,
    first_label: str,
    families: frozenset[str],
    seed: int,
    level: float = 0.95,
) -> tuple[Estimate, int]:
    """Return the score of one judge on one probe under one strategy.

    Parameters
    ----------
    strategy : str
        ``B0`` one seeded order, ``S1`` both with a tie where they disagree, or
        ``balanced_calibration``.
    probe : Probe
        The probe.
    groups : Sequence[tuple[Labelling, Sequence[JudgedPair]]]
        Its judged pairs under each labelling.
    first_label : str
        The label that a preference for labels is told by.
    families : frozenset[str]
        Families of the judge.
    seed : int
        Seed of the protocol, which picks the one order.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    tuple[Estimate, int]
        b over the strategy's results, and the number of pairs without one.

    Notes
    -----
    **Unit of analysis**: the probe pair under a labelling; the sampling unit is the cluster.
    **Denominator**: results that the strategy has.
    **Undefined** for slots and labels where a strategy combines both orders.
    """
    if strategy == "B0":
        values = [
            value
            for value in probe_values(probe, groups, first_label, families)
            if value.order is _seeded_order(seed, value.unit)
        ]
    elif probe.frame in _SLOTS:
        return undefined(probe.measure, "pair", probe.target, _NO_SLOT, level), 0
    else:
        values = list(_combined(strategy, probe, groups, families))
    missing = sum(value.value is None for value in values)
    return signed_score(probe, values, level), missing


def _seeded_order(seed: int, unit: str) -> Order:
    return tuple(Order)[rank(seed, "order", unit) % 2]


def _combined(
    strategy: str,
    probe: Probe,
    groups: Sequence[tuple[Labelling, Sequence[JudgedPair]]],
    families: frozenset[str],
) -> Iterator[Value]:
    for results in _results(strategy, groups):
        if probe.frame in _COMPARED:
            yield from _compared(probe.frame, results)
            continue
        for each, verdict in results.values():
            side = family_side(each.pair, families) if probe.frame is Frame.FAMILY else Side.A
            if side is not None:
                said = None
                if verdict is not None:
                    said = signed(verdict, Order.FORWARD, probe.frame, side, 1)
                yield _value(each, each.pair.id, said)


def _results(
    strategy: str, groups: Sequence[tuple[Labelling, Sequence[JudgedPair]]]
) -> Iterator[dict[str, tuple[JudgedPair, Verdict | None]]]:
    """Yield what a strategy made of each pair: once for each labelling, or once over all."""
    if strategy == "balanced_calibration":
        members = [judged for _, judged in groups]
        yield {
            same[0].pair.id: (
                same[0],
                _verdict(balanced_calibration([each.evidence for each in same]).value),
            )
            for same in zip(*members, strict=True)
        }
        return
    for _, judged in groups:
        yield {each.pair.id: (each, _verdict(plain_result(each.result).value)) for each in judged}


def _verdict(value: str) -> Verdict | None:
    return None if value == "none" else Verdict(value)


def _compared(
    frame: Frame, results: Mapping[str, tuple[JudgedPair, Verdict | None]]
) -> Iterator[Value]:
    for name, (each, before) in results.items():
        source, _, variant = name.rpartition("~")
        other = results.get(f"{source}~{EXCHANGED}")
        if variant != DECLARED or other is None:
            continue
        after = other[1]
        said: int | None = None
        if before is not None and after is not None:
            said = 0
            if before.side is not None and after.side is not None:
                said = 1 if (before.side is after.side) == (frame is Frame.KEEP) else -1
        yield _value(each, source, said)


def _value(each: JudgedPair, unit: str, said: int | None) -> Value:
    item = each.pair.item
    return Value(unit, item.cluster, item.category, Order.FORWARD, said, None)
