"""The win rate by references, where only some pairs have one."""

from __future__ import annotations

import numpy as np
import pytest

from builders import in_columns, judged, pair
from counterbalance.measures.catalogue import group_measures
from counterbalance.measures.few_labels import FEW_LABEL_MEASURES, few_label_win_rates
from counterbalance.statistics import prediction_powered_mean, rogan_gladen

# What was said in forward and reversed order, the reference if any, and of how many pairs.
ROWS = (
    (("a", "a"), ("a",), 12), (("a", "a"), ("b",), 4), (("b", "b"), ("b",), 9),
    (("b", "b"), ("tie",), 3), (("a", "b"), ("a",), 2), (("a", "a"), (), 60), (("b", "b"), (), 30),
    (("a", "b"), (), 10), (("a", "unparsed"), ("a",), 5), (("a", "unparsed"), (), 5),
    (("a", "a"), ("a", "tie"), 4),
)  # fmt: skip


def columns(rows=ROWS):
    return in_columns(
        [
            judged(pair(f"p{n}-{k}", accepted=accepted), *said)
            for n, (said, accepted, size) in enumerate(rows)
            for k in range(size)
        ]
    )


def test_it_is_the_statistic_of_the_labels_and_credits():
    corrected, alone, rogan = few_label_win_rates(columns())
    labels = [1] * 12 + [0] * 4 + [0] * 9 + [0.5] * 3 + [1] * 2
    credits_ = [1] * 16 + [0] * 12 + [0.5] * 2
    oracle = prediction_powered_mean(
        labels, credits_, [1] * 60 + [0] * 30 + [0.5] * 10, bounds=(0, 1)
    )
    assert (corrected.value, corrected.low, corrected.high) == pytest.approx(
        (oracle.estimate, oracle.low, oracle.high)
    )
    assert corrected.denominator == 130
    assert alone.value == pytest.approx(np.mean(labels))
    assert alone.denominator == 30
    assert rogan.value == pytest.approx(rogan_gladen(((12, 0), (4, 9)), 60, 90).estimate)
    assert rogan.denominator == 115


def test_it_corrects_a_judge_that_favours_one_side_and_says_more_than_labels_alone():
    """References say a in half the pairs; the judge says a in three quarters of the others too."""
    generator = np.random.default_rng(8)
    truths = generator.random(1500) < 0.5
    says_a = truths | (generator.random(1500) < 0.4)
    rows = [
        (("a", "a") if says else ("b", "b"), (("a",) if truth else ("b",)) if n < 150 else (), 1)
        for n, (truth, says) in enumerate(zip(truths, says_a, strict=True))
    ]
    corrected, alone, rogan = few_label_win_rates(columns(rows))
    raw = next(e for e in group_measures(columns(rows), baseline="old") if e.name == "win_rate_a")
    assert raw.low > 0.6
    assert corrected.low < truths.mean() < corrected.high
    assert rogan.low < truths.mean() < rogan.high
    assert corrected.high - corrected.low < alone.high - alone.low


@pytest.mark.parametrize(
    "rows",
    [
        [(("a", "a"), ("a",), 20)],  # every pair has a reference
        [(("a", "a"), (), 20)],  # none has
        [(("a", "unparsed"), ("a",), 5), (("a", "a"), (), 20)],  # none with verdicts has
    ],
)
def test_where_it_says_nothing_it_is_not_there(rows):
    assert few_label_win_rates(columns(rows)) == []
    names = {estimate.name for estimate in group_measures(columns(rows), baseline="old")}
    assert not names & set(FEW_LABEL_MEASURES)


def test_without_spread_or_a_second_label_there_is_no_interval_and_why():
    for n_labels in (1, 12):
        rows = [(("a", "a"), ("a",), n_labels), (("a", "a"), (), 20)]
        for found in few_label_win_rates(columns(rows)):
            assert found.low is None
            assert found.undefined or any("No interval" in each for each in found.cautions)
