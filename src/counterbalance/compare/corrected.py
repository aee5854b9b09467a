"""Win rates of the sides of a comparison by the references, where some pairs have one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.measures.few_labels import few_label_win_rates
from counterbalance.measures.win_rates import why_no_win_rate, win_rate_a

if TYPE_CHECKING:
    from counterbalance.compare.side import Side
    from counterbalance.measures.estimate import Estimate

__all__ = ["corrected_win_rates"]


def corrected_win_rates(side: Side, level: float = 0.95) -> tuple[Estimate, ...]:
    """Return the win rate as judged and, beside it, by the references.

    Parameters
    ----------
    side : Side
        All its pairs, shared or not: the references are a sample of them.
    level : float
        Nominal coverage of the intervals.

    Returns
    -------
    tuple[Estimate, ...]
        The raw rate first; empty without a win rate, or unless some pairs have a reference and
        others have not.

    Notes
    -----
    **Unit of analysis**: the pair; intervals over clusters.
    **Denominator**: as in `measures.few_labels`.
    **Undefined** as there.

    References
    ----------
    .. [1] A. N. Angelopoulos, J. C. Duchi, T. Zrnic, "PPI++: efficient prediction-powered
       inference", arXiv:2311.01453 (2023).
    """
    if why_no_win_rate(side.pairs, side.baseline) is not None:
        return ()
    by_references = few_label_win_rates(side.pairs, level)
    return (win_rate_a(side.pairs, level), *by_references) if by_references else ()
