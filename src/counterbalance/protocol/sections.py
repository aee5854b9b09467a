"""The plain tables of a protocol: question, orders, repetitions, retry, analyses, limits."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, PositiveFloat, PositiveInt, StringConstraints, model_validator

from counterbalance.protocol.section import ADDED_LATER, LISTED_ONCE, UNIQUE, Section

__all__ = [
    "COMPARED",
    "MEASURES",
    "RETRYABLE",
    "TESTS",
    "Analysis",
    "Budget",
    "Compare",
    "ComparedMeasure",
    "Disposition",
    "Exclusion",
    "HeldOut",
    "Orders",
    "Question",
    "Repetitions",
    "Retry",
    "Subset",
    "Text",
]

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]

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
    "win_rate_a_reversed", "win_rate_a_stable", "tie_rate", "length_controlled_win_rate",
]  # fmt: skip
MEASURES: tuple[MeasureName, ...] = MeasureName.__args__  # type: ignore[attr-defined]
"""Every measure that a protocol can plan."""

SignedMeasure = Literal[
    "bias_position", "preference_fairness", "preference_fairness_shi", "order_excess_disagreement",
]  # fmt: skip
"""Measures whose zero means that neither side is favoured, or that the order adds nothing."""

ComparedMeasure = Literal[
    "agreement_both", "strategy_agreement", "position_consistency", "win_rate_a", "bias_position",
    "tie_rate",
]  # fmt: skip
COMPARED: tuple[ComparedMeasure, ...] = ComparedMeasure.__args__  # type: ignore[attr-defined]
"""Every measure that judges and runs can be compared by, on the pairs that they share."""

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
    """The decision that the result serves, in your words; never shown to a judge."""


class Orders(Section):
    """Which display orders each pair is shown in."""

    assignment: Literal["both", "single_balanced"] = "both"
    """both: every pair in both orders. single_balanced: one seeded order per pair, half and
    half."""


class Subset(Section):
    """A seeded subset that is asked repeatedly; measures stability, never a disposition."""

    pairs: PositiveInt
    """Number of pairs, drawn by the seed; all of them when there are fewer."""
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
    """When a call is made again; a verdict cannot be named, as nobody retries until one pleases."""

    outcomes: Annotated[tuple[RetryableOutcome, ...], LISTED_ONCE, UNIQUE] = ()
    """Outcomes after which the call is made again."""
    max_attempts: Annotated[int, Field(ge=1, le=20)] = 1
    """Most attempts for one presentation, the first included."""
    raise_max_tokens_to: PositiveInt | None = ADDED_LATER
    """Limit of the replies after one was truncated: both orders of the pair are asked again with
    it, the order that had a verdict too, and only what they say under it counts."""

    @model_validator(mode="after")
    def _says_both(self) -> Retry:
        if bool(self.outcomes) != (self.max_attempts > 1):
            msg = "outcomes and max_attempts (2 or more) go together; give both or neither"
            raise ValueError(msg)
        if self.raise_max_tokens_to is not None and "truncated" not in self.outcomes:
            msg = "raise_max_tokens_to is about truncated replies; name truncated in outcomes"
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
    pairs: Annotated[tuple[Text, ...], LISTED_ONCE, UNIQUE] = ()
    """Ids of pairs."""
    category: Text | None = None
    """All pairs of a category, besides those named by id."""

    @model_validator(mode="after")
    def _names_something(self) -> Exclusion:
        if not self.pairs and self.category is None:
            msg = "excludes nothing; name pairs or a category"
            raise ValueError(msg)
        return self


class HeldOut(Section):
    """Pairs that are kept back for a confirmation: neither judged nor shown; counted apart."""

    share: Annotated[float, Field(gt=0, lt=1)]
    """Share of the pairs, whole clusters together; the nearest that clusters allow."""
    seed: Annotated[int, Field(ge=0, lt=2**63)]
    """Seed of this draw alone, so that no other choice depends on it."""


class Analysis(Section):
    """What will be computed; anything else in a report is labelled exploratory."""

    measures: Annotated[tuple[MeasureName, ...], LISTED_ONCE, UNIQUE] = (
        "position_consistency",
        "bias_position",
    )
    """Measures decided on beforehand."""
    family: Annotated[tuple[TestName, ...], LISTED_ONCE, UNIQUE] = ()
    """Tests decided on beforehand, corrected together by Holm over every judge and labelling."""
    confidence_level: Annotated[float, Field(gt=0.5, lt=1)] = 0.95
    """Level of every interval."""
    cluster: Literal["cluster", "item", "pair"] = "cluster"
    """The unit that uncertainty is computed over."""
    margins: dict[SignedMeasure, Annotated[float, Field(gt=0, lt=1)]] = Field(default_factory=dict)
    """Smallest difference from zero that matters to you, by measure: bias_position,
    preference_fairness, preference_fairness_shi or order_excess_disagreement."""


class Compare(Section):
    """How judges of this study, or this study and an earlier one, will be compared."""

    measures: Annotated[tuple[ComparedMeasure, ...], LISTED_ONCE, UNIQUE, Field(min_length=1)] = (
        "agreement_both",
    )
    """What they are compared by: with every comparison one family of tests, corrected by Holm."""
    against: Text | None = None
    """Judge that every other one is compared with; leave out to compare each with each."""
    margins: dict[ComparedMeasure, Annotated[float, Field(gt=0, lt=1)]] = Field(
        default_factory=dict
    )
    """Smallest difference that matters to you, by measure; without one no comparison can end in
    better, worse or equivalent."""


class Budget(Section):
    """Hard limits: no call is made once one is reached. The call that reaches it may pass it."""

    max_calls: PositiveInt | None = None
    """Most calls; leave out for no limit."""
    max_tokens: PositiveInt | None = None
    """Most tokens, prompts and replies together; leave out for no limit."""
    max_cost_usd: PositiveFloat | None = None
    """Most money in dollars, for judges with a price; leave out for no limit."""
