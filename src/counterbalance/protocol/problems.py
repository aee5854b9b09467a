"""What a validator found, as a place in the file and a sentence: what is there, what is allowed."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from counterbalance.errors import one_line
from counterbalance.items.frames import Slot, Verdict
from counterbalance.protocol.judge_settings import JUDGE_NAME_PATTERN
from counterbalance.protocol.labelling import LABEL_PATTERN, LABEL_WORDS
from counterbalance.protocol.protocol import Protocol
from counterbalance.protocol.sections import RETRYABLE
from counterbalance.protocol.verdict_format import IDENTIFIER_PATTERN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pydantic import ValidationError

__all__ = ["first_problem"]

_VERDICTS = frozenset({*Slot, *Verdict})
_PATTERNS = {
    LABEL_PATTERN: LABEL_WORDS,
    JUDGE_NAME_PATTERN: "it must be letters, digits and . _ : / @ + -, a letter or digit first",
    IDENTIFIER_PATTERN: "it must be letters, digits, - and _, a letter or _ first",
}
_EXAMPLE = "`counterbalance init` writes an example of every key"
_KINDS = ("local", "http", "scripted", "replay", "command", "callable")
_JUDGES = "judges"
_STRATEGIES = "strategies"
_REWRITER = ("rewriting", "model")
_LISTS_OF_TABLES = (_JUDGES, "labellings", "exclusions")
_DEEP = 2
_ABSENT = "this key is needed and missing"
_MOST_KEYS = 12

Location = tuple[int | str, ...]
"""Keys and places in lists, from the top; the kind of a judge or a strategy stands in it, too."""


def first_problem(error: ValidationError) -> tuple[str, str, int]:
    """Return where the first problem is, as written in TOML, what it is, and how many more are.

    Parameters
    ----------
    error : ValidationError
        What the protocol was refused with.

    Returns
    -------
    tuple[str, str, int]
        Dotted place, empty for the whole file; a sentence; and the number of further problems.
    """
    found: list[Any] = error.errors(include_url=False)
    # A list without its faulty entries is too short, which nobody needs to be told.
    details = [d for d in found if d["type"] != "too_short" or not _has_fault_inside(d, found)]
    # A misspelt key is two errors, one unknown and one missing: the unknown one tells more.
    details.sort(key=lambda detail: detail["type"] != "extra_forbidden")
    detail = details[0]
    place = detail["ctx"]["place"] if detail["type"] == "misfit" else _place(detail["loc"])
    return place, _SAID.get(detail["type"], _of_value)(detail), len(details) - 1


def _has_fault_inside(detail: Any, found: list[Any]) -> bool:  # noqa: ANN401
    loc: Location = detail["loc"]
    return any(len(d["loc"]) > len(loc) and d["loc"][: len(loc)] == loc for d in found)


def _place(loc: Location) -> str:
    parts: list[str] = []
    for i, part in enumerate(loc):
        if isinstance(part, int):
            parts[-1] += f"[{part + 1}]"
        elif part != "[key]" and not _is_choice(loc, i):
            parts.append(part)
    return ".".join(parts)


def _is_choice(loc: Location, i: int) -> bool:
    """Say whether a part of a place names a way to read the value, which no file holds."""
    if i == _DEEP:
        return loc[0] in {_JUDGES, _STRATEGIES} or loc[:_DEEP] == _REWRITER
    return loc[0] == _STRATEGIES and i > _DEEP + 1 and isinstance(loc[i], str)


def _unknown(detail: Any) -> str:  # noqa: ANN401 (pydantic's own typed dict)
    loc: Location = detail["loc"]
    if loc[0] == _STRATEGIES:
        loc = (*loc[:_DEEP], *loc[_DEEP + 1 :])
    schema = Protocol.model_json_schema(by_alias=True)
    here = _keys_at(schema, loc[:-1])
    name = str(loc[-1])
    if match := difflib.get_close_matches(name, here, n=1):
        return f"unknown key; did you mean {match[0]!r}?"
    if elsewhere := [place for place, keys in _tables(schema) if name in keys and keys != here]:
        return f"unknown key here; it belongs {elsewhere[0]}"
    shown = ", ".join(here[:_MOST_KEYS]) + (", ..." if len(here) > _MOST_KEYS else "")
    return f"unknown key; known here are {shown}"


def _untagged(detail: Any) -> str:  # noqa: ANN401
    given = detail["input"].get("kind") if isinstance(detail["input"], dict) else None
    if given is None:
        return f"kind is needed and missing; known kinds are {', '.join(_KINDS)}"
    return f"kind is {one_line(repr(given))}; known kinds are {', '.join(_KINDS)}"


def _of_choice(detail: Any) -> str:  # noqa: ANN401
    loc, given = detail["loc"], detail["input"]
    if loc[0] == "retry" and isinstance(given, str) and given in _VERDICTS:
        return (
            f"{given!r} is a verdict, and nobody retries until a verdict pleases; only"
            f" {', '.join(RETRYABLE)} can be named"
        )
    allowed = str(detail["ctx"]["expected"])
    known = [word.strip("'") for word in allowed.replace(" or ", ", ").split(", ")]
    match = difflib.get_close_matches(str(given), known, n=1)
    advice = f"did you mean {match[0]!r}? It" if match else "it"
    return f"found {one_line(repr(given))}; {advice} must be {allowed}"


def _of_pattern(detail: Any) -> str:  # noqa: ANN401
    pattern = detail["ctx"]["pattern"]
    return f"found {one_line(repr(detail['input']))}; {_PATTERNS.get(pattern, pattern)}"


def _of_table(detail: Any) -> str:  # noqa: ANN401
    return f"found {one_line(repr(detail['input']))}; it must be a table"


def _of_list(detail: Any) -> str:  # noqa: ANN401
    loc: Location = detail["loc"]
    is_of_tables = len(loc) == 1 and loc[0] in _LISTS_OF_TABLES
    advice = f", a table [[{loc[0]}]] for each" if is_of_tables else " in [brackets]"
    return f"found {one_line(repr(detail['input']))}; it must be a list{advice}"


def _of_value(detail: Any) -> str:  # noqa: ANN401
    message = str(detail["msg"]).replace("Input should", "it must").replace("should", "must")
    return f"found {one_line(repr(detail['input']))}; {message[0].lower()}{message[1:]}"


_SAID: Mapping[str, Callable[[Any], str]] = {
    "extra_forbidden": _unknown,
    "missing": lambda _: f"{_ABSENT}; {_EXAMPLE}",
    "union_tag_invalid": _untagged,
    "union_tag_not_found": _untagged,
    "literal_error": _of_choice,
    "string_pattern_mismatch": _of_pattern,
    "value_error": lambda detail: str(detail["msg"]).removeprefix("Value error, "),
    "misfit": lambda detail: str(detail["msg"]),
    "model_type": _of_table,
    "model_attributes_type": _of_table,
    "dict_type": _of_table,
    "tuple_type": _of_list,
    "json_invalid": lambda _: "not a protocol: it is nested too deeply",
    "too_short": lambda _: f"the list is empty; {_EXAMPLE}",
}
"""Sentence for each kind of problem that needs more than the validator's own words."""


