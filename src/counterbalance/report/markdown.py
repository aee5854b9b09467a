"""The report as a Markdown summary: for a pull request, a wiki or the summary of a CI step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.report.history import confirmation_lines, fixed_when, revision_lines
from counterbalance.report.human_text import human_lines
from counterbalance.report.layout import plural
from counterbalance.report.log_text import GROUP_HEAD, group_rows, log_head
from counterbalance.report.markdown_text import inert, table_lines
from counterbalance.report.measure_text import count_text, interval_text, notes, value_text
from counterbalance.report.quotes_text import quotes_text
from counterbalance.report.sentences import group_sentence, what_it_does_not_say
from counterbalance.report.text import (
    MOST_GROUPS,
    disposition_rows,
    measures_title,
    reconciliation_lines,
    shown_measures,
    which_are_planned,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from counterbalance.report.report import GroupReport, Report

__all__ = ["render_markdown"]

_LONGEST_NAME = 90
_MOST_LISTED = 100
"""Groups in the table that shows them side by side: CI cuts a long summary off."""


def render_markdown(report: Report, *, full: bool = False) -> str:
    """Return the summary of a report: verdict sentences, dispositions, measures and limits.

    Parameters
    ----------
    report : Report
        The report.
    full : bool
        Whether every group has its own tables with every measure; a log of many groups has one
        table of all of them otherwise.

    Returns
    -------
    str
        Markdown in which the words of candidates, judges and logs are text and nothing else.
    """
    return "\n".join(_lines(report, full=full)).rstrip("\n") + "\n"


def _lines(report: Report, *, full: bool) -> Iterator[str]:
    yield from _head(report)
    groups = report.groups
    if report.log is not None and not full:
        groups = tuple(group for group in groups if group.verdict_by == "source")
    yield from _part(groups, report, full=full)
    if report.quotes:
        title, *rows = quotes_text(report.quotes)[1:]
        yield from _section(title)
        yield from _quoted(rows)
    if report.human is not None:
        yield from _section("Blind review by people")
        # Its first lines are the title that stands above.
        yield from _quoted(list(human_lines(report.human))[2:])
    warnings = dict.fromkeys(report.warnings)
    if report.confirmation is not None:
        title, *rest = [line for line in confirmation_lines(report.history) if line]
        yield from _section(title)
        yield from _bullets(rest)
        yield from _bullets(reconciliation_lines(report.confirmation))
        yield from _part(report.confirmation.groups, report.confirmation, full=full)
        warnings |= dict.fromkeys(report.confirmation.warnings)
    yield from _section("What this does not say")
    yield from _bullets(what_it_does_not_say(report))
    if warnings:
        yield from _section("Limits of this evidence")
        yield from _bullets(warnings)


def _head(report: Report) -> Iterator[str]:
    if report.log is not None:
        title, *rest = log_head(report.log)
        yield f"# {inert(title)}"
        yield ""
        yield from _bullets(rest)
        return
    kind = "EXPLORATORY report" if report.is_exploratory else "report"
    yield f"# counterbalance {kind}: {inert(report.title, _LONGEST_NAME)}"
    yield ""
    yield from _bullets([
        f"protocol {report.protocol_digest} {fixed_when(report.history)}",
        (
            f"pairs {report.pairs_file}, {plural(report.rows, 'row')},"
            f" sha256 {report.pairs_sha256[:16]}…"
        ),
        *revision_lines(report.history),
        *reconciliation_lines(report),
    ])  # fmt: skip


def _part(groups: tuple[GroupReport, ...], report: Report, *, full: bool) -> Iterator[str]:
    """Yield the sentences of some groups, then their tables."""
    is_long = len(groups) > MOST_GROUPS and not full
    if len(groups) > 1:
        yield from _section("Groups side by side")
        listed = groups if full else groups[:_MOST_LISTED]
        yield from table_lines(GROUP_HEAD, group_rows(listed), right=range(1, len(GROUP_HEAD)))
        if len(listed) < len(groups):
            yield from _bullets([f"and {plural(len(groups) - len(listed), 'more group')} (--full)"])
    for group in () if is_long else groups:
        yield from _group(group, report, full=full)
    if is_long:
        yield from _bullets([f"{len(groups)} groups: tables of each with --full"])


def _group(group: GroupReport, report: Report, *, full: bool) -> Iterator[str]:
    counts = group.counts
    yield from _section(
        f"{group.name}: {plural(counts.pairs, 'pair')}, {plural(counts.items, 'item')},"
        f" {plural(counts.clusters, 'cluster')}"
    )
    yield inert(group_sentence(group, has_several_labellings=bool(report.labels)))
    yield ""
    rows = disposition_rows(group)
    yield from table_lines(("disposition", "pairs", "share", "note"), rows, right=(1, 2))
    yield f"{measures_title(group)}; {inert(which_are_planned(report))}."
    yield ""
    shown = shown_measures(group, report, full=full)
    head = ("measure", "value", "count", "interval", "method", "a larger value means")
    measured = (
        (
            f"{e.name}{'*' if e.name in report.planned else ''}",
            value_text(e.name, e.value),
            count_text(e),
            interval_text(e),
            e.method,
            e.positive_means,
        )
        for e in shown
    )
    yield from table_lines(head, measured, right=(1, 2, 3))
    if full:
        yield from _bullets(notes([*shown, *group.tests]))


def _section(title: str) -> Iterator[str]:
    yield f"## {inert(title, 4 * _LONGEST_NAME)}"
    yield ""


def _bullets(sentences: Iterable[str]) -> Iterator[str]:
    said = [inert(sentence.strip()) for sentence in sentences if sentence.strip()]
    if said:
        yield from (f"- {sentence}" for sentence in said)
        yield ""


def _quoted(lines: Iterable[str]) -> Iterator[str]:
    """Yield columns of plain text as they stand: indented, no mark in them is Markdown."""
    yield from (f"    {line}".rstrip() for line in lines)
    yield ""
