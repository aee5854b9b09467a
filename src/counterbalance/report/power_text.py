"""What planned pairs can detect, in lines, with everything that is assumed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.compare.verdict import POWER
from counterbalance.report.layout import percent, plural, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.compare.power import Detectable, WinRateDetectable
    from counterbalance.run.forecast import JudgedPairs

__all__ = ["power_lines"]


def power_lines(
    judged: JudgedPairs,
    differences: Sequence[Detectable],
    rates: Sequence[WinRateDetectable],
) -> Iterator[str]:
    """Yield what planned pairs can detect.

    Parameters
    ----------
    judged : JudgedPairs
        The pairs that presentations are for.
    differences : Sequence[Detectable]
        Between two judges or runs, by measure and share of pairs on which they differ.
    rates : Sequence[WinRateDetectable]
        Distances of a win rate from one half.

    Yields
    ------
    str
        One line each.
    """
    if not (differences or rates):
        return
    clusters = plural(len(judged.cluster_sizes), "cluster")
    yield (
        f"what {plural(judged.pairs, 'judged pair')} in {clusters} can detect with {POWER:.0%}"
        " power:"
    )
    for measure in dict.fromkeys(row.measure for row in differences):
        rows = [row for row in differences if row.measure == measure]
        yield (
            f"  {measure}, {plural(rows[0].n_pairs, 'pair')}: by the share of them on which two"
            " judges or runs differ"
        )
        yield from map(_difference, rows)
    for rate in rates:
        yield f"  win_rate_a, {plural(rate.n_pairs, 'pair')}: {_rate(rate)}"
    yield from _assumptions(judged, differences, rates)


def _difference(row: Detectable) -> str:
    share = percent(row.discordant_share)
    pilot = f", upper limit of the pilot ({visible(row.from_pilot)})" if row.from_pilot else ""
    found = "no difference, however large"
    if row.difference is not None:
        found = f"a difference of {100 * row.difference:.1f} points"
    needed = ""
    if row.margin is not None and row.pairs_for_margin is not None:
        needed = f"; its margin of {100 * row.margin:g} points takes {row.pairs_for_margin} pairs"
    return f"    {share}{pilot}: {found}{needed}"


def _rate(row: WinRateDetectable) -> str:
    where = "if pairs spread as widely as they can"
    if row.from_pilot:
        where = f"if pairs spread as in the pilot ({visible(row.from_pilot)})"
    found = "nothing" if row.difference is None else f"{100 * row.difference:.1f} points from 50 %"
    return f"{found} {where}"


def _assumptions(
    judged: JudgedPairs,
    differences: Sequence[Detectable],
    rates: Sequence[WinRateDetectable],
) -> Iterator[str]:
    if differences:
        rate = differences[0].error_rate
        yield (
            f"  assumed: two-sided tests at {100 * rate:.3g} % (a declared family shares the error"
            " rate), McNemar's mid-p, every verdict comes"
        )
    is_pilot = any(row.from_pilot for row in differences) or any(row.from_pilot for row in rates)
    if not is_pilot:
        yield "  the shares are assumptions; --pilot RECORD takes them from an earlier record"
    if len(judged.cluster_sizes) < judged.pairs and not is_pilot:
        yield "  pairs share clusters, so less is detected than that; a pilot says how much less"
    if is_pilot:
        yield "  a pilot is small and not a sample of these pairs; plan with rather more"
