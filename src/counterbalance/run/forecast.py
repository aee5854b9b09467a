"""What a study will take: calls, tokens, money and time, before anything is spent."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.dispositions.retry_rule import RetryRule
from counterbalance.items.frames import Order
from counterbalance.judges.batch_lines import BATCH_LIMITS
from counterbalance.presentations.assignment import (
    confirmation_plan,
    excluded_reasons,
    held_out_ids,
    order_plan,
)
from counterbalance.presentations.presentation import Purpose
from counterbalance.presentations.rendering import Renderer
from counterbalance.presentations.reply import Usage
from counterbalance.protocol.judge_settings import (
    HttpJudge,
    JudgeSettings,
    LocalJudge,
    PacedJudge,
)
from counterbalance.protocol.raising import limits_of, raised_limit
from counterbalance.run.asking import CHARACTERS_PER_TOKEN, estimated_tokens
from counterbalance.run.fitting import judged_by_kin, panels_of_kin
from counterbalance.run.spending import cost_usd
from counterbalance.run.strategy_forecast import StrategyForecast, strategy_forecasts
from counterbalance.run.worst_case import total, worst_case

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from counterbalance.presentations.presentation import Presentation, PresentationKey
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.run.study import Study

__all__ = ["Forecast", "JudgeForecast", "JudgedPairs", "forecast"]

_TOKENS_OF_A_VERDICT = 8
_TOKENS_OF_AN_UNLIMITED_REPLY = 1024
_MINUTE = 60.0
_BYTES_AROUND_A_PROMPT = 300


@dataclass(frozen=True, slots=True)
class JudgeForecast:
    """What one judge will be asked.

    Attributes
    ----------
    judge : str
        Its name.
    kind : str
        Its kind.
    calls : int
        Calls without retries.
    most_calls : int
        Calls when every one is retried as often as the rule allows.
    most_prompt_tokens : int
        Estimate for those calls.
    most_completion_tokens : int
        Upper estimate for those calls, at the raised limit where the rule raises it.
    most_cost_usd : float | None
        By the price table for those calls; None when unpriced.
    prompt_tokens : int
        Estimate for all calls.
    longest_prompt_tokens : int
        Estimate for the longest prompt.
    completion_tokens : int
        Upper estimate for all calls.
    cost_usd : float | None
        By the price table; None when unpriced.
    price : str
        When and where its price was read; empty without one.
    price_each : str
        Its price for a million prompt and reply tokens, in words; empty without one.
    too_long : int
        Calls whose estimate passes the judge's context; nothing will be sent for them.
    concurrency : int
        Calls under way at once.
    least_seconds : float
        Time that the judge's limits by the minute make of it at least; 0 without any.
    batch_files : int
        Batch files that the calls without retries fill; 0 for a judge that has none.
    batch_bytes : int
        Estimate of their size; 0 for a judge that has none.
    batch_cost_usd : float | None
        Of all calls in batches, at the declared discount; None when unpriced or without batches.
    """

    judge: str
    kind: str
    calls: int
    most_calls: int
    most_prompt_tokens: int
    most_completion_tokens: int
    most_cost_usd: float | None
    prompt_tokens: int
    longest_prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    price: str = ""
    price_each: str = ""
    too_long: int = 0
    concurrency: int = 1
    least_seconds: float = 0.0
    batch_files: int = 0
    batch_bytes: int = 0
    batch_cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class JudgedPairs:
    """The pairs that presentations are for: not identical, excluded or held out.

    Attributes
    ----------
    pairs : int
        How many.
    with_reference : int
        Those with a reference.
    cluster_sizes : tuple[int, ...]
        Pairs in each unit of uncertainty, by the protocol's choice of that unit.
    """

    pairs: int
    with_reference: int
    cluster_sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a study will take.

    Attributes
    ----------
    protocol_digest : str
        Hash of the protocol.
    pairs : int
        Pairs in the file.
    identical : int
        Pairs with identical texts: no call is spent on them.
    excluded : int
        Pairs left out by the protocol.
    held_out : int
        Pairs kept back for a confirmation.
    items : int
        Different items.
    clusters : int
        Different clusters.
    purposes : dict[str, int]
        Presentations by purpose; one that serves two is counted in both.
    judges : tuple[JudgeForecast, ...]
        By judge.
    confirmation_calls : int
        Calls, without retries, that a confirmation on the held-out pairs takes besides.
    judged : JudgedPairs
        The pairs that presentations are for.
    warnings : tuple[str, ...]
        What makes the judges' verdicts doubtful before any is given, in sentences.
    strategies : tuple[StrategyForecast, ...]
        What each strategy asks; calls that several of them rest on are asked once.
    """

    protocol_digest: str
    pairs: int
    identical: int
    excluded: int
    held_out: int
    items: int
    clusters: int
    purposes: dict[str, int]
    judges: tuple[JudgeForecast, ...]
    confirmation_calls: int
    judged: JudgedPairs
    warnings: tuple[str, ...] = ()
    strategies: tuple[StrategyForecast, ...] = ()


