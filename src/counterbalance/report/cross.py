"""Every strategy by every probe, as data: how a cure for one bias moves the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counterbalance.measures.estimate import Estimate
    from counterbalance.measures.strategy_bias import Moved

__all__ = ["CrossCell", "CrossTable"]


@dataclass(frozen=True, slots=True)
class CrossCell:
    """A probe's score under one strategy, and how far that is from one call.

    Attributes
    ----------
    judge : str
        Name of the judge, or names of the panel.
    strategy : str
        Its id.
    probe : str
        Name of the probe.
    score : Estimate
        b over the strategy's results.
    missing : int
        Probe pairs without a result under this strategy.
    by_construction : str | None
        Why there is no score, whatever the judge says; None where there could be one.
    baseline : str | None
        What it is compared with; None for the baseline itself, and where there is none.
    moved : Moved | None
        How far it moves the score from the baseline's, on the same pairs.
    adjusted_p_value : float | None
        By Holm over every strategy, probe and judge.
    is_rejected : bool | None
        Whether Holm rejects that nothing moves; None without a p-value.
    """

    judge: str
    strategy: str
    probe: str
    score: Estimate
    missing: int
    by_construction: str | None = None
    baseline: str | None = None
    moved: Moved | None = None
    adjusted_p_value: float | None = None
    is_rejected: bool | None = None


@dataclass(frozen=True, slots=True)
class CrossTable:
    """Every strategy by every probe.

    Attributes
    ----------
    cells : tuple[CrossCell, ...]
        By judge or panel, then by strategy, then by probe, each as declared.
    titles : tuple[tuple[str, str], ...]
        Each strategy, and what it does.
    family_size : int
        Comparisons with the baseline that Holm corrects together: all that the protocol makes
        possible, with or without a p-value.
    """

    cells: tuple[CrossCell, ...]
    titles: tuple[tuple[str, str], ...]
    family_size: int
