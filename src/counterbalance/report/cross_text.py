"""Every strategy by every probe as plain text: scores, what moved, and why a cell is empty."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from counterbalance.report.layout import columns, p_value, plural, visible
from counterbalance.report.measure_text import score_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from counterbalance.report.cross import CrossCell, CrossTable

__all__ = ["compared_lines", "cross_lines", "reason_lines", "untested_lines"]

_ABREAST = 4
"""Strategies beside one another that fit on a line."""
_WIDTH = 98
_JUDGE_CELLS = 60


def cross_lines(table: CrossTable, *, full: bool) -> Iterator[str]:
    """Yield the table of strategies by probes, as lines.

    Parameters
    ----------
    table : CrossTable
        The cells.
    full : bool
        Whether to list every comparison, and not only what Holm tells from 0.

    Yields
    ------
    str
        Lines without control characters; none where there are no cells.
    """
    if not table.cells:
        return
    yield ""
    yield "Every strategy by every probe: b over the results of the strategy, a tie in between"
    for judge in dict.fromkeys(cell.judge for cell in table.cells):
        yield f"  judge {visible(judge, _JUDGE_CELLS)}"
        yield from _scores([cell for cell in table.cells if cell.judge == judge])
    rows = [[name, visible(title, 80)] for name, title in table.titles if title]
    yield from columns(rows, indent=4)
    for sentence in reason_lines(table):
        yield from _wrapped(sentence)
    yield from _moves(table, full=full)


def _wrapped(sentence: str) -> list[str]:
    shown = visible(sentence, 2000)
    return textwrap.wrap(shown, _WIDTH, initial_indent="    ", subsequent_indent="      ")


def _scores(cells: Sequence[CrossCell]) -> Iterator[str]:
    held = {(cell.probe, cell.strategy): cell for cell in cells}
    strategies = list(dict.fromkeys(cell.strategy for cell in cells))
    for begin in range(0, len(strategies), _ABREAST):
        shown = strategies[begin : begin + _ABREAST]
        rows = [["probe", *shown]]
        rows += [
            [probe, *(_cell(held[probe, name]) for name in shown)]
            for probe in dict.fromkeys(cell.probe for cell in cells)
        ]
        yield from columns(rows, indent=4)


def _cell(cell: CrossCell) -> str:
    missing = f" ({cell.missing} missing)" if cell.missing else ""
    return f"{score_text(cell.score)}{missing}"


def reason_lines(table: CrossTable) -> Iterator[str]:
    """Yield why cells are empty: each reason once, with the probes and strategies it is of."""
    for reason, cells in _by_reason((cell.score.undefined, cell) for cell in table.cells):
        yield f"– {cells}: {reason}"


def untested_lines(cells: Iterable[CrossCell]) -> Iterator[str]:
    """Yield why comparisons have no p-value: each reason once, with what it is of."""
    compared = ((cell.moved.p_undefined, cell) for cell in cells if cell.moved is not None)
    for reason, named in _by_reason(compared):
        yield f"no test of {named}: {reason}"


def _by_reason(given: Iterable[tuple[str | None, CrossCell]]) -> Iterator[tuple[str, str]]:
    found: dict[str, dict[str, dict[str, None]]] = {}
    for reason, cell in given:
        if reason is not None:
            by_probe = found.setdefault(reason, {})
            by_probe.setdefault(cell.probe, {})[cell.strategy] = None
    for reason, by_probe in found.items():
        grouped: dict[str, list[str]] = {}
        for probe, strategies in by_probe.items():
            grouped.setdefault(", ".join(strategies), []).append(probe)
        yield reason, "; ".join(f"{', '.join(p)} under {named}" for named, p in grouped.items())


def compared_lines(cells: Sequence[CrossCell]) -> list[list[str]]:
    """Return comparisons with one call as rows: what, how far, on which pairs, how sure."""
    rows = []
    for cell in cells:
        if cell.moved is None:
            continue
        difference = cell.moved.difference
        if difference.value is None:
            rows.append([cell.probe, cell.strategy, "–", "", "–"])
            continue
        rows.append(
            [
                cell.probe,
                cell.strategy,
                score_text(difference),
                f"{cell.moved.n_up} up, {cell.moved.n_down} down of {difference.denominator:.0f}",
                p_value(cell.adjusted_p_value),
            ]
        )
    return rows


def _moves(table: CrossTable, *, full: bool) -> Iterator[str]:
    compared = [cell for cell in table.cells if cell.moved is not None]
    if not compared:
        return
    moved = [cell for cell in compared if cell.is_rejected]
    yield ""
    yield (
        f"  less B0, on the same pairs: {len(moved)} of {plural(table.family_size, 'difference')}"
        " told from 0 by Holm over all of them"
    )
    for judge in dict.fromkeys(cell.judge for cell in compared):
        own = [cell for cell in (compared if full else moved) if cell.judge == judge]
        if not own:
            continue
        against = own[0].baseline or "B0"
        yield f"  judge {visible(judge, _JUDGE_CELLS)}, less {visible(against, _JUDGE_CELLS)}"
        head = [["probe", "strategy", "moved by", "pairs", "Holm"]]
        yield from columns(head + compared_lines(own), indent=4)
        for sentence in untested_lines(own):
            yield from _wrapped(sentence)
    if not full:
        yield "  --full lists every difference with its interval; one not told from 0 is not 0"
