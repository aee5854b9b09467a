"""Small studies with honest hashes, for every test of a store."""

from __future__ import annotations

import asyncio
import functools
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from counterbalance.items.frames import Order, Slot, Verdict
from counterbalance.items.hashing import tagged_hash
from counterbalance.items.item import Candidate, Item, ItemId, Message, Pair, PairId, Reference
from counterbalance.items.requirements import Requirement, RequirementRule
from counterbalance.items.rows import candidate_id
from counterbalance.parsing.outcome import FailureKind, Outcome, OutcomeKind
from counterbalance.presentations.presentation import (
    PlanEntry,
    Presentation,
    Purpose,
    RenderedPrompt,
)
from counterbalance.presentations.reply import Reply, Usage
from counterbalance.record.attempt import Attempt
from counterbalance.record.store import RecordHeader

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

STARTED_AT = "2026-11-30T12:00:00.000000Z"
PROTOCOL = {"title": "Test", "seed": 1, "judges": [{"name": "j", "temperature": 0.0}]}
HEADER = RecordHeader(
    protocol=PROTOCOL,
    protocol_digest=tagged_hash("protocol/1", PROTOCOL),
    protocol_text='title = "Test" # é\n',
    pairs_file="pairs.jsonl",
    pairs_sha256="0" * 64,
    secret="secret",  # noqa: S106 (pinned for the test)
    created_at=STARTED_AT,
    program="counterbalance 0",
    notes=("one note", "another"),
)


def awaited(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run a test that waits for a store in an event loop of its own."""

    @functools.wraps(test)
    def run(*arguments: Any, **named: Any) -> None:
        asyncio.run(test(*arguments, **named))

    return run


def candidate(text: str, item: str = "item", system: str = "s") -> Candidate:
    made = candidate_id(ItemId(item), system=system, version="1", supplied_id="", text=text)
    return Candidate(made, "", system, "1", text)


def pair(number: int, a: str = "Four.", b: str = "Five.") -> Pair:
    name = f"item-{number}"
    item = Item(
        id=ItemId(name),
        messages=(Message("system", "Be brief."), Message("user", f"What is 2 + {number}?")),
        context="" if number % 2 else "A shared context.",
        reference_answer="4",
        requirements=(
            Requirement("short", RequirementRule.ABSENT, ["because"], mandatory=False, text="t"),
            Requirement("valid", RequirementRule.JSON_SCHEMA, {"type": ["string", "null"]}),
        ),
        category="sums",
        cluster=f"cluster-{number // 2}",
        consequence=3.0,
    )
    accepted = frozenset({Verdict.A, Verdict.TIE})
    reference = Reference(accepted, "the author") if number % 2 else None
    return Pair(PairId(f"pair-{number}"), item, candidate(a, name), candidate(b, name), reference)


def prompt(of: Pair, order: Order) -> tuple[Message, ...]:
    return (Message("system", "Judge."), Message("user", f"{of.id} {order} {of.a.text}"))


def entry(
    of: Pair, order: Order, repetition: int = 0, purpose: Purpose = Purpose.MAIN
) -> PlanEntry:
    return PlanEntry(
        purpose,
        Presentation(
            pair_id=of.id,
            pair_key=of.key,
            order=order,
            labelling="1/2",
            judge="j",
            judge_digest=tagged_hash("judge/1", "j"),
            temperature=0.7 if purpose is Purpose.STABILITY else None,
            prompt_digest=RenderedPrompt(prompt(of, order)).digest,
            repetition=repetition,
        ),
    )


def study(pairs: int = 3) -> tuple[list[Pair], list[PlanEntry]]:
    """Return pairs and a plan: both orders of each, and a repetition of the first."""
    made = [pair(number) for number in range(pairs)]
    plan = [entry(one, order) for one in made for order in Order]
    plan.append(entry(made[0], Order.FORWARD, 1, Purpose.STABILITY))
    plan.append(replace(plan[0], purpose=Purpose.STABILITY))
    return made, plan


def prompt_of(planned: PlanEntry, pairs: list[Pair]) -> tuple[Message, ...]:
    shown = planned.presentation
    return prompt(next(p for p in pairs if p.id == shown.pair_id), shown.order)


def verdict(planned: PlanEntry, number: int = 1, text: str = "The answer is 1") -> Attempt:
    reply = Reply(
        text=text,
        finish="stop",
        reasoning="thinking",
        refusal="",
        token_logprobs=(("1", -0.25), ("2", -1.5)),
        usage=Usage(120, 7, is_measured=True),
        model="judge-1",
        fingerprint="fp",
        sent={"temperature": 0.0, "stop": ["\n"], "nested": {"b": 1, "a": None}},
    )
    outcome = Outcome(
        kind=OutcomeKind.FIRST,
        rule="choice/1:last",
        strength="much",
        span=(14, 15),
        label="1",
        repairs=("control_characters",),
        fields=(("invents_date", (Slot.SECOND,)),),
        label_mass=0.93,
        log_odds_first=1.25,
    )
    key = planned.presentation.key
    return Attempt(key, number, STARTED_AT, 0.125, outcome, reply, "choice/1", "", 0.0004)


def failure(planned: PlanEntry, number: int = 1) -> Attempt:
    outcome = Outcome(OutcomeKind.FAILED, "judge:failed", failure=FailureKind.TIMEOUT)
    key = planned.presentation.key
    return Attempt(key, number, STARTED_AT, None, outcome, None, "", "no reply in 60 s")
