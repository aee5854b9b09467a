"""TOML text to a protocol, with one clear line for what is wrong; and the schema for editors."""

from __future__ import annotations

import json
import tomllib
from typing import Any

from pydantic import ValidationError

from counterbalance.errors import ProtocolError, one_line
from counterbalance.protocol.problems import first_problem
from counterbalance.protocol.protocol import Protocol
from counterbalance.protocol.strategies.resolving import UnknownStrategyError, spelled_out

__all__ = ["protocol_from_canonical", "protocol_from_toml", "protocol_schema"]

_LONGEST_PROBLEM = 600


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
        # TOML has dates, which no key takes and JSON cannot say.
        value = json.dumps(tomllib.loads(text), default=lambda x: {"date or time": str(x)})
        value = json.dumps(spelled_out(json.loads(value)))
    except UnknownStrategyError as error:
        raise ProtocolError(file, error.place, error.problem) from None
    except tomllib.TOMLDecodeError as error:
        problem = f"not TOML: {one_line(error, 200)}; texts need quotes, tables [brackets]"
        raise ProtocolError(file, "", problem) from None
    except (RecursionError, ValueError):
        problem = (
            "not a protocol: it is nested too deeply, or holds a number of thousands of digits"
        )
        raise ProtocolError(file, "", problem) from None
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
    return _validated(json.dumps({**value, "pairs": pairs}), "the record's protocol")


def protocol_schema() -> dict[str, Any]:
    """Return the JSON schema of protocol files, for editors."""
    from counterbalance.protocol.described import DescribedSchema  # noqa: PLC0415 (for one file)

    schema = Protocol.model_json_schema(by_alias=True, schema_generator=DescribedSchema)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "counterbalance.protocol/1",
        **_with_descriptions_on_one_line(schema),
    }


def _with_descriptions_on_one_line(node: Any) -> Any:  # noqa: ANN401 (any JSON value)
    if isinstance(node, list):
        return [_with_descriptions_on_one_line(x) for x in node]
    if not isinstance(node, dict):
        return node
    return {
        key: " ".join(x.split())
        if key == "description" and isinstance(x, str)
        else _with_descriptions_on_one_line(x)
        for key, x in node.items()
    }


def _validated(value: str, file: str) -> Protocol:
    """Validate JSON strictly: "yes" is no truth value and "5" no number."""
    try:
        return Protocol.model_validate_json(value, strict=True)
    except ValidationError as error:
        place, problem, n_more = first_problem(error)
        more = f" (and {n_more} more)" if n_more else ""
        shown = one_line(problem, _LONGEST_PROBLEM) + more
        raise ProtocolError(file, one_line(place), shown) from None
