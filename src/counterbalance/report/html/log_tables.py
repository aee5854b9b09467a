"""What only a page of foreign logs shows: files, rejects, differing readings, source figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.report.html.sections import Fold, Part, Section
from counterbalance.report.html.side_tables import numbers
from counterbalance.report.html.table import Cell, Table
from counterbalance.report.layout import number, plural, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.report.log_reading import LogReading

__all__ = ["files_section", "log_section"]

_MOST = 60
_FEW = 6


def files_section(log: LogReading) -> Section:
    """Show which files were read, with the digests that make the page checkable."""
    rows = tuple(
        (
            Cell(visible(file.name, 160), (f"sha256 {file.sha256}",)),
            *numbers((file.rows, file.rejected)),
        )
        for file in log.files[:_MOST]
    )
    table = Table(
        caption="Files that were read",
        about=(
            f"n = {plural(len(log.files), 'file')},"
            f" {plural(sum(file.rows for file in log.files), 'row')}; a rejected row is one of"
            " which all or a part could not be used."
        ),
        head=("file", "rows", "rejected"),
        rows=rows,
        more=_more(len(log.files), "file"),
    )
    about = f"{visible(log.format_title, 200)}, read as {log.format_name}."
    is_long = len(log.files) > _FEW
    block = Fold(f"All {len(log.files)} files with their digests", (table,)) if is_long else table
    return Section("files", "What was read", about, (Part("", (block,)),))


def log_section(log: LogReading) -> Section | None:
    """Show what became of rows that are in no other number; None when there is none of it."""
    tables = (
        *_rejects(log),
        *_others(log),
        *_differences(log),
        *_ratings(log),
    )
    if not tables:
        return None
    about = "Rows, files and readings that the numbers above leave out, each with its reason."
    return Section("log", "What else is in the log", about, (Part("", tables),))


def _more(n: int, noun: str) -> str:
    return f"{plural(n - _MOST, f'more {noun}')}: --json lists all." if n > _MOST else ""


def _rejects(log: LogReading) -> Iterator[Table]:
    if log.rejects:
        rows = tuple(
            (
                Cell(visible(each.reason, 200), (f"found: {visible(each.found, 200)}",)),
                Cell(f"{visible(each.file, 120)}, line {each.line}"),
                *numbers((each.count,)),
            )
            for each in log.rejects[:_MOST]
        )
        yield Table(
            caption="Rejected rows",
            about=(
                f"n = {sum(each.count for each in log.rejects)} rows or parts of rows, by file and"
                " reason; they are in no other number."
            ),
            head=("reason", "first at", "rows"),
            rows=rows,
            more=_more(len(log.rejects), "reason"),
        )


def _others(log: LogReading) -> Iterator[Table]:
    if log.others:
        yield Table(
            caption="Files that were not read",
            about=f"n = {plural(len(log.others), 'file')} beside the log.",
            head=("file", "what it is"),
            rows=tuple(
                (Cell(visible(name, 160)), Cell(visible(what, 200)))
                for name, what in log.others[:_MOST]
            ),
            more=_more(len(log.others), "file"),
        )


def _differences(log: LogReading) -> Iterator[Table]:
    differing = [each for each in log.differences if each.different]
    if differing:
        total = sum(each.same + sum(each.different.values()) for each in log.differences)
        rows = tuple(
            (
                Cell(visible(", ".join(x for x in (d.judge, d.strategy, d.subset) if x), 80)),
                Cell(f"{source} → {ours}"),
                *numbers((n, d.same + sum(d.different.values()))),
            )
            for d in differing
            for (source, ours), n in d.different.items()
        )
        yield Table(
            caption="Replies that our parser reads otherwise",
            about=(
                f"n = {total} raw replies that were read again. The source's verdict decides; ours"
                " is a group of its own in the JSON."
            ),
            head=("group", "source → ours", "replies", "of"),
            rows=rows[:_MOST],
            more=_more(len(rows), "difference"),
        )


def _ratings(log: LogReading) -> Iterator[Table]:
    if log.ratings:
        rows = tuple(
            (
                Cell(visible(r.system or f"no score: {r.reason}", 120)),
                Cell(visible(", ".join(x for x in (r.judge, r.strategy, r.subset) if x), 80)),
                *numbers((r.count, number(r.mean) if r.mean is None else f"{r.mean:.3f}")),
            )
            for r in log.ratings[:_MOST]
        )
        yield Table(
            caption="Ratings of single answers",
            about=(
                f"n = {sum(r.count for r in log.ratings)} ratings. They have no display order and"
                " no disposition."
            ),
            head=("system", "judge", "ratings", "mean"),
            rows=rows,
            more=_more(len(log.ratings), "row"),
        )
