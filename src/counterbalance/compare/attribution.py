"""What a difference between two sides can be put down to: judging, candidates, or nothing known."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counterbalance.compare.matching import Matched
    from counterbalance.compare.side import Side

__all__ = ["Attribution", "Cause", "SettingChange", "attribute"]

_ABSENT = "(absent)"


class Cause(StrEnum):
    """What a difference can be put down to."""

    JUDGING = "judging"
    """The pairs are the same; how they were judged is not."""
    CANDIDATES = "candidates"
    """How they were judged is the same; texts are not."""
    REPETITION = "repetition"
    """Pairs and judging are the same: only the calls are others."""
    UNKNOWN = "unknown"
    """The pairs are the same; how one side was judged is not recorded."""
    REFUSED = "refused"
    """Texts differ, and judging differs too or is not recorded: nothing can be put down to the
    candidates."""


@dataclass(frozen=True, slots=True)
class SettingChange:
    """One setting in which the sides differ.

    Attributes
    ----------
    name : str
        The setting.
    first : str
        On the first side.
    second : str
        On the second side.
    """

    name: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Attribution:
    """What a difference can be put down to, and why.

    Attributes
    ----------
    cause : Cause
        The answer.
    changes : tuple[SettingChange, ...]
        Every setting of judging in which the sides differ.
    n_changed_pairs : int
        Shared pairs whose texts, prompt, reference or requirements differ.
    systems : tuple[str, str]
        What each side compares, where the texts differ; else empty.
    """

    cause: Cause
    changes: tuple[SettingChange, ...]
    n_changed_pairs: int
    systems: tuple[str, str] = ("", "")

    @property
    def is_refused(self) -> bool:
        """Whether no difference between the runs may be put down to the candidates."""
        return self.cause is Cause.REFUSED

    @property
    def sentence(self) -> str:
        """The answer in words."""
        names = ", ".join(change.name for change in self.changes)
        return _SAID[self.cause].format(names=names, n=self.n_changed_pairs)


_SAID = {
    Cause.JUDGING: (
        "The pairs are the same on both sides, so a difference is one of judging, not of the"
        " candidates. What differs: {names}."
    ),
    Cause.CANDIDATES: (
        "{n} of the shared pairs differ in content and nothing that is recorded of the judging"
        " does, so a difference goes with the candidates."
    ),
    Cause.REPETITION: (
        "Neither the pairs nor anything recorded of the judging differs: what differs is"
        " repetition, and says how far one run may be from the next."
    ),
    Cause.UNKNOWN: (
        "The pairs are the same on both sides, so a difference is one of judging; how each side"
        " was asked is not recorded."
    ),
    Cause.REFUSED: (
        "REFUSED: {n} of the shared pairs differ in content, and so does the judging ({names}). No"
        " difference between these runs can be put down to the candidates, and none is. Judge both"
        " with one configuration."
    ),
}


def attribute(first: Side, second: Side, matched: Matched) -> Attribution:
    """Say what a difference between two sides can be put down to.

    Parameters
    ----------
    first : Side
        The first side.
    second : Side
        The second side.
    matched : Matched
        The pairs that they share.

    Returns
    -------
    Attribution
        Refused where texts differ and judging differs as well, or is not recorded.
    """
    changes = tuple(_changes(first, second))
    is_known = first.is_judging_known and second.is_judging_known
    if not matched.n_changed:
        cause = Cause.JUDGING if changes else Cause.REPETITION if is_known else Cause.UNKNOWN
        return Attribution(cause, changes, 0)
    systems = (
        "; ".join(sorted(first.systems(matched.first.tolist()))),
        "; ".join(sorted(second.systems(matched.second.tolist()))),
    )
    cause = Cause.CANDIDATES if is_known and not changes else Cause.REFUSED
    if cause is Cause.REFUSED and not changes:
        changes = (SettingChange("how it was asked", "not recorded", "not recorded"),)
    return Attribution(cause, changes, matched.n_changed, systems)


def _changes(first: Side, second: Side) -> list[SettingChange]:
    """Return the settings that differ; none where one side is not known."""
    if not (first.is_judging_known and second.is_judging_known):
        return []
    names = dict.fromkeys((*first.judging, *second.judging))
    return [
        SettingChange(name, left, right)
        for name in names
        if (left := first.judging.get(name, _ABSENT))
        != (right := second.judging.get(name, _ABSENT))
    ]
