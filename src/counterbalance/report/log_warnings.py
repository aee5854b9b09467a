"""Sentences about what limits the evidence of a log; shown in every rendering."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import NOT_RUN_CODE, UNKNOWN_ORDER, VERDICTS
from counterbalance.importers.collected import SOURCE
from counterbalance.items.frames import Order, Verdict
from counterbalance.measures.agreement import is_accepted
from counterbalance.measures.upstream.scripts import COUNT_HALF_EVIDENCE
from counterbalance.report.layout import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.importers.loading import ImportedLog
    from counterbalance.report.log_reading import LogReading
    from counterbalance.report.report import GroupReport

__all__ = ["log_warnings"]

_FEW_PAIRS = 10


def log_warnings(
    log: ImportedLog,
    reading: LogReading,
    groups: Sequence[GroupReport],
    columns: Sequence[PairColumns],
) -> tuple[str, ...]:
    """Collect what a reader must know beside the numbers.

    Parameters
    ----------
    log : ImportedLog
        The log.
    reading : LogReading
        How it was read.
    groups : Sequence[GroupReport]
        Every group.
    columns : Sequence[PairColumns]
        Their pairs, in the same sequence.

    Returns
    -------
    tuple[str, ...]
        Sentences, each once.
    """
    found = [
        "Nothing here was decided before the verdicts were seen: every number is exploratory.",
        *_about_rows(log, reading),
        *(
            sentence
            for group, pairs in zip(groups, columns, strict=True)
            if group.verdict_by == SOURCE
            for sentence in _about_a_group(group, pairs, log.log_format.name)
        ),
        *_about_readings(reading),
        *log.notes,
    ]
    return tuple(dict.fromkeys(found))


def _about_rows(log: ImportedLog, reading: LogReading) -> Iterator[str]:
    rejected = sum(reject.count for reject in reading.rejects)
    if rejected:
        yield (
            f"{plural(rejected, 'row')} (or part of a row) tell of no judgment that could be read;"
            " they are listed under rejects and are in no other number. Where pair and order could"
            " be told, the order is one without a verdict (rejected)."
        )
    totals = reading.totals
    repeated = totals.exact_duplicates + totals.agreeing_duplicates
    if repeated:
        yield (
            f"{plural(repeated, 'judgment')} repeat a verdict of the same pair, order and"
            " repetition; each presentation counts once."
        )
    if totals.contradicting:
        yield (
            f"{plural(totals.contradicting, 'judgment')} contradict another one of the same pair,"
            " order and repetition. None of them decides: such a presentation has no verdict"
            " (contradictory), whichever row came last."
        )
    if log.collected.conflicts:
        first = log.collected.conflicts[0]
        yield (
            f"{plural(len(log.collected.conflicts), 'pair')} have rows that disagree about the"
            f" reference, such as {first}; the first row holds."
        )


def _about_a_group(group: GroupReport, pairs: PairColumns, source: str) -> Iterator[str]:
    name = group.name
    if 0 < group.counts.pairs < _FEW_PAIRS:
        yield (
            f"{name}: only {plural(group.counts.pairs, 'pair')}; inspect every one instead of the"
            " rates."
        )
    unordered = int((pairs.planned[UNKNOWN_ORDER] > 0).sum())
    if unordered:
        yield (
            f"{name}: for {plural(unordered, 'pair')} the log does not say which answer was shown"
            " first, so nothing here speaks of slots."
        )
    missing = int(pairs.outcomes[NOT_RUN_CODE])
    if missing:
        yield (
            f"{name}: {plural(missing, 'pair')} stand in one order only, though at least half of"
            " the pairs stand in both. Their other order is missing from the log: they are"
            " incomplete (not_run)."
        )
    single = group.dispositions["single_order"] - unordered
    if single > 0:
        yield (
            f"{name}: {plural(single, 'pair')} stand in one order only. No pair can be called"
            " stable or order-sensitive; only a comparison between pairs is possible."
        )
    confounded = int(pairs.is_confounded.sum())
    if confounded:
        yield (
            f"{name}: the two orders of {plural(confounded, 'pair')} differ in more than the order"
            " (prompt, model or limits). They are incomplete (confounded) and in no order measure."
        )
    unknown = int(pairs.is_setting_unknown.sum())
    if unknown:
        yield (
            f"{name}: for {plural(unknown, 'pair')} the log does not show whether anything else"
            " than the order differed."
        )
    yield from _half_evidence(name, pairs, is_counted=source in COUNT_HALF_EVIDENCE)


def _half_evidence(name: str, pairs: PairColumns, *, is_counted: bool) -> Iterator[str]:
    """Count pairs that a sum over the two orders would call right on the strength of one."""
    forward, backward = (
        is_accepted(pairs.verdict(order), pairs.accepted)
        for order in (Order.FORWARD, Order.REVERSED)
    )
    tie = VERDICTS.index(Verdict.TIE)
    is_tie = [pairs.verdict(order) == tie for order in (Order.FORWARD, Order.REVERSED)]
    has_none = [pairs.verdict(order) < 0 for order in (Order.FORWARD, Order.REVERSED)]
    two = pairs.is_in_two_orders
    with_tie = int(np.sum(two & ((forward & is_tie[1]) | (backward & is_tie[0]))))
    with_none = int(np.sum(two & ((forward & has_none[1]) | (backward & has_none[0]))))
    if is_counted:
        for count, other in ((with_tie, "is a tie"), (with_none, "has no verdict")):
            if count:
                verb = "counts" if count == 1 else "count"
                yield (
                    f"{name}: {plural(count, 'pair')} {verb} as correct in this benchmark's score"
                    f" though one order {other}."
                )
    elif with_tie or with_none:
        parts = [f"{with_tie} with a tie in the other order"] if with_tie else []
        parts += [f"{with_none} with no verdict in the other order"] if with_none else []
        yield (
            f"{name}: {plural(with_tie + with_none, 'pair')} agree with the reference in one order"
            f" only ({', '.join(parts)}). A score that adds up both orders counts them as correct."
        )


def _about_readings(reading: LogReading) -> Iterator[str]:
    differing = sum(sum(d.different.values()) for d in reading.differences)
    total = differing + sum(d.same for d in reading.differences)
    if differing:
        yield (
            f"Our parser reads {differing} of {total} raw replies differently from the source. The"
            " source's verdicts decide; our reading is a group of its own (--full, --json)."
        )
