"""The chain of an audit as a drawing: one box for each link, joined where nothing is broken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.report.tables_text import LINK_WORDS
from counterbalance.tables.check import CHAIN, Audit

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["chain_svg"]

_BOX = (150, 74)
_GAP = 34
_ACROSS = 5
_ROW = 118
_MARGIN = 8


def chain_svg(audit: Audit) -> str:
    """Return the chain as SVG; classes carry the colours, and words carry the meaning.

    Parameters
    ----------
    audit : Audit
        The audit.

    Returns
    -------
    str
        An ``svg`` element with a title and a description for readers that see none.
    """
    counts = audit.counts_by_link
    used = [link for link in CHAIN if sum(counts[link].values())]
    n_rows = max(1, -(-len(used) // _ACROSS))
    width = _MARGIN * 2 + _ACROSS * _BOX[0] + (_ACROSS - 1) * _GAP
    height = _MARGIN * 2 + (n_rows - 1) * _ROW + _BOX[1]
    drawn = [
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-labelledby="chain-title">',
        f'<title id="chain-title">{_spoken(audit)}</title>',
    ]
    for i, link in enumerate(used):
        of_link = counts[link]
        if i:
            drawn += _joint(i, is_broken=bool(counts[used[i - 1]]["inconsistent"]))
        drawn += _box(i, LINK_WORDS[link], of_link)
    return "\n".join([*drawn, "</svg>"])


def _spoken(audit: Audit) -> str:
    parts = []
    for link, counts in audit.counts_by_link.items():
        if sum(counts.values()):
            parts.append(f"{LINK_WORDS[link]}: {_words(counts)}")
    return "; ".join(parts) or "no link could be followed"


def _words(counts: dict[str, int]) -> str:
    return (
        f"{counts['inconsistent']} inconsistent, {counts['consistent']} consistent,"
        f" {counts['cannot_be_checked']} cannot be checked"
    )


def _corner(i: int) -> tuple[int, int]:
    """Return the upper left corner of a box; rows run to and fro, so that the chain is one line."""
    row, along = divmod(i, _ACROSS)
    column = along if row % 2 == 0 else _ACROSS - 1 - along
    return _MARGIN + column * (_BOX[0] + _GAP), _MARGIN + row * _ROW


def _joint(i: int, *, is_broken: bool) -> Iterator[str]:
    (x1, y1), (x2, y2) = _corner(i - 1), _corner(i)
    if y1 == y2:
        y = y1 + _BOX[1] // 2
        ends = (x1 + _BOX[0], y, x2, y) if x2 > x1 else (x1, y, x2 + _BOX[0], y)
    else:
        x = x1 + _BOX[0] // 2
        ends = (x, y1 + _BOX[1], x, y2)
    kind = "broken" if is_broken else "whole"
    yield (
        f'<line class="joint {kind}" x1="{ends[0]}" y1="{ends[1]}" x2="{ends[2]}" y2="{ends[3]}"/>'
    )


def _box(i: int, words: str, counts: dict[str, int]) -> Iterator[str]:
    x, y = _corner(i)
    kind = "cannot_be_checked"
    if counts["inconsistent"]:
        kind = "inconsistent"
    elif counts["consistent"]:
        kind = "consistent"
    middle = x + _BOX[0] // 2
    tally = f"✗ {counts['inconsistent']}  ✓ {counts['consistent']}  ? {counts['cannot_be_checked']}"
    yield (
        f'<rect class="link {kind}" x="{x}" y="{y}" width="{_BOX[0]}" height="{_BOX[1]}" rx="8"/>'
    )
    yield f'<text class="name" x="{middle}" y="{y + 30}">{words}</text>'
    yield f'<text class="tally" x="{middle}" y="{y + 54}">{tally}</text>'
