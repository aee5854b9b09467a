"""A run that is started from Python, where a function of the user's may be the judge."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from counterbalance.record.place import place_of
from counterbalance.run.session import run_study
from counterbalance.run.study import load_study

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from counterbalance.judges.callable import JudgeFunction
    from counterbalance.run.execution import RunSummary

__all__ = ["beside_any_loop", "run_protocol"]

T = TypeVar("T")


def run_protocol(
    path: Path | str,
    *,
    judges: Mapping[str, JudgeFunction] | None = None,
    record: Path | str | None = None,
    retry_failed: bool = False,
) -> RunSummary:
    """Judge what is planned and not yet recorded, as ``counterbalance run`` does.

    Parameters
    ----------
    path : Path | str
        The protocol.
    judges : Mapping[str, JudgeFunction] | None
        A function for each judge of kind ``callable``, by the judge's name.
    record : Path | str | None
        Where evidence goes; None for the protocol's name with ``.record.sqlite``.
    retry_failed : bool
        Ask once more, beyond the retry rule, what has no attempts left under it.

    Returns
    -------
    RunSummary
        What was done; ``outstanding`` is 0 when nothing is left to ask.

    Raises
    ------
    CounterbalanceError
        As the verb fails: its text is the line that the verb prints.
    """
    study = load_study(Path(path))
    place = study.default_record if record is None else place_of(str(record))

    def run() -> RunSummary:
        return asyncio.run(
            run_study(
                study,
                place,
                retry_failed=retry_failed,
                functions=judges,
                announce=lambda *_: None,
                finished=lambda _: None,
            )
        )

    return beside_any_loop(run)


def beside_any_loop(run: Callable[[], T]) -> T:
    """Return what a function gives that starts an event loop, also where one is running."""
    if not _is_in_a_loop():
        return run()
    # A notebook has an event loop of its own, in which no other may be started.
    with ThreadPoolExecutor(1) as beside:
        return beside.submit(run).result()


def _is_in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
