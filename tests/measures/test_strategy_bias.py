"""What a strategy moves: the rate of false alarms and of intervals that hold the truth."""

from __future__ import annotations

import numpy as np
import pytest

from counterbalance.items.frames import Order
from counterbalance.measures.probe_scores import signed_score
from counterbalance.measures.probe_values import Value
from counterbalance.measures.strategy_bias import CrossScore, moved
from counterbalance.probes.catalogue import PROBES

PROBE = PROBES["expanded"]
N_CLUSTERS, N_DRAWS = 24, 500


def scores(said: dict[str, int | None]) -> CrossScore:
    values = {u: Value(u, u.split(".")[0], "", Order.FORWARD, v, None) for u, v in said.items()}
    return CrossScore(signed_score(PROBE, list(values.values()), 0.95), values)


def drawn(generator: np.random.Generator, kinds: np.ndarray, b: float) -> CrossScore:
    """Draw one or two pairs of each cluster; clusters of either kind lean apart."""
    said: dict[str, int | None] = {}
    for cluster, kind in enumerate(kinds):
        for pair in range(1 + cluster % 2):
            chance = 0.5 + b / 2 + (0.2 if kind else -0.2)
            said[f"{cluster}.{pair}"] = 1 if generator.random() < chance else -1
    return scores(said)


@pytest.mark.parametrize("difference", [0.0, 0.4])
def test_intervals_hold_the_truth_and_nothing_is_found_where_nothing_moves(
    difference: float,
) -> None:
    generator = np.random.default_rng(20261130)
    covered = alarms = 0
    for _ in range(N_DRAWS):
        kinds = generator.integers(0, 2, N_CLUSTERS)
        base, other = drawn(generator, kinds, 0.0), drawn(generator, kinds, difference)
        found = moved(PROBE, other, base)
        covered += found.difference.low <= difference <= found.difference.high
        alarms += found.p_value is not None and found.p_value < 0.05
    assert 0.92 <= covered / N_DRAWS <= 0.98
    assert alarms / N_DRAWS <= 0.07 if difference == 0 else alarms / N_DRAWS > 0.3


def test_only_pairs_with_a_result_under_both_are_compared() -> None:
    one = scores({"p": 1, "q": None, "r": 1, "s": 0})
    other = scores({"p": -1, "q": 1, "r": None, "s": 0})
    found = moved(PROBE, one, other)
    assert (found.difference.value, found.difference.denominator) == (1, 2)
    assert (found.n_up, found.n_down) == (1, 0)
    assert found.p_value is None
    assert found.p_undefined
    assert one.missing == 1
    nothing = moved(PROBE, scores({"p": None}), other)
    assert nothing.difference.value is None
    assert nothing.p_undefined == nothing.difference.undefined
