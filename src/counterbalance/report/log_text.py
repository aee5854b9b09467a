"""What a text report of logs shows besides its groups: files, rows, cases, rejects, ratings."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from counterbalance.dispositions.disposition import STABLE, TWO_VERDICTS
from counterbalance.report.layout import columns, ending, number, percent, plural, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from counterbalance.report.log_reading import LogCase, LogGame, LogReading
    from counterbalance.report.report import GroupReport

__all__ = [
    "GROUP_HEAD",
    "cases_lines",
    "group_rows",
    "group_table",
    "log_head",
    "log_tail",
    "totals_lines",
]

GROUP_HEAD = (
    "group", "pairs", "two verdicts", "stable", "primacy", "recency", "tie moves", "no verdict",
    "consistency", "slot bias", "right in both",
)  # fmt: skip
"""Heads of the columns that show groups side by side."""

_WIDTH = 98
_MOST_FILES = 8
_MOST_REJECTS = 12
_MOST_GROUPS = 40
_REPLY_CHARACTERS = 240


def log_head(log: LogReading) -> list[str]:
    """Return what was read, and how its rows and judgments add up.

    Parameters
    ----------
    log : LogReading
        How the logs were read.

    Returns
    -------
    list[str]
        Lines.
    """
    rows = sum(file.rows for file in log.files)
    rejected = sum(file.rejected for file in log.files)
    lines = [f"counterbalance audit: {visible(log.format_title, 120)} ({log.format_name})"]
    for file in log.files[:_MOST_FILES]:
        name = ending(file.name, 90)
        part = f", {file.rejected} rejected" if file.rejected else ""
        lines.append(f"  {name}: {plural(file.rows, 'row')}{part}, sha256 {file.sha256[:12]}…")
    if len(log.files) > _MOST_FILES:
        lines.append(f"  and {len(log.files) - _MOST_FILES} more files")
    if log.others:
        first = ending(log.others[0][0], 60)
        lines.append(f"  not read: {plural(len(log.others), 'other file')}, such as {first}")
    lines += ["", f"Rows: {rows} = {rows - rejected} read whole + {rejected} rejected or in part"]
    return [*lines, *totals_lines(log)]


def totals_lines(log: LogReading) -> Iterator[str]:
    """Say how the judgments and presentations of a log add up."""
    totals = log.totals
    if not totals.judgments:
        yield "Judgments: none (only ratings of single answers)"
        return
    parts = [f"{totals.with_verdict} with a verdict"]
    parts += [f"{n} {reason}" for reason, n in totals.without_verdict.items()]
    repeated = {
        "repeated calls without a verdict": totals.retries,
        "exact duplicates": totals.exact_duplicates,
        "agreeing duplicates": totals.agreeing_duplicates,
        "contradicting each other": totals.contradicting,
    }
    told = [f"{n} {what}" for what, n in repeated.items() if n]
    sign = "=" if totals.adds_up else "≠"
    yield f"Judgments: {totals.judgments}" + (f", of them {', '.join(told)}" if told else "")
    yield f"Presentations: {totals.presentations} {sign} " + " + ".join(parts)


def group_table(groups: Sequence[GroupReport]) -> list[str]:
    """Return one line for each group: its dispositions and main rates.

    Parameters
    ----------
    groups : Sequence[GroupReport]
        Groups to compare.

    Returns
    -------
    list[str]
        Lines; none for a single group.
    """
    if len(groups) < 2:  # noqa: PLR2004 (one group has its own tables)
        return []
    rows = [list(GROUP_HEAD), *group_rows(groups[:_MOST_GROUPS])]
    more = len(groups) - _MOST_GROUPS
    rest = [f"  and {plural(more, 'more group')} (--json)"] if more > 0 else []
    return ["", "Groups side by side", *columns(rows, right=range(1, len(rows[0]))), *rest]


def group_rows(groups: Iterable[GroupReport]) -> Iterator[list[str]]:
    """Yield one row under ``GROUP_HEAD`` for each group: its dispositions and main rates."""
    for group in groups:
        found = group.dispositions
        two = sum(found[d.value] for d in TWO_VERDICTS)
        moves = found["tie_transition"] + found["abstention_transition"]
        without = sum(found[name] for name in ("incomplete", "refused", "unstable"))
        yield [
            visible(group.name, 46),
            str(group.counts.pairs),
            str(two),
            str(sum(found[d.value] for d in STABLE)),
            str(group.details["primacy"]),
            str(group.details["recency"]),
            str(moves),
            str(without),
            _rate(group, "position_consistency"),
            _signed(group, "bias_position"),
            _rate(group, "agreement_both"),
        ]


def _rate(group: GroupReport, name: str) -> str:
    return percent(group.measure(name).value)


def _signed(group: GroupReport, name: str) -> str:
    value = group.measure(name).value
    return "–" if value is None else f"{value:+.3f}"


def cases_lines(log: LogReading) -> list[str]:
    """Return the listed order-sensitive cases with both replies.

    Parameters
    ----------
    log : LogReading
        Holds the cases.

    Returns
    -------
    list[str]
        Lines; none where no pair is order-sensitive.
    """
    if not log.n_cases:
        return []
    shown = f"{len(log.cases)} of {log.n_cases}"
    lines = ["", f"Order-sensitive cases, by consequence, then by how clearly they flip: {shown}"]
    for case in log.cases:
        lines += _case(case)
    return lines


def _case(case: LogCase) -> Iterator[str]:
    what = f"{case.disposition} ({case.detail})" if case.detail else case.disposition
    reference = f"; reference {' or '.join(case.reference)}" if case.reference else ""
    yield f"  {visible(case.item, 60)}: {what}{reference}"
    a, b, judge = (visible(name, 40) for name in (case.a, case.b, case.judge))
    yield f"    a = {a}, b = {b}, judge {judge}"
    for game in case.games:
        yield f"    {_game(game)}"
        yield from textwrap.wrap(
            visible(_tail(game.reply), _REPLY_CHARACTERS + 40),
            _WIDTH,
            initial_indent="      | ",
            subsequent_indent="      | ",
        )


def _game(game: LogGame) -> str:
    order = f"{game.shown_first} shown first" if game.shown_first else "order not known"
    strength = f", {game.strength}" if game.strength else ""
    margin = "" if game.margin is None else f", margin {game.margin:+.4g}"
    return f"line {game.line}, {order}: {game.verdict}{strength}{margin}"


def _tail(reply: str) -> str:
    """Return the end of a reply, where verdicts stand; all of a short one."""
    return reply if len(reply) <= _REPLY_CHARACTERS else f"…{reply[-_REPLY_CHARACTERS:]}"


def log_tail(log: LogReading) -> list[str]:
    """Return ratings, differing readings and rejects.

    Parameters
    ----------
    log : LogReading
        How the logs were read.

    Returns
    -------
    list[str]
        Lines.
    """
    return [*_ratings(log), *_differences(log), *_rejects(log)]


def _ratings(log: LogReading) -> list[str]:
    if not log.ratings:
        return []
    rows = [["judge", "strategy", "system", "ratings", "mean"]]
    rows += [
        [
            visible(r.judge, 30),
            visible(r.strategy, 20),
            visible(r.system or f"no score: {r.reason}", 40),
            str(r.count),
            "–" if r.mean is None else number(r.mean) if r.mean % 1 == 0 else f"{r.mean:.3f}",
        ]
        for r in log.ratings
    ]
    title = "Ratings of single answers: they have no display order and no disposition"
    return ["", title, *columns(rows, right=[3, 4])]


def _differences(log: LogReading) -> list[str]:
    lines = []
    for d in log.differences:
        if not d.different:
            continue
        total = d.same + sum(d.different.values())
        name = visible(", ".join(x for x in (d.judge, d.strategy, d.subset) if x), 50)
        parts = ", ".join(f"{a} → {b} {n}" for (a, b), n in d.different.items())
        lines.append(f"  {name}: {total - d.same} of {total}: {parts}")
    return ["", "Replies that our parser reads otherwise (source → ours)", *lines] if lines else []


def _rejects(log: LogReading) -> list[str]:
    if not log.rejects:
        return []
    rows = [["rows", "first at", "reason", "found there"]]
    rows += [
        [
            str(reject.count),
            f"{visible(reject.file.rpartition('/')[2], 40)}:{reject.line}",
            visible(reject.reason, 70),
            visible(reject.found, 40),
        ]
        for reject in log.rejects[:_MOST_REJECTS]
    ]
    more = len(log.rejects) - _MOST_REJECTS
    rest = [f"  and {more} more reasons (--json)"] if more > 0 else []
    return ["", "Rejected rows, by file and reason", *columns(rows, right=[0]), *rest]
