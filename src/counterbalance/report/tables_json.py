"""An audit of printed tables as a JSON value; its keys are a promise."""

from __future__ import annotations

import json
from typing import Any

from counterbalance.tables.check import SCHEMA, Audit, Check, Figure

__all__ = ["tables_json", "tables_value"]


def tables_json(audit: Audit) -> str:
    """Return an audit in schema ``counterbalance.tables/1`` as one JSON text, without NaN."""
    return json.dumps(tables_value(audit), ensure_ascii=False, indent=1, allow_nan=False)


def tables_value(audit: Audit) -> dict[str, Any]:
    """Return an audit as a JSON value.

    Parameters
    ----------
    audit : Audit
        The audit.

    Returns
    -------
    dict[str, Any]
        Schema ``counterbalance.tables/1``.
    """
    first = audit.first_broken
    return {
        "schema": SCHEMA,
        "title": audit.title,
        "source": audit.source,
        "design": audit.design,
        "counts": dict(audit.counts),
        "chain": [{"link": link.value, **counts} for link, counts in audit.counts_by_link.items()],
        "first_broken": None if first is None else _check(first),
        "checks": [_check(check) for check in audit.checks],
        "figures": [_figure(figure) for figure in audit.figures],
        "notes": list(audit.notes),
    }


def _check(check: Check) -> dict[str, Any]:
    return {
        "link": check.link.value,
        "rule": check.rule.name,
        "says": check.rule.says,
        "table": check.table,
        "subject": check.subject,
        "inputs": dict(check.inputs),
        "tolerance": check.tolerance,
        "verdict": check.verdict.value,
        "found": check.found,
        "values": dict(check.values),
    }


def _figure(figure: Figure) -> dict[str, Any]:
    return {
        "link": figure.link.value,
        "name": figure.name,
        "table": figure.table,
        "subject": figure.subject,
        "sentence": figure.sentence,
        "values": dict(figure.values),
    }
