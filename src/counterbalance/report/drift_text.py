"""Drift as plain text and as a JSON value: what moved, and whether beyond repetition noise."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from counterbalance.compare.verdict import Verdict
from counterbalance.report.comparison_json import comparisons_value
from counterbalance.report.comparison_text import difference_words, moves_lines, pair_counts
from counterbalance.report.family import family_lines
from counterbalance.report.layout import p_value, percent, plural, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from counterbalance.compare.comparison import Comparison
    from counterbalance.compare.difference import Difference
    from counterbalance.compare.drift import Drift, VerdictDrift
    from counterbalance.compare.verdict import Conclusion

__all__ = ["DRIFT_LIMITS", "SCHEMA", "drift_text", "drift_value", "move_sentence", "noise_sentence"]

SCHEMA = "counterbalance.drift/1"
_WIDTH = 98
DRIFT_LIMITS = (
    (
        "A judge that has not moved on these pairs may have moved on others; one that has may have"
        " moved for the better."
    ),
    "That no move was found is not that there is none: only a margin with its interval says so.",
)


def drift_text(found: Drift, *, full: bool = False) -> str:
    """Return drift for a terminal or a text file.

    Parameters
    ----------
    found : Drift
        What moved.
    full : bool
        Name every pair that moved.

    Returns
    -------
    str
        Lines without control characters or escape sequences.
    """
    plan = found.comparisons.plan
    kind = "declared before the data" if plan.is_declared else "EXPLORATORY"
    lines = [
        f"counterbalance drift: {plural(len(found.verdicts), 'judge')}, {kind}",
        (
            f"  {plan.level:.0%} intervals; {plural(found.comparisons.family.family_size, 'test')}"
            " corrected together by Holm; later version less earlier"
        ),
    ]
    for comparison, verdicts in found.parts:
        lines += _part(comparison, verdicts, full=full)
    lines += family_lines(
        found.comparisons.family, "Declared" if plan.is_declared else "Exploratory"
    )
    lines += ["", "What this does not say", *_wrapped(DRIFT_LIMITS)]
    if found.comparisons.notes:
        lines += ["", "Limits of this evidence", *_wrapped(found.comparisons.notes)]
    return "\n".join(lines) + "\n"


def _part(comparison: Comparison, verdicts: VerdictDrift, *, full: bool) -> Iterator[str]:
    yield ""
    yield visible(comparison.second.name, 90)
    yield f"  after {visible(comparison.first.name, 90)}"
    yield from _wrapped([comparison.attribution.sentence])
    yield from _wrapped([noise_sentence(verdicts)])
    yield from _wrapped(move_sentence(*each) for each in comparison.differences)
    yield ""
    yield from pair_counts(comparison)
    yield ""
    yield from moves_lines(comparison.moves, full=full)


def noise_sentence(found: VerdictDrift) -> str:
    """Say how many verdicts changed, and whether more than repetition would change.

    Parameters
    ----------
    found : VerdictDrift
        Verdicts of one version against those of the other.

    Returns
    -------
    str
        A few sentences, every count with its denominator.
    """
    share = percent(found.n_changed / found.n_compared if found.n_compared else None)
    changed = f"{found.n_changed} of {found.n_compared} verdicts changed ({share})."
    if found.undefined is not None:
        return (
            f"{changed} Whether repetition alone would change as many cannot be told:"
            f" {found.undefined}"
        )
    within = (
        f"A verdict differs across versions with a chance of {percent(found.across)}, between"
        f" repetitions of the earlier one {percent(found.within_first)}, of the later one"
        f" {percent(found.within_second)}"
    )
    excess = found.excess
    if excess.value is None or excess.low is None or excess.high is None:
        return f"{changed} {within}; without an interval."
    interval = f"[{100 * excess.low:+.1f}, {100 * excess.high:+.1f}]"
    what = f"excess {100 * excess.value:+.1f} points, interval {interval}, {p_value(found.p_value)}"
    verdict = (
        "BEYOND repetition noise"
        if found.is_beyond_noise
        else "not shown to be more than repetition noise"
    )
    return f"{changed} {within}: {what}. That is {verdict}."


def move_sentence(found: Difference, concluded: Conclusion) -> str:
    """Say whether one measure moved.

    Parameters
    ----------
    found : Difference
        Later version less earlier.
    concluded : Conclusion
        What it comes to.

    Returns
    -------
    str
        One or two sentences.
    """
    if found.value is None:
        return f"{found.measure}: {found.undefined}"
    return f"{difference_words(found)}. {_moved(found, concluded)}"


def _moved(found: Difference, concluded: Conclusion) -> str:
    if concluded.verdict is Verdict.EQUIVALENT:
        return f"HELD within the margin of {100 * (concluded.margin or 0):g} points."
    rate = 1 - found.level + 1e-12
    if concluded.adjusted is not None and concluded.adjusted <= rate:
        return "MOVED up." if (found.value or 0) > 0 else "MOVED down."
    needed = concluded.pairs_needed
    more = f" About {needed} common pairs would tell." if needed and needed > found.n_common else ""
    return f"No move shown.{more}"


def drift_value(found: Drift) -> dict[str, Any]:
    """Return drift in schema ``counterbalance.drift/1``."""
    value = comparisons_value(found.comparisons)
    for part, (comparison, verdicts) in zip(value["comparisons"], found.parts, strict=True):
        part["verdicts"] = _verdicts_value(verdicts)
        for difference, concluded in comparison.differences:
            measure = part["measures"][difference.measure]
            measure["sentence"] = move_sentence(difference, concluded)
    return {**value, "schema": SCHEMA}


def _verdicts_value(found: VerdictDrift) -> dict[str, Any]:
    excess = found.excess
    return {
        "changed": found.n_changed,
        "compared": found.n_compared,
        "across": found.across,
        "within_first": found.within_first,
        "within_second": found.within_second,
        "excess": excess.value,
        "low": excess.low,
        "high": excess.high,
        "level": excess.level,
        "method": excess.method,
        "units": excess.denominator,
        "clusters": excess.n_clusters,
        "p_value": found.p_value,
        "beyond_noise": found.is_beyond_noise,
        "undefined": found.undefined,
        "sentence": noise_sentence(found),
    }


def _wrapped(sentences: Iterable[str]) -> Iterator[str]:
    for sentence in sentences:
        yield from textwrap.wrap(
            visible(sentence, 2000), _WIDTH, initial_indent="  - ", subsequent_indent="    "
        )
