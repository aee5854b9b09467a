"""Items, candidates and pairs: what is judged, each with an identity that no display can change."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NewType

from counterbalance.items.frames import Side, Verdict
from counterbalance.items.hashing import tagged_hash

if TYPE_CHECKING:
    from counterbalance.items.requirements import Requirement

__all__ = [
    "ROLES",
    "Candidate",
    "CandidateId",
    "Item",
    "ItemId",
    "Message",
    "Pair",
    "PairId",
    "Reference",
    "conversation_text",
    "item_content",
]

ItemId = NewType("ItemId", str)
CandidateId = NewType("CandidateId", str)
PairId = NewType("PairId", str)

ROLES = ("system", "user", "assistant", "tool")
"""Roles that a turn of a conversation can have."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation.

    Attributes
    ----------
    role : str
        ``system``, ``user``, ``assistant`` or ``tool``.
    content : str
        The text of the turn.
    """

    role: str
    content: str


def conversation_text(messages: tuple[Message, ...]) -> str:
    r"""Return a conversation as one text; a single turn is its content, unchanged.

    Parameters
    ----------
    messages : tuple[Message, ...]
        The turns in order, one or more.

    Returns
    -------
    str
        Each turn under a heading that names its role, with an empty line between turns.

    Examples
    --------
    >>> conversation_text((Message("user", "Hello"), Message("assistant", "Hi")))
    '[user]\nHello\n\n[assistant]\nHi'
    """
    if len(messages) == 1:
        return messages[0].content
    return "\n\n".join(f"[{m.role}]\n{m.content}" for m in messages)


def item_content(
    messages: tuple[Message, ...],
    context: str,
    reference_answer: str,
    requirements: tuple[Requirement, ...],
    rubric: str = "",
) -> dict[str, object]:
    """Return what the judge may see of an item as a JSON value; every id is derived from this.

    Parameters
    ----------
    messages : tuple[Message, ...]
        The conversation up to the answer.
    context : str
        Source material.
    reference_answer : str
        An answer known to be good.
    requirements : tuple[Requirement, ...]
        What an acceptable answer must or should fulfil.
    rubric : str
        Criteria in place of the protocol's; it stands in the value only where there is one.

    Returns
    -------
    dict[str, object]
        The value; its shape is a contract, as a change of it changes every key.
    """
    content: dict[str, object] = {
        "messages": [[m.role, m.content] for m in messages],
        "context": context,
        "reference_answer": reference_answer,
        "requirements": [r.content for r in requirements],
    }
    return content | {"rubric": rubric} if rubric else content


@dataclass(frozen=True)
class Item:
    """The thing answered.

    Attributes
    ----------
    id : ItemId
        Supplied, or derived from the content.
    messages : tuple[Message, ...]
        The whole conversation up to the answer; a single prompt is one user message.
    context : str
        Source material that the answer may rely on; empty when there is none.
    reference_answer : str
        An answer known to be good; empty when there is none.
    requirements : tuple[Requirement, ...]
        What an acceptable answer must or should fulfil.
    category : str
        Free name that results are grouped by; empty when there is none.
    cluster : str
        What related items share; uncertainty is computed over clusters. Defaults to the hash of
        the conversation and context, so that pairs on the same prompt fall together.
    consequence : float
        How much an error would matter, 0 or more; lists are sorted by it. 1 when not stated.
    rubric : str
        Criteria that the judge is given in place of the protocol's, by a probe that exchanges
        them; empty for the protocol's own.
    """

    id: ItemId
    messages: tuple[Message, ...]
    context: str = ""
    reference_answer: str = ""
    requirements: tuple[Requirement, ...] = ()
    category: str = ""
    cluster: str = ""
    consequence: float = 1.0
    rubric: str = ""

    @cached_property
    def content(self) -> dict[str, object]:
        """What the judge may see of the item, as a JSON value: what a pair's key hashes of it."""
        return item_content(
            self.messages, self.context, self.reference_answer, self.requirements, self.rubric
        )


@dataclass(frozen=True, slots=True)
class Candidate:
    """One immutable answer of one system to one item.

    Attributes
    ----------
    id : CandidateId
        Tagged hash of item, system, version, supplied id and text.
    supplied_id : str
        The id in the user's file; empty when there is none.
    system : str
        Name of the generator; never shown to a judge.
    version : str
        Version of the generator; never shown to a judge.
    text : str
        The answer, unchanged.
    """

    id: CandidateId
    supplied_id: str
    system: str
    version: str
    text: str


@dataclass(frozen=True, slots=True)
class Reference:
    """The verdicts that count as right for a pair.

    Attributes
    ----------
    accepted : frozenset[Verdict]
        One verdict, or several acceptable ones; ``insufficient`` alone means that the evidence
        does not allow a choice.
    source : str
        Who or what set it.
    """

    accepted: frozenset[Verdict]
    source: str = ""


@dataclass(frozen=True)
class Pair:
    """One item and two candidates; ``a`` and ``b`` never change places.

    Attributes
    ----------
    id : PairId
        Supplied, or derived from the content.
    item : Item
        What was answered.
    a : Candidate
        The first candidate of the pair file.
    b : Candidate
        The second candidate of the pair file.
    reference : Reference | None
        Verdicts that count as right; None when nobody set any.
    probe : str
        Name of the intervention that tells the two candidates apart; empty for a pair that is no
        probe.
    """

    id: PairId
    item: Item
    a: Candidate
    b: Candidate
    reference: Reference | None = field(default=None)
    probe: str = ""

    def candidate(self, side: Side) -> Candidate:
        """Return the candidate on one side of the pair."""
        return self.a if side is Side.A else self.b

    @cached_property
    def key(self) -> str:
        """Tagged hash of all that the two orders must share: the item's content and both texts."""
        return tagged_hash("pair/1", [self.item.content, self.a.text, self.b.text])

    @cached_property
    def is_identical(self) -> bool:
        """Whether both texts are the same to the byte and no probe: no call can tell them apart."""
        return self.a.text == self.b.text and not self.probe

    @cached_property
    def digest(self) -> str:
        """Tagged hash of everything the pair file says of the pair, to notice any edit."""
        reference = self.reference
        item = self.item
        probe = {"probe": self.probe} if self.probe else {}
        return tagged_hash(
            "pair-row/1",
            {
                **probe,
                "id": self.id,
                "item": [item.id, item.category, item.cluster, item.consequence],
                "content": item.content,
                "a": self.a.id,
                "b": self.b.id,
                "reference": None
                if reference is None
                else [sorted(reference.accepted), reference.source],
            },
        )
