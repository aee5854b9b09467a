"""One judgment as a few dozen bytes: how rows are kept while they come in."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import REJECTED_CODE, STRENGTHS, outcome_code

if TYPE_CHECKING:
    from counterbalance.parsing.outcome import Outcome

__all__ = ["REJECTED_OUTCOME", "ROW", "coded", "pack_row"]

ROW = np.dtype(
    [
        ("name", "<i4"),
        ("pair", "<i4"),
        ("setting", "<i4"),
        ("repetition", "<i4"),
        ("file", "<i4"),
        ("line", "<i8"),
        ("margin", "<f8"),
        ("length_a", "<i4"),
        ("length_b", "<i4"),
        ("order", "i1"),
        ("outcome", "i1"),
        ("strength", "i1"),
    ]
)
"""One judgment as it is kept."""
pack_row = struct.Struct("<iiiiiqdiibbb").pack
"""Packs the same."""
REJECTED_OUTCOME = REJECTED_CODE, 0
"""Codes of outcome and strength of a call whose row was rejected."""


def coded(outcome: Outcome) -> tuple[int, int]:
    """Return the codes of an outcome and of its strength."""
    strength = outcome.strength
    code = outcome_code(outcome.kind, outcome.failure)
    return code, 0 if strength is None else STRENGTHS.index(strength)
