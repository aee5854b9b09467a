"""The protocol: what is asked, of whom, how it is read and what will be computed from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from counterbalance.items.hashing import tagged_hash
from counterbalance.protocol.bias_section import Bias, bias_misfits
from counterbalance.protocol.fit import misfits
from counterbalance.protocol.gate_section import GateRule, gate_misfits
from counterbalance.protocol.judge_settings import OPERATIONAL, JudgeSettings
from counterbalance.protocol.labelling import Labelling
from counterbalance.protocol.length_section import LengthControl
from counterbalance.protocol.prices_section import Price
from counterbalance.protocol.prompt import Prompt
from counterbalance.protocol.section import ADDED_LATER, LISTED_ONCE, UNIQUE, Section
from counterbalance.protocol.sections import (
    COMPARED,
    MEASURES,
    RETRYABLE,
    TESTS,
    Analysis,
    Budget,
    Compare,
    Disposition,
    Exclusion,
    HeldOut,
    Orders,
    Question,
    Repetitions,
    Retry,
    Subset,
    Text,
)
from counterbalance.protocol.verdict_format import VerdictFormat

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "COMPARED",
    "MEASURES",
    "RETRYABLE",
    "TESTS",
    "Analysis",
    "Bias",
    "Budget",
    "Compare",
    "Exclusion",
    "HeldOut",
    "Orders",
    "Price",
    "Protocol",
    "Question",
    "Repetitions",
    "Retry",
    "Subset",
]


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
    """Secret that the fences around texts are derived from; leave out for a fresh one per
    record."""
    baseline: Text | None = None
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
    strategies: Annotated[tuple[Literal["balanced_calibration"], ...], LISTED_ONCE, UNIQUE] = ()
    """Strategy results beside the dispositions; balanced_calibration averages label log-odds over
    both orders and all labellings."""
    exclusions: tuple[Exclusion, ...] = ()
    """What is left out."""
    held_out: HeldOut | None = None
    """What is kept back for a confirmation."""
    analysis: Analysis = Field(default_factory=Analysis)
    """What will be computed."""
    bias: Bias | None = ADDED_LATER
    """Which probes the judges are sent through by `counterbalance bias`."""
    length_control: LengthControl | None = ADDED_LATER
    """How length is held equal; without this table it is not."""
    compare: Compare | None = ADDED_LATER
    """How judges or runs will be compared."""
    gate: Annotated[tuple[GateRule, ...], Field(exclude_if=lambda rules: not rules)] = ()
    """Rules that decide what `gate` exits with; leave out where nothing hangs on it."""
    budget: Budget = Field(default_factory=Budget)
    """Hard limits."""
    prices: dict[str, Price] = Field(default_factory=dict)
    """Price of each judge, by name."""

    @model_validator(mode="after")
    def _fits_together(self) -> Protocol:
        found = misfits(
            judges=self.judges,
            labellings=self.labellings,
            verdict=self.verdict,
            repetitions=self.repetitions,
            retry=self.retry,
            takes_log_odds=bool(self.strategies),
            has_both_orders=self.orders.assignment == "both",
            family=self.analysis.family,
            compare=self.compare,
            baseline=self.baseline,
            priced=tuple(self.prices),
            measures=self.analysis.measures,
            has_length_control=self.length_control is not None,
            has_cost_cap=self.budget.max_cost_usd is not None,
        )
        gates = gate_misfits(
            self.gate,
            [judge.name for judge in self.judges],
            [labelling.name for labelling in self.labellings],
            has_baseline=self.baseline is not None,
        )
        for place, problem in (*found, *gates, *self._bias_misfits()):
            kind = "misfit"
            raise PydanticCustomError(kind, "{problem}", {"problem": problem, "place": place})
        return self

    def _bias_misfits(self) -> Iterator[tuple[str, str]]:
        if self.bias is not None:
            yield from bias_misfits(
                self.bias,
                self.prompt,
                self.verdict,
                self.labellings,
                has_both_orders=self.orders.assignment == "both",
            )

    @property
    def canonical(self) -> dict[str, Any]:
        """The protocol as a JSON value, every default spelled out.

        Left out are the pair file's path, whose content is recorded by digest, the budget and what
        only sets the pace of a judge: what one is ready to spend, and how fast, is no evidence and
        may change while a record grows. A table that a file may lack altogether and that came after
        the first records stands in it only when it is given, so that those records keep their hash.
        """
        left_out: dict[str, Any] = {
            "pairs": True,
            "budget": True,
            "judges": {"__all__": set(OPERATIONAL)},
        }
        if self.held_out is None:
            left_out["held_out"] = True
        return self.model_dump(mode="json", by_alias=True, exclude=left_out)

    @property
    def digest(self) -> str:
        """Tagged hash of the canonical form."""
        return tagged_hash("protocol/1", self.canonical)
