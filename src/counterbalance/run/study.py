"""A study on disk: protocol, pairs and record brought together, and one run over them."""

from __future__ import annotations

import secrets
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance import __version__
from counterbalance.dispositions.retry_rule import RetryRule
from counterbalance.errors import CounterbalanceError, InputError
from counterbalance.items.files import PairSet, load_pairs
from counterbalance.presentations.assignment import order_plan, work_order
from counterbalance.presentations.rendering import Renderer
from counterbalance.protocol.loading import protocol_from_toml
from counterbalance.record import open_record
from counterbalance.record.opening import discard_empty, is_taken
from counterbalance.record.store import RecordHeader, Store
from counterbalance.run.clock import now
from counterbalance.run.collection import rare_collection
from counterbalance.run.execution import (
    Execution,
    Finished,
    RunSummary,
    lost_attempt,
    remembered,
)
from counterbalance.run.fitting import check_fit, unshown_parts
from counterbalance.run.matching import check_same_prompts, check_same_study
from counterbalance.run.opening import open_judges, replayed_secret
from counterbalance.run.spending import Spending

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from counterbalance.judges.judge import Judge
    from counterbalance.parsing.outcome import Outcome
    from counterbalance.presentations.presentation import PresentationKey
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.record.place import Place

__all__ = ["Study", "load_study", "run_study"]

_SECRET_BYTES = 16
_LARGEST_PROTOCOL_BYTES = 4_000_000


@dataclass(frozen=True, slots=True)
class Study:
    """A protocol file and the pairs it names.

    Attributes
    ----------
    path : Path
        The protocol file.
    text : str
        Its content as read.
    protocol : Protocol
        The protocol.
    pairs : PairSet
        The pairs with their file's digest.
    """

    path: Path
    text: str
    protocol: Protocol
    pairs: PairSet

    @property
    def folder(self) -> Path:
        """Folder that the protocol's paths are relative to."""
        return self.path.parent

    @property
    def default_record(self) -> Path:
        """Where the record goes when no other place is named."""
        return self.path.with_suffix(".record.sqlite")


def load_study(path: Path) -> Study:
    """Read a protocol and its pairs.

    Parameters
    ----------
    path : Path
        The protocol file.

    Returns
    -------
    Study
        Both, checked against each other.

    Raises
    ------
    InputError
        If a file cannot be read.
    ProtocolError
        If the protocol does not fit its pairs.
    """
    text = _read_text(path)
    protocol = protocol_from_toml(text, str(path))
    pairs = load_pairs(protocol.pairs, folder=path.parent)
    check_fit(protocol, pairs.pairs, str(path))
    return Study(path, text, protocol, pairs)


def _read_text(path: Path) -> str:
    try:
        size = path.stat().st_size
        if size > _LARGEST_PROTOCOL_BYTES:
            msg = f"{path}: {size} bytes is no protocol file"
            raise InputError(msg)
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        msg = f"{path}: {error.strerror}; `counterbalance init` writes a protocol to start from"
        raise InputError(msg) from None
    except UnicodeDecodeError as error:
        msg = f"{path}: not UTF-8 at byte {error.start}; save the file as UTF-8"
        raise InputError(msg) from None


async def run_study(
    study: Study,
    record: Place,
    *,
    threads: int | None = None,
    retry_failed: bool = False,
    announce: Callable[[int, int], None],
    finished: Finished,
) -> RunSummary:
    """Judge what is planned and not yet recorded.

    Parameters
    ----------
    study : Study
        What was fixed.
    record : Place
        Where evidence goes; begun here when it does not exist.
    threads : int | None
        Threads of the embedded model.
    retry_failed : bool
        Ask once more what the retry rule names where its attempts are used up, beyond the rule.
    announce : Callable[[int, int], None]
        Told the number of planned and of recorded presentations before the first call.
    finished : Finished
        Told of every recorded attempt.

    Returns
    -------
    RunSummary
        What was done.

    Raises
    ------
    CounterbalanceError
        If the record is of another study, in use, or cannot be written.
    """
    was_there = is_taken(record)
    try:
        with open_record(record, create=True, exclusive=True) as store:
            return await _run_in(
                store, study, threads, announce, finished, retry_failed=retry_failed
            )
    except CounterbalanceError:
        if not was_there:
            discard_empty(record)
        raise


async def _run_in(
    store: Store,
    study: Study,
    threads: int | None,
    announce: Callable[[int, int], None],
    finished: Finished,
    *,
    retry_failed: bool,
) -> RunSummary:
    header = store.header()
    is_new = header is None
    if header is None:
        secret = _secret(study)
        plan = list(order_plan(study.pairs.pairs, study.protocol, secret))
    else:
        check_same_study(store, header, study.protocol, study.pairs.pairs)
        secret, plan = header.secret, list(store.plan())
    renderer = Renderer(study.protocol, secret)
    async with AsyncExitStack() as opened:
        judges = await open_judges(opened, study.protocol, plan, study.folder, threads)
        if header is None:
            header = _new_header(study, secret, judges)
            store.begin(header, study.pairs.pairs, plan)
        execution = Execution(
            store=store,
            protocol=study.protocol,
            renderer=renderer,
            pairs={pair.id: pair for pair in study.pairs.pairs},
            judges=judges,
            finished=finished,
            rule=RetryRule(study.protocol, (entry.presentation for entry in plan)),
            retries_failed=retry_failed,
        )
        await _take_stock(execution, store)
        work = work_order(plan, study.protocol.seed)
        within_reach = execution.within_reach(work)
        if not is_new:
            check_same_prompts(header, within_reach, execution.pairs, renderer)
        announce(len(work), len(work) - len(within_reach))
        with rare_collection():
            return await execution.run(work)


def _secret(study: Study) -> str:
    return (
        study.protocol.delimiter_secret
        or replayed_secret(study.protocol, study.folder)
        or secrets.token_hex(_SECRET_BYTES)
    )


def _new_header(study: Study, secret: str, judges: dict[str, Judge]) -> RecordHeader:
    notes = [note for judge in judges.values() for note in judge.notes]
    unshown = unshown_parts(study.protocol, study.pairs.pairs)
    return RecordHeader(
        protocol=study.protocol.canonical,
        protocol_digest=study.protocol.digest,
        protocol_text=study.text,
        pairs_file=study.protocol.pairs,
        pairs_sha256=study.pairs.sha256,
        secret=secret,
        created_at=now(),
        program=f"counterbalance {__version__}",
        notes=tuple(dict.fromkeys([*notes, *unshown, *study.pairs.notes])),
    )


async def _take_stock(execution: Execution, store: Store) -> None:
    """Count what is recorded; a call that never came back becomes a lost attempt."""
    recorded: dict[PresentationKey, list[Outcome]] = {}
    spending = Spending()
    for attempt in store.attempts():
        recorded.setdefault(attempt.key, []).append(remembered(attempt.outcome))
        spending.calls += 1
        spending.add(attempt.reply.usage if attempt.reply else None, attempt.cost_usd)
    for call in list(store.unfinished()):
        attempt = lost_attempt(call.key, call.number, call.started_at)
        await store.append(attempt)
        recorded.setdefault(call.key, []).append(remembered(attempt.outcome))
        spending.calls += 1
        execution.summary.lost += 1
    execution.outcomes = recorded
    execution.spending = spending
