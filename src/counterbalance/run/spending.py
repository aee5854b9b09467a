"""What calls cost, and the budget that ends a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.presentations.reply import Usage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.items.item import Message
    from counterbalance.protocol.protocol import Budget, Price

__all__ = ["Spending", "cost_usd", "estimated_tokens", "estimated_usage"]

_MILLION = 1_000_000
# Characters of English text for one token: an estimate, for judges that report no tokens.
_CHARACTERS_PER_TOKEN = 4


def estimated_tokens(*texts: str) -> int:
    """Return an estimate of the tokens of some texts, from their characters."""
    return -(-sum(map(len, texts)) // _CHARACTERS_PER_TOKEN)


def estimated_usage(messages: Sequence[Message], reply: str) -> Usage:
    """Return an estimate of a call's tokens, marked as one: budgets must hold for every judge."""
    prompt = estimated_tokens(*(message.content for message in messages))
    return Usage(prompt, estimated_tokens(reply), is_measured=False)


def cost_usd(usage: Usage | None, price: Price | None) -> float | None:
    """Return what a call cost in dollars, or None when tokens or price are unknown."""
    if usage is None or price is None:
        return None
    return (
        usage.prompt_tokens * price.prompt_usd_per_million
        + usage.completion_tokens * price.completion_usd_per_million
    ) / _MILLION


@dataclass(slots=True)
class Spending:
    """What a record has spent so far, over every run of it, calls under way included.

    Attributes
    ----------
    calls : int
        Calls started.
    tokens : int
        Tokens of prompts and replies; of calls under way, the estimate of the prompt.
    cost_usd : float
        Money, for priced calls.
    """

    calls: int = 0
    tokens: int = 0
    cost_usd: float = 0.0

    def add(self, usage: Usage | None, cost: float | None) -> None:
        """Count the reply of one call."""
        self._change(usage, cost, 1)

    def take_back(self, usage: Usage | None, cost: float | None) -> None:
        """Stop counting the estimate of a call that has come back."""
        self._change(usage, cost, -1)

    def _change(self, usage: Usage | None, cost: float | None, sign: int) -> None:
        if usage is not None:
            self.tokens += sign * (usage.prompt_tokens + usage.completion_tokens)
        self.cost_usd += sign * (cost or 0.0)

    def reached(self, budget: Budget) -> str | None:
        """Return the limit that is reached, in words, or None; no further call may be made then."""
        for spent, most, what in (
            (self.calls, budget.max_calls, "calls"),
            (self.tokens, budget.max_tokens, "tokens"),
            (self.cost_usd, budget.max_cost_usd, "dollars"),
        ):
            if most is not None and spent >= most:
                return f"budget of {most:g} {what} reached ({spent:g} spent or under way)"
        return None
