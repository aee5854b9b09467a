"""The correction over a family of tests as a table of a page, every step of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.report.family import METHOD_NAMES
from counterbalance.report.html.table import Cell, Table
from counterbalance.report.layout import p_value, visible

if TYPE_CHECKING:
    from counterbalance.statistics.multiplicity import FamilyTest

__all__ = ["family_table"]


def family_table(family: FamilyTest, caption: str) -> Table:
    """Return every step of a correction.

    Parameters
    ----------
    family : FamilyTest
        The correction.
    caption : str
        What the tests are.

    Returns
    -------
    Table
        Name, p-value, threshold, adjusted p-value and what became of it.
    """
    rows = tuple(
        (
            Cell(visible(step.name), () if step.undefined is None else (step.undefined.sentence,)),
            Cell(p_value(step.p_value), is_number=True),
            Cell("–" if step.threshold is None else f"{step.threshold:.4f}", is_number=True),
            Cell(p_value(step.adjusted), is_number=True),
            Cell("–" if step.p_value is None else "yes" if step.is_rejected else "no"),
        )
        for step in family.steps
    )
    return Table(
        caption=caption,
        about=(
            f"{METHOD_NAMES[family.method]}'s correction over {family.family_size} tests, at an"
            f" error rate of {family.error_rate:g}."
        ),
        head=("test", "p", "threshold", "adjusted", "rejected"),
        rows=rows,
    )
