"""Small pairs, outcomes and histories for tests, built through the real types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.dispositions.disposition import dispose
from counterbalance.dispositions.evidence import PairEvidence, PresentationEvidence
from counterbalance.items.frames import Order, Slot, Verdict
from counterbalance.items.hashing import tagged_hash
from counterbalance.items.item import (
    Candidate,
    CandidateId,
    Item,
    ItemId,
    Message,
    Pair,
    PairId,
    Reference,
)
from counterbalance.measures.from_judged import pairs_from_judged
from counterbalance.measures.group import JudgedPair
from counterbalance.parsing.outcome import FailureKind, Outcome, OutcomeKind
from counterbalance.presentations.order import side_in
from counterbalance.presentations.presentation import Presentation
from counterbalance.presentations.reply import Reply
from counterbalance.record.attempt import Attempt

if TYPE_CHECKING:
    from counterbalance.dispositions.attempt_columns import ClusterKind
    from counterbalance.dispositions.pair_columns import PairColumns


def candidate(text: str, system: str = "", item: str = "i") -> Candidate:
    digest = tagged_hash("candidate/1", [item, system, "", "", text])
    return Candidate(CandidateId(digest), "", system, "", text)


def pair(
    pair_id: str = "p1",
    a: str = "text of a",
    b: str = "text of b",
    *,
    accepted: tuple[str, ...] = (),
    cluster: str = "",
    systems: tuple[str, str] = ("old", "new"),
    **item: object,
) -> Pair:
    thing = Item(
        ItemId(f"item-{pair_id}"),
        (Message("user", f"question of {pair_id}"),),
        cluster=cluster or f"cluster-{pair_id}",
        **item,  # type: ignore[arg-type]
    )
    reference = Reference(frozenset(Verdict(v) for v in accepted), "test") if accepted else None
    return Pair(
        PairId(pair_id),
        thing,
        candidate(a, systems[0], thing.id),
        candidate(b, systems[1], thing.id),
        reference,
    )


def outcome(word: str) -> Outcome:
    """``first``, ``tie``, ``unparsed`` ... or ``failed:timeout``."""
    kind, _, failure = word.partition(":")
    return Outcome(OutcomeKind(kind), "test", failure=FailureKind(failure) if failure else None)


def in_slot(verdict: str, order: Order) -> str:
    """Turn ``a`` or ``b`` into the slot that would have to win; leave other words alone."""
    if verdict not in {"a", "b"}:
        return verdict
    return next(slot for slot in Slot if side_in(slot, order) == verdict).value


def shown(
    of: Pair, order: Order, words: tuple[str, ...], repetition: int = 0, **reply: object
) -> PresentationEvidence:
    """One presentation with one attempt for each word, in slot terms; no words: not run."""
    presentation = Presentation(
        of.id, of.key, order, "1/2", "judge", "b2:judge", None, f"b2:prompt-{order}", repetition
    )
    attempts = tuple(
        Attempt(
            presentation.key,
            number,
            "2026-11-30T00:00:00.000+00:00",
            0.1,
            outcome(word),
            Reply(word, **reply) if not word.startswith("failed") else None,  # type: ignore[arg-type]
            "choice/1",
        )
        for number, word in enumerate(words, start=1)
    )
    return PresentationEvidence(presentation, attempts)


def evidence(of: Pair, forward: str, reversed_: str) -> PairEvidence:
    """Words separated by spaces are repetitions, in candidate terms; ``-`` was not run."""
    return PairEvidence(
        main={
            order: [
                shown(of, order, () if word == "-" else (in_slot(word, order),), repetition)
                for repetition, word in enumerate(words.split())
            ]
            for order, words in ((Order.FORWARD, forward), (Order.REVERSED, reversed_))
        }
    )


def judged(of: Pair, forward: str, reversed_: str) -> JudgedPair:
    return judged_from(of, evidence(of, forward, reversed_))


def judged_from(of: Pair, found: PairEvidence | None) -> JudgedPair:
    return JudgedPair(dispose(of, found), found or PairEvidence())


def in_columns(pairs: list[JudgedPair], cluster: ClusterKind = "pair") -> PairColumns:
    return pairs_from_judged(pairs, cluster)
