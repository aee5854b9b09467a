"""How a text is dressed: headings, list items and bold spans, as a reader of Markdown sees them.

Counted on the tokens of a Markdown parser, so that nothing inside a code fence, a code span or an
escape counts, and `#` or `**` that Markdown does not read as a mark is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

__all__ = ["STYLE_FEATURES", "TextStyle", "style_of"]

STYLE_FEATURES = ("headers", "lists", "bold")
"""What of a text's style is counted."""

_LONGEST = 200_000


@dataclass(frozen=True, slots=True)
class TextStyle:
    """Marks of one text.

    Attributes
    ----------
    headers : int
        Headings.
    lists : int
        List items, of any depth.
    bold : int
        Bold spans.
    """

    headers: int
    lists: int
    bold: int


def style_of(text: str) -> TextStyle:
    r"""Count the marks of a text.

    Parameters
    ----------
    text : str
        Any text; of one longer than 200,000 characters the beginning is read.

    Returns
    -------
    TextStyle
        What CommonMark reads as headings, list items and strong emphasis.

    Examples
    --------
    >>> fence = chr(96) * 3
    >>> style_of(f"# Plan\n- **one**\n- two\n\n{fence}\n# no heading\n- no item\n{fence}")
    TextStyle(headers=1, lists=2, bold=1)
    """
    headers = lists = bold = 0
    if not any(mark in text for mark in "#*_-+=.)"):
        return TextStyle(0, 0, 0)
    for token in _parser().parse(text[:_LONGEST]):
        headers += token.type == "heading_open"
        lists += token.type == "list_item_open"
        bold += sum(child.type == "strong_open" for child in token.children or ())
    return TextStyle(headers, lists, bold)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # noqa: PLC0415 (only where style is asked for)

    # Links and images cannot hold a mark that counts, and their parsing is what hostile texts slow.
    return MarkdownIt("commonmark").disable(["link", "image", "autolink", "reference"])
