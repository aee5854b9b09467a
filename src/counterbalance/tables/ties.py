"""Ties, their rate, and what calling disagreements tied can do."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from counterbalance.statistics import Undefined, tie_rule_bounds
from counterbalance.tables.check import Check, Figure, Ground, Link, Rule
from counterbalance.tables.counts import counts_over
from counterbalance.tables.wording import between, inputs_of, points, rounding, span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from counterbalance.statistics import TieRuleBounds
    from counterbalance.tables.lines import Line

__all__ = ["IDENTITY", "NO_GOLD_TIES", "TIE_RATE", "tie_checks", "tie_rule_figure"]

TIE_RATE = Rule("tie_rate", Link.TIES, "the tie rate is the ties over the verdicts or over n")
IDENTITY = Rule(
    "tie_rule_identity",
    Link.TIES,
    "calling disagreements tied changes the agreement by at most the share of ties, and on the same"
    " first call by no more than can disagree",
)
NO_GOLD_TIES = Rule(
    "no_reference_ties",
    Link.TIES,
    "where the reference knows no tie, calling disagreements tied cannot gain on the same first"
    " call",
)


def tie_checks(line: Line, lines: Mapping[tuple[str, str], Line]) -> Iterator[Check]:
    """Yield what the ties of a row say."""
    if line.row.tie_rate is not None:
        yield _rate(line)
    base = lines.get((line.table.name, line.row.tie_rule_of))
    if base is not None:
        yield _identity(line, base)
        if line.gold and not line.gold.get(line.table.tie):
            yield _no_gold_ties(line, base)


def tie_rule_figure(line: Line, lines: Mapping[tuple[str, str], Line]) -> Figure | None:
    """Return the bounds on disagreement and on what ties must be right; None where unknown.

    Parameters
    ----------
    line : Line
        A row that calls disagreements tied.
    lines : Mapping[tuple[str, str], Line]
        All rows by table and name.

    Returns
    -------
    Figure | None
        Bounds of the identity, and how far a naive estimate misses.
    """
    base = lines.get((line.table.name, line.row.tie_rule_of))
    bounds = _bounds(line, base) if base is not None else None
    if bounds is None or bounds.undefined is not None:
        return None
    low, high = bounds.disagreement_low or 0.0, bounds.disagreement_high or 0.0
    misses = [bounds.rule_share - (x or 0.0) for x in (bounds.naive_at_low, bounds.naive_at_high)]
    sentence = (
        f"both calls disagree on {between(low, high)} of the units, since ties may also be said"
        f" twice; there the tie must be right more often than the first call by"
        f" {between(bounds.excess_low or 0.0, bounds.excess_high or 0.0)}; taking disagreements for"
        f" units like all others misses by {points(min(misses))} to {points(max(misses))}"
    )
    if not line.row.same_first_call:
        sentence += "; this holds if the first call is that of the base row, which is not said"
    values = {
        "disagreement_low": low,
        "disagreement_high": high,
        "excess_low": bounds.excess_low,
        "excess_high": bounds.excess_high,
        "naive_at_low": bounds.naive_at_low,
        "naive_at_high": bounds.naive_at_high,
        "rule_share": bounds.rule_share,
    }
    return Figure(Link.TIES, "tie_rule", line.name, sentence, line.table.name, values)


def _rate(line: Line) -> Check:
    rate, ties = line.row.tie_rate, line.n_ties
    inputs = inputs_of(tie_rate=rate, ties=ties, verdicts=line.n_verdicts, n=line.n)
    ground = Ground(table=line.table.name, inputs=inputs, tolerance=rounding(rate))
    over = [x for x in dict.fromkeys((line.n_verdicts, line.n)) if x]
    if rate is None or not over:
        found = "no n and no verdicts are printed, so there is no denominator; give n"
        return TIE_RATE.check(line.name, None, found, ground=ground)
    if ties is None:
        possible = [k for k in (counts_over(rate, x) for x in over) if k]
        found = f"it is {span(possible[0])} of {over[0]}" if possible else "no whole number fits"
        return TIE_RATE.check(line.name, bool(possible), found, ground=ground)
    fits = any(rate.holds(Fraction(ties, x)) for x in over)
    shares = between(ties / max(over), ties / min(over))
    found = f"{ties} ties of {' or '.join(map(str, over))} are {shares}"
    return TIE_RATE.check(line.name, fits, found, ground=ground)


def _bounds(line: Line, base: Line) -> TieRuleBounds | None:
    """Return the bounds, with agreements as exact counts where they are known."""
    gold = sum(line.gold.values())
    ties = (base.n_ties, line.n_ties)
    if None in ties or not line.agreeing or not base.agreeing or not gold:
        return None
    n, tie = line.n_verdicts or 0, line.gold.get(line.table.tie, 0)
    if max(ties[0] or 0, ties[1] or 0) > n or not n or not base.scored:
        return None
    first = _middle(base.agreeing) / base.scored
    rule = _middle(line.agreeing) / n
    return tie_rule_bounds(first, rule, ties[0] or 0, ties[1] or 0, n, tie / gold)


def _middle(counts: range) -> int:
    return counts[len(counts) // 2]


def _identity(line: Line, base: Line) -> Check:
    ground = Ground(
        table=line.table.name,
        inputs=inputs_of(
            base=base.row.agreement, rule=line.row.agreement, base_ties=base.n_ties,
            rule_ties=line.n_ties, n=line.n_verdicts,
        ),
        tolerance=rounding(base.row.agreement, line.row.agreement),
    )  # fmt: skip
    bounds = _bounds(line, base)
    if bounds is None or base.scored != line.scored:
        found = "needs agreement and ties of both rows over the same units, and the reference"
        return IDENTITY.check(line.name, None, found, ground=ground)
    fits = bounds.undefined is not Undefined.CONTRADICTORY
    most = bounds.n_rule_ties / bounds.n_units
    found = (
        f"the agreement changes by {points(bounds.difference)}, of at most {points(most)} that can"
        " disagree"
    )
    if not fits and not line.row.same_first_call:
        found += "; the first call may have been made anew"
        return IDENTITY.check(line.name, None, found, ground=ground)
    return IDENTITY.check(line.name, fits, found, ground=ground)


def _no_gold_ties(line: Line, base: Line) -> Check:
    ground = Ground(
        table=line.table.name,
        inputs=inputs_of(base=base.row.agreement, rule=line.row.agreement),
        tolerance=rounding(base.row.agreement, line.row.agreement),
    )
    if not line.agreeing or not base.agreeing or base.scored != line.scored:
        found = "needs the agreement of both rows over the same units"
        return NO_GOLD_TIES.check(line.name, None, found, ground=ground)
    gain = line.agreeing[0] - base.agreeing[-1]
    fits: bool | None = gain <= 0
    found = f"at least {gain} units are gained" if gain > 0 else "no unit need be gained"
    if not fits and not line.row.same_first_call:
        fits = None
        found += "; the first call may have been made anew"
    return NO_GOLD_TIES.check(line.name, fits, found, ground=ground)
