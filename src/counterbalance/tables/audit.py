"""The whole audit: every rule on every line, in the order of the chain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.tables.changes import CHANGE, change_check
from counterbalance.tables.check import CHAIN, Audit, Check, Figure, Rule
from counterbalance.tables.clusters import significance_figure, widening_figure
from counterbalance.tables.denominators import (
    JOINT,
    POSSIBLE,
    VERDICT_SHARES,
    denominator_checks,
    joint_checks,
)
from counterbalance.tables.description import ChangeClaim, MdeClaim, PValueClaim, SurvivorClaim
from counterbalance.tables.differences import (
    DIFFERENCE,
    NET,
    WITHIN,
    difference_bounds,
    difference_checks,
)
from counterbalance.tables.families import (
    AGREE,
    MARKS,
    QUOTED,
    SURVIVORS,
    agreement_checks,
    marks_check,
    quoted_check,
    survivor_check,
    trajectory,
)
from counterbalance.tables.feasible_gold import FEASIBLE_GOLD, gold_checks
from counterbalance.tables.kappa import KAPPA, OVERLAP, kappa_checks
from counterbalance.tables.lines import Line, lines_of
from counterbalance.tables.paired_tests import (
    BEHIND,
    CHI_SQUARE,
    P_OF_CHI_SQUARE,
    P_VALUE,
    paired_test_checks,
)
from counterbalance.tables.pairing import Pairing, pairings_of
from counterbalance.tables.power import MDE, mde_check, power_figures
from counterbalance.tables.readings import Reading, readings_of
from counterbalance.tables.rows import (
    ADD_UP,
    GOLD_ADDS_UP,
    SHARES_ADD_UP,
    missing_bounds,
    reference_checks,
    row_checks,
)
from counterbalance.tables.standard_errors import (
    LIMITS,
    STANDARD_ERROR,
    WIN_RATE_ERROR,
    error_checks,
)
from counterbalance.tables.ties import (
    IDENTITY,
    NO_GOLD_TIES,
    TIE_RATE,
    tie_checks,
    tie_rule_figure,
)
from counterbalance.tables.unpaired_tests import PAIRED_ONLY, TWO_SHARES, unpaired_test_checks
from counterbalance.tables.win_rates import OUTCOMES, TWO_ORDERS, WIN_RATE, win_rate_checks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from counterbalance.tables.description import Description

__all__ = ["RULES", "audit_tables"]

RULES: tuple[Rule, ...] = (
    ADD_UP,
    GOLD_ADDS_UP,
    SHARES_ADD_UP,
    POSSIBLE,
    JOINT,
    VERDICT_SHARES,
    STANDARD_ERROR,
    WIN_RATE_ERROR,
    LIMITS,
    OVERLAP,
    KAPPA,
    FEASIBLE_GOLD,
    DIFFERENCE,
    NET,
    WITHIN,
    CHI_SQUARE,
    P_VALUE,
    P_OF_CHI_SQUARE,
    BEHIND,
    PAIRED_ONLY,
    TWO_SHARES,
    SURVIVORS,
    AGREE,
    MARKS,
    QUOTED,
    MDE,
    TIE_RATE,
    CHANGE,
    IDENTITY,
    NO_GOLD_TIES,
    OUTCOMES,
    WIN_RATE,
    TWO_ORDERS,
)
"""Every rule there is, in the order of the chain."""

Lines = dict[tuple[str, str], Line]


def audit_tables(description: Description) -> Audit:
    """Follow the chain from marginals to survivors through everything that is printed.

    Parameters
    ----------
    description : Description
        What the tables and sentences of a source print.

    Returns
    -------
    Audit
        Every check that the figures allow, and what else follows from them.
    """
    lines = {(line.table.name, line.name): line for line in lines_of(description)}
    pairings = {pairing.name: pairing for pairing in pairings_of(description, lines)}
    readings = _readings(description, pairings)
    checks = [
        *_of_rows(lines),
        *_of_comparisons(description, pairings.values()),
        *_of_families(description, pairings, readings),
        *_of_claims(description, lines, pairings),
    ]
    figures = [*_figures(description, lines, pairings, readings)]
    place = {link: i for i, link in enumerate(CHAIN)}
    return Audit(
        title=description.title,
        source=description.source,
        design=description.design,
        checks=tuple(sorted(checks, key=lambda check: place[check.link])),
        figures=tuple(sorted(figures, key=lambda figure: place[figure.link])),
        notes=(description.note,) if description.note else (),
    )


def _of_rows(lines: Lines) -> Iterator[Check]:
    yield from reference_checks(lines.values())
    for line in lines.values():
        yield from row_checks(line)
        yield from denominator_checks(line)
        yield from error_checks(line)
        yield from kappa_checks(line)
        yield from tie_checks(line, lines)
        yield from win_rate_checks(line)
    yield from joint_checks(lines.values())
    yield from gold_checks([*lines.values()])


def _of_comparisons(description: Description, pairings: Iterable[Pairing]) -> Iterator[Check]:
    is_paired = description.design == "paired"
    for pairing in pairings:
        yield from difference_checks(pairing, is_paired=is_paired)
        if is_paired:
            yield from paired_test_checks(pairing)
        else:
            yield from unpaired_test_checks(pairing)


def _readings(
    description: Description, pairings: Mapping[str, Pairing]
) -> dict[str, list[Reading]]:
    rate = description.error_rate
    if rate is None:
        return {}
    return {family.name: [*readings_of(family, pairings, rate)] for family in description.families}


def _of_families(
    description: Description,
    pairings: Mapping[str, Pairing],
    readings: Mapping[str, Sequence[Reading]],
) -> Iterator[Check]:
    for family in description.families:
        marks = marks_check(family, pairings, readings.get(family.name, ()))
        if marks is not None:
            yield marks
    claims = [claim for claim in description.claims if isinstance(claim, SurvivorClaim)]
    for claim in claims:
        yield survivor_check(claim, readings)
    yield from agreement_checks(claims, readings)


def _of_claims(
    description: Description, lines: Lines, pairings: Mapping[str, Pairing]
) -> Iterator[Check]:
    for claim in description.claims:
        match claim:
            case PValueClaim():
                yield quoted_check(claim, pairings.values())
            case MdeClaim():
                yield mde_check(claim, description, pairings.values())
            case ChangeClaim():
                yield change_check(claim, lines)
            case SurvivorClaim():
                pass  # with the families


def _figures(
    description: Description,
    lines: Lines,
    pairings: Mapping[str, Pairing],
    readings: Mapping[str, Sequence[Reading]],
) -> Iterator[Figure]:
    made: list[Figure | None] = []
    for line in lines.values():
        made += [missing_bounds(line), tie_rule_figure(line, lines), widening_figure(line)]
    if description.design == "paired":
        for pairing in pairings.values():
            made += [difference_bounds(pairing)]
            made += [significance_figure(pairing, description.error_rate)]
        made += power_figures(description, pairings.values())
    made += [trajectory(reading) for of_family in readings.values() for reading in of_family]
    yield from (figure for figure in made if figure is not None)
