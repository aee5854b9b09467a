"""Sentences that say how a quantity changes from one row to another, held against the table."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from counterbalance.tables.check import Check, Ground, Link, Rule
from counterbalance.tables.wording import inputs_of, listed, points, rounding

if TYPE_CHECKING:
    from collections.abc import Mapping

    from counterbalance.tables.description import ChangeClaim
    from counterbalance.tables.lines import Line
    from counterbalance.tables.printed import Printed

__all__ = ["CHANGE", "change_check"]

CHANGE = Rule(
    "claimed_change",
    Link.TIES,
    "the table shows the change that a sentence names, for every pair of rows that it names",
)

Range = tuple[Fraction, Fraction]


def change_check(claim: ChangeClaim, lines: Mapping[tuple[str, str], Line]) -> Check:
    """Hold a sentence about changes against the rows.

    Parameters
    ----------
    claim : ChangeClaim
        The sentence.
    lines : Mapping[tuple[str, str], Line]
        All rows by table and name.

    Returns
    -------
    Check
        Inconsistent as soon as one pair of rows changes otherwise.
    """
    table = claim.table or next((name for name, _ in lines), "")
    against, unknown, shown, cells = [], [], [], []
    for before, after in claim.changes:
        ends = [_range(lines.get((table, name)), claim.quantity) for name in (before, after)]
        if ends[0] is None or ends[1] is None:
            unknown.append(f"{before} to {after}")
            continue
        cells += [_cell(lines[table, name], claim.quantity) for name in (before, after)]
        low, high = ends[1][0] - ends[0][1], ends[1][1] - ends[0][0]
        shown.append(f"{before} to {after} {points((low + high) / 2)}")
        if not _fits(claim.says, low, high):
            against.append(f"{before} to {after}")
    verdict = False if against else None if unknown else True
    found = listed(shown, 6)
    if against:
        found += f"; against the sentence: {listed(against, 6)}"
    if unknown:
        found += f"; not printed: {listed(unknown, 6)}"
    says = f"{claim.quantity} {claim.says}"
    return CHANGE.check(
        claim.where,
        verdict,
        found,
        ground=Ground(
            table,
            inputs_of(says=says, rows=", ".join(" to ".join(pair) for pair in claim.changes)),
            rounding(*cells),
        ),
        values={"against": [*against]},
    )


def _fits(says: str, low: Fraction, high: Fraction) -> bool:
    """Say whether some value within the rounding does what is said."""
    return {"falls": low < 0, "rises": high > 0, "does_not_change": low <= 0 <= high}[says]


def _cell(line: Line, quantity: str) -> Printed | None:
    cell: Printed | None = getattr(line.row, quantity)
    return cell


def _range(line: Line | None, quantity: str) -> Range | None:
    """Return the least and the greatest value that a row's quantity can have."""
    if line is None:
        return None
    if quantity == "tie_rate" and line.n_ties is not None and line.n_verdicts:
        share = Fraction(line.n_ties, line.n_verdicts)
        return share, share
    if quantity == "agreement" and line.agreeing and line.scored:
        return Fraction(line.agreeing[0], line.scored), Fraction(line.agreeing[-1], line.scored)
    cell = _cell(line, quantity)
    return None if cell is None else (cell.low, cell.high)
