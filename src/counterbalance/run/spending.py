"""What calls cost, and the budget that ends a run before it would be passed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from counterbalance.presentations.reply import Usage
    from counterbalance.protocol.protocol import Budget, Price
    from counterbalance.record.attempt import Attempt

__all__ = ["Expected", "Spending", "charged_usd", "cost_usd", "expected"]

_MILLION = 1_000_000


def cost_usd(usage: Usage | None, price: Price | None) -> float | None:
    """Return what a call cost in dollars, or None when tokens or price are unknown."""
    if usage is None or price is None:
        return None
    return (
        usage.prompt_tokens * price.prompt_usd_per_million
        + usage.completion_tokens * price.completion_usd_per_million
    ) / _MILLION


def charged_usd(attempt: Attempt, price: Price | None) -> float | None:
    """Return what a call counts for against a budget.

    Parameters
    ----------
    attempt : Attempt
        The call.
    price : Price | None
        Price of its judge.

    Returns
    -------
    float | None
        What it cost. A reply from a batch file whose price nobody declared counts in full, so that
        a cap on money is kept; None where even that is unknown.
    """
    reply = attempt.reply
    if attempt.cost_usd is None and reply is not None and reply.is_of_batch:
        return cost_usd(reply.usage, price)
    return attempt.cost_usd


class Expected(NamedTuple):
    """What a call is expected to take, before it is made.

    Attributes
    ----------
    tokens : float
        Prompt and reply.
    cost_usd : float
        By the price table, at the prompt's price; 0 when unpriced.
    """

    tokens: float
    cost_usd: float


def expected(tokens: float, price: Price | None) -> Expected:
    """Return what a call is expected to take."""
    each = 0.0 if price is None else price.prompt_usd_per_million
    return Expected(tokens, tokens * each / _MILLION)


@dataclass(slots=True)
class Spending:
    """What a record has spent so far, over every run of it, and what is under way.

    Attributes
    ----------
    calls : int
        Calls started.
    tokens : int
        Tokens of prompts and replies.
    cost_usd : float
        Money, for priced calls.
    under_way : int
        Calls that have not come back yet.
    held_tokens : float
        Tokens set aside for them.
    held_usd : float
        Money set aside for them.
    """

    calls: int = 0
    tokens: int = 0
    cost_usd: float = 0.0
    under_way: int = 0
    held_tokens: float = 0.0
    held_usd: float = 0.0

    def add(self, usage: Usage | None, cost: float | None) -> None:
        """Count the reply of one call."""
        if usage is not None:
            self.tokens += usage.prompt_tokens + usage.completion_tokens
        self.cost_usd += cost or 0.0

    def begin(self, call: Expected) -> None:
        """Count a call that is about to be made, and set aside what it may take."""
        self.calls += 1
        self.under_way += 1
        self.held_tokens += call.tokens
        self.held_usd += call.cost_usd

    def end(self, call: Expected, usage: Usage | None, cost: float | None) -> None:
        """Put what a call really took in the place of what was set aside."""
        self.under_way -= 1
        self.held_tokens -= call.tokens
        self.held_usd -= call.cost_usd
        self.add(usage, cost)

    def has_no_calls(self, budget: Budget) -> bool:
        """Say whether every call that the budget allows was made."""
        return budget.max_calls is not None and self.calls >= budget.max_calls

    def reached(self, budget: Budget, call: Expected) -> str:
        """Return the limit that the next call would pass, in words; empty when there is room."""
        if budget.max_calls is None and budget.max_tokens is None and budget.max_cost_usd is None:
            return ""
        for spent, held, next_one, most, what in (
            (self.calls, 0.0, 1.0, budget.max_calls, "calls"),
            (self.tokens, self.held_tokens, call.tokens, budget.max_tokens, "tokens"),
            (self.cost_usd, self.held_usd, call.cost_usd, budget.max_cost_usd, "dollars"),
        ):
            # Sums of fractions leave crumbs, which are no reason to stop.
            if most is not None and (spent >= most or spent + held + next_one > most * (1 + 1e-9)):
                return (
                    f"budget of {most:g} {what} reached ({spent:g} spent, the next call needs"
                    f" about {next_one:g})"
                )
        return ""
