"""Repetitions of a strategy as decisions of their own: what each of them alone would have made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.dispositions.combining import combine
from counterbalance.dispositions.evidence import PairEvidence
from counterbalance.dispositions.strategy_evidence import voter_evidence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from counterbalance.dispositions.combining import VoterEvidence
    from counterbalance.dispositions.strategy_evidence import StrategyEvidence
    from counterbalance.dispositions.strategy_result import StrategyResult
    from counterbalance.items.item import Pair
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.protocol.strategies.voting import StrategyRow, Voter

__all__ = ["decisions_of"]


def decisions_of(
    row: StrategyRow, found: StrategyEvidence, protocol: Protocol
) -> tuple[tuple[StrategyResult, ...], ...]:
    """Return what a strategy decides of each pair, once for every time it was asked whole.

    A record may have asked what a strategy asks several times over, as one that repeats it. Its
    repetitions are then cut into blocks of as many as the strategy takes, and each block decides.

    Parameters
    ----------
    row : StrategyRow
        The strategy that decides; its voters are those of the evidence.
    found : StrategyEvidence
        What a record holds, with as many repetitions or more.
    protocol : Protocol
        That the record was asked under.

    Returns
    -------
    tuple[tuple[StrategyResult, ...], ...]
        For each pair of the evidence, a result for each block; repetitions that fill no block are
        left out.
    """
    size = row.strategy.repetitions
    n_blocks = found.row.strategy.repetitions // size
    if n_blocks == 1 and found.row.strategy.repetitions == size:
        return tuple((result,) for result in found.results)
    return tuple(
        tuple(
            _decided(row, found, protocol, place, range(n * size, (n + 1) * size))
            for n in range(n_blocks)
        )
        for place in range(len(found.pairs))
    )


def _decided(
    row: StrategyRow, found: StrategyEvidence, protocol: Protocol, place: int, block: range
) -> StrategyResult:
    pair = found.pairs[place]
    said = [
        _of_block(protocol, voter, pair, found.voters, place, block)
        for voter in row.voters
        if not voter.is_on_call
    ]
    return combine(row.strategy, row.quorum, said)


def _of_block(
    protocol: Protocol,
    voter: Voter,
    pair: Pair,
    voters: Mapping[Voter, tuple[VoterEvidence, ...]],
    place: int,
    block: range,
) -> VoterEvidence:
    whole = voters[voter][place].evidence
    part = PairEvidence(
        {
            order: [shown for shown in held if shown.presentation.repetition in block]
            for order, held in whole.main.items()
        }
    )
    return voter_evidence(protocol, voter, pair, part if part.main else None)
