"""What logs told: columns of judgments, with every row, file and group accounted for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections import Counter

    import numpy as np
    from numpy.typing import NDArray

    from counterbalance.dispositions.attempt_columns import AttemptColumns
    from counterbalance.importers.text_counts import TextCounts
    from counterbalance.measures.upstream.source_rows import RatingColumns

__all__ = [
    "ALL",
    "OURS",
    "SOURCE",
    "SPLITS",
    "Collected",
    "LogGroup",
    "RatingGroup",
    "RejectCount",
]

SPLITS = ("judge", "strategy", "subset")
"""What groups can be split by."""
ALL = "all"
"""Stands for what groups are not split by."""
SOURCE = "source"
OURS = "our reading"


class LogGroup(NamedTuple):
    """What dispositions are formed within.

    Attributes
    ----------
    judge : str
        Who judged.
    strategy : str
        How it was asked, in the log's words.
    subset : str
        Part of the data set.
    verdict_by : str
        ``source`` for the log's own verdict, ``our reading`` for that of our parser.
    """

    judge: str
    strategy: str
    subset: str
    verdict_by: str


@dataclass(slots=True)
class RejectCount:
    """Rows of one file that were rejected for one reason.

    Attributes
    ----------
    file : int
        Place of the file among those read.
    line : int
        The first such row.
    reason : str
        Why.
    found : str
        What stood in the first.
    count : int
        How many there are.
    """

    file: int
    line: int
    reason: str
    found: str
    count: int


@dataclass(slots=True)
class RatingGroup:
    """Scores of single answers by one judge.

    Attributes
    ----------
    count : int
        Ratings, with or without a score.
    without_score : dict[str, int]
        Those without, by reason.
    sums : dict[str, tuple[int, float]]
        Scores of each system: how many, and their sum.
    """

    count: int = 0
    without_score: dict[str, int] = field(default_factory=dict)
    sums: dict[str, tuple[int, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Collected:
    """Everything that logs told.

    Attributes
    ----------
    columns : AttemptColumns
        All judgments.
    groups : tuple[LogGroup, ...]
        Names of the groups, by code.
    named : NDArray[np.int32]
        For each row of ``columns`` its place in ``names``.
    names : tuple[LogGroup, ...]
        Groups as they are when split by everything, whatever the report splits by.
    margins : NDArray[np.float64]
        How clearly the first slot won, for each row of ``columns``; NaN where unknown.
    lengths : NDArray[np.int32]
        Characters of ``a`` and of ``b`` (2) for each row of ``columns``; -1 where unknown.
    rated : RatingColumns
        Every rating, a row each.
    n_rows : tuple[int, ...]
        Rows of each file, rejected ones included.
    n_rejected : tuple[int, ...]
        Rejected rows of each file; a row of which only a part was rejected counts as one.
    rejects : tuple[RejectCount, ...]
        By file and reason, in order of appearance.
    ratings : dict[LogGroup, RatingGroup]
        Scores of single answers.
    differences : dict[LogGroup, Counter[tuple[str, str]]]
        How our reading differs from the source's verdict, by group of the source: pairs of
        outcomes and how often each occurred; what is equal is counted under equal names.
    conflicts : tuple[str, ...]
        Ids of pairs whose rows do not agree about the reference; the first one holds.
    counts : TextCounts | None
        What was counted on the answers; None where nothing was to be counted.
    """

    columns: AttemptColumns
    groups: tuple[LogGroup, ...]
    named: NDArray[np.int32]
    names: tuple[LogGroup, ...]
    margins: NDArray[np.float64]
    lengths: NDArray[np.int32]
    rated: RatingColumns
    n_rows: tuple[int, ...]
    n_rejected: tuple[int, ...]
    rejects: tuple[RejectCount, ...]
    ratings: dict[LogGroup, RatingGroup]
    differences: dict[LogGroup, Counter[tuple[str, str]]]
    conflicts: tuple[str, ...]
    counts: TextCounts | None = None
