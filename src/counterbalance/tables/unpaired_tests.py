"""Unpaired tests: two independent rows, compared as two shares."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from scipy.stats import fisher_exact

from counterbalance.statistics.p_values import chi_square_p_value, p_value_of
from counterbalance.tables.check import Check, Ground, Link, Rule
from counterbalance.tables.discordant_search import holds_nearly
from counterbalance.tables.wording import inputs_of, listed, rounding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.tables.check import Value
    from counterbalance.tables.pairing import Pairing

__all__ = ["PAIRED_ONLY", "TWO_SHARES", "unpaired_test_checks"]

PAIRED_ONLY = Rule(
    "paired_only",
    Link.TESTS,
    "units gained and lost exist only where both rows judge the same units",
)
TWO_SHARES = Rule(
    "two_shares",
    Link.TESTS,
    "statistic and p-value are those of two independent shares: chi-square with or without"
    " correction, or Fisher's exact test",
)

_MOST_TABLES = 400


def unpaired_test_checks(pairing: Pairing) -> Iterator[Check]:
    """Yield what applies to a comparison of rows that judge different units."""
    printed = pairing.printed
    if pairing.counts is not None:
        found = "the design is unpaired; McNemar's test and its counts do not apply"
        inputs = inputs_of(gained=printed.gained, lost=printed.lost, b=printed.b, c=printed.c)
        yield PAIRED_ONLY.check(pairing.name, None, found, ground=Ground(pairing.table, inputs))
    if printed.chi_square is not None or printed.p is not None:
        yield _two_shares(pairing)


def _two_shares(pairing: Pairing) -> Check:
    printed = pairing.printed
    base, new = pairing.base, pairing.new
    ground = Ground(
        table=pairing.table,
        inputs=inputs_of(
            base=base.row.agreement if base else None,
            new=new.row.agreement if new else None,
            chi_square=printed.chi_square,
            p=printed.p,
        ),
        tolerance=rounding(printed.chi_square, printed.p),
    )
    if not (base and new and base.agreeing and new.agreeing and base.scored and new.scored):
        found = "needs the agreement and n of both rows"
        return TWO_SHARES.check(pairing.name, None, found, ground=ground)
    sizes = base.scored, new.scored
    if len(base.agreeing) * len(new.agreeing) > _MOST_TABLES:
        found = "the printed agreements leave too many counts to try; print more decimals"
        return TWO_SHARES.check(pairing.name, None, found, ground=ground)
    fitting: set[str] = set()
    for x in base.agreeing:
        for y in new.agreeing:
            fitting |= set(_fitting((x, y), sizes, pairing))
    found = (
        f"it is {listed(sorted(fitting))}" if fitting else "none of the tests gives these figures"
    )
    values: dict[str, Value] = {"fitting": [*sorted(fitting)]}
    return TWO_SHARES.check(pairing.name, bool(fitting), found, ground=ground, values=values)


def _fitting(agreeing: tuple[int, int], sizes: tuple[int, int], pairing: Pairing) -> Iterator[str]:
    chi_square, p_value = pairing.printed.chi_square, pairing.printed.p
    for name, (statistic, p) in _tests(agreeing, sizes).items():
        has_statistic = chi_square is None or (
            statistic is not None and holds_nearly(chi_square, statistic)
        )
        if has_statistic and (p_value is None or holds_nearly(p_value, p)):
            yield name


def _tests(
    agreeing: tuple[int, int], sizes: tuple[int, int]
) -> dict[str, tuple[float | None, float]]:
    (x, y), (n, m) = agreeing, sizes
    cells = [[x, n - x], [y, m - y]]
    exact = p_value_of(fisher_exact(cells).pvalue)
    found: dict[str, tuple[float | None, float]] = {"fisher_exact": (None, exact)}
    total, right = n + m, x + y
    if 0 < right < total:
        apart = abs(x * (m - y) - y * (n - x))
        scale = Fraction(total, n * m * right * (total - right))
        for name, size in (
            ("chi_square", Fraction(apart)),
            ("chi_square_corrected", max(Fraction(0), apart - Fraction(total, 2))),
        ):
            statistic = float(size * size * scale)
            found[name] = statistic, chi_square_p_value(statistic, 1)
    return found
