"""A blind review as a JSON value: part of schema ``counterbalance.report/1``."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from counterbalance.measures.estimate import Estimate
    from counterbalance.report.reviewed import HumanReport, JudgeAgainstPeople
    from counterbalance.statistics.agreement import CohenKappa

__all__ = ["human_value_json", "review_measure"]


def human_value_json(human: HumanReport | None) -> dict[str, Any] | None:
    """Return a review as a JSON value.

    Parameters
    ----------
    human : HumanReport | None
        The review; None without one.

    Returns
    -------
    dict[str, Any] | None
        While the review is open, only what was decided beforehand and how much is answered.
    """
    if human is None:
        return None
    shared = {
        "number": human.number,
        "opened_at": human.opened_at,
        "closed_at": human.closed_at or None,
        "cases": human.n_cases,
        "settings": dict(human.settings),
        "by_reason": dict(human.by_reason),
    }
    if not human.closed_at:
        progress = [
            {"name": row.name, "tasks": row.tasks, "answered": row.answered}
            for row in human.reviewers
        ]
        return {**shared, "reviewers": progress}
    return {
        **shared,
        "reviewers": [asdict(row) for row in human.reviewers],
        "agreement_of_reviewers": {
            "alpha": None if human.alpha is None else review_measure(human.alpha),
            "pairs": [_kappa(*pair) for pair in human.pairs_of_reviewers],
        },
        "judges": [_judge(judge) for judge in human.judges],
        "reviewed": [asdict(case) for case in human.cases],
    }


def _judge(judge: JudgeAgainstPeople) -> dict[str, Any]:
    return {
        "group": judge.group,
        "by_disposition": {name: dict(counts) for name, counts in judge.by_disposition.items()},
        "sample_of_stable_pairs": {
            "judge_human_agreement": review_measure(judge.agreement),
            "judge_human_kappa": review_measure(judge.kappa),
        },
        "selected_stable_pairs": {
            "judge_human_agreement": review_measure(judge.selected_agreement)
        },
        "win_rate_a_corrected": review_measure(judge.win_rate),
    }


def review_measure(estimate: Estimate) -> dict[str, Any]:
    """Return a measure of people's answers with everything that travels with it."""
    return {
        "value": estimate.value,
        "numerator": estimate.numerator,
        "denominator": estimate.denominator,
        "low": estimate.low,
        "high": estimate.high,
        "level": estimate.level,
        "method": estimate.method,
        "unit": estimate.unit,
        "positive_means": estimate.positive_means,
        "clusters": estimate.n_clusters,
        "cautions": list(estimate.cautions),
        "undefined": estimate.undefined,
    }


def _kappa(first: str, second: str, kappa: CohenKappa) -> dict[str, Any]:
    return {
        "reviewers": [first, second],
        "n_agree": kappa.n_agree,
        "n": kappa.n_units,
        "kappa": kappa.kappa,
        "low": kappa.low,
        "high": kappa.high,
        "level": kappa.confidence_level,
        "undefined": None if kappa.undefined is None else kappa.undefined.sentence,
    }
