"""TOML text to a protocol, with one clear line for what is wrong in it; and the schema for editors."""

from __future__ import annotations

import difflib
import tomllib
from typing import Any

from pydantic import ValidationError

from counterbalance.errors import ProtocolError, one_line
from counterbalance.items.frames import Slot, Verdict
from counterbalance.protocol.protocol import RETRYABLE, Protocol

_VERDICTS = frozenset({*Slot, *Verdict})

__all__ = ["protocol_from_canonical", "protocol_from_toml", "protocol_schema"]


def protocol_from_toml(text: str, file: str) -> Protocol:
    """Read a protocol.

    Parameters
    ----------
    text : str
        Content of the protocol file.
    file : str
        Its name, for messages.

    Returns
    -------
    Protocol
        The protocol with every default filled in.

    Raises
    ------
    ProtocolError
        If the text is not TOML, a key is unknown, or a value is impossible.
    """
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProtocolError(file, "", f"not TOML: {one_line(error, 200)}") from None
    return _validated(value, file)


def protocol_from_canonical(value: dict[str, Any], pairs: str) -> Protocol:
    """Return the protocol that a record holds in canonical form.

    Parameters
    ----------
    value : dict[str, Any]
        The canonical form.
    pairs : str
        Path of the pair file, which the canonical form leaves out.

    Returns
    -------
    Protocol
        The same protocol; its digest is the recorded one.
    """
    return _validated({**value, "pairs": pairs}, "the record's protocol")


def protocol_schema() -> dict[str, Any]:
    """Return the JSON schema of protocol files, for editors."""
    schema = Protocol.model_json_schema(by_alias=True)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "counterbalance.protocol/1",
        **schema,
    }


def _validated(value: dict[str, Any], file: str) -> Protocol:
    try:
        return Protocol.model_validate(value)
    except ValidationError as error:
        # A misspelt key is two errors, one unknown and one missing: the unknown one tells more.
        details = sorted(
            error.errors(include_url=False), key=lambda d: d["type"] != "extra_forbidden"
        )
        first = details[0]
        more = f" (and {len(details) - 1} more)" if len(details) > 1 else ""
        raise ProtocolError(file, _place(first["loc"]), _problem(first) + more) from None


def _place(loc: tuple[int | str, ...]) -> str:
    """Name the place as it is written in TOML; the tag of a judge's kind is not part of it."""
    parts: list[str] = []
    for i, part in enumerate(loc):
        if isinstance(part, int):
            parts[-1] += f"[{part + 1}]"
        elif not (i >= 2 and loc[0] == "judges" and i == 2):  # noqa: PLR2004 (judges, index, kind)
            parts.append(part)
    return ".".join(parts)


def _problem(detail: Any) -> str:  # noqa: ANN401 (pydantic's own typed dict)
    kind = detail["type"]
    if kind == "extra_forbidden":
        return f"unknown key{_nearest(detail['loc'])}"
    if kind == "missing":
        return "this key is needed and missing"
    if kind == "union_tag_invalid":
        context = detail["ctx"]
        return f"kind is {one_line(repr(context['tag']))}; known are {context['expected_tags']}"
    if detail["loc"][0] == "retry" and detail["input"] in _VERDICTS:
        return f"{detail['input']!r} is a verdict, and nobody retries until a verdict pleases; only {', '.join(RETRYABLE)} can be named"
    message = str(detail["msg"]).removeprefix("Value error, ")
    if kind == "value_error":
        return message
    shown = one_line(repr(detail["input"]))
    return f"found {shown}; {message[0].lower()}{message[1:]}"


def _nearest(loc: tuple[int | str, ...]) -> str:
    schema = Protocol.model_json_schema(by_alias=True)
    known = list(schema["properties"]) if len(loc) == 1 else _known_keys(schema)
    match = difflib.get_close_matches(str(loc[-1]), known, n=1)
    return f"; did you mean {match[0]!r}?" if match else "; see `counterbalance init` for all keys"


def _known_keys(schema: dict[str, Any]) -> list[str]:
    definitions = [schema, *schema.get("$defs", {}).values()]
    return sorted({key for d in definitions for key in d.get("properties", {})})
