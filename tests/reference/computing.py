"""Published numbers computed anew through the product, and compared."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from reference import computed_from_aggregates, computed_from_logs, computed_from_pairs
from reference.computed import ANY_SOURCE, NotReproducibleError
from reference.published import PublishedNumber, numbers_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["Result", "computed_results", "faults", "is_same", "results_of"]

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
_TOLERANCE = 1e-9
_ABSOLUTE = 1e-12
"""For numbers that are 0: there is no relative difference from it."""


@dataclass(frozen=True)
class Result:
    """What became of one published number."""

    number: PublishedNumber
    state: Literal["same", "different", "not reproducible", "not computed"]
    ours: Any = None
    reason: str = ""

    def __str__(self) -> str:
        published = self.number
        told = self.reason or f"published {published.value!r}, computed {self.ours!r}"
        return f"{published.source}: {published.file}: {published.metric}: {self.state}: {told}"


_COMPUTED: dict[tuple[Path, str], tuple[Result, ...]] = {}


def results_of(folder: Path, file: str) -> tuple[Result, ...]:
    """Compute every number of one file, once."""
    found = _COMPUTED.get((folder, file))
    if found is None:
        numbers = [number for number in numbers_of(folder) if number.file == file]
        found = _COMPUTED[folder, file] = tuple(map(_result, numbers))
    return found


def computed_results() -> list[Result]:
    """Return every result so far."""
    return [result for found in _COMPUTED.values() for result in found]


def faults(results: Iterable[Result]) -> list[str]:
    """Say which results must not be.

    What differs, what nothing computes, and what is given up though somebody reproduced it.
    """
    return [
        str(result)
        for result in results
        if result.state in {"different", "not computed"}
        or (result.state == "not reproducible" and result.number.reproduced)
    ]


def _result(number: PublishedNumber) -> Result:
    for module in (computed_from_logs, computed_from_pairs, computed_from_aggregates):
        rules = {**module.RULES.get(ANY_SOURCE, {}), **module.RULES.get(number.source, {})}
        for pattern, compute in rules.items():
            found = re.fullmatch(pattern, number.metric)
            if found is None:
                continue
            if isinstance(compute, str):
                return Result(number, "not reproducible", reason=compute)
            try:
                ours = compute(number, *found.groups())
            except NotReproducibleError as why:
                return Result(number, "not reproducible", reason=str(why))
            tolerance = number.tolerance
            same = is_same(number.value, ours, tolerance)
            return Result(number, "same" if same else "different", ours)
    return Result(number, "not computed", reason="nothing here computes a number of this name")


def is_same(published: Any, ours: Any, tolerance: float | None) -> bool:
    """Compare numbers, texts with numbers in them, and objects of either."""
    match published:
        case dict():
            same = _is_same_object(published, ours, tolerance)
        case bool():
            same = published is ours
        case str():
            # "28 / 92 = 30.43%" or "150/150": every number in it is compared.
            theirs = [float(digits) for digits in _NUMBER.findall(published)]
            same = len(theirs) == len(ours) and all(
                is_same(one, other, tolerance) for one, other in zip(theirs, ours, strict=True)
            )
        case _:
            same = ours is not None and _is_near(published, ours, tolerance)
    return same


def _is_same_object(published: dict[str, Any], ours: Any, tolerance: float | None) -> bool:
    """Compare objects; counts that are 0 may be left out of the published one."""
    return (
        isinstance(ours, dict)
        and published.keys() <= ours.keys()
        and all(is_same(value, ours[key], tolerance) for key, value in published.items())
        and not any(ours[key] for key in ours.keys() - published.keys())
    )


def _is_near(published: float, ours: float, tolerance: float | None) -> bool:
    if tolerance is not None:
        return abs(published - ours) <= tolerance
    return math.isclose(published, ours, rel_tol=_TOLERANCE, abs_tol=_ABSOLUTE)
