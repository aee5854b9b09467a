"""Measure a million imported judgments: rows to pairs to every measure, on one core.

Prints seconds and memory of the columnar road beside one bare pass over the same rows (a table of
forward by reversed verdicts, which needs dense pairs in perfect order and gives no interval).
"""

from __future__ import annotations

import resource
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from counterbalance.dispositions.attempt_columns import AttemptColumns, PairTable
from counterbalance.dispositions.codes import N_VERDICTS, OUTCOMES
from counterbalance.dispositions.from_attempts import pairs_from_attempts
from counterbalance.dispositions.transition import transition_table
from counterbalance.measures.catalogue import group_measures, group_tests

if TYPE_CHECKING:
    from collections.abc import Callable

N_PAIRS, N_CLUSTERS, N_GROUPS = 500_000, 100_000, 4


def log(seed: int) -> AttemptColumns:
    """Two rows of every pair, shuffled; a pair belongs to one group, as a model comparison does."""
    rng = np.random.default_rng(seed)
    pair = np.repeat(np.arange(N_PAIRS, dtype=np.int32), 2)
    order = np.tile(np.array([0, 1], dtype=np.int8), N_PAIRS)
    shares = np.zeros(len(OUTCOMES))
    shares[[OUTCOMES.index(w) for w in ("first", "second", "tie", "unparsed")]] = 4, 3, 2, 1
    outcome = rng.choice(shares.size, 2 * N_PAIRS, p=shares / shares.sum()).astype(np.int8)
    shuffled = rng.permutation(2 * N_PAIRS)
    pair, order, outcome = pair[shuffled], order[shuffled], outcome[shuffled]
    n = pair.size
    zeros = np.zeros(n, dtype=np.int32)
    return AttemptColumns(
        n_groups=N_GROUPS,
        pairs=table(rng),
        group=pair % N_GROUPS,
        pair=pair,
        order=order,
        repetition=zeros,
        outcome=outcome,
        strength=zeros.astype(np.int8),
        setting=rng.integers(0, 2, N_PAIRS, dtype=np.int32)[pair],
        file=zeros,
        line=np.arange(1, n + 1),
    )


def table(rng: np.random.Generator) -> PairTable:
    """Pairs of one system pair, half of them with a reference."""
    codes = np.zeros(N_PAIRS, dtype=np.int32)
    return PairTable(
        ids=range(N_PAIRS),  # type: ignore[arg-type]  # numbers stand for names nobody reads here
        item=np.arange(N_PAIRS, dtype=np.int32),
        cluster=rng.integers(0, N_CLUSTERS, N_PAIRS, dtype=np.int32),
        systems=codes,
        category=codes,
        accepted=rng.integers(0, 2, N_PAIRS, dtype=np.uint8),
        consequence=np.ones(N_PAIRS),
        is_identical=np.zeros(N_PAIRS, dtype=np.bool_),
        system_pairs=((("old", ""), ("new", "")),),
        categories=("",),
    )


def bare(attempts: AttemptColumns) -> int:
    """Scatter the rows into two columns and count: as little as the job can be."""
    verdicts = np.zeros((2, N_PAIRS), dtype=np.int8)
    verdicts[attempts.order, attempts.pair] = np.minimum(attempts.outcome, N_VERDICTS)
    n = N_VERDICTS + 1
    return int(np.bincount(verdicts[0] * n + verdicts[1], minlength=n * n).size)


def timed(what: str, job: Callable[[], Any]) -> tuple[float, Any]:
    """Run a job and print its seconds."""
    begin = time.process_time()
    found = job()
    seconds = time.process_time() - begin
    print(f"{what:<58}{seconds:8.3f} s")
    return seconds, found


def main() -> None:
    """Print the road in steps, and what it comes to."""
    attempts = log(11)
    per_row = sum(
        v.nbytes for k in attempts.__slots__ if hasattr(v := getattr(attempts, k), "nbytes")
    )
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    floor, _ = timed("one bare pass over the rows", lambda: bare(attempts))
    reduced, groups = timed(
        f"rows to pairs ({N_PAIRS:,} pairs, {N_GROUPS} groups)",
        lambda: pairs_from_attempts(attempts),
    )
    measured, _ = timed(
        "all measures, tests and transition tables",
        lambda: [
            (group_measures(g, baseline="old"), group_tests(g), transition_table(g)) for g in groups
        ],
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    total = reduced + measured
    print(f"{'together':<58}{total:8.3f} s, {total / floor:.0f} x the bare pass")
    print(
        f"rows take {per_row / attempts.n_rows:.0f} bytes each; peak memory {peak / 1024:.0f} MiB,"
    )
    print(f"of which {(peak - before) / 1024:.0f} MiB are beyond the rows and the interpreter")


if __name__ == "__main__":
    main()
