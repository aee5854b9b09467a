"""What a cap on money buys, as lines of text and as a JSON value."""

from __future__ import annotations

import textwrap
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from counterbalance.report.cost import dollars
from counterbalance.report.layout import columns, percent, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.compare.budget import Aim, BudgetGrid, Offer
    from counterbalance.compare.budget_cells import Cell
    from counterbalance.compare.pilot_spread import PilotSpread

__all__ = ["budget_lines", "grid_value"]

_WIDTH = 98
_LONGEST_NAME = 32
_MOST_OF_FRONT = 12
_MOST_NAMED = 6
_AIMS: dict[Aim, str] = {
    "interval": "the narrowest interval around the agreement (--aim interval)",
    "difference": "the smallest difference from B0 that is detected (--aim difference)",
    "agreement": "what agreed most in the pilot (--aim agreement)",
}
_SELECTION = (
    "To choose the judge or strategy that agreed most in the pilot is selection: among several the"
    " best looks better than it is. Keep pairs back under [held_out] and confirm the choice on them"
    " (run --confirm)."
)
_UNCERTAIN = (
    "The spread and the tokens are those of the pilot, which is small and no sample of these pairs;"
    " retries come on top. Each strategy is priced as if it were the only one; calls that several"
    " of them share are paid once."
)
_BOUGHT = ("pairs", "each", "calls", "cost")
_TOLD = ("±", "from a rate", "from B0")
_NARROW = "A narrow interval says how well a strategy would be known, not that it is a good one."


def budget_lines(grid: BudgetGrid) -> Iterator[str]:
    """Yield what a cap buys of every judge and strategy, what serves the aim best first.

    Parameters
    ----------
    grid : BudgetGrid
        From `budget_grid`.

    Yields
    ------
    str
        Lines without control characters.
    """
    yield (
        f"under a cap of {dollars(grid.cap)}, by the pilot: for each judge and strategy the pairs"
        " and repetitions that serve the aim best"
    )
    yield f"  aim: {_AIMS[grid.aim]}{'; priced as batches' if grid.as_batches else ''}"
    yield (
        f"  in points: ± of the agreement's {grid.level:.0%} interval, and the smallest distance"
        f" from a given rate and from B0 that is found with a power of {grid.power:.0%}"
    )
    yield from columns(_rows(grid), right=range(2, 10))
    yield from _best(grid)
    yield from _front(grid)
    yield from _sources(grid.offers)
    yield from _remarks(grid.offers)
    for sentence in (_UNCERTAIN, _NARROW, _SELECTION):
        yield from _wrapped(sentence)


def grid_value(grid: BudgetGrid) -> dict[str, Any]:
    """Return what a cap buys as a JSON value, with every cell.

    Parameters
    ----------
    grid : BudgetGrid
        From `budget_grid`.

    Returns
    -------
    dict[str, Any]
        The cap in ``dollars``; what is not known is None and has its reason beside it.
    """
    value = asdict(grid)
    front = [
        {"judge": judge, "strategy": strategy, **asdict(cell)}
        for judge, strategy, cell in grid.front
    ]
    return {"dollars": value.pop("cap"), **value, "front": front}


def _rows(grid: BudgetGrid) -> list[list[str]]:
    rows = [
        ["judge", "strategy", *_BOUGHT, "a call", "tokens", "agreed", *_TOLD],
    ]
    for offer in grid.offers:
        each = offer.dollars_per_decision
        price = None if each is None else each / offer.calls_per_decision
        rows.append(
            [
                visible(offer.judge, _LONGEST_NAME),
                visible(offer.strategy, _LONGEST_NAME),
                *_bought(offer.best),
                dollars(price) if price is not None else "–" if offer.is_unasked else "unpriced",
                "–" if price is None else "measured" if offer.is_measured else "estimated",
                f"{percent(offer.agreement)} of {offer.n_pilot}",
                *_told(offer.best),
            ]
        )
    return rows


