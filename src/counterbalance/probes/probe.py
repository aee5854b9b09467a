"""What a probe is: a name, one intervention, and what it is expected to show."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from counterbalance.items.item import Candidate, Pair, PairId
from counterbalance.items.rows import candidate_id

if TYPE_CHECKING:
    from collections.abc import Callable

    from counterbalance.items.item import Item, Reference

__all__ = ["ONE_WORD", "Check", "Expects", "Frame", "Made", "Probe", "Wanted", "probe_pair"]

ONE_WORD = "the answer is too short to change and keep"
"""Why an answer of a word or two makes no probe of several kinds."""


class Frame(StrEnum):
    """What the target of a probe is told by."""

    CANDIDATE = "candidate"
    """Candidate a is the target, wherever it is shown."""
    SLOT = "slot"
    """The first slot is the target, whatever stands there."""
    LABEL = "label"
    """The first label of the first labelling is the target, in whichever slot."""
    FAMILY = "family"
    """The candidate of the judge's own family is the target."""
    FLIP = "flip"
    """The target is that the winner changes with the criterion."""
    KEEP = "keep"
    """The target is that the winner stays when the criterion is said in other words."""
    NEITHER = "neither"
    """The target is the verdict that neither answer is acceptable."""


class Expects(StrEnum):
    """What a judge without the sensitivity in question would show."""

    ZERO = "zero"
    """No side is preferred."""
    TARGET = "target"
    """The target is preferred: the probe asks whether the judge sees what it should see."""
    OTHER = "other"
    """The other side is preferred: the target is worse by its making."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that code verified of a pair.

    Attributes
    ----------
    name : str
        What holds, in words.
    is_passed : bool
        Whether it holds.
    """

    name: str
    is_passed: bool


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a battery is built for, beside its source pairs.

    Attributes
    ----------
    inverted_rubric : str
        The criterion turned round; empty where none is declared.
    paraphrased_rubric : str
        The same criterion in other words; empty where none is declared.
    families : frozenset[str]
        Families of the judges, by their models' names.
    """

    inverted_rubric: str = ""
    paraphrased_rubric: str = ""
    families: frozenset[str] = frozenset()


Made = tuple[Pair, ...] | str
"""The probe pairs of one source pair, or why there are none."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One named intervention.

    Attributes
    ----------
    name : str
        As in protocols and reports.
    measure : str
        Name of the measure that its b is.
    intervention : str
        What tells the two texts apart, in words.
    target : str
        What a positive b says.
    frame : Frame
        What the target is told by.
    expects : Expects
        What a judge without the sensitivity would show.
    unchecked : str
        What no check of this program can see.
    make : Callable[[Pair, Wanted], Made]
        Makes the pairs of one source pair.
    checks : Callable[[Pair], tuple[Check, ...]]
        What code verifies of one probe pair, made here or by hand.
    draw : Callable[[list[Pair], int], list[Pair]] | None
        Balances the pairs made over their origins, by a seed; None where they need none.
    """

    name: str
    measure: str
    intervention: str
    target: str
    frame: Frame
    expects: Expects
    unchecked: str
    make: Callable[[Pair, Wanted], Made]
    checks: Callable[[Pair], tuple[Check, ...]]
    draw: Callable[[list[Pair], int], list[Pair]] | None = None


def probe_pair(
    probe: str,
    source: Pair,
    a: str,
    b: str,
    *,
    systems: tuple[str, str] = ("", ""),
    version: str = "",
    rubric: str = "",
    variant: str = "",
    reference: Reference | None = None,
) -> Pair:
    """Return a probe pair of a source pair: same item, same cluster, two texts.

    Parameters
    ----------
    probe : str
        Name of the probe.
    source : Pair
        What it was made from.
    a : str
        The text of the target side.
    b : str
        The other text.
    systems : tuple[str, str]
        What the candidates are called; never shown to a judge.
    version : str
        What tells one state of the system behind the target side from another.
    rubric : str
        Criteria in place of the protocol's; empty to keep those.
    variant : str
        Tells two pairs of one source apart.
    reference : Reference | None
        Verdicts that count as right between these very texts; None where nobody said.

    Returns
    -------
    Pair
        Its id names source and probe.
    """
    item = replace(source.item, rubric=rubric) if rubric else source.item
    name = f"{source.id}~{probe}" + (f"~{variant}" if variant else "")
    return Pair(
        PairId(name),
        item,
        _candidate(item, systems[0], a, version),
        _candidate(item, systems[1], b),
        reference,
        probe=probe,
    )


def _candidate(item: Item, system: str, text: str, version: str = "") -> Candidate:
    name = candidate_id(item.id, system=system, version=version, supplied_id="", text=text)
    return Candidate(name, "", system, version, text)
