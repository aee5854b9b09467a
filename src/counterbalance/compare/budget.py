"""What to buy under a cap on money: judge x strategy x repetitions x pairs, all of them tried."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from counterbalance.compare.budget_cells import NOT_REPEATED, cells_of
from counterbalance.compare.pilot_spread import spread_of
from counterbalance.compare.verdict import POWER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from counterbalance.compare.budget_cells import Cell, Planned
    from counterbalance.compare.pilot import Arm, Asked
    from counterbalance.compare.pilot_spread import PilotSpread
    from counterbalance.compare.strategy_difference import StrategyDifference
    from counterbalance.protocol.prices_section import Price

__all__ = ["AIMS", "Aim", "BudgetGrid", "Offer", "Place", "budget_grid"]

Aim = Literal["interval", "difference", "agreement"]
AIMS: tuple[Aim, ...] = ("interval", "difference", "agreement")
"""The narrowest interval around the agreement; the smallest difference from the baseline that is
detected; the strategy that agreed most in the pilot."""

_MILLION = 1_000_000
_AVERAGED = (
    "The difference from B0 is that from B0 averaged over both orders of the pilot; a study that"
    " asks B0 in one order finds rather less."
)


@dataclass(frozen=True, slots=True)
class Offer:
    """What a cap buys of one judge or panel with one strategy.

    Attributes
    ----------
    judge : str
        Name of the judge or panel.
    strategy : str
        The strategy.
    agreement : float | None
        Agreement with the references in the pilot.
    n_pilot : int
        Pairs of the pilot that it rests on.
    n_referenced : int
        Pairs of the pilot with a reference, those without a result among them.
    calls_per_decision : float
        Calls of one decision, without retries.
    dollars_per_decision : float | None
        What these cost: by the prices, with the tokens of the pilot; None for unpriced.
    is_measured : bool
        Whether the engine counted all of those tokens.
    spread : PilotSpread | None
        Where the pilot's decisions vary; None where it shows no spread.
    grid : tuple[Cell, ...]
        Every number of repetitions with several numbers of pairs, the most that the cap pays among
        them. More pairs are never worse, so that no cell between them can be better.
    best : Cell | None
        The one that serves the aim best and that the cap pays; of equals the cheaper.
    undefined : str | None
        Why there is none, in a sentence.
    notes : tuple[str, ...]
        What limits it, in sentences.
    """

    judge: str
    strategy: str
    agreement: float | None
    n_pilot: int
    n_referenced: int
    calls_per_decision: float
    dollars_per_decision: float | None
    is_measured: bool
    spread: PilotSpread | None
    grid: tuple[Cell, ...]
    best: Cell | None
    undefined: str | None
    notes: tuple[str, ...] = ()

    @property
    def is_unasked(self) -> bool:
        """Whether the pilot did not ask it, so that it is neither priced nor unpriced."""
        return not self.calls_per_decision


class Place(NamedTuple):
    """A cell and whose it is."""

    judge: str
    strategy: str
    cell: Cell


@dataclass(frozen=True, slots=True)
class BudgetGrid:
    """The whole grid.

    Attributes
    ----------
    cap : float
        Most dollars that may be spent.
    aim : Aim
        What is sought.
    level : float
        Nominal coverage of intervals.
    power : float
        Power of what is detected.
    family_size : int
        Comparisons with the baseline that are corrected together.
    as_batches : bool
        Whether the prices are those of batches.
    offers : tuple[Offer, ...]
        What serves the aim best first; those that cannot be bought last.
    front : tuple[Place, ...]
        Cells within the cap that no other beats in both price and aim, the cheapest first.
    """

    cap: float
    aim: Aim
    level: float
    power: float
    family_size: int
    as_batches: bool
    offers: tuple[Offer, ...]
    front: tuple[Place, ...]


def budget_grid(
    cap: float, arms: Sequence[Arm], planned: Planned, aim: Aim = "interval"
) -> BudgetGrid:
    """Try every judge, strategy, number of repetitions and number of pairs that a cap pays for.

    Parameters
    ----------
    cap : float
        Most dollars that may be spent, above 0.
    arms : Sequence[Arm]
        Judges and strategies as the pilot shows them.
    planned : Planned
        Pairs, prices and comparisons of the study.
    aim : Aim
        What is sought.

    Returns
    -------
    BudgetGrid
        Cells, the best of each judge and strategy, and the front.

    Notes
    -----
    The spread of the agreement is split by `spread_of`; the standard error of every cell is that of
    `statistics.best_allocation`. A difference from the baseline is found by McNemar's mid-p test at
    the upper limit of the share of pairs on which both differ in the pilot (`detectable`); for
    decisions on a pair that are averaged it is not known. The spread is the pilot's, and is itself
    uncertain: buy rather more.

    **Unit of analysis**: one decision on one pair; the sampling unit is the cluster.
    **Denominator**: all decisions.
    **Undefined** without a price, without tokens, where the pilot did not ask the strategy or does
    not vary, or where the cap does not reach for two clusters.
    """
    offers = [_offer(cap, arm, planned, aim) for arm in arms]
    places = [
        Place(offer.judge, offer.strategy, cell)
        for offer in offers
        for cell in offer.grid
        if cell.fits and _score(cell, offer.agreement, aim) is not None
    ]
    agreements = {(offer.judge, offer.strategy): offer.agreement for offer in offers}
    scored = [
        (each, _score(each.cell, agreements[each.judge, each.strategy], aim) or 0.0)
        for each in places
    ]
    return BudgetGrid(
        cap=cap,
        aim=aim,
        level=planned.level,
        power=POWER,
        family_size=planned.family_size,
        as_batches=planned.as_batches,
        offers=tuple(sorted(offers, key=lambda offer: _rank(offer, aim))),
        front=tuple(_front(scored)),
    )


def _rank(offer: Offer, aim: Aim) -> tuple[bool, float, float]:
    if offer.best is None:
        return True, 0.0, 0.0
    score = _score(offer.best, offer.agreement, aim) or 0.0
    return False, round(score, 12), offer.best.dollars or 0.0


def _score(cell: Cell, agreement: float | None, aim: Aim) -> float | None:
    """Return what the aim wants as small as can be; None where it is not known."""
    if aim == "interval":
        return cell.half_width
    if aim == "difference":
        return cell.difference
    return None if agreement is None or cell.half_width is None else -agreement


def _front(scored: Iterable[tuple[Place, float]]) -> Iterator[Place]:
    lowest = None
    for place, score in sorted(
        scored, key=lambda each: (each[0].cell.dollars or 0.0, each[1], each[0].cell.n_repeats)
    ):
        if lowest is None or round(score, 12) < round(lowest, 12):
            lowest = score
            yield place


def _offer(cap: float, arm: Arm, planned: Planned, aim: Aim) -> Offer:
    each = _dollars_per_decision(arm.asked, planned.prices)
    nothing = _why_nothing(arm, planned.cluster_sizes)
    spread = None if nothing else spread_of(arm.decisions)
    offer = Offer(
        judge=arm.judge,
        strategy=arm.strategy,
        agreement=arm.agreement,
        n_pilot=arm.n_pairs,
        n_referenced=arm.n_referenced,
        calls_per_decision=arm.calls_per_decision,
        dollars_per_decision=each,
        is_measured=bool(arm.asked) and not any(a.spent.estimated for a in arm.asked),
        spread=spread,
        grid=(),
        best=None,
        undefined=nothing or _why_unpriced(arm.asked, planned),
        notes=_notes(arm, spread, planned.differences.get((arm.judge, arm.strategy))),
    )
    if spread is None:
        return offer
    grid = tuple(cells_of(cap, arm, each, spread, planned))
    scores = [
        (round(score, 12), cell.dollars or 0.0, cell.half_width or 0.0, cell)
        for cell in grid
        if cell.fits and (score := _score(cell, arm.agreement, aim)) is not None
    ]
    # To agree most is no matter of pairs: of one strategy the narrowest cell is the best.
    place = (0, 2, 1) if aim == "agreement" else (0, 1, 2)
    best = min(scores, key=lambda found: [found[n] for n in place], default=None)
    if best is not None:
        return replace(offer, grid=grid, best=best[-1])
    return replace(offer, grid=grid, undefined=offer.undefined or _why_no_best(grid, aim))


def _why_no_best(grid: Sequence[Cell], aim: Aim) -> str:
    if aim == "difference" and any(cell.fits for cell in grid):
        return "It is the baseline itself, or the pilot does not hold it against the baseline."
    return "The cap does not reach for two clusters."


def _why_nothing(arm: Arm, sizes: Sequence[int]) -> str | None:
    if arm.missing:
        return arm.missing
    if not arm.decisions:
        return "No decision of the pilot can be held against a reference."
    if len({each.value for each in arm.decisions}) == 1:
        return "All decisions of the pilot agree alike: it shows no spread to plan with."
    return None if sizes else "No planned pair has a reference."


def _why_unpriced(asked: Sequence[Asked], planned: Planned) -> str | None:
    if unpriced := [each.judge for each in asked if each.judge not in planned.prices]:
        what = "batch_discount" if planned.as_batches else "price"
        return f"Unpriced: [prices] has no {what} of {' and '.join(unpriced)}."
    if any(not each.spent.with_tokens for each in asked):
        return "The pilot has no tokens to price."
    return None


def _notes(
    arm: Arm, spread: PilotSpread | None, against: StrategyDifference | None
) -> tuple[str, ...]:
    found = list(arm.notes)
    if spread is not None and not spread.is_repeated:
        found.append(NOT_REPEATED)
    if against is not None and not against.is_binary:
        found.append(_AVERAGED)
    if arm.decisions and (left := arm.n_referenced - arm.n_pairs):
        found.append(
            f"{left} of {arm.n_referenced} pairs of the pilot got no result; every figure assumes"
            " that all will."
        )
    return tuple(found)


def _dollars_per_decision(asked: Sequence[Asked], prices: Mapping[str, Price]) -> float | None:
    """Return the price of a decision with the tokens that calls of the pilot took on average."""
    total = 0.0
    for each in asked:
        price, spent = prices.get(each.judge), each.spent
        if price is None or not spent.with_tokens:
            return None
        whole = (
            spent.prompt_tokens * price.prompt_usd_per_million
            + spent.completion_tokens * price.completion_usd_per_million
        )
        total += each.calls * whole / spent.with_tokens / _MILLION
    return total if asked else None
