"""What logs told, as the rows that their sources' own figures are made of."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import REJECTED_CODE
from counterbalance.importers.collected import SOURCE
from counterbalance.importers.pair_properties import Codes
from counterbalance.measures.upstream.source_rows import SourceRows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from counterbalance.importers.collected import Collected, LogGroup
    from counterbalance.measures.upstream.source_rows import RowName

__all__ = ["source_rows"]


def source_rows(collected: Collected) -> SourceRows:
    """Return every verdict of the source, without our own readings, and every rating.

    Parameters
    ----------
    collected : Collected
        What logs told.

    Returns
    -------
    SourceRows
        In the sequence of the log.
    """
    names = Codes[tuple[str, str, str]]()
    codes = np.array([names[_row_name(name)] for name in collected.names], dtype=np.int32)
    rated = collected.rated
    rated_codes = np.array([names[name] for name in rated.names], dtype=np.int32)
    all_names: tuple[RowName, ...] = tuple(names)
    columns = collected.columns
    rows = SourceRows(
        pairs=columns.pairs,
        names=all_names,
        ratings=replace(rated, names=all_names, name=_coded(rated_codes, rated.name)),
        name=_coded(codes, collected.named),
        file=columns.file,
        line=columns.line,
        pair=columns.pair,
        order=columns.order,
        repetition=columns.repetition,
        outcome=columns.outcome,
        strength=columns.strength,
        margin=collected.margins,
        length_a=collected.lengths[0],
        length_b=collected.lengths[1],
    )
    is_source = np.array([name.verdict_by == SOURCE for name in collected.names], dtype=np.bool_)
    chosen = is_source[collected.named] & (columns.outcome != REJECTED_CODE)
    return rows if chosen.all() else rows.where(np.flatnonzero(chosen))


def _row_name(name: LogGroup) -> RowName:
    return name.judge, name.strategy, name.subset


def _coded(codes: NDArray[np.int32], places: NDArray[np.int32]) -> NDArray[np.int32]:
    return codes[places] if codes.size else places
