"""Preference sets: pairs with a label of which answer was preferred, and no judge's log.

They are known so that they are not taken for one: their pairs can be judged, and the label becomes
the reference that the judge is compared with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.importers.log_format import Container, Holds, LogFormat, Shape
from counterbalance.items.preferences import SIDES

if TYPE_CHECKING:
    from collections.abc import Callable

    from counterbalance.importers.log_format import Sample

__all__ = ["CONVERSATIONS", "IMPLICIT", "REWARDBENCH", "REWARDBENCH_2", "STANDARD"]

_TABLES = (Container.JSON_LINES, Container.JSON_ARRAY, Container.TABLE, Container.PARQUET)
_BOTH = frozenset(SIDES)
_ADVICE = (
    "No judge decided here: judge the pairs in both orders, with the label as reference. Name the"
    ' file in a protocol (pairs = "FILE"; `counterbalance init` writes one) and run it. Which'
    " answer becomes a is drawn so that it tells nothing of the label."
)


def _shapes(
    keys: frozenset[str], where: Callable[[Sample], bool] | None = None
) -> tuple[Shape, ...]:
    return tuple(Shape(container, keys, where) for container in _TABLES)


def _is_conversation(sample: Sample) -> bool:
    first = sample.first if isinstance(sample.first, dict) else {}
    sides = [first.get(side) for side in SIDES]
    return all(
        isinstance(turns, list) and bool(turns) and all(isinstance(t, dict) for t in turns)
        for turns in sides
    )


def _pairs(name: str, title: str, shapes: tuple[Shape, ...]) -> LogFormat:
    return LogFormat(name, title, shapes, Holds.PAIRS, advice=_ADVICE)


REWARDBENCH_2 = _pairs(
    "rewardbench-2",
    "RewardBench 2 (lists of preferred and rejected answers)",
    _shapes(_BOTH | {"num_correct"}),
)
REWARDBENCH = _pairs(
    "rewardbench",
    "RewardBench",
    _shapes(_BOTH | {"chosen_model", "rejected_model"}),
)
CONVERSATIONS = _pairs(
    "preference-conversations",
    "preference set of conversations",
    _shapes(_BOTH, _is_conversation),
)
STANDARD = _pairs(
    "preference-set",
    "preference set (prompt, chosen, rejected)",
    _shapes(_BOTH | {"prompt"}),
)
IMPLICIT = _pairs(
    "preference-set-implicit",
    "preference set whose texts hold the prompt (chosen, rejected)",
    _shapes(_BOTH),
)
