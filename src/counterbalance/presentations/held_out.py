"""The pairs that are kept back for a confirmation: whole clusters, drawn by a seed of their own.

In come the pairs of a file, a share and a seed; out come the ids of those that are held out. Pairs
of one cluster are never split, as one of them would tell about the other.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from counterbalance.presentations.seeding import rank

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.items.item import Pair, PairId

__all__ = ["held_out_pairs"]


def held_out_pairs(pairs: Sequence[Pair], share: float, seed: int) -> frozenset[PairId]:
    """Return which pairs are held out.

    Parameters
    ----------
    pairs : Sequence[Pair]
        Every pair of the file, in any order.
    share : float
        Share of the pairs to hold out, above 0 and below 1.
    seed : int
        Seed of this draw alone.

    Returns
    -------
    frozenset[PairId]
        Ids of the pairs; empty when there are fewer than two clusters, which cannot be split.

    Notes
    -----
    The seed puts the clusters in an order that depends on their names only. The first of them are
    held out: as many as bring the number of their pairs nearest to ``share`` times all pairs, the
    fewer of two equally near; but at least one cluster, and not all. A larger share therefore holds
    out a superset, and exchanging rows of the file changes nothing. Other pairs in the file can
    change which clusters are held out.
    """
    sizes = Counter(pair.item.cluster for pair in pairs)
    drawn = sorted(sizes, key=lambda cluster: rank(seed, "held out", cluster))
    target = share * len(pairs)
    counts = [0]
    for cluster in drawn:
        counts.append(counts[-1] + sizes[cluster])
    allowed = range(1, len(drawn))
    n_clusters = min(allowed, key=lambda n: abs(counts[n] - target), default=0)
    kept_back = set(drawn[:n_clusters])
    return frozenset(pair.id for pair in pairs if pair.item.cluster in kept_back)
