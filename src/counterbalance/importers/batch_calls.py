"""Requests of a batch joined to their results by custom id: in any order, with parts missing.

Providers write requests into one file and results into another, failed ones often into a third. A
request without a result is a lost call, which is counted; a result without its request is read.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from counterbalance.importers.fields import found, identifier
from counterbalance.importers.judgment import Reject, source_outcome
from counterbalance.importers.rows import json_lines
from counterbalance.parsing.outcome import FailureKind, OutcomeKind
from counterbalance.presentations.reply import Reply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from counterbalance.importers.log_file import LogFile
    from counterbalance.parsing.outcome import Outcome

__all__ = ["Batch", "BatchKind", "Call", "Request", "Result", "failed", "joined", "read_requests"]

_LOST = source_outcome(OutcomeKind.FAILED, failure=FailureKind.LOST)


class Request(NamedTuple):
    """One request of a batch.

    Attributes
    ----------
    custom_id : str
        What joins it to its result.
    model : str
        Model as asked.
    prompt : str
        All texts of the messages.
    parameters : str
        Everything else that was asked for, as JSON.
    """

    custom_id: str
    model: str
    prompt: str
    parameters: str


class Result(NamedTuple):
    """One result of a batch.

    Attributes
    ----------
    custom_id : str
        What joins it to its request.
    reply : Reply | None
        The reply; None when none came.
    outcome : Outcome | None
        Why none came; None when one did.
    """

    custom_id: str
    reply: Reply | None
    outcome: Outcome | None


class BatchKind(NamedTuple):
    """How one provider writes a batch.

    Attributes
    ----------
    request : Callable[[dict[str, Any]], Request | None]
        Reads a row as a request; None when it is none.
    result : Callable[[dict[str, Any]], Result | None]
        Reads a row as a result; None when it is none.
    """

    request: Callable[[dict[str, Any]], Request | None]
    result: Callable[[dict[str, Any]], Result | None]


@dataclass(frozen=True, slots=True)
class _Asked:
    file: int
    line: int
    model: str
    setting: str
    marks: frozenset[str]


@dataclass(slots=True)
class Batch:
    """What the request files tell, a few dozen bytes for each request.

    Attributes
    ----------
    asked : dict[str, _Asked]
        By custom id.
    twice : list[tuple[int, Reject]]
        Requests whose id was taken, and broken lines, with their file.
    """

    asked: dict[str, _Asked]
    twice: list[tuple[int, Reject]]

    @property
    def marks(self) -> frozenset[str]:
        """Marks that stand in every prompt."""
        all_marks = iter({asked.marks for asked in self.asked.values()})
        common = next(all_marks, frozenset())
        for marks in all_marks:
            common &= marks
        return common


@dataclass(frozen=True, slots=True)
class Call:
    """A request and its result, or the one without the other.

    Attributes
    ----------
    custom_id : str
        Its id.
    reply : Reply | None
        The reply; None when none came.
    outcome : Outcome | None
        Why none came.
    model : str
        Model as answered, else as asked.
    setting : str
        What must be equal in both orders: parameters and the characters of the prompt.
    """

    custom_id: str
    reply: Reply | None
    outcome: Outcome | None
    model: str
    setting: str

    def row(self) -> dict[str, Any]:
        """Return the call as a mapping sees it."""
        reply = self.reply or Reply("")
        return {
            "custom_id": self.custom_id,
            "reply": reply.text,
            "finish": reply.finish,
            "model": self.model,
            "failure": "" if self.outcome is None else self.outcome.kind.value,
            "setting": self.setting,
        }


def failed(kind: str) -> Outcome:
    """Return the outcome of a call that failed in a way that `judges` know by name."""
    if kind == OutcomeKind.TOO_LONG:
        return source_outcome(OutcomeKind.TOO_LONG)
    return source_outcome(OutcomeKind.FAILED, failure=FailureKind(kind))


def read_requests(
    kind: BatchKind, files: Sequence[LogFile], find_marks: Callable[[str], frozenset[str]]
) -> Batch:
    """Read the requests in all files.

    Parameters
    ----------
    kind : BatchKind
        How the provider writes them.
    files : Sequence[LogFile]
        All files; those that hold results are passed over quickly.
    find_marks : Callable[[str], frozenset[str]]
        Finds in a prompt what tells how the verdict is written.

    Returns
    -------
    Batch
        The requests.
    """
    batch = Batch({}, [])
    for place, file in enumerate(files):
        for line, row in json_lines(file):
            request = None if isinstance(row, Reject) else kind.request(row)
            if request is None:
                continue
            if request.custom_id in batch.asked:
                reason = "two requests have one custom_id: their results cannot be told apart"
                batch.twice.append((place, Reject(line, reason, found(request.custom_id))))
                continue
            batch.asked[request.custom_id] = _Asked(
                place, line, request.model, _setting(request), find_marks(request.prompt)
            )
    return batch


def joined(
    kind: BatchKind, files: Sequence[LogFile], batch: Batch
) -> Iterator[tuple[int, int, Call | Reject]]:
    """Yield every result with what its request tells, then the requests without a result.

    Parameters
    ----------
    kind : BatchKind
        How the provider writes them.
    files : Sequence[LogFile]
        All files.
    batch : Batch
        From `read_requests`.

    Yields
    ------
    tuple[int, int, Call | Reject]
        File, line, and the call or why the row is none.
    """
    yield from ((place, reject.line, reject) for place, reject in batch.twice)
    answered: set[str] = set()
    for place, file in enumerate(files):
        for line, row in json_lines(file):
            if isinstance(row, Reject):
                yield place, line, row
            elif (result := kind.result(row)) is not None:
                answered.add(result.custom_id)
                yield place, line, _call(result, batch.asked.get(result.custom_id))
            elif kind.request(row) is None:
                yield place, line, Reject(line, _no_part(row), found(row.get("custom_id")))
    for custom_id, asked in batch.asked.items():
        if custom_id not in answered:
            call = Call(custom_id, None, _LOST, asked.model, asked.setting)
            yield asked.file, asked.line, call


def _no_part(row: dict[str, Any]) -> str:
    if identifier(row.get("custom_id")) is None:
        return "the row has no custom_id"
    return "the row is neither a request nor a result"


def _call(result: Result, asked: _Asked | None) -> Call:
    answered = result.reply.model if result.reply else ""
    model = answered or (asked.model if asked else "")
    setting = f"{asked.setting} {answered}" if asked else answered
    return Call(result.custom_id, result.reply, result.outcome, model, setting)


def _setting(request: Request) -> str:
    """Return what an exchange of the answers does not change: which characters the prompt holds."""
    content = np.frombuffer(request.prompt.encode("utf-8", "surrogatepass"), np.uint8)
    counts = np.bincount(content, minlength=256).tobytes()
    asked = json.dumps([request.model, request.parameters]).encode()
    return hashlib.blake2b(counts + asked, digest_size=12).hexdigest()
