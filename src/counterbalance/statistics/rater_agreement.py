"""Agreement of raters who are known by name, with the marginals of every one of them.

Ratings by unit and rater come in, None where there is none; coefficients of the whole panel, each
pair of raters and each rater's own use of the categories go out.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.statistics.agreement import CohenKappa, cohen_kappa
from counterbalance.statistics.arguments import count_matrix
from counterbalance.statistics.chance_corrected import (
    Agreements,
    Panel,
    PanelAgreement,
    chance_corrected,
    panel_of,
)
from counterbalance.statistics.panel_agreement import (
    gwet_ac1,
    krippendorff_alpha,
    observed_agreement,
)
from counterbalance.statistics.ratings import rating_array

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from counterbalance.statistics.arguments import Floats

__all__ = [
    "RaterAgreement",
    "RaterPair",
    "TwoRaterAgreement",
    "rater_agreement",
    "two_rater_agreement",
]


@dataclass(frozen=True, slots=True)
class TwoRaterAgreement:
    """Agreement of two raters, by three understandings of chance.

    Attributes
    ----------
    kappa : CohenKappa
        Raw agreement, both marginals and Cohen's kappa.
    gwet : PanelAgreement
        AC1 of the same table.
    krippendorff : PanelAgreement
        Alpha of the same table.
    """

    kappa: CohenKappa
    gwet: PanelAgreement
    krippendorff: PanelAgreement


@dataclass(frozen=True, slots=True)
class RaterPair:
    """Two raters of a panel on the units that both rated.

    Attributes
    ----------
    first : int
        Number of the rater in the rows of `kappa`, from 0 up.
    second : int
        Number of the rater in its columns.
    kappa : CohenKappa
        Their table, raw agreement, both marginals and kappa.
    """

    first: int
    second: int
    kappa: CohenKappa


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """Agreement of a panel of named raters.

    Attributes
    ----------
    categories : tuple[Hashable, ...]
        Categories that were offered.
    n_units : int
        Units handed in.
    n_raters : int
        Raters handed in.
    rater_counts : tuple[tuple[int, ...], ...]
        By rater, ratings in each category.
    rater_shares : tuple[tuple[float, ...] | None, ...]
        The same as shares of that rater's ratings; None for a rater without any.
    conger : PanelAgreement
        Kappa of the panel: chance agreement from the raters' own marginals.
    gwet : PanelAgreement
        AC1 of the panel.
    krippendorff : PanelAgreement
        Alpha of the panel.
    pairs : tuple[RaterPair, ...]
        Every two raters.
    """

    categories: tuple[Hashable, ...]
    n_units: int
    n_raters: int
    rater_counts: tuple[tuple[int, ...], ...]
    rater_shares: tuple[tuple[float, ...] | None, ...]
    conger: PanelAgreement
    gwet: PanelAgreement
    krippendorff: PanelAgreement
    pairs: tuple[RaterPair, ...]


def two_rater_agreement(table: ArrayLike, confidence_level: float = 0.95) -> TwoRaterAgreement:
    r"""Measure agreement of two raters beyond three kinds of chance, with both marginals.

    Parameters
    ----------
    table : ArrayLike
        Square table of counts: rows are the first rater's categories, columns the second's, in
        the same sequence, used or not.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.

    Returns
    -------
    TwoRaterAgreement
        Kappa, AC1 and alpha of one table.

    Raises
    ------
    StatisticsError
        If the table is not square, a count is negative or fractional, or the level is not in
        (0, 1).

    Notes
    -----
    Formulas are those of :func:`cohen_kappa`, :func:`gwet_ac1` and :func:`krippendorff_alpha`.
    Where both raters use one category most of the time, kappa is low at high agreement and AC1 is
    not; neither is right without the marginals.

    **Unit of analysis**: the unit that both raters rated.
    **Denominator**: all units in the table.
    **Undefined** as the three functions say, each for itself.
    **Assumes**: independent units; where they share clusters use :func:`rater_agreement`.

    References
    ----------
    .. [1] A. R. Feinstein, D. V. Cicchetti, "High agreement but low kappa: I. The problems of two
       paradoxes", Journal of Clinical Epidemiology 43 (1990) 543-549.
       doi:10.1016/0895-4356(90)90158-L

    Examples
    --------
    >>> both = two_rater_agreement([[40, 4], [5, 1]])
    >>> both.kappa.observed_agreement, [round(share, 2) for share in both.kappa.row_shares]
    (0.82, [0.88, 0.12])
    >>> round(both.kappa.kappa, 3), round(both.gwet.value, 3)
    (0.082, 0.776)
    """
    kappa = cohen_kappa(table, confidence_level)
    cells = count_matrix("table", table)
    rows, columns = np.indices(cells.shape)
    offered = np.eye(cells.shape[1])
    one_unit = (offered[rows.ravel()] + offered[columns.ravel()]) if cells.size else cells
    counts = np.repeat(one_unit, cells.ravel(), axis=0)
    return TwoRaterAgreement(
        kappa=kappa,
        gwet=gwet_ac1(counts, None, confidence_level),
        krippendorff=krippendorff_alpha(counts, None, confidence_level),
    )


def rater_agreement(
    ratings: Sequence[Sequence[Hashable | None]],
    categories: Sequence[Hashable],
    clusters: Sequence[Hashable] | NDArray[np.generic] | None = None,
    confidence_level: float = 0.95,
) -> RaterAgreement:
    r"""Measure agreement of a panel of named raters, whole and by pairs, with all marginals.

    Parameters
    ----------
    ratings : Sequence[Sequence[Hashable | None]]
        One row per unit, one entry per rater: a category, or None without a rating.
    categories : Sequence[Hashable]
        All categories that were offered, each once.
    clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The cluster of each unit; None when every unit is a cluster of its own.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.

    Returns
    -------
    RaterAgreement
        Conger's kappa, AC1 and alpha of the panel, Cohen's kappa of each pair, and marginals.

    Raises
    ------
    StatisticsError
        If rows differ in length, a rating is no category, a category is named twice, or the level
        is not in (0, 1).

    Notes
    -----
    With :math:`p_{gk}` the share of category :math:`k` among the ratings of rater :math:`g` of
    :math:`R`, Conger's chance agreement is the mean over pairs of raters,

    .. math:: p_e = \frac{1}{R (R - 1)} \sum_{g \ne h} \sum_k p_{gk} p_{hk},

    and observed agreement that of :func:`gwet_ac1`. For two raters on the same units it is Cohen's
    kappa. Its standard error is that of the linearised units over clusters. Intervals of the pairs
    take units as independent.

    **Unit of analysis**: the unit rated; the sampling unit is the cluster.
    **Denominator**: units with two ratings; for a pair, units that both rated.
    **Undefined** when no unit has two ratings, or chance agreement is 1.
    **Assumes**: independent clusters; ratings missing for reasons of no account.

    References
    ----------
    .. [1] A. J. Conger, "Integration and generalization of kappas for multiple raters",
       Psychological Bulletin 88 (1980) 322-328. doi:10.1037/0033-2909.88.2.322

    Examples
    --------
    >>> panel = rater_agreement([["x", "x"], ["x", "y"], ["y", "y"], ["y", "y"]], ["x", "y"])
    >>> panel.rater_counts, round(panel.conger.value, 4), panel.pairs[0].kappa.kappa
    (((2, 2), (1, 3)), 0.5, 0.5)
    """
    array = rating_array(ratings, categories)
    counts = array.sum(axis=1)
    by_rater = array.sum(axis=0)
    return RaterAgreement(
        categories=tuple(categories),
        n_units=array.shape[0],
        n_raters=array.shape[1],
        rater_counts=tuple(tuple(int(count) for count in row) for row in by_rater),
        rater_shares=tuple(
            tuple((row / row.sum()).tolist()) if row.sum() else None for row in by_rater
        ),
        conger=_conger(array, panel_of(counts, clusters, confidence_level)),
        gwet=gwet_ac1(counts, clusters, confidence_level),
        krippendorff=krippendorff_alpha(counts, clusters, confidence_level),
        pairs=tuple(
            RaterPair(
                first,
                second,
                cohen_kappa(array[:, first].T @ array[:, second], confidence_level),
            )
            for first, second in combinations(range(array.shape[1]), 2)
        ),
    )


def _conger(array: Floats, units: Panel) -> PanelAgreement:
    """Return the panel's kappa with chance agreement from the marginals of its raters."""
    observed = observed_agreement(units)
    if observed is None:
        return chance_corrected("conger_kappa", units, None)
    rated = array[array.sum(axis=(1, 2)) > 0]
    rated = rated[:, rated.sum(axis=(0, 2)) > 0]
    has_rating = rated.sum(axis=2)
    n_raters = rated.shape[1]
    n_rated = has_rating.sum(axis=0)
    own = rated.sum(axis=0) / n_rated[:, np.newaxis]
    others = own.sum(axis=0) - own
    pairs = n_raters * (n_raters - 1)
    expected = float((own * others).sum()) / pairs
    # Each unit moves the marginals of those raters who rated it.
    moves = np.einsum("igk,gk->ig", rated, others) - has_rating * (own * others).sum(axis=1)
    pull = 2 / pairs * len(rated) * (moves / n_rated).sum(axis=1)
    agreements = Agreements(own.mean(axis=0), *observed, expected, pull)
    return chance_corrected("conger_kappa", units, agreements)
