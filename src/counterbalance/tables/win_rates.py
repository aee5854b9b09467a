"""Win rates with ties, and scores over two display orders."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from counterbalance.tables.check import Check, Ground, Link, Rule
from counterbalance.tables.counts import counts_over
from counterbalance.tables.wording import decimal, inputs_of, listed, rounding, span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.tables.description import TwoOrders
    from counterbalance.tables.lines import Line
    from counterbalance.tables.printed import Printed

__all__ = ["OUTCOMES", "TWO_ORDERS", "WIN_RATE", "win_rate_checks"]

OUTCOMES = Rule("outcomes_add_up", Link.WIN_RATES, "wins, ties and losses add up to n")
WIN_RATE = Rule(
    "win_rate",
    Link.WIN_RATES,
    "the win rate is that of wins, ties and losses by the convention that the source names, or else"
    " by any: ties half, wins only, decided units only",
)
TWO_ORDERS = Rule(
    "two_order_score",
    Link.WIN_RATES,
    "the score is what the source says that it counts: right in both orders, right more often than"
    " wrong, or the mean of both orders",
)

_MEANS = {
    "both": "right in both orders",
    "net": "right more often than wrong, so one right order and no wrong one suffice",
    "half": "the mean of both orders",
}
_COUNTS = {"half_ties": "ties half", "wins": "wins only", "decided": "decided units only"}


def win_rate_checks(line: Line) -> Iterator[Check]:
    """Yield what wins, ties, losses and both orders say of the rates beside them."""
    row = line.row
    if None not in (row.wins, row.losses):
        yield _outcomes(line)
    # Without outcomes or a convention it may be a mean of weighted preferences: any number.
    if row.win_rate is not None and (row.wins is not None or row.win_rate_counts):
        yield _win_rate(line, row.win_rate)
    if row.two_orders is not None and row.score is not None:
        yield _two_orders(line, row.two_orders, row.score)


def _outcomes(line: Line) -> Check:
    row = line.row
    total = (row.wins or 0) + (row.ties or 0) + (row.losses or 0)
    inputs = inputs_of(n=line.n, wins=row.wins, ties=row.ties, losses=row.losses)
    found = f"{total} outcomes" + ("" if line.n is None else f" for {line.n} units")
    if row.ties is None:
        found += "; ties are not printed, and units may be left out as ties"
    fits = None if line.n is None or (row.ties is None and total < line.n) else total == line.n
    return OUTCOMES.check(line.name, fits, found, ground=Ground(line.table.name, inputs))


def _win_rate(line: Line, rate: Printed) -> Check:
    row = line.row
    inputs = inputs_of(
        win_rate=rate, wins=row.wins, ties=row.ties, losses=row.losses, n=line.n,
        counts=row.win_rate_counts,
    )  # fmt: skip
    ground = Ground(table=line.table.name, inputs=inputs, tolerance=rounding(rate))
    if row.wins is None or row.losses is None:
        return _without_outcomes(line, rate, ground)
    ties = row.ties or 0
    total, decided = row.wins + ties + row.losses, row.wins + row.losses
    by = {}
    if total:
        by["half_ties"] = (row.wins + Fraction(ties, 2)) / total
        by["wins"] = Fraction(row.wins, total)
    if decided:
        by["decided"] = Fraction(row.wins, decided)
    fitting = [name for name, value in by.items() if rate.holds(value)]
    named = row.win_rate_counts
    fits = named in fitting if named else bool(fitting)
    shown = ", ".join(f"{_COUNTS[name]} {decimal(value)}" for name, value in by.items())
    found = f"{shown}; printed is {listed(_COUNTS[x] for x in fitting)}"
    values = {name: float(value) for name, value in by.items()}
    return WIN_RATE.check(line.name, fits, found, values=values, ground=ground)


def _without_outcomes(line: Line, rate: Printed, ground: Ground) -> Check:
    if line.n is None:
        return WIN_RATE.check(line.name, None, "no outcomes and no n are printed", ground=ground)
    halves = counts_over(rate, 2 * line.n)
    found = f"it is {span(halves)} half wins of {line.n} units"
    return WIN_RATE.check(line.name, bool(halves), found, ground=ground)


def _two_orders(line: Line, orders: TwoOrders, score: Printed) -> Check:
    one_right = orders.right_and_tie + orders.right_and_missing + orders.right_and_wrong
    total = orders.both_right + one_right + orders.never_right
    ground = Ground(
        table=line.table.name,
        inputs=inputs_of(score=score, means=line.row.score_means, **orders.model_dump()),
        tolerance=rounding(score),
    )
    if not total:
        return TWO_ORDERS.check(line.name, None, "no items are printed", ground=ground)
    if line.n is not None and line.n != total:
        found = f"the items by both orders add up to {total}, not to the printed {line.n}"
        return TWO_ORDERS.check(line.name, False, found, ground=ground)  # noqa: FBT003
    net = orders.both_right + orders.right_and_tie + orders.right_and_missing
    by = {
        "both": Fraction(orders.both_right, total),
        "net": Fraction(net, total),
        "half": (orders.both_right + Fraction(one_right, 2)) / total,
    }
    fitting = [name for name, value in by.items() if score.holds(value)]
    named = line.row.score_means
    fits = named in fitting if named else bool(fitting)
    shown = ", ".join(f"{name} {decimal(value)}" for name, value in by.items())
    found = f"{shown}; printed is {listed(_MEANS[x] for x in fitting)}"
    values = {name: float(value) for name, value in by.items()}
    return TWO_ORDERS.check(line.name, fits, found, values=values, ground=ground)