def forecast(study: Study, secret: str) -> Forecast:
    """Count what a study will ask, without asking anything.

    Parameters
    ----------
    study : Study
        Protocol and pairs.
    secret : str
        Any secret of the usual length: prompts have the same length under each.

    Returns
    -------
    Forecast
        Calls exactly, tokens as estimates.
    """
    protocol, pairs = study.protocol, study.pairs.pairs
    entries = list(order_plan(pairs, protocol, secret))
    purposes = Counter(entry.purpose for entry in entries)
    unique = {entry.presentation.key: entry.presentation for entry in entries}
    lengths = _prompt_lengths(study, secret, unique.values())
    rule = RetryRule(protocol, unique.values())
    judges = []
    usage: dict[PresentationKey, Usage] = {}
    for judge in protocol.judges:
        shares = []
        for prompt in dict.fromkeys(p.prompt for p in unique.values() if p.judge == judge.name):
            own = [p for p in unique.values() if (p.judge, p.prompt) == (judge.name, prompt)]
            per_reply = _reply_tokens(protocol.settings_under(judge, prompt))
            tokens = {p.key: lengths[p.pair_id, p.labelling, prompt] for p in own}
            usage |= {key: Usage(n, per_reply, is_measured=False) for key, n in tokens.items()}
            alone = [tokens[p.key] for p in own if rule.partner(p) is None]
            both = [tokens[p.key] for p in own if rule.partner(p) is not None]
            # Both orders of a pair have prompts of one length: every second one stands for two.
            shares.append(_Share(per_reply, alone, sorted(both)[::2]))
        judges.append(_of_judge(judge, protocol, shares))
    return Forecast(
        protocol_digest=protocol.digest,
        pairs=len(pairs),
        identical=sum(pair.is_identical for pair in pairs),
        excluded=len(excluded_reasons(pairs, protocol)),
        held_out=len(held_out_ids(pairs, protocol)),
        items=len({pair.item.id for pair in pairs}),
        clusters=len({pair.item.cluster for pair in pairs}),
        purposes={purpose.value: purposes[purpose] for purpose in Purpose},
        judges=tuple(judges),
        confirmation_calls=len(
            {e.presentation.key for e in confirmation_plan(pairs, protocol, secret)}
        ),
        judged=_judged(study),
        warnings=judged_by_kin(protocol, pairs) + panels_of_kin(protocol),
        strategies=strategy_forecasts(protocol, entries, usage),
    )


def _judged(study: Study) -> JudgedPairs:
    protocol, pairs = study.protocol, study.pairs.pairs
    left_out = {*excluded_reasons(pairs, protocol), *held_out_ids(pairs, protocol)}
    kept = [pair for pair in pairs if pair.id not in left_out and not pair.is_identical]
    units = {
        "cluster": (pair.item.cluster for pair in kept),
        "item": (pair.item.id for pair in kept),
        "pair": (pair.id for pair in kept),
    }
    sizes = Counter(units[protocol.analysis.cluster])
    return JudgedPairs(
        pairs=len(kept),
        with_reference=sum(pair.reference is not None for pair in kept),
        cluster_sizes=tuple(sizes.values()),
    )


