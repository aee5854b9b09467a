"""Markdown read by its tokens: what a text says apart from its marks, and which marks it has.

A library parses; nothing here guesses from a line whether it is a list. Marks inside blocks of code
are part of the code.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

__all__ = ["format_marks", "has_code_block", "has_links", "plain_text", "same_words"]

_COUNTED = {
    "heading_open": "headings",
    "list_item_open": "list items",
    "strong_open": "bold",
    "em_open": "italic",
    "code_inline": "inline code",
    "fence": "code blocks",
    "blockquote_open": "quotes",
    "table_open": "tables",
    "hr": "rules",
    "link_open": "links",
    "image": "images",
    "s_open": "struck",
}
_VERBATIM = {"text", "code_inline", "fence", "code_block", "html_block", "html_inline"}
_BREAKS = {"softbreak": "\n", "hardbreak": "\n"}
_ENDS_BLOCK = {
    "paragraph_close", "heading_close", "list_item_close", "blockquote_close", "tr_close",
    "th_close", "td_close", "hr",
}  # fmt: skip


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    # Loaded where a text is first looked at: most verbs never do.
    from markdown_it import MarkdownIt  # noqa: PLC0415

    return MarkdownIt("commonmark").enable(["table", "strikethrough"])


def _tokens(text: str) -> Iterator[Token]:
    for token in _parser().parse(text):
        yield from token.children or () if token.type == "inline" else (token,)


def plain_text(text: str) -> str:
    r"""Return what a Markdown text says, without its marks.

    Parameters
    ----------
    text : str
        Markdown, or prose.

    Returns
    -------
    str
        A line for each block; the content of code blocks stays as it is.

    Examples
    --------
    >>> plain_text("# Tea" + chr(10) + "- **boil** water" + chr(10) + "- wait")
    'Tea\nboil water\nwait'
    """
    parts: list[str] = []
    for token in _tokens(text):
        if token.type in _VERBATIM or token.type == "image":
            parts.append(token.content)
        elif token.type in _BREAKS:
            parts.append(_BREAKS[token.type])
        elif token.type in _ENDS_BLOCK:
            parts.append("\n")
    lines = (line.rstrip() for line in "".join(parts).split("\n"))
    return "\n".join(line for line in lines if line)


def format_marks(text: str) -> Mapping[str, int]:
    """Return how many Markdown marks of each kind a text has, outside of code blocks.

    Parameters
    ----------
    text : str
        Markdown, or prose.

    Returns
    -------
    Mapping[str, int]
        By kind; empty for prose.

    Examples
    --------
    >>> dict(format_marks("# Tea" + chr(10) + "- **boil** water" + chr(10) + "- wait"))
    {'headings': 1, 'list items': 2, 'bold': 1}
    """
    return Counter(_COUNTED[t.type] for t in _tokens(text) if t.type in _COUNTED)


def has_code_block(text: str) -> bool:
    """Return whether a text has a block of code, whose marks and line breaks mean something."""
    return any(token.type in {"fence", "code_block"} for token in _tokens(text))


def has_links(text: str) -> bool:
    """Return whether a text has links or images, whose targets a plain text would lose."""
    return any(token.type in {"link_open", "image"} for token in _tokens(text))


def same_words(one: str, other: str) -> bool:
    """Return whether two texts are the same but for white space.

    Parameters
    ----------
    one : str
        A text.
    other : str
        Another.

    Returns
    -------
    bool
        White space at all places is taken as equal, its amount aside.

    Examples
    --------
    >>> same_words("Boil water.  Wait.", "Boil water." + chr(10) + "Wait.")
    True
    """
    return one.split() == other.split()
