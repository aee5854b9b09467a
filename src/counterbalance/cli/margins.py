"""Margins as ``compare`` and ``drift`` take them on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.protocol.sections import ComparedMeasure

__all__ = ["given_margins"]


def given_margins(words: Sequence[str]) -> dict[ComparedMeasure, float]:
    """Read ``MEASURE=VALUE`` words; refuse an unknown measure and a value that is no margin."""
    from counterbalance.errors import UsageError, one_line
    from counterbalance.protocol.sections import COMPARED

    found: dict[ComparedMeasure, float] = {}
    for word in words:
        name, _, text = word.partition("=")
        try:
            value = float(text)
        except ValueError:
            value = 0.0
        measure = next((known for known in COMPARED if known == name), None)
        if measure is None or not 0 < value < 1:
            msg = (
                f"--margin {one_line(word)}: give MEASURE=VALUE, a value above 0 and below 1 and a"
                f" measure of {', '.join(COMPARED)}"
            )
            raise UsageError(msg)
        found[measure] = value
    return found
