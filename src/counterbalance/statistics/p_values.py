"""The one rule of all p-values: a probability that is never 0 and never above 1."""

from __future__ import annotations

import sys

from scipy.special import gammaincc, ndtr, stdtr

__all__ = ["chi_square_p_value", "normal_p_value", "p_value_of", "t_p_value"]


def p_value_of(probability: float) -> float:
    """Return the probability within (0, 1]: one too small for a float is the smallest float."""
    return min(1.0, max(float(probability), sys.float_info.min))


def chi_square_p_value(statistic: float, degrees_of_freedom: float) -> float:
    """Return the chance that chi-square with these degrees of freedom is at least this large."""
    return p_value_of(gammaincc(degrees_of_freedom / 2, statistic / 2))


def normal_p_value(z: float) -> float:
    """Return the chance that a standard normal is at least this far from 0, on either side."""
    return p_value_of(2 * ndtr(-abs(z)))


def t_p_value(
    estimate: float | None, se: float | None, degrees_of_freedom: float | None
) -> float | None:
    """Return how likely an estimate this far from 0 is; None where no error could be estimated."""
    if estimate is None or se is None or degrees_of_freedom is None:
        return None
    return p_value_of(2 * stdtr(degrees_of_freedom, -abs(estimate) / se))
