"""The win rate that references would give all pairs, where only some pairs have one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from counterbalance import statistics
from counterbalance.dispositions.codes import VERDICTS
from counterbalance.items.frames import Verdict
from counterbalance.measures.agreement import ONLY_VERDICT
from counterbalance.measures.estimate import Estimate
from counterbalance.measures.win_rates import mean_credit_a

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from counterbalance.dispositions.codes import Booleans
    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.statistics import PredictionPoweredMean

__all__ = ["FEW_LABEL_MEASURES", "few_label_win_rates"]

FEW_LABEL_MEASURES = (
    "win_rate_a_corrected",
    "win_rate_a_references_only",
    "win_rate_a_rogan_gladen",
)
"""Measures that no protocol can plan, and that exist only where some pairs have a reference."""

_MEANS = "candidate a would win more often by the references"
_SAMPLE = (
    "Leans on the pairs with a reference being a random sample of all, and on the judge not having"
    " seen it."
)
_CROSS_CHECK = (
    "A cross-check by the judge's rates of error, over pairs with a winner; often less certain than"
    " the references alone."
)
_A, _B, _TIE = (VERDICTS.index(v) for v in (Verdict.A, Verdict.B, Verdict.TIE))
_EVEN = 0.5


def few_label_win_rates(pairs: PairColumns, level: float = 0.95) -> list[Estimate]:
    """Estimate the win rate by the references from all pairs, judged or labelled.

    Parameters
    ----------
    pairs : PairColumns
        The group, of one system pair.
    level : float
        Nominal coverage of the intervals.

    Returns
    -------
    list[Estimate]
        PPI++, the references alone, and Rogan and Gladen's correction; none unless some pairs with
        two verdicts have a reference of a, b or a tie, and others have not.

    Notes
    -----
    **Unit of analysis**: the pair; intervals over clusters, Rogan and Gladen's over pairs.
    **Numerator**: none; of a labelled pair 1 for a, 1/2 for a tie and 0 for b, beside the judge's
    credit for a over both orders.
    **Denominator**: pairs with two verdicts, labelled or not; labelled ones for the references
    alone; for Rogan and Gladen those where the judge, and any reference, names a winner.
    **Undefined** as the statistics are.

    References
    ----------
    .. [1] A. N. Angelopoulos, J. C. Duchi, T. Zrnic, "PPI++: efficient prediction-powered
       inference", arXiv:2311.01453 (2023).
    .. [2] W. J. Rogan, B. Gladen, "Estimating prevalence from the results of a screening test",
       American Journal of Epidemiology 107 (1978) 71-76.
    """
    reference = ONLY_VERDICT[pairs.accepted]
    is_labelled = pairs.has_two_verdicts & np.isin(reference, (_A, _B, _TIE))
    # An accepted set of several verdicts, or of none of these, is no label and no gap either.
    is_open = pairs.has_two_verdicts & (pairs.accepted == 0)
    if not is_labelled.any() or not is_open.any():
        return []
    credit = mean_credit_a(pairs)
    label = np.where(reference == _A, 1.0, np.where(reference == _TIE, _EVEN, 0.0))

    def powered(trust: float | None) -> PredictionPoweredMean:
        return statistics.prediction_powered_mean(
            label[is_labelled],
            credit[is_labelled],
            credit[is_open],
            clusters=pairs.cluster[is_labelled],
            unlabelled_clusters=pairs.cluster[is_open],
            trust=trust,
            bounds=(0.0, 1.0),
            confidence_level=level,
        )

    return [
        _powered("win_rate_a_corrected", powered(None)),
        _powered("win_rate_a_references_only", powered(0.0)),
        _rogan_gladen(reference, credit, is_labelled, is_open, level),
    ]


def _powered(name: str, found: PredictionPoweredMean) -> Estimate:
    cautions = [_SAMPLE]
    n = found.n_labelled
    if not found.trust_was_given:
        n += found.n_unlabelled
        cautions.append(
            f"{found.n_labelled} references, {found.n_unlabelled} pairs with verdicts only, whose"
            f" weight is {found.trust:.2f} of 1."
        )
    cautions += [caution.sentence for caution in found.cautions]
    if found.estimate is not None and found.interval_undefined is not None:
        cautions.append(f"No interval: {found.interval_undefined.sentence}")
    return Estimate(
        name=name,
        value=found.estimate,
        numerator=None,
        denominator=n,
        low=found.low,
        high=found.high,
        level=found.confidence_level,
        method="none" if found.low is None else "cluster_jackknife_t",
        unit="pair",
        positive_means=_MEANS,
        undefined=None if found.undefined is None else found.undefined.sentence,
        n_clusters=found.n_clusters,
        cautions=tuple(cautions),
    )


def _rogan_gladen(
    reference: NDArray[np.int8],
    credit: NDArray[np.float64],
    is_labelled: Booleans,
    is_open: Booleans,
    level: float,
) -> Estimate:
    says_a, has_winner = credit > _EVEN, credit != _EVEN
    rows = [is_labelled & has_winner & (reference == verdict) for verdict in (_A, _B)]
    counts = [(int((row & says_a).sum()), int((row & ~says_a).sum())) for row in rows]
    is_open = is_open & has_winner
    n_open = int(is_open.sum())
    found = statistics.rogan_gladen(
        (counts[0], counts[1]), int((is_open & says_a).sum()), n_open, level
    )
    cautions = [_CROSS_CHECK, _SAMPLE, *(caution.sentence for caution in found.cautions)]
    if found.estimate is not None and found.interval_undefined is not None:
        cautions.append(f"No interval: {found.interval_undefined.sentence}")
    return Estimate(
        name="win_rate_a_rogan_gladen",
        value=found.estimate,
        numerator=None,
        denominator=n_open + sum(map(sum, counts)),
        low=found.low,
        high=found.high,
        level=found.confidence_level,
        method="none" if found.low is None else "lang_reiczigel",
        unit="pair",
        positive_means=_MEANS,
        undefined=None if found.undefined is None else found.undefined.sentence,
        cautions=tuple(cautions),
    )
