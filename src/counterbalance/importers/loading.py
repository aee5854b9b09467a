"""Paths to everything that the logs at them tell; the way in for ``audit`` and ``import``.

Every file is accounted for: read, known as something else, or unknown with what was looked for.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from counterbalance.errors import InputError, one_line
from counterbalance.importers.collecting import Collector
from counterbalance.importers.detection import detect, nearest, sample_of
from counterbalance.importers.judgment_block import JudgmentBlock
from counterbalance.importers.log_file import log_files
from counterbalance.importers.log_format import Container, Holds, LogFormat, Notes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from counterbalance.importers.collected import Collected
    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_file import LogFile
    from counterbalance.importers.log_format import ReadBlocks
    from counterbalance.importers.text_counts import TextCounter

__all__ = [
    "ChosenLog",
    "ImportedLog",
    "OtherFile",
    "ReadFileInfo",
    "RowsAt",
    "choose_log",
    "found_rows",
    "read_logs",
    "rows_of",
]

RowsAt: TypeAlias = "Callable[[Mapping[int, Collection[int]]], Iterator[tuple[int, Row]]]"
"""Reads the rows at certain lines again, each with the place of its file."""

_READABLE = frozenset({Holds.JUDGMENTS, Holds.RATINGS})
_MOST_NAMED = 6


@dataclass(frozen=True, slots=True)
class OtherFile:
    """A file beside the log that no judgment was read from.

    Attributes
    ----------
    name : str
        What messages call it.
    what : str
        What it is, as far as that is known.
    """

    name: str
    what: str


@dataclass(frozen=True, slots=True)
class ChosenLog:
    """What will be read, told before a row is.

    Attributes
    ----------
    log_format : LogFormat
        The format of every file that is read.
    files : tuple[LogFile, ...]
        Files that are read.
    others : tuple[OtherFile, ...]
        Files beside them that are not.
    """

    log_format: LogFormat
    files: tuple[LogFile, ...]
    others: tuple[OtherFile, ...]


@dataclass(frozen=True, slots=True)
class ReadFileInfo:
    """A file that was read.

    Attributes
    ----------
    name : str
        What messages call it.
    sha256 : str
        Of its bytes as they stand on disk or in the archive.
    rows : int
        Source rows, rejected ones included.
    rejected : int
        Rows of which all or a part was rejected.
    """

    name: str
    sha256: str
    rows: int
    rejected: int


@dataclass(frozen=True, slots=True)
class ImportedLog:
    """One log, of one file or many.

    Attributes
    ----------
    log_format : LogFormat
        The format of every file that was read.
    files : tuple[ReadFileInfo, ...]
        Files that were read.
    others : tuple[OtherFile, ...]
        Files beside them that were not.
    collected : Collected
        What they told.
    notes : tuple[str, ...]
        What a reader of the results must know.
    rows_at : RowsAt
        Reads single rows again, with all their texts.
    sources : tuple[LogFile, ...]
        The files again; none where the log came out of a record.
    """

    log_format: LogFormat
    files: tuple[ReadFileInfo, ...]
    others: tuple[OtherFile, ...]
    collected: Collected
    notes: tuple[str, ...]
    rows_at: RowsAt
    sources: tuple[LogFile, ...] = ()


def read_logs(
    paths: Sequence[Path | str],
    *,
    log_format: LogFormat | None = None,
    by: Iterable[str] = ("judge", "strategy"),
    rereads: bool = True,
    counter: TextCounter | None = None,
) -> ImportedLog:
    """Read the logs at paths, all of one format.

    Parameters
    ----------
    paths : Sequence[Path | str]
        Files, folders and zip archives.
    log_format : LogFormat | None
        The format; None to detect it.
    by : Iterable[str]
        What groups are split by: judge, strategy, subset.
    rereads : bool
        Whether our own parser reads the replies again.
    counter : TextCounter | None
        What counts the answers; None to leave them alone.

    Returns
    -------
    ImportedLog
        Everything they told.

    Raises
    ------
    InputError
        If nothing can be read, no format fits, or files have several formats.
    """
    chosen = choose_log(paths, log_format)
    collector, notes = Collector(by, rereads=rereads, counter=counter), Notes()
    for _ in chosen.files:
        collector.begin_file()
    with _without_cycle_search():
        if counter is None and chosen.log_format.read_blocks is not None:
            _take_blocks(chosen, chosen.log_format.read_blocks, collector, notes)
        else:
            for file, row in rows_of(chosen, notes):
                collector.take(file, row)
    found = collector.collected()
    files = tuple(
        ReadFileInfo(file.name, file.sha256(), rows, rejected)
        for file, rows, rejected in zip(chosen.files, found.n_rows, found.n_rejected, strict=True)
    )
    return ImportedLog(
        chosen.log_format,
        files,
        chosen.others,
        found,
        tuple(notes.sentences),
        partial(_read_again, chosen),
        chosen.files,
    )


@contextmanager
def _without_cycle_search() -> Iterator[None]:
    """Let nobody search for cycles while millions of rows come and go, which hold none."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _take_blocks(chosen: ChosenLog, read: ReadBlocks, collector: Collector, notes: Notes) -> None:
    for place, file in enumerate(chosen.files):
        for found in read(file, notes):
            if isinstance(found, JudgmentBlock):
                collector.take_block(place, found)
            else:
                collector.take(place, found)


