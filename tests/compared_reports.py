"""Reports of records that must be equal in everything but times and calls that were lost."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from counterbalance.report.text import render_text

if TYPE_CHECKING:
    from counterbalance.report.report import GroupReport, Report


def groups_without_cost(report: Report) -> list[GroupReport]:
    """Return the groups without what their calls took: seconds differ, and lost calls cost."""
    return [replace(group, cost=None) for group in report.groups]


def lines_without_calls(report: Report) -> list[str]:
    """Return the whole text, but for when it was begun, its calls and what they took."""
    text = render_text(report, detail="full").replace(report.begun_at, "")
    return [line for line in text.splitlines() if not line.startswith(("Calls: ", "  Cost: "))]
