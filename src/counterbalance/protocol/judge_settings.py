"""Settings of each kind of judge; what a judge configuration's digest is made of."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, PositiveInt, StringConstraints, model_validator

from counterbalance.items.hashing import tagged_hash
from counterbalance.protocol.endpoint import base_url_problem, key_name_problem
from counterbalance.protocol.endpoint_apis import API_TERMS, ApiName, ApiTerms
from counterbalance.protocol.section import ADDED_LATER, LISTED_ONCE, UNIQUE, Section
from counterbalance.protocol.sections import Text

__all__ = [
    "JUDGE_NAME_PATTERN",
    "OPERATIONAL",
    "CallableJudge",
    "CommandJudge",
    "HttpJudge",
    "JudgeSettings",
    "LocalJudge",
    "PacedJudge",
    "Rate",
    "ReplayJudge",
    "ScriptedJudge",
    "judge_digest",
]

JUDGE_NAME_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$"
"""Names of judges."""

OPERATIONAL = frozenset(
    {
        "api_key_env", "timeout_seconds", "concurrency", "requests_per_minute",
        "tokens_per_minute", "max_consecutive_failures",
    }
)  # fmt: skip
"""How a judge is reached, never what it answers: part of no digest, so that a run can be resumed
with another pace."""

JudgeName = Annotated[str, StringConstraints(pattern=JUDGE_NAME_PATTERN, max_length=100)]
Rate = Annotated[float, Field(ge=0, le=1)]


class _Judge(Section):
    name: JudgeName
    """What reports call the judge; not part of its configuration."""

    @property
    def content(self) -> dict[str, Any]:
        """All settings but the name and the pace, as a JSON value."""
        return self.model_dump(mode="json", exclude={"name", *OPERATIONAL})

    @cached_property
    def digest(self) -> str:
        """Tagged hash of the content: asked for with every planned presentation."""
        return tagged_hash("judge/1", self.content)


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
    repetition; dropped calls, refusals, unparsed replies and ``noise`` are drawn anew for every
    call. Dropped calls come first; then the draws are tried in the order of the keys below, each
    on what the earlier ones left. A pair that no rule decides goes to one of its two texts by a
    coin, to the same text in both orders.
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
    injection_rate: Rate | None = ADDED_LATER
    """Share of pairs where it does what a text tells its judge, where one of the two does."""
    family_rate: Rate | None = ADDED_LATER
    """Share of pairs where it takes the text that holds family_marker."""
    family_marker: Text | None = ADDED_LATER
    """Words that the answers of its own family have, and no other answer."""
    model: Text | None = ADDED_LATER
    """The model it stands for, whose name tells its family; no part of what it says."""
    noise: Rate = 0.0
    """Share of calls whose winner is exchanged for the other answer (drawn per call)."""
    reasoning_words: PositiveInt | None = ADDED_LATER
    """Most words of reasoning before a verdict; how many is drawn per presentation, evenly."""
    drop_rate: Rate | None = ADDED_LATER
    """Share of calls that get no reply at all (drawn per call)."""
    max_tokens: PositiveInt | None = ADDED_LATER
    """Longest reply, a word counting as a token; longer reasoning is cut before its verdict."""

    @model_validator(mode="after")
    def _quality_has_a_marker(self) -> ScriptedJudge:
        for rate, marker in (("quality_rate", "quality_marker"), ("family_rate", "family_marker")):
            if getattr(self, rate) and not getattr(self, marker):
                msg = f"{rate} needs {marker}: a judge sees texts, not candidates"
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


class PacedJudge(_Judge):
    """A judge whose calls are made elsewhere: how many at once and in a minute, how patiently."""

    timeout_seconds: Annotated[float, Field(gt=0, le=86_400)] = 120.0
    """Longest wait for one whole reply."""
    concurrency: Annotated[int, Field(ge=1, le=4096)] = 8
    """Calls under way at once."""
    requests_per_minute: PositiveInt | None = None
    """Most requests begun in a minute, evenly spaced; leave out for no limit."""
    tokens_per_minute: PositiveInt | None = None
    """Most tokens in a minute, prompts and replies together: estimated, and corrected once the
    usage is known; leave out for no limit."""
    max_consecutive_failures: PositiveInt = 20
    """After so many failures of one kind in a row the run stops and says so."""


class CommandJudge(PacedJudge):
    """A program that reads one request as JSON and writes one reply as JSON."""

    kind: Literal["command"]
    """A program."""
    command: Annotated[tuple[Text, ...], Field(min_length=1)]
    """The program and its arguments, started as they stand here: no shell reads them."""
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    """Handed to the program with each request; left out, none is."""
    max_tokens: PositiveInt | None = None
    """Handed to the program with each request; left out, none is."""
    version: Text | None = None
    """What tells one state of the program from another; change it when the program changes."""


class CallableJudge(PacedJudge):
    """A Python function that is handed over where the run is started from Python."""

    kind: Literal["callable"]
    """A Python function."""
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    """Handed to the function with each request; left out, none is."""
    max_tokens: PositiveInt | None = None
    """Handed to the function with each request; left out, none is."""
    version: Text
    """What tells one state of the function from another; change it when the function changes."""


class HttpJudge(PacedJudge):
    """A model behind an endpoint that speaks one of four APIs."""

    kind: Literal["http"]
    """An endpoint."""
    api: Annotated[ApiName | None, AfterValidator(lambda api: None if api == "chat" else api)] = (
        ADDED_LATER
    )
    """What the endpoint speaks: OpenAI's chat (the default) or responses API, Anthropic's messages
    API, or Gemini's generateContent."""
    base_url: Text | None = None
    """Address up to and without /chat/completions, /responses, /messages or /models; left out, the
    provider's own address is meant, and for chat and responses the environment variable
    OPENAI_BASE_URL where it is set when the run begins."""
    model: Text
    """Model id as the endpoint knows it."""
    api_key_env: str | None = None
    """Name of the environment variable that holds the key, never the key; left out, OPENAI_API_KEY,
    for messages ANTHROPIC_API_KEY and for gemini GEMINI_API_KEY. No key is needed where an address
    is given."""
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    """Sampling temperature; left out, none is sent and the endpoint's own default holds."""
    max_tokens: PositiveInt | None = None
    """Longest reply in tokens; left out, none is sent."""
    top_logprobs: Annotated[int, Field(ge=1, le=200)] | None = None
    """Ask for the log-probabilities of this many alternatives; needed by the format logprob."""
    send_seed: bool = True
    """Send the recorded seed of each call as seed, where the API takes one."""
    parameters: dict[str, Any] = Field(default_factory=dict)
    """Further fields of the request, sent as they are."""
    droppable: Annotated[tuple[Text, ...], LISTED_ONCE, UNIQUE] = ()
    """Parameters that may be left out when the endpoint rejects them; any other rejection is an
    error. What was asked for and what was sent are both recorded."""

    @model_validator(mode="after")
    def _asks_what_its_api_has(self) -> HttpJudge:
        if problem := _api_problem(self, self.terms):
            raise ValueError(problem)
        return self

    @model_validator(mode="after")
    def _address_and_key_are_apart(self) -> HttpJudge:
        problem = key_name_problem(self.key_name)
        if not problem and self.base_url is not None:
            problem = base_url_problem(self.base_url)
        if problem:
            raise ValueError(problem)
        return self

    @model_validator(mode="after")
    def _parameters_are_what_was_asked_for(self) -> HttpJudge:
        config = self.parameters.get("generationConfig")
        for name in [*self.parameters, *(config if isinstance(config, dict) else ())]:
            if name in self.terms.own_fields:
                msg = f"parameters.{name} is not free: {_OWN_SETTINGS.get(name, _RELIED_ON)}"
                raise ValueError(msg)
            if "key" in name.lower() and "api" in name.lower():
                msg = f"parameters.{name} looks like a key; keys are read from the environment only"
                raise ValueError(msg)
        sent = self.optional_parameters
        for name in self.droppable:
            if name not in sent:
                listed = ", ".join(sent) or "nothing optional"
                msg = f"droppable names {name!r}, which is not sent; this judge sends {listed}"
                raise ValueError(msg)
        return self

    @property
    def api_name(self) -> ApiName:
        """Name of the API that the endpoint speaks."""
        return self.api or "chat"

    @property
    def terms(self) -> ApiTerms:
        """What that API has and has not."""
        return API_TERMS[self.api_name]

    @property
    def key_name(self) -> str:
        """Name of the environment variable that holds the key."""
        return self.terms.key_name if self.api_key_env is None else self.api_key_env

    @property
    def sends_seed(self) -> bool:
        """Whether each call carries its recorded seed."""
        return self.send_seed and self.terms.has_seed

    @property
    def optional_parameters(self) -> tuple[str, ...]:
        """Names of the parameters that this judge sends beside model and messages."""
        own = {
            "temperature": self.temperature is not None,
            "max_tokens": self.max_tokens is not None,
            "top_logprobs": self.top_logprobs is not None,
            "seed": self.sends_seed,
        }
        return (*(name for name, is_sent in own.items() if is_sent), *self.parameters)


