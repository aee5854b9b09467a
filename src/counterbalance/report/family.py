"""The correction over a family of tests, every step of it, as lines and as a JSON value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.report.layout import columns, p_value, visible

if TYPE_CHECKING:
    from counterbalance.statistics.multiplicity import FamilyTest

__all__ = ["family_lines", "family_value"]

_LONGEST_NAME = 120


def family_lines(family: FamilyTest, kind: str) -> list[str]:
    """Return every step of the correction: rank, p-value, threshold and what became of it.

    Parameters
    ----------
    family : FamilyTest
        The correction.
    kind : str
        ``Planned``, ``Declared`` or ``Exploratory``.

    Returns
    -------
    list[str]
        A blank line, a title and a table.
    """
    rows = [["rank", "test", "p", "threshold", "adjusted", "rejected"]]
    rows += [
        [
            str(step.rank or "–"),
            visible(step.name, _LONGEST_NAME),
            p_value(step.p_value),
            "–" if step.threshold is None else f"{step.threshold:.4f}",
            p_value(step.adjusted),
            "–" if step.p_value is None else "yes" if step.is_rejected else "no",
        ]
        for step in family.steps
    ]
    title = f"{kind} tests, corrected together by Holm over {family.family_size}"
    return ["", title, *columns(rows)]


def family_value(family: FamilyTest) -> dict[str, Any]:
    """Return a correction over a family with every step."""
    return {
        "method": family.method,
        "family_size": family.family_size,
        "error_rate": family.error_rate,
        "steps": [
            {
                "name": step.name,
                "rank": step.rank,
                "p_value": step.p_value,
                "threshold": step.threshold,
                "adjusted": step.adjusted,
                "is_rejected": step.is_rejected,
                "undefined": None if step.undefined is None else step.undefined.sentence,
            }
            for step in family.steps
        ],
    }
