"""An order effect beside the strengths of systems, where several are compared or orders differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from counterbalance import statistics
from counterbalance.dispositions.codes import NONE, ORDERS, VERDICTS
from counterbalance.dispositions.pair_columns import winner_in
from counterbalance.items.frames import Order, Slot, Verdict
from counterbalance.measures.estimate import Estimate
from counterbalance.measures.one_order import is_in_one_order
from counterbalance.measures.tested import TestResult

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.statistics import DavidsonBeaver

__all__ = ["order_beside_strengths"]

_NAME = "davidson_beaver_order"
_FEWEST_SYSTEMS = 3
_MODEL = (
    "By a model with one strength for each system and one order effect for all pairs; log-odds, not"
    " a share."
)


def order_beside_strengths(
    pairs: PairColumns, level: float = 0.95
) -> tuple[list[Estimate], list[TestResult]]:
    """Estimate and test how much the first slot is favoured, beside the strengths of systems.

    Parameters
    ----------
    pairs : PairColumns
        The group.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    tuple[list[Estimate], list[TestResult]]
        One of each, or none: only where three systems or more are compared, or where each pair was
        shown in one order.

    Notes
    -----
    **Unit of analysis**: the verdict; errors over clusters, which hold both orders of a pair.
    **Numerator**: none; log-odds of the first slot between equally strong systems.
    **Denominator**: verdicts of recorded orders that choose a slot or call a tie.
    **Undefined** when order and strengths cannot be told apart, or an estimate would be infinite.

    References
    ----------
    .. [1] R. R. Davidson, R. J. Beaver, "On extending the Bradley-Terry model to incorporate
       within-pair order effects", Biometrics 33 (1977) 693-702. doi:10.2307/2529467
    """
    named = [pairs.table.system_pairs[code] for code in np.unique(pairs.systems).tolist()]
    systems = {system for pair in named for system in pair}
    if len(systems) < _FEWEST_SYSTEMS and not is_in_one_order(pairs):
        return [], []
    fit = _fitted(pairs, level)
    return [_estimate(fit, level)], [_test(fit)]


def _fitted(pairs: PairColumns, level: float) -> DavidsonBeaver:
    """Fit on sums over the pairs of one comparison, cluster and order."""
    keys = np.stack([pairs.systems, pairs.cluster], axis=1)
    rows, which = np.unique(keys, axis=0, return_inverse=True)
    first, second, tables, clusters = [], [], [], []
    for code, order in enumerate(ORDERS):
        counts = np.zeros((len(rows), 3), dtype=np.int64)
        np.add.at(counts, which.ravel(), _counts(pairs, code, order))
        kept = np.flatnonzero(counts.sum(axis=1))
        for row in kept.tolist():
            a, b = pairs.table.system_pairs[int(rows[row, 0])]
            shown = (a, b) if order is Order.FORWARD else (b, a)
            first.append(shown[0])
            second.append(shown[1])
            clusters.append(int(rows[row, 1]))
        tables.append(counts[kept])
    return statistics.davidson_beaver(
        first, second, np.concatenate(tables), clusters=clusters, confidence_level=level
    )


def _counts(pairs: PairColumns, code: int, order: Order) -> NDArray[np.int64]:
    """Return wins of the first slot, of the second, and ties; none of confounded pairs."""
    kinds = [winner_in(Slot.FIRST, order), winner_in(Slot.SECOND, order)]
    kinds.append(VERDICTS.index(Verdict.TIE))
    shown = pairs.verdicts[code][:, kinds].astype(np.int64)
    return np.where((pairs.is_confounded | (pairs.cells[code] == NONE))[:, None], 0, shown)


def _estimate(fit: DavidsonBeaver, level: float) -> Estimate:
    order = fit.order
    # The model's coefficient is for the second slot; here as everywhere the first counts up.
    value = None if order is None else -order.estimate
    low = None if order is None or order.high is None else -order.high
    high = None if order is None or order.low is None else -order.low
    return Estimate(
        name=_NAME,
        value=value,
        numerator=None,
        denominator=fit.n_first + fit.n_second + fit.n_ties,
        low=low,
        high=high,
        level=level,
        method="none" if low is None else "cluster_robust_t",
        unit="pair",
        positive_means="the first slot is favoured between equals (log-odds)",
        undefined=None if fit.undefined is None else fit.undefined.sentence,
        n_clusters=fit.n_clusters,
        cautions=(_MODEL, *(caution.sentence for caution in fit.cautions)),
        counted="verdicts",
    )


def _test(fit: DavidsonBeaver) -> TestResult:
    return TestResult(
        name="davidson_beaver",
        hypothesis="neither slot is favoured between equally strong systems",
        p_value=fit.order_p_value,
        numerator=fit.n_first,
        denominator=fit.n_first + fit.n_second + fit.n_ties,
        counted="verdicts for the first slot, of those for a slot or a tie",
        undefined=None if fit.undefined is None else fit.undefined.sentence,
        cautions=(_MODEL, *(caution.sentence for caution in fit.cautions)),
    )
