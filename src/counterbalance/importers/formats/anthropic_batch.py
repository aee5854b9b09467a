"""Anthropic message batches: requests (``params``) and results (``result.type``) by custom id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.importers.batch_calls import BatchKind, Request, Result, failed
from counterbalance.importers.batch_log import OUR_SCHEME, read_batch
from counterbalance.importers.fields import identifier
from counterbalance.importers.formats.openai_batch import request_of
from counterbalance.importers.judgment import source_outcome
from counterbalance.importers.log_format import Container, LogFormat, Shape
from counterbalance.judges.endpoint_errors import failure_of, said_in, status_inside
from counterbalance.parsing.outcome import OutcomeKind
from counterbalance.presentations.reply import Reply

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_file import LogFile
    from counterbalance.importers.log_format import Notes, Sample
    from counterbalance.parsing.outcome import Outcome

__all__ = ["FORMAT", "KIND"]

_OF_TYPE = {"canceled": "cancelled", "expired": "timeout"}
_STATUS = {
    "invalid_request_error": 400, "authentication_error": 401, "permission_error": 403,
    "not_found_error": 404, "request_too_large": 413, "rate_limit_error": 429, "api_error": 500,
    "timeout_error": 408, "overloaded_error": 503,
}  # fmt: skip


def _request(row: dict[str, Any]) -> Request | None:
    return request_of(identifier(row.get("custom_id")), row.get("params"))


def _result(row: dict[str, Any]) -> Result | None:
    custom_id, result = identifier(row.get("custom_id")), row.get("result")
    if custom_id is None or not isinstance(result, dict):
        return None
    kind, message = result.get("type"), result.get("message")
    if kind == "succeeded" and isinstance(message, dict):
        return Result(custom_id, _reply(message), None)
    if isinstance(kind, str) and kind in _OF_TYPE:
        return Result(custom_id, None, failed(_OF_TYPE[kind]))
    return Result(custom_id, None, _failure(result.get("error")))


def _reply(message: dict[str, Any]) -> Reply:
    content = message.get("content")
    blocks = [b for b in content if isinstance(b, dict)] if isinstance(content, list) else []
    stop = message.get("stop_reason")
    return Reply(
        text="".join(b["text"] for b in blocks if isinstance(b.get("text"), str)),
        finish=stop if isinstance(stop, str) else "",
        reasoning="".join(b["thinking"] for b in blocks if isinstance(b.get("thinking"), str)),
        model=identifier(message.get("model")) or "",
    )


def _failure(error: object) -> Outcome:
    if not error:
        return failed("lost")
    said = said_in(error)
    named = [_STATUS[code] for code in sorted(said.codes) if code in _STATUS]
    failure = failure_of(named[0] if named else status_inside(said, error), said, None)
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
