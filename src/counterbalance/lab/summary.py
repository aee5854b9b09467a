"""The lab without a browser: the same figures as text and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.lab.assignment import balanced_counts, independent_counts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.lab.assignment import SlotCounts

__all__ = ["LIMITS", "SCHEMA", "lab_json", "lab_lines"]

SCHEMA = "counterbalance.lab/1"
LIMITS = (
    "No judge is run, and no verdict is drawn.",
    "Responses have no length here, tasks no rubric, candidates no quality, nobody a preference.",
    "So it cannot show a position effect. That takes the same pair judged in both orders.",
)
"""What the lab does not model; the page says the same."""


def lab_json(n: int, p: float) -> dict[str, Any]:
    """Return the exact figures of the lab.

    Parameters
    ----------
    n : int
        Presentations.
    p : float
        Probability of the first slot.

    Returns
    -------
    dict[str, Any]
        Schema ``counterbalance.lab/1``: independent and balanced assignment side by side.
    """
    return {
        "schema": SCHEMA,
        "n": n,
        "p": p,
        "independent": _counts_json(independent_counts(n, p)),
        "balanced": _counts_json(balanced_counts(n)),
        "not_modelled": list(LIMITS),
    }


def _counts_json(counts: SlotCounts) -> dict[str, Any]:
    return {
        "mean": counts.mean,
        "variance": counts.variance,
        "counts": [
            {"first_slot": k, "probability": each, "at_least_as_far": counts.at_least_as_far(k)}
            for k, each in enumerate(counts.probabilities)
        ],
    }


def lab_lines(n: int, p: float) -> Iterator[str]:
    """Yield what the lab is about, for a terminal.

    Parameters
    ----------
    n : int
        Presentations.
    p : float
        Probability of the first slot.

    Yields
    ------
    str
        One line each.
    """
    alone, balanced = independent_counts(n, p), balanced_counts(n)
    presentations = "1 presentation" if n == 1 else f"{n} presentations"
    yield f"{presentations}, each shown with a candidate first with probability {p:g}"
    yield f"  assigned independently: mean {alone.mean:g}, variance {alone.variance:g}"
    nearest = sorted({int(alone.mean), min(n, int(alone.mean) + (alone.mean % 1 > 0))})
    for count in nearest:
        yield f"    exactly {count} in the first slot: {alone.probabilities[count]:.4f}"
    yield (
        f"  balanced, half in each order: mean {balanced.mean:g}, variance {balanced.variance:g}"
    )
