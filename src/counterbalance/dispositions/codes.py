"""Small integers for the words of dispositions, so that a million rows fit into arrays.

The rules themselves stay where they are: every table here is made by asking the rule of one pair
for each combination of words.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from counterbalance.dispositions.cell import NOT_RUN, Cell, verdict_of
from counterbalance.dispositions.disposition import (
    CONFOUNDED,
    NOT_PLANNED,
    Disposition,
    disposition_of,
)
from counterbalance.items.frames import Order, Side, Slot, Verdict
from counterbalance.parsing.outcome import FailureKind, Outcome, OutcomeKind

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "CELLS",
    "CELL_VERDICT",
    "CONTRADICTORY",
    "DETAILS",
    "DISPOSED",
    "DISPOSITIONS",
    "NONE",
    "NOT_RUN_CODE",
    "N_VERDICTS",
    "ORDERS",
    "OUTCOMES",
    "REASONS",
    "REJECTED",
    "REJECTED_CODE",
    "STRENGTHS",
    "UNKNOWN_ORDER",
    "VERDICTS",
    "VERDICT_OF",
    "Booleans",
    "accepted_bits",
    "codes_where",
    "kind_of",
    "outcome_code",
]

Booleans: TypeAlias = NDArray[np.bool_]

NONE = -1
"""Code of what is not there: no verdict, no cell, no known setting."""

ORDERS = tuple(Order)
"""Orders by code: 0 forward, 1 reversed."""
UNKNOWN_ORDER = len(ORDERS)
"""Code of an order that was not recorded; what was chosen is then known by candidate only."""

STRENGTHS = (None, "slightly", "much")
"""Strengths of a win by code; 0 where the scale has none."""

REJECTED = "rejected"
"""Reason of a presentation whose row in the log was rejected: which one was asked can be told, and
what came of it cannot."""

CONTRADICTORY = "contradictory"
"""Reason of a presentation that a log holds several times with different verdicts."""

_WITHOUT_REPLY = (
    OutcomeKind.TOO_LONG.value,
    *(f"{OutcomeKind.FAILED}:{failure}" for failure in FailureKind),
    OutcomeKind.FAILED.value,
    REJECTED,
    NOT_RUN,
)
OUTCOMES = (
    *("first", "second", "tie", "neither", "insufficient"),
    *("refused", "conflicting", "off_scale", "truncated", "unparsed", "empty"),
    *_WITHOUT_REPLY,
    CONTRADICTORY,
)
"""Outcomes by code. Of several rows of one presentation the lowest code decides: a verdict, else
what the judge replied, else why there is no reply, else that its row was rejected, else that it was
not run. The last code is never a row's own: it is what contradicting verdicts come to."""

REASONS = (*OUTCOMES, CONFOUNDED, NOT_PLANNED)
"""Reasons by code: outcomes without a verdict have their own, two more belong to the pair."""

VERDICTS = tuple(Verdict)
N_VERDICTS = len(VERDICTS)
CELLS = tuple(Cell)
DISPOSITIONS = tuple(Disposition)
DETAILS = ("", "primacy", "recency", *(f"{side}:{slot}" for side, slot in product(Side, Slot)))
"""Details of dispositions by code; 0 where there is none."""


_OUTCOME_CODE = {name: code for code, name in enumerate(OUTCOMES)}


def outcome_code(kind: OutcomeKind, failure: FailureKind | None = None) -> int:
    """Return the code of an outcome.

    Parameters
    ----------
    kind : OutcomeKind
        The class.
    failure : FailureKind | None
        Kind of a failed call, if it is one and known.

    Returns
    -------
    int
        Place in `OUTCOMES`.

    Examples
    --------
    >>> outcome_code(OutcomeKind.TIE), OUTCOMES[outcome_code(OutcomeKind.FAILED, FailureKind.LOST)]
    (2, 'failed:lost')
    """
    return _OUTCOME_CODE[kind if failure is None else f"{kind}:{failure}"]


NOT_RUN_CODE = OUTCOMES.index(NOT_RUN)
"""Code of a planned presentation that nobody asked: a row that stands for no attempt."""
REJECTED_CODE = OUTCOMES.index(REJECTED)
"""Code of a presentation whose row was rejected: a row that is no attempt either."""


def kind_of(code: int) -> OutcomeKind | None:
    """Return the class of an outcome code; None for rejected, not run and contradictory."""
    name = OUTCOMES[code].partition(":")[0]
    return None if name in {REJECTED, NOT_RUN, CONTRADICTORY} else OutcomeKind(name)


def accepted_bits(accepted: Iterable[Verdict]) -> int:
    """Return a set of accepted verdicts as bits: 1 shifted by each verdict's code."""
    return sum(1 << VERDICTS.index(verdict) for verdict in set(accepted))


def codes_where(words: tuple[str, ...], wanted: Iterable[str]) -> Booleans:
    """Return for each code of a vocabulary whether its word is wanted: a table to index with."""
    chosen = set(wanted)
    return np.array([word in chosen for word in words], dtype=np.bool_)


def _verdict_code(code: int, order: Order) -> int:
    kind = kind_of(code)
    verdict = None if kind is None else verdict_of(Outcome(kind, "code"), order)
    return NONE if verdict is None else VERDICTS.index(verdict)


# A vote whose order nobody recorded names the candidate: it is written as if shown forward.
VERDICT_OF: NDArray[np.int8] = np.array(
    [
        [_verdict_code(code, order) for code in range(len(OUTCOMES))]
        for order in (*ORDERS, Order.FORWARD)
    ],
    dtype=np.int8,
)
"""Verdict code by order code (row) and outcome code (column)."""

CELL_VERDICT: NDArray[np.int8] = np.array(
    [*(NONE if c.verdict is None else VERDICTS.index(c.verdict) for c in CELLS), NONE],
    dtype=np.int8,
)
"""Verdict code of each cell code; the last entry serves the code of no cell."""


def _disposed() -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    cells = (*CELLS, None)
    shape = (2, 2, len(cells), len(cells))
    classes, details = np.empty(shape, dtype=np.int8), np.empty(shape, dtype=np.int8)
    for place in product(*map(range, shape)):
        found, detail = disposition_of(
            cells[place[2]],
            cells[place[3]],
            is_identical=bool(place[0]),
            is_confounded=bool(place[1]),
        )
        classes[place], details[place] = DISPOSITIONS.index(found), DETAILS.index(detail)
    return classes, details


DISPOSED = _disposed()
"""Disposition and detail codes by: identical, confounded, forward cell, reversed cell. The last
entry of the cells serves the code of no cell."""
