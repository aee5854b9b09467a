"""What a pilot shows of each judge and strategy: how agreement varies, and what a call costs.

One number for each time a strategy decided a pair comes out, with its pair and cluster: whether
that decision agrees with the reference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.dispositions.cell import verdict_of
from counterbalance.items.frames import Order, Verdict
from counterbalance.measures.cost import spent_on

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.dispositions.attempt_columns import ClusterKind
    from counterbalance.dispositions.evidence import PairEvidence, PresentationEvidence
    from counterbalance.measures.cost import Spent
    from counterbalance.measures.group import JudgedPair

__all__ = ["Arm", "arms_of"]


@dataclass(frozen=True, slots=True)
class Arm:
    """One judge with one strategy, as a pilot shows it.

    Attributes
    ----------
    judge : str
        Name of the judge.
    strategy : str
        ``B0``: one call in an order that a coin draws. ``S1``: both orders, a tie where they
        disagree.
    values : tuple[float, ...]
        1 or 0 for each decision: whether it agrees with the reference.
    units : tuple[str, ...]
        The pair of each.
    clusters : tuple[str, ...]
        The cluster of each.
    calls_per_decision : int
        Calls that one decision takes.
    spent : Spent
        What all calls of the judge took in the pilot, for the price of one.
    """

    judge: str
    strategy: str
    values: tuple[float, ...]
    units: tuple[str, ...]
    clusters: tuple[str, ...]
    calls_per_decision: int
    spent: Spent

    @property
    def n_pairs(self) -> int:
        """Pairs with a decision and a reference."""
        return len(set(self.units))

    @property
    def agreement(self) -> float | None:
        """Mean over pairs of their mean; None without any."""
        by_pair: dict[str, list[float]] = {}
        for unit, value in zip(self.units, self.values, strict=True):
            by_pair.setdefault(unit, []).append(value)
        means = [sum(found) / len(found) for found in by_pair.values()]
        return sum(means) / len(means) if means else None


def arms_of(
    judge: str, pairs: Sequence[JudgedPair], cluster: ClusterKind = "cluster"
) -> tuple[Arm, ...]:
    """Return what a pilot shows of one judge under each plain strategy.

    Parameters
    ----------
    judge : str
        Name of the judge.
    pairs : Sequence[JudgedPair]
        Its pairs in the pilot.
    cluster : ClusterKind
        Unit of uncertainty.

    Returns
    -------
    tuple[Arm, ...]
        B0, and S1 where both orders were asked. The repetitions of a subset count as further
        decisions of its pairs, as long as they were asked like all others.
    """
    spent = spent_on(
        attempt for each in pairs for _, shown in each.main() for attempt in shown.attempts
    )
    one = [(each, value) for each in pairs for value in _one_call(each)]
    both = [(each, value) for each in pairs for value in _both_orders(each)]
    arms = [_arm(judge, "B0", one, 1, cluster, spent)]
    if both:
        arms.append(_arm(judge, "S1", both, len(Order), cluster, spent))
    return tuple(arms)


def _arm(
    judge: str,
    strategy: str,
    found: Sequence[tuple[JudgedPair, float]],
    calls: int,
    cluster: ClusterKind,
    spent: Spent,
) -> Arm:
    names = {
        "cluster": lambda each: each.pair.item.cluster,
        "item": lambda each: each.pair.item.id,
        "pair": lambda each: each.pair.id,
    }
    return Arm(
        judge=judge,
        strategy=strategy,
        values=tuple(value for _, value in found),
        units=tuple(each.pair.id for each, _ in found),
        clusters=tuple(str(names[cluster](each)) for each, _ in found),
        calls_per_decision=calls,
        spent=spent,
    )


def _one_call(judged: JudgedPair) -> Iterator[float]:
    """Yield whether each call agrees: an order drawn by a coin is one of the two."""
    accepted = _accepted(judged)
    for shown in _repeated(judged.evidence).values():
        for verdict in map(_verdict, shown):
            if accepted and verdict is not None:
                yield float(verdict in accepted)


def _both_orders(judged: JudgedPair) -> Iterator[float]:
    """Yield whether each couple of both orders agrees, a tie where they say different things."""
    accepted = _accepted(judged)
    shown = _repeated(judged.evidence)
    if not accepted or set(shown) != set(Order):
        return
    for forward, reversed_ in zip(*(shown[order] for order in Order), strict=False):
        said = {_verdict(forward), _verdict(reversed_)}
        if None not in said:
            result = said.pop() if len(said) == 1 else Verdict.TIE
            yield float(result in accepted)


def _accepted(judged: JudgedPair) -> frozenset[Verdict]:
    reference = judged.pair.reference
    return frozenset() if reference is None else reference.accepted


def _verdict(shown: PresentationEvidence) -> Verdict | None:
    decisive = shown.decisive
    if decisive is None:
        return None
    return verdict_of(decisive.outcome, shown.presentation.order)


def _repeated(evidence: PairEvidence) -> dict[Order, list[PresentationEvidence]]:
    """Return the presentations of a pair by order, repetitions of the subset among them."""
    found: dict[Order, list[PresentationEvidence]] = {}
    for order, main in evidence.main.items():
        digests = {shown.presentation.judge_digest for shown in main}
        further = [
            shown
            for shown in evidence.stability.get(order, ())
            if shown.presentation.judge_digest in digests
        ]
        unique = {shown.presentation.key: shown for shown in (*main, *further)}
        found[order] = list(unique.values())
    return found
