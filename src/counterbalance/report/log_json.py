"""What the JSON report of logs holds beside its groups; its keys are a promise."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from counterbalance.report.votes import votes_value

if TYPE_CHECKING:
    from counterbalance.report.log_reading import LogReading
    from counterbalance.report.source_figures import FiguresOf

__all__ = ["log_value"]


def log_value(log: LogReading) -> dict[str, Any]:
    """Return the parts of schema ``counterbalance.report/1`` that only imported logs have.

    Parameters
    ----------
    log : LogReading
        How the logs were read.

    Returns
    -------
    dict[str, Any]
        Keys ``rejects``, ``other_files``, ``rows``, ``ratings``, ``reading_differences``,
        ``cases``, ``n_cases``, ``upstream``, ``upstream_rules`` and ``votes``.
    """
    return {
        "rejects": [asdict(reject) for reject in log.rejects],
        "other_files": [{"name": name, "what": what} for name, what in log.others],
        "rows": asdict(log.totals) | {"adds_up": log.totals.adds_up},
        "ratings": [asdict(rating) for rating in log.ratings],
        "reading_differences": [
            {
                "judge": d.judge,
                "strategy": d.strategy,
                "subset": d.subset,
                "same": d.same,
                "different": [
                    {"source": source, "ours": ours, "count": n}
                    for (source, ours), n in d.different.items()
                ],
            }
            for d in log.differences
        ],
        "cases": [asdict(case) for case in log.cases],
        "n_cases": log.n_cases,
        "upstream": [_figures(group) for group in log.upstream],
        "upstream_rules": dict(log.upstream_rules),
        "votes": None if log.votes is None else votes_value(log.votes),
    }


def _figures(group: FiguresOf) -> dict[str, Any]:
    a, b = group.systems
    return {
        "file": group.file,
        "judge": group.judge,
        "strategy": group.strategy,
        "subset": group.subset,
        "systems": {"a": a, "b": b},
        "figures": [
            {
                "name": row.figure.name,
                "rule": row.figure.rule,
                "value": row.figure.value,
                "scale": row.figure.scale,
                "numerator": row.figure.numerator,
                "denominator": row.figure.denominator,
                "defective": row.figure.is_defective,
                "undefined": row.figure.undefined,
                "ours": dict(row.ours),
            }
            for row in group.rows
        ],
    }
