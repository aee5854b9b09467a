"""Names in a description that stand for a table, row, comparison or family: they must exist."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from counterbalance.errors import one_line
from counterbalance.tables.description import ChangeClaim, PValueClaim, SurvivorClaim

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from counterbalance.tables.description import Claim, Description

__all__ = ["reference_problem"]

Reference = tuple[str, str, str, "Collection[str]"]
"""Place, what is named, the name, and the names that exist."""


def reference_problem(description: Description) -> tuple[str, str] | None:
    """Return the first name that leads nowhere, as a place and a sentence.

    Parameters
    ----------
    description : Description
        The description.

    Returns
    -------
    tuple[str, str] | None
        None when every name leads somewhere.
    """
    for place, what, name, known in _references(description):
        if name not in known:
            return place, _problem(what, name, known)
    return None


def _problem(what: str, name: str, known: Collection[str]) -> str:
    shown = one_line(repr(name), 60)
    if not name:
        return f"no {what} is named, and there are {len(known)}; name one"
    if match := difflib.get_close_matches(name, known, n=1):
        return f"there is no {what} {shown}; did you mean {match[0]!r}?"
    some = ", ".join(list(known)[:6]) + (", ..." if len(known) > 6 else "")  # noqa: PLR2004
    return f"there is no {what} {shown}; there are {some or 'none'}"


def _references(description: Description) -> Iterator[Reference]:
    rows = {table.name: [row.name for row in table.rows] for table in description.tables}
    only = next(iter(rows)) if len(rows) == 1 else ""
    for table in description.tables:
        for row in table.rows:
            if row.tie_rule_of:
                place = f'tables "{table.name}", rows "{row.name}", tie_rule_of'
                yield place, "row", row.tie_rule_of, rows[table.name]
    for c in description.comparisons:
        yield from _of_rows(f'comparisons "{c.name}"', c.table or only, (c.base, c.new), rows)
    comparisons = [comparison.name for comparison in description.comparisons]
    for family in description.families:
        for name in family.comparisons:
            yield f'families "{family.name}", comparisons', "comparison", name, comparisons
    for claim in description.claims:
        yield from _of_claim(claim, description, rows)


def _of_claim(
    claim: Claim, description: Description, rows: dict[str, list[str]]
) -> Iterator[Reference]:
    place = f'claims "{claim.where}"'
    only = next(iter(rows)) if len(rows) == 1 else ""
    match claim:
        case SurvivorClaim():
            families = [family.name for family in description.families]
            for name in claim.families:
                yield f"{place}, families", "family", name, families
        case ChangeClaim():
            names = [name for pair in claim.changes for name in pair]
            yield from _of_rows(place, claim.table or only, names, rows)
        case PValueClaim() if claim.table:
            yield from _of_rows(place, claim.table, (claim.base, claim.new), rows)
        case _:
            pass


def _of_rows(
    place: str, table: str, names: Collection[str], rows: dict[str, list[str]]
) -> Iterator[Reference]:
    named = [name for name in names if name]
    if not named or not rows:
        return
    yield f"{place}, table", "table", table, rows
    for name in named:
        yield place, "row", name, rows.get(table, [])
