"""Differences between two sides on a page: on an axis with margins, with what they rest on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.report.comparison_text import (
    DIFFERENCE_HEAD,
    comparison_cautions,
    difference_cells,
    side_words,
    verdict_word,
)
from counterbalance.report.html.figures import Forest, ForestRow
from counterbalance.report.html.plane import Scale, whole_of
from counterbalance.report.html.plot import Plot
from counterbalance.report.html.table import Cell, Table
from counterbalance.report.layout import p_value, plural

if TYPE_CHECKING:
    from collections.abc import Iterable

    from counterbalance.compare.comparison import Comparison, Plan
    from counterbalance.compare.difference import Difference
    from counterbalance.compare.verdict import Conclusion

__all__ = ["axis_of", "difference_forest", "difference_table", "points", "points_plot"]


_BEYOND_ONE = 1.5
"""End of the axis where a difference of two signed rates, or its interval, goes beyond 1."""


def points(value: float | None) -> str:
    """Return a difference of shares in points, with a sign."""
    return "–" if value is None else f"{100 * value:+.1f} points"


def axis_of(values: Iterable[float | None]) -> float:
    """Return how far an axis has to go on either side of 0 to hold these values; at most 2."""
    most = max((abs(value) for value in values if value is not None), default=0.0)
    return whole_of(most) if most <= 1 else _BEYOND_ONE if most <= _BEYOND_ONE else 2.0


def points_plot(
    value: float | None,
    limits: tuple[float | None, float | None],
    reach: float,
    margin: float | None = None,
    *,
    is_ring: bool = False,
) -> Plot | None:
    """Place a difference on an axis with 0 in the middle.

    Parameters
    ----------
    value : float | None
        The difference.
    limits : tuple[float | None, float | None]
        Ends of its interval.
    reach : float
        Where the axis ends, from `axis_of`.
    margin : float | None
        Smallest difference that matters; None for none.
    is_ring : bool
        Whether it is not told from 0.

    Returns
    -------
    Plot | None
        None where there is no value.
    """
    if value is None:
        return None
    scale = Scale(-reach, reach, 0.0, 100.0)
    low, high = (None if limit is None else scale.place(limit) for limit in limits)
    band = None if margin is None else (scale.place(-margin), scale.place(margin))
    return Plot(scale.place(value), low, high, band, is_ring=is_ring)


def difference_forest(comparison: Comparison, plan: Plan, caption: str) -> Forest:
    """Show every difference of one comparison on one axis.

    Parameters
    ----------
    comparison : Comparison
        Two sides.
    plan : Plan
        What was decided, and when.
    caption : str
        What is compared.

    Returns
    -------
    Forest
        A row for each measure; a ring is not told from 0 after the correction.
    """
    held = comparison.differences
    margins = [concluded.margin for _, concluded in held]
    reach = axis_of(
        (*margins, *(each for found, _ in held for each in (found.value, found.low, found.high)))
    )
    end = f"{100 * reach:g} points"
    return Forest(
        caption=caption,
        about=(
            f"n = {plural(comparison.matched.n_shared, 'shared pair')}; each row is out of those"
            f" that both sides say something of. Second side less first, {plan.level:.0%} intervals"
            " over clusters; a shaded band is the margin, a ring is not told from 0 after the"
            " correction."
        ),
        axis=(f"−{end}", "0", f"+{end}"),
        rows=tuple(_row(*each, reach, plan) for each in held),
        notes=tuple(comparison_cautions(comparison)),
    )


def _row(found: Difference, concluded: Conclusion, reach: float, plan: Plan) -> ForestRow:
    margin = concluded.margin
    is_found = concluded.adjusted is not None and concluded.adjusted <= 1 - plan.level + 1e-12
    held = "" if margin is None else f"margin ±{100 * margin:g} points: "
    method = "" if found.method == "none" else f"; method {found.method}"
    return ForestRow(
        name=found.measure,
        is_planned=plan.is_declared,
        means=found.positive_means,
        value=points(found.value),
        low="" if found.low is None else f"{100 * found.low:+.1f}",
        high="" if found.high is None else f"{100 * found.high:+.1f}",
        counts=(
            f"{side_words(found.first, found)} to {side_words(found.second, found)}; gained"
            f" {found.n_gained}, lost {found.n_lost} of {plural(found.n_common, 'common pair')} in"
            f" {plural(found.n_clusters, 'cluster')}{method}"
        ),
        exact=(found.value, found.low, found.high),
        margin=f"{held}{verdict_word(concluded)}; adjusted {p_value(concluded.adjusted)}",
        plot=points_plot(found.value, (found.low, found.high), reach, margin, is_ring=not is_found),
    )


def difference_table(comparison: Comparison) -> Table:
    """Return the numbers behind the differences of one comparison.

    Parameters
    ----------
    comparison : Comparison
        Two sides.

    Returns
    -------
    Table
        Both sides, what was gained and lost, the tests, and what the missing could change.
    """
    rows = []
    for found, concluded in comparison.differences:
        numbers = difference_cells(found, concluded)
        test = () if found.p_method == "none" else (f"test {found.p_method}",)
        rows.append((Cell(found.measure, test), *(Cell(x, is_number=True) for x in numbers)))
    return Table(
        caption="The same as a table",
        about=(
            "Gained: pairs that the second side alone gets right, or where it has the larger"
            " number; lost: the reverse. If all had come: the difference had each missing verdict"
            " turned out worst, and best."
        ),
        head=("measure", *DIFFERENCE_HEAD),
        rows=tuple(rows),
    )
