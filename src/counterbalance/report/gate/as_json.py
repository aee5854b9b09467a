"""A gate's result as JSON, schema ``counterbalance.gate/1``."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from counterbalance.report.reconciliation import reconciliation_value

if TYPE_CHECKING:
    from counterbalance.report.gate.result import GateResult

__all__ = ["SCHEMA", "gate_json"]

SCHEMA = "counterbalance.gate/1"


def gate_json(result: GateResult) -> dict[str, Any]:
    """Return the result as a JSON value.

    Parameters
    ----------
    result : GateResult
        What the gate came to.

    Returns
    -------
    dict[str, Any]
        Every rule as declared, and its estimate with counts, limits, level and method.
    """
    return {
        "schema": SCHEMA,
        "verdict": result.verdict.value,
        "title": result.title,
        "protocol_digest": result.protocol_digest,
        "fixed": result.fixed,
        "checks": [
            {
                "rule": check.rule.model_dump(mode="json", exclude_none=True),
                "group": check.group,
                "held_out": check.is_held_out,
                "verdict": check.verdict.value,
                "estimate": dataclasses.asdict(check.estimate),
                "needed": check.needed,
            }
            for check in result.checks
        ],
        "broken": list(result.broken),
        "missing": list(result.missing),
        "cautions": list(result.cautions),
        "reconciliations": [reconciliation_value(each) for each in result.reconciliations],
    }
