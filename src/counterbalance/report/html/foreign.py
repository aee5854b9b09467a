"""Texts that others wrote, made inert: escaped, every hidden character visible, the rest cut."""

from __future__ import annotations

import unicodedata

from markupsafe import Markup, escape

__all__ = ["LONGEST_PASSAGE", "finalized", "passage"]

LONGEST_PASSAGE = 4000
"""Characters of one text that a page shows: the first and the last half, and what decided."""
_AROUND = 200
_KEPT = frozenset("\n\t\u200c\u200d")
"""Shown as they are: line ends, tabs, and the joiners without which words and emoji fall apart."""


def finalized(value: object) -> object:
    """Make hidden characters of any text visible before a template shows it.

    Parameters
    ----------
    value : object
        What a template is about to print; markup of the template's own stays as it is.

    Returns
    -------
    object
        The same, or text in which control and direction characters are written as escapes.
    """
    if isinstance(value, Markup) or not isinstance(value, str) or value.isprintable():
        return value
    return "".join(c if _is_harmless(c) else _escape(c) for c in value)


def passage(text: str, span: tuple[int, int] | None = None) -> Markup:
    r"""Return a foreign text of any length for a block of its own.

    Parameters
    ----------
    text : str
        As it was received.
    span : tuple[int, int] | None
        Start and end of what decided the verdict, which is marked; None when nothing is known.

    Returns
    -------
    Markup
        Escaped text; hidden characters and left-out parts are elements that say what they are.

    Examples
    --------
    >>> passage("<b>A\u202e</b>", (3, 4))
    Markup('&lt;b&gt;<mark>A</mark><i class="hidden-character">\\u202e</i>&lt;/b&gt;')
    """
    parts: list[Markup] = []
    shown_to = 0
    for start, end in _kept(len(text), span):
        if start > shown_to:
            parts.append(_cut(start - shown_to))
        if span is not None and start <= span[0] and span[1] <= end:
            parts += [
                _inert(text[start : span[0]]),
                Markup("<mark>") + _inert(text[slice(*span)]) + Markup("</mark>"),
                _inert(text[span[1] : end]),
            ]
        else:
            parts.append(_inert(text[start:end]))
        shown_to = end
    return parts[0] if len(parts) == 1 else Markup().join(parts)


def _kept(length: int, span: tuple[int, int] | None) -> list[tuple[int, int]]:
    """List the stretches that are shown, apart from one another and in sequence."""
    half = LONGEST_PASSAGE // 2
    if length <= LONGEST_PASSAGE:
        return [(0, length)]
    wanted = [(0, half), (length - half, length)]
    if span is not None and span[1] - span[0] <= LONGEST_PASSAGE:
        wanted.append((max(span[0] - _AROUND, 0), min(span[1] + _AROUND, length)))
    merged: list[tuple[int, int]] = []
    for start, end in sorted(wanted):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((start, end))
    return merged


def _cut(n: int) -> Markup:
    return Markup('<i class="cut">[… {} characters left out here …]</i>').format(f"{n:,}")


def _inert(text: str) -> Markup:
    if text.isprintable():
        return escape(text)
    return Markup().join(
        escape(c)
        if _is_harmless(c)
        else Markup('<i class="hidden-character">{}</i>').format(_escape(c))
        for c in text.replace("\r\n", "\n")
    )


def _is_harmless(character: str) -> bool:
    is_space = unicodedata.category(character) == "Zs"
    return character in _KEPT or character.isprintable() or is_space


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
