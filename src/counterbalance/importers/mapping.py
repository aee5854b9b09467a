"""A mapping: how a table that no program of ours knows tells of judgments, written in TOML.

It names columns (or dotted paths into a row) and says which word of the log stands for which
outcome. What the mapping does not say is not guessed.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, field_validator, model_validator

from counterbalance.importers.word_lists import (
    NoVerdict,
    OrderWords,
    ReferenceWords,
    VerdictWords,
    Words,
)
from counterbalance.items.frames import Order
from counterbalance.protocol.labelling import Labelling
from counterbalance.protocol.section import Section
from counterbalance.protocol.verdict_format import VerdictFormat, compiled_pattern

__all__ = ["CALL_COLUMNS", "Columns", "Flag", "Game", "Mapping", "Rows", "Split"]

Path: TypeAlias = Annotated[str, Field(min_length=1)]
"""A column, or a path into a row: names with dots between; a number counts in a list, from 0."""
RowSource: TypeAlias = Literal["rows", "openai-batch", "anthropic-batch"]
CALL_COLUMNS = (
    "verdict", "reply", "finish", "prompt", "margin", "score_first", "score_second", "score_a",
    "score_b",
)  # fmt: skip
"""Columns that may differ between the two games of one row."""


class Rows(Section):
    """Where the rows are, and which of them are meant."""

    source: RowSource = "rows"
    """rows: the file's own. openai-batch, anthropic-batch: requests joined to their results, with
    the columns custom_id, reply, finish, model and prompt."""
    at: Path | None = None
    """Path to the list of rows inside one JSON object."""
    where: dict[Path, Words] = Field(default_factory=dict)
    """Columns and the words that they must have; other rows are counted as left out."""
    same: tuple[Path, ...] = ()
    """Columns that must be equal in both orders of a pair, such as model or temperature."""


class Columns(Section):
    """Which column holds what; everything but ``item`` may be left out."""

    item: Path
    """Id of what was answered."""
    first: Path | None = None
    """System shown first."""
    second: Path | None = None
    """System shown second."""
    a: Path | None = None
    """One system, wherever it was shown; `order` says where."""
    b: Path | None = None
    """The other system."""
    order: Path | None = None
    """Whether a was shown first; see [order]."""
    verdict: Path | None = None
    """The judge's verdict; see [verdict]."""
    judge: Path | None = None
    """Who judged."""
    strategy: Path | None = None
    """How it was asked, such as the name of the prompt."""
    subset: Path | None = None
    """Part of the data set."""
    repetition: Path | None = None
    """Number of the repetition, from 0 or 1."""
    cluster: Path | None = None
    """What items share, such as the question."""
    category: Path | None = None
    """Category of the item."""
    system_first: Path | None = None
    """Generator of the answer shown first, where first names something else."""
    system_second: Path | None = None
    """Generator of the answer shown second."""
    system_a: Path | None = None
    """Generator of a, where a names something else."""
    system_b: Path | None = None
    """Generator of b."""
    reference: Path | None = None
    """Right or human verdict; see [reference]."""
    consequence: Path | None = None
    """How much an error would matter, a number."""
    reply: Path | None = None
    """The judge's raw reply."""
    finish: Path | None = None
    """Why the judge stopped, such as length."""
    prompt: Path | None = None
    """The prompt as sent."""
    margin: Path | None = None
    """How clearly the first slot won, a number; negative for the second."""
    score_first: Path | None = None
    """Score of the answer shown first; with score_second it gives the margin."""
    score_second: Path | None = None
    """Score of the answer shown second."""
    score_a: Path | None = None
    """Score of a; with score_b it gives the margin."""
    score_b: Path | None = None
    """Score of b."""
    score: Path | None = None
    """Score of a single answer: the rows are ratings, and not verdicts on pairs."""
    system: Path | None = None
    """Generator of the single answer."""

    @model_validator(mode="after")
    def _come_in_twos(self) -> Columns:
        for one, other in (
            ("first", "second"), ("a", "b"), ("score_first", "score_second"),
            ("score_a", "score_b"),
        ):  # fmt: skip
            if (getattr(self, one) is None) != (getattr(self, other) is None):
                msg = f"{one} and {other} go together; name both columns, or neither"
                raise ValueError(msg)
        if self.first is not None and (self.a is not None or self.order is not None):
            msg = "first and second already tell the order; name them, or a, b and order"
            raise ValueError(msg)
        return self


class Flag(Section):
    """A column that tells why there is no verdict, whatever stands in column ``verdict``."""

    column: Path
    values: Words = ()
    """The words that raise the flag; when left out, any but empty, 0, false, no, none."""
    outcome: NoVerdict
    """What the call ended as."""


