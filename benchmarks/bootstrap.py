"""Bootstrap a million judgments: 10,000 replicates of win rate, position consistency and kappa.

500,000 pairs in both orders come in 100,000 clusters. Prints seconds and memory of each interval
beside one pass over the same judgments (their sums by cluster), and beside what one replicate costs
when clusters are drawn row by row. Where scikit-learn, statsmodels or evalica are installed, prints
how long each takes for the same number once, without any interval, and that the numbers agree.
"""

from __future__ import annotations

import importlib
import resource
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from counterbalance.statistics import bootstrap_kappa, bootstrap_ratio

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from counterbalance.statistics import ClusterBootstrap

N_PAIRS, N_CLUSTERS, N_REPLICATES = 500_000, 100_000, 10_000
A, B, TIE = 0, 1, 2
TIED, TORN = 0.1, 0.25
CREDIT = np.array([1.0, 0.0, 0.5])


class Judgments(NamedTuple):
    """Verdicts of both orders of each pair, in the candidate frame, and the pair's cluster."""

    forward: NDArray[np.int8]
    reversed_: NDArray[np.int8]
    cluster: NDArray[np.int32]


def judgments(seed: int) -> Judgments:
    """Draw a judge that follows the texts in most pairs, with clusters that differ."""
    rng = np.random.default_rng(seed)
    cluster = rng.integers(0, N_CLUSTERS, N_PAIRS, dtype=np.int32)
    wins = rng.choice([0.35, 0.55, 0.75], N_CLUSTERS)[cluster]
    draws = rng.random((3, N_PAIRS))
    forward = np.where(draws[0] < TIED, TIE, np.where(draws[1] < wins, A, B)).astype(np.int8)
    torn = draws[2] < TORN
    other = np.where(forward == TIE, A, B - forward)  # exchanges the winners, and breaks a tie
    return Judgments(forward, np.where(torn, other, forward).astype(np.int8), cluster)


def one_pass(data: Judgments) -> float:
    """Sum by cluster what the three statistics are made of: the least that has to be done."""
    sums = [
        np.bincount(data.cluster, weights=values, minlength=N_CLUSTERS)
        for values in (
            CREDIT[data.forward] + CREDIT[data.reversed_],
            data.forward == data.reversed_,
            np.ones(N_PAIRS),
        )
    ]
    return float(sum(each.sum() for each in sums))


def row_by_row(data: Judgments) -> float:
    """Return the seconds of one replicate that draws clusters and takes all their rows along."""
    rng = np.random.default_rng(1)
    by_cluster = np.argsort(data.cluster, kind="stable")
    ends = np.cumsum(np.bincount(data.cluster, minlength=N_CLUSTERS))
    starts = np.concatenate([[0], ends[:-1]])
    begin = time.process_time()  # the sorting above is done once for all replicates
    drawn = rng.integers(0, N_CLUSTERS, N_CLUSTERS)
    sizes = (ends - starts)[drawn]
    offsets = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    rows = by_cluster[np.repeat(starts[drawn], sizes) + offsets]
    forward, reversed_ = data.forward[rows], data.reversed_[rows]
    _ = (CREDIT[forward] + CREDIT[reversed_]).mean() / 2, (forward == reversed_).mean()
    _ = np.bincount(forward * 3 + reversed_, minlength=9)
    return time.process_time() - begin


def intervals(data: Judgments) -> dict[str, Callable[[], ClusterBootstrap]]:
    """Return the three intervals, each by 10,000 studentised replicates."""
    rng = np.random.default_rng(2)
    ones = np.ones(N_PAIRS)
    credit = (CREDIT[data.forward] + CREDIT[data.reversed_]) / 2
    same = (data.forward == data.reversed_).astype(np.float64)
    return {
        "win rate": lambda: bootstrap_ratio(
            credit, ones, data.cluster, rng, n_replicates=N_REPLICATES
        ),
        "position consistency": lambda: bootstrap_ratio(
            same, ones, data.cluster, rng, n_replicates=N_REPLICATES
        ),
        "kappa of the orders": lambda: bootstrap_kappa(
            data.forward, data.reversed_, data.cluster, rng, n_replicates=N_REPLICATES
        ),
    }


def peers(data: Judgments) -> dict[str, tuple[str, Callable[[Any], float]]]:
    """Return modules that compute one of the numbers, and how; each is asked for it once."""
    table = np.bincount(data.forward * 3 + data.reversed_, minlength=9).reshape(3, 3)

    def win_rate(evalica: Any) -> float:  # noqa: ANN401 (a module)
        outcomes = (evalica.Winner.X, evalica.Winner.Y, evalica.Winner.Draw)
        verdicts = np.concatenate([data.forward, data.reversed_]).tolist()
        n = len(verdicts)
        found = evalica.average_win_rate(["a"] * n, ["b"] * n, [outcomes[v] for v in verdicts])
        return float(found.scores["a"])

    return {
        "sklearn.metrics": (
            "kappa of the orders",
            lambda module: float(module.cohen_kappa_score(data.forward, data.reversed_)),
        ),
        "statsmodels.stats.inter_rater": (
            "kappa of the orders",
            lambda module: float(module.cohens_kappa(table).kappa),
        ),
        "evalica": ("win rate", win_rate),
    }


def seconds_of(job: Callable[[], Any]) -> tuple[float, Any]:
    """Run a job; return its processor seconds and what it gave."""
    begin = time.process_time()
    found = job()
    return time.process_time() - begin, found


def main() -> None:
    """Print every interval beside the pass, and every peer that is installed."""
    data = judgments(7)
    one_pass(data)
    bare, _ = seconds_of(lambda: one_pass(data))
    before = peak_megabytes()
    print(f"{2 * N_PAIRS:,} judgments, {N_CLUSTERS:,} clusters, {N_REPLICATES:,} replicates")
    print(f"{'one pass over the judgments':<58}{bare:8.3f} s")
    found, total = {}, 0.0
    for name, job in intervals(data).items():
        taken, found[name] = seconds_of(job)
        total += taken
        interval = f"[{found[name].low:.5f}, {found[name].high:.5f}]"
        print(
            f"{name:<58}{taken:8.3f} s  {taken / bare:6.1f} passes"
            f"  {found[name].estimate:.5f} {interval}"
        )
    print(f"{'all three':<58}{total:8.3f} s  {total / bare:6.1f} passes")
    print(f"peak memory: {peak_megabytes() - before:.0f} MB over what the judgments take")
    alone = row_by_row(data)
    print(
        f"{'row by row, one replicate':<58}{alone:8.3f} s  so {alone * N_REPLICATES / 60:.0f} min"
        f" for {N_REPLICATES:,}: {alone * N_REPLICATES / total:,.0f} times as long"
    )
    for name, (number, job) in peers(data).items():
        try:
            module = importlib.import_module(name)
        except ImportError:
            print(f"{name}: not installed")
            continue
        taken, value = seconds_of(lambda job=job, module=module: job(module))
        gap = abs(value - found[number].estimate)
        print(
            f"{name + ', ' + number + ' once':<58}{taken:8.3f} s  {value:.5f} (differs {gap:.1e})"
        )


def peak_megabytes() -> float:
    """Return the largest memory of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
