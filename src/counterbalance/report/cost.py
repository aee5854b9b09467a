"""What a group's verdicts cost, as lines of text and as a JSON value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from counterbalance.report.layout import plural, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.measures.cost import Spent, UnitCost

__all__ = [
    "UNIT_NAMES",
    "CostReport",
    "call_text",
    "cost_lines",
    "cost_value",
    "dollars",
    "money_text",
    "time_text",
    "token_text",
    "unit_text",
]

UNIT_NAMES = {
    "pair": "a pair",
    "stable_verdict": "a stable verdict",
    "correct_verdict": "a correct verdict (both orders agree with the reference)",
}
"""How a unit of cost reads, by its name."""
_CENT = 0.01


@dataclass(frozen=True, slots=True)
class CostReport:
    """What one group cost.

    Attributes
    ----------
    spent : Spent
        Calls, tokens, money and time.
    units : tuple[UnitCost, ...]
        Cost of a pair, a stable verdict and a correct verdict.
    price : str
        When and where the price was read; empty where there is none.
    """

    spent: Spent
    units: tuple[UnitCost, ...]
    price: str


def dollars(amount: float) -> str:
    """Return an amount with as many digits as it takes to tell it from 0.

    Parameters
    ----------
    amount : float
        In dollars.

    Returns
    -------
    str
        Four digits after the point, more below a cent.

    Examples
    --------
    >>> dollars(1.5), dollars(0.0000125), dollars(0.0)
    ('$1.5000', '$0.0000125', '$0.0000')
    """
    if not 0 < amount < _CENT:
        return f"${amount:.4f}"
    return f"${amount:.3g}" if f"{amount:.3g}".find("e") < 0 else f"${amount:.12f}".rstrip("0")


def cost_lines(cost: CostReport | None) -> Iterator[str]:
    """Yield what a group cost as lines; nothing where no call was made or a log holds no calls."""
    if cost is None or not cost.spent.calls:
        return
    spent = cost.spent
    yield ""
    yield (
        f"  Cost: {call_text(spent)}, {token_text(spent)}, {time_text(spent)};"
        f" {money_text(spent, cost.price)}"
    )
    for unit in cost.units:
        if unit.value is None:
            if spent.cost_usd is not None:
                yield f"    {UNIT_NAMES[unit.name]}: – {unit.undefined}"
            continue
        yield f"    {UNIT_NAMES[unit.name]}: {unit_text(unit)} (over {unit.denominator})"


def call_text(spent: Spent) -> str:
    """Return how many calls there were, and how many of them came back in batches."""
    batched = f" ({spent.batched} in batches)" if spent.batched else ""
    return plural(spent.calls, "call") + batched


def unit_text(unit: UnitCost) -> str:
    """Return what one of something cost; a dash where that is not known."""
    if unit.value is None:
        return "–"
    return f"{'at least ' if unit.is_lower_bound else ''}{dollars(unit.value)}"


def token_text(spent: Spent) -> str:
    """Return tokens, how they were counted, and how many calls have none."""
    if not spent.with_tokens:
        return "tokens unknown"
    kind = "counted by the engine"
    if spent.estimated:
        kind = "estimated"
        if spent.estimated < spent.with_tokens:
            kind = f"those of {plural(spent.estimated, 'call')} estimated"
    missing = spent.calls - spent.with_tokens
    unknown = f"; those of {plural(missing, 'call')} unknown" if missing else ""
    return (
        f"{spent.prompt_tokens} prompt and {spent.completion_tokens} reply tokens ({kind}{unknown})"
    )


def time_text(spent: Spent) -> str:
    """Return how long a call took on average."""
    if not spent.timed:
        return "time unknown"
    return f"{spent.seconds / spent.timed:.2f} s a call"


def money_text(spent: Spent, price: str) -> str:
    """Return what was spent and at which price, or that it is unpriced."""
    if spent.cost_usd is None:
        return "unpriced" if not price else f"cost unknown, at the price {visible(price, 100)}"
    missing = spent.calls - spent.priced
    least = "at least " if missing else ""
    unknown = f"; {plural(missing, 'call')} of unknown cost" if missing else ""
    return f"{least}{dollars(spent.cost_usd)} at the price {visible(price, 100)}{unknown}"


def cost_value(cost: CostReport | None) -> dict[str, Any] | None:
    """Return what a group cost as a JSON value; None for a log, which holds no calls of ours."""
    if cost is None:
        return None
    spent = cost.spent
    return {
        "calls": spent.calls,
        "batch_calls": spent.batched,
        "tokens": {
            "prompt": spent.prompt_tokens,
            "completion": spent.completion_tokens,
            "calls": spent.with_tokens,
            "estimated_calls": spent.estimated,
        },
        "seconds": {"total": spent.seconds, "calls": spent.timed},
        "priced_calls": spent.priced,
        "cost_usd": spent.cost_usd,
        "price": cost.price or None,
        "per": {
            unit.name: {
                "value": unit.value,
                "denominator": unit.denominator,
                "lower_bound": unit.is_lower_bound,
                "undefined": unit.undefined,
            }
            for unit in cost.units
        },
    }
