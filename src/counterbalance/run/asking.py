"""A planned presentation to the request that a judge is handed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.judges.judge import Request, Shown
from counterbalance.presentations.rendering import Renderer, shown_texts
from counterbalance.presentations.reply import Usage
from counterbalance.presentations.seeding import sampling_seed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.items.item import Message, Pair
    from counterbalance.presentations.presentation import Presentation

__all__ = ["CHARACTERS_PER_TOKEN", "estimated_tokens", "estimated_usage", "request_for"]

CHARACTERS_PER_TOKEN = 4
"""Of English text; an estimate for judges whose tokenizer is not here."""


def request_for(
    presentation: Presentation,
    pair: Pair,
    renderer: Renderer,
    attempt: int,
    max_tokens: int | None = None,
) -> Request:
    """Return the request for one attempt at a presentation.

    Parameters
    ----------
    presentation : Presentation
        What is planned.
    pair : Pair
        The pair it shows.
    renderer : Renderer
        Renders the protocol's own prompt under the record's secret.
    attempt : int
        Number of the attempt, from 1; a retry and a repetition each draw a seed of their own.
    max_tokens : int | None
        Raised limit of the reply; None keeps the judge's, or what the prompt needs.

    Returns
    -------
    Request
        Without any system name, file name or candidate id.
    """
    room = renderer.protocol.reply_limit(presentation.judge, presentation.prompt)
    renderer = renderer.under(presentation.prompt)
    protocol = renderer.protocol
    labelling = renderer.labelling(presentation.labelling)
    first, second = shown_texts(pair, presentation.order)
    return Request(
        key=presentation.key,
        messages=renderer.messages(pair, labelling, first, second),
        first=Shown(labelling.first, first),
        second=Shown(labelling.second, second),
        labels=renderer.offered(presentation.labelling),
        temperature=presentation.temperature,
        seed=sampling_seed(renderer.protocol.seed, presentation.key, attempt),
        attempt=attempt,
        max_tokens=max(max_tokens or 0, room or 0) or None,
        verdict=protocol.verdict if presentation.prompt else None,
    )


def estimated_tokens(messages: Sequence[Message]) -> int:
    """Return an estimate of the tokens of a prompt, from its characters."""
    return -(-sum(map(len, [m.content for m in messages])) // CHARACTERS_PER_TOKEN)


def estimated_usage(messages: Sequence[Message], reply: str) -> Usage:
    """Return an estimate of a call's tokens, marked as one: budgets must hold for every judge."""
    completion = -(-len(reply) // CHARACTERS_PER_TOKEN)
    return Usage(estimated_tokens(messages), completion, is_measured=False)
