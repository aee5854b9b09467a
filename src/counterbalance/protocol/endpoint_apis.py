"""What each API that an endpoint may speak has and has not: what a protocol may ask of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["API_TERMS", "ApiName", "ApiTerms"]

ApiName = Literal["chat", "responses", "messages", "gemini"]
"""APIs by name."""


@dataclass(frozen=True, slots=True)
class ApiTerms:
    """What one API has and has not.

    Attributes
    ----------
    title : str
        What messages call it.
    ending : str
        How the address of a call ends; ``base_url`` stops before it.
    key_name : str
        Environment variable that holds the key, where none is named.
    own_fields : tuple[str, ...]
        Fields of a request that settings or the product itself fill.
    has_seed : bool
        Whether a call may carry a seed.
    needs_max_tokens : bool
        Whether a call must carry a limit.
    most_logprobs : int
        Most alternatives that it lists; 0 when it gives no log-probabilities.
    highest_temperature : float
        Highest temperature that it takes.
    has_batches : bool
        Whether batch files of its provider can be written and read here.
    """

    title: str
    ending: str
    key_name: str
    own_fields: tuple[str, ...]
    has_seed: bool = True
    needs_max_tokens: bool = False
    most_logprobs: int = 200
    highest_temperature: float = 2.0
    has_batches: bool = True


_ALWAYS = ("model", "messages", "temperature", "max_tokens", "top_logprobs", "seed", "stream")

API_TERMS: dict[ApiName, ApiTerms] = {
    "chat": ApiTerms(
        title="the OpenAI chat API",
        ending="/chat/completions",
        key_name="OPENAI_API_KEY",
        own_fields=(*_ALWAYS, "logprobs", "n", "stream_options"),
    ),
    "responses": ApiTerms(
        title="the OpenAI responses API",
        ending="/responses",
        key_name="OPENAI_API_KEY",
        own_fields=(
            *_ALWAYS, "input", "instructions", "max_output_tokens", "include", "background",
            "conversation", "previous_response_id", "stream_options",
        ),
        has_seed=False,
        most_logprobs=20,
    ),
    "messages": ApiTerms(
        title="the Anthropic messages API",
        ending="/messages",
        key_name="ANTHROPIC_API_KEY",
        own_fields=(*_ALWAYS, "system"),
        has_seed=False,
        needs_max_tokens=True,
        most_logprobs=0,
        highest_temperature=1.0,
    ),
    "gemini": ApiTerms(
        title="the Gemini API",
        ending=":generateContent",
        key_name="GEMINI_API_KEY",
        own_fields=(
            *_ALWAYS, "contents", "systemInstruction", "maxOutputTokens", "responseLogprobs",
            "logprobs", "candidateCount",
        ),
        most_logprobs=20,
        has_batches=False,
    ),
}  # fmt: skip
"""What each API has, by name."""
