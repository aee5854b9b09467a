"""Small logs in columns for tests: a row is written as words, pairs are the real type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.attempt_columns import AttemptColumns
from counterbalance.dispositions.codes import OUTCOMES, STRENGTHS
from counterbalance.measures.from_judged import pair_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.items.item import Pair


@dataclass(frozen=True)
class Row:
    """One judgment; ``outcome`` in slot terms, ``order`` 0, 1 or 2, ``setting`` -1 if unknown."""

    outcome: str
    order: int = 0
    pair: int = 0
    group: int = 0
    repetition: int = 0
    strength: str | None = None
    setting: int = -1


def attempt_columns(
    rows: Sequence[Row], pairs: Sequence[Pair], n_groups: int = 1
) -> AttemptColumns:
    def column(name: str, dtype: type) -> np.ndarray:
        return np.array([getattr(row, name) for row in rows], dtype=dtype)

    return AttemptColumns(
        n_groups=n_groups,
        pairs=pair_table(pairs),
        group=column("group", np.int32),
        pair=column("pair", np.int32),
        order=column("order", np.int8),
        repetition=column("repetition", np.int32),
        outcome=np.array([OUTCOMES.index(row.outcome) for row in rows], dtype=np.int8),
        strength=np.array([STRENGTHS.index(row.strength) for row in rows], dtype=np.int8),
        setting=column("setting", np.int32),
        file=np.zeros(len(rows), dtype=np.int32),
        line=np.arange(1, len(rows) + 1),
    )
