"""What to spend a budget on: more clusters, or more repeats of each unit."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.special import ndtri

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import count_problem, valid_share
from counterbalance.statistics.reasons import Undefined

__all__ = ["Allocation", "Costs", "Design", "Spread", "best_allocation"]

_FEWEST_CLUSTERS = 2
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Costs:
    """What things cost, all in one currency.

    Attributes
    ----------
    per_unit : float
        To have a unit at all, whatever is asked about it.
    per_call : float
        To ask once.
    calls_per_repeat : int
        How often one repeat of a unit asks.
    """

    per_unit: float
    per_call: float
    calls_per_repeat: int


@dataclass(frozen=True, slots=True)
class Spread:
    """Variance of one value by source, as `variance_components` estimates it.

    Attributes
    ----------
    cluster : float
        Between clusters.
    unit : float
        Between units of a cluster.
    repeat : float
        Between repeats of a unit.
    """

    cluster: float
    unit: float
    repeat: float


@dataclass(frozen=True, slots=True)
class Design:
    """One way to spend a budget.

    Attributes
    ----------
    n_clusters : int
        Clusters, each with the same number of units.
    n_repeats : int
        Repeats of each unit.
    variance : float
        Of the mean over all values.
    detectable_difference : float
        Smallest mean that is told from 0 with the power asked for.
    cost : float
        Total, in the currency of the costs.
    """

    n_clusters: int
    n_repeats: int
    variance: float
    detectable_difference: float
    cost: float


@dataclass(frozen=True, slots=True)
class Allocation:
    """The best design within a budget, beside what other numbers of repeats would bring.

    Attributes
    ----------
    budget : float
        Most that may be spent.
    costs : Costs
        What things cost.
    spread : Spread
        Variance by source.
    units_per_cluster : int
        Units of each cluster.
    most_clusters : int
        Clusters there are.
    power : float
        Power asked for.
    error_rate : float
        Two-sided rate below which the test rejects.
    designs : tuple[Design, ...]
        For each number of repeats that can be paid, with as many clusters as that leaves.
    best : Design | None
        The one that detects least; of equals the one with fewest repeats.
    undefined : Undefined | None
        Why there is none; None when there is.
    """

    budget: float
    costs: Costs
    spread: Spread
    units_per_cluster: int
    most_clusters: int
    power: float
    error_rate: float
    designs: tuple[Design, ...]
    best: Design | None
    undefined: Undefined | None


def best_allocation(
    budget: float,
    costs: Costs,
    spread: Spread,
    units_per_cluster: int,
    most_clusters: int,
    *,
    most_repeats: int = 9,
    power: float = 0.8,
    error_rate: float = 0.05,
) -> Allocation:
    r"""Find the numbers of clusters and repeats that detect the smallest mean for the money.

    Parameters
    ----------
    budget : float
        Most that may be spent, above 0.
    costs : Costs
        What a unit and a call cost, from 0 up.
    spread : Spread
        Variance by source, from 0 up; from a pilot with at least two repeats.
    units_per_cluster : int
        Units of each cluster, from 1 up.
    most_clusters : int
        Clusters there are, from 1 up.
    most_repeats : int
        Largest number of repeats to consider, from 1 up.
    power : float
        Power asked for, strictly between 0 and 1.
    error_rate : float
        Two-sided rate below which the test rejects, strictly between 0 and 1.

    Returns
    -------
    Allocation
        The best design and the best for each number of repeats.

    Raises
    ------
    StatisticsError
        If an amount is negative or not finite, or a number is not whole or too small.

    Notes
    -----
    With :math:`G` clusters of :math:`m` units and :math:`R` repeats,

    .. math:: V = \frac{\sigma_g^2}{G} + \frac{\sigma_u^2}{G m} + \frac{\sigma_r^2}{G m R}, \quad
        d = (z_{1-\alpha/2} + z_{power}) \sqrt V,

    for a cost of :math:`G m (c_{unit} + R \cdot calls \cdot c_{call})`. Every :math:`R` is tried,
    each with the most clusters it leaves money for, so nothing is approximated but the normal
    quantiles. Where units are free and there are enough, one repeat is always best.

    **Unit of analysis**: the value of one repeat; the sampling unit is the cluster.
    **Denominator**: all values, clusters weighing alike.
    **Undefined** when the money does not reach for two clusters, or nothing varies.
    **Assumes**: the spread is known; the one of a pilot is not, so leave a margin.

    References
    ----------
    .. [1] W. G. Cochran, Sampling Techniques, 3rd edition, Wiley 1977, sections 10.6 and 10.8.

    Examples
    --------
    >>> plan = best_allocation(
    ...     20, Costs(0, 0.005, 2), Spread(0.03, 0.18, 0.12), units_per_cluster=5, most_clusters=80
    ... )
    >>> plan.best.n_clusters, plan.best.n_repeats, round(plan.best.detectable_difference, 4)
    (80, 5, 0.0833)
    """
    _refuse(budget, costs, spread)
    for name, number in (
        ("units_per_cluster", units_per_cluster),
        ("most_clusters", most_clusters),
        ("most_repeats", most_repeats),
        ("calls_per_repeat", costs.calls_per_repeat),
    ):
        if count_problem(name, number) or number < 1:
            message = f"{name} is {number}; give a whole number from 1 up"
            raise StatisticsError(message)
    goal, rate = valid_share("power", power), valid_share("error_rate", error_rate)
    quantiles = float(ndtri(goal)) - float(ndtri(rate / 2))
    designs = []
    if spread.cluster + spread.unit + spread.repeat > 0:
        for repeats in range(1, most_repeats + 1):
            per_cluster = units_per_cluster * (
                costs.per_unit + repeats * costs.calls_per_repeat * costs.per_call
            )
            clusters = _affordable(budget, per_cluster, most_clusters)
            if clusters >= _FEWEST_CLUSTERS:
                variance = _variance(spread, units_per_cluster, repeats) / clusters
                least = quantiles * math.sqrt(variance)
                designs.append(Design(clusters, repeats, variance, least, clusters * per_cluster))
    best = _best(designs)
    reason = None if best else Undefined.OUT_OF_REACH
    if spread.cluster + spread.unit + spread.repeat == 0:
        reason = Undefined.NO_VARIATION
    return Allocation(
        budget=float(budget),
        costs=costs,
        spread=spread,
        units_per_cluster=int(units_per_cluster),
        most_clusters=int(most_clusters),
        power=goal,
        error_rate=rate,
        designs=tuple(designs),
        best=best,
        undefined=reason,
    )


def _variance(spread: Spread, units: int, repeats: int) -> float:
    """Return the variance of the mean of one cluster."""
    return spread.cluster + (spread.unit + spread.repeat / repeats) / units


def _affordable(budget: float, per_cluster: float, most: int) -> int:
    """Return how many clusters can be paid; a budget that is met but for rounding is met."""
    if per_cluster * most <= budget:
        return most
    return math.floor(budget / per_cluster * (1 + _ROUNDING))


def _best(designs: list[Design]) -> Design | None:
    """Return the design that detects least; of those equal but for rounding the first."""
    best: Design | None = None
    for design in designs:
        if best is None or design.variance < best.variance * (1 - _ROUNDING):
            best = design
    return best


def _refuse(budget: float, costs: Costs, spread: Spread) -> None:
    """Raise if an amount of money or a variance is not one."""
    amounts = {
        "costs.per_unit": costs.per_unit,
        "costs.per_call": costs.per_call,
        "spread.cluster": spread.cluster,
        "spread.unit": spread.unit,
        "spread.repeat": spread.repeat,
    }
    for name, amount in amounts.items():
        if not (math.isfinite(amount) and amount >= 0):
            message = f"{name} is {amount}; give a finite number from 0 up"
            raise StatisticsError(message)
    if not (math.isfinite(budget) and budget > 0):
        message = f"budget is {budget}; give a finite amount above 0"
        raise StatisticsError(message)
