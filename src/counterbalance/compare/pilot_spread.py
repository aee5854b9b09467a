"""Where the spread of a pilot's decisions comes from: clusters, pairs, orders and repetitions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.statistics.allocation import Spread
from counterbalance.statistics.variance_components import variance_components

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.compare.pilot import Decision

__all__ = ["Component", "PilotSpread", "spread_of"]


@dataclass(frozen=True, slots=True)
class Component:
    """One source of spread.

    Attributes
    ----------
    variance : float | None
        Estimate, cut at 0; None where the pilot cannot tell it from another.
    undefined : str | None
        Why there is none and what holds it, in a sentence.
    """

    variance: float | None
    undefined: str | None = None


@dataclass(frozen=True, slots=True)
class PilotSpread:
    """Spread of decisions by source.

    Attributes
    ----------
    cluster : Component
        Between clusters.
    pair : Component
        Between pairs of a cluster.
    order : Component
        Between the two orders of a pair.
    repetition : Component
        Between repetitions of the same question.
    planned : Spread
        What a plan with one order for each pair, or with both in every decision, reckons with:
        repeating a decision lowers the last of the three only.
    """

    cluster: Component
    pair: Component
    order: Component
    repetition: Component
    planned: Spread

    @property
    def is_repeated(self) -> bool:
        """Whether the pilot can tell what repetitions bring."""
        return self.repetition.variance is not None


_IN_CLUSTERS = "No cluster has two pairs: it is within the spread between clusters."
_ALONE = "There is one pair to a cluster, or one cluster: it is within the spread between pairs."
_BOTH_ORDERS = "Each decision takes both orders: its rule leaves no order to differ by."
_ONE_ORDER = "Each pair was decided in one order: it is within the spread between pairs."
_WITH_ORDER = "No pair was decided twice in the same order: it is within the spread between orders."
_WITH_PAIR = "No pair was decided twice: it is within the spread between pairs."


def spread_of(decisions: Sequence[Decision]) -> PilotSpread:
    r"""Split the spread of decisions into clusters, pairs, orders and repetitions.

    Parameters
    ----------
    decisions : Sequence[Decision]
        Decisions of one judge and strategy, not all alike.

    Returns
    -------
    PilotSpread
        Four components, each with its own reason where there is none.

    Notes
    -----
    With :math:`n_{po}` repetitions of pair :math:`p` in order :math:`o`, the repetitions give
    :math:`\sigma_r^2`; the means over them, which vary by :math:`\sigma_o^2 + \sigma_r^2 / n_{po}`
    within a pair, give the rest, each mean with the same weight (`statistics.variance_components`
    both times). What favours a slot in every pair counts as spread between orders.

    **Unit of analysis**: the decision, nested in orders, pairs and clusters.
    **Denominator**: degrees of freedom at each level.
    **Undefined**, source by source, where the pilot has one of something only.

    References
    ----------
    .. [1] S. R. Searle, G. Casella, C. E. McCulloch, Variance Components, Wiley 1992, chapter 5.
    """
    cells: dict[tuple[str, str], list[float]] = {}
    for each in decisions:
        cells.setdefault((each.pair, each.order), []).append(each.value)
    n_pairs = len({pair for pair, _ in cells})
    is_repeated = len(decisions) > len(cells)
    if len(cells) > n_pairs:
        return _with_orders(decisions, cells, is_repeated=is_repeated)
    order = Component(None, _ONE_ORDER if any(order for _, order in cells) else _BOTH_ORDERS)
    return _repeated(decisions, order) if is_repeated else _once(decisions, order)


def _with_orders(
    decisions: Sequence[Decision],
    cells: dict[tuple[str, str], list[float]],
    *,
    is_repeated: bool,
) -> PilotSpread:
    clusters = {each.pair: each.cluster for each in decisions}
    means = [float(np.mean(values)) for values in cells.values()]
    pairs = [pair for pair, _ in cells]
    found = variance_components(means, pairs, [clusters[pair] for pair in pairs])
    cluster, pair = _outer(found.cluster.variance, found.unit.variance)
    within = found.repeat.variance or 0.0
    order, repetition = Component(within), Component(None, _WITH_ORDER)
    if is_repeated:
        inner = _between_repetitions(decisions)
        share = float(np.mean([1 / len(values) for values in cells.values()]))
        order, repetition = Component(max(0.0, within - inner * share)), Component(inner)
    return _whole(cluster, pair, order, repetition)


def _between_repetitions(decisions: Sequence[Decision]) -> float:
    asked = [(each.pair, each.order) for each in decisions]
    names = [" ".join(map(repr, each)) for each in asked]
    pairs = [pair for pair, _ in asked]
    values = [each.value for each in decisions]
    return variance_components(values, names, pairs).repeat.variance or 0.0


def _repeated(decisions: Sequence[Decision], order: Component) -> PilotSpread:
    values, pairs, clusters = _columns(decisions)
    found = variance_components(values, pairs, clusters)
    cluster, pair = _outer(found.cluster.variance, found.unit.variance)
    return _whole(cluster, pair, order, Component(found.repeat.variance))


def _once(decisions: Sequence[Decision], order: Component) -> PilotSpread:
    values, pairs, clusters = _columns(decisions)
    between = variance_components(values, pairs, clusters).cluster.variance
    # Nothing was repeated: what is not between clusters is between pairs, decisions included.
    pair = Component(max(0.0, float(np.var(values, ddof=1)) - (between or 0.0)))
    cluster = Component(between, _ALONE if between is None else None)
    return _whole(cluster, pair, order, Component(None, _WITH_PAIR))


def _columns(decisions: Sequence[Decision]) -> tuple[list[float], list[str], list[str]]:
    return (
        [each.value for each in decisions],
        [each.pair for each in decisions],
        [each.cluster for each in decisions],
    )


def _outer(cluster: float | None, pair: float | None) -> tuple[Component, Component]:
    return (
        Component(cluster, _ALONE if cluster is None else None),
        Component(pair, _IN_CLUSTERS if pair is None else None),
    )


def _whole(
    cluster: Component, pair: Component, order: Component, repetition: Component
) -> PilotSpread:
    planned = Spread(
        cluster.variance or 0.0,
        (pair.variance or 0.0) + (order.variance or 0.0),
        repetition.variance or 0.0,
    )
    return PilotSpread(cluster, pair, order, repetition, planned)
