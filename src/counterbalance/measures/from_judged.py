"""Judged pairs of a live run in the columns that measures take."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.attempt_columns import PairTable
from counterbalance.dispositions.cell import NOT_RUN, verdict_of
from counterbalance.dispositions.codes import (
    CELLS,
    DETAILS,
    DISPOSITIONS,
    N_VERDICTS,
    NONE,
    ORDERS,
    OUTCOMES,
    REASONS,
    UNKNOWN_ORDER,
    VERDICTS,
    accepted_bits,
    outcome_code,
)
from counterbalance.dispositions.disposition import Disposition
from counterbalance.dispositions.pair_columns import (
    PairColumns,
    ReasonRows,
    RepeatColumns,
    RowCounts,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from numpy.typing import NDArray

    from counterbalance.dispositions.attempt_columns import ClusterKind, SystemPair
    from counterbalance.dispositions.evidence import PresentationEvidence
    from counterbalance.items.item import Pair
    from counterbalance.measures.group import JudgedPair

__all__ = ["pair_table", "pairs_from_judged"]


def pairs_from_judged(
    judged: Sequence[JudgedPair], cluster: ClusterKind = "cluster"
) -> PairColumns:
    """Put the pairs of one group into columns.

    Parameters
    ----------
    judged : Sequence[JudgedPair]
        All planned pairs of the group, each once.
    cluster : ClusterKind
        Unit of uncertainty.

    Returns
    -------
    PairColumns
        A row for each pair, in the same sequence.
    """
    table = pair_table([each.pair for each in judged])
    n = len(judged)
    cells = np.full((UNKNOWN_ORDER + 1, n), NONE, dtype=np.int8)
    planned = np.zeros((UNKNOWN_ORDER + 1, n), dtype=np.int32)
    verdicts = np.zeros((UNKNOWN_ORDER + 1, n, N_VERDICTS), dtype=np.int32)
    outcomes = np.zeros(len(OUTCOMES), dtype=np.int64)
    attempts = asked = 0
    for place, each in enumerate(judged):
        for order, cell in each.result.cells.items():
            cells[ORDERS.index(order), place] = CELLS.index(cell.cell)
        if each.result.disposition is Disposition.IDENTICAL:
            continue  # equal texts are in no count, whatever stands beside them
        for order, shown in each.main():
            _count(shown, ORDERS.index(order), place, planned, verdicts)
            outcomes[_outcome(shown)] += 1
            attempts += len(shown.attempts)
            asked += bool(shown.attempts)
    return PairColumns(
        table=table,
        pair=np.arange(n, dtype=np.int32),
        cluster=table.units(cluster),
        disposition=_codes(DISPOSITIONS.index(each.result.disposition) for each in judged),
        detail=_codes(DETAILS.index(each.result.detail) for each in judged),
        cells=cells,
        planned=planned,
        verdicts=verdicts,
        is_confounded=np.array([each.result.is_confounded for each in judged], dtype=np.bool_),
        # Every verdict of a live run comes with the reply that says how it was asked.
        is_setting_unknown=np.zeros(n, dtype=np.bool_),
        reasons=_reasons(judged),
        outcomes=outcomes,
        repeats=_repeats(judged),
        rows=RowCounts(attempts=attempts, decided=asked, retries=attempts - asked),
    )


def pair_table(pairs: Sequence[Pair]) -> PairTable:
    """Put what is known of each pair, whoever judged it, into columns.

    Parameters
    ----------
    pairs : Sequence[Pair]
        Each once; its place becomes its code.

    Returns
    -------
    PairTable
        Items, clusters, systems and categories numbered as they first occur.
    """
    systems: list[SystemPair] = [
        ((pair.a.system, pair.a.version), (pair.b.system, pair.b.version)) for pair in pairs
    ]
    categories = [pair.item.category for pair in pairs]
    accepted = [
        0 if pair.reference is None else accepted_bits(pair.reference.accepted) for pair in pairs
    ]
    return PairTable(
        ids=[pair.id for pair in pairs],
        item=_numbered(pair.item.id for pair in pairs),
        cluster=_numbered(pair.item.cluster for pair in pairs),
        systems=_numbered(systems),
        category=_numbered(categories),
        accepted=np.array(accepted, dtype=np.uint8),
        consequence=np.array([pair.item.consequence for pair in pairs], dtype=np.float64),
        is_identical=np.array([pair.is_identical for pair in pairs], dtype=np.bool_),
        system_pairs=tuple(dict.fromkeys(systems)),
        categories=tuple(dict.fromkeys(categories)),
    )


def _numbered(values: Iterable[Hashable]) -> NDArray[np.int32]:
    """Give different values numbers from 0 up, as they first occur."""
    numbers: dict[Hashable, int] = {}
    codes = [numbers.setdefault(value, len(numbers)) for value in values]
    return np.array(codes, dtype=np.int32)


def _codes(values: Iterable[int]) -> NDArray[np.int8]:
    return np.fromiter(values, dtype=np.int8)


def _outcome(shown: PresentationEvidence) -> int:
    if shown.decisive is None:
        return OUTCOMES.index(NOT_RUN)
    return outcome_code(shown.decisive.outcome.kind, shown.decisive.outcome.failure)


def _count(
    shown: PresentationEvidence,
    order: int,
    place: int,
    planned: NDArray[np.int32],
    verdicts: NDArray[np.int32],
) -> None:
    planned[order, place] += 1
    decisive = shown.decisive
    verdict = None if decisive is None else verdict_of(decisive.outcome, ORDERS[order])
    if verdict is not None:
        verdicts[order, place, VERDICTS.index(verdict)] += 1


def _reasons(judged: Sequence[JudgedPair]) -> ReasonRows:
    rows = [
        (place, REASONS.index(reason), count)
        for place, each in enumerate(judged)
        for reason, count in each.result.reasons.items()
    ]
    place, reason, count = np.array(rows, dtype=np.int32).reshape(-1, 3).T
    return ReasonRows(place, reason.astype(np.int8), count)


def _repeats(judged: Sequence[JudgedPair]) -> RepeatColumns:
    """Count the repetition subset where there is one, else the main presentations."""
    # Numbers of repetitions and temperatures are never mixed, and pairs whose orders differ in more
    # than the order are no study of noise.
    has_subset = any(each.evidence.stability for each in judged)
    planned = np.zeros((len(ORDERS), len(judged)), dtype=np.int32)
    verdicts = np.zeros((len(ORDERS), len(judged), N_VERDICTS), dtype=np.int32)
    temperatures = set[float]()
    for place, each in enumerate(judged):
        if each.result.is_confounded or each.result.disposition is Disposition.IDENTICAL:
            continue
        held = each.evidence.stability if has_subset else each.evidence.main
        for order, presentations in held.items():
            for shown in presentations:
                _count(shown, ORDERS.index(order), place, planned, verdicts)
                if len(presentations) > 1 and shown.presentation.temperature is not None:
                    temperatures.add(shown.presentation.temperature)
    return RepeatColumns(verdicts, planned, tuple(sorted(temperatures)))
