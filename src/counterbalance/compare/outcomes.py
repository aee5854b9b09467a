"""What two sides are compared by: one number of each pair, and whether it has one.

The same unit, numerator and denominator as the measure of the same name in `measures`; here by
pair, because a comparison is made pair by pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import NONE, ORDERS, VERDICTS
from counterbalance.dispositions.disposition import STABLE, Disposition
from counterbalance.dispositions.strategy_columns import VALUE_VERDICT, plain_results
from counterbalance.items.frames import Verdict
from counterbalance.measures.agreement import is_accepted
from counterbalance.measures.win_rates import mean_credit_a, why_no_win_rate

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from counterbalance.compare.side import Side
    from counterbalance.dispositions.codes import Booleans
    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.protocol.sections import ComparedMeasure

__all__ = ["OUTCOMES", "OutcomeKind", "PairOutcomes", "why_not_compared"]


@dataclass(frozen=True, slots=True, eq=False)
class PairOutcomes:
    """One number of each pair of one side.

    Attributes
    ----------
    values : NDArray[np.float64]
        The number; 0 where the pair has none, which is then not known.
    is_eligible : Booleans
        Whether the pair was planned so that it could have one.
    is_known : Booleans
        Whether it has one.
    """

    values: NDArray[np.float64]
    is_eligible: Booleans
    is_known: Booleans


@dataclass(frozen=True, slots=True)
class OutcomeKind:
    """How a measure is compared.

    Attributes
    ----------
    of : Callable[[PairColumns], PairOutcomes]
        What each pair says.
    bounds : tuple[float, float]
        Least and greatest number of a pair.
    is_binary : bool
        Whether a pair either succeeds or does not.
    larger_means : str
        What a larger mean says.
    larger_is_better : bool
        Whether a larger mean is what one wants, so that better and worse have a meaning.
    left_out : str
        Why a pair is not eligible, in words.
    """

    of: Callable[[PairColumns], PairOutcomes]
    bounds: tuple[float, float]
    is_binary: bool
    larger_means: str
    larger_is_better: bool
    left_out: str


def _outcomes(values: NDArray[np.generic], eligible: Booleans, known: Booleans) -> PairOutcomes:
    known = eligible & known
    return PairOutcomes(np.where(known, values, 0).astype(np.float64), eligible, known)


def _agreement_both(pairs: PairColumns) -> PairOutcomes:
    hits = np.ones(pairs.n_pairs, dtype=np.bool_)
    for order in ORDERS:
        hits &= is_accepted(pairs.verdict(order), pairs.accepted)
    return _outcomes(hits, pairs.is_in_two_orders & (pairs.accepted > 0), pairs.has_two_verdicts)


def _strategy_agreement(pairs: PairColumns) -> PairOutcomes:
    verdict = VALUE_VERDICT[plain_results(pairs).value]
    eligible = (pairs.accepted > 0) & ~pairs.is_any_of({Disposition.IDENTICAL})
    return _outcomes(is_accepted(verdict, pairs.accepted), eligible, verdict != NONE)


def _position_consistency(pairs: PairColumns) -> PairOutcomes:
    return _outcomes(pairs.is_any_of(STABLE), pairs.is_in_two_orders, pairs.has_two_verdicts)


def _win_rate_a(pairs: PairColumns) -> PairOutcomes:
    return _outcomes(mean_credit_a(pairs), pairs.is_in_two_orders, pairs.has_two_verdicts)


def _bias_position(pairs: PairColumns) -> PairOutcomes:
    first, second, verdicts = pairs.slot_counts()
    return _per_verdict(pairs, first - second, verdicts)


def _tie_rate(pairs: PairColumns) -> PairOutcomes:
    by_verdict = pairs.verdicts.sum(axis=0)
    return _per_verdict(pairs, by_verdict[:, VERDICTS.index(Verdict.TIE)], by_verdict.sum(axis=1))


def _per_verdict(
    pairs: PairColumns, counts: NDArray[np.integer], verdicts: NDArray[np.integer]
) -> PairOutcomes:
    """Return the mean of each pair's verdicts: a pair counts once, however often it was asked."""
    shares = counts / np.maximum(verdicts, 1)
    return _outcomes(shares, pairs.planned.sum(axis=0) > 0, verdicts > 0)


_NO_REFERENCE = "without a reference, in one order only, or with identical texts"
_ONE_ORDER = "in one order only, or with identical texts"
_NOT_ASKED = "with identical texts"

OUTCOMES: Mapping[ComparedMeasure, OutcomeKind] = {
    "agreement_both": OutcomeKind(
        _agreement_both,
        (0, 1),
        is_binary=True,
        larger_means="more pairs agree with the reference in both orders",
        larger_is_better=True,
        left_out=_NO_REFERENCE,
    ),
    "strategy_agreement": OutcomeKind(
        _strategy_agreement,
        (0, 1),
        is_binary=True,
        larger_means="more strategy results agree with the reference",
        larger_is_better=True,
        left_out="without a reference, or with identical texts",
    ),
    "position_consistency": OutcomeKind(
        _position_consistency,
        (0, 1),
        is_binary=True,
        larger_means="more pairs keep their verdict when the answers change places",
        larger_is_better=True,
        left_out=_ONE_ORDER,
    ),
    "win_rate_a": OutcomeKind(
        _win_rate_a,
        (0, 1),
        is_binary=False,
        larger_means="candidate a wins more often",
        larger_is_better=False,
        left_out=_ONE_ORDER,
    ),
    "bias_position": OutcomeKind(
        _bias_position,
        (-1, 1),
        is_binary=False,
        larger_means="the first slot is favoured more",
        larger_is_better=False,
        left_out=_NOT_ASKED,
    ),
    "tie_rate": OutcomeKind(
        _tie_rate,
        (0, 1),
        is_binary=False,
        larger_means="more verdicts are ties",
        larger_is_better=False,
        left_out=_NOT_ASKED,
    ),
}
"""How each measure is compared, by its name."""


def why_not_compared(measure: ComparedMeasure, first: Side, second: Side) -> str | None:
    """Return why two sides cannot be compared by a measure, None when they can."""
    if measure != "win_rate_a":
        return None
    for side in (first, second):
        if reason := why_no_win_rate(side.pairs, side.baseline):
            return reason
    if first.baseline != second.baseline:
        return f"The baselines differ: {first.baseline!r} and {second.baseline!r}."
    return None
