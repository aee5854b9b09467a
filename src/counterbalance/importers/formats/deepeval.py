"""DeepEval runs: ratings by metric, and arena runs, one for each contestant, joined by case.

An arena gives each contestant's case 1 or 0 for one verdict that they share. Contestants are masked
and shuffled before the judge sees them, and the run does not keep how: the order is unknown.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from counterbalance.importers.fields import found, identifier, number
from counterbalance.importers.judgment import Judgment, Rating, Reject, source_outcome
from counterbalance.importers.log_format import Container, LogFormat, Shape
from counterbalance.importers.rows import json_object
from counterbalance.importers.sides import shown_pair, slot_of
from counterbalance.items.frames import Side
from counterbalance.parsing.outcome import FailureKind, OutcomeKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_file import LogFile
    from counterbalance.importers.log_format import Notes, Sample

__all__ = ["FORMAT"]

_ARENA = "[Arena GEval]"
_UNNAMED = "unnamed"
_FAILED = source_outcome(OutcomeKind.FAILED, failure=FailureKind.LOST)
_ORDER_UNKNOWN = (
    "DeepEval: an arena shuffles its contestants and does not keep how, so nothing can be said"
    " about order."
)
_PAIR = 2


class _Entry(NamedTuple):
    """One contestant's part of an arena verdict."""

    file: int
    line: int
    system: str
    score: float | None
    error: object
    judge: str
    reason: str


def _read(files: Sequence[LogFile], notes: Notes) -> Iterator[tuple[int, Row]]:
    arenas: defaultdict[tuple[str, str], list[_Entry]] = defaultdict(list)
    for place, file in enumerate(files):
        line = 0
        for run in _runs(json_object(file)):
            system = identifier(run.get("identifier")) or _UNNAMED
            for case in _cases(run):
                line += 1
                if not isinstance(case, dict):
                    yield place, Reject(line, "the test case is no object", found(case))
                    continue
                for row in _metrics(line, case, system):
                    if isinstance(row, tuple):
                        key, entry = row
                        arenas[key].append(entry._replace(file=place))
                    else:
                        yield place, row
    for (metric, item), entries in arenas.items():
        notes.add(_ORDER_UNKNOWN)
        yield entries[0].file, _verdict(metric, item, entries)


def _runs(value: object) -> Iterator[dict[str, Any]]:
    """Yield the run of a file, or those of an experiment, which holds one for each contestant."""
    if isinstance(value, dict):
        inner = value.get("testRuns")
        for run in inner if isinstance(inner, list) else [value]:
            if isinstance(run, dict):
                yield run


def _cases(run: dict[str, Any]) -> Iterator[object]:
    for key in ("testCases", "conversationalTestCases"):
        cases = run.get(key)
        yield from cases if isinstance(cases, list) else ()


def _metrics(
    line: int, case: dict[str, Any], system: str
) -> Iterator[Row | tuple[tuple[str, str], _Entry]]:
    item = identifier(case.get("name")) or identifier(case.get("order"))
    metrics = case.get("metricsData")
    if item is None:
        yield Reject(line, "the test case has no name", found(case.get("name")))
    elif not isinstance(metrics, list) or not metrics:
        yield Reject(line, "no metric was measured on the test case", found(item))
    else:
        for metric in metrics:
            name = identifier(metric.get("name")) if isinstance(metric, dict) else None
            if name is None:
                yield Reject(line, "the metric has no name", found(metric))
            elif name.endswith(_ARENA):
                place = identifier(case.get("order"))
                key = name, item if place is None else f"{place}: {item}"
                yield key, _entry(line, metric, system)
            else:
                yield _rating(line, item, system, name, metric)


def _rating(line: int, item: str, system: str, name: str, metric: dict[str, Any]) -> Rating:
    score = number(metric.get("score"))
    failed = "the metric failed" if metric.get("error") else "the metric gave no score"
    return Rating(
        line=line,
        item=item,
        system=system,
        judge=_judge(metric),
        value=score,
        strategy=name,
        reason="" if score is not None else failed,
        reply=str(metric.get("reason") or ""),
    )


def _entry(line: int, metric: dict[str, Any], system: str) -> _Entry:
    return _Entry(
        file=0,
        line=line,
        system=system,
        score=number(metric.get("score")),
        error=metric.get("error"),
        judge=_judge(metric),
        reason=str(metric.get("reason") or ""),
    )


def _judge(metric: dict[str, Any]) -> str:
    return identifier(metric.get("evaluationModel")) or "no model"


def _verdict(metric: str, item: str, entries: list[_Entry]) -> Row:
    line = entries[0].line
    systems = [entry.system for entry in entries]
    if len(set(systems)) != _PAIR or len(entries) != _PAIR or not all(systems):
        reason = "an arena of other than two named contestants is no pair"
        return Reject(line, reason, found(*systems))
    a, b, _ = shown_pair(*systems)
    won = [entry.system for entry in entries if entry.score == 1]
    if any(entry.error for entry in entries):
        outcome = _FAILED
    elif len(won) == 1:
        outcome = source_outcome(slot_of(Side.A if won[0] == a else Side.B, None))
    else:
        return Reject(line, "not exactly one contestant won", found(*won))
    return Judgment(
        line=line,
        item=item,
        a=a,
        b=b,
        order=None,
        outcome=outcome,
        judge=entries[0].judge,
        strategy=metric,
        system_a=a,
        system_b=b,
        reply=entries[0].reason,
    )


def _has_runs(sample: Sample) -> bool:
    runs = sample.first.get("testRuns")
    return isinstance(runs, list) and bool(runs) and isinstance(runs[0], dict) and (
        "testCases" in runs[0]
    )  # fmt: skip


FORMAT = LogFormat(
    name="deepeval",
    title="DeepEval test run",
    shapes=(
        Shape(Container.JSON_OBJECT, frozenset({"testCases", "metricsScores"})),
        Shape(Container.JSON_OBJECT, frozenset({"testRuns"}), _has_runs),
    ),
    read_together=_read,
    advice="Metrics are ratings; arena runs of two contestants are verdicts without an order.",
)