def _prompt_lengths(
    study: Study, secret: str, shown: Iterable[Presentation]
) -> dict[tuple[str, str, str], int]:
    """Estimate the tokens of each prompt; both orders of a pair have the same length."""
    renderer = Renderer(study.protocol, secret)
    pairs = {pair.id: pair for pair in study.pairs.pairs}
    found: dict[tuple[str, str, str], int] = {}
    for p in shown:
        place = p.pair_id, p.labelling, p.prompt
        if place not in found:
            own = renderer.under(p.prompt)
            prompt = own.render(pairs[p.pair_id], Order.FORWARD, own.labelling(p.labelling))
            found[place] = estimated_tokens(prompt.messages)
    return found


@dataclass(frozen=True, slots=True)
class _Share:
    """What a judge is asked under one prompt: prompt tokens, alone or one of a couple of orders."""

    per_reply: int
    alone: list[int]
    coupled: list[int]

    @property
    def tokens(self) -> list[int]:
        return [*self.alone, *self.coupled, *self.coupled]


def _of_judge(judge: JudgeSettings, protocol: Protocol, shares: Sequence[_Share]) -> JudgeForecast:
    tokens = [n for share in shares for n in share.tokens]
    raised = raised_limit(judge, protocol.retry)
    most = total(
        worst_case(protocol.retry, raised, alone=x.alone, coupled=x.coupled, per_reply=x.per_reply)
        for x in shares
    )
    price = protocol.prices.get(judge.name)
    prompt_tokens = sum(tokens)
    completion_tokens = sum(share.per_reply * len(share.tokens) for share in shares)
    batch_files, batch_bytes = _batches(judge, len(tokens), prompt_tokens)
    usage = Usage(prompt_tokens, completion_tokens, is_measured=False)
    of_batches = price.of_batches if price is not None and batch_files else None
    return JudgeForecast(
        judge=judge.name,
        kind=judge.kind,
        calls=len(tokens),
        most_calls=most.calls,
        most_prompt_tokens=most.prompt_tokens,
        most_completion_tokens=most.completion_tokens,
        most_cost_usd=cost_usd(most.usage, price),
        prompt_tokens=prompt_tokens,
        longest_prompt_tokens=max(tokens, default=0),
        completion_tokens=completion_tokens,
        cost_usd=cost_usd(usage, price),
        price="" if price is None else price.provenance,
        price_each="" if price is None else price.each,
        too_long=sum(n > judge.context_tokens for n in tokens)
        if isinstance(judge, LocalJudge)
        else 0,
        concurrency=judge.concurrency if isinstance(judge, PacedJudge) else 1,
        least_seconds=_least_seconds(judge, len(tokens), prompt_tokens),
        batch_files=batch_files,
        batch_bytes=batch_bytes,
        batch_cost_usd=cost_usd(usage, of_batches),
    )


def _reply_tokens(judge: JudgeSettings) -> int:
    """Return the most tokens of a reply at the declared limit; a guess where there is none."""
    if limits := limits_of(judge):
        return max(limits.values())
    if isinstance(judge, LocalJudge):
        return 1
    return _TOKENS_OF_AN_UNLIMITED_REPLY if isinstance(judge, PacedJudge) else _TOKENS_OF_A_VERDICT


def _least_seconds(judge: JudgeSettings, calls: int, tokens: int) -> float:
    if not isinstance(judge, PacedJudge):
        return 0.0
    limits = ((calls, judge.requests_per_minute), (tokens, judge.tokens_per_minute))
    return max((_MINUTE * n / limit for n, limit in limits if limit), default=0.0)


def _batches(judge: JudgeSettings, calls: int, tokens: int) -> tuple[int, int]:
    """Return how many batch files a judge's calls fill, and their size, by estimate."""
    if not isinstance(judge, HttpJudge) or not judge.terms.has_batches:
        return 0, 0
    limits = BATCH_LIMITS[judge.api_name]
    size = tokens * CHARACTERS_PER_TOKEN + calls * _BYTES_AROUND_A_PROMPT
    return max(-(-calls // limits.requests), -(-size // limits.size_bytes)), size
