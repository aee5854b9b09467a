"""The report as a JSON value in the published schema; its keys are a promise."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from counterbalance.items.hashing import tagged_hash
from counterbalance.report.controls_json import length_value, style_value
from counterbalance.report.cost import cost_value
from counterbalance.report.family import exploratory_family, family_value
from counterbalance.report.human_json import human_value_json
from counterbalance.report.log_json import log_value
from counterbalance.report.log_reading import LogFileRow
from counterbalance.report.reconciliation import reconciliation_value
from counterbalance.report.report import SCHEMA, GroupReport, Report

if TYPE_CHECKING:
    from collections.abc import Mapping

    from counterbalance.measures.estimate import Estimate
    from counterbalance.measures.tested import TestResult
    from counterbalance.report.history import History
    from counterbalance.statistics.multiplicity import FamilyTest

__all__ = ["report_json", "report_value"]


def report_json(report: Report) -> str:
    """Return a report in schema ``counterbalance.report/1`` as one JSON text, without NaN."""
    return json.dumps(report_value(report), ensure_ascii=False, indent=1, allow_nan=False)


def report_value(report: Report) -> dict[str, Any]:
    """Return a report as a JSON value.

    Parameters
    ----------
    report : Report
        The report.

    Returns
    -------
    dict[str, Any]
        Schema ``counterbalance.report/1``.
    """
    log = {} if report.log is None else log_value(report.log)
    return {
        "schema": SCHEMA,
        "exploratory": report.is_exploratory,
        "source": _source(report),
        "reconciliation": reconciliation_value(report.reconciliation),
        "groups": [_group(group, report) for group in report.groups],
        "strategies": [
            {
                "judge": s.judge,
                "strategy": s.strategy,
                "labellings": list(s.labellings),
                "results": dict(s.results),
                "from_disagreement": s.from_disagreement,
                "agreement": _measure(s.agreement, report, None),
                "agreement_all": _measure(s.agreement_all, report, None),
                "title": s.title,
                "dispositions": s.dispositions,
                "self_disagreeing": s.self_disagreeing,
                "split": s.split,
                "escalated": s.escalated,
                "voters": [asdict(voter) for voter in s.voters],
            }
            for s in report.strategies
        ],
        "quotes": [asdict(quotes) for quotes in report.quotes],
        "swap_identities": {
            judge: asdict(x) | {"gain": x.gain, "holds": x.holds}
            for judge, x in report.swap_identities.items()
        },
        "labels": [
            {
                "judge": x.judge,
                "labellings": list(x.labellings),
                "by_label": dict(x.by_label),
                "by_slot": dict(x.by_slot),
            }
            for x in report.labels
        ],
        "family": _family(report.family),
        "exploratory_tests": _family(exploratory_family(report)),
        "protocol": _without_secret(report.protocol),
        "rejects": [],
        "warnings": list(report.warnings),
        "revision": _revision(report.history) if report.history.revisions else None,
        "confirmation": _confirmation(report.confirmation),
        "review": human_value_json(report.human),
    } | log


def _family(family: FamilyTest | None) -> dict[str, Any] | None:
    return None if family is None else family_value(family)


def _source(report: Report) -> dict[str, Any]:
    log = report.log
    if log is None:
        files = [LogFileRow(report.pairs_file, report.pairs_sha256, report.rows, 0)]
    else:
        files = list(log.files)
    return {
        "kind": report.kind,
        "format": "pairs" if log is None else log.format_name,
        "files": [asdict(file) for file in files],
        "protocol": report.protocol_digest or None,
        "title": report.title,
        "begun_at": report.begun_at or None,
        "program": report.program,
    }


def _revision(history: History) -> dict[str, Any]:
    newest = history.newest
    return {
        "number": newest.number,
        "of": len(history.revisions),
        "reason": newest.reason,
        "created_at": newest.created_at,
        "calls_before": newest.calls_before,
        "after_data": history.is_after_data,
        "calls_outside": history.n_outside,
        "held_out_seen": history.seen_before is not None,
        "earlier": [
            {
                "number": header.number,
                "protocol": header.protocol_digest,
                "reason": header.reason,
                "created_at": header.created_at,
                "calls_before": header.calls_before,
            }
            for header in history.revisions[:-1]
        ],
        "openings": [
            {
                "revision": opening.revision,
                "opened_at": opening.opened_at,
                "pairs": len(opening.pairs),
                "calls_before": opening.calls_before,
            }
            for opening in history.openings
        ],
    }


def _confirmation(report: Report | None) -> dict[str, Any] | None:
    """Return the part about opened held-out pairs: what a report has of the others."""
    opening = None if report is None else report.history.opening
    if report is None or opening is None:
        return None
    whole = report_value(report)
    parts = ("reconciliation", "groups", "strategies", "labels", "family", "warnings")
    return {
        "revision": opening.revision,
        "opened_at": opening.opened_at,
        "exploratory": report.history.seen_before is not None,
        **{name: whole[name] for name in parts},
    }


def _subset(group: GroupReport, report: Report) -> str:
    if not group.labelling:
        return group.subset
    return f"{'held_out, ' if report.is_held_out else ''}labels {group.labelling}"


def _group(group: GroupReport, report: Report) -> dict[str, Any]:
    counts = group.counts
    dispositions: dict[str, Any] = dict(group.dispositions)
    dispositions["order_disagreement"] = dict(group.details)
    return {
        "judge": group.judge,
        "strategy": group.strategy,
        "subset": _subset(group, report),
        "labelling": group.labelling,
        "verdict_by": group.verdict_by,
        "counts": {
            "items": counts.items,
            "clusters": counts.clusters,
            "pairs": counts.pairs,
            "held_out": counts.held_out,
            "excluded": counts.excluded,
            "presentations": counts.presentations,
            "attempts": counts.attempts,
        },
        "systems": dict(group.systems),
        "dispositions": dispositions,
        "incomplete_reasons": dict(group.incomplete_reasons),
        "outcomes": dict(group.outcomes),
        "transition": {
            "labels": list(group.transition.labels),
            "cells": [list(row) for row in group.transition.cells],
        },
        "measures": {e.name: _measure(e, report, group) for e in group.measures},
        "tests": {t.name: _test(t, report) for t in group.tests},
        "quadrant": None if group.quadrant is None else asdict(group.quadrant),
        "requirements": [
            {
                "requirement": r.requirement,
                "mandatory": r.mandatory,
                "met": dict(r.met),
                "breached": dict(r.breached),
                "unknown": dict(r.unknown),
            }
            for r in group.requirements
        ],
        "categories": [
            {
                "category": c.category,
                "pairs": c.pairs,
                "stable": c.stable,
                "two_verdicts": c.two_verdicts,
                "order_disagreement": c.order_disagreement,
                "agreement_both": {"numerator": c.agreeing, "denominator": c.referenced},
            }
            for c in group.categories
        ],
        "accepted_winners": dict(group.accepted_winners),
        "stable_against_reference": list(group.stable_against_reference),
        "agreement_stable": None
        if group.agreement_stable is None
        else _measure(group.agreement_stable, report, group),
        "label_mass": {"value": group.label_mass, "presentations": group.n_label_masses},
        "length_control": None
        if group.length_control is None
        else length_value(group.length_control, lambda e: _measure(e, report, group)),
        "style_control": None if group.style_control is None else style_value(group.style_control),
        "cost": cost_value(group.cost),
    }


def _without_secret(protocol: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what fences are derived from: whoever holds it could write a text that ends one."""
    secret = protocol.get("delimiter_secret")
    shown = None if secret is None else tagged_hash("secret/1", secret)
    return {**protocol, "delimiter_secret": shown}


def _measure(estimate: Estimate, report: Report, group: GroupReport | None) -> dict[str, Any]:
    margins = () if group is None else group.margins
    margin = next((m for m in margins if m.measure == estimate.name), None)
    return {
        "value": estimate.value,
        "numerator": estimate.numerator,
        "denominator": estimate.denominator,
        "low": estimate.low,
        "high": estimate.high,
        "level": estimate.level,
        "method": estimate.method,
        "unit": estimate.unit,
        "counted": estimate.counted,
        "positive_means": estimate.positive_means,
        "undefined": estimate.undefined,
        "clusters": estimate.n_clusters,
        "cautions": list(estimate.cautions),
        "exploratory": estimate.name not in report.planned,
        "margin": None if margin is None else margin.margin,
        "against_margin": None if margin is None else margin.verdict,
    }


def _test(test: TestResult, report: Report) -> dict[str, Any]:
    return {
        "hypothesis": test.hypothesis,
        "p_value": test.p_value,
        "numerator": test.numerator,
        "denominator": test.denominator,
        "undefined": test.undefined,
        "counted": test.counted,
        "cautions": list(test.cautions),
        "exploratory": test.name not in report.planned,
    }
