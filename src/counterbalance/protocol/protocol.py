"""The protocol: what is asked, of whom, how it is read and what will be computed from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import Field, PositiveFloat, PositiveInt, StringConstraints, model_validator

from counterbalance.items.hashing import tagged_hash
from counterbalance.protocol.judge_settings import JudgeSettings, LocalJudge
from counterbalance.protocol.labelling import Labelling
from counterbalance.protocol.prompt import Prompt
from counterbalance.protocol.section import Section
from counterbalance.protocol.verdict_format import VerdictFormat

__all__ = [
    "MEASURES",
    "RETRYABLE",
    "TESTS",
    "Analysis",
    "Budget",
    "Exclusion",
    "Orders",
    "Price",
    "Protocol",
    "Question",
    "Repetitions",
    "Retry",
    "Subset",
]

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Share = Annotated[float, Field(ge=0, le=1)]

RetryableOutcome = Literal[
    "conflicting", "off_scale", "unparsed", "empty", "truncated", "refused", "failed"
]
RETRYABLE: tuple[RetryableOutcome, ...] = (
    "conflicting", "off_scale", "unparsed", "empty", "truncated", "refused", "failed",
)  # fmt: skip
"""Outcomes that a retry rule may name: never a verdict, and not too_long, which cannot change."""

MeasureName = Literal[
    "position_consistency", "position_consistency_all", "preference_fairness",
    "preference_fairness_shi", "first_slot_rate", "bias_position", "repetition_stability",
    "repeat_disagreement", "order_excess_disagreement", "agreement_forward", "agreement_reversed",
    "agreement_both", "agreement_forward_all", "agreement_reversed_all", "agreement_both_all",
    "kappa_forward", "kappa_reversed", "kappa_orders", "win_rate_a", "win_rate_a_forward",
    "win_rate_a_reversed", "win_rate_a_stable", "tie_rate",
]  # fmt: skip
MEASURES: tuple[MeasureName, ...] = MeasureName.__args__  # type: ignore[attr-defined]
"""Every measure that a protocol can plan."""

TestName = Literal["primacy_recency", "first_slot"]
TESTS: tuple[TestName, ...] = TestName.__args__  # type: ignore[attr-defined]
"""Every hypothesis test that a protocol can plan."""


class Question(Section):
    """What the verdict is about."""

    kind: Literal["factual_acceptability", "quality_among_acceptable", "overall_preference"]
    """Factual acceptability, quality among acceptable answers, or overall preference."""
    length: Literal["detail", "brevity", "indifferent"] = "indifferent"
    """Whether more detail or more brevity is wanted; said before any answer is seen."""
    decision: Text
    """The decision that the result serves, in your words."""


class Orders(Section):
    """Which display orders each pair is shown in."""

    assignment: Literal["both", "single_balanced"] = "both"
    """both: every pair in both orders. single_balanced: one seeded order per pair, half and half."""


class Subset(Section):
    """A seeded subset that is asked repeatedly; measures stability, never a disposition."""

    pairs: PositiveInt
    """Number of pairs, drawn by the seed."""
    per_order: Annotated[int, Field(ge=2, le=100)]
    """Repetitions of each order."""
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    """Sampling temperature for these calls; leave out to keep the judge's."""


class Repetitions(Section):
    """How often each presentation is asked."""

    per_order: Annotated[int, Field(ge=1, le=100)] = 1
    """Repetitions of each order for all pairs; more than half must agree for a verdict."""
    subset: Subset | None = None
    """Further repetitions of some pairs, to measure repetition noise."""


class Retry(Section):
    """When a call is made again. Nobody retries until a verdict pleases: verdicts cannot be named."""

    outcomes: tuple[RetryableOutcome, ...] = ()
    """Outcomes after which the call is made again."""
    max_attempts: Annotated[int, Field(ge=1, le=20)] = 1
    """Most attempts for one presentation, the first included."""

    @model_validator(mode="after")
    def _says_both(self) -> Retry:
        if bool(self.outcomes) != (self.max_attempts > 1):
            msg = "outcomes and max_attempts (2 or more) go together; give both or neither"
            raise ValueError(msg)
        return self


