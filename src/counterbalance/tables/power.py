"""What the study could detect at the printed numbers of units and of discordant units."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from counterbalance.statistics import (
    mcnemar_detectable_difference,
    mcnemar_least_significant,
    mcnemar_power,
)
from counterbalance.tables.check import Check, Figure, Ground, Link, Rule
from counterbalance.tables.wording import inputs_of, listed, points, rounding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from counterbalance.tables.check import Value
    from counterbalance.tables.description import Description, MdeClaim
    from counterbalance.tables.pairing import Pairing

__all__ = ["MDE", "mde_check", "power_figures"]

MDE = Rule(
    "claimed_mde",
    Link.POWER,
    "the smallest detectable difference that a sentence names is the one at the stated power, for"
    " every comparison that it is about; the smallest significant difference is another, lower one",
)


@dataclass(frozen=True, slots=True)
class _Detectable:
    """What can be detected at one number of units and of discordant units.

    Attributes
    ----------
    difference : float | None
        Smallest difference detected with the power asked for; None where none is.
    exact_power : float | None
        Power that the mid-p test really has there.
    least_significant : Fraction | None
        Smallest difference that would be significant.
    """

    difference: float | None
    exact_power: float | None
    least_significant: Fraction | None


@lru_cache(maxsize=4096)
def _detectable(n: int, discordant: int, power: float, error_rate: float) -> _Detectable:
    plan = mcnemar_detectable_difference(n, discordant / n, power, error_rate)
    net = mcnemar_least_significant(discordant, error_rate).net
    least = None if net is None else Fraction(net, n)
    return _Detectable(plan.difference, plan.exact_power, least)


def power_figures(description: Description, pairings: Iterable[Pairing]) -> Iterator[Figure]:
    """Yield, for each comparison with counts, what it could detect and how likely it was."""
    rate, power = description.error_rate, description.power
    if rate is None or power is None or power <= rate:
        return
    for pairing in pairings:
        if pairing.counts is not None and pairing.n and 0 < sum(pairing.counts) <= pairing.n:
            yield _figure(pairing, pairing.n, pairing.counts, (power, rate))


def mde_check(claim: MdeClaim, description: Description, pairings: Iterable[Pairing]) -> Check:
    """Hold a sentence about the smallest detectable difference against every comparison.

    Parameters
    ----------
    claim : MdeClaim
        The sentence.
    description : Description
        For the stated power and error rate.
    pairings : Iterable[Pairing]
        Comparisons that it may be about, where it names no number of discordant units.

    Returns
    -------
    Check
        The verdict, with the comparisons for which it holds.
    """
    high = claim.high or claim.low
    inputs = inputs_of(low=claim.low, high=claim.high, n=claim.n, discordant=claim.discordant)
    inputs |= inputs_of(power=description.power, error_rate=description.error_rate)
    ground = Ground(inputs=inputs, tolerance=rounding(claim.low, claim.high))
    places = _places(claim, pairings)
    rate, power = description.error_rate, description.power
    if rate is None or power is None or power <= rate or not places:
        found = "needs power and error_rate, and n with discordant units or comparisons with counts"
        return MDE.check(claim.where, None, found, ground=ground)
    holding: list[str] = []
    failing: list[str] = []
    least: list[str] = []
    for name, (n, discordant) in places.items():
        at = _detectable(n, discordant, power, rate)
        size = at.difference
        shown = f"{name} ({discordant} of {n}: {points(size) if size else 'out of reach'})"
        fits = size is not None and claim.low.low <= size <= high.high
        (holding if fits else failing).append(shown)
        if at.least_significant is not None and claim.low.low <= at.least_significant <= high.high:
            least.append(name)
    found = f"holds for {listed(holding, 3)}; not for {listed(failing, 4)}"
    if failing and least:
        found += f"; it is the smallest significant difference of {listed(least, 4)}"
    values: dict[str, Value] = {"holds": len(holding), "fails": len(failing)}
    return MDE.check(claim.where, not failing, found, values=values, ground=ground)


def _places(claim: MdeClaim, pairings: Iterable[Pairing]) -> dict[str, tuple[int, int]]:
    if claim.n and claim.discordant is not None and 0 < claim.discordant <= claim.n:
        return {"as stated": (claim.n, claim.discordant)}
    places = {}
    for pairing in pairings:
        n = claim.n or pairing.n
        if pairing.counts is not None and n and 0 < sum(pairing.counts) <= n:
            places[pairing.name] = n, sum(pairing.counts)
    return places


def _figure(pairing: Pairing, n: int, counts: tuple[int, int], goal: tuple[float, float]) -> Figure:
    gained, lost = counts
    power, rate = goal
    at = _detectable(n, gained + lost, power, rate)
    seen = mcnemar_power(n, gained / n, lost / n, rate).power
    detectable = "no difference" if at.difference is None else points(at.difference)
    significant = "none" if at.least_significant is None else points(at.least_significant)
    sentence = (
        f"with {gained + lost} of {n} discordant, {detectable} is detected with power {power:g};"
        f" the smallest significant difference is {significant}, which is no detectable one;"
        f" a true difference of {points(Fraction(gained - lost, n))} is found with power {seen:.2f}"
    )
    values: dict[str, Value] = {
        "n": n,
        "discordant": gained + lost,
        "detectable": at.difference,
        "exact_power": at.exact_power,
        "least_significant": None if at.least_significant is None else float(at.least_significant),
        "power_at_observed": seen,
    }
    return Figure(Link.POWER, "detectable", pairing.name, sentence, pairing.table, values)
