"""A review is decided whole and written down before anybody is shown anything."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from counterbalance import __version__
from counterbalance.errors import InputError, UsageError, one_line
from counterbalance.measures.review_cases import AUDIT
from counterbalance.record.review import Review, ReviewCase, Reviewer
from counterbalance.review.tasks import audit_sample, reviewer_tasks
from counterbalance.review.tickets import new_secret

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from counterbalance.items.item import Pair
    from counterbalance.measures.review_cases import ReviewFrame
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.record.store import RecordHeader, Store

__all__ = [
    "PROGRAM",
    "Sizes",
    "check_name",
    "decided_review",
    "join_reviewers",
    "latest_review",
    "opened",
]

PROGRAM = f"counterbalance {__version__}"
_LONGEST_NAME = 40


class Sizes(NamedTuple):
    """What is fixed when a review is opened.

    Attributes
    ----------
    audit : int
        Stable pairs that are drawn beside the selected ones.
    repeats : int
        Cases that each reviewer is shown again in the exchanged order.
    seed : int
        Decides sample, slots, queue and repeats.
    """

    audit: int
    repeats: int
    seed: int


def latest_review(store: Store, revision: int) -> Review | None:
    """Return the review of the newest revision; None where it has none.

    Parameters
    ----------
    store : Store
        The record.
    revision : int
        Its newest revision.

    Returns
    -------
    Review | None
        Open or closed.
    """
    found = [review for review in store.reviews.all() if review.revision == revision]
    return found[-1] if found else None


def decided_review(
    frame: ReviewFrame, sizes: Sizes, header: RecordHeader, opened_at: str
) -> Review:
    """Return the review that this evidence leads to; nothing is written.

    Parameters
    ----------
    frame : ReviewFrame
        Every pair, by what a review makes of it.
    sizes : Sizes
        How large sample and repeats are.
    header : RecordHeader
        The newest revision.
    opened_at : str
        ISO 8601 time, UTC.

    Returns
    -------
    Review
        With its cases, the selected ones first; empty where nothing is to be judged.
    """
    drawn = audit_sample(frame.stable, sizes.audit, sizes.seed)
    cases = [
        ReviewCase(pair_id, tuple(reason.content for reason in reasons))
        for pair_id, reasons in frame.selected.items()
    ]
    cases += [
        ReviewCase(pair_id, ({"reason": AUDIT},)) for pair_id in frame.stable if pair_id in drawn
    ]
    settings = {
        "seed": sizes.seed,
        "audit": sizes.audit,
        "repeats": sizes.repeats,
        "selected": len(frame.selected),
        "stable": len(frame.stable),
        "outside": len(frame.outside),
    }
    return Review(
        revision=header.number,
        opened_at=opened_at,
        program=PROGRAM,
        settings=settings,
        secret=new_secret(),
        cases=tuple(cases),
    )


def check_name(name: str) -> str:
    """Return the name of a reviewer as it is recorded.

    Parameters
    ----------
    name : str
        As it was given.

    Returns
    -------
    str
        Without spaces around it.

    Raises
    ------
    UsageError
        If it is empty, long, or has a character that no terminal should print.
    """
    stripped = name.strip()
    if not stripped or len(stripped) > _LONGEST_NAME or not stripped.isprintable():
        msg = (
            f'--reviewer "{one_line(name)}": give 1 to {_LONGEST_NAME} printable characters,'
            " best a pseudonym"
        )
        raise UsageError(msg)
    return stripped


def join_reviewers(
    store: Store, review: Review, protocol: Protocol, names: Iterable[str], joined_at: str
) -> tuple[Reviewer, ...]:
    """Let people take part who do not yet, and return everybody who does.

    Parameters
    ----------
    store : Store
        The record, open for writing.
    review : Review
        An open review.
    protocol : Protocol
        Of its revision.
    names : Iterable[str]
        Who is to take part; a name that does already changes nothing.
    joined_at : str
        ISO 8601 time, UTC.

    Returns
    -------
    tuple[Reviewer, ...]
        In the order they joined.

    Raises
    ------
    InputError
        If a case is no pair of the revision.
    """
    there = {reviewer.name for reviewer in store.reviews.reviewers(review)}
    new = [name for name in dict.fromkeys(names) if name not in there]
    if new:
        pairs = _pairs_of(store, review)
        for name in new:
            tasks = reviewer_tasks(
                pairs,
                protocol,
                seed=review.settings["seed"],
                repeats=review.settings["repeats"],
                name=name,
                review=review.secret,
            )
            store.reviews.join(review, Reviewer(name, joined_at, tasks))
    return store.reviews.reviewers(review)


def opened(store: Store, review: Review) -> Review:
    """Write a decided review and return it with its number."""
    return replace(review, number=store.reviews.open(review))


def _pairs_of(store: Store, review: Review) -> Sequence[Pair]:
    wanted = {case.pair_id for case in review.cases}
    found = [pair for pair in store.pairs(review.revision) if pair.id in wanted]
    if len(found) != len(wanted):
        msg = (
            f"review {review.number}: {len(wanted) - len(found)} of its cases are no pairs of"
            " its revision; `counterbalance record verify` lists what does not fit"
        )
        raise InputError(msg)
    return found
