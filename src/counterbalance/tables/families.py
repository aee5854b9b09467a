"""How many comparisons survive a correction, and which sentence says so."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from counterbalance.tables.check import Check, Figure, Ground, Link, Rule
from counterbalance.tables.discordant_search import VARIANTS, holds_nearly, statistic_and_p
from counterbalance.tables.readings import AS_PRINTED, Reading
from counterbalance.tables.wording import inputs_of, listed, rounding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from counterbalance.statistics import FamilyStep
    from counterbalance.tables.check import Value
    from counterbalance.tables.description import Family, PValueClaim, SurvivorClaim
    from counterbalance.tables.pairing import Pairing

__all__ = [
    "AGREE", "MARKS", "QUOTED", "SURVIVORS", "agreement_checks", "marks_check", "quoted_check",
    "survivor_check", "trajectory",
]  # fmt: skip

SURVIVORS = Rule(
    "survivors",
    Link.FAMILIES,
    "a sentence about survivors fits some reading of the families that it may be about",
)
AGREE = Rule(
    "sentences_agree",
    Link.FAMILIES,
    "sentences about the same families say the same number of survivors",
)
MARKS = Rule(
    "survivor_marks",
    Link.FAMILIES,
    "comparisons that are marked as significant are those that survive",
)
QUOTED = Rule(
    "quoted_p_value",
    Link.FAMILIES,
    "a p-value quoted in a sentence is that of some table for the same two rows",
)

_MOST_STEPS = 50
_FEW = 3


def survivor_check(claim: SurvivorClaim, readings: Mapping[str, Sequence[Reading]]) -> Check:
    """Hold a sentence about survivors against every reading.

    Parameters
    ----------
    claim : SurvivorClaim
        The sentence.
    readings : Mapping[str, Sequence[Reading]]
        Readings by family; none where no error rate is printed.

    Returns
    -------
    Check
        The verdict, with the readings that it fits.
    """
    tried = [reading for name in claim.families for reading in readings.get(name, ())]
    said = f"{claim.count} survive" if claim.count is not None else ""
    inputs = inputs_of(says=said or None, names=", ".join(claim.names) or None)
    inputs |= inputs_of(families=", ".join(claim.families))
    if not tried:
        found = "no error_rate is printed, so no threshold follows; give it"
        return SURVIVORS.check(claim.where, None, found, ground=Ground(inputs=inputs))
    fits = {reading.label: reading.fits(claim.count, claim.names) for reading in tried}
    sure = [label for label, verdict in fits.items() if verdict]
    open_ = [label for label, verdict in fits.items() if verdict is None]
    not_fitting = [reading for reading in tried if fits[reading.label] is False]
    verdict = True if sure else None if open_ else False
    if sure:
        found = f"fits {listed(sure, _FEW)}"
    elif open_:
        found = f"may fit {listed(open_, _FEW)}, depending on p-values that are not disclosed"
    else:
        found = "fits no reading"
    if not_fitting:
        found += f"; not {listed(map(_said, not_fitting), _FEW)}"
    values: dict[str, Value] = {"fits": [*sure], "may_fit": [*open_]}
    return SURVIVORS.check(claim.where, verdict, found, ground=Ground(inputs=inputs), values=values)


def agreement_checks(
    claims: Iterable[SurvivorClaim], readings: Mapping[str, Sequence[Reading]]
) -> Iterator[Check]:
    """Yield, for each set of families with several sentences, whether they say one number."""
    groups: dict[tuple[str, ...], list[SurvivorClaim]] = defaultdict(list)
    for claim in claims:
        if claim.count is not None:
            groups[tuple(sorted(claim.families))].append(claim)
    for families, members in groups.items():
        if len(members) > 1:
            yield _agreement(families, members, readings)


def marks_check(
    family: Family, pairings: Mapping[str, Pairing], readings: Sequence[Reading]
) -> Check | None:
    """Hold printed marks of significance against the readings; None where none is printed."""
    marks = {
        name: pairings[name].printed.survives
        for name in family.comparisons
        if pairings[name].printed.survives is not None
    }
    if not marks:
        return None
    marked = tuple(name for name, mark in marks.items() if mark)
    inputs = inputs_of(marked=", ".join(marked) or "none", m=family.m)
    if not readings:
        found = "no error_rate is printed, so no threshold follows; give it"
        return MARKS.check(family.name, None, found, ground=Ground(inputs=inputs))
    verdicts = {reading.label: _marks_fit(reading, marks) for reading in readings}
    sure = [label for label, fits in verdicts.items() if fits]
    open_ = [label for label, fits in verdicts.items() if fits is None]
    verdict = True if sure else None if open_ else False
    found = f"fits {listed(sure or open_, _FEW)}" if sure or open_ else "fits no reading"
    found += f"; by {_said(readings[0])}"
    return MARKS.check(family.name, verdict, found, ground=Ground(inputs=inputs))


def quoted_check(claim: PValueClaim, pairings: Iterable[Pairing]) -> Check:
    """Look for a p-value that a sentence quotes among all comparisons of the same two rows."""
    same = [
        pairing
        for pairing in pairings
        if (pairing.printed.base, pairing.printed.new) == (claim.base, claim.new)
        and (not claim.table or claim.table == pairing.table)
    ]
    inputs = inputs_of(base=claim.base, new=claim.new, p=claim.p)
    inputs |= inputs_of(printed={x.name: x.printed.p for x in same if x.printed.p is not None})
    ground = Ground(table=claim.table, inputs=inputs, tolerance=rounding(claim.p))
    known = [x for x in same if x.printed.p is not None or x.counts is not None]
    if not known:
        found = "no table has a p-value or counts for these rows"
        return QUOTED.check(claim.where, None, found, ground=ground)
    fitting = [x.name for x in known if _is_quoted(claim, x)]
    found = f"it is that of {listed(fitting)}" if fitting else "it is that of none of them"
    return QUOTED.check(claim.where, bool(fitting), found, ground=ground)


def trajectory(reading: Reading) -> Figure:
    """Return the steps of one reading, with the largest p-value that each comparison can have."""
    n = f"{reading.n_low}" if reading.n_low == reading.n_high else ""
    n = n or f"{reading.n_low} to {reading.n_high}"
    rest = reading.fewest.family_size - reading.n_named
    sentence = f"{reading.label.removeprefix(reading.family + ': ')}: {n} survive"
    if reading.surely:
        sentence += f" ({listed(reading.surely)})"
    if rest:
        sentence += f"; {rest} of the family are not named"
    values: dict[str, Value] = {
        "method": reading.method,
        "p_values": reading.by,
        "family_size": reading.fewest.family_size,
        "fewest": reading.n_low,
        "most": reading.n_high,
        "surely": [*reading.surely],
        "possibly": [*reading.possibly],
        "steps": [_step(step) for step in reading.fewest.steps[:_MOST_STEPS]],
    }
    return Figure(Link.FAMILIES, "trajectory", reading.family, sentence, values=values)


def _step(step: FamilyStep) -> dict[str, Value]:
    return {
        "rank": step.rank,
        "name": step.name,
        "p": step.p_value,
        "threshold": step.threshold,
        "adjusted": step.adjusted,
        "survives": step.is_rejected,
    }


def _said(reading: Reading) -> str:
    n = f"{reading.n_low}"
    if reading.n_high != reading.n_low:
        n += f" to {reading.n_high}"
    return f"{reading.label} ({n} survive)"


def _agreement(
    families: tuple[str, ...],
    members: list[SurvivorClaim],
    readings: Mapping[str, Sequence[Reading]],
) -> Check:
    numbers = {claim.where: claim.count for claim in members}
    fits = len(set(numbers.values())) == 1
    printed = [r for name in families for r in readings.get(name, ()) if r.by == AS_PRINTED]
    found = "they agree" if fits else f"they say {listed(sorted(set(map(str, numbers.values()))))}"
    if printed:
        found += f"; by {listed(map(_said, printed), _FEW)}"
    inputs = inputs_of(**dict(numbers.items()))
    return AGREE.check(", ".join(families), fits, found, ground=Ground(inputs=inputs))


def _marks_fit(reading: Reading, marks: Mapping[str, bool | None]) -> bool | None:
    surely, possibly = set(reading.surely), set(reading.possibly)
    if any(
        (mark and name not in possibly) or (not mark and name in surely)
        for name, mark in marks.items()
    ):
        return False
    is_sure = all(name in surely or name not in possibly for name in marks)
    return True if is_sure else None


def _is_quoted(claim: PValueClaim, pairing: Pairing) -> bool:
    printed = pairing.printed
    if printed.p is not None and claim.p.holds(printed.p.low, printed.p.high):
        return True
    if pairing.counts is None or printed.test == "other":
        return False
    values = (statistic_and_p(*pairing.counts, variant)[1] for variant in VARIANTS)
    return any(x is not None and holds_nearly(claim.p, x) for x in values)
