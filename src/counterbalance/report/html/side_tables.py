"""Tables beside the figures: groups, categories, strategies, labels, requirements, references."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.report.html.sections import Listed, Part, Section
from counterbalance.report.html.table import Cell, Table
from counterbalance.report.layout import percent, plural, visible
from counterbalance.report.log_text import GROUP_HEAD, group_rows
from counterbalance.report.measure_text import share_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from counterbalance.measures.estimate import Estimate
    from counterbalance.report.html.case_links import CaseLinks
    from counterbalance.report.report import GroupReport, Report

__all__ = ["against_reference", "by_category", "numbers", "overview", "requirements"]

_MOST_GROUPS = 200
_MOST_CATEGORIES = 60
_MOST_PAIRS = 60
_MOST_REQUIREMENTS = 60


def numbers(values: Iterable[object]) -> tuple[Cell, ...]:
    """Return cells that are aligned as numbers."""
    return tuple(Cell(str(value), is_number=True) for value in values)


def overview(report: Report, groups: Sequence[GroupReport]) -> Section | None:
    """Show all groups in one table, and labels against slots; None for a single group."""
    if len(groups) < 2:  # noqa: PLR2004 (one group has its own tables)
        return None
    shown = groups[:_MOST_GROUPS]
    more = len(groups) - len(shown)
    rows = tuple((Cell(name), *numbers(rest)) for name, *rest in group_rows(shown))
    table = Table(
        caption="Every group",
        about=(
            "Counts are pairs. consistency is out of the pairs with two verdicts, slot bias out of"
            " all verdicts, right in both out of the pairs with a reference and two verdicts."
        ),
        head=GROUP_HEAD,
        rows=rows,
        more=f"{plural(more, 'more group')}: --json lists all." if more else "",
    )
    return Section("groups", "Groups side by side", "", (Part("", (table, *_labels(report))),))


def _labels(report: Report) -> Iterator[Table]:
    for labels in report.labels:
        yield Table(
            caption=f"Verdicts by place and by label: {visible(labels.judge)}",
            about=(
                f"n = {sum(labels.by_slot.values())} verdicts that choose a slot, over the"
                f" labellings {visible(' and '.join(labels.labellings), 60)}; each counts once by"
                " slot and once by label."
            ),
            head=("chosen", "verdicts"),
            rows=tuple(
                (Cell(f"{kind} {visible(name, 30)}"), *numbers((n,)))
                for kind, counts in (("slot", labels.by_slot), ("label", labels.by_label))
                for name, n in counts.items()
            ),
        )


def by_category(groups: Sequence[GroupReport]) -> Section | None:
    """Show the categories of each group; None where no pair has one."""
    parts = [
        Part(visible(group.name), (_categories(group),))
        for group in groups
        if any(row.category for row in group.categories)
    ]
    if not parts:
        return None
    about = "Small categories move much by chance; these rows have counts and no intervals."
    return Section("categories", "By category", about, tuple(parts))


def _categories(group: GroupReport) -> Table:
    shown = group.categories[:_MOST_CATEGORIES]
    more = len(group.categories) - len(shown)
    rows = tuple(
        (
            Cell(visible(row.category or "(none)", 60)),
            *numbers(
                (
                    row.pairs,
                    f"{row.stable} / {row.two_verdicts}",
                    row.order_disagreement,
                    f"{row.agreeing} / {row.referenced}",
                )
            ),
        )
        for row in shown
    )
    return Table(
        caption=f"Categories: {visible(group.name)}",
        about=(
            f"n = {group.counts.pairs} pairs. Stable is out of the pairs with two verdicts,"
            " agreement in both orders out of those that have a reference besides."
        ),
        head=("category", "pairs", "stable", "order disagreement", "agree with reference"),
        rows=rows,
        more=f"{plural(more, 'more category')}: --json lists all." if more else "",
    )


def against_reference(
    report: Report, groups: Sequence[GroupReport], links: CaseLinks
) -> Section | None:
    """Show how often stable verdicts are right; None where no stable pair has a reference."""
    judged = [group for group in groups if _stable_with_reference(group)]
    if not judged:
        return None
    about = "Stable is not right: a verdict may survive the exchange of places and still be wrong."
    table = Table(
        caption="Agreement with the reference among stable pairs",
        about=(
            "Out of the stable pairs that have a reference; beside it both orders right, out of"
            " all pairs with a reference and two verdicts. Intervals are over clusters."
        ),
        head=("group", "stable and right", "both orders right", "stable, but wrong"),
        rows=tuple(
            (
                Cell(visible(group.name)),
                _agreement(group.agreement_stable),
                _agreement(group.measure("agreement_both")),
                Cell(str(len(group.stable_against_reference)), is_number=True),
            )
            for group in judged
        ),
    )
    lists = tuple(
        Part(visible(group.name), (_against(group, report, links),))
        for group in judged
        if group.stable_against_reference
    )
    title = "Validity: stable verdicts and the reference"
    return Section("reference", title, about, (Part("", (table,)), *lists))


def _stable_with_reference(group: GroupReport) -> bool:
    found = group.agreement_stable
    return bool(group.stable_against_reference) or (found is not None and found.denominator > 0)


def _agreement(estimate: Estimate | None) -> Cell:
    if estimate is None or estimate.value is None:
        return Cell("–", (estimate.undefined or "",) if estimate else ())
    return Cell(percent(estimate.value), (share_text(estimate), f"method {estimate.method}"))


def requirements(groups: Sequence[GroupReport]) -> Section | None:
    """Show what candidates make of the items' requirements; None where there are none."""
    parts = [
        Part(visible(group.name), (_requirements(group),)) for group in groups if group.requirements
    ]
    if not parts:
        return None
    about = "Requirements are judged apart from the preference, and no style makes up for one."
    return Section("requirements", "Requirements of the items", about, tuple(parts))


def _against(group: GroupReport, report: Report, links: CaseLinks) -> Listed:
    listed = group.stable_against_reference
    more = len(listed) - _MOST_PAIRS
    lists = "report RECORD --jsonl FILE" if report.log is None else "audit --json"
    rest = f"; and {more} more, which `counterbalance {lists}` lists" if more > 0 else ""
    return Listed(
        before=(
            f"{plural(len(listed), 'stable pair')} with a verdict outside the accepted reference,"
            " most consequential first:"
        ),
        entries=tuple(
            (visible(name, 60), links.of(name, group.judge, group.labelling))
            for name in listed[:_MOST_PAIRS]
        ),
        after=f"{rest}.",
    )


def _requirements(group: GroupReport) -> Table:
    accepted = group.accepted_winners
    rows = tuple(
        (
            Cell(visible(row.requirement, 60), ("mandatory" if row.mandatory else "optional",)),
            *numbers(counts[side] for side in ("a", "b") for counts in (row.met, row.breached)),
            *numbers((sum(row.unknown.values()),)),
        )
        for row in group.requirements[:_MOST_REQUIREMENTS]
    )
    more = len(group.requirements) - len(rows)
    return Table(
        caption=f"Requirements: {visible(group.name)}",
        about=(
            "Candidates, whoever was preferred. Stable winners that meet every mandatory one:"
            f" a {accepted['a']}, b {accepted['b']}; that break one: {accepted['breached']}; that"
            f" cannot show it: {accepted['unknown']}."
        ),
        head=("requirement", "a met", "a broke", "b met", "b broke", "cannot tell"),
        rows=rows,
        more=f"{plural(more, 'more requirement')}: --json lists all." if more else "",
    )
