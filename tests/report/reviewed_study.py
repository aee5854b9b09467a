"""A study whose open cases two people have reviewed, one of them with a hostile name."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from counterbalance.items.frames import Slot
from counterbalance.measures.review_cases import review_frame
from counterbalance.presentations.order import side_in
from counterbalance.protocol.loading import protocol_from_canonical
from counterbalance.record import open_record
from counterbalance.report.evidence import read_evidence
from counterbalance.review.opening import PROGRAM, Sizes, decided_review, join_reviewers, opened
from counterbalance.review.session import ReviewSession
from counterbalance.run.clock import now, stopwatch
from studies import row, run, write_study

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("ann", "<b>bob</b>")
JUDGE = "slot_rate = 0.3\ntie_rate = 0.1\nrefusal_rate = 0.1"


def answer_of(name: str, n: int) -> str:
    """Ann always prefers b, bob does so but for every fourth answer."""
    return "b" if name == NAMES[0] or n % 4 else "tie"


async def answered(store, review, people, protocol) -> None:
    session = ReviewSession(store, review, people, protocol, now, stopwatch)
    for name in NAMES:
        desk, n = session.desks[name], 0
        while (showing := await session.current(name)) is not None:
            first = side_in(Slot.FIRST, showing.task.order).value
            wanted = answer_of(name, n)
            key = "3" if wanted == "tie" else "1" if wanted == first else "2"
            ticket = desk.ticket(showing)
            if n == 1 and name == NAMES[0]:
                await session.flag(name, ticket)
            await session.answer(name, ticket, key, {})
            if n == 0:
                await session.evidence(name, ticket, ["source", "style"], "=1+1 <script>\x1b[31m")
            n += 1


def reviewed_record(folder: Path) -> Path:
    """Return a record whose review is answered, and open."""
    rows = [row(n, reference=None, category="facts") for n in range(40)]
    run(write_study(folder, rows=rows, judge=JUDGE))
    place = folder / "protocol.record.sqlite"
    with open_record(str(place), create=False, exclusive=True) as store:
        header = store.header()
        protocol = protocol_from_canonical(header.protocol, header.pairs_file)
        frame = review_frame(read_evidence(store).groups)
        review = opened(store, decided_review(frame, Sizes(12, 4, 7), header, now()))
        people = join_reviewers(store, review, protocol, NAMES, now())
        asyncio.run(answered(store, review, people, protocol))
    return place


def close_review(record: Path) -> None:
    """Close it, as the verb does."""
    with open_record(str(record), create=False, exclusive=True) as store:
        (review,) = store.reviews.all()
        store.reviews.close(review, now(), PROGRAM)
