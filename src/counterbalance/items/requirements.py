"""Requirements of an item, and what a rule says of one text.

A requirement is judged apart from the preference: it never changes a disposition, it only decides
whether a stable winner is an accepted winner.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from counterbalance.items.json_schema import is_valid_json
from counterbalance.items.patterns import is_found

if TYPE_CHECKING:
    from counterbalance.items.frames import Side

__all__ = ["Requirement", "RequirementRule", "is_fulfilled"]


class RequirementRule(StrEnum):
    """How a requirement is checked."""

    REGEX = "regex"
    """The pattern (RE2 syntax, searched anywhere) must be found in the text."""
    CONTAINS = "contains"
    """Every listed string must be in the text."""
    ABSENT = "absent"
    """No listed string may be in the text."""
    JSON_SCHEMA = "json_schema"
    """The whole text must be JSON that is valid under the schema."""
    STATED = "stated"
    """The pair file itself says which candidates break it."""
    VERDICT_FIELD = "verdict_field"
    """The judge's reply says it, in a field that the verdict format declares."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """One thing an acceptable answer must (or should) fulfil.

    Attributes
    ----------
    id : str
        Name inside the item.
    rule : RequirementRule
        How it is checked.
    value : Any
        Pattern, list of strings, schema, list of breaching sides, or field name, by rule.
    mandatory : bool
        Whether a breach keeps a candidate from being an accepted winner.
    text : str
        The requirement in words, as a judge may be shown it.
    """

    id: str
    rule: RequirementRule
    value: Any
    mandatory: bool = True
    text: str = ""

    @property
    def content(self) -> dict[str, object]:
        """The requirement as a JSON value."""
        return {
            "id": self.id,
            "rule": self.rule.value,
            "value": self.value,
            "mandatory": self.mandatory,
            "text": self.text,
        }


def is_fulfilled(requirement: Requirement, side: Side, text: str) -> bool | None:
    """Say whether a text fulfils a requirement.

    Parameters
    ----------
    requirement : Requirement
        What is asked of the text.
    side : Side
        Which candidate the text belongs to (only `RequirementRule.STATED` needs it).
    text : str
        The candidate's text.

    Returns
    -------
    bool | None
        None when only the judge's reply can tell.

    Examples
    --------
    >>> from counterbalance.items import Side
    >>> dates = Requirement("no_date", RequirementRule.ABSENT, ["tomorrow"])
    >>> is_fulfilled(dates, Side.A, "It arrives tomorrow.")
    False
    """
    value = requirement.value
    match requirement.rule:
        case RequirementRule.CONTAINS:
            return all(part in text for part in value)
        case RequirementRule.ABSENT:
            return not any(part in text for part in value)
        case RequirementRule.REGEX:
            return is_found(value, text)
        case RequirementRule.JSON_SCHEMA:
            return is_valid_json(value, text)
        case RequirementRule.STATED | RequirementRule.VERDICT_FIELD as rule:
            return side.value not in value if rule is RequirementRule.STATED else None
