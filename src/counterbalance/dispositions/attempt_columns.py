"""Attempts in bulk: what a log says, a row for each judgment, every word a small integer."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal

import numpy as np

from counterbalance.dispositions.codes import NONE, NOT_RUN_CODE, STRENGTHS, UNKNOWN_ORDER
from counterbalance.errors import StatisticsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from counterbalance.dispositions.codes import Booleans

__all__ = ["AttemptColumns", "ClusterKind", "PairTable", "SystemPair"]

ClusterKind = Literal["cluster", "item", "pair"]
SystemPair = tuple[tuple[str, str], tuple[str, str]]
"""System and version of candidate a, then of candidate b."""


@dataclass(frozen=True, slots=True, eq=False)
class PairTable:
    """What is known of each pair whoever judged it; the place in every array is the pair's code.

    Attributes
    ----------
    ids : Sequence[str]
        Ids of the pairs.
    item : NDArray[np.int32]
        Code of the item, from 0 up.
    cluster : NDArray[np.int32]
        Code of the cluster that the source declares, from 0 up.
    systems : NDArray[np.int32]
        Place in `system_pairs`.
    category : NDArray[np.int32]
        Place in `categories`.
    accepted : NDArray[np.uint8]
        Accepted verdicts as bits (`accepted_bits`); 0 where there is no reference.
    consequence : NDArray[np.float64]
        How much an error would matter; 1 when not stated.
    is_identical : NDArray[np.bool_]
        Whether both texts are the same to the byte.
    system_pairs : tuple[SystemPair, ...]
        The compared systems and versions.
    categories : tuple[str, ...]
        Names of the categories.
    """

    ids: Sequence[str]
    item: NDArray[np.int32]
    cluster: NDArray[np.int32]
    systems: NDArray[np.int32]
    category: NDArray[np.int32]
    accepted: NDArray[np.uint8]
    consequence: NDArray[np.float64]
    is_identical: NDArray[np.bool_]
    system_pairs: tuple[SystemPair, ...]
    categories: tuple[str, ...]

    def __post_init__(self) -> None:
        """Refuse arrays of different lengths, which would give pairs one another's properties."""
        _same_length(self, len(self.ids))

    @property
    def n_pairs(self) -> int:
        """Number of pairs."""
        return len(self.ids)

    def units(self, kind: ClusterKind) -> NDArray[np.int32]:
        """Return for each pair the code of the unit that uncertainty is computed over.

        Parameters
        ----------
        kind : ClusterKind
            ``cluster``, ``item`` or ``pair``, as the protocol's analysis says.

        Returns
        -------
        NDArray[np.int32]
            Codes from 0 up, in no particular sequence.
        """
        if kind == "pair":
            return np.arange(self.n_pairs, dtype=np.int32)
        return self.item if kind == "item" else self.cluster


@dataclass(frozen=True, slots=True, eq=False)
class AttemptColumns:
    """Attempts of any number of groups, a row each, in any sequence.

    A group is what dispositions are formed within: one judge under one labelling, and for a log
    also the source's verdict or our own reading of the reply. Group codes go from 0 up; their names
    stay with whoever gave the codes.

    Attributes
    ----------
    n_groups : int
        Number of groups; some may have no row.
    pairs : PairTable
        What is known of each pair.
    group : NDArray[np.int32]
        Code of the group.
    pair : NDArray[np.int32]
        Place of the pair in `pairs`.
    order : NDArray[np.int8]
        0 forward (candidate a shown first), 1 reversed, 2 not recorded.
    repetition : NDArray[np.int32]
        Which of the repetitions of one pair and order it is, from 0 up. Rows of one group, pair,
        order and repetition are attempts at, or copies of, one presentation.
    outcome : NDArray[np.int8]
        Place in `codes.OUTCOMES`, in slot terms (`outcome_code`); `NOT_RUN_CODE` stands for a
        planned presentation without an attempt, `REJECTED_CODE` for one whose row was rejected.
        Where the order was not recorded, ``first`` means candidate a.
    strength : NDArray[np.int8]
        Place in `codes.STRENGTHS`.
    setting : NDArray[np.int32]
        Code of all that must be equal in both orders (returned model, parameters, prompt); -1
        where the log does not say.
    file : NDArray[np.int32]
        Which of the files the row stood in, from 0 up.
    line : NDArray[np.int64]
        Line (or row) of that file, from 1 up.
    """

    n_groups: int
    pairs: PairTable
    group: NDArray[np.int32]
    pair: NDArray[np.int32]
    order: NDArray[np.int8]
    repetition: NDArray[np.int32]
    outcome: NDArray[np.int8]
    strength: NDArray[np.int8]
    setting: NDArray[np.int32]
    file: NDArray[np.int32]
    line: NDArray[np.int64]

    def __post_init__(self) -> None:
        """Refuse what no log can have produced: unequal lengths, and codes without a meaning."""
        _same_length(self, self.n_rows)
        for name, codes, n_codes in (
            ("group", self.group, self.n_groups),
            ("pair", self.pair, self.pairs.n_pairs),
            ("order", self.order, UNKNOWN_ORDER + 1),
            ("outcome", self.outcome, NOT_RUN_CODE + 1),
            ("strength", self.strength, len(STRENGTHS)),
        ):
            _within(name, codes, 0, n_codes)
        _within("repetition", self.repetition, 0, None)
        _within("setting", self.setting, NONE, None)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.group.size


def _same_length(columns: PairTable | AttemptColumns, n_rows: int) -> None:
    for field in fields(columns):
        column = getattr(columns, field.name)
        if isinstance(column, np.ndarray) and column.shape != (n_rows,):
            message = f"column {field.name} has the shape {column.shape}; all have {n_rows} rows"
            raise StatisticsError(message)


def _within(name: str, codes: NDArray[np.integer], low: int, n_codes: int | None) -> None:
    bad: Booleans = codes < low
    if n_codes is not None:
        bad |= codes >= n_codes
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        allowed = f"from {low} up" if n_codes is None else f"from {low} to {n_codes - 1}"
        message = f"column {name} holds {codes[row]} in row {row}; codes go {allowed}"
        raise StatisticsError(message)
