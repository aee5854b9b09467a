"""Whether a judge has moved: retained pairs under two versions, beyond its own repetition noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.compare.comparison import Comparison, Comparisons, compare
from counterbalance.dispositions.codes import NONE, ORDERS
from counterbalance.measures.estimate import Estimate, clustered
from counterbalance.statistics.permutation import excess_permutation_test
from counterbalance.statistics.repetition import excess_disagreement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from counterbalance.compare.comparison import Plan
    from counterbalance.compare.matching import Matched
    from counterbalance.compare.side import Side

__all__ = ["Drift", "VerdictDrift", "drift"]

_SEED = 20261130
"""Of the draws where the permutations are too many to go through: the same every time."""
_NOT_REPEATED = (
    "both versions must have been asked twice or more in an order; plan repetitions, or a"
    " repetition subset, in both protocols."
)
_OTHER_TEMPERATURES = (
    "Repetitions were asked at other temperatures in the two versions ({first} and {second}), so"
    " their noise differs by construction."
)


@dataclass(frozen=True, slots=True)
class VerdictDrift:
    """Verdicts of one version against those of the other, and against repetitions of itself.

    **Unit of analysis**: the pair in one order; intervals over clusters of the later version.
    **Denominator** of the excess: pairs and orders that both were asked in twice or more.

    Attributes
    ----------
    n_changed : int
        Orders of pairs whose verdict differs between the versions.
    n_compared : int
        Orders of pairs that both versions have a verdict in: the denominator.
    across : float | None
        Chance that a verdict of one version differs from one of the other.
    within_first : float | None
        Chance that two repetitions of the first version differ.
    within_second : float | None
        Chance that two repetitions of the second version differ.
    excess : Estimate
        Disagreement across versions beyond the mean of the two within; 0 where a version adds
        nothing to the noise.
    p_value : float | None
        Of the permutation of repetitions within pairs and orders, one-sided.
    undefined : str | None
        Why noise and drift cannot be told apart, in a sentence; None when they can.
    """

    n_changed: int
    n_compared: int
    across: float | None
    within_first: float | None
    within_second: float | None
    excess: Estimate
    p_value: float | None
    undefined: str | None

    @property
    def is_beyond_noise(self) -> bool | None:
        """Whether the interval of the excess lies above 0; None where that cannot be told."""
        return None if self.excess.low is None else self.excess.low > 0


@dataclass(frozen=True, slots=True)
class Drift:
    """Two versions of judges on retained pairs.

    Attributes
    ----------
    comparisons : Comparisons
        Measures and dispositions, version by version.
    verdicts : tuple[VerdictDrift, ...]
        One for each comparison, in the same sequence.
    """

    comparisons: Comparisons
    verdicts: tuple[VerdictDrift, ...]

    @property
    def parts(self) -> list[tuple[Comparison, VerdictDrift]]:
        """Each comparison with what is known of its verdicts."""
        return list(zip(self.comparisons.comparisons, self.verdicts, strict=True))


def drift(pairs: Sequence[tuple[Side, Side]], plan: Plan, notes: Sequence[str] = ()) -> Drift:
    """Compare versions of judges on the pairs that both were asked.

    Parameters
    ----------
    pairs : Sequence[tuple[Side, Side]]
        Earlier and later version of each judge.
    plan : Plan
        Measures, margins and family.
    notes : Sequence[str]
        What limits the evidence beside what the sides themselves say.

    Returns
    -------
    Drift
        What moved.
    """
    found = compare(pairs, plan, [*notes, *_temperatures(pairs)])
    verdicts = tuple(
        _verdicts(each.first, each.second, each.matched, plan.level) for each in found.comparisons
    )
    return Drift(found, verdicts)


def _temperatures(pairs: Sequence[tuple[Side, Side]]) -> list[str]:
    said = []
    for sides in pairs:
        first, second = (side.pairs.repeats.temperatures for side in sides)
        if first != second:
            said.append(_OTHER_TEMPERATURES.format(first=_named(first), second=_named(second)))
    return said


def _named(temperatures: Sequence[float]) -> str:
    return ", ".join(f"{t:g}" for t in temperatures) or "the judge's own"


def _verdicts(first: Side, second: Side, matched: Matched, level: float) -> VerdictDrift:
    """Compare verdicts; the unit is the pair in one order, where alone a version can repeat."""
    counts = _repeats(first, matched.first), _repeats(second, matched.second)
    clusters = np.tile(second.pairs.cluster[matched.second], len(ORDERS))
    result = excess_disagreement(*counts, clusters, level)
    test = excess_permutation_test(*counts, np.random.default_rng(_SEED))
    compared, changed = _changed(first, second, matched)
    is_repeated = result.cross_disagreement is not None
    return VerdictDrift(
        n_changed=changed,
        n_compared=compared,
        across=result.cross_disagreement,
        within_first=result.within_first,
        within_second=result.within_second,
        excess=clustered(
            "excess_between_versions",
            result.mean,
            "pair and order",
            "the versions differ beyond repetition noise",
            "pairs and orders",
        ),
        p_value=test.p_value,
        undefined=None if is_repeated else _NOT_REPEATED,
    )


def _repeats(side: Side, rows: NDArray[np.intp]) -> NDArray[np.int32]:
    """Return verdicts by repetition count: a row for each order and shared pair."""
    counts = side.pairs.repeats.verdicts[:, rows]
    return counts.reshape(-1, counts.shape[-1])


def _changed(first: Side, second: Side, matched: Matched) -> tuple[int, int]:
    compared = changed = 0
    for order in ORDERS:
        one = first.pairs.verdict(order)[matched.first]
        two = second.pairs.verdict(order)[matched.second]
        both = (one != NONE) & (two != NONE)
        compared += int(both.sum())
        changed += int((both & (one != two)).sum())
    return compared, changed
