"""Settings of each kind of judge; what a judge configuration's digest is made of."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, model_validator

from counterbalance.items.hashing import tagged_hash
from counterbalance.protocol.section import Section
from counterbalance.protocol.sections import Text

__all__ = [
    "JUDGE_NAME_PATTERN",
    "JudgeSettings",
    "LocalJudge",
    "Rate",
    "ReplayJudge",
    "ScriptedJudge",
    "judge_digest",
]

JUDGE_NAME_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$"
"""Names of judges."""

JudgeName = Annotated[str, StringConstraints(pattern=JUDGE_NAME_PATTERN, max_length=100)]
Rate = Annotated[float, Field(ge=0, le=1)]


class _Judge(Section):
    name: JudgeName
    """What reports call the judge; not part of its configuration."""


class LocalJudge(_Judge):
    """The embedded model (SmolLM2-135M-Instruct), run in this process."""

    kind: Literal["local"]
    """The embedded model."""
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    """0 takes the most probable token; above 0 each call is sampled with a recorded seed."""
    constrained: bool = True
    """Hold the reply to one offered label by a grammar (formats choice, number, logprob)."""
    max_tokens: Annotated[int, Field(ge=1, le=4096)] = 512
    """Longest reply in tokens, when it is not constrained."""
    context_tokens: Annotated[int, Field(ge=256, le=8192)] = 2048
    """Longest request plus reply in tokens; a longer request is too_long, never cut."""
    prompt_cache: bool = False
    """Reuse shared prompt beginnings. Faster, and no longer bit-exact: the record notes it."""

    @model_validator(mode="after")
    def _leaves_room_for_the_request(self) -> LocalJudge:
        if not self.constrained and self.max_tokens >= self.context_tokens:
            msg = (
                f"max_tokens is {self.max_tokens} and context_tokens {self.context_tokens}, which"
                " leaves no room for the request; lower max_tokens"
            )
            raise ValueError(msg)
        return self


class ScriptedJudge(_Judge):
    """A judge with known biases at known rates, for tests, documentation and the self-test.

    Each share is drawn once per pair from the judge's own seed, so a planted bias survives
    repetition; refusals, unparsed replies and ``noise`` are drawn anew for every call. The draws
    are tried in the order of the keys below, each on what the earlier ones left; a pair that no
    rule decides goes to one of its two texts by a coin, to the same text in both orders.
    """

    kind: Literal["scripted"]
    """A rule, not a model."""
    seed: int = 1
    """Seed of the judge's own draws."""
    refusal_rate: Rate = 0.0
    """Share of calls that are refused (drawn per call)."""
    unparsed_rate: Rate = 0.0
    """Share of calls that get prose without a verdict (drawn per call)."""
    tie_rate: Rate = 0.0
    """Share of pairs that it calls a tie; needs an offered tie."""
    slot_rate: Rate = 0.0
    """Share of pairs where it takes the favoured slot, whatever stands there."""
    favoured_slot: Literal["first", "second"] = "first"
    """The slot that slot_rate is about."""
    label_rate: Rate = 0.0
    """Share of pairs where it takes the favoured label, whatever it is attached to."""
    favoured_label: str = "1"
    """The label that label_rate is about."""
    length_rate: Rate = 0.0
    """Share of pairs where it takes the longer text."""
    markdown_rate: Rate = 0.0
    """Share of pairs where it takes the text with more Markdown marks."""
    quality_rate: Rate = 0.0
    """Share of pairs where it takes the text that holds quality_marker, for its content."""
    quality_marker: str = ""
    """Words that make a text the better one, where one of the two texts alone holds them."""
    noise: Rate = 0.0
    """Share of calls whose winner is exchanged for the other answer (drawn per call)."""

    @model_validator(mode="after")
    def _quality_has_a_marker(self) -> ScriptedJudge:
        if self.quality_rate > 0 and not self.quality_marker:
            msg = "quality_rate needs quality_marker: a judge sees texts, not candidates"
            raise ValueError(msg)
        return self


class ReplayJudge(_Judge):
    """Answers taken from an earlier record; asks nobody."""

    kind: Literal["replay"]
    """An earlier record."""
    record: Text
    """The record to replay: a path relative to the protocol, or postgresql://HOST/DATABASE#NAME."""
    judge: Text
    """Name of the judge in that record."""


JudgeSettings = Annotated[LocalJudge | ScriptedJudge | ReplayJudge, Field(discriminator="kind")]


def judge_digest(
    settings: LocalJudge | ScriptedJudge | ReplayJudge, temperature: float | None = None
) -> str:
    """Return the tagged hash of a judge configuration: all settings but the name.

    Parameters
    ----------
    settings : LocalJudge | ScriptedJudge | ReplayJudge
        The judge as the protocol declares it.
    temperature : float | None
        Temperature of the repetition subset, where it differs; None keeps the declared one.

    Returns
    -------
    str
        Equal for configurations that would be asked the same way.
    """
    content: dict[str, Any] = settings.model_dump(mode="json", exclude={"name"})
    if temperature is not None:
        content["temperature"] = temperature
    return tagged_hash("judge/1", content)
