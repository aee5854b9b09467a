"""What a description file may say: printed tables, comparisons, families and sentences.

Every number keeps its printed decimals. Nearly everything is optional; what is left out limits the
checks, and each check that it limits says so.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from counterbalance.tables.field_types import (
    Count,
    Difference,
    Kappa,
    Name,
    Number,
    Part,
    PValue,
    Share,
    Statistic,
    Text,
    VerdictCell,
)
from counterbalance.tables.printed import Cell

__all__ = [
    "ChangeClaim",
    "Claim",
    "Comparison",
    "Description",
    "Family",
    "MdeClaim",
    "PValueClaim",
    "PrintedTest",
    "Row",
    "SurvivorClaim",
    "Table",
    "TwoOrders",
]

PrintedTest: TypeAlias = Literal["corrected", "asymptotic", "exact", "mid_p", "other"]
"""Variants of McNemar's test; ``other`` is a test that counts cannot give, such as a regression."""

_ONE_PERCENT = Fraction(1, 100)

# Fields to which the unit and the decimals of a table apply.
_CELLS = frozenset({"agreement", "kappa", "score", "standard_error", "tie_rate", "win_rate"})


class TwoOrders(Part):
    """Items by what the two display orders brought, against the reference."""

    both_right: Count
    """Right in both orders."""
    right_and_tie: Count = 0
    """Right in one order, a tie in the other."""
    right_and_missing: Count = 0
    """Right in one order, no verdict in the other."""
    right_and_wrong: Count = 0
    """Right in one order, wrong in the other."""
    never_right: Count = 0
    """Right in neither order."""


class Row(Part):
    """One configuration of a printed table."""

    name: Name
    """Unique within its table."""
    group: str = ""
    """Rows of one group judge the same items, so they share a denominator."""
    n: Count | None = None
    """Units that the row is printed for; the table's when left out."""
    missing: Count = 0
    """Judgments that the source itself calls missing."""
    verdicts: dict[str, VerdictCell] = Field(default_factory=dict)
    """Verdicts by label, as counts or as shares."""
    gold: dict[str, Count] = Field(default_factory=dict)
    """Reference by label; the table's when left out."""
    agreement: Share | None = None
    """Share of units on which the verdict is the reference."""
    agreement_over: Literal["n", "verdicts", "decided"] | None = None
    """Denominator as stated: `n`, `verdicts`, or `decided` (those that are no ties)."""
    kappa: Kappa | None = None
    """Cohen's kappa between verdict and reference."""
    standard_error: Share | None = None
    """Of the agreement, or of the win rate where there is no agreement."""
    standard_error_method: Literal["binomial", "other"] | None = None
    """How the source says it is computed: `binomial`, or `other` (clustered, resampled, fitted)."""
    interval: tuple[Number, Number] | None = None
    """Limits printed beside the agreement or the win rate."""
    tie_rate: Share | None = None
    """Share of verdicts that are ties."""
    tie_rule_of: str = ""
    """Row whose judge this one asks in both orders, calling disagreements tied."""
    same_first_call: bool = False
    """Whether the first of both calls is the call of that row, not one made anew."""
    wins: Count | None = None
    """Units that the system wins."""
    losses: Count | None = None
    """Units that it loses."""
    ties: Count | None = None
    """Units that are tied."""
    win_rate: Share | None = None
    """Win rate of the system."""
    win_rate_counts: Literal["half_ties", "wins", "decided"] | None = None
    """What it is said to count: `half_ties`, `wins` only, or wins among `decided` units."""
    two_orders: TwoOrders | None = None
    """Items by what both orders brought; for a score that is made of both."""
    score: Share | None = None
    """Score over both orders."""
    score_means: Literal["both", "net", "half"] | None = None
    """What it is said to count: right in `both` orders, `net` right, or `half` for each order."""
    clusters: Count | None = None
    """Distinct prompts or sources behind the units; the table's when left out."""
    measures: dict[str, Number] = Field(default_factory=dict)
    """Printed figures by the names of our measures, for `audit --against`."""
    log: dict[Literal["judge", "strategy", "subset"], str] = Field(default_factory=dict)
    """Group of a log that the row is about, for `audit --against`."""


