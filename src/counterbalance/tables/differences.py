"""The printed difference is that of the agreements, and (gained - lost) / n."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from counterbalance.tables.check import Check, Figure, Ground, Link, Rule
from counterbalance.tables.wording import inputs_of, points, rounding, span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.tables.check import Value
    from counterbalance.tables.pairing import Pairing

__all__ = ["DIFFERENCE", "NET", "WITHIN", "difference_bounds", "difference_checks"]

DIFFERENCE = Rule(
    "printed_difference",
    Link.DIFFERENCES,
    "the printed difference is the agreement of the new row minus that of the base",
)
NET = Rule(
    "net_gain",
    Link.DIFFERENCES,
    "gained minus lost over n is the difference of the agreements, whatever the letters",
)
WITHIN = Rule(
    "counts_within_rows",
    Link.DIFFERENCES,
    "no more units are gained than the base misses or the new row gets, and none are lost that the"
    " base does not get or the new row does not miss",
)


def difference_checks(pairing: Pairing, *, is_paired: bool) -> Iterator[Check]:
    """Yield what the difference, the rows and the counts of a comparison say of one another."""
    if pairing.printed.difference is not None and pairing.base and pairing.new:
        yield _difference(pairing)
    if is_paired and pairing.counts is not None:
        yield _net(pairing, pairing.counts)
        if pairing.agreeing is not None and pairing.n:
            yield _within(pairing, pairing.counts, pairing.agreeing, pairing.n)


def difference_bounds(pairing: Pairing) -> Figure | None:
    """Return the difference over all units, if missing judgments were all wrong or all right.

    Parameters
    ----------
    pairing : Pairing
        A comparison of rows with different numbers of verdicts.

    Returns
    -------
    Figure | None
        None where both rows have a verdict for every unit, or something needed is not printed.
    """
    base, new = pairing.base, pairing.new
    if base is None or new is None or not base.agreeing or not new.agreeing:
        return None
    n = base.n
    if n is None or n != new.n or None in pairing.sizes:
        return None
    missing_base, missing_new = n - (base.scored or 0), n - (new.scored or 0)
    if not missing_base and not missing_new:
        return None
    wrong = (new.agreeing[0] - base.agreeing[-1], new.agreeing[-1] - base.agreeing[0])
    low, high = Fraction(wrong[0] - missing_base, n), Fraction(wrong[1] + missing_new, n)
    as_wrong = Fraction(wrong[0], n), Fraction(wrong[1], n)
    shown = points(as_wrong[0]) if wrong[0] == wrong[1] else " to ".join(map(points, as_wrong))
    sentence = (
        f"judgments missing: {missing_base + missing_new}; over all {n} units the difference is"
        f" {shown} if these are wrong, and from {points(low)} to {points(high)} whatever they are"
    )
    values = {
        "missing_base": missing_base,
        "missing_new": missing_new,
        "missing_wrong_low": float(as_wrong[0]),
        "missing_wrong_high": float(as_wrong[1]),
        "low": float(low),
        "high": float(high),
    }
    return Figure(
        Link.DIFFERENCES, "difference_bounds", pairing.name, sentence, pairing.table, values
    )


def _difference(pairing: Pairing) -> Check:
    printed = pairing.printed.difference
    base = pairing.base.row.agreement if pairing.base else None
    new = pairing.new.row.agreement if pairing.new else None
    ground = Ground(
        table=pairing.table,
        inputs=inputs_of(base=base, new=new, difference=printed),
        tolerance=rounding(base, new, printed),
    )
    if printed is None or base is None or new is None:
        found = "an agreement of one of both rows is not printed"
        return DIFFERENCE.check(pairing.name, None, found, ground=ground)
    low, high = new.low - base.high, new.high - base.low
    if pairing.nets is not None and pairing.n:
        exact = Fraction(pairing.nets[0], pairing.n), Fraction(pairing.nets[-1], pairing.n)
        # Both bounds hold: the counts, and the rounded agreements that may be subtracted as such.
        fits = printed.holds(*exact) or printed.holds(new.value - base.value)
        low, high = exact
    else:
        fits = printed.holds(low, high)
    found = f"the agreements give {points(low)}" + (f" to {points(high)}" if low != high else "")
    if pairing.has_unequal_sizes:
        found += f", over {pairing.sizes[0]} and {pairing.sizes[1]} units"
    values = {"low": float(low), "high": float(high)}
    return DIFFERENCE.check(pairing.name, fits, found, values=values, ground=ground)


def _net(pairing: Pairing, counts: tuple[int, int]) -> Check:
    gained, lost = counts
    printed, n = pairing.printed.difference, pairing.n
    letters = f" ({_letters(pairing)})" if pairing.has_letters else ""
    net = gained - lost
    ground = Ground(
        table=pairing.table,
        inputs=inputs_of(
            gained=pairing.printed.gained, lost=pairing.printed.lost, b=pairing.printed.b,
            c=pairing.printed.c, n=n, difference=printed,
        ),
        tolerance=rounding(printed),
    )  # fmt: skip
    values: dict[str, Value] = {"gained": gained, "lost": lost, "net": net}
    if not n:
        found = "the rows are not over one number of units; give n, the units that both judged"
        return NET.check(pairing.name, None, found, ground=ground)
    said = f"({gained} - {lost}) / {n} is {points(Fraction(net, n))}{letters}"
    if pairing.nets is not None:
        fits = net in pairing.nets
        said += f"; the agreements allow a net of {span(pairing.nets)}"
        return NET.check(pairing.name, fits, said, ground=ground, values=values)
    if printed is None:
        found = f"{said}; no difference is printed to hold it against"
        return NET.check(pairing.name, None, found, ground=ground)
    return NET.check(
        pairing.name, printed.holds(Fraction(net, n)), said, ground=ground, values=values
    )


def _letters(pairing: Pairing) -> str:
    printed = pairing.printed
    gained, _ = pairing.counts or (0, 0)
    if printed.b == printed.c:
        return "b and c are equal"
    return f"{'b' if gained == printed.b else 'c'} counts the units gained"


def _within(
    pairing: Pairing, counts: tuple[int, int], agreeing: tuple[range, range], n: int
) -> Check:
    gained, lost = counts
    base, new = agreeing
    fits = gained <= min(n - base[0], new[-1]) and lost <= min(base[-1], n - new[0])
    found = (
        f"gained {gained} of at most {min(n - base[0], new[-1])}, lost {lost} of at most"
        f" {min(base[-1], n - new[0])}"
    )
    inputs = inputs_of(n=n, base=span(base), new=span(new), gained=gained, lost=lost)
    return WITHIN.check(pairing.name, fits, found, ground=Ground(pairing.table, inputs))
