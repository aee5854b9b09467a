"""What a report of foreign logs holds beside its groups, as pure data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.dispositions.cell import NOT_RUN
from counterbalance.dispositions.codes import CONTRADICTORY, REJECTED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from counterbalance.report.source_figures import FiguresOf

__all__ = [
    "LogCase",
    "LogFileRow",
    "LogGame",
    "LogReading",
    "LogReject",
    "RatingRow",
    "ReadingDifference",
    "RowTotals",
]


@dataclass(frozen=True, slots=True)
class LogFileRow:
    """One file that was read.

    Attributes
    ----------
    name : str
        As the user named it, with the member of an archive behind ``!``.
    sha256 : str
        Of its bytes.
    rows : int
        Source rows.
    rejected : int
        Rows of which all or a part was rejected.
    """

    name: str
    sha256: str
    rows: int
    rejected: int


@dataclass(frozen=True, slots=True)
class LogReject:
    """Rows of one file that were rejected for one reason.

    Attributes
    ----------
    file : str
        Name of the file.
    line : int
        The first of them; 0 when the whole file is meant.
    reason : str
        Why.
    found : str
        What stood in the first one.
    count : int
        How many there are.
    """

    file: str
    line: int
    reason: str
    found: str
    count: int


@dataclass(frozen=True, slots=True)
class RatingRow:
    """Scores that one judge gave to the answers of one system: no order, no disposition.

    Attributes
    ----------
    judge : str
        Who rated.
    strategy : str
        How it was asked.
    subset : str
        Part of the data set.
    system : str
        Whose answers; empty for those without a score.
    count : int
        How many ratings.
    mean : float | None
        Mean score; None for those without a score.
    reason : str
        Why there is no score; empty where there is one.
    """

    judge: str
    strategy: str
    subset: str
    system: str
    count: int
    mean: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ReadingDifference:
    """How our reading of the raw replies differs from the verdicts that the log holds.

    Attributes
    ----------
    judge : str
        Who judged.
    strategy : str
        How it was asked.
    subset : str
        Part of the data set.
    same : int
        Replies that both read alike.
    different : Mapping[tuple[str, str], int]
        Replies by the source's outcome and ours, where they differ.
    """

    judge: str
    strategy: str
    subset: str
    same: int
    different: Mapping[tuple[str, str], int]


@dataclass(frozen=True, slots=True)
class RowTotals:
    """What became of the judgments of all groups of source verdicts.

    Attributes
    ----------
    judgments : int
        Calls that the rows tell of.
    presentations : int
        Different questions among them: pair, order and repetition.
    with_verdict : int
        Presentations with a verdict.
    without_verdict : Mapping[str, int]
        Presentations without one, by reason; those whose row was ``rejected``, or is missing
        (``not_run``), are none of the judgments.
    retries : int
        Judgments without a verdict beside another of the same presentation.
    exact_duplicates : int
        Judgments that repeat a verdict to the letter.
    agreeing_duplicates : int
        Judgments that repeat a verdict with another strength or setting.
    contradicting : int
        Judgments whose verdict another of the same presentation contradicts; none of them counts.
    """

    judgments: int
    presentations: int
    with_verdict: int
    without_verdict: Mapping[str, int]
    retries: int
    exact_duplicates: int
    agreeing_duplicates: int
    contradicting: int

    @property
    def adds_up(self) -> bool:
        """Whether every judgment and every presentation is in exactly one part."""
        repeated = (
            self.retries + self.exact_duplicates + self.agreeing_duplicates + self.contradicting
        )
        without_judgment = sum(
            self.without_verdict.get(name, 0) for name in (CONTRADICTORY, REJECTED, NOT_RUN)
        )
        decided = self.presentations - without_judgment
        outcomes = self.with_verdict + sum(self.without_verdict.values())
        return self.judgments == decided + repeated and self.presentations == outcomes


@dataclass(frozen=True, slots=True)
class LogGame:
    """One judgment of a listed case.

    Attributes
    ----------
    file : str
        Where it stands.
    line : int
        The line or element.
    shown_first : str
        ``a`` or ``b``; empty when the order is not known.
    verdict : str
        In the candidate frame; the reason where there is none.
    strength : str
        ``much`` or ``slightly``; empty where the scale has none.
    margin : float | None
        How clearly the first slot won, in the log's own units.
    reply : str
        The raw reply; empty when the log keeps none.
    """

    file: str
    line: int
    shown_first: str
    verdict: str
    strength: str
    margin: float | None
    reply: str


@dataclass(frozen=True, slots=True)
class LogCase:
    """A pair whose verdict depends on the order.

    Attributes
    ----------
    judge : str
        Who judged.
    strategy : str
        How it was asked.
    subset : str
        Part of the data set.
    item : str
        What was answered.
    a : str
        Candidate a.
    b : str
        Candidate b.
    disposition : str
        Its class.
    detail : str
        ``primacy``, ``recency``, or who won in which slot.
    consequence : float
        How much an error would matter; cases are listed by it.
    clarity : float
        How clearly the verdicts are stated on the two sides, by which cases of one consequence and
        one class are listed: the mean absolute margin where the log has margins, else the mean
        strength (2 for ``much``, 1 otherwise, 0 for a tie).
    reference : tuple[str, ...]
        Accepted verdicts; empty when there is none.
    games : tuple[LogGame, ...]
        Its judgments, in the order of the log.
    """

    judge: str
    strategy: str
    subset: str
    item: str
    a: str
    b: str
    disposition: str
    detail: str
    consequence: float
    clarity: float
    reference: tuple[str, ...]
    games: tuple[LogGame, ...]


@dataclass(frozen=True, slots=True)
class LogReading:
    """How logs were read: every file, row and judgment in exactly one place.

    Attributes
    ----------
    format_name : str
        Name of the format.
    format_title : str
        What it is.
    files : tuple[LogFileRow, ...]
        Files that were read.
    others : tuple[tuple[str, str], ...]
        Files beside them that were not: name, and what it is.
    rejects : tuple[LogReject, ...]
        Rejected rows by file and reason.
    totals : RowTotals
        What became of the judgments.
    ratings : tuple[RatingRow, ...]
        Scores of single answers.
    differences : tuple[ReadingDifference, ...]
        Our reading against the source's verdict.
    cases : tuple[LogCase, ...]
        The first order-sensitive pairs, by consequence, class and clarity.
    n_cases : int
        How many there are in all.
    upstream : tuple[FiguresOf, ...]
        The source's own figures, computed by its rules.
    upstream_rules : Mapping[str, str]
        Names of those rules, and how each differs from ours.
    """

    format_name: str
    format_title: str
    files: tuple[LogFileRow, ...]
    others: tuple[tuple[str, str], ...]
    rejects: tuple[LogReject, ...]
    totals: RowTotals
    ratings: tuple[RatingRow, ...]
    differences: tuple[ReadingDifference, ...]
    cases: tuple[LogCase, ...]
    n_cases: int
    upstream: tuple[FiguresOf, ...]
    upstream_rules: Mapping[str, str]
