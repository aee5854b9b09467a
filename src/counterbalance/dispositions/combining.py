"""The rules of strategies: the votes on one pair to one result."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from counterbalance.dispositions.cell import Cell
from counterbalance.dispositions.disposition import Disposition
from counterbalance.dispositions.strategy_result import (
    StrategyResult,
    Value,
    balanced_calibration,
    plain_rule,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.dispositions.disposition import PairDisposition
    from counterbalance.dispositions.evidence import PairEvidence
    from counterbalance.protocol.strategies.strategy import Strategy

__all__ = ["Vote", "VoterEvidence", "combine", "disagrees_with_itself", "majority", "vote_of"]

_ROUNDING = 1e-9
"""Mean scores this near to each other are equal but for rounding."""
_DISAGREEING = frozenset(
    {
        Disposition.ORDER_DISAGREEMENT,
        Disposition.TIE_TRANSITION,
        Disposition.ABSTENTION_TRANSITION,
    }
)


@dataclass(frozen=True, slots=True)
class Vote:
    """What one voter says of a pair.

    Attributes
    ----------
    value : Value
        Its result; none without a verdict, and for insufficient evidence.
    has_verdict : bool
        Whether it counts for a quorum: insufficient evidence is a verdict, a failed call is none.
    from_disagreement : bool
        Whether its two orders disagree, so that the value is the rule's and not the judge's.
    """

    value: Value
    has_verdict: bool
    from_disagreement: bool = False


def vote_of(result: PairDisposition, tie_break: str = "tie") -> Vote:
    """Return the vote of one voter: one order as it is, or both with the rule where they disagree.

    Parameters
    ----------
    result : PairDisposition
        What the voter says of the pair.
    tie_break : str
        What is made of orders that disagree: ``tie`` or ``none``.

    Returns
    -------
    Vote
        A pair with identical texts has none.
    """
    cells = tuple(cell.cell for cell in result.cells.values())
    made = plain_rule(result.disposition, cells[0] if len(cells) == 1 else None)
    value = made.value
    if made.from_disagreement and tie_break == "none":
        value = "none"
    has_verdict = (
        made.value != "none"
        or made.from_disagreement
        or result.disposition is Disposition.INSUFFICIENT
        or (result.disposition is Disposition.SINGLE_ORDER and cells == (Cell.INSUFFICIENT,))
    )
    return Vote(value, has_verdict, made.from_disagreement)


def disagrees_with_itself(result: PairDisposition) -> bool:
    """Say whether both orders have a verdict, and not the same one."""
    return result.disposition in _DISAGREEING


def majority(
    strategy: str, votes: Sequence[Vote], quorum: int, tie_break: str = "tie"
) -> StrategyResult:
    """Return what more than half of the votes with a verdict say, in whatever order they come.

    Parameters
    ----------
    strategy : str
        Id of the strategy.
    votes : Sequence[Vote]
        One for each voter and repetition.
    quorum : int
        Fewest votes with a verdict for a result.
    tie_break : str
        What is made of votes without a majority: ``tie`` or ``none``.

    Returns
    -------
    StrategyResult
        Three votes for three values are no majority. A tie that the judges' own ties do not carry
        is ``from_disagreement``, and so is what the rule made of votes without a majority.

    Examples
    --------
    >>> a, b, tie = (Vote(value, has_verdict=True) for value in ("a", "b", "tie"))
    >>> majority("S3", [a, b, a], quorum=2).value
    'a'
    >>> made = majority("S3", [a, b, tie], quorum=2)
    >>> made.value, made.from_disagreement
    ('tie', True)
    >>> majority("S3", [a, Vote("none", has_verdict=False)], quorum=2).value
    'none'
    """
    cast = [vote for vote in votes if vote.has_verdict]
    counted = Counter(vote.value for vote in cast)
    undecided = StrategyResult(
        strategy,
        "none",
        n_votes=len(cast),
        n_self_disagreeing=sum(vote.from_disagreement for vote in cast),
        is_split=len(counted) > 1,
    )
    if len(cast) < quorum:
        return undecided
    for value, n in counted.items():
        if 2 * n > len(cast):
            own = sum(vote.value == value and not vote.from_disagreement for vote in cast)
            is_made = 2 * own <= len(cast)
            return replace(undecided, value=value, from_disagreement=is_made)
    broken: Value = "tie" if tie_break == "tie" else "none"
    return replace(undecided, value=broken, from_disagreement=True)


@dataclass(frozen=True, slots=True)
class VoterEvidence:
    """What one voter, asked so many times, has on one pair.

    Attributes
    ----------
    result : PairDisposition
        Over all its repetitions.
    repetitions : tuple[PairDisposition, ...]
        One for each repetition; the votes.
    evidence : PairEvidence
        The presentations.
    score_differences : tuple[tuple[float | None, ...], ...]
        For each order the score of candidate a less that of b in every repetition; None where the
        reply has none.
    """

    result: PairDisposition
    repetitions: tuple[PairDisposition, ...]
    evidence: PairEvidence
    score_differences: tuple[tuple[float | None, ...], ...] = ()

    @property
    def is_in_doubt(self) -> bool:
        """Whether both orders have a verdict, and not the same one."""
        return disagrees_with_itself(self.result)


def combine(
    strategy: Strategy,
    quorum: int,
    voters: Sequence[VoterEvidence],
    on_call: Sequence[VoterEvidence] = (),
) -> StrategyResult:
    """Return the result of a strategy for one pair.

    Parameters
    ----------
    strategy : Strategy
        Holds the rule.
    quorum : int
        Fewest votes with a verdict for a result.
    voters : Sequence[VoterEvidence]
        Everybody that is asked about every pair.
    on_call : Sequence[VoterEvidence]
        Who is asked where the first voter disagrees with itself.

    Returns
    -------
    StrategyResult
        ``none`` where texts are identical: no call was made.
    """
    if voters[0].result.disposition is Disposition.IDENTICAL:
        return StrategyResult(strategy.id, "none")
    if strategy.rule == "mean_log_odds":
        return _mean_log_odds(strategy, voters)
    if strategy.rule == "mean_scores":
        return _mean_scores(strategy, voters)
    if strategy.rule == "escalate" and voters[0].is_in_doubt:
        return _escalated(strategy, on_call)
    return _voted(strategy, quorum, voters)


def _voted(strategy: Strategy, quorum: int, voters: Sequence[VoterEvidence]) -> StrategyResult:
    votes = [
        vote_of(result, strategy.tie_break) for voter in voters for result in voter.repetitions
    ]
    if strategy.rule == "majority":
        return majority(strategy.id, votes, quorum, strategy.tie_break)
    (vote,) = votes
    return _single(strategy, vote)


def _single(strategy: Strategy, vote: Vote) -> StrategyResult:
    return StrategyResult(
        strategy.id,
        vote.value,
        from_disagreement=vote.from_disagreement,
        n_votes=int(vote.has_verdict),
        n_self_disagreeing=int(vote.from_disagreement),
    )


def _escalated(strategy: Strategy, on_call: Sequence[VoterEvidence]) -> StrategyResult:
    vote = vote_of(on_call[0].result, strategy.tie_break)
    return StrategyResult(
        strategy.id,
        vote.value,
        from_disagreement=vote.from_disagreement,
        n_votes=1 + int(vote.has_verdict),
        n_self_disagreeing=1 + int(vote.from_disagreement),
        is_split=True,
        is_escalated=True,
    )


def _n_disagreeing(voters: Sequence[VoterEvidence]) -> int:
    return sum(voter.is_in_doubt for voter in voters)


def _mean_log_odds(strategy: Strategy, voters: Sequence[VoterEvidence]) -> StrategyResult:
    is_confounded = any(voter.result.is_confounded for voter in voters)
    made = balanced_calibration([] if is_confounded else [voter.evidence for voter in voters])
    return StrategyResult(
        strategy.id,
        made.value,
        from_disagreement=made.value == "tie" and _n_disagreeing(voters) > 0,
        log_odds_a=made.log_odds_a,
        n_votes=sum(vote_of(voter.result).has_verdict for voter in voters),
        n_self_disagreeing=_n_disagreeing(voters),
    )


def _mean_scores(strategy: Strategy, voters: Sequence[VoterEvidence]) -> StrategyResult:
    """Average the scores' differences, each order and labelling with the same weight."""
    means = [_mean(found) for voter in voters for found in voter.score_differences]
    undecided = StrategyResult(
        strategy.id,
        "none",
        n_votes=sum(x is not None for v in voters for row in v.score_differences for x in row),
        n_self_disagreeing=_n_disagreeing(voters),
    )
    known = [mean for mean in means if mean is not None]
    is_confounded = any(voter.result.is_confounded for voter in voters)
    if is_confounded or not known or len(known) < len(means):
        return undecided
    mean = math.fsum(known) / len(known)
    value: Value = "tie" if abs(mean) < _ROUNDING else "a" if mean > 0 else "b"
    is_made = value == "tie" and _n_disagreeing(voters) > 0
    return replace(undecided, value=value, from_disagreement=is_made, score_a=mean)


def _mean(found: Sequence[float | None]) -> float | None:
    """Average what has a score, where more than half of what was planned has one."""
    known = [score for score in found if score is not None]
    return math.fsum(known) / len(known) if 2 * len(known) > len(found) else None
