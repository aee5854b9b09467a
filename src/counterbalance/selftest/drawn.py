"""Judgments drawn from laws that are known, as the columns that a log becomes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.attempt_columns import AttemptColumns, PairTable
from counterbalance.dispositions.codes import NONE, ORDERS, VERDICT_OF, VERDICTS, accepted_bits
from counterbalance.dispositions.from_attempts import pairs_from_attempts
from counterbalance.items.frames import Verdict

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from counterbalance.dispositions.pair_columns import PairColumns

__all__ = ["BASELINE", "TIE", "WIN_A", "WIN_B", "Drawn", "clusters_of", "columns_of", "joined"]

WIN_A, WIN_B, TIE = (VERDICTS.index(verdict) for verdict in (Verdict.A, Verdict.B, Verdict.TIE))
BASELINE = "old"
_SYSTEMS = (((BASELINE, ""), ("new", "")),)
_LARGEST_CLUSTER = 6

# Which outcome code, in slot terms, makes a verdict in an order: the road from attempts, backwards.
_OUTCOME = np.array(
    [
        [int(np.flatnonzero(VERDICT_OF[order] == verdict)[0]) for verdict in range(len(VERDICTS))]
        for order in range(len(ORDERS))
    ],
    dtype=np.int8,
)


@dataclass(frozen=True, slots=True)
class Drawn:
    """Verdicts of one judge.

    Attributes
    ----------
    forward : NDArray[np.int8]
        Verdict codes in the candidate frame: pairs by repetitions.
    reversed_ : NDArray[np.int8]
        The same in reversed order.
    """

    forward: NDArray[np.int8]
    reversed_: NDArray[np.int8]


def clusters_of(generator: np.random.Generator, n_clusters: int) -> NDArray[np.int32]:
    """Return the cluster of each pair: clusters of one to six pairs, as they come."""
    sizes = generator.integers(1, _LARGEST_CLUSTER + 1, n_clusters)
    return np.repeat(np.arange(n_clusters, dtype=np.int32), sizes)


def columns_of(drawn: Drawn, clusters: NDArray[np.int32]) -> PairColumns:
    """Return the pairs of one judge, by the road that every log takes."""
    return joined([drawn], clusters)[0]


def joined(judges: list[Drawn], clusters: NDArray[np.int32]) -> tuple[PairColumns, ...]:
    """Return the pairs of several judges of the same pairs, one after the other."""
    parts = [_rows(code, drawn) for code, drawn in enumerate(judges)]
    group, pair, order, repetition, outcome = (np.concatenate(x) for x in zip(*parts, strict=True))
    n = group.size
    attempts = AttemptColumns(
        n_groups=len(judges),
        pairs=_table(clusters),
        group=group,
        pair=pair,
        order=order,
        repetition=repetition,
        outcome=outcome,
        strength=np.zeros(n, dtype=np.int8),
        setting=np.full(n, NONE, dtype=np.int32),
        file=np.zeros(n, dtype=np.int32),
        line=np.arange(1, n + 1, dtype=np.int64),
    )
    return pairs_from_attempts(attempts)


def _rows(code: int, drawn: Drawn) -> tuple[NDArray[np.integer], ...]:
    verdicts = np.stack([drawn.forward, drawn.reversed_])
    order, pair, repetition = (axis.ravel() for axis in np.indices(verdicts.shape))
    outcome = _OUTCOME[order, verdicts.ravel()]
    return (
        np.full(order.size, code, dtype=np.int32),
        pair.astype(np.int32),
        order.astype(np.int8),
        repetition.astype(np.int32),
        outcome,
    )


def _table(clusters: NDArray[np.int32]) -> PairTable:
    n = clusters.size
    return PairTable(
        ids=[f"p{i}" for i in range(n)],
        item=np.arange(n, dtype=np.int32),
        cluster=clusters,
        systems=np.zeros(n, dtype=np.int32),
        category=np.zeros(n, dtype=np.int32),
        accepted=np.full(n, accepted_bits([Verdict.A]), dtype=np.uint8),
        consequence=np.ones(n),
        is_identical=np.zeros(n, dtype=np.bool_),
        system_pairs=_SYSTEMS,
        categories=("",),
    )