def found_rows(log: ImportedLog, wanted: Iterable[tuple[int, int]]) -> Iterator[tuple[int, Row]]:
    """Read again the rows that stand at certain lines, with all their texts.

    Parameters
    ----------
    log : ImportedLog
        From `read_logs`.
    wanted : Iterable[tuple[int, int]]
        File (place in ``log.files``) and line of each.

    Yields
    ------
    tuple[int, Row]
        File and row; a line that holds several rows gives them all.
    """
    lines: dict[int, set[int]] = {}
    for file, line in wanted:
        lines.setdefault(file, set()).add(line)
    yield from log.rows_at(lines)


def _read_again(
    chosen: ChosenLog, lines: Mapping[int, Collection[int]]
) -> Iterator[tuple[int, Row]]:
    if chosen.log_format.read_together is not None:
        for file, row in rows_of(chosen, Notes()):
            if row.line in lines.get(file, ()):
                yield file, row
        return
    for file, asked in sorted(lines.items()):
        alone = replace(chosen, files=(chosen.files[file],))
        for row in _until(max(asked), rows_of(alone, Notes())):
            if row.line in asked:
                yield file, row


def _until(last: int, rows: Iterable[tuple[int, Row]]) -> Iterator[Row]:
    """Yield rows without their file, none behind the last line that is wanted."""
    for _, row in rows:
        if row.line > last:
            return
        yield row


def rows_of(chosen: ChosenLog, notes: Notes) -> Iterator[tuple[int, Row]]:
    """Yield every row with the place of its file, and note what a reader must know."""
    known = chosen.log_format
    if known.read_together is not None:
        yield from known.read_together(chosen.files, notes)
    elif known.read is not None:
        for place, file in enumerate(chosen.files):
            for row in known.read(file, notes):
                yield place, row


def choose_log(paths: Sequence[Path | str], named: LogFormat | None) -> ChosenLog:
    """Tell what is a log of one format among the files at paths, and what every other one is.

    Parameters
    ----------
    paths : Sequence[Path | str]
        Files, folders and zip archives.
    named : LogFormat | None
        The format; None to detect it.

    Returns
    -------
    ChosenLog
        Nothing but the beginning of each file was read.

    Raises
    ------
    InputError
        If nothing can be read, no format fits, or files have several formats.
    """
    files = log_files(paths)
    if named is not None:
        _check_readable(named, files)
        chosen = files if len(files) == 1 else _of_format(files, named)
        others = [_other(file, detect(file)) for file in files if file not in chosen]
        return ChosenLog(named, chosen, tuple(others))
    found = [(file, detect(file)) for file in files]
    readable: dict[str, list[LogFile]] = {}
    formats: dict[str, LogFormat] = {}
    others = []
    for file, detected in found:
        if detected is not None and detected.holds in _READABLE:
            readable.setdefault(detected.name, []).append(file)
            formats[detected.name] = detected
        else:
            others.append(_other(file, detected))
    if len(readable) > 1:
        raise InputError(_mixed(readable))
    if not readable:
        raise InputError(_nothing_to_read(found))
    (name,) = readable
    return ChosenLog(formats[name], tuple(readable[name]), tuple(others))


def _of_format(files: Sequence[LogFile], known: LogFormat) -> tuple[LogFile, ...]:
    chosen = tuple(file for file in files if detect(file, (known,)) is known)
    if not chosen:
        looked = _looked_for(known)
        msg = f"none of {len(files)} files is {known.name} ({looked})"
        raise InputError(msg)
    return chosen


def _check_readable(known: LogFormat, files: Sequence[LogFile]) -> None:
    if known.holds not in _READABLE:
        msg = f"{files[0].name}: {known.name} holds {known.holds}; {known.advice}"
        raise InputError(msg)


def _other(file: LogFile, known: LogFormat | None) -> OtherFile:
    return OtherFile(file.name, "of no known format" if known is None else known.title)


def _mixed(readable: dict[str, list[LogFile]]) -> str:
    parts = [f"{name} ({len(files)}, such as {files[0].name})" for name, files in readable.items()]
    return f"the files are of several formats: {'; '.join(parts)}; choose one with --format NAME"


def _nothing_to_read(found: Sequence[tuple[LogFile, LogFormat | None]]) -> str:
    if len(found) == 1:
        file, known = found[0]
        return f"{file.name}: {_unknown(file) if known is None else _known(known)}"
    kinds: dict[str, int] = {}
    for _, known in found:
        what = "of no known format" if known is None else known.title
        kinds[what] = kinds.get(what, 0) + 1
    listed = sorted(kinds.items(), key=lambda kind: (-kind[1], kind[0]))[:_MOST_NAMED]
    parts = "; ".join(f"{count} {what}" for what, count in listed)
    return f"none of {len(found)} files holds judgments ({parts})"


def _known(known: LogFormat) -> str:
    return f"recognised as {known.title}: it holds {known.holds}. {known.advice}".rstrip()


def _unknown(file: LogFile) -> str:
    if not file.size:
        return "is empty: it holds no judgments"
    sample = sample_of(file)
    if sample.container is Container.LINES:
        return "is plain text of no known log format: it holds no rows that could be judgments"
    shown = ", ".join(sorted(sample.keys)[:12]) or "no keys"
    text = f"is of no known format: {sample.container.value} with {one_line(shown, 200)}"
    close = nearest(sample)
    if close is not None:
        known, missing = close
        text += f"; nearest is {known.name}, which also has {', '.join(sorted(missing))}"
    return f"{text}; `counterbalance import --map-help` shows how to describe any table or JSONL"


def _looked_for(known: LogFormat) -> str:
    shapes = [f"{s.container.value} with {', '.join(sorted(s.keys))}" for s in known.shapes]
    return "looked for: " + "; or ".join(shapes)
