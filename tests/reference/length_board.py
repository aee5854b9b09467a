"""AlpacaEval's length-controlled board beside what its annotations alone allow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from counterbalance.importers.loading import read_logs
from counterbalance.importers.source_rows import source_rows
from counterbalance.measures.upstream.alpaca_eval_length import alpaca_eval_length
from extras import reference_folder
from reference_data import expected_figures

__all__ = ["BoardRow", "board_rows", "board_table", "computed_board"]

_NAMES = {"example": "NullModel"}
"""Folders of the board whose rows name another generator."""
_COMPUTED: list[BoardRow] = []


@dataclass(frozen=True)
class BoardRow:
    """One system: published, and ours, in percent."""

    system: str
    published: float
    raw: float
    alone: float
    adjusted: float


@cache
def board_rows() -> tuple[BoardRow, ...]:
    """Fit every system at hand; the baseline itself has no row."""
    published = {
        file.parts[-3]: figures["length_controlled_winrate"]
        for file, figures in expected_figures("alpaca_eval").items()
        if "length_controlled_winrate" in figures
    }
    log = read_logs([reference_folder() / "alpaca_eval" / "results"])
    found = []
    for row in alpaca_eval_length(source_rows(log.collected)).rows:
        name = _NAMES.get(row.system, row.system)
        rates = (row.raw, row.length_only, row.adjusted)
        found.append(BoardRow(name, published[name], *(100 * rate for rate in rates)))
    _COMPUTED.extend(found)
    return tuple(found)


def computed_board() -> list[BoardRow]:
    """Return the rows, if anybody computed them."""
    return list(_COMPUTED)


def board_table(rows: tuple[BoardRow, ...]) -> list[tuple[str, str, str]]:
    """Return each rate with its mean and largest absolute error, in points."""
    table = []
    for label, name in (
        ("raw", "raw"),
        ("by length alone, the trap", "alone"),
        ("re-estimated", "adjusted"),
    ):
        errors = np.abs([getattr(row, name) - row.published for row in rows])
        table.append((label, f"{errors.mean():.2f}", f"{errors.max():.1f}"))
    return table
