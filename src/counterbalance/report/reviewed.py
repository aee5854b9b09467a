"""A blind review as a report holds it: pure data, the same for every rendering."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from counterbalance.measures.estimate import Estimate
    from counterbalance.statistics.agreement import CohenKappa

__all__ = ["HumanReport", "JudgeAgainstPeople", "ReviewedCase", "ReviewerRow"]


@dataclass(frozen=True, slots=True)
class ReviewerRow:
    """One reviewer.

    Attributes
    ----------
    name : str
        The recorded name.
    tasks : int
        What was to be answered.
    answered : int
        Answers that stand.
    withdrawn : int
        Answers that were undone.
    chose_first : int
        Answers for the response shown first.
    chose : int
        Answers that choose a response.
    repeated : int
        Pairs that were answered in both orders.
    same : int
        Those of them with the same verdict both times.
    flagged : int
        Cases flagged as giving away who wrote a response.
    """

    name: str
    tasks: int
    answered: int
    withdrawn: int
    chose_first: int = 0
    chose: int = 0
    repeated: int = 0
    same: int = 0
    flagged: int = 0


@dataclass(frozen=True, slots=True)
class JudgeAgainstPeople:
    """One judge under one labelling, against what most reviewers said.

    Attributes
    ----------
    group : str
        Judge and labelling.
    by_disposition : Mapping[str, Mapping[str, int]]
        Reviewed pairs by the judge's disposition and what most reviewers said.
    agreement : Estimate
        On the random sample of stable pairs.
    kappa : Estimate
        The same beyond chance.
    selected_agreement : Estimate
        On stable pairs that were selected for a reason: of those only.
    win_rate : Estimate
        What people would give all pairs.
    """

    group: str
    by_disposition: Mapping[str, Mapping[str, int]]
    agreement: Estimate
    kappa: Estimate
    selected_agreement: Estimate
    win_rate: Estimate


@dataclass(frozen=True, slots=True)
class ReviewedCase:
    """One case, revealed.

    Attributes
    ----------
    pair : str
        Its id.
    consequence : float
        How much an error would matter.
    reasons : tuple[Mapping[str, str], ...]
        Why it was reviewed.
    answers : Mapping[str, str]
        Verdict by reviewer, of the first showing.
    majority : str
        What most reviewers said; ``split`` without a majority, empty without an answer.
    flagged_by : tuple[str, ...]
        Who flagged it.
    relied_on : Mapping[str, tuple[str, ...]]
        What answers relied on, by reviewer.
    comments : Mapping[str, str]
        In words, by reviewer.
    """

    pair: str
    consequence: float
    reasons: tuple[Mapping[str, str], ...]
    answers: Mapping[str, str]
    majority: str
    flagged_by: tuple[str, ...]
    relied_on: Mapping[str, tuple[str, ...]]
    comments: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class HumanReport:
    """A blind review.

    Attributes
    ----------
    number : int
        Its number in the record.
    opened_at : str
        When it was opened.
    closed_at : str
        When it was closed; empty while it is open: everything below `reviewers` is empty then.
    n_cases : int
        Pairs to be judged.
    settings : Mapping[str, int]
        Seed, sizes and counts that were fixed when it was opened.
    by_reason : Mapping[str, int]
        Cases by reason; a case with several counts in each.
    reviewers : tuple[ReviewerRow, ...]
        Who takes part.
    pairs_of_reviewers : tuple[tuple[str, str, CohenKappa], ...]
        Every two reviewers on the cases that both answered.
    alpha : Estimate | None
        Agreement of all reviewers; None while the review is open.
    judges : tuple[JudgeAgainstPeople, ...]
        Every judge against most reviewers.
    cases : tuple[ReviewedCase, ...]
        Every case.
    """

    number: int
    opened_at: str
    closed_at: str
    n_cases: int
    settings: Mapping[str, int]
    by_reason: Mapping[str, int]
    reviewers: tuple[ReviewerRow, ...]
    pairs_of_reviewers: tuple[tuple[str, str, CohenKappa], ...] = ()
    alpha: Estimate | None = None
    judges: tuple[JudgeAgainstPeople, ...] = ()
    cases: tuple[ReviewedCase, ...] = ()
