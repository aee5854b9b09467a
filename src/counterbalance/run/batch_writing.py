"""Batch files: what is outstanding, as requests that a provider takes in bulk and at half price."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from counterbalance.errors import InputError, one_line
from counterbalance.judges.apis import api_of
from counterbalance.judges.batch_lines import BATCH_LIMITS, BatchLimits, entry_of
from counterbalance.judges.endpoint import wanted_parameters
from counterbalance.parsing.outcome import FailureKind
from counterbalance.protocol.judge_settings import HttpJudge
from counterbalance.run.asking import estimated_tokens
from counterbalance.run.batch_counts import BatchesWritten
from counterbalance.run.spending import expected

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType
    from typing import BinaryIO, Self

    from counterbalance.judges.api import Api
    from counterbalance.judges.judge import Request
    from counterbalance.parsing.outcome import Outcome
    from counterbalance.presentations.presentation import Presentation
    from counterbalance.protocol.judge_settings import JudgeSettings
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.run.execution import Execution

__all__ = ["WriteBatch", "batched_judges", "next_number", "write_batches"]

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")
_BATCHES = ("*.jsonl", "*.json")


@dataclass(frozen=True, slots=True)
class WriteBatch:
    """Write what is outstanding as batch files instead of asking it.

    Attributes
    ----------
    folder : Path
        Where they go; made where it does not exist.
    limits : Mapping[str, BatchLimits]
        How much one file holds, by API.
    """

    folder: Path
    limits: Mapping[str, BatchLimits] = field(default_factory=lambda: BATCH_LIMITS)


def batched_judges(protocol: Protocol) -> dict[str, HttpJudge]:
    """Return the judges of a protocol that batch files can be written and read for, by name.

    Parameters
    ----------
    protocol : Protocol
        The protocol.

    Returns
    -------
    dict[str, HttpJudge]
        One at least.

    Raises
    ------
    InputError
        If there is none.
    """
    found = {judge.name: judge for judge in protocol.judges if isinstance(judge, HttpJudge)}
    found = {name: judge for name, judge in found.items() if judge.terms.has_batches}
    if not found:
        msg = (
            "no judge of this protocol has batch files: they are those of kind http over the OpenAI"
            " chat, OpenAI responses and Anthropic messages APIs; run it without a batch"
        )
        raise InputError(msg)
    return found


def next_number(outcomes: Sequence[Outcome]) -> int:
    """Return the number that the next attempt has in a batch.

    Lost calls do not count: that a program was killed must not part a result from its request.

    Parameters
    ----------
    outcomes : Sequence[Outcome]
        Outcomes of the attempts so far.

    Returns
    -------
    int
        1 or more.
    """
    return 1 + sum(outcome.failure is not FailureKind.LOST for outcome in outcomes)


def write_batches(
    execution: Execution, work: Sequence[Presentation], task: WriteBatch
) -> BatchesWritten:
    """Write every outstanding request of the judges that have batches, as far as the budget goes.

    Parameters
    ----------
    execution : Execution
        Knows what is recorded, and what each next call asks.
    work : Sequence[Presentation]
        Every planned presentation, in the order of work.
    task : WriteBatch
        Where to.

    Returns
    -------
    BatchesWritten
        The files; nothing is recorded by writing them.

    Raises
    ------
    InputError
        If the folder cannot be written, or holds batch files already.
    """
    judges = batched_judges(execution.protocol)
    _prepare(task.folder)
    due = execution.retrying.due(work)
    written = BatchesWritten(left_to_run=sum(p.judge not in judges for p in due))
    try:
        for settings in judges.values():
            own = (p for p in due if p.judge == settings.name)
            limits = task.limits[settings.api_name]
            with _Files(task.folder, settings, limits, written) as files:
                for presentation, request in _afforded(execution, own, settings, written):
                    number = next_number(execution.outcomes[presentation.key])
                    files.add(presentation, request, number)
    except OSError as error:
        msg = f"{task.folder}: batch files cannot be written: {error.strerror}; choose another"
        raise InputError(msg) from None
    return written


def _prepare(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        msg = f"{folder}: cannot be made a folder: {error.strerror}; choose another"
        raise InputError(msg) from None
    if found := sorted(path.name for pattern in _BATCHES for path in folder.glob(pattern)):
        msg = f"{folder}: holds {one_line(found[0])} already; choose another folder for new batches"
        raise InputError(msg)


def _afforded(
    execution: Execution,
    due: Iterator[Presentation],
    settings: JudgeSettings,
    written: BatchesWritten,
) -> Iterator[tuple[Presentation, Request]]:
    """Yield presentations with their requests until the budget has no room for the next one."""
    price = execution.protocol.prices.get(settings.name)
    if price is not None:
        # Without a price of batches the full one keeps a budget from being passed unseen.
        price = price.of_batches or price
    for presentation in due:
        request = execution.next_request(presentation)
        call = expected(estimated_tokens(request.messages), price)
        written.stopped = execution.spending.reached(execution.protocol.budget, call)
        if written.stopped:
            return
        execution.spending.begin(call)
        yield presentation, request


class _Files:
    """The batch files of one judge, each begun when the one before it is full."""

    def __init__(
        self, folder: Path, settings: HttpJudge, limits: BatchLimits, written: BatchesWritten
    ) -> None:
        self._folder, self._settings, self._limits = folder, settings, limits
        self._api: Api = api_of(settings)
        self._is_list = self._api.name == "messages"
        self._written = written
        self._file: BinaryIO | None = None
        self._path = folder
        self._n_files = self._n_entries = self._size = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def add(self, presentation: Presentation, request: Request, number: int) -> None:
        """Write one request."""
        wanted = wanted_parameters(self._settings, request)
        body = self._api.body(self._settings.model, request.messages, wanted)
        entry = json.dumps(entry_of(self._api, presentation.key, number, body)).encode()
        is_full = self._n_entries >= self._limits.requests
        # An opening, a separator and an ending are the few bytes that come on top.
        is_full |= self._size + len(entry) + len(_BEFORE) + len(_AFTER) > self._limits.size_bytes
        if self._file is None or (is_full and self._n_entries):
            self._end()
            self._begin()
        self._put((b",\n" if self._is_list and self._n_entries else b"") + entry)
        self._put(b"" if self._is_list else b"\n")
        self._n_entries += 1

    def _begin(self) -> None:
        self._n_files += 1
        name = _UNSAFE.sub("_", self._settings.name)
        ending = "json" if self._is_list else "jsonl"
        self._path = self._folder / f"{name}-{self._n_files:03}.{ending}"
        self._file = self._path.open("xb")
        self._size = self._n_entries = 0
        self._put(_BEFORE if self._is_list else b"")

    def _put(self, content: bytes) -> None:
        if self._file is not None:
            self._file.write(content)
            self._size += len(content)

    def _end(self) -> None:
        if self._file is None:
            return
        self._put(_AFTER if self._is_list else b"")
        self._file.close()
        self._file = None
        self._written.files.append((self._path, self._n_entries))
        self._written.requests += self._n_entries


_BEFORE = b'{"requests": [\n'
_AFTER = b"\n]}\n"
