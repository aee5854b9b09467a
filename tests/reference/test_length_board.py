"""How near AlpacaEval's length-controlled board comes, and how far length alone leads astray."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

import counterbalance
from extras import reference_folder
from reference.length_board import board_rows, board_table

PAGE = Path(counterbalance.__file__).parents[2] / "docs" / "explanation" / "length-and-quality.md"


@pytest.mark.reference
def test_the_board_is_near_and_length_alone_is_a_trap() -> None:
    reference_folder()
    rows = board_rows()
    assert len(rows) == 19
    published = np.array([row.published for row in rows])
    errors = {
        name: np.abs([getattr(row, name) - row.published for row in rows]).mean()
        for name in ("raw", "alone", "adjusted")
    }
    assert errors["adjusted"] <= 1.3
    assert errors["raw"] > 6
    assert errors["alone"] > errors["raw"]
    assert spearmanr([row.adjusted for row in rows], published).statistic > 0.98
    alpaca = next(row for row in rows if row.system == "alpaca-7b")
    assert alpaca.alone > 3 * alpaca.published > alpaca.adjusted


@pytest.mark.reference
def test_the_page_shows_the_table() -> None:
    reference_folder()
    page = PAGE.read_text("utf-8")
    for cells in board_table(board_rows()):
        assert f"| {' | '.join(cells)} |" in page
