"""Votes whose display order nobody recorded: how often who won, and how far voters agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import N_VERDICTS, VERDICTS
from counterbalance.items.frames import Verdict
from counterbalance.measures.estimate import Estimate, beyond_chance, clustered, undefined
from counterbalance.statistics.clustered import cluster_mean
from counterbalance.statistics.panel_agreement import krippendorff_alpha

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from counterbalance.dispositions.attempt_columns import PairTable

__all__ = ["SystemVotes", "VoteTable", "VoterVotes", "vote_agreement", "vote_alpha", "vote_table"]

_A, _B, _TIE = (VERDICTS.index(verdict) for verdict in (Verdict.A, Verdict.B, Verdict.TIE))
_TWO = 2
_MEANS = "two voters on one pair say the same more often"
_NOBODY = "No pair has votes of two voters."


@dataclass(frozen=True, slots=True)
class SystemVotes:
    """Votes on the answers of one system.

    Attributes
    ----------
    system : str
        Its name.
    won : int
        Votes for it.
    lost : int
        Votes for its opponent.
    tied : int
        Ties.
    other : int
        Votes that neither answer, or not enough evidence, deserves a winner.
    """

    system: str
    won: int
    lost: int
    tied: int
    other: int


@dataclass(frozen=True, slots=True)
class VoterVotes:
    """Votes of one voter.

    Attributes
    ----------
    voter : str
        Their name.
    votes : int
        Pairs that they voted on.
    tied : int
        Ties among these.
    shared : int
        Pairs that somebody else voted on, too.
    """

    voter: str
    votes: int
    tied: int
    shared: int


@dataclass(frozen=True, slots=True, eq=False)
class VoteTable:
    """Votes by pair and verdict; one vote for each voter and pair.

    Attributes
    ----------
    counts : NDArray[np.int64]
        Votes by pair (its code) and verdict (5).
    clusters : NDArray[np.int32]
        Cluster of each pair.
    n_contradicting : int
        Voters with different verdicts on one pair, counted once for each such pair: none of their
        verdicts on it is a vote.
    systems : tuple[SystemVotes, ...]
        By system, the most votes first.
    voters : tuple[VoterVotes, ...]
        By voter, the most votes first.
    """

    counts: NDArray[np.int64]
    clusters: NDArray[np.int32]
    n_contradicting: int
    systems: tuple[SystemVotes, ...]
    voters: tuple[VoterVotes, ...]

    @property
    def n_votes(self) -> int:
        """Number of votes."""
        return int(self.counts.sum())

    @property
    def n_pairs(self) -> int:
        """Number of pairs with a vote."""
        return int((self.counts.sum(axis=1) > 0).sum())


def vote_table(
    table: PairTable,
    pair: NDArray[np.int32],
    voter: NDArray[np.int32],
    verdict: NDArray[np.int8],
    voters: tuple[str, ...],
) -> VoteTable:
    """Count verdicts as votes: one for each voter and pair.

    Parameters
    ----------
    table : PairTable
        What is known of each pair.
    pair : NDArray[np.int32]
        Pair of each verdict.
    voter : NDArray[np.int32]
        Place of its voter in ``voters``.
    verdict : NDArray[np.int8]
        The verdict's code.
    voters : tuple[str, ...]
        Names of the voters.

    Returns
    -------
    VoteTable
        Verdicts that one voter repeats count once, those that contradict one another not at all.
    """
    keys = np.unique((pair.astype(np.int64) * len(voters) + voter) * N_VERDICTS + verdict)
    by, said = keys // N_VERDICTS, keys % N_VERDICTS
    _, place, times = np.unique(by, return_inverse=True, return_counts=True)
    is_vote = (times == 1)[place]
    pairs, whose, said = (by // len(voters))[is_vote], (by % len(voters))[is_vote], said[is_vote]
    counts = np.bincount(pairs * N_VERDICTS + said, minlength=table.n_pairs * N_VERDICTS)
    counts = counts.reshape(table.n_pairs, N_VERDICTS)
    is_shared = (counts.sum(axis=1) >= _TWO)[pairs]
    n = len(voters)
    rows = zip(
        voters,
        np.bincount(whose, minlength=n).tolist(),
        np.bincount(whose[said == _TIE], minlength=n).tolist(),
        np.bincount(whose[is_shared], minlength=n).tolist(),
        strict=True,
    )
    return VoteTable(
        counts=counts,
        clusters=table.cluster,
        n_contradicting=int((times > 1).sum()),
        systems=_systems(table, counts),
        voters=tuple(
            sorted((VoterVotes(*row) for row in rows if row[1]), key=lambda v: (-v.votes, v.voter))
        ),
    )


def _systems(table: PairTable, counts: NDArray[np.int64]) -> tuple[SystemVotes, ...]:
    found: dict[str, NDArray[np.int64]] = {}
    for code, ((a, _), (b, _)) in enumerate(table.system_pairs):
        total = counts[table.systems == code].sum(axis=0)
        rest = total[_TIE], total.sum() - total[[_A, _B, _TIE]].sum()
        for name, won, lost in ((a, total[_A], total[_B]), (b, total[_B], total[_A])):
            if name and total.sum():
                counted = np.array([won, lost, *rest], dtype=np.int64)
                found[name] = counted + found.get(name, 0)
    rows = (SystemVotes(name, *map(int, row)) for name, row in found.items())
    return tuple(sorted(rows, key=lambda s: (-s.won, s.system)))


def vote_agreement(votes: VoteTable, level: float = 0.95) -> Estimate:
    """Share of two voters on one pair who say the same.

    Parameters
    ----------
    votes : VoteTable
        The votes.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    Estimate
        In [0, 1]; chance included.

    Notes
    -----
    **Unit of analysis**: the pair, whatever the number of its voters; intervals over clusters.
    **Numerator**: for each pair the share of its twos of voters who gave the same verdict.
    **Denominator**: pairs with two votes or more.
    **Undefined** when no pair has two votes.

    References
    ----------
    .. [1] L. Zheng et al., "Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena", NeurIPS 2023
       (agreement of two randomly selected voters; there pairs with many voters weigh more).
    """
    counts = votes.counts.astype(np.float64)
    total = counts.sum(axis=1)
    is_shared = total >= _TWO
    if not is_shared.any():
        return undefined("vote_agreement", "pair", _MEANS, _NOBODY, level)
    counts, total = counts[is_shared], total[is_shared]
    same = (counts * (counts - 1)).sum(axis=1) / (total * (total - 1))
    result = cluster_mean(same, votes.clusters[is_shared], level, bounds=(0.0, 1.0))
    return clustered("vote_agreement", result, "pair", _MEANS)


def vote_alpha(votes: VoteTable, level: float = 0.95) -> Estimate:
    """Agreement among voters beyond chance: Krippendorff's alpha of their votes.

    Parameters
    ----------
    votes : VoteTable
        The votes.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    Estimate
        At most 1; numerator None.

    Notes
    -----
    **Unit of analysis**: the pair; intervals over clusters.
    **Denominator**: pairs with two votes or more.
    **Undefined** when no pair has two votes, or one verdict was given throughout.

    References
    ----------
    .. [1] A. F. Hayes, K. Krippendorff, Communication Methods and Measures 1 (2007) 77-89.
    """
    is_shared = votes.counts.sum(axis=1) >= _TWO
    if not is_shared.any():
        return undefined("vote_alpha", "pair", _MEANS, _NOBODY, level)
    alpha = krippendorff_alpha(votes.counts[is_shared], votes.clusters[is_shared], level)
    return beyond_chance("vote_alpha", alpha, "voters agree more than shuffled votes would")
