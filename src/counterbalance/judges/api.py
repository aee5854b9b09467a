"""How one API is spoken: address, key, body of a request, and the reply in an answer's body."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from counterbalance.items.item import Message
    from counterbalance.presentations.reply import Reply
    from counterbalance.protocol.endpoint_apis import ApiName

__all__ = ["Api", "bearer"]

Body = Callable[[str, "Sequence[Message]", Mapping[str, Any]], dict[str, Any]]
"""Model, prompt and parameters to the body of a request."""
ReplyOf = Callable[[dict[str, Any], dict[str, Any]], "Reply"]
"""Body of an answer, and what was sent for the record, to the raw reply."""


@dataclass(frozen=True, slots=True)
class Api:
    """One API.

    Attributes
    ----------
    name : ApiName
        Its name in protocols.
    home : str
        Address of its provider.
    path : Callable[[str], str]
        From a model's id to the path of its calls, after the address.
    headers : Callable[[str], dict[str, str]]
        From the key, which may be empty, to what is sent with every call.
    body : Body
        Model, prompt and parameters to the body of a request.
    reply_of : ReplyOf
        Body of an answer to the raw reply; raises a JudgeError with kind ``server`` where there is
        not exactly one reply in it.
    schema : Callable[[dict[str, Any]], dict[str, Any]]
        From a JSON schema to the parameters that hold a reply to it.
    spellings : Mapping[str, tuple[str, ...]]
        What its errors call the parameters that have another name here.
    """

    name: ApiName
    home: str
    path: Callable[[str], str]
    headers: Callable[[str], dict[str, str]]
    body: Body
    reply_of: ReplyOf
    schema: Callable[[dict[str, Any]], dict[str, Any]]
    spellings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def bearer(key: str) -> dict[str, str]:
    """Return the header that carries a key to most endpoints; none for an empty key."""
    return {"Authorization": f"Bearer {key}"} if key else {}
