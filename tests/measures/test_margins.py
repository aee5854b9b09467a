from __future__ import annotations

from dataclasses import replace

import pytest

from builders import in_columns, judged, pair
from counterbalance.measures.margins import against_margin
from counterbalance.measures.position import bias_position

ESTIMATE = bias_position(in_columns([judged(pair(), "a", "b")]))


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [
        (-0.04, 0.03, "inside"),
        (0.06, 0.2, "outside"),
        (-0.2, -0.06, "outside"),
        (-0.2, 0.2, "undetermined"),
        (0.04, 0.06, "undetermined"),
        (-0.05, 0.01, "undetermined"),
        (None, None, "undetermined"),
    ],
)
def test_the_whole_interval_decides(low, high, wanted):
    assert against_margin(replace(ESTIMATE, low=low, high=high), 0.05) == wanted
