"""What a cap on money buys, as lines of text."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from counterbalance.report.cost import dollars
from counterbalance.report.layout import columns, percent, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.compare.budget import Offer

__all__ = ["budget_lines"]

_WIDTH = 98
_SELECTION = (
    "To choose the judge or strategy that agreed most in the pilot is selection: among several the"
    " best looks better than it is. Keep pairs back under [held_out] and confirm the choice on them"
    " (run --confirm)."
)
_UNCERTAIN = (
    "The spread and the tokens are those of the pilot, which is small and no sample of these pairs;"
    " retries come on top."
)


def budget_lines(cap: float, offers: Sequence[Offer], level: float) -> Iterator[str]:
    """Yield what a cap buys of every judge and strategy, the narrowest interval first.

    Parameters
    ----------
    cap : float
        Dollars.
    offers : Sequence[Offer]
        From `budget_grid`.
    level : float
        Nominal coverage of the interval.

    Yields
    ------
    str
        Lines without control characters.
    """
    yield f"under a cap of {dollars(cap)}, by the pilot: the most pairs and repetitions it pays for"
    head = ["judge", "strategy", "pairs", "each", "calls", "cost", "a call", "tokens"]
    rows = [[*head, "agreement in the pilot", f"± at {level:.0%}"]]
    for offer in offers:
        best = offer.best
        price = "–" if offer.dollars_per_call is None else dollars(offer.dollars_per_call)
        bought = ["–"] * 4
        if best is not None:
            bought = [
                str(best.n_pairs), f"{best.n_repeats}x", str(best.n_calls), dollars(best.dollars)
            ]  # fmt: skip
        tokens = "measured" if offer.is_measured else "estimated"
        rows.append(
            [
                visible(offer.judge, 40),
                offer.strategy,
                *bought,
                price,
                "–" if offer.dollars_per_call is None else tokens,
                f"{percent(offer.agreement)} of {offer.n_pilot}",
                "–" if best is None else f"{100 * best.half_width:.1f} points",
            ]
        )
    yield from columns(rows, right=range(2, 7))
    for offer in offers:
        for sentence in filter(None, (offer.undefined, offer.note)):
            yield from _wrapped(f"{offer.judge}, {offer.strategy}: {sentence}")
    yield from _wrapped(_UNCERTAIN)
    yield from _wrapped(_SELECTION)


def _wrapped(sentence: str) -> Iterator[str]:
    yield from textwrap.wrap(
        visible(sentence, 1000), _WIDTH, initial_indent="  - ", subsequent_indent="    "
    )
