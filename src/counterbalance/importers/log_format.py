"""What an importer declares: its name, what its files look like, and how it reads them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.judgment_block import JudgmentBlock
    from counterbalance.importers.log_file import LogFile

__all__ = ["Container", "Holds", "LogFormat", "Notes", "ReadBlocks", "Sample", "Shape"]


class Container(StrEnum):
    """How a file holds its rows."""

    JSON_LINES = "json_lines"
    """One JSON value on each line; lines end at line feeds only."""
    JSON_ARRAY = "json_array"
    """One JSON array; its elements are the rows."""
    JSON_OBJECT = "json_object"
    """One JSON object, read whole."""
    TABLE = "table"
    """CSV or TSV with a header."""
    PARQUET = "parquet"
    """Parquet; its columns are the keys."""
    LINES = "lines"
    """Plain text, one row on each line."""
    ARCHIVE = "archive"
    """A zip file that is one log by itself."""


class Holds(StrEnum):
    """What a known file holds; only judgments can be audited."""

    JUDGMENTS = "judgments"
    RATINGS = "ratings of single answers"
    PAIRS = "pairs of answers without a judge's verdict"
    ANSWERS = "answers of one system"
    QUESTIONS = "questions"
    AGGREGATES = "aggregates without the rows they were made of"
    REPORT = "a report or settings of another program"
    OBJECTS = "objects of a program, which are never loaded here: loading them may run code"


@dataclass(frozen=True, slots=True)
class Shape:
    """What is looked for in a file.

    Attributes
    ----------
    container : Container
        How the rows are held.
    keys : frozenset[str]
        Keys or columns that the first row (of JSON_OBJECT: the object) must have.
    where : Callable[[Sample], bool] | None
        What else must hold; None when the keys tell enough.
    """

    container: Container
    keys: frozenset[str]
    where: Callable[[Sample], bool] | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """The beginning of a file, as far as detection needs it.

    Attributes
    ----------
    name : str
        Path of the file as the user gave it, with ``/`` between its parts; the file's own part
        without ``.gz``.
    container : Container
        How it seems to hold its rows.
    keys : frozenset[str]
        Keys of the first row, or columns.
    first : Any
        The first row, decoded; the whole object of JSON_OBJECT; None when there is none.
    """

    name: str
    container: Container
    keys: frozenset[str]
    first: Any = None


@dataclass(slots=True)
class Notes:
    """Sentences that a reader of the results must know, each kept once, in order."""

    sentences: dict[str, None] = field(default_factory=dict)

    def add(self, sentence: str) -> None:
        """Keep a sentence unless it was said already."""
        self.sentences.setdefault(sentence)


ReadFile: TypeAlias = "Callable[[LogFile, Notes], Iterator[Row]]"
"""Reads one file on its own."""
ReadBlocks: TypeAlias = "Callable[[LogFile, Notes], Iterator[Row | JudgmentBlock]]"
"""Reads the same rows in the same sequence, most of them in blocks."""
ReadTogether: TypeAlias = "Callable[[Sequence[LogFile], Notes], Iterator[tuple[int, Row]]]"
"""Reads files that belong together; each row comes with the index of its file."""


@dataclass(frozen=True, slots=True)
class LogFormat:
    """One format of log.

    Attributes
    ----------
    name : str
        What ``--format`` calls it, such as ``fastchat-pair``.
    title : str
        What it is, in words.
    shapes : tuple[Shape, ...]
        What its files look like; any one will do.
    holds : Holds
        What its files hold.
    read : ReadFile | None
        Reads one file; None where nothing can be read from it, or files are read together.
    read_blocks : ReadBlocks | None
        Does as ``read`` and gives most rows many at a time; None where rows come singly.
    read_together : ReadTogether | None
        Reads all files of this format at once, where rows of one are joined to rows of another.
    advice : str
        For files that cannot be audited: what to do with them. For others: what to know.
    upstream : Mapping[str, str]
        Names of the source's own figures that ``measures.upstream`` computes beside ours, each
        with one sentence that says how it differs.
    """

    name: str
    title: str
    shapes: tuple[Shape, ...]
    holds: Holds = Holds.JUDGMENTS
    read: ReadFile | None = None
    read_blocks: ReadBlocks | None = None
    read_together: ReadTogether | None = None
    advice: str = ""
    upstream: Mapping[str, str] = field(default_factory=dict)
