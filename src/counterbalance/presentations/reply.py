"""What a judge gave back for one call, before anybody reads a verdict into it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = ["Reply", "Usage"]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call.

    Attributes
    ----------
    prompt_tokens : int
        Tokens of the request.
    completion_tokens : int
        Tokens of the reply, reasoning included.
    is_measured : bool
        Whether the engine counted them; False for an estimate.
    """

    prompt_tokens: int
    completion_tokens: int
    is_measured: bool


@dataclass(frozen=True, slots=True)
class Reply:
    """One raw reply.

    Attributes
    ----------
    text : str
        The text received, unchanged; empty when there was none.
    finish : str
        Why the judge stopped: ``stop``, ``length``, ``content_filter``, or the engine's own word;
        empty when it did not say.
    reasoning : str
        Text of a separate reasoning field; empty when there is none.
    refusal : str
        Text of a separate refusal field; empty when there is none.
    token_logprobs : tuple[tuple[str, float], ...]
        Natural log-probabilities of alternatives for the verdict token, most probable first;
        empty when the engine gives none.
    usage : Usage | None
        Tokens used; None when unknown.
    model : str
        Model id as the engine answered it.
    fingerprint : str
        What identifies the weights or the deployment; empty when unknown.
    sent : dict[str, Any]
        Parameters that were really sent.
    """

    text: str
    finish: str = ""
    reasoning: str = ""
    refusal: str = ""
    token_logprobs: tuple[tuple[str, float], ...] = ()
    usage: Usage | None = None
    model: str = ""
    fingerprint: str = ""
    sent: dict[str, Any] = field(default_factory=dict)

    @property
    def is_of_batch(self) -> bool:
        """Whether it came back in a batch file, which has a price of its own."""
        return self.sent.get("batch") is True
