"""Requests for judges, and the one way tests ask them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from counterbalance.items.frames import Order, Slot
from counterbalance.items.item import Message
from counterbalance.judges.judge import Judge, Request, Shown
from counterbalance.presentations.order import side_in
from counterbalance.presentations.presentation import PresentationKey

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.presentations.reply import Reply


def request(
    first: str = "Paris",
    second: str = "Lyon",
    *,
    labels: tuple[str, ...] = ("A", "B"),
    prompt: str | None = None,
    **changes: Any,
) -> Request:
    """Return a short request about two texts."""
    text = (
        prompt
        if prompt is not None
        else (
            f"What is the capital of France?\n\nAnswer {labels[0]}:\n{first}\n\n"
            f"Answer {labels[1]}:\n{second}\n\nReply with nothing but {labels[0]} or {labels[1]}."
        )
    )
    fields: dict[str, Any] = {
        "key": PresentationKey(f"{first}|{second}|{labels}"),
        "messages": (Message("system", "You compare two answers."), Message("user", text)),
        "first": Shown(labels[0], first),
        "second": Shown(labels[1], second),
        "labels": labels,
        "temperature": None,
        "seed": 1,
        "attempt": 1,
    }
    return Request(**{**fields, **changes})


def shown_in(
    order: Order, a: str, b: str, labels: tuple[str, ...] = ("1", "2"), **changes: Any
) -> Request:
    """Return a request that shows candidates in an order, by the product's own map."""
    texts = {"a": a, "b": b}
    first, second = (texts[side_in(slot, order)] for slot in (Slot.FIRST, Slot.SECOND))
    return request(first, second, labels=labels, **changes)


async def _asked(judge: Judge, requests: Sequence[Request], *, closes: bool) -> list[Reply]:
    try:
        return [await judge.ask(one) for one in requests]
    finally:
        if closes:
            await judge.close()


def replies(judge: Judge, *requests: Request, closes: bool = False) -> list[Reply]:
    """Ask one request after the other."""
    return asyncio.run(_asked(judge, requests, closes=closes))
