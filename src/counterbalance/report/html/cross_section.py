"""Every strategy by every probe on a page: scores, and how far each moves one call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.report.cross_text import compared_lines, reason_lines, untested_lines
from counterbalance.report.html.sections import Block, Fold, Part, Section, Words
from counterbalance.report.html.table import Cell, Table
from counterbalance.report.layout import number, plural, visible
from counterbalance.report.measure_text import score_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.report.cross import CrossCell, CrossTable

__all__ = ["cross_section"]

_HOLM = "✱"


def cross_section(table: CrossTable) -> Section | None:
    """Return the section of strategies by probes.

    Parameters
    ----------
    table : CrossTable
        The cells.

    Returns
    -------
    Section | None
        A part for each judge or panel; None where there are no cells.
    """
    if not table.cells:
        return None
    about = (
        "A cure for one bias may move another. Each strategy was asked about the same probe pairs;"
        f" its combined results give b. {_HOLM}: Holm's correction over"
        f" {plural(table.family_size, 'difference')} tells the distance from B0 from 0."
    )
    judges = list(dict.fromkeys(cell.judge for cell in table.cells))
    parts = [
        Part(visible(judge), tuple(_blocks(judge, table, is_last=judge == judges[-1])))
        for judge in judges
    ]
    return Section("strategies", "Every strategy by every probe", about, tuple(parts))


def _blocks(judge: str, table: CrossTable, *, is_last: bool) -> Iterator[Block]:
    cells = [cell for cell in table.cells if cell.judge == judge]
    yield _scores(judge, cells, dict(table.titles))
    compared = compared_lines(cells)
    if compared:
        yield Fold("How far each strategy moves one call", (_moves(judge, cells, compared),))
    reasons = (*untested_lines(cells), *(reason_lines(table) if is_last else ()))
    if reasons:
        yield Words(tuple(visible(sentence, 2000) for sentence in reasons))


def _scores(judge: str, cells: Sequence[CrossCell], titles: dict[str, str]) -> Table:
    held = {(cell.probe, cell.strategy): cell for cell in cells}
    strategies = list(dict.fromkeys(cell.strategy for cell in cells))
    said = " ".join(f"{name}: {visible(titles.get(name, ''), 200)}." for name in strategies)
    rows = tuple(
        (Cell(probe), *(_cell(held[probe, name]) for name in strategies))
        for probe in dict.fromkeys(cell.probe for cell in cells)
    )
    return Table(
        caption=f"b of each probe under each strategy: {visible(judge)}",
        about=f"Each cell has its interval and the pairs it is out of. {said}",
        head=("probe", *strategies),
        rows=rows,
    )


def _cell(cell: CrossCell) -> Cell:
    if cell.by_construction is not None:
        return Cell("–", ("by construction",), is_number=True)
    mark = f"{_HOLM} " if cell.is_rejected else ""
    counts = f"n = {number(cell.score.denominator)}, {cell.missing} without a result"
    return Cell(f"{mark}{score_text(cell.score)}", (counts,), is_number=True)


def _moves(judge: str, cells: Sequence[CrossCell], compared: list[list[str]]) -> Table:
    against = next((cell.baseline for cell in cells if cell.baseline), "B0")
    return Table(
        caption=f"b of each strategy less that of {visible(against)}: {visible(judge)}",
        about=(
            "On the probe pairs that both have a result for. Up: pairs on which the strategy says"
            " more for the target. A difference that is not told from 0 is not 0."
        ),
        head=("probe", "strategy", "moved by", "pairs", "Holm"),
        rows=tuple(tuple(Cell(text) for text in row) for row in compared),
    )
