"""The pairs that are kept back for a confirmation: whole clusters, drawn by a seed of their own.

In come the pairs of a file, a share and a seed; out come the clusters or pairs that are held out.
Pairs of one cluster are never split, as one of them would tell about the other. A cluster whose
part was fixed by an earlier draw keeps it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from counterbalance.presentations.seeding import rank

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from counterbalance.items.item import Pair, PairId

__all__ = ["held_out_clusters", "held_out_pairs"]


def held_out_clusters(
    sizes: Mapping[str, int], share: float, seed: int, known: Mapping[str, bool] | None = None
) -> frozenset[str]:
    """Return which clusters are held out.

    Parameters
    ----------
    sizes : Mapping[str, int]
        Pairs by cluster, for every cluster of the file.
    share : float
        Share of the pairs to hold out, above 0 and below 1.
    seed : int
        Seed of this draw alone.
    known : Mapping[str, bool] | None
        Clusters whose part is fixed: True for held out, False for judged.

    Returns
    -------
    frozenset[str]
        Clusters of the file; empty when there are fewer than two, which cannot be split.

    Notes
    -----
    The seed puts the clusters that are not known in an order that depends on their names only. The
    first of them are held out: as many as bring the number of all pairs held out nearest to
    ``share`` times all pairs, the fewer of two equally near; but at least one cluster where none
    was held out before, and not all of a file without a judged one. Other pairs in the file can
    change how many of the new clusters are held out, never which part a known one is in.

    Examples
    --------
    >>> first = held_out_clusters({"a": 1, "b": 1, "c": 1, "d": 1}, 0.25, seed=1)
    >>> len(first)
    1
    >>> fixed = {cluster: cluster in first for cluster in "abcd"}
    >>> grown = held_out_clusters(dict.fromkeys("abcdefgh", 1), 0.25, seed=1, known=fixed)
    >>> len(grown), first < grown
    (2, True)
    """
    fixed = known or {}
    kept_back = {cluster for cluster in sizes if fixed.get(cluster)}
    new = sorted(sizes.keys() - fixed.keys(), key=lambda cluster: rank(seed, "held out", cluster))
    counts = [sum(sizes[cluster] for cluster in kept_back)]
    for cluster in new:
        counts.append(counts[-1] + sizes[cluster])
    is_first_draw = not any(fixed.values())
    has_judged = any(fixed.get(cluster) is False for cluster in sizes)
    target = share * sum(sizes.values())
    allowed = range(int(is_first_draw), len(new) + int(has_judged))
    n_new = min(allowed, key=lambda n: abs(counts[n] - target), default=0)
    return frozenset(kept_back.union(new[:n_new]))


def held_out_pairs(pairs: Sequence[Pair], share: float, seed: int) -> frozenset[PairId]:
    """Return which pairs a first draw holds out.

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
        Ids of the pairs, see `held_out_clusters`. A larger share holds out a superset, and
        exchanging rows of the file changes nothing.
    """
    sizes = Counter(pair.item.cluster for pair in pairs)
    kept_back = held_out_clusters(sizes, share, seed)
    return frozenset(pair.id for pair in pairs if pair.item.cluster in kept_back)
