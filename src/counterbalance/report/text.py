"""The report as plain text: counts first, words beside every number, no colour needed."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Literal

from counterbalance.measures.exploratory import EXPLORATORY_TESTS
from counterbalance.report.cost import cost_lines
from counterbalance.report.family import exploratory_family, family_lines
from counterbalance.report.held_equal_text import held_equal_lines, named_lines
from counterbalance.report.history import confirmation_lines, fixed_when, revision_lines, star_line
from counterbalance.report.human_text import human_lines
from counterbalance.report.layout import columns, p_value, percent, plural, visible
from counterbalance.report.log_text import cases_lines, group_table, log_head, log_tail
from counterbalance.report.measure_text import (
    IN_FULL_ONLY,
    count_text,
    interval_text,
    notes,
    share_text,
    value_text,
)
from counterbalance.report.quotes_text import quotes_text
from counterbalance.report.sentences import group_sentence, what_it_does_not_say
from counterbalance.report.side_by_side import side_by_side
from counterbalance.report.source_figures_text import source_figures_lines
from counterbalance.report.strategies_text import strategies_text
from counterbalance.report.votes import votes_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from counterbalance.measures.estimate import Estimate
    from counterbalance.report.log_reading import LogReading
    from counterbalance.report.report import GroupReport, Report

__all__ = [
    "MOST_GROUPS",
    "Detail",
    "disposition_rows",
    "measures_title",
    "reconciliation_lines",
    "render_text",
    "shown_measures",
    "which_are_planned",
]

Detail = Literal["brief", "groups", "full"]
"""How much a text report shows."""

_WIDTH = 98
_LISTED = 10
MOST_GROUPS = 4
"""Groups of a log that are shown with all their tables when nobody asks for more."""
_EXPLORATORY = ("  calls beyond the retry rule are counted; nothing here was decided beforehand",)


def render_text(report: Report, *, detail: Detail = "groups") -> str:
    """Return the report for a terminal or a text file.

    Parameters
    ----------
    report : Report
        The report.
    detail : Detail
        ``brief`` leaves the groups' own tables out, ``full`` adds undefined measures, cautions and
        every category.

    Returns
    -------
    str
        Lines without control characters or escape sequences.
    """
    if report.log is None:
        lines = [*_head(report), *_body(report, detail)]
    else:
        lines = _log_lines(report, report.log, detail)
    lines += human_lines(report.human)
    if report.confirmation is not None:
        lines += [*confirmation_lines(report.history), *_body(report.confirmation, detail)]
        warnings = dict.fromkeys((*report.warnings, *report.confirmation.warnings))
    else:
        warnings = dict.fromkeys(report.warnings)
    lines += ["", "What this does not say"]
    lines += _wrapped(what_it_does_not_say(report))
    if warnings:
        lines += ["", "Limits of this evidence"]
        lines += _wrapped(warnings)
    return "\n".join(lines) + "\n"


def _body(report: Report, detail: Detail) -> list[str]:
    """Return everything about one part of the pairs: those that are held out stand alone."""
    lines = [*reconciliation_lines(report), *side_by_side(report)]
    lines += _groups(report.groups, report, detail)
    lines += strategies_text(report, full=detail == "full")
    lines += [*quotes_text(report.quotes), *_family(report)]
    return [*lines, *_exploratory_family(report)] if detail == "full" else lines


def _groups(groups: Iterable[GroupReport], report: Report, detail: Detail) -> Iterator[str]:
    for group in groups:
        if detail == "brief":
            yield from ("", visible(group.name, 90), *_sentence(group, report))
        else:
            yield from _group(group, report, full=detail == "full")


def _log_lines(report: Report, log: LogReading, detail: Detail) -> list[str]:
    """Show the source's groups; our readings of the same replies only in full."""
    full = detail == "full"
    source = [group for group in report.groups if full or group.verdict_by == "source"]
    ordered = [group for group in source if not group.is_unordered]
    lines = [*log_head(log), *group_table(ordered)]
    if log.votes is not None:
        lines += votes_lines(log.votes)
    if full or len(source) <= MOST_GROUPS:
        lines += _groups(source, report, detail)
    else:
        if ordered:
            found = f"{len(source)} groups: tables of each with --full, or split less with --by"
            lines += ["", found]
        lines += named_lines(source)
    lines += source_figures_lines(log, full=full)
    return [*lines, *cases_lines(log), *log_tail(log)]


def _sentence(group: GroupReport, report: Report) -> list[str]:
    sentence = group_sentence(group, has_several_labellings=bool(report.labels))
    return textwrap.wrap(sentence, _WIDTH, initial_indent="  ", subsequent_indent="  ")


