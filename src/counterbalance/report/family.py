"""The correction over a family of tests, every step of it, as lines and as a JSON value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.report.layout import columns, p_value, visible
from counterbalance.statistics.multiplicity import benjamini_hochberg

if TYPE_CHECKING:
    from counterbalance.report.report import Report
    from counterbalance.statistics.multiplicity import FamilyTest

__all__ = ["METHOD_NAMES", "exploratory_family", "family_lines", "family_value"]

_LONGEST_NAME = 120
METHOD_NAMES = {"holm": "Holm", "benjamini_hochberg": "Benjamini-Hochberg"}


def exploratory_family(report: Report) -> FamilyTest | None:
    """Return what Benjamini and Hochberg's procedure leaves of the tests that nobody planned.

    Parameters
    ----------
    report : Report
        The report of a run or of a log.

    Returns
    -------
    FamilyTest | None
        Over every group whose verdicts decide, the tests of a declared family left out; None with
        fewer than two p-values. It bounds the expected share of false ones among what is found,
        and confirms nothing.
    """
    groups = [group for group in report.groups if group.verdict_by in {"", "source"}]
    corrected = {} if report.family is None else {step.name for step in report.family.steps}
    p_values = {
        name: test.p_value
        for group in groups
        for test in group.tests
        if (name := f"{test.name} [{group.name}]") not in corrected and test.p_value is not None
    }
    if len(p_values) < 2:  # noqa: PLR2004 (one test needs no correction)
        return None
    level = groups[0].measures[0].level
    return benjamini_hochberg(p_values, len(p_values), round(1 - level, 12))


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
    method = METHOD_NAMES[family.method]
    title = f"{kind} tests, corrected together by {method} over {family.family_size}"
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
