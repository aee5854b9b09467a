"""What an audit finds: checks with a verdict, figures without one, and the chain they make."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "CHAIN",
    "EXACT",
    "SCHEMA",
    "Audit",
    "Check",
    "Figure",
    "Finding",
    "Ground",
    "Link",
    "Rule",
    "Value",
]

SCHEMA = "counterbalance.tables/1"
EXACT = "none: the figures are exact"

Value: TypeAlias = "float | int | str | bool | list[Value] | dict[str, Value] | None"


class Finding(StrEnum):
    """The verdict of a check."""

    CONSISTENT = "consistent"
    INCONSISTENT = "inconsistent"
    CANNOT_BE_CHECKED = "cannot_be_checked"


class Link(StrEnum):
    """One link of the chain from marginals to survivors, in the order in which it is followed."""

    ROWS = "rows"
    DENOMINATORS = "denominators"
    ERRORS = "errors"
    KAPPA = "kappa"
    DIFFERENCES = "differences"
    TESTS = "tests"
    FAMILIES = "families"
    POWER = "power"
    TIES = "ties"
    WIN_RATES = "win_rates"
    CLUSTERS = "clusters"
    LOG = "log"


CHAIN = tuple(Link)


@dataclass(frozen=True, slots=True)
class Ground:
    """What a check stands on.

    Attributes
    ----------
    table : str
        The table that the subject stands in; empty for none.
    inputs : Mapping[str, str]
        Figures that the rule used, as printed.
    tolerance : str
        How far figures may differ, and why.
    """

    table: str = ""
    inputs: Mapping[str, str] = field(default_factory=dict)
    tolerance: str = EXACT


@dataclass(frozen=True, slots=True)
class Rule:
    """What a check holds printed figures against.

    Attributes
    ----------
    name : str
        Short name, a promise of the JSON output.
    link : Link
        The link of the chain that it belongs to.
    says : str
        The rule in a sentence.
    """

    name: str
    link: Link
    says: str

    def check(
        self,
        subject: str,
        verdict: bool | None,  # noqa: FBT001 (a verdict is what every check is called with)
        found: str,
        *,
        ground: Ground | None = None,
        values: Mapping[str, Value] | None = None,
    ) -> Check:
        """Return a check by this rule.

        Parameters
        ----------
        subject : str
            The row, comparison, family or sentence.
        verdict : bool | None
            Whether the figures fit the rule; None when it cannot be checked.
        found : str
            The same in a sentence.
        ground : Ground | None
            Where the subject stands, and what the rule used.
        values : Mapping[str, Value] | None
            Numbers behind the sentence.

        Returns
        -------
        Check
            The check.
        """
        on = ground or Ground()
        finding = Finding.CANNOT_BE_CHECKED
        if verdict is not None:
            finding = Finding.CONSISTENT if verdict else Finding.INCONSISTENT
        return Check(self, subject, finding, found, on.inputs, on.tolerance, on.table, values or {})


@dataclass(frozen=True, slots=True)
class Check:
    """One rule applied to one line of what is printed.

    Attributes
    ----------
    rule : Rule
        The rule.
    subject : str
        The row, comparison, family or sentence.
    verdict : Finding
        What came of it.
    found : str
        The same in a sentence, with what the figures allow.
    inputs : Mapping[str, str]
        Printed figures that the rule used, as printed.
    tolerance : str
        How far figures may differ, and why.
    table : str
        The table that the subject stands in; empty for none.
    values : Mapping[str, Value]
        Numbers behind the sentence.
    """

    rule: Rule
    subject: str
    verdict: Finding
    found: str
    inputs: Mapping[str, str]
    tolerance: str
    table: str
    values: Mapping[str, Value]

    @property
    def link(self) -> Link:
        """The link of the chain that the rule belongs to."""
        return self.rule.link


@dataclass(frozen=True, slots=True)
class Figure:
    """Something that follows from what is printed and has nothing to be held against.

    Attributes
    ----------
    link : Link
        Where in the chain it belongs.
    name : str
        What it is.
    subject : str
        The row, comparison or family.
    sentence : str
        The figure in words.
    table : str
        The table that the subject stands in; empty for none.
    values : Mapping[str, Value]
        The numbers.
    """

    link: Link
    name: str
    subject: str
    sentence: str
    table: str = ""
    values: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Audit:
    """Everything that one description of printed tables gives.

    Attributes
    ----------
    title : str
        What was audited.
    source : str
        Where it is printed.
    design : str
        ``paired`` or ``unpaired``.
    checks : tuple[Check, ...]
        Along the chain, and within a link as the description lists them.
    figures : tuple[Figure, ...]
        In the same order.
    notes : tuple[str, ...]
        What a reader has to know of the description itself.
    """

    title: str
    source: str
    design: str
    checks: tuple[Check, ...]
    figures: tuple[Figure, ...]
    notes: tuple[str, ...]

    @property
    def first_broken(self) -> Check | None:
        """First inconsistent check along the chain; None when there is none."""
        return next((c for c in self.checks if c.verdict is Finding.INCONSISTENT), None)

    @property
    def counts(self) -> dict[str, int]:
        """Number of checks by verdict; verdicts that did not occur are 0."""
        seen = Counter(check.verdict for check in self.checks)
        return {verdict.value: seen[verdict] for verdict in Finding}

    @property
    def counts_by_link(self) -> dict[Link, dict[str, int]]:
        """The same for each link, along the chain."""
        seen = Counter((check.link, check.verdict) for check in self.checks)
        return {link: {v.value: seen[link, v] for v in Finding} for link in CHAIN}
