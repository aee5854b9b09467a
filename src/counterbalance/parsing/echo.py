"""Whether a marker was copied from a candidate's text and so is not the judge's.

A marker that stands in no candidate's text is never an echo. One that does is an echo when

* it stands in a quotation (quotes, inline code, a quoted line, a code block), and the quotation
  holds more than the marker and stands word for word in the same text; an ellipsis ends it; or
* it stands in quotes all alone, and the reply goes on behind them; or
* it stands in no quotation, but with eighty characters around it that stand in the same text.

So the bare marker at the end of a reply always counts, whatever the candidates wrote, and so does
the sentence that everybody ends with ("My final verdict is: [[B]]"), unless it is quoted.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

from counterbalance.parsing.normalise import normalise

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Echoes"]

_REACH = 600
"""How far from a marker its quotation may begin or end."""
_COPIED = 80
"""Characters beside the marker that are no coincidence."""
_MOST_CHECKS = 2000

_QUOTES = (('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’"), ("«", "»"), ("`", "`"), ("「", "」"))
_ELLIPSIS = re.compile(r"\.\.\.|\[?…\]?")
_FENCE = re.compile("```")


class Echoes:
    """The texts of both candidates, asked about one reply.

    Parameters
    ----------
    texts : Sequence[str]
        Both texts as the prompt showed them.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._received = texts
        self._checks = 0
        self._fences: dict[str, list[int]] = {}

    def has(self, region: str, start: int, end: int) -> bool:
        """Return whether the marker at a place of the region is an echo.

        Parameters
        ----------
        region : str
            The final region.
        start : int
            Where the marker starts.
        end : int
            Where it ends.

        Returns
        -------
        bool
            True when it was copied from a candidate.
        """
        if not self._received:
            return False
        marker = _squeezed(region[start:end])
        if not self._may_hold(marker):
            return False
        texts = [text for text in self._texts if marker in text]
        if not texts:
            return False
        self._checks += 1
        if self._checks > _MOST_CHECKS:
            # Thousands of markers that a candidate wrote too: a copy, and time is bounded.
            return True
        line = _quoted_line(region, start, end, is_code=self._is_in_code(region, start))
        return any(
            (line and line in text) or _is_copied(text, marker, region, start, end)
            for text in texts
        )

    @cached_property
    def _texts(self) -> tuple[str, ...]:
        """The texts with case folded and white space made single spaces."""
        return tuple(_squeezed(normalise(text).text) for text in self._received if text)

    def _may_hold(self, marker: str) -> bool:
        """Say at little cost, and never wrongly, that no text holds a marker without spaces."""
        if " " in marker:
            return True
        head = marker[:2]
        is_in_one_case = head.upper() == head
        # Folding the case of ASCII is all that can make such a text hold what it did not.
        for text in self._received:
            if not text.isascii():
                return True
            if not (is_in_one_case and head not in text) and marker in text.lower():
                return True
        return False

    def _is_in_code(self, region: str, place: int) -> bool:
        """Whether the place stands between an opening and a closing fence."""
        if region not in self._fences:
            self._fences[region] = [match.start() for match in _FENCE.finditer(region)]
        return bisect_right(self._fences[region], place) % 2 == 1


def _is_copied(text: str, marker: str, region: str, start: int, end: int) -> bool:
    for opened, closed in _quotations(region, start, end):
        quotation = _piece(region, opened, closed, start, end)
        if _words(quotation) != _words(marker):
            if quotation in text:
                return True
        elif _goes_on(region, closed):
            return True
    return any(stretch in text for stretch in _unquoted(region, start, end))


def _quotations(region: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Nearest quotation marks of each kind on both sides, within one paragraph."""
    floor = max(start - _REACH, 0)
    ceiling = min(end + _REACH, len(region))
    floor = max(floor, region.rfind("\n\n", floor, start))
    stop = region.find("\n\n", end, ceiling)
    ceiling = ceiling if stop < 0 else stop
    for opening, closing in _QUOTES:
        opened = region.rfind(opening, floor, start)
        closed = region.find(closing, end, ceiling)
        if opened >= 0 and closed >= 0:
            yield opened + 1, closed


def _piece(region: str, opened: int, closed: int, start: int, end: int) -> str:
    """Return the quotation, from the last ellipsis before the marker to the first behind it."""
    before = _ELLIPSIS.split(region[opened:start])[-1]
    after = _ELLIPSIS.split(region[end:closed])[0]
    return _squeezed(before + region[start:end] + after)


def _goes_on(region: str, place: int) -> bool:
    return any(c.isalnum() for c in region[place : place + _REACH])


def _unquoted(region: str, start: int, end: int) -> Iterator[str]:
    """Stretches with so much text beside the marker that to find one elsewhere shows a copy."""
    half = _COPIED // 2
    for a, b in ((start - _COPIED, end), (start - half, end + half), (start, end + _COPIED)):
        stretch = _squeezed(region[max(a, 0) : b])
        # Blanked reasoning and other white space are no text that anybody copied.
        if len(stretch) - (end - start) >= _COPIED * 3 // 4:
            yield stretch


def _quoted_line(region: str, start: int, end: int, *, is_code: bool) -> str:
    """Return the line around the marker, if it is quoted and holds more; else nothing."""
    floor = max(start - _REACH, 0)
    ceiling = min(end + _REACH, len(region))
    begin = max(region.rfind("\n", floor, start) + 1, floor)
    stop = region.find("\n", end, ceiling)
    stop = ceiling if stop < 0 else stop
    head = region[begin:start]
    before = head.lstrip("> \t")
    is_quoted = ">" in head[: len(head) - len(before)]
    if not (is_code or is_quoted) or not _words(before + region[end:stop]):
        return ""
    return _squeezed(before + region[start:stop])


def _squeezed(text: str) -> str:
    return " ".join(text.casefold().split())


def _words(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
