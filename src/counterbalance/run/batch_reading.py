"""Results of batch files, each brought to the attempt that it is of, or counted among the rest."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from counterbalance.errors import InputError, JudgeError, one_line
from counterbalance.judges.apis import api_of
from counterbalance.judges.batch_lines import place_of_id, result_of
from counterbalance.judges.endpoint import sent_parameters, wanted_parameters
from counterbalance.presentations.reply import Reply
from counterbalance.run.batch_counts import ResultsRead
from counterbalance.run.batch_writing import next_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from counterbalance.judges.endpoint import Endpoint
    from counterbalance.presentations.presentation import Presentation, PresentationKey
    from counterbalance.protocol.judge_settings import HttpJudge
    from counterbalance.run.execution import Execution

__all__ = ["ReadBatch", "read_results"]

_LONGEST_LINE_BYTES = 32 * 2**20

Result = Reply | JudgeError


@dataclass(frozen=True, slots=True)
class ReadBatch:
    """Record the results in batch files instead of asking anybody.

    Attributes
    ----------
    files : tuple[Path, ...]
        Output and error files as the provider gave them, in any order.
    """

    files: tuple[Path, ...]


@dataclass(slots=True)
class _Sorting:
    """Results on their way to the attempts that they are of."""

    execution: Execution
    judges: Mapping[str, HttpJudge]
    places: Mapping[str, Endpoint]
    planned: Mapping[PresentationKey, Presentation]
    due: frozenset[PresentationKey]
    read: ResultsRead = field(default_factory=ResultsRead)
    found: dict[PresentationKey, Result] = field(default_factory=dict)
    lines_of: dict[PresentationKey, int] = field(default_factory=dict)
    refuted: set[PresentationKey] = field(default_factory=set)

    def take(self, where: str, line: bytes) -> None:
        """Bring one line to its place, and count it."""
        self.read.lines += 1
        try:
            value = _value(line)
            place = place_of_id(value["custom_id"])
            if place is None or place[0] not in self.planned:
                self.read.other_plan += 1
                return
            key, number = place
            presentation = self.planned[key]
            made = self.execution.outcomes.get(key, ())
            if number > next_number(made):
                # This record never asked for it: it is of another record of the same plan.
                self.read.other_plan += 1
            elif number < next_number(made) or key not in self.due:
                self.read.recorded_before += 1
            else:
                self._keep(where, key, self._result(presentation, value))
        except InputError as error:
            self.read.unreadable += 1
            self.read.note(f"{where}: {one_line(error, 200)}")

    def _result(self, presentation: Presentation, value: dict[str, Any]) -> Result:
        settings = self.judges[presentation.judge]
        request = self.execution.next_request(presentation)
        wanted = wanted_parameters(settings, request)
        sent = sent_parameters(settings, self.places[settings.name], wanted) | {"batch": True}
        return result_of(api_of(settings), value, sent)

    def _keep(self, where: str, key: PresentationKey, result: Result) -> None:
        self.lines_of[key] = self.lines_of.get(key, 0) + 1
        earlier = self.found.setdefault(key, result)
        if self.lines_of[key] == 1 or key in self.refuted:
            return
        if not _are_equal(earlier, result):
            self.refuted.add(key)
            self.read.note(
                f"{where}: contradicts an earlier result of the same custom_id; neither is recorded"
            )

    def results(self) -> dict[PresentationKey, Result]:
        """Return what is to be recorded, and finish the counts."""
        for key, n_lines in self.lines_of.items():
            if key in self.refuted:
                self.read.contradictory += n_lines
            else:
                self.read.fitting += 1
                self.read.repeated += n_lines - 1
        return {key: result for key, result in self.found.items() if key not in self.refuted}


def read_results(
    execution: Execution,
    work: Iterable[Presentation],
    judges: Mapping[str, HttpJudge],
    places: Mapping[str, Endpoint],
    task: ReadBatch,
) -> tuple[ResultsRead, dict[PresentationKey, Result]]:
    """Read batch files.

    Parameters
    ----------
    execution : Execution
        Knows what is recorded, and what each outstanding call asked.
    work : Iterable[Presentation]
        Every planned presentation.
    judges : Mapping[str, HttpJudge]
        Judges that have batch files, by name.
    places : Mapping[str, Endpoint]
        Where they would be asked, for the record.
    task : ReadBatch
        The files.

    Returns
    -------
    tuple[ResultsRead, dict[PresentationKey, Result]]
        What became of each line, and the results to record.

    Raises
    ------
    InputError
        If a file cannot be read, or none of its results is of this plan.
    """
    planned = {p.key: p for p in work if p.judge in judges}
    due = frozenset(p.key for p in execution.retrying.due(list(planned.values())))
    sorting = _Sorting(execution, judges, places, planned, due)
    for path in task.files:
        for n, line in enumerate(_lines(path), start=1):
            if line.strip():
                sorting.take(f"{path}:{n}", line)
    results = sorting.results()
    read = sorting.read
    if read.lines and read.lines == read.other_plan + read.unreadable:
        shown = f" ({read.problems[0]})" if read.problems else ""
        msg = (
            f"none of the {read.lines} results is of this plan: {read.other_plan} are of another"
            f" one and {read.unreadable} cannot be read{shown}. Nothing was recorded; name the"
            " files that came back for this record's own batches"
        )
        raise InputError(msg)
    return read, results


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while line := file.readline(_LONGEST_LINE_BYTES):
                yield line
    except OSError as error:
        msg = f"{path}: {error.strerror}; name a file of results that the provider gave back"
        raise InputError(msg) from None


def _value(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        msg = f"no JSON: {line[:60].decode('utf-8', 'replace')}"
        raise InputError(msg) from None
    if not isinstance(value, dict) or not isinstance(value.get("custom_id"), str):
        msg = "it has no custom_id; is it a file of results?"
        raise InputError(msg)
    return value


def _are_equal(one: Result, other: Result) -> bool:
    if isinstance(one, Reply) or isinstance(other, Reply):
        return one == other
    return (one.kind, one.problem) == (other.kind, other.problem)
