"""Objects of JSON in a text, found in linear time and without recursion.

A text is walked once. Where an object turns out not to be JSON, the search goes on behind the
fault and never inside what was read before it, so that no part of a broken object passes for one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Member", "Scan", "scan", "scans", "whole_scan"]

_MOST_DEPTH = 200

_SPACE = " \t\r\n"
_START = re.compile(r'\{[ \t\r\n]*+["}]')
_TOKEN = re.compile(
    r'[ \t\r\n]*+(?:(?P<s>"(?:[^"\\]++|\\.)*+")|(?P<p>[{}\[\],:])'
    r"|(?P<n>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+|true|false|null))",
    re.DOTALL,
)
_VALID_STRING = re.compile(r'"(?:[^"\\]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"')
_CONTROL = re.compile(r"[\x00-\x1f]")

# What may come next, and what is expected after it. Opening and closing are handled by hand.
_STEPS = {
    ("key_or_end", "s"): "colon",
    ("key", "s"): "colon",
    ("colon", ":"): "value",
    ("value", "s"): "next",
    ("value", "n"): "next",
    ("value_or_end", "s"): "next",
    ("value_or_end", "n"): "next",
    ("next", ","): "item",
}
_OPENS = frozenset({("value", "{"), ("value", "["), ("value_or_end", "{"), ("value_or_end", "[")})
_CLOSES = {
    ("next", "}"): "{",
    ("key_or_end", "}"): "{",
    ("next", "]"): "[",
    ("value_or_end", "]"): "[",
}


@dataclass(frozen=True, slots=True)
class Member:
    """A key of the outermost object and its value.

    Attributes
    ----------
    key : str
        The key as written, quotation marks included.
    value : str
        The value as written.
    start : int
        Where the key starts.
    end : int
        Where the value ends.
    """

    key: str
    value: str
    start: int
    end: int


@dataclass(slots=True)
class Scan:
    """What was read from one opening bracket on.

    Attributes
    ----------
    start : int
        Where the bracket is.
    end : int
        Behind the closing bracket, or at the fault.
    is_complete : bool
        Whether the closing bracket was reached.
    is_cut : bool
        Whether the text ended before it.
    is_too_deep : bool
        Whether it is nested deeper than anything a judge writes.
    members : list[Member]
        Complete members of the outermost object.
    repairs : set[str]
        Tolerated faults.
    """

    start: int
    end: int
    is_complete: bool = False
    is_cut: bool = False
    is_too_deep: bool = False
    members: list[Member] = field(default_factory=list)
    repairs: set[str] = field(default_factory=set)


class _Scanner:
    """One walk; see `scan`."""

    def __init__(self, text: str, start: int, *, lenient: bool) -> None:
        self.text = text
        self.lenient = lenient
        self.scan = Scan(start, start + 1)
        self.stack = [text[start]]
        self.state = "key_or_end" if text[start] == "{" else "value_or_end"
        self.key = (0, 0)
        self.value_start = 0

    def run(self) -> Scan:
        place = self.scan.start + 1
        while self.stack:
            match = _TOKEN.match(self.text, place)
            if match is None or not self._accepts(match):
                self.scan.end = place
                self.scan.is_cut = match is None and self._is_at_end(place)
                return self.scan
            place = match.end()
        self.scan.end = place
        self.scan.is_complete = True
        return self.scan

    def _accepts(self, match: re.Match[str]) -> bool:
        kind = match["p"] or match.lastgroup or ""
        if kind == "s" and not self._is_good_string(match["s"]):
            return False
        step = (self.state, kind)
        if step in _STEPS:
            self._go_on(match, kind, _STEPS[step])
            return True
        if step in _OPENS:
            return self._open(match, kind)
        if _CLOSES.get(step) == self.stack[-1]:
            self._close(match)
            return True
        return False

    def _go_on(self, match: re.Match[str], kind: str, state: str) -> None:
        is_top = len(self.stack) == 1 and self.stack[0] == "{"
        if is_top and state == "colon":
            self.key = match.span("s")
        elif is_top and state == "next":
            self._add_member(match.start(kind), match.end())
        if state == "item":
            state = "key" if self.stack[-1] == "{" else "value"
        self.state = state

    def _open(self, match: re.Match[str], kind: str) -> bool:
        if len(self.stack) >= _MOST_DEPTH:
            self.scan.is_too_deep = True
            return False
        if len(self.stack) == 1:
            self.value_start = match.start("p")
        self.stack.append(kind)
        self.state = "key_or_end" if kind == "{" else "value_or_end"
        return True

    def _close(self, match: re.Match[str]) -> None:
        self.stack.pop()
        self.state = "next"
        if len(self.stack) == 1 and self.stack[0] == "{":
            self._add_member(self.value_start, match.end())

    def _add_member(self, value_start: int, value_end: int) -> None:
        key = self.text[slice(*self.key)]
        value = self.text[value_start:value_end]
        self.scan.members.append(Member(key, value, self.key[0], value_end))

    def _is_good_string(self, string: str) -> bool:
        if _CONTROL.search(string):
            self.scan.repairs.add("control_characters")
        if "\\" in string and not _VALID_STRING.fullmatch(string):
            self.scan.repairs.add("invalid_escapes")
            return self.lenient
        return True

    def _is_at_end(self, place: int) -> bool:
        rest = self.text[place : place + 400].lstrip(_SPACE)
        is_half_word = any(w.startswith(rest) for w in ("true", "false", "null"))
        return rest.startswith('"') or is_half_word or not rest.strip("-+.eE")


def scan(text: str, start: int, *, lenient: bool = False) -> Scan:
    r"""Walk one object or list.

    Parameters
    ----------
    text : str
        The text.
    start : int
        Where its opening bracket is.
    lenient : bool
        Whether a backslash before any character is tolerated, as LaTeX brings them along.

    Returns
    -------
    Scan
        What was read, complete or not.

    Examples
    --------
    >>> [(m.key, m.value) for m in scan('{"winner": "A"} and so on', 0).members]
    [('"winner"', '"A"')]
    """
    return _Scanner(text, start, lenient=lenient).run()


def whole_scan(text: str, *, lenient: bool = False) -> Scan | None:
    """Return the walk over a text that is one object or list and nothing else.

    Parameters
    ----------
    text : str
        The text.
    lenient : bool
        As for `scan`.

    Returns
    -------
    Scan | None
        The complete walk; None when the text is something else.
    """
    start = len(text) - len(text.lstrip(_SPACE))
    # What does not end like one is no walk of megabytes.
    if text[start : start + 1] not in {"{", "["} or text.rstrip(_SPACE)[-1] not in "}]":
        return None
    found = scan(text, start, lenient=lenient)
    return found if found.is_complete and not text[found.end :].strip(_SPACE) else None


def scans(text: str, *, lenient: bool = False) -> Iterator[Scan]:
    """Yield the walks over all objects of a text that are in no other, in order.

    Parameters
    ----------
    text : str
        The text.
    lenient : bool
        As for `scan`.

    Yields
    ------
    Scan
        Complete walks, and at last one that the end of the text cut, if there is one. The walks end
        with one that is too deep.
    """
    match = _START.search(text)
    while match is not None:
        found = scan(text, match.start(), lenient=lenient)
        if found.is_complete or found.is_cut or found.is_too_deep:
            yield found
        if found.is_cut or found.is_too_deep:
            return
        match = _START.search(text, found.end)
