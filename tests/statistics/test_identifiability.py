"""Whether a logit model has an estimate, against what an unbounded climb does."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from counterbalance.statistics import Undefined
from counterbalance.statistics.identifiability import logit_problem

DESIGNS = hnp.arrays(
    np.int64, st.tuples(st.integers(1, 8), st.just(2)), elements=st.integers(-2, 2)
)


def directions(features, outcomes):
    return np.where(outcomes[:, np.newaxis] == 1, features, -features).astype(float)


@settings(deadline=None)
@given(DESIGNS, st.data())
def test_oracle_by_all_half_planes(design, data):
    outcomes = np.array(data.draw(st.lists(st.integers(0, 1), min_size=8, max_size=8)))
    rows = directions(design, outcomes[: len(design)])
    # In two dimensions a separating change, if there is one, lies on the edge of some half-plane.
    edges = [sign * np.array([-row[1], row[0]]) for row in rows for sign in (1, -1)]
    edges += list(rows)
    separated = any((rows @ b >= 0).all() and (rows @ b > 0).any() for b in edges)
    problem = logit_problem(rows)
    if np.linalg.matrix_rank(rows) < 2:
        assert problem is Undefined.NOT_IDENTIFIED
    else:
        assert (problem is Undefined.SEPARATION) == separated


def test_units_of_the_features_do_not_matter():
    rows = directions(np.array([[1, 2], [1, -1], [1, 3], [1, 0]]), np.array([1, 0, 1, 1]))
    assert logit_problem(rows) is Undefined.SEPARATION
    assert logit_problem(rows * [1e-9, 1e9]) is Undefined.SEPARATION


def test_no_parameter_is_no_problem_and_no_row_is_one():
    assert logit_problem(np.zeros((3, 0))) is None
    assert logit_problem(np.zeros((0, 2))) is Undefined.NOT_IDENTIFIED