class Table(Part):
    """One printed table."""

    name: Name
    """Unique within the file."""
    n: Count | None = None
    """Units of every row that says nothing else."""
    gold: dict[str, Count] = Field(default_factory=dict)
    """Reference by label, over the units of the table."""
    tie: str = "tie"
    """Label of a tie."""
    unit: Literal["share", "percent"] = "share"
    """What shares without a percent sign are printed in: `share` or `percent`."""
    decimals: dict[str, Annotated[int, Field(ge=0, le=20)]] = Field(default_factory=dict)
    """Decimals of a column, where a file has lost trailing zeros."""
    clusters: Count | None = None
    """Distinct prompts or sources behind the units."""
    rows: tuple[Row, ...] = ()
    """The configurations."""

    @model_validator(mode="before")
    @classmethod
    def _cells_know_their_column(cls, value: Any) -> Any:  # noqa: ANN401 (any decoded value)
        """Hand the unit and the decimals of the table to each cell."""
        if not isinstance(value, dict) or not isinstance(value.get("rows"), list):
            return value
        decimals = value.get("decimals")
        places = decimals if isinstance(decimals, dict) else {}
        is_percent = value.get("unit") == "percent"
        rows = [_with_cells(row, places, is_percent=is_percent) for row in value["rows"]]
        return {**value, "rows": rows}

    @model_validator(mode="after")
    def _percent_is_percent(self) -> Self:
        """Refuse a table in percent whose shares are all printed as proportions."""
        cells = [x for row in self.rows for x in (row.agreement, row.tie_rate, row.win_rate)]
        bare = [x for x in cells if x is not None and "%" not in x.text and x.value]
        if self.unit == "percent" and bare and all(x.value <= _ONE_PERCENT for x in bare):
            shown = ", ".join(x.text for x in bare[:3])
            message = f'unit is "percent", and no share is above 1 ({shown}); leave unit out'
            raise ValueError(message)
        return self

    @model_validator(mode="after")
    def _names_are_unique(self) -> Self:
        _refuse_twice("row", (row.name for row in self.rows))
        return self


class Comparison(Part):
    """One printed comparison of two rows."""

    name: Name
    """Unique within the file."""
    table: str = ""
    """Table of both rows; may be left out when the file has one table."""
    base: str = ""
    """Row that is compared with."""
    new: str = ""
    """Row that is compared."""
    n: Count | None = None
    """Units that both rows judged."""
    gained: Count | None = None
    """Units that only the new row gets right."""
    lost: Count | None = None
    """Units that only the base row gets right."""
    b: Count | None = None
    """One of both, where the source does not say which; needs `c`."""
    c: Count | None = None
    """The other one."""
    difference: Difference | None = None
    """Agreement of the new row minus that of the base."""
    chi_square: Statistic | None = None
    """Test statistic."""
    p: PValue | None = None
    """Two-sided p-value."""
    test: PrintedTest | None = None
    """`corrected`, `asymptotic`, `exact`, `mid_p` or `other`; left out, every variant is tried."""
    survives: bool | None = None
    """Whether the source marks it as significant after correction."""

    @model_validator(mode="after")
    def _counts_come_in_pairs(self) -> Self:
        for one, other in (("gained", "lost"), ("b", "c")):
            if (getattr(self, one) is None) != (getattr(self, other) is None):
                message = f"{one} and {other} go together; give both"
                raise ValueError(message)
        if self.gained is not None and self.b is not None:
            message = "gained and lost stand beside b and c; give one pair of them"
            raise ValueError(message)
        return self


class Family(Part):
    """A correction for several comparisons."""

    name: Name
    """Unique within the file."""
    m: Count
    """Comparisons in the family as stated, disclosed or not."""
    method: Literal["holm", "benjamini_hochberg"] | None = None
    """`holm` or `benjamini_hochberg`; left out, both are followed."""
    comparisons: tuple[str, ...] = ()
    """Names of comparisons of the family, with or without a p-value."""
    p_values: dict[str, PValue] = Field(default_factory=dict)
    """Further disclosed p-values by name."""
    undisclosed: Literal["unknown", "larger"] = "unknown"
    """What is said of other p-values: `unknown`, or `larger` than all that are disclosed."""

    @model_validator(mode="after")
    def _family_holds_its_members(self) -> Self:
        _refuse_twice("comparison", [*self.comparisons, *self.p_values])
        n = len(self.comparisons) + len(self.p_values)
        if n > self.m or not self.m:
            message = (
                f"{n} p-values and comparisons in a family of m = {self.m}; m counts all that"
                " the source corrected for"
            )
            raise ValueError(message)
        return self


