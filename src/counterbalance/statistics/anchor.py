"""Whether a change does more than a repeat, from three calls of each unit.

The cheapest design that can tell: one call as an anchor, one that repeats it, one that changes what
is in question. Categories come in; the units on which repeat and change part ways decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import cluster_codes, length_problem
from counterbalance.statistics.mcnemar import mcnemar_test

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from counterbalance.statistics.mcnemar import McNemarMethod, McNemarTest

__all__ = ["AnchorTest", "anchor_test"]


@dataclass(frozen=True, slots=True)
class AnchorTest:
    """Outcome of the test of a change against a repeat.

    Attributes
    ----------
    n_units : int
        Units that were called three times.
    n_repeat_differs : int
        Units whose repeat left the anchor's category.
    n_change_differs : int
        Units whose changed call left the anchor's category.
    test : McNemarTest
        Gained: units that only the change moved; lost: units that only the repeat moved.
    """

    n_units: int
    n_repeat_differs: int
    n_change_differs: int
    test: McNemarTest

    @property
    def excess(self) -> float | None:
        """Share of units moved by the change less the share moved by the repeat."""
        if self.n_units == 0:
            return None
        return (self.n_change_differs - self.n_repeat_differs) / self.n_units


def anchor_test(
    anchor: Sequence[Hashable] | NDArray[np.generic],
    repeat: Sequence[Hashable] | NDArray[np.generic],
    change: Sequence[Hashable] | NDArray[np.generic],
    method: McNemarMethod = "mid_p",
) -> AnchorTest:
    r"""Test whether a change moves units oftener than a repeat of the same call does.

    Parameters
    ----------
    anchor : Sequence[Hashable] | NDArray[np.generic]
        Category of each unit in the first call.
    repeat : Sequence[Hashable] | NDArray[np.generic]
        Category in a second call like the first; same units, same sequence.
    change : Sequence[Hashable] | NDArray[np.generic]
        Category in the call that was changed; in the frame in which no effect means no difference.
    method : McNemarMethod
        As in :func:`~counterbalance.statistics.mcnemar_test`.

    Returns
    -------
    AnchorTest
        How many units either call moved, and McNemar's test of the two.

    Raises
    ------
    StatisticsError
        If lengths differ, or the method is another word.

    Notes
    -----
    If the change has no effect, repeat and change are exchangeable given the anchor, so that of the
    units that exactly one of them moved as many should fall to either: McNemar's test with
    :math:`b` moved by the change only and :math:`c` moved by the repeat only. It is valid with one
    call of each kind, and weak: with two repeats or more of both,
    :func:`~counterbalance.statistics.excess_permutation_test` finds far more.

    **Unit of analysis**: the unit, called three times.
    **Denominator**: :math:`b + c`; units that both or neither moved do not enter.
    **Undefined** when :math:`b + c = 0`; the p-value is then None, not 1.
    **Assumes**: independent units; independent calls given the unit.

    References
    ----------
    .. [1] Q. McNemar, "Note on the sampling error of the difference between correlated proportions
       or percentages", Psychometrika 12 (1947) 153-157. doi:10.1007/BF02295996

    Examples
    --------
    >>> result = anchor_test(anchor="uuuuuv", repeat="uuuuvv", change="vvvvuv")
    >>> result.test.n_gained, result.test.n_lost, round(result.test.p_value, 4)
    (4, 1, 0.2188)
    >>> result.n_change_differs, result.n_repeat_differs, result.excess
    (4, 1, 0.5)
    """
    n = len(anchor)
    for name, calls in (("repeat", repeat), ("change", change)):
        if problem := length_problem(name, len(calls), n):
            raise StatisticsError(problem)
    codes = cluster_codes([*anchor, *repeat, *change], 3 * n).reshape(3, n)
    repeat_differs, change_differs = codes[1] != codes[0], codes[2] != codes[0]
    return AnchorTest(
        n_units=n,
        n_repeat_differs=int(repeat_differs.sum()),
        n_change_differs=int(change_differs.sum()),
        test=mcnemar_test(
            int((change_differs & ~repeat_differs).sum()),
            int((repeat_differs & ~change_differs).sum()),
            method,
        ),
    )
