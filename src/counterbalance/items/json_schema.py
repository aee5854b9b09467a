"""JSON schemas as requirements: whether a schema can be used, and whether a text fulfils it.

Schemas are read as JSON Schema 2020-12. Nothing is ever fetched: a schema may refer only to itself.
Patterns are RE2 patterns, so that no text can hold up the run.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from counterbalance.errors import one_line
from counterbalance.items.hashing import canonical_json
from counterbalance.items.patterns import is_found, pattern_problem

__all__ = ["is_valid_json", "schema_problem"]

_REFERENCES = ("$ref", "$dynamicRef")


def schema_problem(schema: Mapping[str, object]) -> str | None:
    """Say why a schema cannot be used, or return None.

    Parameters
    ----------
    schema : Mapping[str, object]
        The schema.

    Returns
    -------
    str | None
        The problem, to stand after the key's name.

    Examples
    --------
    >>> schema_problem({"$ref": "https://example.org/order.json"})
    'refers to https://example.org/order.json, which is not inside the schema; nothing is fetched'
    """
    return _schema_text_problem(canonical_json(schema))


def is_valid_json(schema: object, text: str) -> bool:
    """Say whether the whole of a text is JSON that is valid under a schema.

    Parameters
    ----------
    schema : object
        A schema that `schema_problem` has nothing against.
    text : str
        The text; JSON that nests too deeply to be checked does not fulfil the schema.

    Returns
    -------
    bool
        Whether it is.

    Examples
    --------
    >>> is_valid_json({"type": "object"}, "{}"), is_valid_json({"type": "object"}, "{} ok")
    (True, False)
    """
    try:
        value = json.loads(text, parse_constant=_no_json_number)
        return bool(_validator(schema).is_valid(value))
    except (ValueError, RecursionError):
        return False


def _no_json_number(name: str) -> object:
    raise ValueError(name)


@lru_cache(maxsize=256)
def _schema_text_problem(schema_text: str) -> str | None:
    from jsonschema import SchemaError  # noqa: PLC0415 (slow to import, rarely needed)

    schema = json.loads(schema_text)
    try:
        _validator_class().check_schema(schema)
        problem = _part_problem(schema)
        if problem is None:
            _validator(schema).is_valid(None)
    except SchemaError as error:
        return f"is not a JSON schema (2020-12): {one_line(error.message)}"
    except RecursionError:
        return "is a JSON schema that refers to itself without end"
    return problem


def _part_problem(schema: object) -> str | None:
    from referencing import Registry  # noqa: PLC0415 (comes with jsonschema)
    from referencing.jsonschema import DRAFT202012  # noqa: PLC0415

    whole = DRAFT202012.create_resource(schema)
    parts = [(Registry().resolver_with_root(whole), whole)]
    while parts:
        resolver, part = parts.pop()
        if isinstance(part.contents, Mapping):
            problem = _reference_problem(resolver, part.contents) or _pattern_problem(part.contents)
            if problem:
                return problem
        parts.extend((resolver.in_subresource(sub), sub) for sub in part.subresources())
    return None


def _reference_problem(resolver: Any, part: Mapping[str, Any]) -> str | None:  # noqa: ANN401
    from referencing.exceptions import Unresolvable  # noqa: PLC0415

    for reference in (part[key] for key in _REFERENCES if key in part):
        try:
            target = resolver.lookup(reference).contents
        except (Unresolvable, ValueError):
            shown = one_line(reference)
            return f"refers to {shown}, which is not inside the schema; nothing is fetched"
        if not isinstance(target, Mapping | bool):
            return f"refers to {one_line(reference)}, which is no schema"
    return None


def _pattern_problem(part: Mapping[str, Any]) -> str | None:
    patterns = [part["pattern"]] if "pattern" in part else []
    patterns.extend(part.get("patternProperties", ()))
    return next(filter(None, map(pattern_problem, patterns)), None)


def _validator(schema: object) -> Any:  # noqa: ANN401 (jsonschema has no types)
    from referencing import Registry  # noqa: PLC0415

    return _validator_class()(schema, registry=Registry())


@cache
def _validator_class() -> Any:  # noqa: ANN401
    import jsonschema  # noqa: PLC0415

    rules = {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
    }
    extend: Any = jsonschema.validators.extend
    return extend(jsonschema.Draft202012Validator, rules)


def _pattern(_: Any, pattern: str, value: object, __: object) -> Iterator[object]:  # noqa: ANN401
    if isinstance(value, str) and not is_found(pattern, value):
        yield _breach("pattern")


def _pattern_properties(
    validator: Any,  # noqa: ANN401
    patterns: Mapping[str, object],
    value: object,
    _: object,
) -> Iterator[object]:
    if not isinstance(value, Mapping):
        return
    for pattern, schema in patterns.items():
        for name in value:
            if is_found(pattern, name):
                yield from validator.descend(value[name], schema, path=name, schema_path=pattern)


def _additional_properties(
    validator: Any,  # noqa: ANN401
    allowed: object,
    value: object,
    schema: Mapping[str, Any],
) -> Iterator[object]:
    if not isinstance(value, Mapping):
        return
    patterns = schema.get("patternProperties", ())
    for name in value:
        if name in schema.get("properties", ()) or any(is_found(p, name) for p in patterns):
            continue
        yield from validator.descend(value[name], allowed, path=name)


def _breach(rule: str) -> object:
    import jsonschema  # noqa: PLC0415

    return jsonschema.ValidationError(rule)
