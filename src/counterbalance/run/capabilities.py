"""What an endpoint takes, found out with one tiny request for each capability, when asked to."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from counterbalance.errors import JudgeError, one_line
from counterbalance.items.item import Message
from counterbalance.judges.apis import api_of
from counterbalance.judges.http import HttpModelJudge
from counterbalance.judges.judge import Request, Shown
from counterbalance.presentations.presentation import PresentationKey

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from counterbalance.presentations.reply import Reply
    from counterbalance.protocol.judge_settings import HttpJudge

__all__ = ["Capability", "State", "capabilities"]

State = Literal["answers", "taken", "accepted", "ignored", "rejected", "not offered", "failed"]
"""``accepted`` says that no more can be seen in one reply than that it came."""

_SEED = 1
_ALTERNATIVES = 5
_PROMPT = "Reply with nothing but the letter A."
_SCHEMA = {
    "type": "object",
    "properties": {"verdict": {"type": "string", "enum": ["A", "B"]}},
    "required": ["verdict"],
    "additionalProperties": False,
}
_JSON_PROMPT = 'Reply with nothing but this JSON object: {"verdict": "A"}'


@dataclass(frozen=True, slots=True)
class Capability:
    """One thing that was tried.

    Attributes
    ----------
    name : str
        ``as declared``, ``temperature`` (and which, where strategies name several), ``seed``,
        ``log-probabilities`` or ``JSON schema``.
    state : State
        What came of it.
    found : str
        In words, without any key.
    tokens : int
        Tokens that the request and its reply took, as far as the endpoint says.
    """

    name: str
    state: State
    found: str
    tokens: int = 0


async def capabilities(
    settings: HttpJudge, environ: Mapping[str, str], temperatures: Sequence[float] = ()
) -> list[Capability]:
    """Ask an endpoint one tiny question as declared, and one more for each capability.

    Parameters
    ----------
    settings : HttpJudge
        The judge as the protocol declares it.
    environ : Mapping[str, str]
        Environment variables; holds the key.
    temperatures : Sequence[float]
        What strategies ask it at: each is tried, as a model may take one and refuse another. Empty
        for its own.

    Returns
    -------
    list[Capability]
        Only the first where the judge does not answer as declared.
    """
    first = await _tried("as declared", settings, environ)
    if first.state != "answers":
        return [first]
    bare: dict[str, Any] = {
        "temperature": None,
        "top_logprobs": None,
        "send_seed": False,
        "droppable": (),
    }
    warmth = 0.0 if settings.temperature is None else settings.temperature
    listed = settings.top_logprobs or _ALTERNATIVES
    held = _merged(settings.parameters, api_of(settings).schema(_SCHEMA))
    found = [first]
    warm: list[tuple[str, dict[str, Any], bool]] = [
        (f"temperature {each:g}", {"temperature": each}, True) for each in temperatures
    ]
    for name, changes, has_it in (
        *(warm or [("temperature", {"temperature": warmth}, True)]),
        ("seed", {"send_seed": True}, settings.terms.has_seed),
        ("log-probabilities", {"top_logprobs": listed}, settings.terms.most_logprobs > 0),
        ("JSON schema", {"parameters": held}, True),
    ):
        if has_it:
            changed = settings.model_copy(update={**bare, **changes})
            found.append(await _tried(name, changed, environ))
        else:
            found.append(Capability(name, "not offered", f"{settings.terms.title} has none"))
    return found


async def _tried(name: str, settings: HttpJudge, environ: Mapping[str, str]) -> Capability:
    judge = HttpModelJudge(settings, environ)
    try:
        reply = await judge.ask(_request(_JSON_PROMPT if name == "JSON schema" else _PROMPT))
    except JudgeError as error:
        is_rejected = error.kind == "bad_request" and name != "as declared"
        return Capability(
            name,
            "rejected" if is_rejected else "failed",
            one_line(f"{error.kind}: {error.problem}"),
        )
    finally:
        await judge.close()
    state, words = _seen(name, reply)
    used = reply.usage
    tokens = 0 if used is None else used.prompt_tokens + used.completion_tokens
    return Capability(name, state, words, tokens)


def _request(prompt: str) -> Request:
    return Request(
        key=PresentationKey("probe"),
        messages=(Message("user", prompt),),
        first=Shown("A", ""),
        second=Shown("B", ""),
        labels=("A", "B"),
        temperature=None,
        seed=_SEED,
        attempt=1,
    )


def _seen(name: str, reply: Reply) -> tuple[State, str]:
    """Return what a reply shows of a capability."""
    if name == "as declared":
        told = one_line(repr(reply.text), 60)
        return "answers", f"model {one_line(reply.model, 80) or 'not named'} says {told}"
    if name == "log-probabilities":
        n = len(reply.token_logprobs)
        if n:
            return "taken", f"{n} alternatives came back"
        told = one_line(repr(reply.text), 60)
        return "ignored", f"none came back for {told}; they need a reply of one token"
    if name == "JSON schema":
        return _schema_seen(reply.text)
    return "accepted", "one reply cannot show whether it is kept to"


def _schema_seen(text: str) -> tuple[State, str]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict) and value.get("verdict") in {"A", "B"}:
        return "taken", "the reply keeps to it"
    return "ignored", f"the reply does not keep to it: {one_line(repr(text), 60)}"


def _merged(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Return two tables of parameters in one, inner tables as well; the second one decides."""
    merged = dict(one)
    for name, value in other.items():
        inner = merged.get(name)
        is_table = isinstance(inner, dict) and isinstance(value, dict)
        merged[name] = _merged(inner, value) if is_table and isinstance(inner, dict) else value
    return merged
