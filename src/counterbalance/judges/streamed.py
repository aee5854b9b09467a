"""What the engine streams of one call, gathered; and when to end the call early."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from counterbalance.errors import JudgeError, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Streamed"]

_TOO_LONG = "exceed_context_size_error"
_FIRST_SERVER_ERROR = 500


@dataclass(slots=True)
class Streamed:
    """Chunks of one call.

    Attributes
    ----------
    longest_prompt : int
        Most tokens a prompt may have so that the reply still fits; a longer one is not processed.
    is_ended : Callable[[], bool]
        Asked between two chunks: whether nobody wants the reply any more.
    text : str
        The reply so far.
    finish : str
        Why the engine stopped, in its own word.
    alternatives : list[Mapping[str, Any]]
        Alternatives of the first token, most probable first.
    prompt_tokens : int
        Tokens of the request as the engine counted them.
    completion_tokens : int
        Tokens of the reply as the engine counted them.
    early_end : JudgeError | None
        Why the engine was or must be stopped before the reply was whole.
    """

    longest_prompt: int
    is_ended: Callable[[], bool]
    text: str = ""
    finish: str = ""
    alternatives: list[Mapping[str, Any]] = field(default_factory=list)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    early_end: JudgeError | None = None

    @property
    def problem(self) -> JudgeError | None:
        """What kept the call from its reply, None when the reply is whole."""
        if self.early_end is None and not self.finish:
            return JudgeError("server", "the engine ended without saying why")
        return self.early_end

    def take(self, chunk: Mapping[str, Any]) -> bool:
        """Take one chunk and say whether the engine shall stop.

        Parameters
        ----------
        chunk : Mapping[str, Any]
            A completion chunk, a progress chunk or an error, as the engine sends it.

        Returns
        -------
        bool
            True ends the call.
        """
        if "error" in chunk:
            self.early_end = _problem(chunk["error"])
        elif self._prompt_is_too_long(chunk):
            self.early_end = JudgeError(
                "too_long",
                f"the request has {self.prompt_tokens} tokens; "
                f"context_tokens leaves room for {self.longest_prompt} beside the reply",
            )
        elif self.is_ended():
            self.early_end = JudgeError("cancelled", "the call was ended while it ran")
        else:
            self._add(chunk)
        return self.early_end is not None

    def _prompt_is_too_long(self, chunk: Mapping[str, Any]) -> bool:
        progress = chunk.get("prompt_progress")
        if progress is not None:
            self.prompt_tokens = progress["total"]
        return self.prompt_tokens > self.longest_prompt

    def _add(self, chunk: Mapping[str, Any]) -> None:
        for choice in chunk.get("choices", ()):
            self.text += choice.get("text") or ""
            self.finish = choice.get("finish_reason") or self.finish
            tokens = (choice.get("logprobs") or {}).get("content") or ()
            if tokens and not self.alternatives:
                self.alternatives = tokens[0]["top_logprobs"]
        usage = chunk.get("usage")
        if usage is not None:
            self.prompt_tokens = usage["prompt_tokens"]
            self.completion_tokens = usage["completion_tokens"]


def _problem(error: Mapping[str, Any]) -> JudgeError:
    if error.get("type") == _TOO_LONG:
        tokens, limit = error.get("n_prompt_tokens"), error.get("n_ctx")
        return JudgeError("too_long", f"the request has {tokens} tokens; context_tokens is {limit}")
    code = error.get("code")
    is_server = not isinstance(code, int) or code >= _FIRST_SERVER_ERROR
    kind = "server" if is_server else "bad_request"
    return JudgeError(kind, one_line(f"the engine: {error.get('message', error)}", 300))