def _wrapped(sentences: Iterable[str]) -> Iterator[str]:
    for sentence in sentences:
        yield from textwrap.wrap(
            visible(sentence, 2000), _WIDTH, initial_indent="  - ", subsequent_indent="    "
        )


def _head(report: Report) -> list[str]:
    kind = "EXPLORATORY report" if report.is_exploratory else "report"
    return [
        f"counterbalance {kind}: {visible(report.title, 90)}",
        *_EXPLORATORY[: report.is_exploratory],
        f"  protocol {report.protocol_digest} {fixed_when(report.history)}",
        (
            f"  pairs    {visible(report.pairs_file)}, {plural(report.rows, 'row')},"
            f" sha256 {report.pairs_sha256[:16]}…"
        ),
        *revision_lines(report.history),
        "",
    ]


def reconciliation_lines(report: Report) -> list[str]:
    """Say how the planned presentations and the calls of a run add up."""
    run = report.reconciliation
    parts = [f"{run.with_verdict} with a verdict"]
    parts += [f"{n} {reason}" for reason, n in run.without_verdict.items()]
    parts.append(f"{run.not_run} not run")
    sign = "=" if run.adds_up else "≠"
    calls = f"Calls: {run.attempts} recorded, {run.retries} of them retries, {run.lost} lost"
    if run.beyond_rule.calls:
        counted = "" if report.is_exploratory else ", not counted"
        calls += f"; {run.beyond_rule.calls} beyond the retry rule{counted}"
    open_calls = f"; {run.under_way} started and not back yet" if run.under_way else ""
    return [
        f"Presentations: {run.planned} planned {sign} " + " + ".join(parts),
        calls + open_calls,
    ]


def _group(group: GroupReport, report: Report, *, full: bool) -> list[str]:
    counts = group.counts
    lines = [
        "",
        (
            f"Judge {visible(group.name, 90)}:"
            f" {plural(counts.pairs, 'pair')}, {plural(counts.items, 'item')},"
            f" {plural(counts.clusters, 'cluster')}"
        ),
        *_sentence(group, report),
        "",
        *(_identical(group) if group.is_unordered else _by_order(group)),
        *_measures(group, report, full=full),
        *_tests(group, report, full=full),
    ]
    if full:
        lines += [*_categories(group), *_requirements(group)]
    lines += held_equal_lines(group, full=full)
    return [*lines, *_case_lists(group), *cost_lines(group.cost)]


def _identical(group: GroupReport) -> list[str]:
    n = group.dispositions["identical"]
    return [f"  identical: {plural(n, 'pair')} whose answers are the same text", ""] if n else []


def _by_order(group: GroupReport) -> list[str]:
    """Show dispositions and transitions, of which a group without recorded orders has none."""
    return [
        *columns(disposition_rows(group), indent=4, right=[1, 2]),
        "",
        "  Forward verdict (rows) by reversed verdict (columns), in candidates",
        *_transition(group),
        "",
    ]


def disposition_rows(group: GroupReport) -> list[list[str]]:
    """Return the pairs of a group by disposition: name, count, share, note; their sum last."""
    rows = []
    for name, n in group.dispositions.items():
        note = ""
        if name == "order_disagreement" and n:
            note = f"primacy {group.details['primacy']}, recency {group.details['recency']}"
        if name == "incomplete" and n:
            reasons = (f"{reason} {k}" for reason, k in group.incomplete_reasons.items())
            note = f"by presentation: {', '.join(reasons)}"
        if n or name in {"stable_a", "stable_b", "order_disagreement", "incomplete"}:
            share = percent(n / group.counts.pairs if group.counts.pairs else None)
            rows.append([name, str(n), share, note])
    return [*rows, ["all pairs", str(sum(group.dispositions.values())), "", ""]]


def _transition(group: GroupReport) -> list[str]:
    labels, cells = group.transition.labels, group.transition.cells
    used = [
        i
        for i, label in enumerate(labels)
        if label in {"a", "b"} or any(cells[i]) or any(row[i] for row in cells)
    ]
    rows = [["", *(labels[i] for i in used)]]
    rows += [[labels[i], *(str(cells[i][j]) for j in used)] for i in used]
    return columns(rows, indent=4, right=range(1, len(used) + 1))


def _measures(group: GroupReport, report: Report, *, full: bool) -> list[str]:
    shown = shown_measures(group, report, full=full)
    rows = [["", "value", "count", "interval", "a larger value means"]]
    rows += [_measure_row(e, planned=e.name in report.planned) for e in shown]
    lines = [f"  {measures_title(group)}", f"  {which_are_planned(report)}"]
    lines += columns(rows, indent=4, right=[1, 2])
    if full:
        lines += _wrapped(notes([*shown, *group.tests]))
    return lines


