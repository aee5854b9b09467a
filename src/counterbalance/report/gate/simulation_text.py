"""A simulated gate for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.report.gate.text import limit_words, measure_value
from counterbalance.report.layout import columns, percent, plural, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.report.gate.simulating import SimulatedGate

__all__ = ["simulation_lines"]


def simulation_lines(gate: SimulatedGate) -> Iterator[str]:
    """Yield what a simulation found.

    Parameters
    ----------
    gate : SimulatedGate
        Its result.

    Yields
    ------
    str
        One line each.
    """
    yield (
        f"{plural(gate.draws, 'simulated record')} for each true rate:"
        f" {plural(gate.n_pairs, 'pair')} in {plural(gate.n_clusters, 'cluster')}, correlation"
        f" {gate.correlation:g} within them, every pair with a verdict in both orders"
    )
    for each in gate.rules:
        yield ""
        yield f"{visible(each.rule.name)}: {limit_words(each.rule)}"
        if each.undefined is not None:
            yield f"  not simulated: {each.undefined}"
            continue
        rows = [["a judge whose true rate is", "", "passes", "fails", "open"]]
        for truth in each.truths:
            still_open = max(0.0, 1 - truth.passed - truth.failed)
            value = measure_value(each.rule.measure, truth.value)
            shares = (truth.passed, truth.failed, still_open)
            rows.append([truth.words, value, *map(percent, shares)])
        yield from columns(rows, right=(1, 2, 3, 4))
        error = max(truth.standard_error for truth in each.truths)
        yield f"  Monte Carlo error at most {percent(error)}."
        if each.rule.confidence is not None:
            promised = percent(1 - each.rule.confidence)
            yield f"  At the limit both are false alarms: at most {promised} each are promised."
