"""The final region of a reply: what is left when reasoning blocks are cut.

A block runs from an opening tag to the next closing tag of the same name. A closing tag without an
opening one means that the prompt's template opened the block, so everything before it is reasoning;
the same rule makes nested blocks come out right. A block that is never closed leaves no region.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from counterbalance.protocol.verdict_format import REASONING_TAGS

__all__ = ["Region", "final_region"]

_TAG = re.compile(
    rf"<(?P<end>/?)\s{{0,3}}(?P<name>{'|'.join(REASONING_TAGS)})(?:\s[^<>]{{0,100}})?>"
    r"|\[(?P<square_end>/?)THINK\]|◁(?P<arrow_end>/?)think▷"
    r"|<\|(?P<token>begin|end)_of_thought\|>"
    r"|<\|channel\|>(?P<channel>analysis|commentary|final)(?:<\|message\|>)?",
    re.IGNORECASE,
)

_QUOTES = frozenset("`\"'")


class Region(NamedTuple):
    """What may hold the verdict.

    Attributes
    ----------
    text : str
        As long as the text it was cut from, so that places stay the same; what was cut is line
        feeds, which no marker reaches across.
    is_unclosed : bool
        Whether a reasoning block was never closed.
    """

    text: str
    is_unclosed: bool = False

    @property
    def is_blank(self) -> bool:
        """Whether nothing but white space is left."""
        return not self.text or self.text.isspace()


def final_region(text: str) -> Region:
    r"""Cut the reasoning blocks out of a text.

    Parameters
    ----------
    text : str
        A normalised reply.

    Returns
    -------
    Region
        The text that is left.

    Examples
    --------
    >>> final_region("<think>maybe [[A]]</think>[[B]]").text.strip()
    '[[B]]'
    >>> final_region("<think>I lean to [[A]]").is_unclosed
    True
    """
    if _TAG.search(text) is None:
        return Region(text)
    kept: list[tuple[int, int]] = []
    cursor = 0
    inside = ""
    for match in _TAG.finditer(text):
        if _is_mention(text, match):
            continue
        name, closes = _event(match)
        if not inside and not closes:
            kept.append((cursor, match.start()))
            inside = name
        elif not inside:
            kept.clear()
            cursor = match.end()
        elif closes and name == inside:
            inside = ""
            cursor = match.end()
    if inside:
        return Region("", is_unclosed=True)
    kept.append((cursor, len(text)))
    return Region(_only(text, kept))


def _event(match: re.Match[str]) -> tuple[str, bool]:
    """Name of the block and whether the tag closes it."""
    if match["name"]:
        return match["name"].lower(), bool(match["end"])
    if match["token"]:
        return "token", match["token"].lower() == "end"
    if match["channel"]:
        return "channel", match["channel"].lower() == "final"
    return ("square", bool(match["square_end"] or match["arrow_end"]))


def _is_mention(text: str, match: re.Match[str]) -> bool:
    """Whether the tag alone stands in quotes: somebody writes about it."""
    start, end = match.span()
    return start > 0 and end < len(text) and text[start - 1] == text[end] in _QUOTES


def _only(text: str, kept: list[tuple[int, int]]) -> str:
    if kept == [(0, len(text))]:
        return text
    pieces: list[str] = []
    end = 0
    for start, stop in kept:
        pieces += ("\n" * (start - end), text[start:stop])
        end = stop
    return "".join(pieces)
