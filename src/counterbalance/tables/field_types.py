"""Kinds of values in a description file: printed numbers, counts, names and texts."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, InstanceOf, StringConstraints

from counterbalance.tables.printed import (
    Cell,
    Printed,
    count_of,
    printed_difference,
    printed_kappa,
    printed_number,
    printed_p,
    printed_share,
    printed_statistic,
)

__all__ = [
    "Count",
    "Difference",
    "Kappa",
    "Name",
    "Number",
    "PValue",
    "Part",
    "Share",
    "Statistic",
    "Text",
    "VerdictCell",
]


class Part(BaseModel):
    """A table of the description; an unknown key is an error, not a wish that is passed over."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


def _verdict_cell(given: object) -> int | Printed:
    """Return a count where a whole number is printed, and a share otherwise."""
    raw = given.raw if isinstance(given, Cell) else given
    is_whole = isinstance(raw, int) or (isinstance(raw, str) and raw.strip().isdigit())
    return count_of(raw) if is_whole else printed_share(given)


Name: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=200, strict=True)]
Text: TypeAlias = Annotated[str, StringConstraints(max_length=4000, strict=True)]
Share: TypeAlias = Annotated[InstanceOf[Printed], BeforeValidator(printed_share)]
Number: TypeAlias = Annotated[InstanceOf[Printed], BeforeValidator(printed_number)]
Difference: TypeAlias = Annotated[InstanceOf[Printed], BeforeValidator(printed_difference)]
Kappa: TypeAlias = Annotated[InstanceOf[Printed], BeforeValidator(printed_kappa)]
Statistic: TypeAlias = Annotated[InstanceOf[Printed], BeforeValidator(printed_statistic)]
PValue: TypeAlias = Annotated[InstanceOf[Printed], BeforeValidator(printed_p)]
Count: TypeAlias = Annotated[int, BeforeValidator(count_of)]
VerdictCell: TypeAlias = Annotated[int | InstanceOf[Printed], BeforeValidator(_verdict_cell)]
