"""A gate's result as one HTML page: no network, no script, no second file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.report.gate.deciding import bottom_of, is_share
from counterbalance.report.gate.result import GateVerdict
from counterbalance.report.gate.text import (
    check_title,
    limit_words,
    measure_value,
    verdict_sentence,
    why_words,
)
from counterbalance.report.html.flow import presentations
from counterbalance.report.html.plot import Plot
from counterbalance.report.html.sections import Part, Section
from counterbalance.report.html.table import Cell, Table
from counterbalance.report.html.verdict_page import (
    Fact,
    SaidVerdict,
    VerdictPage,
    method_words,
    render_verdict_page,
)
from counterbalance.report.layout import number, plural, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.report.gate.result import GateCheck, GateResult

__all__ = ["render_gate_html"]

_LOOKS = {GateVerdict.PASS: "stable", GateVerdict.FAIL: "flip", GateVerdict.NOT_ENOUGH: "none"}
_MEANS = {
    GateVerdict.PASS: (
        "Every rule is kept, with the confidence that it declares, and the record is whole."
        " That is what passed: these rules on these pairs."
    ),
    GateVerdict.FAIL: (
        "What the protocol declared to be too much has been shown. By its own rules, nothing should"
        " be decided on these verdicts."
    ),
    GateVerdict.NOT_ENOUGH: (
        "No rule is shown to be broken, and not every one is shown to be kept. By its own rules,"
        " the study does not allow a decision yet."
    ),
}
_NOT_SAID = (
    "A pass does not say that the verdicts are right: it says that the declared rules were kept.",
    "Another judge, prompt or set of pairs has to be held to the rules for itself.",
    "Limits are the protocol's own; none of them comes from the program.",
)


def render_gate_html(result: GateResult) -> str:
    """Return a gate's result as one HTML page.

    Parameters
    ----------
    result : GateResult
        What the gate came to.

    Returns
    -------
    str
        The same text for the same result. It loads nothing, runs nothing and sends nothing.
    """
    used = {check.estimate.method for check in result.checks}
    return render_verdict_page(
        "gate.html",
        VerdictPage(
            kind="counterbalance gate",
            banner="Gate of counterbalance",
            title=visible(result.title, 200),
            facts=(Fact("Protocol", result.protocol_digest, result.fixed),),
            verdicts=(_whole(result),),
            sections=(_rules(result), _record(result)),
            warnings=tuple(visible(line, 2000) for line in result.cautions),
            not_said=_NOT_SAID,
            methods=method_words(used),
        ),
    )


def _whole(result: GateResult) -> SaidVerdict:
    told = (verdict_sentence(result), _MEANS[result.verdict])
    return SaidVerdict("", (*told, *_waiting(result)), _LOOKS[result.verdict])


def _waiting(result: GateResult) -> Iterator[str]:
    """Say first what is wrong with the record: it decides whatever was measured."""
    for lines, begins in ((result.broken, "The record is broken"), (result.missing, "Missing")):
        if lines:
            yield f"{begins}: {'; '.join(visible(line, 400) for line in lines)}."


def _rules(result: GateResult) -> Section:
    about = (
        "Each row is one rule in one group of pairs. The shaded part of the axis is what the rule"
        " allows; a dot is the measured value, the line its interval; a ring decides nothing. A"
        " rule about the observed value looks at that value alone."
    )
    table = Table(
        caption="Rules, what was found, and what follows",
        about=(
            f"n = {plural(len(result.checks), 'check')}. Each has its own count, out of the"
            " denominator of its measure, and its own method; intervals are over clusters and have"
            " the rule's confidence on each side."
        ),
        head=("rule as declared", "verdict and what was found", "on its axis"),
        rows=tuple(_check(check) for check in result.checks),
        stacks=True,
    )
    return Section("rules", "Rules", about, (Part("", (table,)),))


def _check(check: GateCheck) -> tuple[Cell, ...]:
    estimate = check.estimate
    method = () if estimate.method == "none" else (f"method {estimate.method}",)
    found = f"{check.verdict.value}: {why_words(check)}"
    return (
        Cell(check_title(check), (limit_words(check.rule),)),
        Cell(found, (*_interval(check), *method, *_needed(check)), swatch=_LOOKS[check.verdict]),
        _drawn(check),
    )


def _interval(check: GateCheck) -> Iterator[str]:
    found, measure = check.estimate, check.rule.measure
    if found.low is not None and found.high is not None:
        ends = f"[{measure_value(measure, found.low)}, {measure_value(measure, found.high)}]"
        yield f"{100 * found.level:g} % interval {ends}"


def _drawn(check: GateCheck) -> Cell:
    found, rule = check.estimate, check.rule
    if found.value is None:
        return Cell("no value")
    bottom = bottom_of(rule.measure) if is_share(rule.measure) else -1.0

    def place(value: float) -> float:
        return round(100 * min(max((value - bottom) / (1 - bottom), 0.0), 1.0), 2)

    limit = place(rule.limit)
    plot = Plot(
        value=place(found.value),
        low=None if found.low is None else place(found.low),
        high=None if found.high is None else place(found.high),
        margin=(0.0, limit) if rule.is_upper else (limit, 100.0),
        is_ring=check.verdict is GateVerdict.NOT_ENOUGH,
    )
    ends = f"{measure_value(rule.measure, bottom)} to {measure_value(rule.measure, 1.0)}"
    return Cell("", (ends,), plot=plot)


def _needed(check: GateCheck) -> Iterator[str]:
    """Say how many units decide an open rule beside those that there are."""
    if check.verdict is GateVerdict.NOT_ENOUGH:
        counted = check.estimate.counted
        needed = "cannot be said" if check.needed is None else f"about {check.needed}"
        yield f"{counted} needed: {needed}; there are {number(check.estimate.denominator)}"


def _record(result: GateResult) -> Section:
    about = (
        "The plan was written before the first call. Every presentation of it ends in exactly one"
        " of these rows; a record that does not add up, or whose hashes do not fit, fails the gate."
    )
    names = ("All other pairs", "Held-out pairs")[: len(result.reconciliations)]
    parts = [
        Part(name, (presentations(counts, "planned"),))
        for name, counts in zip(names, result.reconciliations, strict=True)
    ]
    lines = [("fail", line) for line in result.broken]
    lines += [("not enough evidence", line) for line in result.missing]
    if lines:
        found = Table(
            caption="What was found wrong or missing",
            about=f"n = {plural(len(lines), 'finding')}, over plan, calls and hashes.",
            head=("finding", "follows"),
            rows=tuple((Cell(visible(line, 400)), Cell(what)) for what, line in lines),
        )
        parts.append(Part("Findings", (found,)))
    return Section("record", "The record against its plan", about, tuple(parts))
