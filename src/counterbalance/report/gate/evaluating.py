"""The rules of a protocol, held to what a record shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.errors import UsageError, one_line
from counterbalance.measures.from_judged import pairs_from_judged
from counterbalance.measures.gated import gated_measure
from counterbalance.protocol.bias_section import PROBE_MEASURES
from counterbalance.report.build import build_report
from counterbalance.report.gate.deciding import decided, two_sided_level, units_needed
from counterbalance.report.gate.result import GateCheck, GateResult, GateVerdict
from counterbalance.report.history import fixed_when
from counterbalance.report.layout import plural
from counterbalance.report.probe_measures import has_answers, has_probes, probe_estimates

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.dispositions.evidence import GroupId
    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.protocol.gate_section import GateRule
    from counterbalance.report.evidence import Evidence
    from counterbalance.report.report import Report

__all__ = ["NO_RULES", "evaluate_gate"]

NO_RULES = (
    "the protocol declares no rule, and there is no default: what may go wrong is yours to say;"
    " add [[gate]] tables to it, see docs/reference/gate.md"
)


def evaluate_gate(evidence: Evidence, problems: Sequence[str] = ()) -> GateResult:
    """Hold a record to the rules of its protocol.

    Parameters
    ----------
    evidence : Evidence
        What the record holds.
    problems : Sequence[str]
        What `record verify` finds wrong with it.

    Returns
    -------
    GateResult
        Held-out pairs, once opened, are held to the same rules for themselves.

    Raises
    ------
    UsageError
        If the protocol declares no rule.
    """
    protocol = evidence.protocol
    if not protocol.gate:
        raise UsageError(NO_RULES)
    here, elsewhere = _rules(evidence)
    if not here:
        msg = f"no rule of the protocol is held here: {_elsewhere(elsewhere)}"
        raise UsageError(msg)
    report = build_report(evidence)
    parts = [evidence] if evidence.confirmation is None else [evidence, evidence.confirmation]
    reports = [report] if report.confirmation is None else [report, report.confirmation]
    return GateResult(
        title=report.title,
        protocol_digest=report.protocol_digest,
        fixed=fixed_when(evidence.history),
        checks=tuple(check for part in parts for check in _checks(part)),
        broken=(*problems, *(line for each in reports for line in _broken(each))),
        missing=tuple(line for each in reports for line in _missing(each)),
        cautions=tuple(_cautions(evidence)),
    )


def _checks(evidence: Evidence) -> Iterator[GateCheck]:
    protocol = evidence.protocol
    columns = {
        group: pairs_from_judged(pairs, protocol.analysis.cluster)
        for group, pairs in evidence.groups.items()
    }
    here, _ = _rules(evidence)
    first = protocol.labellings[0].name
    for rule in here:
        for group, pairs in columns.items():
            # The score of a probe is over every labelling that it was shown under: counted once.
            if rule.measure in PROBE_MEASURES and group.labelling != first:
                continue
            if rule.judge in {None, group.judge} and rule.labelling in {None, group.labelling}:
                yield _check(rule, group, pairs, evidence)


def _rules(evidence: Evidence) -> tuple[list[GateRule], list[GateRule]]:
    """Return the rules about what the record holds, answers or probes, and the others."""
    held = {True: has_probes(evidence), False: has_answers(evidence)}
    rules = evidence.protocol.gate
    here = [rule for rule in rules if held[rule.measure in PROBE_MEASURES]]
    return here, [rule for rule in rules if rule not in here]


def _check(rule: GateRule, group: GroupId, pairs: PairColumns, evidence: Evidence) -> GateCheck:
    protocol = evidence.protocol
    level = two_sided_level(rule, protocol.analysis.confidence_level)
    if rule.measure in PROBE_MEASURES:
        found = probe_estimates(evidence, group.judge, level)
        estimate = next(each for each in found if each.name == rule.measure)
    else:
        estimate = gated_measure(rule.measure, pairs, baseline=protocol.baseline, level=level)
    verdict = decided(rule, estimate)
    is_open = verdict is GateVerdict.NOT_ENOUGH
    return GateCheck(
        rule=rule,
        group=f"{group.judge}, labels {group.labelling}",
        is_held_out=evidence.is_held_out,
        estimate=estimate,
        verdict=verdict,
        needed=units_needed(rule, estimate) if is_open else None,
    )


def _broken(report: Report) -> Iterator[str]:
    counts = report.reconciliation
    if counts.unplanned:
        yield f"{plural(counts.unplanned, 'call')} at presentations that no plan holds"
    if not counts.adds_up and not counts.unplanned:
        yield (
            f"{counts.planned} presentations were planned; {counts.with_verdict} with a verdict,"
            f" {sum(counts.without_verdict.values())} without and {counts.not_run} not run do not"
            " add up to them"
        )


def _missing(report: Report) -> Iterator[str]:
    # A run that was stopped when it looked well must not pass for one that was planned.
    counts = report.reconciliation
    if counts.not_run:
        yield f"{counts.not_run} of {plural(counts.planned, 'presentation')} were not run"


def _elsewhere(rules: Sequence[GateRule]) -> str:
    named = ", ".join(one_line(rule.name) for rule in rules)
    if rules[0].measure in PROBE_MEASURES:
        return (
            f"{named}: about probes, which `counterbalance bias` judges into a record of its own;"
            " gate that one, too"
        )
    return f"{named}: about answers, and this record holds probes; gate the record of `run`, too"


def _cautions(evidence: Evidence) -> Iterator[str]:
    _, elsewhere = _rules(evidence)
    if elsewhere:
        yield f"Not held here: {_elsewhere(elsewhere)}."
    if evidence.history.is_after_data:
        yield (
            "The protocol with these rules was fixed after calls had been recorded: hold it to"
            " held-out pairs (`run --confirm`) or to a new record."
        )
