"""OpenAI batches, and what writes the same envelope: ``vllm run-batch``, Mistral, Azure.

Requests, results and errors are files of their own and are read together. Bodies are those of
``/v1/chat/completions`` or ``/v1/responses``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from counterbalance.errors import JudgeError
from counterbalance.importers.batch_calls import BatchKind, Request, Result, failed
from counterbalance.importers.batch_log import OUR_SCHEME, read_batch
from counterbalance.importers.fields import identifier
from counterbalance.importers.judgment import source_outcome
from counterbalance.importers.log_format import Container, LogFormat, Shape
from counterbalance.judges.apis import APIS
from counterbalance.judges.batch_lines import kind_undone
from counterbalance.judges.endpoint_errors import failure_of, said_in, status_inside
from counterbalance.parsing.outcome import OutcomeKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_file import LogFile
    from counterbalance.importers.log_format import Notes, Sample
    from counterbalance.parsing.outcome import Outcome
    from counterbalance.presentations.reply import Reply

__all__ = ["FORMAT", "KIND", "texts_in"]

_GOOD = 200
_TEXTS = frozenset({"messages", "input", "instructions", "system", "prompt"})


def texts_in(value: object) -> Iterator[str]:
    """Yield every text inside messages, whatever their parts are."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from texts_in(part)
    elif isinstance(value, dict):
        for key, part in value.items():
            if key in {"content", "text"}:
                yield from texts_in(part)


def request_of(custom_id: str | None, body: object) -> Request | None:
    """Return a request by its id and body; None when it has no messages."""
    if custom_id is None or not isinstance(body, dict) or not _TEXTS & body.keys():
        return None
    rest = {key: value for key, value in body.items() if key not in _TEXTS and key != "model"}
    prompt = "\n".join(text for key in sorted(_TEXTS) for text in texts_in(body.get(key)))
    return Request(
        custom_id=custom_id,
        model=identifier(body.get("model")) or "",
        prompt=prompt,
        parameters=json.dumps(rest, sort_keys=True),
    )


def _request(row: dict[str, Any]) -> Request | None:
    if "response" in row or "error" in row:
        return None
    return request_of(identifier(row.get("custom_id")), row.get("body"))


def _result(row: dict[str, Any]) -> Result | None:
    custom_id = identifier(row.get("custom_id"))
    if custom_id is None or not ("response" in row or "error" in row):
        return None
    response = row.get("response")
    response = response if isinstance(response, dict) else {}
    status, body = response.get("status_code", _GOOD), response.get("body")
    is_good = status == _GOOD and isinstance(body, dict) and not body.get("error")
    if row.get("error") or not isinstance(body, dict) or not is_good:
        error = row.get("error") or _error_in(body)
        return Result(custom_id, None, _failure(error, status))
    try:
        return Result(custom_id, _reply(body), None)
    except JudgeError as problem:
        return Result(custom_id, None, failed(problem.kind))


def _error_in(body: object) -> object:
    return body.get("error") or body if isinstance(body, dict) else body


def _failure(error: object, status: object) -> Outcome:
    if not error:
        return failed("lost")
    said = said_in(error)
    if (named := kind_undone(said.codes)) is not None:
        return failed(named)
    is_status = isinstance(status, int) and status > _GOOD
    failure = failure_of(status if is_status else status_inside(said, error), said, None)  # type: ignore[arg-type]
    return source_outcome(OutcomeKind.REFUSED) if failure is None else failed(failure.kind)


def _reply(body: dict[str, Any]) -> Reply:
    return (APIS["responses"] if "output" in body else APIS["chat"]).reply_of(body, {})


KIND = BatchKind(_request, _result)


def _read(files: Sequence[LogFile], notes: Notes) -> Iterator[tuple[int, Row]]:
    yield from read_batch(KIND, files, notes)


def _is_part(sample: Sample) -> bool:
    first = sample.first
    return isinstance(first, dict) and (_request(first) is not None or _result(first) is not None)


FORMAT = LogFormat(
    name="openai-batch",
    title="batch in the OpenAI envelope (OpenAI, vLLM, Mistral, Azure)",
    shapes=tuple(
        Shape(Container.JSON_LINES, frozenset({"custom_id", key}), _is_part)
        for key in ("response", "error", "body")
    ),
    read_together=_read,
    advice=f"Requests, results and errors are joined by custom_id; ours are {OUR_SCHEME}.",
)