def shown_measures(group: GroupReport, report: Report, *, full: bool) -> list[Estimate]:
    """Return the measures of a group that a reader is shown who asked for no more."""
    return [e for e in group.measures if full or _is_shown(e, report)]


def measures_title(group: GroupReport) -> str:
    """Return what a table of a group's measures is headed with."""
    level = f"{group.measures[0].level:.0%}"
    return f"Measures, {level} intervals over {group.counts.clusters} clusters (kappa: over pairs)"


def which_are_planned(report: Report) -> str:
    """Say what the star beside a measure means, or why there is none."""
    if report.is_exploratory:
        return "all exploratory"
    return star_line(report.history, is_held_out=report.is_held_out)


def _is_shown(estimate: Estimate, report: Report) -> bool:
    if estimate.name in report.named:
        return True
    return estimate.undefined is None and estimate.name not in IN_FULL_ONLY


def _measure_row(estimate: Estimate, *, planned: bool) -> list[str]:
    return [
        f"{estimate.name}{'*' if planned else ' '}",
        value_text(estimate.name, estimate.value),
        count_text(estimate),
        interval_text(estimate),
        estimate.positive_means,
    ]


def _tests(group: GroupReport, report: Report, *, full: bool) -> list[str]:
    lines = []
    for test in group.tests:
        if test.p_value is None or not (full or test.name not in EXPLORATORY_TESTS):
            continue
        mark = "*" if test.name in report.planned else " "
        lines += [
            f"    {test.name}{mark} {test.numerator} of {test.denominator} {test.counted}:",
            f"      {p_value(test.p_value)} if {test.hypothesis}",
            *(f"      {caution}" for caution in test.cautions),
        ]
    return lines


def _categories(group: GroupReport) -> list[str]:
    rows = [["category", "pairs", "stable", "order disagreement", "agree with reference"]]
    rows += [
        [
            visible(row.category or "(none)", 30),
            str(row.pairs),
            f"{row.stable} / {row.two_verdicts}",
            str(row.order_disagreement),
            f"{row.agreeing} / {row.referenced}",
        ]
        for row in group.categories
    ]
    return ["", "  By category", *columns(rows, indent=4, right=[1, 2, 3, 4])]


def _requirements(group: GroupReport) -> list[str]:
    if not group.requirements:
        return []
    rows = [["requirement", "mandatory", "a met", "a broke", "b met", "b broke", "cannot tell"]]
    rows += [
        [
            visible(row.requirement, 30),
            "yes" if row.mandatory else "no",
            *(str(counts[side]) for side in ("a", "b") for counts in (row.met, row.breached)),
            str(sum(row.unknown.values())),
        ]
        for row in group.requirements
    ]
    title = "  Requirements of the items, whoever was preferred"
    return ["", title, *columns(rows, indent=4, right=range(2, 7))]


def _case_lists(group: GroupReport) -> list[str]:
    lines = []
    found = group.agreement_stable
    if found is not None and found.denominator:
        right = f"{percent(found.value)} = {share_text(found)}"
        lines.append(f"  Stable verdicts that agree with the reference (agreement_stable): {right}")
    if group.stable_against_reference:
        ids = [visible(x, 40) for x in group.stable_against_reference[:_LISTED]]
        more = len(group.stable_against_reference) - len(ids)
        rest = f" and {more} more" if more else ""
        named = f"Stable, and against the reference: {', '.join(ids)}{rest}"
        lines += textwrap.wrap(named, _WIDTH, initial_indent="  ", subsequent_indent="    ")
    accepted = group.accepted_winners
    if sum(accepted.values()) and any(row.mandatory for row in group.requirements):
        lines.append(
            f"  Stable winners that meet every mandatory requirement: a {accepted['a']},"
            f" b {accepted['b']}; that break one: {accepted['breached']}; that cannot show it:"
            f" {accepted['unknown']}"
        )
    return lines


def _exploratory_family(report: Report) -> list[str]:
    family = exploratory_family(report)
    return [] if family is None else family_lines(family, "Exploratory")


def _family(report: Report) -> list[str]:
    family = report.family
    if family is None:
        return []
    reasons = [f"{step.name}: {step.undefined.sentence}" for step in family.steps if step.undefined]
    kind = "Planned" if report.planned else "Exploratory"
    return [*family_lines(family, kind), *_wrapped(reasons)]
