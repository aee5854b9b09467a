"""One row for each pair and group of an imported log, with every judgment and raw reply."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from counterbalance.dispositions.codes import CELLS, NONE, ORDERS, REASONS
from counterbalance.dispositions.from_attempts import pairs_from_attempts
from counterbalance.importers.collected import SOURCE
from counterbalance.items.frames import Slot
from counterbalance.presentations.order import side_in
from counterbalance.report.log_cases import placed_cases

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.importers.collected import LogGroup
    from counterbalance.importers.judgment import Judgment
    from counterbalance.importers.loading import ImportedLog
    from counterbalance.report.log_cases import Place, PlacedCase

__all__ = ["flat_log_case", "log_case_values"]

_AT_ONCE = 500
_ORDERS = (*(order.value for order in ORDERS), "unknown_order")
_SHOWN_FIRST = (*(side_in(Slot.FIRST, order).value for order in ORDERS), "")


def log_case_values(log: ImportedLog) -> Iterator[dict[str, Any]]:
    """Yield one JSON value for each pair and group of source verdicts, by consequence and id.

    Parameters
    ----------
    log : ImportedLog
        From a record, whose rows can be looked up: of files, every one would be read again for
        every few hundred pairs.

    Yields
    ------
    dict[str, Any]
        Pair, candidates, disposition, and every judgment with its raw reply.
    """
    columns = pairs_from_attempts(log.collected.columns, "pair")
    groups = {
        code: (group, columns[code])
        for code, group in enumerate(log.collected.groups)
        if group.verdict_by == SOURCE
    }
    reasons = {code: _reasons(pairs) for code, (_, pairs) in groups.items()}
    for placed in placed_cases(log, groups, _places(groups), _AT_ONCE):
        code, row, _ = placed.place
        yield _value(placed, groups[code][1], reasons[code].get(row, {}))


def _places(groups: dict[int, tuple[LogGroup, PairColumns]]) -> list[Place]:
    found: list[tuple[tuple[str, str, str], float, str, Place]] = []
    for code, (group, pairs) in groups.items():
        ids, consequence = pairs.table.ids, pairs.table.consequence
        for row, pair in enumerate(pairs.pair.tolist()):
            place = (code, row, 0.0)
            found.append((group[:3], -float(consequence[pair]), ids[pair], place))
    return [place for *_, place in sorted(found)]


def _reasons(pairs: PairColumns) -> dict[int, dict[str, int]]:
    found: dict[int, dict[str, int]] = {}
    rows = pairs.reasons
    for place, reason, count in zip(
        rows.place.tolist(), rows.reason.tolist(), rows.count.tolist(), strict=True
    ):
        found.setdefault(place, {})[REASONS[reason]] = count
    return found


def _value(placed: PlacedCase, pairs: PairColumns, reasons: dict[str, int]) -> dict[str, Any]:
    case, judgments = placed.case, placed.judgments
    row = placed.place[1]
    first = judgments[0]
    pair = pairs.table.ids[int(pairs.pair[row])]
    cells = pairs.cells[:, row].tolist()
    return {
        "pair": pair,
        "item": case.item,
        "cluster": first.cluster or first.item,
        "category": first.category,
        "consequence": case.consequence,
        "judge": case.judge,
        "strategy": case.strategy,
        "subset": case.subset,
        "disposition": case.disposition,
        "detail": case.detail,
        "reasons": reasons,
        "reference": list(case.reference) or None,
        "a": {"name": case.a, "system": first.system_a},
        "b": {"name": case.b, "system": first.system_b},
        "cells": {
            name: CELLS[cell].value
            for name, cell in zip(_ORDERS, cells, strict=True)
            if cell != NONE
        },
        "judgments": [
            _judgment(asdict(game), judgment)
            for game, judgment in zip(case.games, judgments, strict=True)
        ],
        "exploratory": True,
        "case": "/".join((case.judge, case.strategy, case.subset, pair)),
    }


def _judgment(game: dict[str, Any], judgment: Judgment) -> dict[str, Any]:
    return game | {
        "judge": judgment.judge,
        "strategy": judgment.strategy,
        "repetition": judgment.repetition,
        "outcome": judgment.outcome.kind.value,
        "failure": judgment.outcome.failure,
        "finish": judgment.finish,
        "setting": judgment.setting,
        "prompt": judgment.prompt,
    }


def flat_log_case(case: dict[str, Any]) -> dict[str, Any]:
    """Return a case as one row of a table.

    Parameters
    ----------
    case : dict[str, Any]
        From `log_case_values`.

    Returns
    -------
    dict[str, Any]
        The same columns for every case; of each order its cell, lines, verdicts and first reply.
    """
    nested = {"a", "b", "cells", "judgments"}
    flat = {key: value for key, value in case.items() if key not in nested}
    for side in ("a", "b"):
        flat |= {f"{side}_{key}": value for key, value in case[side].items()}
    for name, shown_first in zip(_ORDERS, _SHOWN_FIRST, strict=True):
        own = [j for j in case["judgments"] if j["shown_first"] == shown_first]
        flat |= {f"{name}_{key}": value for key, value in _flat_order(own).items()}
        flat[f"{name}_cell"] = case["cells"].get(name)
    return flat


def _flat_order(judgments: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {
        "verdicts": [j["verdict"] for j in judgments],
        "lines": [f"{j['file']}:{j['line']}" for j in judgments],
        "reply": judgments[0]["reply"] if judgments else None,
    }
