"""Agreement of a panel beyond chance, where only the counts of each unit are known.

Category counts of each unit come in: one row per unit, one column per category that was offered,
a rating that is missing in none of them. Raters may differ from unit to unit, so there is one
marginal: how often the panel used each category. It always travels along.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.statistics.chance_corrected import (
    Agreements,
    Panel,
    PanelAgreement,
    chance_corrected,
    panel_of,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from counterbalance.statistics.arguments import Floats

__all__ = ["fleiss_kappa", "gwet_ac1", "krippendorff_alpha", "observed_agreement"]


def gwet_ac1(
    counts: ArrayLike,
    clusters: Sequence[Hashable] | NDArray[np.generic] | None = None,
    confidence_level: float = 0.95,
) -> PanelAgreement:
    r"""Measure agreement beyond chance without punishing a panel for rare categories.

    Parameters
    ----------
    counts : ArrayLike
        Units x categories: ratings of that unit in that category. Columns are the categories that
        were offered, used or not.
    clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The cluster of each unit; None when every unit is a cluster of its own.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.

    Returns
    -------
    PanelAgreement
        AC1 with observed and expected agreement, category shares and limits.

    Raises
    ------
    StatisticsError
        If a count is negative or fractional, lengths differ, or the level is not in (0, 1).

    Notes
    -----
    With :math:`r_{ik}` ratings of unit :math:`i` in category :math:`k` of :math:`q` and
    :math:`r_i` altogether, :math:`p_o` is the mean over units of
    :math:`\sum_k r_{ik}(r_{ik} - 1) / (r_i (r_i - 1))`, :math:`\pi_k` the mean of
    :math:`r_{ik} / r_i`,

    .. math:: p_e = \frac{1}{q - 1} \sum_k \pi_k (1 - \pi_k), \quad
        AC_1 = \frac{p_o - p_e}{1 - p_e}.

    The standard error is that of the mean of the linearised units, over clusters; with clusters of
    one it is Gwet's, unconditional on the raters' categories. Limits are t limits.

    **Unit of analysis**: the unit rated; the sampling unit is the cluster.
    **Denominator**: units with two ratings for :math:`p_o`, with one for :math:`\pi_k`.
    **Undefined** when no unit has two ratings or only one category was offered; the limits also
    with one cluster or when no cluster differs from another.
    **Assumes**: independent clusters, and ratings missing for reasons of no account.

    References
    ----------
    .. [1] K. L. Gwet, "Computing inter-rater reliability and its variance in the presence of high
       agreement", British Journal of Mathematical and Statistical Psychology 61 (2008) 29-48.
       doi:10.1348/000711006X126600

    Examples
    --------
    >>> result = gwet_ac1([[3, 0], [3, 0], [2, 1], [0, 3], [3, 0]])
    >>> round(result.value, 4), round(result.expected_agreement, 4), result.category_counts
    (0.781, 0.3911, (11, 4))
    >>> str(gwet_ac1([[1, 0], [0, 1]]).undefined)
    'too_few_ratings'
    """
    units = panel_of(counts, clusters, confidence_level)
    observed = observed_agreement(units)
    if observed is None:
        return chance_corrected("gwet_ac1", units, None)
    shares = units.shares.mean(axis=0)
    # With one category offered every rater must agree, so chance agreement is 1.
    others = units.rows.shape[1] - 1
    expected = float(shares @ (1 - shares)) / others if others else 1.0
    pull = (units.shares - shares) @ (1 - 2 * shares) / max(others, 1)
    agreements = Agreements(shares, *observed, expected, pull)
    return chance_corrected("gwet_ac1", units, agreements)


def fleiss_kappa(
    counts: ArrayLike,
    clusters: Sequence[Hashable] | NDArray[np.generic] | None = None,
    confidence_level: float = 0.95,
) -> PanelAgreement:
    r"""Measure agreement beyond that of a panel that deals out its categories at random.

    Parameters
    ----------
    counts : ArrayLike
        Units x categories: ratings of that unit in that category.
    clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The cluster of each unit; None when every unit is a cluster of its own.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.

    Returns
    -------
    PanelAgreement
        Kappa with observed and expected agreement, category shares and limits.

    Raises
    ------
    StatisticsError
        If a count is negative or fractional, lengths differ, or the level is not in (0, 1).

    Notes
    -----
    As :func:`gwet_ac1`, with :math:`p_e = \sum_k \pi_k^2`. For two raters it is Scott's pi.

    **Unit of analysis**: the unit rated; the sampling unit is the cluster.
    **Denominator**: units with two ratings for :math:`p_o`, with one for :math:`\pi_k`.
    **Undefined** when no unit has two ratings, or one category was used throughout; the limits also
    with one cluster or when no cluster differs from another.
    **Assumes**: independent clusters; raters who share one habit.

    References
    ----------
    .. [1] J. L. Fleiss, "Measuring nominal scale agreement among many raters", Psychological
       Bulletin 76 (1971) 378-382. doi:10.1037/h0031619

    Examples
    --------
    >>> round(fleiss_kappa([[3, 0], [3, 0], [2, 1], [0, 3], [3, 0]]).value, 4)
    0.6591
    """
    units = panel_of(counts, clusters, confidence_level)
    observed = observed_agreement(units)
    if observed is None:
        return chance_corrected("fleiss_kappa", units, None)
    shares = units.shares.mean(axis=0)
    pull = 2 * (units.shares - shares) @ shares
    agreements = Agreements(shares, *observed, float(shares @ shares), pull)
    return chance_corrected("fleiss_kappa", units, agreements)


def krippendorff_alpha(
    counts: ArrayLike,
    clusters: Sequence[Hashable] | NDArray[np.generic] | None = None,
    confidence_level: float = 0.95,
) -> PanelAgreement:
    r"""Measure by how much a panel disagrees less than shuffled ratings would, on nominal data.

    Parameters
    ----------
    counts : ArrayLike
        Units x categories: ratings of that unit in that category.
    clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The cluster of each unit; None when every unit is a cluster of its own.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.

    Returns
    -------
    PanelAgreement
        Alpha with observed and expected agreement, category shares and limits.

    Raises
    ------
    StatisticsError
        If a count is negative or fractional, lengths differ, or the level is not in (0, 1).

    Notes
    -----
    Over units with at least two ratings, with :math:`N` ratings in all and :math:`N_k` in category
    :math:`k`,

    .. math:: p_o = \frac1N \sum_i \frac{\sum_k r_{ik}(r_{ik} - 1)}{r_i - 1}, \quad
        p_e = \frac{\sum_k N_k (N_k - 1)}{N (N - 1)}, \quad
        \alpha = \frac{p_o - p_e}{1 - p_e}.

    A unit counts by its ratings. The standard error is that of the linearised units, over clusters,
    without the factor :math:`(N - 1) / N`; it is not Krippendorff's bootstrap.

    **Unit of analysis**: the unit rated; the sampling unit is the cluster.
    **Denominator**: ratings on units that have at least two.
    **Undefined** when no unit has two ratings, or one category was used throughout; the limits also
    with one cluster or when no cluster differs from another.
    **Assumes**: independent clusters; raters that can be exchanged for one another.

    References
    ----------
    .. [1] A. F. Hayes, K. Krippendorff, "Answering the call for a standard reliability measure for
       coding data", Communication Methods and Measures 1 (2007) 77-89.
       doi:10.1080/19312450709336664

    Examples
    --------
    >>> result = krippendorff_alpha([[3, 0], [3, 0], [2, 1], [0, 3], [3, 0]])
    >>> round(result.value, 4), result.n_ratings
    (0.6818, 15)
    >>> str(krippendorff_alpha([[3, 0], [3, 0]]).undefined)
    'expected_agreement_one'
    """
    units = panel_of(counts, clusters, confidence_level, fewest=2)
    if not len(units.rows):
        # Nothing at all, or nothing with two ratings: the units with one tell which.
        return chance_corrected(
            "krippendorff_alpha", panel_of(counts, clusters, confidence_level), None
        )
    n = float(units.ratings.sum())
    shares = units.rows.sum(axis=0) / n
    weights = units.ratings * len(units.rows) / n
    observed = float(units.agreeing @ units.ratings) / n
    agreements = Agreements(
        shares=shares,
        observed=observed,
        observed_pull=weights * (units.agreeing - observed),
        expected=float(shares @ shares),
        expected_pull=2 * weights * ((units.shares - shares) @ shares),
        finite=(n - 1) / n,
    )
    return chance_corrected("krippendorff_alpha", units, agreements)


def observed_agreement(units: Panel) -> tuple[float, Floats] | None:
    """Return agreement over units with two ratings and what each adds to it; None without one."""
    compared = units.is_compared
    if not compared.any():
        return None
    observed = float(units.agreeing @ compared) / float(compared.sum())
    scale = len(compared) / float(compared.sum())
    return observed, scale * compared * (units.agreeing - observed)
