"""From what was planned to what counts: every step down says how many it loses, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from counterbalance.dispositions.disposition import STABLE, TWO_VERDICTS, Disposition
from counterbalance.report.html.sections import Part, Section, Words
from counterbalance.report.html.table import Cell, Segment, Table
from counterbalance.report.html.words import MEANING
from counterbalance.report.layout import percent, visible
from counterbalance.report.log_text import totals_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from counterbalance.report.reconciliation import Reconciliation
    from counterbalance.report.report import GroupReport, Report

__all__ = ["flow", "presentations"]

Step = tuple[Literal["kept", "lost"], str, int]
"""Whether the bar shows what is left or what is lost; its name, with its meaning behind a colon;
and how many."""

_UNCOMPARED = (
    Disposition.IDENTICAL,
    Disposition.SINGLE_ORDER,
    Disposition.INCOMPLETE,
    Disposition.REFUSED,
    Disposition.UNSTABLE,
)
_MOVED = (
    Disposition.ORDER_DISAGREEMENT,
    Disposition.TIE_TRANSITION,
    Disposition.ABSTENTION_TRANSITION,
)


def flow(report: Report, groups: Sequence[GroupReport]) -> Section:
    """Show the denominators of the page, from what was planned down to stable pairs.

    Parameters
    ----------
    report : Report
        The report.
    groups : Sequence[GroupReport]
        Groups that are shown in full.

    Returns
    -------
    Section
        Presentations of the whole report, then pairs of each group.
    """
    what = "planned" if report.log is None else "in the log"
    said = () if report.log is None else (Words(tuple(f"{x}." for x in totals_lines(report.log))),)
    return Section(
        "flow",
        "What the numbers are out of",
        "Nothing is dropped without a name: what is lost on the way stands between the steps.",
        (
            Part("", (*said, presentations(report.reconciliation, what))),
            *(Part(visible(group.name), (_pairs(group, report),)) for group in groups),
        ),
    )


def presentations(run: Reconciliation, what: str) -> Table:
    """Show where presentations end: with a verdict, without one by reason, or not run.

    Parameters
    ----------
    run : Reconciliation
        The counts.
    what : str
        What the whole is called: ``planned`` or ``in the log``.

    Returns
    -------
    Table
        From the whole down to those with a verdict, each step drawn.
    """
    return _waterfall(
        "Presentations",
        (
            f"n = {run.planned} presentations {what}: one pair in one order under one judge and"
            " labelling, each asked once (repetitions count apart)."
            f" {'The parts add up.' if run.adds_up else 'THE PARTS DO NOT ADD UP.'}"
        ),
        [
            ("kept", what, run.planned),
            ("lost", "not run", run.not_run),
            *(("lost", reason, n) for reason, n in run.without_verdict.items()),
            ("kept", "with a verdict", run.with_verdict),
        ],
    )


def _pairs(group: GroupReport, report: Report) -> Table:
    found, counts = group.dispositions, group.counts
    steps: list[Step] = []
    if report.log is None and counts.excluded + counts.held_out:
        read = counts.pairs + counts.excluded + counts.held_out
        steps += [
            ("kept", "in the pair file", read),
            ("lost", "left out by the protocol", counts.excluded),
            ("lost", "held out for a confirmation", counts.held_out),
        ]
    two = sum(found[d.value] for d in TWO_VERDICTS)
    steps += [
        ("kept", "pairs planned" if report.log is None else "pairs in the log", counts.pairs),
        *_lost(group, _UNCOMPARED),
        ("kept", "with a verdict in both orders", two),
        *_lost(group, _MOVED),
        ("kept", "stable", sum(found[d.value] for d in STABLE)),
    ]
    about = (
        f"n = {counts.pairs} pairs of {counts.items} items in {counts.clusters} clusters; each"
        " pair is in exactly one step. Rates on this page are out of the pairs with a verdict in"
        " both orders unless their name ends in _all."
    )
    return _waterfall(f"Pairs: {visible(group.name)}", about, steps)


def _lost(group: GroupReport, classes: Iterable[Disposition]) -> Iterator[Step]:
    for each in classes:
        yield "lost", f"{each.value}: {MEANING[each]}", group.dispositions[each.value]


def _waterfall(caption: str, about: str, steps: Iterable[Step]) -> Table:
    """Draw each step as the part of the first one that is left, or lost at it."""
    listed = [step for step in steps if step[0] == "kept" or step[2]]
    whole = listed[0][2]
    left, rows = whole, []
    for kind, name, n in listed:
        left = n if kind == "kept" else left - n
        width = 100 * n / whole if whole else 0.0
        start = 0.0 if kind == "kept" else 100 * max(left, 0) / whole if whole else 0.0
        title, _, meaning = name.partition(": ")
        share = percent(n / whole if whole else None)
        rows.append(
            (
                Cell(title if kind == "kept" else f"− {title}", (meaning,) if meaning else ()),
                Cell(str(n), (share,), is_number=True),
                Cell("", bar=(Segment(start, width, kind),)),
            )
        )
    return Table(caption, about, ("step", "count", "drawn"), tuple(rows))
