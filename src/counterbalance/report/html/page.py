"""A whole report as one HTML page: no network, no script, no second file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from counterbalance import __version__
from counterbalance.report.history import confirmation_lines, fixed_when
from counterbalance.report.html.cost_table import costs
from counterbalance.report.html.decided import decided
from counterbalance.report.html.environment import environment, style, style_hash
from counterbalance.report.html.flow import flow
from counterbalance.report.html.frontier_figure import cost_by_agreement
from counterbalance.report.html.held_equal import held_equal
from counterbalance.report.html.human_section import human_section
from counterbalance.report.html.log_tables import files_section, log_section
from counterbalance.report.html.measure_figures import measures, planned_tests, repetition
from counterbalance.report.html.page_cases import CaseList, log_cases
from counterbalance.report.html.pair_figures import dispositions, quadrants, transitions
from counterbalance.report.html.quote_tables import evidence_quotes
from counterbalance.report.html.sections import Section
from counterbalance.report.html.side_tables import (
    against_reference,
    by_category,
    overview,
    requirements,
)
from counterbalance.report.html.slot_sensitivity import slot_by_sensitivity
from counterbalance.report.html.source_tables import source_figures
from counterbalance.report.html.strategy_tables import strategies
from counterbalance.report.layout import plural, visible
from counterbalance.report.measure_text import METHOD_WORDS
from counterbalance.report.sentences import group_sentence, what_it_does_not_say
from counterbalance.report.side_by_side import label_sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.compare.strategy_table import StrategyTable
    from counterbalance.report.report import Report

__all__ = ["render_html"]

_MOST_GROUPS = 6
"""Groups that are shown with all their figures unless every one is asked for."""
_NO_CASES = CaseList((), 0, "", "")


def render_html(
    report: Report,
    cases: CaseList | None = None,
    *,
    compared: StrategyTable | None = None,
    full: bool = False,
) -> str:
    """Return the report as one HTML page.

    Parameters
    ----------
    report : Report
        The report.
    cases : CaseList | None
        Order-sensitive pairs of a run, from `run_cases`; a log brings its own.
    compared : StrategyTable | None
        The strategies of a run beside one another, from `table_of_record`; None for a log.
    full : bool
        Show every group with all its figures, and our own readings of a log's replies.

    Returns
    -------
    str
        The same text for the same report. It loads nothing, runs nothing and sends nothing: its
        own policy forbids everything but the one style sheet inside it.
    """
    if report.log is not None:
        cases = log_cases(report.log)
    parts = [_PagePart(report, compared, full=full)]
    if report.confirmation is not None:
        parts.append(_PagePart(report.confirmation, None, full=full))
    return (
        environment()
        .get_template("page.html")
        .render(
            report=report,
            fixed="" if report.log is not None else fixed_when(report.history),
            title=visible(_title(report), 200),
            style=style(),
            style_hash=style_hash(),
            parts=parts,
            sections=[section for part in parts for section in part.sections()],
            cases=cases or _NO_CASES,
            not_said=[visible(sentence, 2000) for sentence in what_it_does_not_say(report)],
            warnings=_warnings(parts),
            methods=_methods(parts),
            made_by=_made_by(report),
        )
    )


class _PagePart:
    """One part of the pairs: those that are held out stand alone."""

    def __init__(self, report: Report, compared: StrategyTable | None, *, full: bool) -> None:
        self.report = report
        self.compared = compared
        self.groups = [g for g in report.groups if full or g.verdict_by in {"", "source"}]
        self.shown = self.groups if full else self.groups[:_MOST_GROUPS]

    @property
    def lead(self) -> list[str]:
        """What is said before the verdicts of held-out pairs."""
        if not self.report.is_held_out:
            return []
        return [line.strip() for line in confirmation_lines(self.report.history) if line]

    @property
    def verdicts(self) -> list[tuple[str, str]]:
        """The sentence of each group that is shown."""
        has_several = bool(self.report.labels)
        return [
            (visible(group.name), group_sentence(group, has_several_labellings=has_several))
            for group in self.shown
        ]

    @property
    def labels(self) -> list[str]:
        """What each judge chose by slot and by label."""
        return [label_sentence(labels) for labels in self.report.labels]

    @property
    def unshown(self) -> str:
        """How many groups have no figures here; empty when all have."""
        n = len(self.groups) - len(self.shown)
        if not n:
            return ""
        fewer = "--full, or split less with --by" if self.report.log else "--full"
        return (
            f"{plural(n, 'more group')} stand in the table of groups only; all their figures come"
            f" with {fewer}."
        )

    def sections(self) -> Iterator[Section]:
        """Yield what there is to show, under anchors of its own."""
        found = _sections(self)
        for section in found:
            if section is not None and self.report.is_held_out:
                title = f"Held-out pairs: {section.title}"
                yield replace(section, id=f"held-out-{section.id}", title=title)
            elif section is not None:
                yield section


def _warnings(parts: Sequence[_PagePart]) -> list[str]:
    found = dict.fromkeys(sentence for part in parts for sentence in part.report.warnings)
    return [visible(sentence, 2000) for sentence in found]


def _methods(parts: Sequence[_PagePart]) -> list[tuple[str, str]]:
    used = {e.method for part in parts for group in part.shown for e in group.measures}
    return [(name, words) for name, words in METHOD_WORDS.items() if name in used]


def _title(report: Report) -> str:
    return report.title if report.log is None else f"Audit: {report.log.format_title}"


def _made_by(report: Report) -> str:
    if report.log is not None:
        return f"Made by counterbalance {__version__} from the files named above, without a call."
    return (
        f"Made by counterbalance {__version__} from a record of {report.program}."
        " `counterbalance record verify RECORD` derives every hash of it anew."
    )


def _sections(part: _PagePart) -> Iterator[Section | None]:
    report, groups, shown = part.report, part.groups, part.shown
    if report.log is not None:
        yield files_section(report.log)
    if not report.is_held_out:
        yield decided(report)
    yield overview(report, groups)
    yield flow(report, shown)
    yield transitions(shown)
    yield dispositions(shown)
    yield quadrants(shown)
    yield slot_by_sensitivity(shown)
    found = measures(report, shown)
    yield Section(found.id, found.title, found.about, (*planned_tests(report), *found.parts))
    yield repetition(report, shown)
    yield held_equal(shown)
    yield by_category(shown)
    yield costs(shown)
    yield cost_by_agreement(part.compared)
    yield strategies(report)
    yield against_reference(report, shown)
    yield requirements(shown)
    yield evidence_quotes(report)
    yield human_section(report.human)
    if report.log is not None:
        yield source_figures(report.log)
        yield log_section(report.log)