class SurvivorClaim(Part):
    """A sentence that says how many comparisons, or which, survive a correction."""

    kind: Literal["survivors"]
    where: Name
    """Where the sentence stands."""
    families: tuple[str, ...]
    """Readings of it: families that it may be about."""
    count: Count | None = None
    """How many survive."""
    names: tuple[str, ...] = ()
    """Which survive."""


class PValueClaim(Part):
    """A sentence that quotes the p-value of two rows."""

    kind: Literal["p_value"]
    where: Name
    base: str
    """Row that is compared with."""
    new: str
    """Row that is compared."""
    table: str = ""
    """Table of both rows."""
    p: PValue
    """The p-value quoted."""


class ChangeClaim(Part):
    """A sentence that says how a quantity changes from one row to another."""

    kind: Literal["change"]
    where: Name
    quantity: Literal["tie_rate", "agreement", "kappa", "win_rate"]
    table: str = ""
    """Table of the rows; may be left out when the file has one table."""
    changes: tuple[tuple[str, str], ...]
    """Pairs of rows: from, to."""
    says: Literal["falls", "rises", "does_not_change"]
    """`falls`, `rises` or `does_not_change`."""


class MdeClaim(Part):
    """A sentence that names the smallest difference that the study can detect."""

    kind: Literal["mde"]
    where: Name
    n: Count | None = None
    """Units; those of the comparisons when left out."""
    discordant: Count | None = None
    """Units that exactly one row gets right; those of the comparisons when left out."""
    low: Difference
    """Least difference named."""
    high: Difference | None = None
    """Greatest difference named; the same when left out."""


Claim: TypeAlias = Annotated[
    SurvivorClaim | PValueClaim | ChangeClaim | MdeClaim, Field(discriminator="kind")
]


class Description(Part):
    """A whole description file."""

    title: Name
    source: Text = ""
    """Where the figures are printed."""
    note: Text = ""
    """What a reader of the audit has to know."""
    design: Literal["paired", "unpaired"] = "paired"
    """Whether all rows of a table judge the same units: `paired` or `unpaired`."""
    error_rate: Annotated[float, Field(gt=0, lt=1)] | None = None
    """Rate that tests and corrections of the source hold."""
    power: Annotated[float, Field(gt=0, lt=1)] | None = None
    """Power that the source plans for."""
    tables: tuple[Table, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    families: tuple[Family, ...] = ()
    claims: tuple[Claim, ...] = ()

    @model_validator(mode="after")
    def _names_lead_somewhere(self) -> Self:
        _refuse_twice("table", (table.name for table in self.tables))
        _refuse_twice("comparison", (c.name for c in self.comparisons))
        _refuse_twice("family", (f.name for f in self.families))
        return self


def _with_cells(row: Any, places: dict[str, Any], *, is_percent: bool) -> Any:  # noqa: ANN401
    if not isinstance(row, dict):
        return row
    return {key: _with_cell(key, x, places.get(key), is_percent) for key, x in row.items()}


def _with_cell(key: str, given: Any, places: Any, is_percent: bool) -> Any:  # noqa: ANN401, FBT001
    decimals = places if isinstance(places, int) else None
    cell = Cell(None, is_percent=is_percent and key != "kappa", decimals=decimals)
    if key in _CELLS:
        return replace(cell, raw=given)
    if key == "interval" and isinstance(given, list):
        return [replace(cell, raw=limit) for limit in given]
    if key in {"measures", "verdicts"} and isinstance(given, dict):
        return {label: replace(cell, raw=share) for label, share in given.items()}
    return given


def _refuse_twice(what: str, names: Any) -> None:  # noqa: ANN401 (an iterable of names)
    name, n = next(iter(Counter(names).most_common(1)), ("", 0))
    if n > 1:
        message = f"the {what} {name!r} is described {n} times; give each its own name"
        raise ValueError(message)
