"""No statistic answers data that hold no answer with NaN, infinity, a sure p or a width of 0."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass

import numpy as np
import pytest

from counterbalance import statistics
from counterbalance.statistics import CohenKappa, Costs, Spread

FEATURES = [[0], [1]] * 20
FOURS = [n // 4 for n in range(40)]


def panels():
    for function in ("gwet_ac1", "fleiss_kappa", "krippendorff_alpha"):
        for counts in ([], [[0, 0]], [[1, 0]], [[2, 0]], [[2, 0], [0, 2]], [[1, 1], [1, 1]]):
            for clusters in (None, ["one"] * len(counts)):
                yield function, (counts, clusters), {}
    for ratings in ([], [[None, None]], ["xx"], ["xx", "yy"], ["xy", "xy"], ["xy", "yx"]):
        yield "rater_agreement", (ratings, "xy"), {}
        yield "rater_agreement", (ratings, "xy", ["one"] * len(ratings)), {}
    for table in ([], [[0, 0], [0, 0]], [[9, 0], [0, 0]], [[0, 9], [0, 0]], [[5, 0], [0, 5]]):
        yield "two_rater_agreement", (table,), {}
    for ratings in ([], ["xxx"], ["xxx", "yyy"], ["xyz", "yzx"], [[None] * 3, ["x", None, None]]):
        yield "dawid_skene", (ratings, "xyz"), {}


def planning():
    yield from (("mcnemar_power", arguments, {}) for arguments in ((0, 0, 0), (1, 1, 0), (5, 0, 0)))
    yield from (("mcnemar_least_significant", (n,), {}) for n in (0, 1, 5))
    yield from (("mcnemar_detectable_difference", (n, s), {}) for n in (0, 1, 9) for s in (0, 1))
    yield "mcnemar_sample_size", (1, 1), {}
    for values, names in (([], ""), ([1], "a"), ([1, 1], "aa"), ([1, 2], "ab"), ([1, 2], "aa")):
        yield "variance_components", (values, names, ["one"] * len(values)), {}
    yield "best_allocation", (1, Costs(0, 0, 1), Spread(0, 0, 0), 1, 1), {}
    yield "best_allocation", (1, Costs(0, 0, 1), Spread(0, 0, 1), 1, 5), {}


def few_labels():
    for labels, predictions, others in (
        ([], [], []), ([1], [1], []), ([1, 1], [1, 1], [1]), ([1, 0], [1, 0], [1, 0, 1]),
        ([0, 0, 0], [1, 0, 1], [1, 1]), ([1, 0, 1, 0], [0, 1, 0, 1], [1] * 9),
    ):  # fmt: skip
        for trust in (None, 0.0, 1.0):
            settings = {"trust": trust, "bounds": (0, 1)}
            yield "prediction_powered_mean", (labels, predictions, others), settings
    for labelled in (((0, 0), (0, 0)), ((5, 0), (0, 5)), ((0, 5), (5, 0)), ((1, 0), (0, 1))):
        for predicted in ((0, 0), (0, 9), (9, 9)):
            yield "rogan_gladen", (labelled, *predicted), {}


def held_equal():
    for outcomes in ([], [1], [1, 1], [1, 0] * 6, [1] * 12, [0.5] * 12):
        n = len(outcomes)
        for clusters in (None, ["one"] * n):
            features = [[k % 3] for k in range(n)]
            yield "held_out_fit", (outcomes, features, ["x"]), {"clusters": clusters}
            sides = ["a"] * n, ["b", "c", "d"] * 4
            strengths = (sides[0], sides[1][:n], outcomes, features, ["x"])
            yield "controlled_strengths", strengths, {"clusters": clusters}


def models():
    for counts in ([[0, 0, 0]] * 2, [[0, 0, 9]] * 2, [[9, 0, 0]] * 2, [[3, 3, 3]] * 2):
        for first, second in (("xy", "yx"), ("xx", "yy"), ("xx", "xx")):
            for clusters in (None, "aa", "ab"):
                yield "davidson_beaver", (first, second, counts), {"clusters": clusters}
    for outcomes in ([], [0] * 40, [1] * 40, [0, 1] * 20, [0, 0, 1, 1] * 10, [0.5] * 40):
        features = FEATURES[: len(outcomes)]
        yield "cluster_logit", (outcomes, features, ["x"]), {}
        yield "cluster_logit", (outcomes, features, ["x"], ["one"] * len(outcomes)), {}
        yield "controlled_preference", (outcomes, features, ["x"]), {}
        for group in (FOURS, ["one"] * 40, list(range(40))):
            if outcomes and 0.5 not in outcomes:
                yield "mixed_logit", (outcomes, features, ["x"], {"g": group}, "g"), {}
    for outcomes in ([0] * 9, [1] * 9, [0.5] * 9, [0, 1, 1] * 3):
        yield "joint_difficulty", (outcomes, [0] * 9, "aaabbbccc", "xyz" * 3), {}
        yield "joint_difficulty", (outcomes, [0] * 9, "aaabbbccc", "x" * 9), {}
    yield from (("saturated_differences", (values,), {}) for values in ([], [1], [1, 1], [0, 0, 1]))


def numbers(result, path=""):
    """Every number in a result, with the place it is at."""
    if is_dataclass(result):
        for one in fields(result):
            yield from numbers(getattr(result, one.name), f"{path}.{one.name}")
    elif isinstance(result, (tuple, list)):
        for index, one in enumerate(result):
            yield from numbers(one, f"{path}[{index}]")
    elif isinstance(result, (int, float, np.number)) and not isinstance(result, bool):
        yield path, result


def parts(result):
    """Every dataclass in a result that has limits or a p-value."""
    if is_dataclass(result):
        yield result
        for one in fields(result):
            yield from parts(getattr(result, one.name))
    elif isinstance(result, (tuple, list)):
        for one in result:
            yield from parts(one)


@pytest.mark.parametrize(
    "cases", [panels, planning, few_labels, held_equal, models], ids=lambda f: f.__name__
)
def test_degenerate_data_give_numbers_or_reasons(cases):
    for name, arguments, settings in cases():
        result = getattr(statistics, name)(*arguments, **settings)
        where = f"{name}{arguments}{settings}"
        for path, number in numbers(result):
            assert math.isfinite(number), (where, path)
            assert type(number) in {int, float}, (where, path)
        for part in parts(result):
            if getattr(part, "low", None) is not None:
                assert part.low < part.high, where
            assert getattr(part, "p_value", None) != 0, where
            # Kappa at full agreement has the error 0 by its formula, and no limits.
            assert isinstance(part, CohenKappa) or getattr(part, "se", None) != 0, where
