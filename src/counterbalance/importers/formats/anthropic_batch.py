"""Anthropic message batches: requests (``params``) and results (``result.type``) by custom id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.errors import JudgeError
from counterbalance.importers.batch_calls import BatchKind, Request, Result, failed
from counterbalance.importers.batch_log import OUR_SCHEME, read_batch
from counterbalance.importers.fields import identifier
from counterbalance.importers.formats.openai_batch import request_of
from counterbalance.importers.judgment import source_outcome
from counterbalance.importers.log_format import Container, LogFormat, Shape
from counterbalance.judges.apis import APIS
from counterbalance.judges.batch_lines import kind_undone, status_of_codes
from counterbalance.judges.endpoint_errors import failure_of, said_in
from counterbalance.parsing.outcome import OutcomeKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_file import LogFile
    from counterbalance.importers.log_format import Notes, Sample
    from counterbalance.parsing.outcome import Outcome

__all__ = ["FORMAT", "KIND"]


def _request(row: dict[str, Any]) -> Request | None:
    return request_of(identifier(row.get("custom_id")), row.get("params"))


def _result(row: dict[str, Any]) -> Result | None:
    custom_id, result = identifier(row.get("custom_id")), row.get("result")
    if custom_id is None or not isinstance(result, dict):
        return None
    kind, message = result.get("type"), result.get("message")
    if kind == "succeeded" and isinstance(message, dict):
        return _answer(custom_id, message)
    if isinstance(kind, str) and (undone := kind_undone({kind})) is not None:
        return Result(custom_id, None, failed(undone))
    return Result(custom_id, None, _failure(result.get("error")))


def _answer(custom_id: str, message: dict[str, Any]) -> Result:
    try:
        return Result(custom_id, APIS["messages"].reply_of(message, {}), None)
    except JudgeError as problem:
        return Result(custom_id, None, failed(problem.kind))


def _failure(error: object) -> Outcome:
    if not error:
        return failed("lost")
    said = said_in(error)
    failure = failure_of(status_of_codes(said.codes), said, None)
    return source_outcome(OutcomeKind.REFUSED) if failure is None else failed(failure.kind)


KIND = BatchKind(_request, _result)


def _read(files: Sequence[LogFile], notes: Notes) -> Iterator[tuple[int, Row]]:
    yield from read_batch(KIND, files, notes)


def _is_part(sample: Sample) -> bool:
    first = sample.first
    return isinstance(first, dict) and (_request(first) is not None or _result(first) is not None)


FORMAT = LogFormat(
    name="anthropic-batch",
    title="Anthropic message batch",
    shapes=tuple(
        Shape(Container.JSON_LINES, frozenset({"custom_id", key}), _is_part)
        for key in ("result", "params")
    ),
    read_together=_read,
    advice=f"Requests and results are joined by custom_id; ours are {OUR_SCHEME}.",
)
