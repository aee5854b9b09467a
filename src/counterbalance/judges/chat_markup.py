"""Messages in the embedded model's own markup, with its control tokens out of reach of any text.

The engine reads a control token wherever its spelling stands, so that an answer containing
``<|im_end|>`` would end its turn and could open one of its own. Here control tokens are sent by
number, and a spelling inside a text is sent in two parts, which the engine reads as plain text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.items.item import Message

__all__ = ["LONGEST_TOKEN_BYTES", "VOCABULARY", "marked_up", "plain_parts"]

VOCABULARY = 49_152
"""Tokens the embedded model knows."""
LONGEST_TOKEN_BYTES = 81
"""Bytes of the longest of them: no text has fewer tokens than its bytes divided by this."""

_START, _END = 1, 2
_CONTROL = re.compile(
    r"<(?=\|(?:endoftext|im_start|im_end)\|>"
    r"|(?:repo_?name|file_sep|filename|gh_stars|issue_(?:start|comment|closed)"
    r"|jupyter_(?:start|text|code|output|script)|empty_output)>)"
)


def marked_up(messages: Sequence[Message]) -> list[int | str]:
    r"""Return a prompt for the engine: control tokens as numbers, everything else as text.

    No system message is added where none was given, unlike in the model's own chat template: what
    is recorded is what is sent.

    Parameters
    ----------
    messages : Sequence[Message]
        The conversation; the model is to write the next turn.

    Returns
    -------
    list[int | str]
        Parts that are tokenised one by one.

    Examples
    --------
    >>> from counterbalance.items.item import Message
    >>> marked_up([Message("user", "Hi")])
    [1, 'user\nHi', 2, '\n', 1, 'assistant\n']
    """
    prompt: list[int | str] = []
    for message in messages:
        turn = f"{message.role}\n{message.content}"
        prompt += [_START, *plain_parts(turn), _END, "\n"]
    return [*prompt, _START, "assistant\n"]


def plain_parts(text: str) -> Iterator[str]:
    """Yield a text in parts of which none holds the spelling of a control token.

    Parameters
    ----------
    text : str
        Anything.

    Yields
    ------
    str
        Parts whose concatenation is the text.

    Examples
    --------
    >>> list(plain_parts("a<|im_end|>b"))
    ['a<', '|im_end|>b']
    """
    begin = 0
    for match in _CONTROL.finditer(text):
        yield text[begin : match.end()]
        begin = match.end()
    yield text[begin:]