class Game(Section):
    """One of several calls that a row tells of; what it does not name is as in [columns]."""

    order: Order
    """Display order of this game."""
    verdict: Path | None = None
    reply: Path | None = None
    finish: Path | None = None
    prompt: Path | None = None
    margin: Path | None = None
    score_first: Path | None = None
    score_second: Path | None = None
    score_a: Path | None = None
    score_b: Path | None = None
    flags: tuple[Flag, ...] = ()


class Split(Section):
    """A column that holds several values; the pattern's groups become columns."""

    column: Path
    pattern: str
    """RE2 pattern for the whole value, with named groups such as (?P<item>[^|]+)."""

    @field_validator("pattern")
    @classmethod
    def _has_groups(cls, pattern: str) -> str:
        if not compiled_pattern(pattern).groupindex:
            msg = "pattern needs named groups, such as (?P<item>[^|]+)[|](?P<order>.+)"
            raise ValueError(msg)
        return pattern


class Reading(Section):
    """How our own parser reads column ``reply``; it decides where there is no column verdict."""

    labels: Labelling
    """What the prompt calls the answers shown first and second."""
    verdict: VerdictFormat
    """The format that the prompt asked for, as in a protocol."""


class Fixed(Section):
    """Values that are the same for all rows and stand in no column."""

    a: str | None = None
    b: str | None = None
    order: Order | None = None
    judge: str | None = None
    strategy: str | None = None
    subset: str | None = None


class Mapping(Section):
    """How to read a log."""

    title: str = ""
    """What the log is, for the report."""
    baseline: str | None = None
    """System that others are compared with: it is candidate a."""
    rows: Rows = Rows()
    columns: Columns
    fixed: Fixed = Fixed()
    order: OrderWords = OrderWords()
    verdict: VerdictWords = VerdictWords()
    reference: ReferenceWords = ReferenceWords()
    reading: Reading | None = None
    flags: tuple[Flag, ...] = ()
    games: tuple[Game, ...] = ()
    split: tuple[Split, ...] = ()

    @property
    def holds_ratings(self) -> bool:
        """Whether the rows are scores of single answers."""
        return self.columns.score is not None

    @property
    def knows_order(self) -> bool:
        """Whether rows tell which answer was shown first."""
        columns = self.columns
        return bool(columns.first or columns.order or self.fixed.order or self.games)

    @model_validator(mode="after")
    def _can_be_read(self) -> Mapping:
        if self.holds_ratings:
            return self
        columns, calls = self.columns, self.games or (self.columns,)
        if self.games and (columns.first or columns.order or self.fixed.order):
            msg = "[[games]] tell the order; name the columns a and b, and no order beside"
            raise ValueError(msg)
        if self.verdict.from_scores:
            return self._by_scores()
        verdicts = [call.verdict or columns.verdict for call in calls]
        replies = [call.reply or columns.reply for call in calls]
        if not all(verdicts):
            if self.reading is None or not all(replies):
                msg = (
                    "columns.verdict is needed and missing: name it, or columns.reply with"
                    " [reading], or columns.score for ratings of single answers"
                )
                raise ValueError(msg)
        elif self.verdict.speaks_of == "nothing":
            msg = "[verdict] lists no words for the winner: first and second, a and b, or names"
            raise ValueError(msg)
        self._check_frames()
        return self

    def _check_frames(self) -> None:
        for table, words in (("verdict", self.verdict), ("reference", self.reference)):
            if words.speaks_of == "slots" and not self.knows_order:
                msg = (
                    f"[{table}] speaks of slots, but nothing tells which answer was shown first:"
                    " name the columns first and second, or a column order"
                )
                raise ValueError(msg)
            if words.speaks_of == "candidates" and self.columns.first:
                msg = (
                    f"[{table}] speaks of a and b, but the columns are first and second: list the"
                    " words under first and second, or name the columns a, b and order"
                )
                raise ValueError(msg)
        if not self.knows_order and self.reading is not None:
            msg = "[reading] gives slots, but nothing tells which answer was shown first"
            raise ValueError(msg)

    def _by_scores(self) -> Mapping:
        calls = self.games or (self.columns,)
        for call in calls:
            shown = call.score_first or self.columns.score_first
            if not shown and not (call.score_a or self.columns.score_a):
                msg = "from_scores needs columns score_first and score_second, or score_a, score_b"
                raise ValueError(msg)
            if shown and not self.knows_order:
                msg = "score_first and score_second need an order; name score_a and score_b instead"
                raise ValueError(msg)
        return self
