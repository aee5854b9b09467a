"""Paired tests: statistic and p-value from the counts for each variant, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.statistics.p_values import chi_square_p_value
from counterbalance.tables.check import Check, Ground, Link, Rule
from counterbalance.tables.discordant_search import (
    VARIANTS,
    Limits,
    Solution,
    holds_nearly,
    solutions,
    statistic_and_p,
)
from counterbalance.tables.wording import inputs_of, listed, rounding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.tables.check import Value
    from counterbalance.tables.pairing import Pairing
    from counterbalance.tables.printed import Printed

__all__ = ["BEHIND", "CHI_SQUARE", "P_OF_CHI_SQUARE", "P_VALUE", "paired_test_checks"]

CHI_SQUARE = Rule(
    "chi_square_from_counts",
    Link.TESTS,
    "the statistic is that of units gained and lost, by the variant that the source names or else"
    " by any",
)
P_VALUE = Rule(
    "p_from_counts",
    Link.TESTS,
    "the p-value is that of units gained and lost, by the variant that the source names or else by"
    " any",
)
P_OF_CHI_SQUARE = Rule(
    "p_from_chi_square",
    Link.TESTS,
    "the p-value is that of the statistic on one degree of freedom",
)
BEHIND = Rule(
    "counts_behind",
    Link.TESTS,
    "some units gained and lost, with the net that the agreements or the difference leave, print as"
    " the statistic and the p-value",
)

_CHI_SQUARES = ("corrected", "asymptotic")
_FEW = 6


def paired_test_checks(pairing: Pairing) -> Iterator[Check]:
    """Yield what statistic, p-value and counts of a comparison say of one another."""
    printed = pairing.printed
    if pairing.counts is not None and printed.chi_square is not None:
        yield _chi_square(pairing, pairing.counts, printed.chi_square)
    if printed.p is not None and printed.test == "other":
        found = "the test is no function of the counts, such as a regression's"
        yield P_VALUE.check(pairing.name, None, found, ground=_ground(pairing))
        return
    if pairing.counts is not None and printed.p is not None:
        yield _p_value(pairing, pairing.counts, printed.p)
    if printed.chi_square is not None and printed.p is not None:
        yield _p_of_chi_square(pairing, printed.chi_square, printed.p)
    if printed.chi_square is not None or printed.p is not None:
        yield _behind(pairing)


def _ground(pairing: Pairing) -> Ground:
    printed = pairing.printed
    return Ground(
        table=pairing.table,
        inputs=inputs_of(
            n=pairing.n, gained=printed.gained, lost=printed.lost, b=printed.b, c=printed.c,
            chi_square=printed.chi_square, p=printed.p, test=printed.test,
        ),
        tolerance=rounding(printed.chi_square, printed.p),
    )  # fmt: skip


def _tried(pairing: Pairing, among: tuple[str, ...]) -> tuple[str, ...]:
    """Return the variants to try: the one that is named, where it is one of these."""
    named = pairing.printed.test
    return (named,) if named in among else among


def _chi_square(pairing: Pairing, counts: tuple[int, int], printed: Printed) -> Check:
    values = {v: statistic_and_p(*counts, v)[0] for v in _CHI_SQUARES}
    return _by_variant(CHI_SQUARE, pairing, values, printed, _tried(pairing, _CHI_SQUARES))


def _p_value(pairing: Pairing, counts: tuple[int, int], printed: Printed) -> Check:
    values = {v: statistic_and_p(*counts, v)[1] for v in VARIANTS}
    return _by_variant(P_VALUE, pairing, values, printed, _tried(pairing, VARIANTS))


def _by_variant(
    rule: Rule,
    pairing: Pairing,
    computed: dict[str, float | None],
    printed: Printed,
    tried: tuple[str, ...],
) -> Check:
    known = {variant: x for variant, x in computed.items() if x is not None}
    if not known:
        found = "no unit is gained or lost, so there is no statistic"
        return rule.check(pairing.name, None, found, ground=_ground(pairing))
    fitting = [v for v, x in known.items() if holds_nearly(printed, x)]
    shown = ", ".join(f"{variant} {x:.6g}" for variant, x in known.items())
    fits = any(v in tried for v in fitting)
    found = f"{shown}; printed {printed.text} is {listed(fitting) if fitting else 'none of them'}"
    if fitting and not fits:
        found += f", where the source says {listed(tried)}"
    values: dict[str, Value] = {**known, "fitting": [*fitting]}
    return rule.check(pairing.name, fits, found, values=values, ground=_ground(pairing))


def _p_of_chi_square(pairing: Pairing, chi_square: Printed, p_value: Printed) -> Check:
    high = chi_square_p_value(max(0.0, float(chi_square.low)), 1)
    low = chi_square_p_value(max(0.0, float(chi_square.high)), 1)
    fits: bool | None = holds_nearly(p_value, low) or holds_nearly(p_value, high)
    fits = fits or (low <= float(p_value.low) <= high)
    found = f"chi-square {chi_square.text} has a p-value from {low:.4g} to {high:.4g}"
    if not fits and pairing.printed.test not in _CHI_SQUARES:
        fits = None
        found += "; the printed one is not that: if it is not of an exact test, name the test"
    values = {"low": low, "high": high}
    return P_OF_CHI_SQUARE.check(pairing.name, fits, found, values=values, ground=_ground(pairing))


def _behind(pairing: Pairing) -> Check:
    printed, n = pairing.printed, pairing.n
    nets = _nets(pairing)
    if n is None or nets is None:
        found = "needs n and both agreements, or the difference; without them many counts fit"
        if pairing.has_unequal_sizes:
            found = (
                f"the agreements are over {pairing.sizes[0]} and {pairing.sizes[1]} units, so the"
                " net of the units that both judged is not known; give n and the difference there"
            )
        return BEHIND.check(pairing.name, None, found, ground=_ground(pairing))
    variants = _tried(pairing, VARIANTS)
    fitting = solutions(nets, _limits(pairing, n), printed.chi_square, printed.p, variants)
    values: dict[str, Value] = {
        "n_solutions": len(fitting),
        "solutions": [[s.gained, s.lost] for s in fitting[:_FEW]],
    }
    found = _said(fitting)
    if pairing.counts is None and printed.chi_square is None:
        found += "; without counts this checks no more than the magnitude of p"
    fits: bool | None = bool(fitting)
    if pairing.counts is not None and fitting:
        fits = pairing.counts in {(s.gained, s.lost) for s in fitting}
        found += "" if fits else "; the printed counts are not among them"
    return BEHIND.check(pairing.name, fits, found, values=values, ground=_ground(pairing))


def _nets(pairing: Pairing) -> range | None:
    """Return the nets that the agreements leave, else those that the difference leaves."""
    if pairing.nets is not None:
        return pairing.nets
    difference, n = pairing.printed.difference, pairing.n
    if difference is None or n is None:
        return None
    low, high = -(-difference.low * n // 1), difference.high * n // 1
    return range(max(-n, int(low)), min(n, int(high)) + 1)


def _limits(pairing: Pairing, n: int) -> Limits:
    if pairing.agreeing is None:
        return Limits(n, n, n)
    base, new = pairing.agreeing
    return Limits(n, min(n - base[0], new[-1]), min(base[-1], n - new[0]))


def _said(fitting: list[Solution]) -> str:
    if not fitting:
        return "no units gained and lost give these figures"
    pairs = [f"({s.gained}, {s.lost})" for s in fitting]
    if len(fitting) == 1:
        return f"the only (gained, lost) is {pairs[0]}, by {listed(fitting[0].variants)}"
    totals = f"{fitting[0].gained + fitting[0].lost} to {fitting[-1].gained + fitting[-1].lost}"
    return f"{len(fitting)} (gained, lost) fit, {totals} discordant: {listed(pairs, _FEW)}"
