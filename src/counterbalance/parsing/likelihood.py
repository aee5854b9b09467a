"""The log-probabilities of a text, found among those of the prompt that it stood at the end of."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.presentations.reply import Reply

__all__ = ["text_logprobs"]

_BROKEN = re.compile("(\ufffd+)")
"""What stands for the bytes of a character that is split over tokens; none of ASCII ever is."""


def text_logprobs(reply: Reply, text: str) -> tuple[tuple[float, ...], str]:
    r"""Return the log-probabilities of the tokens that a prompt ends with, which spell a text.

    Parameters
    ----------
    reply : Reply
        Its text is a JSON list of tokens with log-probabilities.
    text : str
        The text that the prompt ends with.

    Returns
    -------
    tuple[tuple[float, ...], str]
        Log-probabilities in the order of the tokens and an empty reason; or none and why.

    Examples
    --------
    >>> from counterbalance.presentations.reply import Reply
    >>> listed = '[["", null], ["Why", -3.0], ["?\\n\\n", -1.0], ["So", -0.5], [".", -0.25]]'
    >>> text_logprobs(Reply(listed), "So.")
    ((-0.5, -0.25), '')
    >>> text_logprobs(Reply(listed), "No.")[1]
    'the tokens that came back do not spell the answer'
    """
    listed: list[tuple[str, float | None]] = [(t, p) for t, p in json.loads(reply.text)]
    begin = _begin([token for token, _ in listed], text)
    if begin is None:
        return (), "the tokens that came back do not spell the answer"
    logprobs = [logprob for _, logprob in listed[begin:]]
    if not logprobs:
        return (), "the answer has no token"
    known = tuple(logprob for logprob in logprobs if logprob is not None and logprob <= 0)
    if len(known) < len(logprobs):
        return (), "a token of the answer has no log-probability"
    return known, ""


def _begin(tokens: Sequence[str], text: str) -> int | None:
    """Return the place of the first token of a text; None where none begins it."""
    found = None
    spelt = ""
    for place in range(len(tokens) - 1, -1, -1):
        spelt = tokens[place] + spelt
        n_broken = spelt.count("\ufffd")
        if len(spelt) - n_broken > len(text):
            break
        if spelt == text or (n_broken and _may_spell(spelt, text)):
            # Of several places the earliest: bytes of one character are tokens of their own.
            found = place
    return found


def _may_spell(spelt: str, text: str) -> bool:
    parts = (
        rf"[^\x00-\x7f]{{1,{len(part)}}}" if part[:1] == "\ufffd" else re.escape(part)
        for part in _BROKEN.split(spelt)
    )
    return re.fullmatch("".join(parts), text) is not None
