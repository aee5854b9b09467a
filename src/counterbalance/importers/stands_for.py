"""Which strategy of the source study a word of a log stands for, and how loosely.

The nine strategies are those of "Judging the Judges" (TMLR 2026). A log that was made for another
study only resembles them; every difference that is known is said here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["STANDS_FOR", "StandsFor"]


@dataclass(frozen=True, slots=True)
class StandsFor:
    """What one word of a log stands for.

    Attributes
    ----------
    strategy : str
        The strategy, such as ``B0``; empty where it is none of the nine.
    both_orders : str
        What it becomes where both orders are asked and a tie is called on a disagreement.
    is_loose : bool
        Whether it only resembles it.
    why : str
        What differs, in a sentence; empty where nothing is known to.
    calls_before : int
        Calls for one pair before the verdict is asked for; both orders share them.
    asks_twice : bool
        Whether both orders are always asked, and once more where the two disagree.
    """

    strategy: str
    both_orders: str = ""
    is_loose: bool = False
    why: str = ""
    calls_before: int = 0
    asks_twice: bool = False


_METRICS = (
    "the judge first writes metrics for the item and weighs the answers by these; S4 has five fixed"
    " criteria"
)
_REFERENCE = (
    "the judge answers the item itself first and compares with that; S6 is given a reference answer"
)
_SWAP = (
    "where the orders disagree the judge is shown both arguments and asked again; S1 calls a tie"
)

STANDS_FOR: Mapping[str, Mapping[str, StandsFor]] = {
    "llmbar": {
        "Vanilla": StandsFor("B0", both_orders="S1"),
        "CoT": StandsFor("S5"),
        "Swap": StandsFor("S1", is_loose=True, why=_SWAP, asks_twice=True),
        "Swap_CoT": StandsFor(
            "S8",
            is_loose=True,
            why=f"reasons and swaps, but has no rubric; {_SWAP}",
            asks_twice=True,
        ),
        "Metrics": StandsFor("S4", is_loose=True, why=_METRICS, calls_before=1),
        "Reference": StandsFor("S6", is_loose=True, why=_REFERENCE, calls_before=1),
        "Metrics_Reference": StandsFor(
            "S4 with S6",
            is_loose=True,
            why=f"{_METRICS}; {_REFERENCE}",
            calls_before=2,
        ),
        "Vanilla_NoRules": StandsFor("", why="B0 without the rules of its prompt"),
    }
}
"""By format and by the log's own word."""
