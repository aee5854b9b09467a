"""Prints the table of sources and numbers at the end of a run that computed any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.computing import computed_results
from reference.published import folders_with_numbers
from reference.summary import reasons, table_rows

if TYPE_CHECKING:
    import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table."""
    folders = folders_with_numbers()  # tests that plant mistakes compute numbers of copies
    results = [result for result in computed_results() if result.number.folder in folders]
    if not results:
        return
    rows = table_rows(results)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    terminalreporter.section("published numbers")
    for row in rows:
        cells = [
            cell.ljust(width) if place < 2 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        terminalreporter.write_line("  ".join(cells))
    for reason in reasons(results):
        terminalreporter.write_line(f"not reproducible: {reason}")
