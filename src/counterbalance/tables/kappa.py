"""Kappa from marginals and agreement, and back, over the units that have a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from counterbalance.tables.check import Check, Ground, Link, Rule
from counterbalance.tables.kappa_slips import fitting_slips
from counterbalance.tables.marginals import Marginals, kappa_of, marginals_of
from counterbalance.tables.wording import between, decimal, inputs_of, rounding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.tables.check import Value
    from counterbalance.tables.lines import Line
    from counterbalance.tables.printed import Printed

__all__ = ["KAPPA", "OVERLAP", "kappa_checks"]

OVERLAP = Rule(
    "agreement_within_marginals",
    Link.KAPPA,
    "verdicts agree with the reference at most as often as their marginals overlap",
)
KAPPA = Rule(
    "kappa_from_marginals",
    Link.KAPPA,
    "kappa follows from the agreement and both marginals, divided by the units with a verdict",
)


def kappa_checks(line: Line) -> Iterator[Check]:
    """Yield what verdicts, reference, agreement and kappa of a row say of one another."""
    if line.row.kappa is None and (line.agreeing is None or not line.gold or line.counts is None):
        return
    reason = _reason(line)
    if reason:
        if line.row.kappa is not None:
            yield KAPPA.check(line.name, None, reason, ground=_ground(line))
        return
    marginals = marginals_of(line.counts or {}, line.gold)
    overlap = _overlap(line, marginals)
    if overlap is not None:
        yield overlap
    if line.row.kappa is not None:
        yield _kappa(line, marginals, line.row.kappa)


def _ground(line: Line) -> Ground:
    return Ground(
        table=line.table.name,
        inputs=inputs_of(
            verdicts=line.counts, gold=dict(line.gold), agreement=line.row.agreement,
            kappa=line.row.kappa,
        ),
        tolerance=rounding(line.row.agreement, line.row.kappa),
    )  # fmt: skip


def _reason(line: Line) -> str | None:
    """Return why kappa cannot be computed, None when it can."""
    obstacles = {
        "the row's verdicts are not printed; kappa needs both marginals": not line.row.verdicts,
        "the printed shares leave several counts of verdicts; kappa needs the counts": (
            line.counts is None
        ),
        "the reference's marginals are not printed, see the rule feasible_gold": not line.gold,
        "no agreement is printed to hold kappa against": line.row.agreement is None,
        "the agreement is no possible count over the verdicts, see the denominators": (
            not line.agreeing or not line.n_verdicts or line.scored != line.n_verdicts
        ),
        "the row has more verdicts than the reference has units": (
            (line.n_verdicts or 0) > sum(line.gold.values())
        ),
    }
    return next((reason for reason, is_there in obstacles.items() if is_there), None)


def _overlap(line: Line, marginals: Marginals) -> Check | None:
    """Hold the agreement against the overlap of both marginals, before any unit is left out."""
    agreeing = line.agreeing or range(0)
    _, most = marginals.diagonal(marginals.gold)
    least = max(0, marginals.diagonal(marginals.gold)[0] - marginals.n_left_out)
    fits = agreeing[0] <= most and agreeing[-1] >= least
    n = marginals.n_scored
    found = f"the marginals allow {least} to {most} of {n}; the agreement is {agreeing[0]} of {n}"
    return OVERLAP.check(line.name, fits, found, ground=_ground(line))


@dataclass(frozen=True, slots=True)
class _Range:
    """Values of kappa that the other figures allow.

    Attributes
    ----------
    low : Fraction
        Least.
    high : Fraction
        Greatest.
    n_references : int | None
        References of the scored units that were tried; None where only the ends were.
    n_fitting : int | None
        Of these, references with which kappa prints as it does.
    """

    low: Fraction
    high: Fraction
    n_references: int | None
    n_fitting: int | None


def _kappa(line: Line, marginals: Marginals, printed: Printed) -> Check:
    allowed = _allowed(line, marginals, printed)
    if allowed is None:
        found = "chance alone would agree throughout, so kappa has no value"
        return KAPPA.check(line.name, None, found, ground=_ground(line))
    fits = printed.holds(allowed.low, allowed.high) and allowed.n_fitting != 0
    back = _back(marginals, printed)
    found = f"the other figures give {between(allowed.low, allowed.high)}"
    found += f"; back from kappa the agreement is {between(*back)}"
    values: dict[str, Value] = {
        "low": float(allowed.low),
        "high": float(allowed.high),
        "agreement_low": float(back[0]),
        "agreement_high": float(back[1]),
        "scored": marginals.n_scored,
    }
    if marginals.n_left_out:
        values |= {"references": allowed.n_references, "references_fitting": allowed.n_fitting}
        found += _about_left_out(line, marginals, printed, allowed)
    if not fits:
        slips = fitting_slips(line, marginals, printed)
        values["slips"] = [slip.name for slip in slips]
        found += "".join(f"; it fits {slip.says}" for slip in slips)
    return KAPPA.check(line.name, fits, found, values=values, ground=_ground(line))


def _allowed(line: Line, marginals: Marginals, printed: Printed) -> _Range | None:
    agreeing, n = line.agreeing or range(0), marginals.n_scored
    references = marginals.references()
    if references is None:
        ends = [
            kappa_of(Fraction(k, n), Fraction(product, n * n))
            for k in (agreeing[0], agreeing[-1])
            for product in marginals.products
        ]
        known = [x for x in ends if x is not None]
        return _Range(min(known), max(known), None, None) if known else None
    found: list[Fraction] = []
    tried = fitting = 0
    for gold in references:
        values = list(_values(marginals, gold, agreeing))
        tried += bool(values)
        fitting += any(printed.holds(x) for x in values)
        found += values
    return _Range(min(found), max(found), tried, fitting) if found else _unbound(line, marginals)


def _unbound(line: Line, marginals: Marginals) -> _Range | None:
    """Return kappa of an agreement that the marginals do not allow: another rule tells of it."""
    n, agreeing = marginals.n_scored, line.agreeing or range(0)
    expected = Fraction(marginals.products[0], n * n)
    value = kappa_of(Fraction(agreeing[0], n), expected)
    return None if value is None else _Range(value, value, None, None)


def _values(marginals: Marginals, gold: tuple[int, ...], agreeing: range) -> Iterator[Fraction]:
    n = marginals.n_scored
    low, high = marginals.diagonal(gold)
    product = sum(v * g for v, g in zip(marginals.verdicts, gold, strict=True))
    expected = Fraction(product, n * n)
    for k in agreeing:
        value = kappa_of(Fraction(k, n), expected)
        if value is not None and low <= k <= high:
            yield value


def _back(marginals: Marginals, printed: Printed) -> tuple[Fraction, Fraction]:
    """Return the agreement that the printed kappa stands for, with the reference normalised."""
    low, high = (Fraction(x, marginals.n_scored**2) for x in marginals.products)
    ends = [k * (1 - e) + e for k in (printed.low, printed.high) for e in (low, high)]
    return min(ends), max(ends)


def _about_left_out(line: Line, marginals: Marginals, printed: Printed, allowed: _Range) -> str:
    whole = sum(v * g for v, g in zip(marginals.verdicts, marginals.gold, strict=True))
    total = sum(marginals.gold)
    slip = printed.value * (1 - Fraction(whole, total**2)) + Fraction(whole, total**2)
    said = f"; {marginals.n_left_out} of {total} references belong to no verdict, any of which may"
    said += " be left out"
    if allowed.n_references is not None:
        said += f" ({allowed.n_fitting} of {allowed.n_references} ways fit)"
    said += (
        f"; dividing the row of {marginals.n_scored} by {total} would give an agreement of"
        f" {decimal(slip)} and is not done"
    )
    return said if line.row.agreement is not None else ""
