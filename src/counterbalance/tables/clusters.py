"""How far intervals could widen, and tests weaken, if units share prompts or sources.

Units of one cluster that behave alike carry less than as many independent ones. How much less is
not printed; bounds go out, from no likeness to full likeness.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scipy.special import ndtri

from counterbalance.tables.check import Figure, Link
from counterbalance.tables.wording import between

if TYPE_CHECKING:
    from counterbalance.tables.check import Value
    from counterbalance.tables.lines import Line
    from counterbalance.tables.pairing import Pairing

__all__ = ["significance_figure", "widening_figure"]

_SHOWN = (0.05, 0.1, 0.2, 0.5, 1.0)


def widening_figure(line: Line) -> Figure | None:
    r"""Return how far the interval of a row widens with the likeness within clusters.

    Parameters
    ----------
    line : Line
        A row with its numbers of units and of clusters.

    Returns
    -------
    Figure | None
        None where clusters are not printed, or are as many as the units.

    Notes
    -----
    With :math:`m` units per cluster and correlation :math:`\rho` within clusters an interval is
    :math:`\sqrt{1 + (m - 1)\rho}` times as wide. Clusters of unequal size widen it further.

    References
    ----------
    .. [1] L. Kish, "Survey Sampling", Wiley (1965), section 5.4.
    """
    n, clusters = line.scored, line.clusters
    if not n or not clusters or clusters >= n:
        return None
    size = n / clusters
    factors = {f"{rho:g}": _widening(size, rho) for rho in _SHOWN}
    shown = ", ".join(f"{factor:.2f} at {rho}" for rho, factor in factors.items())
    sentence = (
        f"{n} units in {clusters} clusters, {size:.1f} each: an interval for independent units"
        f" would have to be wider by a factor of {shown} of correlation within clusters"
    )
    interval = line.row.interval
    values: dict[str, Value] = {"units": n, "clusters": clusters, "factors": {**factors}}
    if interval is not None:
        low, high = float(interval[0].value), float(interval[1].value)
        middle, half = (low + high) / 2, (high - low) / 2 * factors["1"]
        ends = max(0.0, middle - half), min(1.0, middle + half)
        sentence += f"; the printed limits at most {between(*ends, 3)}"
        values["widest"] = [*ends]
    return Figure(Link.CLUSTERS, "widening", line.name, sentence, line.table.name, values)


def significance_figure(pairing: Pairing, error_rate: float | None) -> Figure | None:
    """Return the correlation within clusters from which a difference is significant no more.

    Parameters
    ----------
    pairing : Pairing
        A comparison with counts, of rows with clusters.
    error_rate : float | None
        Rate of the test.

    Returns
    -------
    Figure | None
        None where something is not printed, or the difference is not significant to begin with.
    """
    n, clusters = pairing.n, pairing.new.clusters if pairing.new else None
    if not n or not clusters or clusters >= n or error_rate is None or pairing.counts is None:
        return None
    gained, lost = pairing.counts
    if gained + lost == 0:
        return None
    ratio = abs(gained - lost) / math.sqrt(gained + lost) / -float(ndtri(error_rate / 2))
    if ratio <= 1:
        return None
    rho = (ratio**2 - 1) / (n / clusters - 1)
    holds = f"a correlation of {rho:.2f} within them" if rho < 1 else "no correlation within them"
    sentence = (
        f"{n} units in {clusters} clusters: the difference, significant for independent units and"
        f" uncorrected, is significant no more with {holds}"
    )
    if rho >= 1:
        sentence = (
            f"{n} units in {clusters} clusters: the difference, significant for independent units"
            " and uncorrected, stays so at any correlation within clusters of equal size"
        )
    values: dict[str, Value] = {"units": n, "clusters": clusters, "correlation": min(rho, 1.0)}
    name = "significance_under_clusters"
    return Figure(Link.CLUSTERS, name, pairing.name, sentence, pairing.table, values)


def _widening(size: float, rho: float) -> float:
    return math.sqrt(1 + (size - 1) * rho)