class Disposition(Section):
    """How the repetitions of one order become its cell."""

    rule: Literal["more_than_half"] = "more_than_half"
    """A verdict counts for an order when more than half of the planned repetitions say it."""


class Exclusion(Section):
    """Pairs that are left out, decided before any verdict is seen; counted apart."""

    reason: Text
    """Why."""
    pairs: tuple[str, ...] = ()
    """Ids of pairs."""
    category: str | None = None
    """All pairs of a category."""

    @model_validator(mode="after")
    def _names_something(self) -> Exclusion:
        if not self.pairs and self.category is None:
            msg = "name pairs or a category"
            raise ValueError(msg)
        return self


class Analysis(Section):
    """What will be computed; anything else in a report is labelled exploratory."""

    measures: tuple[MeasureName, ...] = ("position_consistency", "bias_position")
    """Measures decided on beforehand."""
    family: tuple[TestName, ...] = ()
    """Tests decided on beforehand, corrected together by Holm over every judge and labelling."""
    confidence_level: Annotated[float, Field(gt=0.5, lt=1)] = 0.95
    """Level of every interval."""
    cluster: Literal["cluster", "item", "pair"] = "cluster"
    """The unit that uncertainty is computed over."""
    margins: dict[MeasureName, PositiveFloat] = Field(default_factory=dict)
    """Smallest difference from zero (bias_position, preference_fairness) that matters to you."""


class Budget(Section):
    """Hard limits; a run stops cleanly before it would pass one."""

    max_calls: PositiveInt | None = None
    """Most calls."""
    max_tokens: PositiveInt | None = None
    """Most tokens, prompts and replies together."""
    max_cost_usd: PositiveFloat | None = None
    """Most money; needs a price for every judge that costs any."""


class Price(Section):
    """What a judge costs; judges without a price are free or unpriced and say so."""

    prompt_usd_per_million: Annotated[float, Field(ge=0)]
    """Dollars for a million prompt tokens."""
    completion_usd_per_million: Annotated[float, Field(ge=0)]
    """Dollars for a million reply tokens."""


class Protocol(Section):
    """Everything that is decided before the first call."""

    schema_id: Literal["counterbalance.protocol/1"] = Field(alias="schema")
    """Shape of this file."""
    title: Text
    """What the study is called."""
    pairs: Text
    """Pair file, relative to this file; its content is recorded by digest."""
    seed: Annotated[int, Field(ge=0, lt=2**63)]
    """Seed of every assignment: orders, subsets, order of work, sampling."""
    delimiter_secret: Text | None = None
    """Secret that the fences around texts are derived from; leave out for a fresh one per record."""
    baseline: str | None = None
    """System that is candidate `a` throughout; win rates are for it."""
    question: Question
    """What the verdict is about."""
    judges: Annotated[tuple[JudgeSettings, ...], Field(min_length=1)]
    """Who is asked."""
    prompt: Prompt = Field(default_factory=Prompt)
    """How it is asked."""
    verdict: VerdictFormat
    """How the reply states the verdict."""
    labellings: Annotated[tuple[Labelling, ...], Field(min_length=1)]
    """What the slots are called; each labelling is a full set of presentations."""
    orders: Orders = Field(default_factory=Orders)
    """Which display orders are shown."""
    repetitions: Repetitions = Field(default_factory=Repetitions)
    """How often each is asked."""
    retry: Retry = Field(default_factory=Retry)
    """When a call is made again."""
    disposition: Disposition = Field(default_factory=Disposition)
    """How verdicts become a disposition."""
    strategies: tuple[Literal["balanced_calibration"], ...] = ()
    """Strategy results beside the dispositions; balanced_calibration averages label log-odds over both orders and all labellings."""
    exclusions: tuple[Exclusion, ...] = ()
    """What is left out."""
    analysis: Analysis = Field(default_factory=Analysis)
    """What will be computed."""
    budget: Budget = Field(default_factory=Budget)
    """Hard limits."""
    prices: dict[str, Price] = Field(default_factory=dict)
    """Price of each judge, by name."""

    @model_validator(mode="after")
    def _fits_together(self) -> Protocol:
        for check in _CHECKS:
            if problem := check(self):
                raise ValueError(problem)
        return self

    @property
    def canonical(self) -> dict[str, Any]:
        """The protocol as a JSON value with every default spelled out, without the pair file's path."""
        return self.model_dump(mode="json", by_alias=True, exclude={"pairs"})

    @property
    def digest(self) -> str:
        """Tagged hash of the canonical form."""
        return tagged_hash("protocol/1", self.canonical)


