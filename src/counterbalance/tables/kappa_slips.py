"""What a printed kappa is, when it is not the kappa of the figures beside it: known slips."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from counterbalance.tables.marginals import Marginals, kappa_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.tables.lines import Line
    from counterbalance.tables.printed import Printed

__all__ = ["Slip", "fitting_slips"]

_TWO = 2


@dataclass(frozen=True, slots=True)
class Slip:
    """A known way to compute something else.

    Attributes
    ----------
    name : str
        Short name.
    says : str
        The slip in words.
    value : Fraction | None
        What it gives.
    """

    name: str
    says: str
    value: Fraction | None


def fitting_slips(line: Line, marginals: Marginals, printed: Printed) -> list[Slip]:
    """Return the slips that give the printed kappa; more than one may.

    Parameters
    ----------
    line : Line
        The row.
    marginals : Marginals
        Its verdicts and reference.
    printed : Printed
        Its kappa.

    Returns
    -------
    list[Slip]
        Those that fit within the rounding.
    """
    agreeing = line.agreeing or range(0)
    found: dict[str, Slip] = {}
    for k in dict.fromkeys((agreeing[0], agreeing[-1])):
        for slip in _slips(marginals, k):
            if slip.value is not None and printed.holds(slip.value):
                found.setdefault(slip.name, slip)
    return list(found.values())


def _slips(marginals: Marginals, agreeing: int) -> Iterator[Slip]:
    n, total = marginals.n_scored, sum(marginals.gold)
    observed = Fraction(agreeing, n)
    whole = sum(v * g for v, g in zip(marginals.verdicts, marginals.gold, strict=True))
    used = sum(1 for v, g in zip(marginals.verdicts, marginals.gold, strict=True) if v or g)
    yield Slip(
        "divided_by_all",
        f"a row of {n} divided by {total}",
        kappa_of(observed, Fraction(whole, total**2)) if n < total else None,
    )
    yield Slip(
        "equal_chances",
        f"chance agreement taken as one in {used}, whatever the marginals",
        kappa_of(observed, Fraction(1, used)),
    )
    shares = [
        (Fraction(v, n) + Fraction(g, total)) / 2
        for v, g in zip(marginals.verdicts, marginals.gold, strict=True)
    ]
    yield Slip(
        "pooled_marginals",
        "Scott's pi, with the marginals of both pooled",
        kappa_of(observed, sum((x * x for x in shares), start=Fraction(0))),
    )
    yield Slip(
        "not_normalised",
        "agreement minus chance agreement, not divided by the rest",
        observed - Fraction(whole, n * total),
    )
    yield from _codes(marginals, agreeing)


def _codes(marginals: Marginals, agreeing: int) -> Iterator[Slip]:
    """Yield kappa with one of two labels coded differently by verdicts and reference."""
    # With two labels, marginals and agreement fix every cell of the table: the units on which the
    # other label agrees are known.
    if len(marginals.gold) != _TWO or marginals.n_left_out:
        return
    n = marginals.n_scored
    for i in range(_TWO):
        verdicts, gold = marginals.verdicts[i], marginals.gold[i]
        both, odd = divmod(agreeing + verdicts + gold - n, 2)
        if not odd and both >= 0:
            yield Slip(
                "label_coding",
                "one label coded differently in verdicts and reference, so that it never agrees",
                kappa_of(Fraction(both, n), Fraction(verdicts * gold, n * n)),
            )
