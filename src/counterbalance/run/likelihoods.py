"""How likely whole answers of a battery are, asked of judges whose endpoints tell it.

Every call is recorded as one that asks for no verdict, and made once for a text, however many
probes show it. What is recorded is not asked again.
"""

from __future__ import annotations

import os
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.items.hashing import canonical_json
from counterbalance.items.item import Message, conversation_text
from counterbalance.judges.http import HttpModelJudge
from counterbalance.judges.judge import Request, Shown
from counterbalance.judges.likelihood_api import LIKELIHOOD_APIS
from counterbalance.measures.likelihood import AnswerLikelihoods, has_likelihood_target
from counterbalance.parsing.likelihood import text_logprobs
from counterbalance.presentations.presentation import PresentationKey
from counterbalance.presentations.seeding import sampling_seed
from counterbalance.probes.catalogue import PROBES
from counterbalance.protocol.judge_settings import HttpJudge, judge_digest
from counterbalance.record import open_record
from counterbalance.record.aside import Aside, AsideKind
from counterbalance.run.asides import AsideRun

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    from counterbalance.items.item import Item, Pair
    from counterbalance.presentations.reply import Reply
    from counterbalance.protocol.likelihoods_section import Likelihoods
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.record.aside import AsideReply
    from counterbalance.record.place import Place
    from counterbalance.run.asides import Said

__all__ = ["JudgeLikelihoods", "ask_likelihoods"]


@dataclass(frozen=True, slots=True)
class JudgeLikelihoods:
    """What one judge told of the answers of a battery.

    Attributes
    ----------
    judge : str
        Its name.
    pairs : dict[str, AnswerLikelihoods]
        By id of the probe pair, where both answers are known.
    unknown : tuple[tuple[str, int], ...]
        Answers without log-probabilities, by reason.
    calls_now : int
        Calls of this run.
    stopped : str
        Why it ended before its plan did; empty when it did not.
    outstanding : int
        Answers that still need a call.
    """

    judge: str
    pairs: dict[str, AnswerLikelihoods]
    unknown: tuple[tuple[str, int], ...]
    calls_now: int
    stopped: str
    outstanding: int


async def ask_likelihoods(
    protocol: Protocol,
    declared: Likelihoods,
    pairs: Sequence[Pair],
    place: Place,
    *,
    announce: Callable[[int, int], None],
    said: Said,
) -> list[JudgeLikelihoods]:
    """Ask every named judge how likely the answers of a battery are, as far as is not recorded.

    Parameters
    ----------
    protocol : Protocol
        The protocol.
    declared : Likelihoods
        Its table.
    pairs : Sequence[Pair]
        The battery's pairs; those whose target is no text are passed over.
    place : Place
        The record of the battery.
    announce : Callable[[int, int], None]
        Told the number of answers and of those that are recorded, before the first call of a judge.
    said : Said
        Told of every reply.

    Returns
    -------
    list[JudgeLikelihoods]
        By judge, in the order declared.
    """
    scored = [pair for pair in pairs if has_likelihood_target(PROBES[pair.probe])]
    found = []
    with open_record(place, create=False, exclusive=True) as store:
        for name in declared.judges:
            settings = _bare(protocol, name)
            asides = {
                key: Aside(
                    kind=AsideKind.LIKELIHOOD,
                    subject=canonical_json({"way": declared.way}),
                    model=name,
                    model_digest=judge_digest(settings),
                    messages=messages,
                )
                for key, messages in _shown(scored, declared)
            }
            plan = list({aside.key: aside for aside in asides.values()}.values())
            async with AsyncExitStack() as opened:
                api = LIKELIHOOD_APIS[declared.way]
                judge = HttpModelJudge(settings, os.environ, api=api)
                opened.push_async_callback(judge.close)
                run = AsideRun(
                    store=store,
                    protocol=protocol,
                    settings=settings,
                    price=protocol.prices.get(name),
                    ask=_asking(judge, protocol.seed),
                    said=said,
                )
                store.asides.plan(plan)
                due = run.take_stock(plan)
                announce(len(plan), len(plan) - len(due))
                await run.run(due)
            told = {key: _told(aside, run.reply_of(aside)) for key, aside in asides.items()}
            unique = {asides[key].key: why for key, (_, why) in told.items()}
            found.append(
                JudgeLikelihoods(
                    judge=name,
                    pairs=_by_pair(scored, told),
                    unknown=tuple(sorted(Counter(why for why in unique.values() if why).items())),
                    calls_now=run.calls,
                    stopped=run.stopped,
                    outstanding=sum(map(run.is_due, plan)),
                )
            )
    return found


_Key = tuple[str, str]
_Told = tuple[tuple[float, ...], str]


def _bare(protocol: Protocol, name: str) -> HttpJudge:
    """Return a judge's settings without what is about a reply: there is none to be had."""
    judge = next(judge for judge in protocol.judges if judge.name == name)
    if not isinstance(judge, HttpJudge):
        msg = f"{name} is behind no endpoint"
        raise TypeError(msg)
    without = {"temperature": None, "max_tokens": None, "top_logprobs": None, "send_seed": False}
    return judge.model_copy(update={**without, "droppable": ()})


def _shown(
    pairs: Sequence[Pair], declared: Likelihoods
) -> Iterator[tuple[_Key, tuple[Message, ...]]]:
    """Yield what is shown for each answer, by pair and side."""
    for pair in pairs:
        for side, candidate in (("a", pair.a), ("b", pair.b)):
            messages = (*_before(pair.item, declared), Message("assistant", candidate.text.strip()))
            yield (pair.id, side), messages


def _before(item: Item, declared: Likelihoods) -> tuple[Message, ...]:
    if declared.way == "prompt_logprobs":
        return item.messages
    question = conversation_text(item.messages)
    return (Message("user", declared.prompt.replace("{{question}}", question) + "\n\n"),)


def _asking(judge: HttpModelJudge, seed: int) -> Callable[[Aside, int], Awaitable[Reply]]:
    nothing = Shown("", "")

    def ask(aside: Aside, number: int) -> Awaitable[Reply]:
        return judge.ask(
            Request(
                key=PresentationKey(aside.key),
                messages=aside.messages,
                first=nothing,
                second=nothing,
                labels=(),
                temperature=None,
                seed=sampling_seed(seed, aside.key, number),
                attempt=number,
            )
        )

    return ask


def _told(aside: Aside, reply: AsideReply | None) -> _Told:
    """Return the log-probabilities of an answer, or why there are none."""
    if reply is None:
        return (), "the call was not made yet"
    if reply.reply is None:
        return (), f"the call failed ({reply.failure}): {reply.problem}"
    return text_logprobs(reply.reply, aside.messages[-1].content)


def _by_pair(pairs: Sequence[Pair], told: dict[_Key, _Told]) -> dict[str, AnswerLikelihoods]:
    found: dict[str, AnswerLikelihoods] = {}
    for pair in pairs:
        a, b = told[pair.id, "a"][0], told[pair.id, "b"][0]
        if a and b:
            found[pair.id] = AnswerLikelihoods(a, b)
    return found