def _duplicate(names: list[str]) -> str | None:
    return next((name for name, n in Counter(names).items() if n > 1), None)


def _judge_names_differ(protocol: Protocol) -> str | None:
    twice = _duplicate([judge.name for judge in protocol.judges])
    return f"two judges are called {twice!r}; give each its own name" if twice else None


def _labellings_differ(protocol: Protocol) -> str | None:
    twice = _duplicate([labelling.name.casefold() for labelling in protocol.labellings])
    return f"labelling {twice!r} is listed twice" if twice else None


def _labels_are_free(protocol: Protocol) -> str | None:
    verdict = protocol.verdict
    taken = {x.casefold() for x in (verdict.tie, verdict.neither, verdict.insufficient) if x}
    for labelling in protocol.labellings:
        for label in (labelling.first, labelling.second):
            if label.casefold() in taken:
                return f"label {label!r} names a slot and a verdict; give them different labels"
    return None


def _prices_have_judges(protocol: Protocol) -> str | None:
    names = {judge.name for judge in protocol.judges}
    unknown = sorted(set(protocol.prices) - names)
    return f"prices: no judge is called {unknown[0]!r}" if unknown else None


def _cost_cap_has_prices(protocol: Protocol) -> str | None:
    if protocol.budget.max_cost_usd is not None and not protocol.prices:
        return "budget.max_cost_usd needs a price for the judges, in [prices.NAME]"
    return None


def _greedy_is_not_repeated(protocol: Protocol) -> str | None:
    repetitions = protocol.repetitions
    for judge in protocol.judges:
        if not isinstance(judge, LocalJudge):
            continue
        if repetitions.per_order > 1 and judge.temperature == 0:
            return (
                f"judge {judge.name!r} has temperature 0, so its repetitions are identical by"
                " construction and prove nothing; set a temperature or repetitions.per_order = 1"
            )
        subset = repetitions.subset
        if (
            subset
            and (judge.temperature if subset.temperature is None else subset.temperature) == 0
        ):
            return (
                f"the repetition subset of judge {judge.name!r} would be asked at temperature 0,"
                " which repeats itself by construction; set repetitions.subset.temperature above 0"
            )
    return None


def _constrained_format_fits(protocol: Protocol) -> str | None:
    for judge in protocol.judges:
        if (
            isinstance(judge, LocalJudge)
            and judge.constrained
            and protocol.verdict.format not in {"choice", "number", "logprob"}
        ):
            return (
                f"judge {judge.name!r} is constrained to one label, which verdict.format"
                f" {protocol.verdict.format!r} cannot read; use choice, number or logprob, or set"
                " constrained = false"
            )
    return None


def _calibration_has_both_orders(protocol: Protocol) -> str | None:
    if protocol.strategies and protocol.orders.assignment != "both":
        return 'balanced_calibration averages over both orders; set orders.assignment = "both"'
    return None


def _nonce_has_a_tag(protocol: Protocol) -> str | None:
    if protocol.verdict.nonce and protocol.verdict.format != "tag":
        return 'verdict.nonce belongs to verdict.format = "tag"'
    return None


def _margins_are_signed(protocol: Protocol) -> str | None:
    signed = {"bias_position", "preference_fairness", "preference_fairness_shi"}
    wrong = sorted(set(protocol.analysis.margins) - signed)
    return (
        f"analysis.margins: {wrong[0]!r} has no zero to differ from; {sorted(signed)} have"
        if wrong
        else None
    )


_CHECKS: tuple[Callable[[Protocol], str | None], ...] = (
    _judge_names_differ,
    _labellings_differ,
    _labels_are_free,
    _prices_have_judges,
    _cost_cap_has_prices,
    _greedy_is_not_repeated,
    _constrained_format_fits,
    _calibration_has_both_orders,
    _nonce_has_a_tag,
    _margins_are_signed,
)
"""What the parts of a protocol must agree on; each check returns one sentence or None."""
