"""What stands under a comparison on a page: pairs, dispositions, settings, rates by references."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.report.comparison_text import pair_parts
from counterbalance.report.html.figures import Band, Matrix, heat_of
from counterbalance.report.html.sections import Words
from counterbalance.report.html.table import Cell, Table
from counterbalance.report.layout import percent, plural, visible
from counterbalance.report.measure_text import interval_text, notes, value_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.compare.comparison import Comparison
    from counterbalance.compare.moves import Moves
    from counterbalance.report.html.sections import Block

__all__ = ["comparison_name", "moved_pairs", "pairs_table", "rates_table", "settings_table"]

_MOST_MOVED = 60
_LONGEST_NAME = 90


def comparison_name(comparison: Comparison) -> str:
    """Return what a comparison is called on a page."""
    second, first = (visible(x.name, _LONGEST_NAME) for x in (comparison.second, comparison.first))
    return f"{second} against {first}"


def pairs_table(comparison: Comparison) -> Table:
    """Show which pairs are compared, and why the others are not.

    Parameters
    ----------
    comparison : Comparison
        Two sides.

    Returns
    -------
    Table
        The pairs of both sides, and for each measure the parts of the shared ones.
    """
    matched = comparison.matched
    counts = (
        ("on the first side", matched.n_first),
        ("on the second side", matched.n_second),
        ("shared", matched.n_shared),
        ("left out: on the first side only", matched.n_only_first),
        ("left out: on the second side only", matched.n_only_second),
        ("left out: the same id on both sides and other texts", matched.n_other_texts),
    )
    rows = [(Cell(f"pairs {what}"), Cell(str(n), is_number=True), Cell("")) for what, n in counts]
    rows += [
        (
            Cell(found.measure),
            Cell(str(found.n_common), is_number=True),
            Cell(f"{matched.n_shared} shared = {' + '.join(pair_parts(found))}"),
        )
        for found, _ in comparison.differences
    ]
    return Table(
        caption=f"Pairs: {comparison_name(comparison)}",
        about=(
            f"n = {plural(matched.n_shared, 'shared pair')}. A measure is about the pairs that both"
            " sides say something of; its parts add up to the shared ones."
        ),
        head=("what", "pairs", "parts"),
        rows=tuple(rows),
    )


def moved_pairs(comparison: Comparison) -> tuple[Block, ...]:
    """Show the dispositions on the first side by those on the second, and what moved.

    Parameters
    ----------
    comparison : Comparison
        Two sides.

    Returns
    -------
    tuple[Block, ...]
        A table that is drawn as a heat map, and the ids of the pairs that moved.
    """
    found = comparison.moves
    most = max(map(max, found.cells), default=0)
    matrix = Matrix(
        caption=f"Dispositions: {comparison_name(comparison)}",
        about=(
            f"n = {plural(found.n_pairs, 'shared pair')}, each in one cell; {found.n_moved} moved"
            f" ({percent(found.n_moved / found.n_pairs if found.n_pairs else None)}). The"
            " percentage is of its row; a stronger colour holds more pairs."
        ),
        corner="first ↓ second →",
        labels=found.labels,
        rows=tuple(
            tuple(_band(found, i, j, most) for j in range(len(found.labels)))
            for i in range(len(found.labels))
        ),
    )
    return (matrix, *_listed(found))


def _band(found: Moves, row: int, column: int, most: int) -> Band:
    count, whole = found.cells[row][column], sum(found.cells[row])
    hue = "kept" if row == column else "moved"
    return Band(count, percent(count / whole) if whole else "", heat_of(count, most), hue)


def _listed(found: Moves) -> Iterator[Words]:
    if found.moved:
        shown = ", ".join(visible(name, 60) for name in found.moved[:_MOST_MOVED])
        more = found.n_moved - _MOST_MOVED
        rest = f"; and {more} more, which --json lists" if more > 0 else ""
        yield Words((f"Moved, the most consequential first: {shown}{rest}.",))


def settings_table(comparison: Comparison) -> Table | None:
    """Show the settings of judging that differ; None where none does.

    Parameters
    ----------
    comparison : Comparison
        Two sides.

    Returns
    -------
    Table | None
        A row for each setting.
    """
    changes = comparison.attribution.changes
    if not changes:
        return None
    return Table(
        caption=f"Settings of judging that differ: {comparison_name(comparison)}",
        about=f"n = {plural(len(changes), 'setting')}, as both records hold them.",
        head=("setting", "first", "second"),
        rows=tuple(
            tuple(Cell(visible(x, 200)) for x in (each.name, each.first, each.second))
            for each in changes
        ),
    )


def rates_table(comparison: Comparison) -> Table | None:
    """Show win rates as judged and by the references; None where that says nothing new.

    Parameters
    ----------
    comparison : Comparison
        Two sides.

    Returns
    -------
    Table | None
        A row for each side and rate.
    """
    sides = zip((comparison.first, comparison.second), comparison.corrected, strict=True)
    held = [(side, estimate) for side, estimates in sides for estimate in estimates]
    if not held:
        return None
    said = " ".join(dict.fromkeys(notes([estimate for _, estimate in held])))
    return Table(
        caption=f"Win rates as judged and by the references: {comparison_name(comparison)}",
        about=(
            "Exploratory: what the references of some pairs say of the win rate over all pairs of a"
            f" side. {said}"
        ),
        head=("side and rate", "pairs", "value"),
        rows=tuple(
            (
                Cell(visible(side.name, _LONGEST_NAME), (estimate.name,)),
                Cell(f"{estimate.denominator:g}", is_number=True),
                Cell(
                    value_text(estimate.name, estimate.value),
                    (interval_text(estimate), f"method {estimate.method}"),
                    is_number=True,
                ),
            )
            for side, estimate in held
        ),
    )
