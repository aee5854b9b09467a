"""The group writer alone: nobody is left waiting, whatever happens."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from typing import TYPE_CHECKING

import pytest

from counterbalance.errors import RecordBusyError, RecordError
from counterbalance.record.writer import GroupWriter
from record.studies import awaited

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST = 10.0


@awaited
async def test_what_waits_together_is_committed_together() -> None:
    batches: list[list[int]] = []
    gate = threading.Event()

    def write(batch: Sequence[int]) -> list[None]:
        gate.wait(LONGEST)
        batches.append(list(batch))
        return [None] * len(batch)

    writer = GroupWriter("r", write)
    tasks = [asyncio.ensure_future(writer.submit(i)) for i in range(50)]
    await asyncio.sleep(0)
    gate.set()
    await asyncio.wait_for(asyncio.gather(*tasks), LONGEST)
    writer.close()
    assert [entry for batch in batches for entry in batch] == list(range(50))
    assert len(batches) <= 2


@awaited
async def test_who_has_patience_shares_a_commit_and_goes_with_the_first_who_has_none() -> None:
    batches: list[list[int]] = []

    def write(batch: Sequence[int]) -> list[None]:
        batches.append(list(batch))
        return [None] * len(batch)

    async def later(number: int) -> None:
        await asyncio.sleep(0.01 * number)
        await writer.submit(number, patience=LONGEST)

    writer = GroupWriter("r", write)
    patient = [asyncio.ensure_future(later(number)) for number in range(5)]
    await asyncio.sleep(0.2)
    assert batches == []
    await asyncio.wait_for(writer.submit(5), LONGEST / 2)
    await asyncio.wait_for(asyncio.gather(*patient), LONGEST / 2)
    assert batches == [[0, 1, 2, 3, 4, 5]]
    begun = time.monotonic()
    await writer.submit(6, patience=0.05)
    assert time.monotonic() - begun >= 0.05
    last = asyncio.ensure_future(writer.submit(7, patience=LONGEST))
    await asyncio.sleep(0)
    writer.close()
    assert batches[1:] == [[6], [7]]
    await last


@awaited
async def test_a_failure_reaches_everybody_and_stays() -> None:
    def write(batch: Sequence[int]) -> list[None]:
        msg = f"r: busy at {len(batch)}"
        raise RecordBusyError(msg)

    writer = GroupWriter("r", write)
    waiting = [writer.submit(i) for i in range(300)]
    answers = await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), LONGEST)
    assert {type(answer) for answer in answers} == {RecordBusyError}
    assert len(set(map(str, answers))) == 1
    with pytest.raises(RecordBusyError):
        await writer.submit(0)
    writer.close()
    with pytest.raises(RecordError, match="closed"):
        await writer.submit(0)


@awaited
async def test_what_nobody_waits_for_is_written_in_turn_and_its_failure_prints_nothing() -> None:
    written: list[int] = []
    said: list[object] = []

    def write(batch: Sequence[int]) -> list[RecordError | None]:
        written.extend(batch)
        return [RecordError("r: refused") if entry == 1 else None for entry in batch]

    asyncio.get_running_loop().set_exception_handler(lambda _, what: said.append(what))
    writer = GroupWriter("r", write)
    writer.submit(0)
    writer.submit(1)
    await asyncio.wait_for(writer.submit(2), LONGEST)
    writer.close()
    gc.collect()
    assert written == [0, 1, 2]
    assert said == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@awaited
async def test_a_fault_of_the_program_leaves_nobody_waiting() -> None:
    def write(batch: Sequence[int]) -> list[None]:
        return [1 // 0 for _ in batch]

    writer = GroupWriter("r", write)
    waiting = [writer.submit(i) for i in range(300)]
    answers = await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), LONGEST)
    assert {type(answer) for answer in answers} == {RecordError}
    with pytest.raises(RecordError):
        await asyncio.wait_for(writer.submit(0), LONGEST)
    writer.close()


def test_a_loop_that_closed_holds_nothing_up() -> None:
    gate = threading.Event()
    written: list[int] = []

    def write(batch: Sequence[int]) -> list[None]:
        gate.wait(LONGEST)
        written.extend(batch)
        return [None] * len(batch)

    writer = GroupWriter("r", write)

    async def leave() -> None:
        task = asyncio.ensure_future(writer.submit(1))
        await asyncio.sleep(0)
        task.cancel()

    asyncio.run(leave())
    gate.set()
    writer.close()
    writer.close()
    assert written == [1]
