"""The section of a page that shows a blind review."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.report.html.sections import Part, Section, Words
from counterbalance.report.html.table import Cell, Table
from counterbalance.report.human_text import (
    HUMAN_WORDS,
    REVIEWER_HEAD,
    SAID,
    human_interval,
    human_value,
    kappa_row,
    open_sentence,
    reviewer_row,
    state_sentence,
)
from counterbalance.report.layout import number, plural, visible
from counterbalance.report.measure_text import count_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from counterbalance.measures.estimate import Estimate
    from counterbalance.report.html.case_links import CaseLinks
    from counterbalance.report.html.sections import Block
    from counterbalance.report.reviewed import HumanReport, JudgeAgainstPeople, ReviewedCase

__all__ = ["human_section"]

_MOST_CASES = 60
_HEAD = ("measure", "value", "interval", "counts", "what limits it")


def human_section(human: HumanReport | None, links: CaseLinks) -> Section | None:
    """Show a review; None without one.

    Parameters
    ----------
    human : HumanReport | None
        The review.
    links : CaseLinks
        Where cases stand in a folder of pages.

    Returns
    -------
    Section | None
        While it is open, what was decided beforehand only.
    """
    if human is None:
        return None
    parts = [Part("", tuple(_shared(human)))]
    parts += [Part(f"{visible(judge.group)}", tuple(_judge(judge))) for judge in human.judges]
    if human.cases:
        parts.append(Part("Every case", (_cases(human.cases, links),)))
    return Section("people", "Blind review by people", state_sentence(human), tuple(parts))


def _shared(human: HumanReport) -> Iterator[Block]:
    yield Table(
        caption="Why cases were reviewed",
        about=f"n = {plural(human.n_cases, 'case')}; one with several reasons counts in each.",
        head=("reason", "cases"),
        rows=tuple(_row((name, str(n))) for name, n in human.by_reason.items()),
    )
    if not human.closed_at:
        yield Words((open_sentence(human),))
        return
    yield Table(
        caption="Reviewers",
        about=(
            "chose the first is out of the answers that choose a response, same when repeated out"
            " of the pairs that were answered in both orders."
        ),
        head=REVIEWER_HEAD,
        rows=tuple(_row(reviewer_row(row)) for row in human.reviewers),
    )
    if human.pairs_of_reviewers:
        yield Table(
            caption="Every two reviewers",
            about="Cases that both answered, first showings; intervals take cases as independent.",
            head=("reviewers", "same verdict", "kappa", "interval"),
            rows=tuple(_row(kappa_row(*pair)) for pair in human.pairs_of_reviewers),
        )
    if human.alpha is not None:
        about = "Cases with at least two answers; the interval is over clusters."
        yield _estimates("All reviewers", about, [human.alpha])


def _judge(judge: JudgeAgainstPeople) -> Iterator[Block]:
    yield Table(
        caption="What most reviewers said of each disposition",
        about=(
            f"n = {sum(sum(c.values()) for c in judge.by_disposition.values())} answered cases;"
            " split: no verdict has more than half of the reviewers."
        ),
        head=("disposition", *SAID),
        rows=tuple(
            _row((name, *(number(counts.get(said, 0)) for said in SAID)))
            for name, counts in judge.by_disposition.items()
        ),
    )
    yield _estimates(
        "Judge and most reviewers, random sample of stable pairs",
        "The sample speaks for all stable pairs without another reason for a review.",
        [judge.agreement, judge.kappa],
    )
    yield _estimates(
        "Judge and most reviewers, selected stable pairs",
        "They were selected for what contradicts them, and speak for themselves only.",
        [judge.selected_agreement],
    )
    yield _estimates(
        "Corrected win rate",
        (
            "Over all selected and stable pairs: people's mean on the selected ones, and on the"
            " stable ones the judge's, corrected by the sample (PPI++)."
        ),
        [judge.win_rate],
    )


def _estimates(caption: str, about: str, found: Iterable[Estimate]) -> Table:
    return Table(
        caption=caption,
        about=about,
        head=_HEAD,
        rows=tuple(
            (
                Cell(HUMAN_WORDS[each.name]),
                Cell(human_value(each), is_number=True),
                Cell(human_interval(each), is_number=True),
                Cell(count_text(each), is_number=True),
                Cell(each.undefined or " ".join(each.cautions)),
            )
            for each in found
        ),
    )


def _cases(cases: tuple[ReviewedCase, ...], links: CaseLinks) -> Table:
    more = len(cases) - _MOST_CASES
    return Table(
        caption="Every case, the most consequential first",
        about="What each reviewer said at the first showing, and what most of them said.",
        head=("pair", "reasons", "answers", "most", "flagged by"),
        rows=tuple(
            (
                Cell(visible(case.pair, 80), href=links.of(case.pair)),
                Cell(", ".join(sorted({reason["reason"] for reason in case.reasons}))),
                Cell("; ".join(f"{visible(n, 40)}: {said}" for n, said in case.answers.items())),
                Cell(case.majority or "no answer"),
                Cell(", ".join(visible(name, 40) for name in case.flagged_by)),
            )
            for case in cases[:_MOST_CASES]
        ),
        more=f"{plural(more, 'more case')}: --json lists all." if more > 0 else "",
    )


def _row(texts: Iterable[str]) -> tuple[Cell, ...]:
    first, *rest = texts
    return (Cell(first), *(Cell(text, is_number=True) for text in rest))
