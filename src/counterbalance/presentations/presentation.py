"""Presentations: what is to be asked once, with the key that evidence is recorded under."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NewType

from counterbalance.items.hashing import tagged_hash

if TYPE_CHECKING:
    from counterbalance.items.frames import Order
    from counterbalance.items.item import Message, PairId

__all__ = ["PlanEntry", "Presentation", "PresentationKey", "Purpose", "RenderedPrompt"]

PresentationKey = NewType("PresentationKey", str)


class Purpose(StrEnum):
    """What a planned presentation is for."""

    MAIN = "main"
    """Enters the disposition of its pair."""
    STABILITY = "stability"
    """Belongs to the repetition subset: measures noise, never a disposition."""
    STRATEGY = "strategy"
    """Enters the result of a strategy."""


@dataclass(frozen=True, slots=True)
class RenderedPrompt:
    """A prompt ready to send.

    Attributes
    ----------
    messages : tuple[Message, ...]
        The chat messages.
    """

    messages: tuple[Message, ...]

    @property
    def digest(self) -> str:
        """Tagged hash of the messages."""
        return tagged_hash("prompt/1", [[m.role, m.content] for m in self.messages])


@dataclass(frozen=True, slots=True)
class Presentation:
    """One pair, order, labelling, judge configuration, prompt and repetition.

    Attributes
    ----------
    pair_id : PairId
        The pair shown.
    pair_key : str
        Content hash of the pair.
    order : Order
        Display order.
    labelling : str
        Name of the labelling, such as ``1/2``.
    judge : str
        Name of the judge in the protocol.
    judge_digest : str
        Hash of the judge configuration, temperature override included.
    temperature : float | None
        Override of the judge's temperature; None keeps it.
    prompt_digest : str
        Hash of the rendered prompt.
    repetition : int
        Counted from 0.
    prompt : str
        Name of the prompt; empty for the protocol's own. What it asks is in the digest.
    key : PresentationKey
        Tagged hash of all that makes two calls the same question; derived.
    """

    pair_id: PairId
    pair_key: str
    order: Order
    labelling: str
    judge: str
    judge_digest: str
    temperature: float | None
    prompt_digest: str
    repetition: int
    prompt: str = field(default="", compare=False)

    key: PresentationKey = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Derive the key once: it is asked for with every call."""
        content = [
            self.pair_key,
            self.order,
            self.labelling,
            self.judge_digest,
            self.prompt_digest,
            self.repetition,
        ]
        object.__setattr__(self, "key", PresentationKey(tagged_hash("presentation/1", content)))


@dataclass(frozen=True, slots=True)
class PlanEntry:
    """A presentation and what it is planned for; one presentation may serve several purposes.

    Attributes
    ----------
    purpose : Purpose
        What it is for.
    presentation : Presentation
        What is asked.
    strategy : str
        Id of the strategy that it is planned for; empty for another purpose.
    """

    purpose: Purpose
    presentation: Presentation
    strategy: str = ""