_RELIED_ON = "one whole reply to one prompt is what is asked for"
_OWN_NAMES = ("model", "temperature", "max_tokens", "top_logprobs")
_OWN_SETTINGS = {
    **{name: f"set the judge's own {name}" for name in _OWN_NAMES},
    **dict.fromkeys(("max_output_tokens", "maxOutputTokens"), "set the judge's own max_tokens"),
    **dict.fromkeys(("logprobs", "responseLogprobs"), "set top_logprobs"),
    "seed": "each call has a recorded seed of its own (send_seed)",
}


def _api_problem(judge: HttpJudge, terms: ApiTerms) -> str:
    """Return what a judge asks of its API that the API has not, empty when it is all there."""
    warmest, most = terms.highest_temperature, terms.most_logprobs
    problem = ""
    if terms.needs_max_tokens and judge.max_tokens is None:
        problem = f"{terms.title} needs a limit; set max_tokens"
    elif judge.temperature is not None and judge.temperature > warmest:
        problem = (
            f"temperature is {judge.temperature:g}; {terms.title} takes 0 to {warmest:g}. Lower it"
        )
    elif judge.top_logprobs is not None and judge.top_logprobs > most:
        offered = f"lists at most {most} alternatives; lower it" if most else "gives none"
        problem = f"top_logprobs is {judge.top_logprobs}, and {terms.title} {offered}"
    return problem


JudgeSettings = Annotated[
    LocalJudge | HttpJudge | ScriptedJudge | ReplayJudge | CommandJudge | CallableJudge,
    Field(discriminator="kind"),
]


def judge_digest(settings: JudgeSettings, temperature: float | None = None) -> str:
    """Return the tagged hash of a judge configuration: all settings but the name and the pace.

    Parameters
    ----------
    settings : JudgeSettings
        The judge as the protocol declares it.
    temperature : float | None
        Temperature of the repetition subset, where it differs; None keeps the declared one.

    Returns
    -------
    str
        Equal for configurations that would be asked the same way.
    """
    if temperature is None:
        return settings.digest
    return tagged_hash("judge/1", settings.content | {"temperature": temperature})
