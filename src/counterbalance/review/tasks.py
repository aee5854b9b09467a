"""Who is shown what, in which order: derived from a recorded seed, never drawn when it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.items.frames import Order
from counterbalance.items.hashing import tagged_hash
from counterbalance.items.item import Message, conversation_text
from counterbalance.presentations.presentation import Presentation, RenderedPrompt
from counterbalance.presentations.rendering import shown_texts
from counterbalance.presentations.seeding import rank, uniform
from counterbalance.protocol.wording import question_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from counterbalance.items.item import Pair, PairId
    from counterbalance.protocol.protocol import Protocol

__all__ = [
    "LABELLING",
    "SHORTEST_WITH_REPEATS",
    "audit_sample",
    "reviewer_tasks",
    "rubric_of",
    "task_prompt",
]

LABELLING = "1/2"
"""What the slots are called on the page."""
SHORTEST_WITH_REPEATS = 4
"""A shorter queue repeats nothing: the first showing would still be remembered."""
_GAP = 5


def audit_sample(stable: Iterable[PairId], size: int, seed: int) -> frozenset[PairId]:
    """Return a random sample without replacement of the pairs that have no other reason.

    Parameters
    ----------
    stable : Iterable[PairId]
        What it is drawn from.
    size : int
        How many are drawn; all of them where there are not that many.
    seed : int
        Decides which.

    Returns
    -------
    frozenset[PairId]
        The sample; it depends on the ids, not on their sequence.
    """
    shuffled = sorted(stable, key=lambda pair_id: rank(seed, "review audit", pair_id))
    return frozenset(shuffled[:size])


def reviewer_tasks(
    pairs: Sequence[Pair], protocol: Protocol, *, seed: int, repeats: int, name: str, review: str
) -> tuple[Presentation, ...]:
    """Return everything that one reviewer is shown, in that order.

    Cases come by consequence, and in a seeded shuffle where that is the same: neither the reason
    of a case nor a verdict decides its place. Half of them are shown in each order. Some come again
    in the exchanged order, at least a few cases later where the queue is long enough.

    Parameters
    ----------
    pairs : Sequence[Pair]
        The cases.
    protocol : Protocol
        Says question and rubric.
    seed : int
        Decides order, slots and repeats, with the reviewer's name.
    repeats : int
        How many cases come again; fewer where the queue is short.
    name : str
        The reviewer.
    review : str
        What tells this review from any other.

    Returns
    -------
    tuple[Presentation, ...]
        The tasks.
    """
    queue = sorted(
        pairs, key=lambda p: (-p.item.consequence, rank(seed, "review queue", name, p.id))
    )
    orders = _orders(queue, seed, name)
    judge_digest = tagged_hash("reviewer/1", [review, name])
    shown = [(pair, orders[pair.id], 0) for pair in queue]
    gap = min(_GAP, len(queue) // 2)
    for place, pair in _repeated(queue, seed, repeats, name, gap):
        earliest = place + gap + 1
        after = earliest + int(uniform(seed, "review gap", name, pair.id) * (len(queue) - earliest))
        at = next((i for i, (p, *_) in enumerate(shown) if p is queue[after]), len(shown))
        shown.insert(at + 1, (pair, orders[pair.id].other, 1))
    return tuple(
        Presentation(
            pair_id=pair.id,
            pair_key=pair.key,
            order=order,
            labelling=LABELLING,
            judge=name,
            judge_digest=judge_digest,
            temperature=None,
            prompt_digest=RenderedPrompt(task_prompt(pair, order, protocol)).digest,
            repetition=repetition,
        )
        for pair, order, repetition in shown
    )


def _orders(queue: Sequence[Pair], seed: int, name: str) -> Mapping[PairId, Order]:
    shuffled = sorted(queue, key=lambda pair: rank(seed, "review slots", name, pair.id))
    offset = rank(seed, "review first slot", name) % 2
    turns = (Order.FORWARD, Order.REVERSED)
    return {pair.id: turns[(place + offset) % 2] for place, pair in enumerate(shuffled)}


def _repeated(
    queue: Sequence[Pair], seed: int, repeats: int, name: str, gap: int
) -> list[tuple[int, Pair]]:
    """Return the cases that come again, with their places; only those with a gap behind them."""
    if len(queue) < SHORTEST_WITH_REPEATS:
        return []
    early = list(enumerate(queue))[: len(queue) - gap - 1]
    drawn = sorted(early, key=lambda at: rank(seed, "review repeats", name, at[1].id))
    return sorted(drawn[:repeats], key=lambda at: at[0])


def rubric_of(pair: Pair, protocol: Protocol) -> str:
    """Return the criteria that a pair is judged by: its own, where a probe exchanges them."""
    return pair.item.rubric or protocol.prompt.rubric


def task_prompt(pair: Pair, order: Order, protocol: Protocol) -> tuple[Message, ...]:
    """Return what a reviewer is shown of a pair in an order, as the record keeps it.

    Parameters
    ----------
    pair : Pair
        The pair.
    order : Order
        Which candidate stands first.
    protocol : Protocol
        Says question and rubric.

    Returns
    -------
    tuple[Message, ...]
        Question and rubric, then every section of the page that is not empty; no system name, no
        id, no verdict.
    """
    item = pair.item
    first, second = shown_texts(pair, order)
    sections = (
        ("Prompt", conversation_text(item.messages)),
        ("Source", item.context),
        ("Known good answer", item.reference_answer),
        ("Required", "\n".join(r.text for r in item.requirements if r.text)),
        ("Response 1", first),
        ("Response 2", second),
    )
    asked = (question_words(protocol.question), rubric_of(pair, protocol))
    body = "\n\n".join(f"{heading}\n{text}" for heading, text in sections if text)
    return (
        Message("system", "\n\n".join(text for text in asked if text)),
        Message("user", body),
    )
