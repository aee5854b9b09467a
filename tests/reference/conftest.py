"""Prints the table of sources and numbers at the end of a run that computed any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.computing import computed_results
from reference.length_board import board_table, computed_board
from reference.published import folders_with_numbers
from reference.summary import reasons, table_rows

if TYPE_CHECKING:
    import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the tables."""
    _print_board(terminalreporter)
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


def _print_board(terminalreporter: pytest.TerminalReporter) -> None:
    """Print AlpacaEval's length-controlled rates, raw and re-estimated side by side."""
    rows = computed_board()
    if not rows:
        return
    terminalreporter.section("AlpacaEval's length-controlled win rates, in percent")
    head = f"{'system':36}{'published':>11}{'raw':>8}{'length alone':>14}{'re-estimated':>14}"
    terminalreporter.write_line(head)
    for row in rows:
        figures = f"{row.published:11.2f}{row.raw:8.2f}{row.alone:14.2f}{row.adjusted:14.2f}"
        terminalreporter.write_line(f"{row.system:36}{figures}")
    for label, mean, largest in board_table(tuple(rows)):
        terminalreporter.write_line(f"{label}: mean absolute error {mean}, largest {largest}")
