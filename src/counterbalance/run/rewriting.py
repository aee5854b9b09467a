"""The rewriting stage of a battery: a model writes the texts of probes before anybody judges them.

Every call stands in the record of the battery, which is begun only once they are all made: so the
pairs that its plan shows follow from the record, and a rerun makes the same ones without a call.
"""

from __future__ import annotations

from collections import Counter
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, NamedTuple

from counterbalance.errors import RecordMismatchError
from counterbalance.items.hashing import canonical_json
from counterbalance.judges.judge import Request, Shown
from counterbalance.judges.scripted_rewriter import ScriptedRewriter
from counterbalance.parsing.rewrite import written_text
from counterbalance.presentations.presentation import PresentationKey
from counterbalance.presentations.seeding import sampling_seed
from counterbalance.probes.rewriting import (
    RUBRIC,
    Rewritten,
    Wish,
    rewritten_pair,
    rubric_flaws,
    template_digest,
    wishes_of,
)
from counterbalance.protocol.families import families_of
from counterbalance.protocol.judge_settings import (
    LocalJudge,
    ScriptedJudge,
    judge_digest,
)
from counterbalance.record import open_record
from counterbalance.record.aside import Aside, AsideKind
from counterbalance.record.imported import refuse_import
from counterbalance.run.asides import TOO_LONG, AsideRun
from counterbalance.run.fitting import judge_model
from counterbalance.run.opening import Given, open_judge
from counterbalance.run.rewrites import ProbeRewrites, Rewrites

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from counterbalance.judges.callable import JudgeFunction
    from counterbalance.judges.judge import Judge
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.protocol.rewriting_section import Rewriting, RewrittenName
    from counterbalance.record.aside import AsideReply
    from counterbalance.record.place import Place
    from counterbalance.run.asides import Said
    from counterbalance.run.battery import BatterySources

__all__ = ["planned_texts", "rewrite"]

_NOT_MADE = "the call was not made yet"
_CHANGED = (
    "{place}: the table [rewriting] or the pairs changed since this record was begun: {n} of the"
    " texts were never asked for. Nothing was asked. Put back what changed, or name another record"
    " with --record"
)


async def rewrite(
    sources: BatterySources,
    rewriting: Rewriting,
    place: Place,
    *,
    threads: int | None = None,
    functions: Mapping[str, JudgeFunction] | None = None,
    announce: Callable[[int, int], None],
    said: Said,
) -> Rewrites:
    """Have a model write what is not written yet.

    Parameters
    ----------
    sources : BatterySources
        What the battery is made from.
    rewriting : Rewriting
        The protocol's table.
    place : Place
        The record of the battery; made here where there is none. One that was begun is only read:
        its pairs are fixed.
    threads : int | None
        Threads of the embedded model.
    functions : Mapping[str, JudgeFunction] | None
        Python functions, by name; None for none.
    announce : Callable[[int, int], None]
        Told the number of texts to be written and of those that are, before the first call.
    said : Said
        Told of every reply.

    Returns
    -------
    Rewrites
        What was written, and what was not and why.

    Raises
    ------
    RecordMismatchError
        If the record was begun with other rewrites than these.
    """
    protocol = sources.study.protocol
    wishes, unfit = _wishes(sources, rewriting)
    planned = [(wish, _aside(wish, rewriting)) for wish in wishes]
    asides = [aside for _, aside in planned]
    by_key = {aside.key: wish for wish, aside in planned}
    async with AsyncExitStack() as opened:
        model = _opened(rewriting, sources, Given(threads, functions or {}))
        opened.push_async_callback(model.close)
        with open_record(place, create=True, exclusive=True) as store:
            header = store.header()
            refuse_import(header, place, "name another record with --record")
            run = AsideRun(
                store=store,
                protocol=protocol,
                settings=rewriting.model,
                price=rewriting.price,
                ask=lambda aside, number: model.ask(_request(by_key, aside, number, protocol)),
                said=said,
            )
            if header is None:
                store.asides.plan(asides)
            due = run.take_stock(asides)
            if header is None:
                announce(len(asides), len(asides) - len(due))
                await run.run(due)
            elif n_new := sum(run.reply_of(aside) is None for aside in asides):
                raise RecordMismatchError(_CHANGED.format(place=place, n=n_new))
            n_left = 0 if header is not None else sum(map(run.is_due, asides))
            spent = _spent(run, asides)
    told = [(wish, run.reply_of(aside)) for wish, aside in planned]
    rewritten, paraphrase = _made(rewriting, told, unfit, sources)
    return Rewrites(
        model=rewriting.model.name,
        kind=rewriting.model.kind,
        digest=judge_digest(rewriting.model),
        probes=tuple(_counted(rewriting, name, told) for name in rewriting.probes),
        rewritten=rewritten,
        paraphrase=paraphrase,
        calls=spent.calls,
        calls_now=run.calls,
        tokens=spent.tokens,
        cost_usd=spent.cost_usd,
        stopped=run.stopped,
        outstanding=n_left,
        warnings=(*_kinship(rewriting, protocol), *model.notes),
    )


def planned_texts(sources: BatterySources, rewriting: Rewriting) -> list[tuple[str, int]]:
    """Return how many texts a model will be asked for, by probe: the most pairs there can be."""
    wishes, _ = _wishes(sources, rewriting)
    return [(name, sum(wish.probe == name for wish in wishes)) for name in rewriting.probes]