def _keys_at(schema: Mapping[str, Any], loc: Location) -> list[str]:
    node: Mapping[str, Any] = schema
    for part in loc:
        node = _inside(schema, node, part)
    return list(_meant(schema, node).get("properties", ()))


def _inside(
    schema: Mapping[str, Any], node: Mapping[str, Any], part: int | str
) -> Mapping[str, Any]:
    table = _meant(schema, node)
    inner: Mapping[str, Any]
    if isinstance(part, int):
        inner = table["items"]
    elif "discriminator" in table:
        inner = {"$ref": table["discriminator"]["mapping"][part]}
    else:
        inner = table.get("properties", {}).get(part, table.get("additionalProperties"))
    return inner


def _meant(schema: Mapping[str, Any], node: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow references, and through ``null`` to the table that may stand beside it."""
    while True:
        if "anyOf" in node:
            node = node["anyOf"][0]
        elif "oneOf" in node and "discriminator" not in node:
            node = next(table for table in node["oneOf"] if "$ref" in table)
        elif "$ref" in node:
            node = schema["$defs"][node["$ref"].rpartition("/")[2]]
        else:
            return node


def _tables(schema: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield where each table is, in words, and its keys."""
    yield "at the top of the file, above the first [table]", list(schema["properties"])
    for key, node in schema["properties"].items():
        table = _meant(schema, node)
        if "items" in table:
            table = _meant(schema, table["items"])
            yield f"in [[{key}]]", list(table.get("properties", ()))
        else:
            yield f"in [{key}]", list(table.get("properties", ()))
