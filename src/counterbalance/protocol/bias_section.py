"""The table ``[bias]``: which probes a judge is sent through, and how large an effect matters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, PositiveInt

from counterbalance.protocol.section import ADDED_LATER, LISTED_ONCE, UNIQUE, Section
from counterbalance.protocol.sections import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from counterbalance.protocol.labelling import Labelling
    from counterbalance.protocol.prompt import Prompt
    from counterbalance.protocol.verdict_format import VerdictFormat

__all__ = ["PROBE_MEASURES", "PROBE_NAMES", "Bias", "ProbeMeasure", "ProbeName", "bias_misfits"]

ProbeName = Literal[
    "identical", "position", "labels", "expanded", "truncated", "markdown", "plain", "headings",
    "whitespace", "same_format", "same_family", "injection", "criterion_inverted",
    "rubric_paraphrase", "neither", "unsupported",
]  # fmt: skip
PROBE_NAMES: tuple[ProbeName, ...] = ProbeName.__args__  # type: ignore[attr-defined]
"""Every probe that can be declared."""
ProbeMeasure = Literal[
    "bias_position_identical", "bias_position_near_equal", "bias_label", "bias_verbosity",
    "bias_truncation", "bias_style", "bias_style_plain", "bias_style_headings",
    "bias_style_whitespace", "bias_position_same_format", "bias_self", "bias_injection",
    "criterion_followed", "criterion_kept", "neither_recognised", "bias_unsupported",
]  # fmt: skip
PROBE_MEASURES: Mapping[str, ProbeName] = dict(
    zip(ProbeMeasure.__args__, PROBE_NAMES, strict=True)  # type: ignore[attr-defined]
)
"""The probe that each measure is the signed score of, in the order of the probes."""


class Bias(Section):
    """The probe battery of `counterbalance bias`, decided before any verdict is seen."""

    probes: Annotated[tuple[ProbeName, ...], LISTED_ONCE, UNIQUE, Field(min_length=1)]
    """Probes of the battery: one family of tests, corrected together by Holm over every judge."""
    margin: Annotated[float, Field(gt=0, lt=1)] | None = None
    """Smallest signed score that matters to you; without one no probe can end in within the
    margin."""
    pairs_per_probe: PositiveInt | None = None
    """Most items of each probe, drawn by the seed; leave out for all."""
    every_labelling: bool = False
    """Show every probe under every labelling, and not only labels: more calls, and a preference for
    a label leaves all scores."""
    strategies: Annotated[tuple[Text, ...], LISTED_ONCE, UNIQUE] | None = ADDED_LATER
    """Strategies that judge the probes too, by id; left out, every one of the protocol. B0 and S1
    always do, which takes no further call."""
    inverted_rubric: Text | None = None
    """The opposite of the prompt's rubric, for criterion_inverted."""
    paraphrased_rubric: Text | None = None
    """The prompt's rubric in other words, for rubric_paraphrase."""

    def is_under(self, probe: str, labelling: int) -> bool:
        """Return whether a probe is shown under a labelling, counted from 0 as declared."""
        return labelling == 0 or self.every_labelling or probe == "labels"


def bias_misfits(
    bias: Bias,
    prompt: Prompt,
    verdict: VerdictFormat,
    labellings: Sequence[Labelling],
    strategies: Sequence[str],
    *,
    has_both_orders: bool,
    writes_paraphrase: bool = False,
) -> Iterator[tuple[str, str]]:
    """Yield what the probes need and the protocol has not.

    Parameters
    ----------
    bias : Bias
        The table.
    prompt : Prompt
        How it is asked.
    verdict : VerdictFormat
        How a verdict is stated.
    labellings : Sequence[Labelling]
        What the slots are called.
    strategies : Sequence[str]
        Ids of the strategies that the protocol asks for.
    has_both_orders : bool
        Whether every pair is shown in both orders.
    writes_paraphrase : bool
        Whether a model is asked to write the paraphrased rubric.

    Yields
    ------
    tuple[str, str]
        Place and problem.
    """
    if not has_both_orders:
        problem = 'shows each probe in both orders; set orders.assignment = "both"'
        yield "bias", problem
    if "labels" in bias.probes and not _are_exchanged(labellings):
        yield "bias.probes", "labels needs two labellings that exchange the same two labels"
    if "neither" in bias.probes and verdict.neither is None:
        yield "bias.probes", "neither needs the label verdict.neither; declare one"
    yield from _unknown_strategies(bias.strategies or (), strategies)
    yield from _rubric_misfits(bias, prompt, writes_paraphrase=writes_paraphrase)


def _unknown_strategies(named: Sequence[str], known: Sequence[str]) -> Iterator[tuple[str, str]]:
    for name in named:
        if name not in known:
            listed = ", ".join(known) or "none"
            yield "bias.strategies", f"no strategy has the id {name!r}; the protocol's are {listed}"


def _rubric_misfits(
    bias: Bias, prompt: Prompt, *, writes_paraphrase: bool
) -> Iterator[tuple[str, str]]:
    for probe, key in (
        ("criterion_inverted", "inverted_rubric"),
        ("rubric_paraphrase", "paraphrased_rubric"),
    ):
        rubric = getattr(bias, key)
        is_written = writes_paraphrase and probe == "rubric_paraphrase"
        if is_written and rubric is not None:
            yield f"bias.{key}", "is here, and [rewriting] is to write it; leave one of them out"
        elif is_written and not _shows_rubric(prompt):
            yield "rewriting.probes", "names a rubric to rewrite, and the prompt shows none"
        elif not is_written and (probe in bias.probes) != (rubric is not None):
            yield f"bias.{key}", f"goes together with the probe {probe}; give both or neither"
        elif rubric is not None and not _shows_rubric(prompt):
            problem = "replaces the rubric of the prompt, which has none or does not show it"
            yield f"bias.{key}", problem
        elif rubric is not None and rubric.strip() == prompt.rubric.strip():
            yield f"bias.{key}", "is the rubric of the prompt itself"


def _are_exchanged(labellings: Sequence[Labelling]) -> bool:
    first = labellings[0]
    return any((one.first, one.second) == (first.second, first.first) for one in labellings)


def _shows_rubric(prompt: Prompt) -> bool:
    return bool(prompt.rubric) and "{{rubric}}" in prompt.system + prompt.user
