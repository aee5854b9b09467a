"""The verdicts of a row add up to the units it is printed for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.tables.check import Check, Figure, Ground, Link, Rule
from counterbalance.tables.printed import Printed
from counterbalance.tables.wording import between, inputs_of, rounding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from counterbalance.tables.lines import Line

__all__ = [
    "ADD_UP",
    "GOLD_ADDS_UP",
    "SHARES_ADD_UP",
    "missing_bounds",
    "reference_checks",
    "row_checks",
]

ADD_UP = Rule(
    "rows_add_up",
    Link.ROWS,
    "the verdicts of a row, with those that the source calls missing, add up to its n",
)
SHARES_ADD_UP = Rule(
    "shares_add_up",
    Link.ROWS,
    "printed shares of the verdicts add up to 1 within their rounding",
)
GOLD_ADDS_UP = Rule(
    "reference_adds_up",
    Link.ROWS,
    "the marginals of the reference add up to the units that it is printed for",
)


def reference_checks(lines: Iterable[Line]) -> Iterator[Check]:
    """Yield, for each table and each row with a reference of its own, whether it adds up."""
    seen: set[str] = set()
    for line in lines:
        if line.row.gold:
            yield _reference(line.name, line, line.row.gold, line.n)
        elif line.table.gold and line.table.name not in seen:
            seen.add(line.table.name)
            yield _reference(line.table.name, line, line.table.gold, line.table.n)


def row_checks(line: Line) -> Iterator[Check]:
    """Yield what a row's verdicts say; nothing for a row without verdicts."""
    if not line.row.verdicts:
        return
    shares = [x for x in line.row.verdicts.values() if isinstance(x, Printed)]
    if shares:
        yield _shares(line, shares)
    if not shares or line.counts is not None:
        yield _sum(line)


def missing_bounds(line: Line) -> Figure | None:
    """Return the agreement over all units, if missing judgments were all wrong or all right.

    Parameters
    ----------
    line : Line
        A row with fewer verdicts than units.

    Returns
    -------
    Figure | None
        None where nothing is missing, or the agreement is not known.
    """
    n, scored, agreeing = line.n, line.n_verdicts, line.agreeing
    if n is None or scored is None or not agreeing or line.scored != scored or scored >= n:
        return None
    missing = n - scored
    low, high = agreeing[0] / n, (agreeing[-1] + missing) / n
    sentence = (
        f"{missing} of {n} judgments missing: the agreement over all {n} is {low:.4f} if they"
        f" are wrong and {high:.4f} if they are right"
    )
    values = {"missing": missing, "n": n, "missing_wrong": low, "missing_right": high}
    return Figure(Link.ROWS, "missing_bounds", line.name, sentence, line.table.name, values)


def _reference(subject: str, line: Line, gold: Mapping[str, int], n: int | None) -> Check:
    total = sum(gold.values())
    found = f"the reference has {total} units"
    fits = None if n is None else total == n
    if n is None:
        found += ", and no n is printed; give n to check it"
    elif not fits:
        found += f" where {n} are printed"
    ground = Ground(line.table.name, inputs_of(n=n, gold=dict(gold)))
    return GOLD_ADDS_UP.check(subject, fits, found, ground=ground)


def _shares(line: Line, shares: list[Printed]) -> Check:
    low, high = sum(x.low for x in shares), sum(x.high for x in shares)
    counted = len(line.row.verdicts) - len(shares)
    fits = None if counted else low <= 1 <= high
    found = f"the shares add up to {between(low, high)}"
    if counted:
        found = "counts and shares stand in one row; print one kind"
    elif not fits:
        missing = 1 - sum(x.value for x in shares)
        found += (
            f", {float(missing):+.4f} short of 1; a category is left out" if missing > 0 else ""
        )
    return SHARES_ADD_UP.check(
        line.name,
        fits,
        found,
        ground=Ground(line.table.name, inputs_of(verdicts=line.row.verdicts), rounding(*shares)),
    )


def _sum(line: Line) -> Check:
    total, n, declared = line.n_verdicts or 0, line.n, line.row.missing
    inputs = inputs_of(n=n, verdicts=line.row.verdicts, missing=declared or None)
    if n is None:
        found = f"the verdicts add up to {total}, and no n is printed; give n to check it"
        return ADD_UP.check(line.name, None, found, ground=Ground(line.table.name, inputs))
    short = n - total - declared
    values = {"n": n, "sum": total, "missing": declared, "short": short}
    return ADD_UP.check(
        line.name,
        short == 0,
        _said(line, total, n, short),
        ground=Ground(line.table.name, inputs),
        values=values,
    )


def _said(line: Line, total: int, n: int, short: int) -> str:
    declared = f" and {line.row.missing} declared missing" if line.row.missing else ""
    if short == 0:
        return f"{total}{declared} make {n}"
    if short < 0:
        return f"{total} verdicts{declared} for {n} units: {-short} too many"
    said = f"{total} verdicts{declared} for {n} units: {short} missing without a word"
    if line.n_ties is None:
        said += f'; no label is "{line.table.tie}": if ties were left out, print them'
    return said
