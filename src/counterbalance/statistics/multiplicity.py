"""Corrections for testing several hypotheses of one family.

Named p-values and the size of the family come in; adjusted p-values and every step of the procedure
go out. The size is the caller's promise, made before the results: it is never counted from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import count_problem, valid_share
from counterbalance.statistics.reasons import Undefined

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FamilyStep", "FamilyTest", "benjamini_hochberg", "holm"]


@dataclass(frozen=True, slots=True)
class FamilyStep:
    """One hypothesis and how the procedure treated it.

    Attributes
    ----------
    name : str
        The hypothesis, as the caller called it.
    rank : int | None
        1 for the smallest p-value; None without one.
    p_value : float | None
        As handed in.
    threshold : float | None
        What the p-value is compared with at this rank.
    adjusted : float | None
        Adjusted p-value: the smallest error rate at which the hypothesis is rejected.
    is_rejected : bool
        Whether the procedure rejects the hypothesis; never without a p-value.
    undefined : Undefined | None
        Why there is no adjusted p-value; None when there is one.
    """

    name: str
    rank: int | None
    p_value: float | None
    threshold: float | None
    adjusted: float | None
    is_rejected: bool
    undefined: Undefined | None


@dataclass(frozen=True, slots=True)
class FamilyTest:
    """All steps of a correction over one family.

    Attributes
    ----------
    method : str
        ``holm`` or ``benjamini_hochberg``.
    family_size : int
        Hypotheses in the family, tested or not: the denominator.
    error_rate : float
        Rate that is held: family-wise for Holm, false discoveries for Benjamini-Hochberg.
    steps : tuple[FamilyStep, ...]
        By p-value, smallest first; hypotheses without one at the end.
    """

    method: str
    family_size: int
    error_rate: float
    steps: tuple[FamilyStep, ...]

    @property
    def is_exploratory(self) -> bool:
        """Whether single rejections must not be taken for findings: some are expected false."""
        return self.method == "benjamini_hochberg"

    @property
    def n_rejected(self) -> int:
        """Hypotheses that the procedure rejects."""
        return sum(step.is_rejected for step in self.steps)

    @property
    def n_without_p_value(self) -> int:
        """Hypotheses of the family, listed here or not, that have no p-value."""
        return self.family_size - sum(step.p_value is not None for step in self.steps)

    @property
    def adjusted(self) -> dict[str, float | None]:
        """Adjusted p-value by name of the hypothesis."""
        return {step.name: step.adjusted for step in self.steps}


def holm(
    p_values: Mapping[str, float | None], family_size: int, error_rate: float = 0.05
) -> FamilyTest:
    r"""Hold the chance of any false rejection in a family of hypotheses.

    Parameters
    ----------
    p_values : Mapping[str, float | None]
        By hypothesis; None for one that could not be tested.
    family_size : int
        Hypotheses in the family as fixed in advance, at least as many as in `p_values`.
    error_rate : float
        Family-wise error rate, strictly between 0 and 1.

    Returns
    -------
    FamilyTest
        Every step: rank, threshold, adjusted p-value and whether it is rejected.

    Raises
    ------
    StatisticsError
        If a p-value is not in [0, 1], the family is smaller than what is handed in, or the rate is
        not in (0, 1).

    Notes
    -----
    For the p-value of rank :math:`i` in a family of :math:`m` the threshold is
    :math:`\alpha/(m-i+1)`; the first that exceeds its own stops the procedure. The adjusted
    value is

    .. math:: \tilde p_{(i)} = \min\{1, \max_{j \le i} (m - j + 1)\, p_{(j)}\}.

    Hypotheses without a p-value rank last. That is never too lenient: a smaller unseen p-value
    could only lower the factors of the others.

    **Unit of analysis**: the hypothesis.
    **Denominator**: `family_size`, never the number of p-values at hand.
    **Undefined** for a hypothesis without a p-value: it counts and is never rejected.
    **Assumes**: valid p-values, of any dependence.

    References
    ----------
    .. [1] S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal
       of Statistics 6 (1979) 65-70. https://www.jstor.org/stable/4615733

    Examples
    --------
    >>> family = holm({"u": 0.01, "v": 0.04, "w": 0.03}, family_size=4)
    >>> [(s.name, s.rank, round(s.threshold, 4), round(s.adjusted, 4)) for s in family.steps]
    [('u', 1, 0.0125, 0.04), ('w', 2, 0.0167, 0.09), ('v', 3, 0.025, 0.09)]
    >>> family.n_rejected
    1
    """
    if problem := _problem(p_values, family_size):
        raise StatisticsError(problem)
    ranked = _ranked(p_values)
    rate = valid_share("error_rate", error_rate)
    factors = [family_size - place for place in range(len(ranked))]
    adjusted, running = [], 0.0
    for (_, p_value), factor in zip(ranked, factors, strict=True):
        running = max(running, min(1.0, factor * p_value))
        adjusted.append(running)
    thresholds = [rate / factor for factor in factors]
    passes = [p <= threshold for (_, p), threshold in zip(ranked, thresholds, strict=True)]
    n_rejected = passes.index(False) if False in passes else len(passes)
    steps = _steps(ranked, thresholds, adjusted, n_rejected) + _untested(p_values)
    return FamilyTest("holm", int(family_size), rate, steps)


def benjamini_hochberg(
    p_values: Mapping[str, float | None], family_size: int, error_rate: float = 0.05
) -> FamilyTest:
    r"""Hold the expected share of false ones among the rejections, for exploration.

    Parameters
    ----------
    p_values : Mapping[str, float | None]
        By hypothesis; None for one that could not be tested.
    family_size : int
        Hypotheses in the family as fixed in advance, at least as many as in `p_values`.
    error_rate : float
        False discovery rate, strictly between 0 and 1.

    Returns
    -------
    FamilyTest
        Every step: rank, threshold, adjusted p-value and whether it is rejected.

    Raises
    ------
    StatisticsError
        If a p-value is not in [0, 1], the family is smaller than what is handed in, or the rate is
        not in (0, 1).

    Notes
    -----
    For the p-value of rank :math:`i` in a family of :math:`m` the threshold is
    :math:`\alpha i / m`; all up to the last that keeps its own are rejected. The adjusted value is

    .. math:: \tilde p_{(i)} = \min_{j \ge i} \min\{1, m\, p_{(j)} / j\}.

    Hypotheses without a p-value rank last, as if their p-value was 1.

    **Unit of analysis**: the hypothesis.
    **Denominator**: `family_size`, never the number of p-values at hand.
    **Undefined** for a hypothesis without a p-value: it counts and is never rejected.
    **Assumes**: valid p-values, independent or positively dependent.

    References
    ----------
    .. [1] Y. Benjamini, Y. Hochberg, "Controlling the false discovery rate: a practical and
       powerful approach to multiple testing", Journal of the Royal Statistical Society B 57 (1995)
       289-300. doi:10.1111/j.2517-6161.1995.tb02031.x

    Examples
    --------
    >>> family = benjamini_hochberg({"u": 0.01, "v": 0.04, "w": 0.03}, family_size=4)
    >>> [(s.name, round(s.adjusted, 4), s.is_rejected) for s in family.steps]
    [('u', 0.04, True), ('w', 0.0533, False), ('v', 0.0533, False)]
    """
    if problem := _problem(p_values, family_size):
        raise StatisticsError(problem)
    ranked = _ranked(p_values)
    rate = valid_share("error_rate", error_rate)
    adjusted, running = [], 1.0
    for rank in range(len(ranked), 0, -1):
        running = min(running, family_size * ranked[rank - 1][1] / rank)
        adjusted.append(running)
    adjusted.reverse()
    thresholds = [rate * rank / family_size for rank in range(1, len(ranked) + 1)]
    n_rejected = max(
        (rank for rank, (_, p) in enumerate(ranked, 1) if p <= thresholds[rank - 1]), default=0
    )
    steps = _steps(ranked, thresholds, adjusted, n_rejected) + _untested(p_values)
    return FamilyTest("benjamini_hochberg", int(family_size), rate, steps)


def _problem(p_values: Mapping[str, float | None], family_size: int) -> str | None:
    """Return what is wrong with a family, None when nothing is."""
    if family_size < len(p_values):
        return (
            f"family_size is {family_size} for {len(p_values)} hypotheses; "
            "the family holds at least those handed in"
        )
    for name, p in p_values.items():
        if p is not None and not 0.0 <= p <= 1.0:
            return f"the p-value of {name!r} is {p}; give a number from 0 to 1, or None"
    return count_problem("family_size", family_size)


def _ranked(p_values: Mapping[str, float | None]) -> list[tuple[str, float]]:
    """Return names and p-values, smallest first, equal ones by name."""
    tested = [(name, float(p)) for name, p in p_values.items() if p is not None]
    return sorted(tested, key=lambda named: (named[1], named[0]))


def _steps(
    ranked: list[tuple[str, float]],
    thresholds: list[float],
    adjusted: list[float],
    n_rejected: int,
) -> tuple[FamilyStep, ...]:
    """Return one step for each hypothesis with a p-value; the first `n_rejected` fall."""
    return tuple(
        FamilyStep(name, rank, p_value, threshold, value, rank <= n_rejected, undefined=None)
        for rank, ((name, p_value), threshold, value) in enumerate(
            zip(ranked, thresholds, adjusted, strict=True), 1
        )
    )


def _untested(p_values: Mapping[str, float | None]) -> tuple[FamilyStep, ...]:
    """Return one step for each hypothesis without a p-value, by name."""
    return tuple(
        FamilyStep(
            name,
            rank=None,
            p_value=None,
            threshold=None,
            adjusted=None,
            is_rejected=False,
            undefined=Undefined.NOT_TESTED,
        )
        for name in sorted(name for name, p_value in p_values.items() if p_value is None)
    )
