"""Votes of a log whose display order nobody recorded: what a report says of them, and as text."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from counterbalance.dispositions.codes import NONE, UNKNOWN_ORDER, VERDICT_OF, VERDICTS
from counterbalance.importers.collected import SOURCE
from counterbalance.measures.votes import vote_agreement, vote_alpha, vote_table
from counterbalance.report.human_json import review_measure
from counterbalance.report.layout import columns, percent, plural, visible
from counterbalance.report.measure_text import interval_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from counterbalance.importers.collected import Collected
    from counterbalance.measures.estimate import Estimate
    from counterbalance.measures.votes import SystemVotes, VoterVotes

__all__ = ["Votes", "votes_lines", "votes_of", "votes_value"]

_MOST = 20


@dataclass(frozen=True, slots=True)
class Votes:
    """Votes whose order is not recorded.

    Attributes
    ----------
    votes : int
        One for each voter and pair.
    pairs : int
        Pairs with a vote.
    shared_pairs : int
        Pairs with votes of two voters or more.
    contradicting : int
        Voters with different verdicts on one pair, who have no vote on it.
    verdicts : Mapping[str, int]
        Votes by verdict: ``winner`` for either candidate, ``tie``, ``neither``, ``insufficient``.
    systems : tuple[SystemVotes, ...]
        By system.
    voters : tuple[VoterVotes, ...]
        By voter.
    agreement : Estimate
        How often two voters on one pair say the same.
    alpha : Estimate
        The same beyond chance.
    """

    votes: int
    pairs: int
    shared_pairs: int
    contradicting: int
    verdicts: Mapping[str, int]
    systems: tuple[SystemVotes, ...]
    voters: tuple[VoterVotes, ...]
    agreement: Estimate
    alpha: Estimate


def votes_of(collected: Collected, level: float) -> Votes | None:
    """Return the votes of a log; None where every verdict has its display order.

    Parameters
    ----------
    collected : Collected
        What the log told.
    level : float
        Nominal coverage of the intervals.

    Returns
    -------
    Votes | None
        Of all judges together, each a voter.
    """
    rows = collected.columns
    is_source = np.array([name.verdict_by == SOURCE for name in collected.names], dtype=np.bool_)
    is_vote = (rows.order == UNKNOWN_ORDER) & (VERDICT_OF[UNKNOWN_ORDER, rows.outcome] != NONE)
    is_vote &= ~rows.pairs.is_identical[rows.pair]
    if not is_vote.any():
        return None
    is_vote &= is_source[collected.named]
    names = [" ".join(filter(None, (name.judge, name.strategy))) for name in collected.names]
    voters = {name: place for place, name in enumerate(dict.fromkeys(names))}
    code = np.array([voters[name] for name in names], dtype=np.int32)
    found = vote_table(
        rows.pairs,
        rows.pair[is_vote],
        code[collected.named[is_vote]],
        VERDICT_OF[UNKNOWN_ORDER, rows.outcome[is_vote]],
        tuple(voters),
    )
    by_verdict = dict(zip(VERDICTS, found.counts.sum(axis=0).tolist(), strict=True))
    winners = {"winner": by_verdict.pop(VERDICTS[0]) + by_verdict.pop(VERDICTS[1])}
    return Votes(
        votes=found.n_votes,
        pairs=found.n_pairs,
        shared_pairs=int((found.counts.sum(axis=1) > 1).sum()),
        contradicting=found.n_contradicting,
        verdicts=winners | {verdict.value: n for verdict, n in by_verdict.items()},
        systems=found.systems,
        voters=found.voters,
        agreement=vote_agreement(found, level),
        alpha=vote_alpha(found, level),
    )


def votes_value(votes: Votes) -> dict[str, Any]:
    """Return the votes as JSON values."""
    return asdict(votes) | {
        "verdicts": dict(votes.verdicts),
        "agreement": review_measure(votes.agreement),
        "alpha": review_measure(votes.alpha),
    }


def votes_lines(votes: Votes) -> list[str]:
    """Return what a text report says of votes: how many, for whom, how far voters agree.

    Parameters
    ----------
    votes : Votes
        The votes.

    Returns
    -------
    list[str]
        Lines.
    """
    named = ", ".join(f"{n} {name}" for name, n in votes.verdicts.items() if n)
    on = f"{votes.votes} on {plural(votes.pairs, 'pair')} by {plural(len(votes.voters), 'judge')}"
    lines = ["", f"Votes whose display order is not recorded: {on} ({named})"]
    if votes.contradicting:
        lines.append(
            f"  {votes.contradicting} more times a judge gave different verdicts on one pair: none"
            " of them counts"
        )
    lines += _agreement(votes)
    lines += _table(
        ("system", "won", "lost", "tied", "no winner", "won of decided"),
        [
            (s.system, s.won, s.lost, s.tied, s.other, percent(_share(s.won, s.won + s.lost)))
            for s in votes.systems
        ],
    )
    if len(votes.voters) > 1:
        lines += _table(
            ("judge", "votes", "ties", "on shared pairs"),
            [(v.voter, v.votes, v.tied, v.shared) for v in votes.voters],
        )
    return lines


def _share(n: int, total: int) -> float | None:
    return n / total if total else None


def _agreement(votes: Votes) -> Iterator[str]:
    if not votes.shared_pairs:
        yield "  No pair has votes of two judges, so it cannot be said how far they agree."
        return
    share, alpha = votes.agreement, votes.alpha
    found = f"{percent(share.value)} {interval_text(share)}"
    yield f"  Two judges of one pair say the same {found} of the time,"
    yield f"  over {plural(votes.shared_pairs, 'pair')} with several judges."
    if alpha.value is None:
        yield f"  Beyond chance: {alpha.undefined}"
        return
    limits = "no interval"
    if alpha.low is not None and alpha.high is not None:
        limits = f"[{alpha.low:+.3f}, {alpha.high:+.3f}]"
    yield f"  Beyond chance, Krippendorff's alpha is {alpha.value:+.3f} {limits}."


def _table(head: tuple[str, ...], rows: list[tuple[Any, ...]]) -> list[str]:
    if not rows:
        return []
    shown = [list(head), *([visible(str(row[0]), 40), *map(str, row[1:])] for row in rows[:_MOST])]
    more = len(rows) - _MOST
    rest = [f"    and {more} more (--json)"] if more > 0 else []
    return ["", *columns(shown, indent=4, right=range(1, len(head))), *rest]
