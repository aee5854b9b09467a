"""One decoded row to one pair: the meaning of every key of a pair file.

In comes a mapping as JSON gives it, out comes a `Pair` whose ids are the supplied ones or hashes of
the content. Refused are unknown keys, missing or blank texts, and values of another type.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from counterbalance.items.fields import Fields, Place, found
from counterbalance.items.frames import Verdict
from counterbalance.items.hashing import tagged_hash
from counterbalance.items.item import (
    ROLES,
    Candidate,
    CandidateId,
    Item,
    ItemId,
    Message,
    Pair,
    PairId,
    Reference,
    conversation_text,
    item_content,
)
from counterbalance.items.requirement_rows import requirements_from

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CONSEQUENCES", "ROW_KEYS", "candidate_id", "messages_from", "pair_from_row"]

ROW_KEYS = (
    "id",
    "item",
    "prompt",
    "messages",
    "context",
    "reference_answer",
    "requirements",
    "category",
    "cluster",
    "consequence",
    "a",
    "b",
    "reference",
    "probe",
    "metadata",
)
"""Keys of a row; ``metadata`` may hold anything and is not read."""

CONSEQUENCES = {"low": 1.0, "medium": 3.0, "high": 10.0}
"""What the words for a consequence stand for."""

_CANDIDATE_KEYS = ("id", "system", "version", "text", "messages")
_MESSAGE_KEYS = ("role", "content")
_REFERENCE_KEYS = ("accept", "source")
_VERDICTS = tuple(verdict.value for verdict in Verdict)
_SHORT = slice(len("b2:"), len("b2:") + 16)


def pair_from_row(row: Mapping[str, object], place: Place) -> Pair:
    """Return the pair that a decoded row describes; refuse a row that describes none.

    Parameters
    ----------
    row : Mapping[str, object]
        The row as JSON values; the keys are `ROW_KEYS`.
    place : Place
        Where it stands, for messages.

    Returns
    -------
    Pair
        The pair; ids that the row leaves out are derived from the content.

    Examples
    --------
    >>> row = {"prompt": "2 + 2?", "a": "4", "b": "5"}
    >>> pair_from_row(row, Place("pairs.jsonl", 1)).item.id
    'item-4a424aa08b7a8cce'
    """
    fields = Fields(row, place)
    fields.refuse_unknown(ROW_KEYS)
    item = _item(fields)
    a = _candidate(fields, "a", item.id)
    b = _candidate(fields, "b", item.id)
    name = fields.identifier("id")
    if not name:
        name = "pair-" + _short_hash("pair-id/1", [item.id, item.content, a.id, b.id])
    return Pair(PairId(name), item, a, b, _reference(fields), fields.identifier("probe"))


def candidate_id(
    item: ItemId, *, system: str, version: str, supplied_id: str, text: str
) -> CandidateId:
    """Return the id of a candidate: the hash of all that makes it this candidate.

    Parameters
    ----------
    item : ItemId
        The item it answers.
    system : str
        Its generator.
    version : str
        The generator's version.
    supplied_id : str
        The id in the user's file; empty when there is none.
    text : str
        The answer.

    Returns
    -------
    CandidateId
        The same for the same candidate, wherever it stands.
    """
    return CandidateId(tagged_hash("candidate/1", [item, system, version, supplied_id, text]))


def _item(fields: Fields) -> Item:
    messages = _prompt(fields)
    context, answer = fields.text("context"), fields.text("reference_answer")
    requirements = requirements_from(fields)
    content = item_content(messages, context, answer, requirements)
    name = fields.identifier("item") or "item-" + _short_hash("item/1", content)
    cluster = fields.identifier("cluster")
    if not cluster:
        cluster = "prompt-" + _short_hash("cluster/1", [content["messages"], context])
    return Item(
        id=ItemId(name),
        messages=messages,
        context=context,
        reference_answer=answer,
        requirements=requirements,
        category=fields.name("category"),
        cluster=cluster,
        consequence=_consequence(fields),
    )


def _prompt(fields: Fields) -> tuple[Message, ...]:
    if fields.value("messages") is None:
        if fields.value("prompt") is None:
            fields.refuse("prompt", 'is missing; a pair needs "prompt" or "messages"')
        return (Message("user", fields.visible_text("prompt")),)
    if fields.value("prompt") is not None:
        fields.refuse("prompt", 'stands beside "messages"; keep one of them')
    return messages_from(fields, "messages")


def messages_from(fields: Fields, key: str) -> tuple[Message, ...]:
    """Return a conversation; refuse one without any text.

    Parameters
    ----------
    fields : Fields
        What holds it.
    key : str
        Key to read.

    Returns
    -------
    tuple[Message, ...]
        The turns, one or more.
    """
    messages = tuple(_message(entry) for entry in fields.entries(key))
    if not any(m.content and not m.content.isspace() for m in messages):
        what = "holds only white space" if messages else "is empty"
        fields.refuse(key, f"{what}; write at least one turn with a text")
    return messages


def _message(entry: Fields) -> Message:
    entry.refuse_unknown(_MESSAGE_KEYS)
    role = entry.text("role")
    if role not in ROLES:
        what = f"is {found(role)}" if role else "is missing"
        entry.refuse("role", f"{what} (allowed: {', '.join(ROLES)})")
    if entry.value("content") is None:
        entry.refuse("content", "is missing; write the text of the turn")
    return Message(role, entry.text("content"))


def _candidate(fields: Fields, side: str, item: ItemId) -> Candidate:
    value = fields.value(side)
    if value is None:
        fields.refuse(side, "is missing; a pair needs both candidates")
    supplied_id = system = version = ""
    if isinstance(value, dict):
        entry = fields.nested(side, value)
        entry.refuse_unknown(_CANDIDATE_KEYS)
        supplied_id, system = entry.identifier("id"), entry.name("system")
        version, text = entry.name("version"), _answer(entry)
    elif isinstance(value, str):
        text = fields.visible_text(side)
    else:
        fields.refuse(side, f"is {found(value)}; it must be the answer's text or an object")
    name = candidate_id(item, system=system, version=version, supplied_id=supplied_id, text=text)
    return Candidate(name, supplied_id, system, version, text)


def _answer(entry: Fields) -> str:
    if entry.value("messages") is None:
        return entry.visible_text("text")
    if entry.value("text") is not None:
        entry.refuse("text", 'stands beside "messages"; keep one of them')
    return conversation_text(messages_from(entry, "messages"))


def _consequence(fields: Fields) -> float:
    value = fields.value("consequence")
    if value is None:
        return 1.0
    number = CONSEQUENCES.get(value) if isinstance(value, str) else _amount(value)
    if number is None:
        allowed = f"a number of 0 or more, or {', '.join(CONSEQUENCES)}"
        fields.refuse("consequence", f"is {found(value)}; it must be {allowed}")
    return number


def _amount(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        return None
    try:
        number = abs(float(value))
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _reference(fields: Fields) -> Reference | None:
    value = fields.value("reference")
    if value is None:
        return None
    if not isinstance(value, dict):
        return Reference(_accepted(fields, "reference"))
    entry = fields.nested("reference", value)
    entry.refuse_unknown(_REFERENCE_KEYS)
    return Reference(_accepted(entry, "accept"), entry.name("source"))


def _accepted(fields: Fields, key: str) -> frozenset[Verdict]:
    value = fields.value(key)
    words = value if isinstance(value, list) else [value]
    for word in words:
        if word not in _VERDICTS:
            problem = "is missing" if word is None else f"is {found(word)}"
            fields.refuse(key, f"{problem} (allowed: {', '.join(_VERDICTS)}, or several)")
    if not words:
        fields.refuse(key, "is an empty list; name a verdict, or leave the key out")
    return frozenset(map(Verdict, words))


def _short_hash(tag: str, value: object) -> str:
    return tagged_hash(tag, value)[_SHORT]
