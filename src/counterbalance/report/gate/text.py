"""A gate's result for a terminal, and the words that other formats share with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.report.gate.result import GateVerdict
from counterbalance.report.layout import number, visible
from counterbalance.report.measure_text import SIGNED, value_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.protocol.gate_section import GateRule
    from counterbalance.report.gate.result import GateCheck, GateResult

__all__ = [
    "check_title",
    "gate_lines",
    "limit_words",
    "measure_value",
    "verdict_sentence",
    "why_words",
]

_SIGNS = {GateVerdict.PASS: "pass", GateVerdict.FAIL: "FAIL", GateVerdict.NOT_ENOUGH: "open"}
_SIGNED = SIGNED | {"lead_of_b"}


def gate_lines(result: GateResult) -> Iterator[str]:
    """Yield the result for a terminal.

    Parameters
    ----------
    result : GateResult
        What the gate came to.

    Yields
    ------
    str
        One line each.
    """
    yield verdict_sentence(result)
    yield f"  {visible(result.title, 200)}; protocol {result.protocol_digest[:16]}, {result.fixed}"
    for line in result.broken:
        yield f"  FAIL  {visible(line, 400)}"
    for line in result.missing:
        yield f"  open  {visible(line, 400)}"
    for check in result.checks:
        yield f"  {_SIGNS[check.verdict]}  {check_title(check)}"
        yield f"          {limit_words(check.rule)}"
        yield f"          {why_words(check)}"
    for line in result.cautions:
        yield f"  note: {line}"


def verdict_sentence(result: GateResult) -> str:
    """Return what the gate came to, with how many rules did what."""
    counts = {v: sum(check.verdict is v for check in result.checks) for v in GateVerdict}
    parts = [f"{n} {verdict.value}" for verdict, n in counts.items() if n]
    return f"Gate: {result.verdict.value}. Of {len(result.checks)} checks: {', '.join(parts)}."


def check_title(check: GateCheck) -> str:
    """Return the name of a rule and the group that it was held to."""
    part = ", held-out pairs" if check.is_held_out else ""
    return f"{visible(check.rule.name)} [{visible(check.group)}{part}]"


def limit_words(rule: GateRule) -> str:
    """Return a rule as declared."""
    limit = (
        f"{'at most' if rule.is_upper else 'at least'} {measure_value(rule.measure, rule.limit)}"
    )
    how = "as observed" if rule.observed else f"at {100 * (rule.confidence or 0):g} % confidence"
    return f"{rule.measure} {limit} {how}"


def why_words(check: GateCheck) -> str:
    """Return what was measured, and what it would take where that decides nothing."""
    estimate = check.estimate
    if estimate.value is None:
        return f"undefined: {estimate.undefined}"
    counted = f" of {number(estimate.denominator)} {estimate.counted}"
    if estimate.numerator is not None:
        counted = f" = {number(estimate.numerator)} /{counted.removeprefix(' of')}"
    words = measure_value(check.rule.measure, estimate.value) + counted
    return words if check.rule.observed else f"{words}; {_limit_of(check)}{_outlook(check)}"


def _outlook(check: GateCheck) -> str:
    """Return what would decide an open rule; nothing for one that is decided."""
    if check.verdict is not GateVerdict.NOT_ENOUGH or check.estimate.low is None:
        return ""
    if check.needed is None:
        return "; no number of pairs decides it while the value stays so near the limit"
    return f"; about {check.needed} {check.estimate.counted} would decide it if it stays so"


def _limit_of(check: GateCheck) -> str:
    """Return the end of the interval that decides, or why there is none."""
    estimate, rule = check.estimate, check.rule
    if estimate.low is None or estimate.high is None:
        return f"no interval: {' '.join(estimate.cautions) or 'it has none'}"
    is_failure = check.verdict is GateVerdict.FAIL
    if rule.is_upper is is_failure:
        return f"at least {measure_value(rule.measure, estimate.low)}"
    return f"at most {measure_value(rule.measure, estimate.high)}"


def measure_value(measure: str, value: float) -> str:
    """Return a value of what a rule is about, as reports write it."""
    return f"{value:+.3f}" if measure in _SIGNED else value_text(measure, value)
