"""Values that rows are known again by are those that each path alone would find."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbalance.importers.row_values import values_at
from counterbalance.importers.word_lookup import getter

NAMES = st.sampled_from(["m", "x", "0", "m.x", "m.0", "m.x.x", "y"])
SCALARS = st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["", "a", "1"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.dictionaries(NAMES, inner, max_size=3) | st.lists(inner, max_size=2),
    max_leaves=6,
)
ROWS = st.dictionaries(NAMES, VALUES, max_size=5)


@given(st.sets(NAMES, min_size=1), ROWS)
def test_all_values_at_once_are_those_of_each_path(paths: set[str], row: dict[str, Any]) -> None:
    together = values_at(paths)(row)
    assert sorted(map(repr, together)) == sorted(repr(getter(path)(row)) for path in paths)


@pytest.mark.parametrize("row", [{}, {"m": {"x": 1}}, {"m.x": 2, "m": {"x": 1}}, {"m": [5]}])
def test_values_always_stand_in_one_order(row: dict[str, Any]) -> None:
    paths = ["m.x", "y", "m.0", "x"]
    assert values_at(paths)(row) == values_at(reversed(paths))(row)
