"""One side of a comparison: what one judge said under one labelling, and how it was asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from counterbalance.dispositions.pair_columns import PairColumns

__all__ = ["Side"]


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """Pairs that were judged in one way.

    Attributes
    ----------
    name : str
        What the comparison calls it.
    judge : str
        Name of the judge.
    labelling : str
        Name of the labelling; the source's words for a log.
    pairs : PairColumns
        All planned pairs, a row each.
    keys : Sequence[str]
        Content key of each row: equal for the same prompt, context, reference, requirements and
        texts.
    judging : Mapping[str, str]
        How it was asked and who answered, by setting; empty where a log does not say.
    baseline : str | None
        System that is candidate a throughout, if declared.
    notes : tuple[str, ...]
        What limits this side's evidence, in sentences.
    """

    name: str
    judge: str
    labelling: str
    pairs: PairColumns
    keys: Sequence[str]
    judging: Mapping[str, str] = field(default_factory=dict)
    baseline: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def ids(self) -> list[str]:
        """Id of the pair in each row."""
        return [self.pairs.table.ids[code] for code in self.pairs.pair.tolist()]

    @property
    def is_judging_known(self) -> bool:
        """Whether it is known how this side was asked."""
        return bool(self.judging)

    def systems(self, rows: Sequence[int]) -> set[str]:
        """Return which systems the pairs of these rows compare, by name and version."""
        codes = np.unique(self.pairs.systems[np.asarray(rows, dtype=np.intp)])
        return {
            " against ".join(f"{system} {version}".strip() for system, version in pair)
            for pair in (self.pairs.table.system_pairs[code] for code in codes)
        }
