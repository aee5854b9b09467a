"""A blind review as plain text: reviewers, agreement, and what people said of open cases."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from counterbalance.items.frames import Verdict
from counterbalance.measures.human import SPLIT
from counterbalance.report.layout import columns, number, percent, plural, visible
from counterbalance.report.measure_text import count_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from counterbalance.measures.estimate import Estimate
    from counterbalance.report.reviewed import HumanReport, JudgeAgainstPeople, ReviewerRow
    from counterbalance.statistics.agreement import CohenKappa

__all__ = [
    "HUMAN_WORDS",
    "REVIEWER_HEAD",
    "SAID",
    "human_interval",
    "human_lines",
    "human_value",
    "kappa_row",
    "open_sentence",
    "reviewer_row",
    "state_sentence",
]

_WIDTH = 98
HUMAN_WORDS = {
    "judge_human_agreement": "same verdict as most reviewers",
    "judge_human_kappa": "kappa of judge and most reviewers",
    "win_rate_a_corrected": "win rate of a, corrected by people (PPI++)",
    "human_alpha": "agreement of reviewers, Krippendorff's alpha",
}
"""What the numbers of a review are, by name."""
REVIEWER_HEAD = (
    "reviewer",
    "answered",
    "undone",
    "chose the first",
    "same when repeated",
    "flagged",
)
SAID = (*(verdict.value for verdict in Verdict), SPLIT)
"""What most reviewers can have said of a case."""
_SIGNED = frozenset({"judge_human_kappa", "human_alpha"})


def human_value(estimate: Estimate) -> str:
    """Return the value of a number of a review; a dash for none."""
    if estimate.value is None:
        return "–"
    return _shown(estimate.name, estimate.value)


def human_interval(estimate: Estimate) -> str:
    """Return its interval, or that it has none."""
    if estimate.low is None or estimate.high is None:
        return "no interval"
    return f"[{_shown(estimate.name, estimate.low)}, {_shown(estimate.name, estimate.high)}]"


def _shown(name: str, value: float) -> str:
    return f"{value:+.3f}" if name in _SIGNED else percent(value)


def state_sentence(human: HumanReport) -> str:
    """Return what the review is of, and what of it was decided before anybody answered."""
    settings = human.settings
    drawn = human.n_cases - settings["selected"]
    state = f"closed {human.closed_at}" if human.closed_at else "open"
    return (
        f"Review {human.number}, opened {human.opened_at}, {state}:"
        f" {plural(human.n_cases, 'case')}, {settings['selected']} selected for a reason and"
        f" {drawn} drawn at random from {plural(settings['stable'], 'stable pair')}"
        f" (seed {settings['seed']})."
    )


def open_sentence(human: HumanReport) -> str:
    """Return why nothing more is shown of an open review."""
    answered = sum(row.answered for row in human.reviewers)
    tasks = sum(row.tasks for row in human.reviewers)
    return (
        f"{answered} of {tasks} tasks are answered. What people say is shown once the review is"
        " closed with `counterbalance review RECORD --close`: results would bias who still answers."
    )


def reviewer_row(row: ReviewerRow) -> tuple[str, ...]:
    """Return the cells of one reviewer, as `REVIEWER_HEAD` names them."""
    return (
        visible(row.name, 40),
        f"{row.answered} / {row.tasks}",
        str(row.withdrawn),
        f"{row.chose_first} / {row.chose}",
        f"{row.same} / {row.repeated}",
        str(row.flagged),
    )


def kappa_row(first: str, second: str, kappa: CohenKappa) -> tuple[str, ...]:
    """Return the cells of two reviewers: names, agreement, kappa and its interval."""
    value = "–" if kappa.kappa is None else f"{kappa.kappa:+.3f}"
    limits = "no interval"
    if kappa.low is not None and kappa.high is not None:
        limits = f"[{kappa.low:+.3f}, {kappa.high:+.3f}]"
    agreed = f"{kappa.n_agree} / {kappa.n_units}"
    return (f"{visible(first, 40)} and {visible(second, 40)}", agreed, value, limits)


def human_lines(human: HumanReport | None) -> Iterator[str]:
    """Yield the lines of a review; none where there is none."""
    if human is None:
        return
    yield from ("", "Blind review by people")
    yield from _wrapped(state_sentence(human))
    if human.by_reason:
        yield from _wrapped(
            "Cases by reason: "
            + ", ".join(f"{name} {n}" for name, n in human.by_reason.items())
            + "; a case with several counts in each."
        )
    if not human.closed_at:
        yield from _wrapped(open_sentence(human))
        return
    yield ""
    yield from columns([list(REVIEWER_HEAD), *(list(reviewer_row(r)) for r in human.reviewers)])
    if human.pairs_of_reviewers:
        yield ""
        rows = [list(kappa_row(*pair)) for pair in human.pairs_of_reviewers]
        yield from columns([["two reviewers", "same verdict", "kappa", ""], *rows])
    if human.alpha is not None:
        yield from _estimates([human.alpha])
    for judge in human.judges:
        yield from _judge(judge)


def _judge(judge: JudgeAgainstPeople) -> Iterator[str]:
    yield from ("", f"  {visible(judge.group, 90)}: against most reviewers")
    head = ["disposition", *SAID]
    rows = [
        [name, *(number(counts.get(said, 0)) for said in SAID)]
        for name, counts in judge.by_disposition.items()
    ]
    yield from columns([head, *rows])
    yield from _wrapped("On the random sample of stable pairs, which speaks for all of them:")
    yield from _estimates([judge.agreement, judge.kappa])
    yield from _wrapped("On stable pairs that were selected for a reason, of those only:")
    yield from _estimates([judge.selected_agreement])
    yield from _wrapped("Over all selected and stable pairs:")
    yield from _estimates([judge.win_rate])


def _estimates(found: Iterable[Estimate]) -> Iterator[str]:
    for each in found:
        words = HUMAN_WORDS[each.name]
        row = [words, human_value(each), human_interval(each), count_text(each)]
        yield from columns([row], indent=4)
        for note in [each.undefined] if each.undefined else each.cautions:
            yield from textwrap.wrap(
                note, _WIDTH, initial_indent="      ", subsequent_indent="      "
            )


def _wrapped(sentence: str) -> Iterator[str]:
    yield from textwrap.wrap(
        visible(sentence, 2000), _WIDTH, initial_indent="  ", subsequent_indent="  "
    )