def _wishes(
    sources: BatterySources, rewriting: Rewriting
) -> tuple[list[Wish], dict[str, Counter[str]]]:
    protocol = sources.study.protocol
    return wishes_of(
        rewriting,
        sources.pairs,
        protocol.prompt.rubric,
        seed=protocol.seed,
        pairs_per_probe=sources.declared.pairs_per_probe,
    )


class _Spent(NamedTuple):
    """What the calls of a stage took, over all runs."""

    calls: int
    tokens: tuple[int, int]
    cost_usd: float | None


def _spent(run: AsideRun, asides: Sequence[Aside]) -> _Spent:
    unique = {aside.key: aside for aside in asides}.values()
    made = [reply for aside in unique for reply in run.made(aside)]
    usages = [r.reply.usage for r in made if r.reply is not None and r.reply.usage is not None]
    costs = [reply.cost_usd for reply in made if reply.cost_usd is not None]
    tokens = sum(u.prompt_tokens for u in usages), sum(u.completion_tokens for u in usages)
    return _Spent(len(made), tokens, sum(costs) if costs else None)


def _aside(wish: Wish, rewriting: Rewriting) -> Aside:
    return Aside(
        kind=AsideKind.REWRITE,
        subject=canonical_json(wish.subject),
        model=rewriting.model.name,
        model_digest=judge_digest(rewriting.model),
        messages=wish.messages,
    )


def _opened(rewriting: Rewriting, sources: BatterySources, given: Given) -> Judge:
    """Open the model; what it says is free text, so nothing is held to labels."""
    settings = rewriting.model
    if isinstance(settings, ScriptedJudge):
        return ScriptedRewriter(settings)
    if isinstance(settings, LocalJudge):
        settings = settings.model_copy(update={"constrained": False})
    return open_judge(settings, sources.study.protocol, [], sources.study.folder, given)


def _request(wishes: Mapping[str, Wish], aside: Aside, number: int, protocol: Protocol) -> Request:
    wish = wishes[aside.key]
    text = protocol.prompt.rubric if wish.source is None else wish.source.a.text.strip()
    return Request(
        key=PresentationKey(aside.key),
        messages=aside.messages,
        first=Shown(wish.probe, text),
        second=Shown("", ""),
        labels=(),
        temperature=None,
        seed=sampling_seed(protocol.seed, aside.key, number),
        attempt=number,
    )


def _text_of(reply: AsideReply | None) -> tuple[str, str]:
    """Return what was written, or why nothing was."""
    if reply is None:
        return "", _NOT_MADE
    if reply.reply is None:
        why = TOO_LONG if reply.problem.startswith(TOO_LONG) else reply.failure
        return "", f"the call failed ({why})"
    return written_text(reply.reply)


def _made(
    rewriting: Rewriting,
    told: Sequence[tuple[Wish, AsideReply | None]],
    unfit: Mapping[str, Counter[str]],
    sources: BatterySources,
) -> tuple[dict[str, Rewritten], str]:
    """Return what the battery is made of, and the rubric that was written."""
    found: dict[str, Rewritten] = {}
    paraphrase = ""
    declared = sources.study.protocol.prompt.rubric
    n_sources = sum(not pair.probe for pair in sources.pairs)
    for name in rewriting.probes:
        pairs, reasons = [], Counter(unfit[name])
        for wish, reply in told:
            if wish.probe != name:
                continue
            text, reason = _text_of(reply)
            if name != RUBRIC and text:
                version = template_digest(rewriting, name)
                pairs.append(rewritten_pair(wish, text, rewriting.model.name, version))
            elif name != RUBRIC:
                reasons[f"the rewriting model: {reason}"] += 1
            elif flaws := (reason,) if reason else rubric_flaws(declared, text):
                said = f"the rubric of the rewriting model, of which this does not hold: {flaws[0]}"
                reasons[said if not reason else f"the rewriting model: {reason}"] += n_sources
            else:
                paraphrase = text
        if name != RUBRIC or not paraphrase:
            found[name] = Rewritten(tuple(pairs), reasons)
    return found, paraphrase


def _counted(
    rewriting: Rewriting, name: RewrittenName, told: Sequence[tuple[Wish, AsideReply | None]]
) -> ProbeRewrites:
    reasons = [_text_of(reply)[1] for wish, reply in told if wish.probe == name]
    failed = Counter(reason for reason in reasons if reason)
    return ProbeRewrites(
        probe=name,
        prompt_digest=template_digest(rewriting, name),
        asked=len(reasons),
        written=len(reasons) - failed.total(),
        failed=tuple(sorted(failed.items())),
    )


def _kinship(rewriting: Rewriting, protocol: Protocol) -> Iterator[str]:
    """Say which judges may prefer the rewrites for who wrote them."""
    model = rewriting.model
    own = families_of(judge_model(model))
    names = ", ".join(rewriting.probes)
    yield (
        f"Texts of {names} were written by the model {model.name}: code checks what they keep, and"
        " nobody read them."
    )
    for judge in protocol.judges:
        shared = own & families_of(judge_model(judge))
        if judge_digest(judge) == judge_digest(model) or (
            judge_model(judge) and judge_model(judge) == judge_model(model)
        ):
            what = "is the rewriting model itself"
        elif shared:
            what = f"is of the rewriting model's family ({', '.join(sorted(shared))})"
        else:
            continue
        yield (
            f"Judge {judge.name} {what}: what it prefers in a rewrite may be its own way of"
            " writing, which these probes cannot tell from the intervention."
        )