def _bought(cell: Cell | None) -> list[str]:
    if cell is None or cell.dollars is None:
        return ["–"] * 4
    return [str(cell.n_pairs), f"{cell.n_repeats}x", f"{cell.n_calls:.0f}", dollars(cell.dollars)]


def _told(cell: Cell | None) -> list[str]:
    if cell is None:
        return ["–"] * 3
    return [_points(each) for each in (cell.half_width, cell.detectable, cell.difference)]


def _points(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


def _best(grid: BudgetGrid) -> Iterator[str]:
    first = next(iter(grid.offers), None)
    cell = None if first is None else first.best
    if first is None or cell is None or cell.dollars is None:
        yield "best by the aim: nothing that the cap pays for, or nothing that has a price"
        return
    name = visible(f"{first.judge}, {first.strategy}", 2 * _LONGEST_NAME)
    yield from textwrap.wrap(
        f"best by the aim: {name}: {cell.n_pairs} pairs, {cell.n_repeats}x each, for"
        f" {dollars(cell.dollars)}",
        _WIDTH,
    )


def _front(grid: BudgetGrid) -> Iterator[str]:
    if not grid.front:
        return
    yield "front: what no other cell beats in both price and aim, the cheapest first"
    head = ["judge", "strategy", *_BOUGHT, *_TOLD]
    rows = [
        [
            visible(judge, _LONGEST_NAME),
            visible(strategy, _LONGEST_NAME),
            *_bought(cell),
            *_told(cell),
        ]
        for judge, strategy, cell in grid.front
    ]
    yield from columns([head, *_thinned(rows)], right=range(2, 9))


def _thinned(rows: list[list[str]]) -> list[list[str]]:
    """Return the first and the last rows where there are too many; the JSON holds them all."""
    if len(rows) <= _MOST_OF_FRONT:
        return rows
    half = _MOST_OF_FRONT // 2
    return [
        *rows[:half],
        [f"... {len(rows) - 2 * half} more with --json", *[""] * 8],
        *rows[-half:],
    ]


def _sources(offers: Sequence[Offer]) -> Iterator[str]:
    known = [(offer, offer.spread) for offer in offers if offer.spread is not None]
    if not known:
        return
    yield "variance of one decision's agreement in the pilot, by source (– cannot be told apart)"
    rows = [["judge", "strategy", "clusters", "pairs", "orders", "repetitions"]]
    rows += [
        [
            visible(offer.judge, _LONGEST_NAME),
            visible(offer.strategy, _LONGEST_NAME),
            *_variances(spread),
        ]
        for offer, spread in known
    ]
    yield from columns(rows, right=range(2, 6))
    reasons = {
        source.undefined: None
        for _, spread in known
        for source in (spread.cluster, spread.pair, spread.order, spread.repetition)
        if source.undefined
    }
    for sentence in reasons:
        yield from _wrapped(sentence)


def _variances(spread: PilotSpread) -> list[str]:
    return [
        "–" if source.variance is None else f"{source.variance:.4f}"
        for source in (spread.cluster, spread.pair, spread.order, spread.repetition)
    ]


def _remarks(offers: Sequence[Offer]) -> Iterator[str]:
    """Yield what limits offers, those that share a limit named together."""
    by_sentence: dict[str, list[str]] = {}
    for offer in offers:
        for sentence in (offer.undefined, *offer.notes):
            if sentence:
                name = f"{offer.judge} {offer.strategy}"
                by_sentence.setdefault(sentence, []).append(name)
    for sentence, names in by_sentence.items():
        whose = f"{', '.join(names)}: "
        if len(names) > _MOST_NAMED:
            whose = f"{len(names)} of {len(offers)} ways of judging: "
        yield from _wrapped(whose + sentence)


def _wrapped(sentence: str) -> Iterator[str]:
    yield from textwrap.wrap(
        visible(sentence, 1000), _WIDTH, initial_indent="  - ", subsequent_indent="    "
    )
