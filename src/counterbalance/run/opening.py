"""Judges by their settings: the one place that knows which file runs which kind."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from counterbalance.errors import InputError, JudgeError, one_line
from counterbalance.parsing.outcome import FailureKind
from counterbalance.presentations.presentation import PlanEntry, Presentation, PresentationKey
from counterbalance.protocol.judge_settings import (
    CallableJudge,
    CommandJudge,
    HttpJudge,
    JudgeSettings,
    LocalJudge,
    ReplayJudge,
    ScriptedJudge,
    judge_digest,
)
from counterbalance.protocol.loading import protocol_from_canonical
from counterbalance.record import open_record
from counterbalance.record.imported import refuse_import
from counterbalance.record.place import place_of
from counterbalance.run.batching import judges_behind_batches

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AsyncExitStack
    from pathlib import Path

    from counterbalance.judges.callable import JudgeFunction
    from counterbalance.judges.judge import Judge
    from counterbalance.presentations.reply import Reply
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.record.place import Place
    from counterbalance.run.batching import Batch

__all__ = ["Given", "open_judge", "open_judges", "replayed_secret"]


@dataclass(frozen=True, slots=True)
class Given:
    """What a run is started with beside its study, which no protocol can hold.

    Attributes
    ----------
    threads : int | None
        Threads of the embedded model; None for all cores.
    functions : Mapping[str, JudgeFunction]
        Python functions that judge, by name.
    batch : Batch | None
        What is done with batch files; None for a run that asks its judges.
    """

    threads: int | None = None
    functions: Mapping[str, JudgeFunction] = field(default_factory=dict)
    batch: Batch | None = None


_NO_REPLAY = "a replayed judge answers from the record of a run"


async def open_judges(
    opened: AsyncExitStack, protocol: Protocol, plan: list[PlanEntry], folder: Path, given: Given
) -> dict[str, Judge]:
    """Open every judge of a protocol.

    Parameters
    ----------
    opened : AsyncExitStack
        Closes each of them, also when a later one cannot be opened.
    protocol : Protocol
        Names the judges.
    plan : list[PlanEntry]
        What will be asked; a replayed judge looks its answers up by it.
    folder : Path
        Folder of the protocol, which paths are relative to.
    given : Given
        What the run is started with.

    Returns
    -------
    dict[str, Judge]
        By name.

    Raises
    ------
    InputError
        If a function is named that no judge is, or a judge's function is missing.
    """
    declared = {j.name for j in protocol.judges if isinstance(j, CallableJudge)}
    for name in given.functions:
        if name not in declared:
            listed = ", ".join(sorted(declared)) or "none"
            msg = (
                f"a function is handed over for {one_line(repr(name))}, and the judges of kind"
                f" callable are: {listed}"
            )
            raise InputError(msg)
    behind: dict[str, Judge] = {}
    if given.batch is not None:
        behind |= judges_behind_batches(protocol)
    judges = {}
    for settings in protocol.judges:
        judge = behind.get(settings.name) or open_judge(settings, protocol, plan, folder, given)
        opened.push_async_callback(judge.close)
        judges[settings.name] = judge
    return judges


def open_judge(  # noqa: PLR0911 (one for each kind)
    settings: JudgeSettings,
    protocol: Protocol,
    plan: list[PlanEntry],
    folder: Path,
    given: Given,
) -> Judge:
    """Open one judge; the file that runs its kind is imported here and nowhere else.

    Parameters
    ----------
    settings : JudgeSettings
        The judge as the protocol declares it.
    protocol : Protocol
        The protocol.
    plan : list[PlanEntry]
        What will be asked.
    folder : Path
        Folder of the protocol.
    given : Given
        What the run is started with.

    Returns
    -------
    Judge
        Ready to be asked.
    """
    match settings:
        case LocalJudge():
            from counterbalance.judges.local import LocalModelJudge  # noqa: PLC0415

            return LocalModelJudge(settings, threads=given.threads)
        case HttpJudge():
            from counterbalance.judges.http import HttpModelJudge  # noqa: PLC0415

            return HttpModelJudge(settings, os.environ)
        case ScriptedJudge():
            from counterbalance.judges.scripted import ScriptedJudgeModel  # noqa: PLC0415

            return ScriptedJudgeModel(settings, protocol.verdict)
        case ReplayJudge():
            from counterbalance.judges.replay import ReplayModel  # noqa: PLC0415

            return ReplayModel(_recorded_replies(settings, plan, folder))
        case CommandJudge():
            from counterbalance.judges.command import CommandModelJudge  # noqa: PLC0415

            return CommandModelJudge(settings, folder)
        case CallableJudge():
            from counterbalance.judges.callable import CallableModelJudge  # noqa: PLC0415

            return CallableModelJudge(settings, _function(settings.name, given.functions))


def _function(name: str, functions: Mapping[str, JudgeFunction]) -> JudgeFunction:
    if name not in functions:
        msg = (
            f"judge {name} is a Python function; start the run from Python:"
            f" counterbalance.run_protocol(path, judges={{{name!r}: function}}), or run_bias"
        )
        raise InputError(msg)
    return functions[name]


def replayed_secret(protocol: Protocol, folder: Path) -> str | None:
    """Return the secret of the record that is replayed, so that its prompts are the same."""
    for settings in protocol.judges:
        if isinstance(settings, ReplayJudge):
            place = place_of(settings.record, folder)
            with open_record(place, create=False, exclusive=False) as source:
                header = source.header()
            refuse_import(header, place, _NO_REPLAY)
            if header is not None:
                return header.secret
    return None


def _recorded_replies(
    settings: ReplayJudge, plan: list[PlanEntry], folder: Path
) -> Mapping[PresentationKey, list[Reply | JudgeError]]:
    path = place_of(settings.record, folder)
    with open_record(path, create=False, exclusive=False) as source:
        header = source.header()
        if header is None:
            msg = f"{path}: the record to replay holds nothing yet"
            raise InputError(msg)
        refuse_import(header, path, _NO_REPLAY)
        original = _source_judge(header.protocol, settings, path)
        replies: dict[PresentationKey, list[Reply | JudgeError]] = {}
        for attempt in source.attempts():
            outcome = attempt.outcome
            if attempt.reply is not None:
                replies.setdefault(attempt.key, []).append(attempt.reply)
            elif outcome.failure is not FailureKind.LOST:
                failure = JudgeError(outcome.failure or outcome.kind, attempt.problem)
                replies.setdefault(attempt.key, []).append(failure)
    as_planned = {
        entry.presentation.key: replies.get(_source_key(entry.presentation, original), [])
        for entry in plan
        if entry.presentation.judge == settings.name
    }
    return {key: found for key, found in as_planned.items() if found}


def _source_judge(
    canonical: dict[str, object], settings: ReplayJudge, path: Place
) -> Callable[[Presentation], str]:
    protocol = protocol_from_canonical(canonical, "unused")
    for judge in protocol.judges:
        if judge.name == settings.judge:
            return lambda shown: judge_digest(
                protocol.settings_under(judge, shown.prompt), shown.temperature
            )
    names = ", ".join(judge.name for judge in protocol.judges)
    msg = f"{path}: no judge called {settings.judge!r} in the record to replay; it holds {names}"
    raise InputError(msg)


def _source_key(planned: Presentation, digest: Callable[[Presentation], str]) -> PresentationKey:
    return Presentation(
        pair_id=planned.pair_id,
        pair_key=planned.pair_key,
        order=planned.order,
        labelling=planned.labelling,
        judge=planned.judge,
        judge_digest=digest(planned),
        temperature=planned.temperature,
        prompt_digest=planned.prompt_digest,
        repetition=planned.repetition,
    ).key
