"""The report of a probe battery as a JSON value; its keys are a promise."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from counterbalance.report.rewriting import rewriting_value

if TYPE_CHECKING:
    from counterbalance.measures.estimate import Estimate
    from counterbalance.measures.strategy_bias import Moved
    from counterbalance.report.bias import BiasReport, ProbeResult
    from counterbalance.report.cross import CrossCell

__all__ = ["BIAS_SCHEMA", "bias_value", "estimate_value"]

BIAS_SCHEMA = "counterbalance.bias/1"


def bias_value(report: BiasReport) -> dict[str, Any]:
    """Return the report of a battery as a JSON value.

    Parameters
    ----------
    report : BiasReport
        The report.

    Returns
    -------
    dict[str, Any]
        Schema ``counterbalance.bias/1``.
    """
    return {
        "schema": BIAS_SCHEMA,
        "title": report.title,
        "protocol_digest": report.protocol_digest,
        "pairs_file": report.pairs_file,
        "level": report.level,
        "margin": report.margin,
        "family": {"method": "holm", "size": report.family_size},
        "probes": [_result(result) for result in report.results],
        "planes": [
            {
                "judge": plane.judge,
                "expanded": estimate_value(plane.place.expanded),
                "truncated": estimate_value(plane.place.truncated),
                "margin": plane.place.margin,
                "region": plane.place.region.value,
            }
            for plane in report.planes
        ],
        "cross": [_cell(cell) for cell in report.cross.cells],
        "cross_family": {"method": "holm", "size": report.cross.family_size, "baseline": "B0"},
        "strategies": [{"id": name, "title": title} for name, title in report.cross.titles],
        "likelihoods": [
            {
                "judge": cell.source or None,
                "probe": cell.probe,
                "reduction": cell.reduction.value,
                "missing": cell.missing,
                "b": estimate_value(cell.score),
            }
            for cell in report.likelihoods
        ],
        "rewriting": rewriting_value(report.rewriting),
        "left_out": [asdict(left) for left in report.left_out],
        "flaws": [
            {"probe": flaw.probe, "pair": flaw.pair, "failed": list(flaw.failed)}
            for flaw in report.flaws
        ],
        "not_drawn": dict(report.not_drawn),
        "outstanding": report.outstanding,
        "warnings": list(report.warnings),
    }


def estimate_value(estimate: Estimate) -> dict[str, Any]:
    """Return a measure with everything that travels with it."""
    return {**asdict(estimate), "cautions": list(estimate.cautions)}


def _result(result: ProbeResult) -> dict[str, Any]:
    probe, scores = result.probe, result.scores
    value: dict[str, Any] = {
        "judge": result.judge,
        "probe": probe.name,
        "measure": probe.measure,
        "intervention": probe.intervention,
        "target": probe.target,
        "expects": probe.expects.value,
        "unchecked": probe.unchecked,
        "checks": [asdict(check) for check in result.checks],
        "decision": result.decision.value,
        "place": None if result.place is None else result.place.value,
        "p_value": None if scores is None else scores.p_value,
        "p_undefined": None if scores is None else scores.p_undefined,
        "adjusted_p_value": result.adjusted_p_value,
        "is_rejected": result.is_rejected,
        "scores": None,
        "self_preference": None,
        "same_format": None,
        "people": None,
    }
    if scores is not None:
        counts = scores.counts
        value["scores"] = {
            "b": estimate_value(scores.score),
            "effect": estimate_value(scores.effect),
            "slot": estimate_value(scores.slot),
            "directional_share": estimate_value(scores.directional),
            "target_share": estimate_value(scores.share),
            "by_category": {name: estimate_value(e) for name, e in scores.by_category},
            "counts": {
                **asdict(counts),
                "undirected": counts.undirected,
                "missing": counts.missing,
            },
        }
    if result.self_preference is not None:
        value["self_preference"] = {
            "against": result.self_preference.against,
            "excess": estimate_value(result.self_preference.excess),
        }
    if result.same_format is not None:
        value["same_format"] = {
            "slot": estimate_value(result.same_format.slot),
            "interaction": result.same_format.interaction,
        }
    if result.people is not None:
        value["people"] = {
            "b": estimate_value(result.people.people),
            "excess": estimate_value(result.people.excess),
        }
    return value


def _cell(cell: CrossCell) -> dict[str, Any]:
    return {
        "judge": cell.judge,
        "strategy": cell.strategy,
        "probe": cell.probe,
        "missing": cell.missing,
        "b": estimate_value(cell.score),
        "by_construction": cell.by_construction,
        "baseline": cell.baseline,
        "moved": None if cell.moved is None else _moved(cell.moved),
        "adjusted_p_value": cell.adjusted_p_value,
        "is_rejected": cell.is_rejected,
    }


def _moved(moved: Moved) -> dict[str, Any]:
    return {
        "difference": estimate_value(moved.difference),
        "n_up": moved.n_up,
        "n_down": moved.n_down,
        "p_value": moved.p_value,
        "p_undefined": moved.p_undefined,
    }
