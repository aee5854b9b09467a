"""The requirements of a row, each value checked for its rule before anything is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.items.fields import Fields, found, name_problem, nearest, text_problem
from counterbalance.items.frames import Side
from counterbalance.items.json_schema import schema_problem
from counterbalance.items.patterns import pattern_problem
from counterbalance.items.requirements import Requirement, RequirementRule

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["DEEPEST_SCHEMA", "requirements_from"]

DEEPEST_SCHEMA = 32
"""How deep a JSON schema may nest."""

_KEYS = ("id", "rule", "value", "mandatory", "text")
_RULES = tuple(rule.value for rule in RequirementRule)
_SIDES = tuple(side.value for side in Side)


def requirements_from(fields: Fields) -> tuple[Requirement, ...]:
    """Return the requirements of an item; refuse one that cannot be checked as it stands.

    Parameters
    ----------
    fields : Fields
        The row.

    Returns
    -------
    tuple[Requirement, ...]
        In the order of the file; empty when the row names none.
    """
    requirements: dict[str, Requirement] = {}
    for entry in fields.entries("requirements"):
        requirement = _requirement(entry)
        if requirement.id in requirements:
            entry.refuse("id", f'"{requirement.id}" is used twice in one item; rename one')
        requirements[requirement.id] = requirement
    return tuple(requirements.values())


def _requirement(entry: Fields) -> Requirement:
    entry.refuse_unknown(_KEYS)
    name = entry.identifier("id")
    if not name:
        entry.refuse("id", "is missing; every requirement has a name of its own")
    rule = _rule(entry)
    if entry.value("value") is None:
        entry.refuse("value", f"is missing; rule {rule.value} needs one")
    mandatory = entry.value("mandatory")
    if not isinstance(mandatory, bool | None):
        entry.refuse("mandatory", f"is {found(mandatory)}; it must be true or false")
    value = _VALUES[rule](entry)
    return Requirement(name, rule, value, mandatory is not False, entry.text("text"))


def _rule(entry: Fields) -> RequirementRule:
    rule = entry.text("rule")
    if rule not in _RULES:
        problem = f"is {found(rule)}{nearest(rule, _RULES)}" if rule else "is missing"
        entry.refuse("rule", f"{problem} (allowed: {', '.join(_RULES)})")
    return RequirementRule(rule)


def _pattern(entry: Fields) -> str:
    pattern = entry.text("value")
    problem = pattern_problem(pattern) if pattern else "is empty; write a pattern"
    if problem:
        entry.refuse("value", problem)
    return pattern


def _parts(entry: Fields) -> list[str]:
    value = entry.value("value")
    parts = value if isinstance(value, list) else [value]
    if not parts or not all(isinstance(part, str) and part for part in parts):
        problem = "must be a text that is not empty, or a list of such texts"
        entry.refuse("value", problem)
    for problem in filter(None, map(text_problem, parts)):
        entry.refuse("value", problem)
    return list(map(str, parts))


def _schema(entry: Fields) -> dict[str, Any]:
    schema = entry.value("value")
    if not isinstance(schema, dict):
        entry.refuse("value", f"is {found(schema)}; it must be a JSON schema, an object")
    problem = _nested_problem(schema) or schema_problem(schema)
    if problem:
        entry.refuse("value", problem)
    return schema


def _breaching(entry: Fields) -> list[str]:
    value = entry.value("value")
    sides = value if isinstance(value, list) else [value]
    if not all(side in _SIDES for side in sides):
        problem = 'must list the candidates that break the requirement: "a", "b", both, or []'
        entry.refuse("value", problem)
    return sorted(set(sides))


def _field_name(entry: Fields) -> str:
    name = entry.text("value")
    problem = name_problem(name)
    if problem:
        entry.refuse("value", f"{problem}; it must name a field of the verdict format")
    return name


def _nested_problem(value: object) -> str | None:
    level = [value]
    for _ in range(DEEPEST_SCHEMA):
        problem = next(
            filter(None, (text_problem(text) for node in level for text in _texts(node))), None
        )
        if problem:
            return problem
        level = [member for node in level for member in _members(node)]
        if not level:
            return None
    return f"nests deeper than {DEEPEST_SCHEMA} levels"


def _texts(node: object) -> list[str]:
    if isinstance(node, dict):
        return list(node)
    return [node] if isinstance(node, str) else []


def _members(node: object) -> list[object]:
    if isinstance(node, dict):
        return list(node.values())
    return node if isinstance(node, list) else []


_VALUES: dict[RequirementRule, Callable[[Fields], Any]] = {
    RequirementRule.REGEX: _pattern,
    RequirementRule.CONTAINS: _parts,
    RequirementRule.ABSENT: _parts,
    RequirementRule.JSON_SCHEMA: _schema,
    RequirementRule.STATED: _breaching,
    RequirementRule.VERDICT_FIELD: _field_name,
}
