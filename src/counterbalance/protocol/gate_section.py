"""Rules of the gate: what a judge must show before its verdicts may be acted on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, model_validator

from counterbalance.protocol.bias_section import PROBE_MEASURES, ProbeMeasure
from counterbalance.protocol.section import Section
from counterbalance.protocol.sections import MEASURES, MeasureName, Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["GATE_MEASURES", "GateRule", "GateShare", "gate_misfits"]

GateShare = Literal[
    "order_disagreement", "tie_transition", "abstention_transition", "incomplete", "refused",
    "unstable", "coverage",
]  # fmt: skip
"""Shares of pairs that only gates measure."""
GateMeasure = MeasureName | GateShare | ProbeMeasure | Literal["lead_of_b"]
GATE_MEASURES: tuple[str, ...] = (
    *MEASURES,
    *PROBE_MEASURES,
    *GateShare.__args__,  # type: ignore[attr-defined]
    "lead_of_b",
)
"""Everything a rule can be about."""
_NEED_A_BASELINE = frozenset(
    {"lead_of_b", *(name for name in MEASURES if name.startswith("win_rate_a"))}
)


class GateRule(Section):
    """One rule: a limit that a measure must keep, in each group that the rule is about.

    There is no default: what may go wrong, and how sure one has to be, is yours to say.
    """

    name: Text
    """What the rule is called in every output."""
    measure: GateMeasure
    """What is held to the limit: a measure of the report, a share of pairs, or the lead of
    candidate b over the baseline."""
    at_most: Annotated[float, Field(ge=-1, le=1)] | None = None
    """Largest value that is allowed; give this or at_least."""
    at_least: Annotated[float, Field(ge=-1, le=1)] | None = None
    """Smallest value that is allowed."""
    confidence: Annotated[float, Field(gt=0.5, lt=1)] | None = None
    """How sure the rule has to be, one-sided: it passes when the limit is kept by the whole
    interval, fails when no value of it keeps the limit, and is undecided between."""
    observed: Literal[True] | None = None
    """Instead of confidence: hold the observed value itself to the limit, with no regard to
    chance."""
    judge: Text | None = None
    """Only groups of this judge; leave out for all."""
    labelling: Text | None = None
    """Only groups under this labelling, such as A/B; leave out for all."""

    @model_validator(mode="after")
    def _says_one_of_each(self) -> GateRule:
        if (self.at_most is None) == (self.at_least is None):
            msg = "needs one limit; give at_most or at_least"
            raise ValueError(msg)
        if (self.confidence is None) == (self.observed is None):
            msg = (
                "does not say how sure it has to be; give confidence (such as 0.95),"
                " or observed = true to hold the observed value itself to the limit"
            )
            raise ValueError(msg)
        return self

    @property
    def limit(self) -> float:
        """The value that must be kept."""
        limit = self.at_most if self.at_most is not None else self.at_least
        assert limit is not None  # noqa: S101 (one of them is given)
        return limit

    @property
    def is_upper(self) -> bool:
        """Whether values above the limit break the rule."""
        return self.at_most is not None


def gate_misfits(
    rules: Sequence[GateRule],
    judges: Sequence[str],
    labellings: Sequence[str],
    probes: Sequence[str] = (),
    *,
    has_baseline: bool,
) -> Iterator[tuple[str, str]]:
    """Yield what does not fit the rest of a protocol.

    Parameters
    ----------
    rules : Sequence[GateRule]
        The rules.
    judges : Sequence[str]
        Names of judges.
    labellings : Sequence[str]
        Names of labellings.
    probes : Sequence[str]
        Probes of the battery; empty without one.
    has_baseline : bool
        Whether a system is candidate a throughout.

    Yields
    ------
    tuple[str, str]
        The place in the file, and what is wrong there.
    """
    names = [rule.name for rule in rules]
    for n, rule in enumerate(rules):
        if names.index(rule.name) < n:
            yield "gate", f"two rules are called {rule.name!r}; give each its own name"
        for key, value, known in (
            ("judge", rule.judge, judges),
            ("labelling", rule.labelling, labellings),
        ):
            if value is not None and value not in known:
                yield f"gate.{key}", f"there is no {key} {value!r}; there are {', '.join(known)}"
        if rule.measure in _NEED_A_BASELINE and not has_baseline:
            yield "gate", f"{rule.measure} is for one system against another; declare the baseline"
        probe = PROBE_MEASURES.get(rule.measure)
        if probe is not None and probe not in probes:
            yield "gate", f"{rule.measure} is the score of the probe {probe}; name it in [bias]"
