"""A small review with honest hashes, for every test of a store that holds one."""

from __future__ import annotations

from counterbalance.items.frames import Order
from counterbalance.items.item import Message
from counterbalance.parsing.outcome import Outcome, OutcomeKind
from counterbalance.presentations.presentation import Presentation, RenderedPrompt
from counterbalance.presentations.reply import Reply
from counterbalance.record.attempt import Attempt
from counterbalance.record.review import Review, ReviewCase, Reviewer
from record.studies import STARTED_AT, study

PAIRS, PLAN = study()
SHOWN = (Message("user", "Which one?"),)
LATER = "2026-11-30T13:00:00.000Z"


def task(number: int, name: str = "ann", order: Order = Order.REVERSED, repetition: int = 0):
    return Presentation(
        pair_id=PAIRS[number].id,
        pair_key=PAIRS[number].key,
        order=order,
        labelling="1/2",
        judge=name,
        judge_digest=f"b2:{name}",
        temperature=None,
        prompt_digest=RenderedPrompt(SHOWN).digest,
        repetition=repetition,
    )


REVIEW = Review(
    revision=1,
    opened_at=STARTED_AT,
    program="counterbalance 0",
    settings={"seed": 7, "audit": 1},
    secret="s",  # noqa: S106 (pinned for the test)
    cases=(
        ReviewCase(PAIRS[1].id, ({"reason": "order_disagreement", "group": "j"},)),
        ReviewCase(PAIRS[0].id, ({"reason": "audit"},)),
    ),
)
ANN = Reviewer("ann", STARTED_AT, (task(0), task(1), task(0, order=Order.FORWARD, repetition=1)))


def answer(of: Presentation, number: int = 1) -> Attempt:
    outcome = Outcome(OutcomeKind.FIRST, "review/1:choice", label="1")
    return Attempt(of.key, number, STARTED_AT, 2.5, outcome, Reply("{}"), "review/1")
