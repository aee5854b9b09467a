"""The protocol: what is asked, of whom, how it is read and what will be computed from it."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, model_validator
from pydantic_core import PydanticCustomError

from counterbalance.items.hashing import tagged_hash
from counterbalance.protocol.bias_section import Bias, bias_misfits
from counterbalance.protocol.fit import misfits
from counterbalance.protocol.gate_section import GateRule, gate_misfits
from counterbalance.protocol.judge_settings import OPERATIONAL, JudgeSettings
from counterbalance.protocol.labelling import Labelling
from counterbalance.protocol.length_section import LengthControl
from counterbalance.protocol.likelihoods_section import Likelihoods, likelihood_misfits
from counterbalance.protocol.prices_section import Price
from counterbalance.protocol.prompt import Prompt
from counterbalance.protocol.raising import limits_of
from counterbalance.protocol.rewriting_section import Rewriting, rewriting_misfits
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
from counterbalance.protocol.strategies.asking import Asking, fitted_to, prompt_of
from counterbalance.protocol.strategies.catalogue import CALIBRATED, StrategyName
from counterbalance.protocol.strategies.misfits import strategy_misfits
from counterbalance.protocol.strategies.on_probes import why_no_score
from counterbalance.protocol.strategies.strategy import PLAIN, PromptName, Strategy
from counterbalance.protocol.strategies.voting import StrategyRow, rows_of
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
    strategies: Annotated[
        tuple[
            Annotated[
                Annotated[StrategyName, Tag("name")] | Annotated[Strategy, Tag("table")],
                Discriminator(lambda given: "name" if isinstance(given, str) else "table"),
            ],
            ...,
        ],
        LISTED_ONCE,
        UNIQUE,
    ] = ()
    """Strategies to compare, by name (B0, S1 to S8 and others) or as tables of your own;
    balanced_calibration averages label log-odds over both orders and all labellings."""
    prompts: dict[PromptName, Asking] | None = ADDED_LATER
    """Further prompts that strategies name; each is the protocol's own with an instruction more."""
    on_call: Annotated[tuple[Text, ...], LISTED_ONCE, UNIQUE] | None = ADDED_LATER
    """Judges that are asked only where a strategy names them."""
    exclusions: tuple[Exclusion, ...] = ()
    """What is left out."""
    held_out: HeldOut | None = None
    """What is kept back for a confirmation."""
    analysis: Analysis = Field(default_factory=Analysis)
    """What will be computed."""
    bias: Bias | None = ADDED_LATER
    """Which probes the judges are sent through by `counterbalance bias`."""
    rewriting: Rewriting | None = ADDED_LATER
    """Which probes a model writes the texts of."""
    likelihoods: Likelihoods | None = ADDED_LATER
    """Which judges `bias` asks how likely whole answers are."""
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
            takes_log_odds=CALIBRATED in self.strategies,
            has_both_orders=self.orders.assignment == "both",
            family=self.analysis.family,
            compare=self.compare,
            baseline=self.baseline,
            priced=tuple(self.prices),
            measures=self.analysis.measures,
            has_length_control=self.length_control is not None,
            has_cost_cap=self.budget.max_cost_usd is not None,
        )
        of_strategies = strategy_misfits(
            self.asked_strategies, self.judges, self.on_call or (), self.prompt, self.prompts or {}
        )
        unread = (
            ("strategies", f"{name} is a name; `protocol_from_toml` writes it out")
            for name in self.strategies
            if isinstance(name, str) and name != CALIBRATED
        )
        gates = gate_misfits(
            self.gate,
            self.standing_judges,
            [labelling.name for labelling in self.labellings],
            () if self.bias is None else self.bias.probes,
            has_baseline=self.baseline is not None,
        )
        for place, problem in chain(unread, found, gates, self._bias_misfits(), of_strategies):
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
                [strategy.id for strategy in self.asked_strategies],
                has_both_orders=self.orders.assignment == "both",
                writes_paraphrase=self.rewriting is not None
                and "rubric_paraphrase" in self.rewriting.probes,
            )
        if self.rewriting is not None:
            yield from rewriting_misfits(self.rewriting, self.bias)
        if self.likelihoods is not None:
            yield from likelihood_misfits(self.likelihoods, self.judges, self.bias)

    @property
    def standing_judges(self) -> tuple[str, ...]:
        """Names of the judges that every pair is shown to; the others are on call."""
        return tuple(j.name for j in self.judges if j.name not in (self.on_call or ()))

    @property
    def asked_strategies(self) -> tuple[Strategy, ...]:
        """The strategies that name calls: all but balanced_calibration."""
        return tuple(s for s in self.strategies if isinstance(s, Strategy))

    @property
    def strategy_rows(self) -> tuple[StrategyRow, ...]:
        """Every strategy with each judge or panel that it is tried with, and its voters."""
        return rows_of(self.asked_strategies, self.standing_judges, self.labellings)

    def why_no_score(self, strategy: Strategy, probe: str) -> str | None:
        """Return why a strategy has no score on a probe, by construction.

        Parameters
        ----------
        strategy : Strategy
            One of the strategies.
        probe : str
            Name of the probe.

        Returns
        -------
        str | None
            In words; None where it has one, and is asked.
        """
        asked = [self.under("" if name == PLAIN else name) for name in strategy.prompts]
        offers = all(one.verdict.neither is not None for one in asked)
        return why_no_score(strategy, probe, offers_neither=offers)

    def under(self, prompt: str) -> Protocol:
        """Return the protocol as it asks under one of its prompts.

        Parameters
        ----------
        prompt : str
            Name of the prompt; empty for the protocol's own.

        Returns
        -------
        Protocol
            The same but for the prompt and the format of the verdict.
        """
        if not prompt:
            return self
        asking = (self.prompts or {})[prompt]
        whole = prompt_of(prompt, asking, self.prompt)
        return self.model_copy(update={"prompt": whole, "verdict": asking.verdict})

    def settings_under(self, judge: JudgeSettings, prompt: str) -> JudgeSettings:
        """Return a judge as it is asked under one of the prompts.

        Parameters
        ----------
        judge : JudgeSettings
            One of the judges.
        prompt : str
            Name of the prompt; empty for the protocol's own.

        Returns
        -------
        JudgeSettings
            With room for the reply that the prompt asks for.
        """
        asking = (self.prompts or {}).get(prompt)
        return judge if asking is None else fitted_to(judge, asking)

    def reply_limit(self, judge: str, prompt: str) -> int | None:
        """Return the limit that a judge is asked with under a prompt, where it is not its own.

        Parameters
        ----------
        judge : str
            Name of the judge.
        prompt : str
            Name of the prompt; empty for the protocol's own.

        Returns
        -------
        int | None
            In tokens; None keeps the judge's.
        """
        if not prompt:
            return None
        declared = next(settings for settings in self.judges if settings.name == judge)
        fitted = self.settings_under(declared, prompt)
        return None if fitted is declared else max(limits_of(fitted).values(), default=None)

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
        if self.rewriting is not None:
            left_out["rewriting"] = {"model": set(OPERATIONAL)}
        return self.model_dump(mode="json", by_alias=True, exclude=left_out)

    @property
    def digest(self) -> str:
        """Tagged hash of the canonical form."""
        return tagged_hash("protocol/1", self.canonical)
