"""Odds of one judge against another's, conditional and marginal, in lines and as a JSON value."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from counterbalance.report.layout import columns, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.compare.odds import JudgeOdds
    from counterbalance.statistics import Coefficient

__all__ = ["odds_lines", "odds_rows", "odds_value"]


def odds_lines(odds: JudgeOdds) -> Iterator[str]:
    """Yield both odds ratios of one measure, each with what it is about."""
    fit = odds.fit
    yield ""
    yield (
        f"Odds of {odds.measure}: {visible(odds.second, 40)} against {visible(odds.first, 40)}"
        f" ({fit.n_units // 2} pairs, exploratory)"
    )
    yield from columns(odds_rows(odds), right=[1])
    for each in fit.groups:
        if each.sd is not None:
            yield f"  spread of {each.name}s (standard deviation, log-odds): {each.sd:.2f}"
    if fit.undefined is not None:
        yield f"  no conditional odds: {fit.undefined.sentence}"
    if fit.marginal.undefined is not None:
        yield f"  no marginal odds: {fit.marginal.undefined.sentence}"
    yield from (f"  {caution.sentence}" for caution in fit.cautions)


def odds_rows(odds: JudgeOdds) -> list[tuple[str, str, str, str]]:
    """Return name, value, interval and meaning of both odds ratios."""
    fit = odds.fit
    return [
        ("conditional odds ratio", *_ratio(_of(fit.conditional)), "for one given pair"),
        ("marginal odds ratio", *_ratio(_of(fit.marginal.coefficients)), "averaged over pairs"),
    ]


def _of(coefficients: tuple[Coefficient, ...] | None) -> Coefficient | None:
    return None if coefficients is None else coefficients[1]


def _ratio(found: Coefficient | None) -> tuple[str, str]:
    if found is None:
        return "–", "no interval"
    if found.low is None or found.high is None:
        return f"{math.exp(found.estimate):.2f}", "no interval"
    return (
        f"{math.exp(found.estimate):.2f}",
        f"[{math.exp(found.low):.2f}, {math.exp(found.high):.2f}]",
    )


def odds_value(odds: JudgeOdds) -> dict[str, Any]:
    """Return the odds of one measure as a JSON value: log-odds, named by what they are about."""
    fit = odds.fit
    marginal = fit.marginal
    return {
        "first": odds.first,
        "second": odds.second,
        "measure": odds.measure,
        "pairs": fit.n_units // 2,
        "level": fit.confidence_level,
        "conditional_log_odds": _value(_of(fit.conditional)),
        "marginal_log_odds": _value(_of(marginal.coefficients)),
        "spread": {each.name: each.sd for each in fit.groups},
        "conditional_undefined": None if fit.undefined is None else fit.undefined.sentence,
        "marginal_undefined": None if marginal.undefined is None else marginal.undefined.sentence,
        "cautions": [caution.sentence for caution in fit.cautions],
    }


def _value(found: Coefficient | None) -> dict[str, float | None] | None:
    if found is None:
        return None
    return {"value": found.estimate, "low": found.low, "high": found.high}
