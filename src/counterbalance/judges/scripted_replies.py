"""Replies of the scripted judge, written as each verdict format wants them."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING

from counterbalance.items.frames import Slot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.items.item import Message
    from counterbalance.judges.judge import Request
    from counterbalance.protocol.verdict_format import VerdictFormat

__all__ = [
    "PROSE",
    "REFUSAL",
    "written_logprobs",
    "written_reasoning",
    "written_tie",
    "written_win",
]

REFUSAL = "I'm sorry, but I can't help with comparing these answers."
"""Text of a refused call."""
PROSE = "Both answers have their merits; which of them serves better depends on the reader."
"""Text of a call that states no verdict in any format."""

_AROUND = {
    "bracket": "My final verdict is [[{}]]",
    "bracket5": "My final verdict is [[{}]]",
    "result": "The answers were compared. [RESULT] {}",
    "boxed": r"\boxed{{{}}}",
}
_CHOSEN = 0.75
_HIGH, _LOW = 8, 5
_OTHERS = 0.2


def written_win(slot: Slot, verdict_format: VerdictFormat, request: Request) -> str:
    """Return the text that says that the answer in one slot is better.

    Parameters
    ----------
    slot : Slot
        The winner's place.
    verdict_format : VerdictFormat
        How a verdict must be written.
    request : Request
        Has the labels on offer, and the prompt, which names the nonce where the format has one.

    Returns
    -------
    str
        A reply that the format reads as this verdict.
    """
    winner, loser = request.shown(slot).label, request.shown(slot.other).label
    if verdict_format.format == "bracket5":
        return f"My final verdict is [[{winner}>{loser}]]"
    return _written(winner, verdict_format, request)


def written_tie(label: str, verdict_format: VerdictFormat, request: Request) -> str:
    """Return the text that says that both answers are equally good.

    Parameters
    ----------
    label : str
        The label of a tie.
    verdict_format : VerdictFormat
        How a verdict must be written.
    request : Request
        Has the labels on offer, and the prompt, which names the nonce where the format has one.

    Returns
    -------
    str
        A reply that the format reads as a tie.
    """
    return _written(label, verdict_format, request)


def _written(label: str, verdict_format: VerdictFormat, request: Request) -> str:
    if verdict_format.format == "json":
        content: dict[str, object] = {verdict_format.key: label}
        content |= dict.fromkeys(verdict_format.fields, "none")
        if verdict_format.scores is not None:
            slots = [request.shown(slot).label for slot in Slot]
            scores = {slot: _HIGH if slot == label else _LOW for slot in slots}
            content[verdict_format.scores] = scores
        if verdict_format.quote is not None:
            content[verdict_format.quote] = ""
        return json.dumps(content, ensure_ascii=False)
    if verdict_format.format == "tag":
        nonce = _nonce(verdict_format, request.messages)
        return f"<{verdict_format.tag}{nonce}>{label}</{verdict_format.tag}>"
    if verdict_format.format == "regex":
        return verdict_format.form.replace("{{label}}", label)
    return _AROUND.get(verdict_format.format, "{}").format(label)


def _nonce(verdict_format: VerdictFormat, messages: Sequence[Message]) -> str:
    """Return the attribute that the prompt demands; the last one, since texts come before it."""
    pattern = rf'<{re.escape(verdict_format.tag)}( nonce="[0-9a-f]+")>'
    found = [m for message in messages for m in re.findall(pattern, message.content)]
    return found[-1] if verdict_format.nonce and found else ""


def written_reasoning(n_words: int) -> str:
    """Return so many words of reasoning; they state no verdict in any format."""
    return " ".join(["weighing"] * n_words)


def written_logprobs(chosen: str, labels: Sequence[str]) -> tuple[tuple[str, float], ...]:
    """Return label probabilities that favour one label and leave some mass to other words.

    Parameters
    ----------
    chosen : str
        The label of the verdict.
    labels : Sequence[str]
        The labels on offer.

    Returns
    -------
    tuple[tuple[str, float], ...]
        Token and natural log-probability, most probable first.

    Examples
    --------
    >>> [(label, round(value, 2)) for label, value in written_logprobs("B", ["A", "B", "C"])]
    [('B', -0.29), ('A', -2.3), ('C', -2.3)]
    """
    others = [label for label in labels if label != chosen]
    share = math.log(_OTHERS / len(others)) if others else 0.0
    return ((chosen, math.log(_CHOSEN)), *((label, share) for label in others))
