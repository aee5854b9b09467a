"""Text made comparable before matching, with a map back to the text as received.

Two strengths: `normalise` for everything read from prose, `without_marks` for JSON, where NFKC
could turn a full-width quotation mark inside a string into one that ends it.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["Source", "label_key", "normalise", "without_marks"]

_MARKS = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Characters that show nothing: zero width, bidi controls, soft hyphens, selectors, fillers."""

_BRACKETS = str.maketrans(
    {
        "【": "[", "】": "]", "〔": "[", "〕": "]", "〖": "[", "〗": "]", "⁅": "[", "⁆": "]",
        "⟦": "[[", "⟧": "]]", "〚": "[[", "〛": "]]", "≫": ">>", "≪": "<<", "⋙": ">>>", "⋘": "<<<",
        "\u2028": "\n", "\u2029": "\n", "\x85": "\n",
    }
)  # fmt: skip

# Canonical ordering of one long run of combining marks takes quadratic time, so that a run is
# normalised in pieces, as Unicode's stream-safe format does.
_LONGEST_RUN = 30

_PLAIN, _EXTENDING, _CHANGING = "pec"
_CHANGES = re.compile(f"c?e{{1,{_LONGEST_RUN}}}|pe{{1,{_LONGEST_RUN}}}|c")

Edit = tuple[int, int, int, int]
"""Start and end in the new text, start and end in the text received."""

_NEW_START = itemgetter(0)


class Source(NamedTuple):
    """A text to match in, and where each place of it was in the text received.

    Attributes
    ----------
    text : str
        The normalised text.
    edits : tuple[Edit, ...]
        Every stretch that differs from the text received, in order.
    """

    text: str
    edits: tuple[Edit, ...] = ()

    def received_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the stretch of the text received that a stretch of `text` was made from.

        Parameters
        ----------
        start : int
            First place in `text`.
        end : int
            Place after the last, greater than `start`.

        Returns
        -------
        tuple[int, int]
            Start and end in the text received.
        """
        if not self.edits:
            return start, end
        return self._received_start(start), self._received_end(end)

    def _received_start(self, place: int) -> int:
        index = bisect_right(self.edits, place, key=_NEW_START) - 1
        if index < 0:
            return place
        _, new_end, old_start, old_end = self.edits[index]
        return old_start if place < new_end else old_end + place - new_end

    def _received_end(self, place: int) -> int:
        # A mark removed right behind the stretch starts at `place` and stays outside.
        index = bisect_left(self.edits, place, key=_NEW_START) - 1
        if index < 0:
            return place
        _, new_end, _, old_end = self.edits[index]
        return old_end if place <= new_end else old_end + place - new_end


def normalise(text: str) -> Source:
    r"""Return the text with NFKC applied, invisible marks removed and brackets made ASCII.

    Parameters
    ----------
    text : str
        Any text, lone surrogates included.

    Returns
    -------
    Source
        The text to match in.

    Examples
    --------
    >>> source = normalise("ok 【【\u200bＢ】】")
    >>> source.text, source.received_span(3, 8)
    ('ok [[B]]', (3, 9))
    """
    if text.isascii():
        return Source(text)
    codes = {ord(c): _code(c) for c in set(text)}
    if set(codes.values()) == {_PLAIN}:
        return Source(text)
    # A picture of the text, one letter for each character, shows where something has to change.
    picture = text.translate(codes)
    return _rewritten(text, _CHANGES.finditer(picture), _replacement)


def without_marks(text: str) -> Source:
    """Return the text with nothing but invisible marks removed.

    Parameters
    ----------
    text : str
        Any text, lone surrogates included.

    Returns
    -------
    Source
        The text to match in.
    """
    if text.isascii():
        return Source(text)
    return _rewritten(text, _MARKS.finditer(text), lambda _: "")


@lru_cache(maxsize=1024)
def label_key(text: str) -> str:
    r"""Return what two spellings of one label have in common.

    Parameters
    ----------
    text : str
        A label as declared or as read.

    Returns
    -------
    str
        The normalised text, case folded, with single spaces.

    Examples
    --------
    >>> label_key(" Output\u00a0(A)")
    'output (a)'
    """
    # Folding can undo the normal form, as with the dotted capital I.
    folded = unicodedata.normalize("NFKC", normalise(text).text.casefold())
    return " ".join(folded.split())


def _rewritten(
    text: str, changes: Iterable[re.Match[str]], replace: Callable[[str], str]
) -> Source:
    pieces: list[str] = []
    edits: list[Edit] = []
    old = new = 0
    for match in changes:
        start, end = match.span()
        found = text[start:end]
        put = replace(found)
        if put == found:
            continue
        new += start - old
        pieces += (text[old:start], put)
        edits.append((new, new + len(put), start, end))
        old, new = end, new + len(put)
    pieces.append(text[old:])
    return Source("".join(pieces), tuple(edits))


@lru_cache(maxsize=4096)
def _replacement(found: str) -> str:
    visible = _MARKS.sub("", found)
    whole = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in visible)
    return _MARKS.sub("", unicodedata.normalize("NFKC", whole)).translate(_BRACKETS)


def _code(char: str) -> str:
    if _extends(char):
        return _EXTENDING
    return _PLAIN if _replacement(char) == char else _CHANGING


def _extends(char: str) -> bool:
    """Whether the character can melt into the one before it."""
    is_jamo = "\u1161" <= char <= "\u1175" or "\u11a8" <= char <= "\u11c2"
    return is_jamo or char in "\uff9e\uff9f" or unicodedata.category(char).startswith("M")
