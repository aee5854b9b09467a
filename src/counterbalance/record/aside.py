"""Calls that ask for no verdict: a rewrite of a text, or how likely a text is.

They stand in a record beside its revisions, since what they bring may be what a revision is made
of. No count of verdicts, and no denominator, has any part of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from counterbalance.items.hashing import tagged_hash

if TYPE_CHECKING:
    from collections.abc import Iterable

    from counterbalance.items.item import Message
    from counterbalance.parsing.outcome import FailureKind
    from counterbalance.presentations.reply import Reply

__all__ = ["Aside", "AsideCall", "AsideKind", "AsideReply", "Asides", "AskedAside", "aside_key"]


class AsideKind(StrEnum):
    """What is asked for."""

    REWRITE = "rewrite"
    """A text in other words or another form."""
    LIKELIHOOD = "likelihood"
    """The log-probability of every token of a text."""


@dataclass(frozen=True, slots=True)
class Aside:
    """One request for something that is no verdict.

    Attributes
    ----------
    kind : AsideKind
        What is asked for.
    subject : str
        What it is about, as canonical JSON.
    model : str
        Name of the model that is asked, as the protocol has it.
    model_digest : str
        Tagged hash of its settings.
    messages : tuple[Message, ...]
        What it is shown.
    """

    kind: AsideKind
    subject: str
    model: str
    model_digest: str
    messages: tuple[Message, ...]

    @property
    def prompt_digest(self) -> str:
        """Tagged hash of what is shown."""
        return tagged_hash("prompt/1", [[m.role, m.content] for m in self.messages])

    @property
    def key(self) -> str:
        """Tagged hash of everything that is asked: asked once, under any revision."""
        return aside_key(
            self.kind.value, self.subject, self.model, self.model_digest, self.prompt_digest
        )


def aside_key(kind: str, subject: str, model: str, model_digest: str, prompt_digest: str) -> str:
    """Return the key of a request from its columns."""
    return tagged_hash("aside/1", [kind, subject, model, model_digest, prompt_digest])


@dataclass(frozen=True, slots=True)
class AsideReply:
    """What came of one call.

    Attributes
    ----------
    started_at : str
        ISO 8601 time, UTC.
    seconds : float | None
        Time until the reply or the failure; None for a lost call.
    failure : FailureKind | None
        Why no reply came; None where one did.
    reply : Reply | None
        The raw reply; None where none came.
    problem : str
        What a failed call said, without secrets.
    cost_usd : float | None
        Price by the protocol's table; None when unpriced.
    """

    started_at: str
    seconds: float | None
    failure: FailureKind | None
    reply: Reply | None
    problem: str = ""
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class AsideCall:
    """One call for a request.

    Attributes
    ----------
    number : int
        Counted from 1 for each request.
    started_at : str
        ISO 8601 time, UTC.
    reply : AsideReply | None
        What came of it; None where nothing did yet.
    """

    number: int
    started_at: str
    reply: AsideReply | None


@dataclass(frozen=True, slots=True)
class AskedAside:
    """A request with its calls.

    Attributes
    ----------
    key : str
        Key of the request.
    kind : AsideKind
        What is asked for.
    subject : str
        What it is about, as canonical JSON.
    model : str
        Name of the model.
    calls : tuple[AsideCall, ...]
        In their order.
    """

    key: str
    kind: AsideKind
    subject: str
    model: str
    calls: tuple[AsideCall, ...]


class Asides(Protocol):
    """Calls of a record that ask for no verdict; append-only like everything in it."""

    def all(self) -> tuple[AskedAside, ...]:
        """Return every request with its calls, in the order they were planned."""
        ...

    def plan(self, asides: Iterable[Aside]) -> None:
        """Write what will be asked, before the first call; what is there already stays."""
        ...

    def start(self, key: str, number: int, started_at: str) -> None:
        """Record a call before it is sent."""
        ...

    def append(self, key: str, number: int, reply: AsideReply) -> None:
        """Record what came of a started call."""
        ...
