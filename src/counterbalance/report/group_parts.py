"""Parts of a group's report that are tables of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CategoryRow", "RequirementRow"]


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """One category's part of a group.

    Attributes
    ----------
    category : str
        Its name; empty for pairs without one.
    pairs : int
        Pairs planned.
    stable : int
        Pairs whose orders say the same.
    two_verdicts : int
        Pairs whose orders both have a verdict.
    order_disagreement : int
        Pairs whose orders prefer different candidates.
    agreeing : int
        Pairs with a reference that both verdicts agree with.
    referenced : int
        Pairs with a reference and two verdicts.
    """

    category: str
    pairs: int
    stable: int
    two_verdicts: int
    order_disagreement: int
    agreeing: int
    referenced: int


@dataclass(frozen=True, slots=True)
class RequirementRow:
    """One requirement over all pairs that have it, apart from any preference.

    Attributes
    ----------
    requirement : str
        Its id.
    mandatory : bool
        Whether it binds winners.
    met : Mapping[str, int]
        Candidates that meet it, by side.
    breached : Mapping[str, int]
        Candidates that break it.
    unknown : Mapping[str, int]
        Candidates where it cannot be told.
    """

    requirement: str
    mandatory: bool
    met: Mapping[str, int]
    breached: Mapping[str, int]
    unknown: Mapping[str, int]
