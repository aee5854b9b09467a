"""Acknowledged attempts per second, beside a bare group-commit floor measured in the same run.

One attempt is a started call and what came of it, each acknowledged to its coroutine after the
commit that holds it. The floor is one thread in a plain loop: batches of 196 rows of the same mean
size, one commit each, nobody to answer. Rounds of both alternate; medians are printed.

Where a PostgreSQL server can be started from the machine's own programs, the same is printed for
it; its floor is psycopg's ``executemany`` over the same socket, in the same batches.

Run it with ``python benchmarks/record.py [attempts] [rounds]``.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from counterbalance.items.frames import Order
from counterbalance.items.hashing import tagged_hash
from counterbalance.items.item import Candidate, CandidateId, Item, ItemId, Message, Pair, PairId
from counterbalance.parsing.outcome import Outcome, OutcomeKind
from counterbalance.presentations.presentation import (
    PlanEntry,
    Presentation,
    PresentationKey,
    Purpose,
    RenderedPrompt,
)
from counterbalance.presentations.reply import Reply, Usage
from counterbalance.record import Store, open_record
from counterbalance.record.attempt import Attempt
from counterbalance.record.store import RecordHeader

if TYPE_CHECKING:
    from collections.abc import Iterator


WORKERS = 256
BATCH = 196
SYNCS = 300
ROWS_PER_ATTEMPT = 2
DEFAULTS = (10_000, 5)
PROMPT_CHARACTERS = 700
STARTED_AT = "2026-11-30T12:00:00.000000Z"


@dataclass(frozen=True)
class Work:
    """One presentation with its prompt, and what comes of it."""

    presentation: Presentation
    prompt: tuple[Message, ...]
    attempt: Attempt


def works(count: int) -> list[Work]:
    """Return presentations that each have a prompt of their own."""
    pair = PAIR
    made = []
    for i in range(count):
        prompt = (
            Message("user", f"{i:08d} " + "Which answer is better? " * (PROMPT_CHARACTERS // 24)),
        )
        presentation = Presentation(
            pair_id=pair.id,
            pair_key=pair.key,
            order=Order.FORWARD if i % 2 else Order.REVERSED,
            labelling="1/2",
            judge="judge",
            judge_digest=tagged_hash("judge/1", "judge"),
            temperature=None,
            prompt_digest=RenderedPrompt(prompt).digest,
            repetition=i,
        )
        made.append(Work(presentation, prompt, attempt(presentation.key, i)))
    return made


def candidate(text: str) -> Candidate:
    """Return a candidate with a text."""
    return Candidate(CandidateId(tagged_hash("candidate/1", text)), "", "system", "1", text)


PAIR = Pair(
    PairId("pair"),
    Item(ItemId("item"), (Message("user", "What is two and two?"),), cluster="c"),
    candidate("Four."),
    candidate("Five."),
)
HEADER = RecordHeader({}, tagged_hash("protocol/1", {}), "", "pairs", "", "s", STARTED_AT, "bench")


def attempt(key: PresentationKey, number: int) -> Attempt:
    """Return an attempt with a reply of ordinary size."""
    reply = Reply(
        text=f"Verdict {number}: the first answer is right, the second one is not. 1",
        finish="stop",
        token_logprobs=(("1", -0.25), ("2", -1.75), ("3", -4.5)),
        usage=Usage(210, 12, is_measured=True),
        model="judge-2026-11-30",
        fingerprint="fp_1",
        sent={"temperature": 0, "max_tokens": 16},
    )
    outcome = Outcome(OutcomeKind.FIRST, "choice/1:last", span=(60, 61), label="1", label_mass=0.95)
    return Attempt(key, 1, STARTED_AT, 0.2, outcome, reply, "choice/1")


async def record_all(store: Store, due: list[Work]) -> float:
    """Return the seconds that recording everything takes."""

    async def worker(queue: Iterator[Work]) -> None:
        for work in queue:
            await store.start(work.attempt.key, 1, STARTED_AT, work.prompt)
            await store.append(work.attempt)

    queue = iter(due)
    begun = time.perf_counter()
    async with asyncio.TaskGroup() as tasks:
        for _ in range(WORKERS):
            tasks.create_task(worker(queue))
    return time.perf_counter() - begun


def stored(folder: Path, due: list[Work]) -> tuple[float, float, int]:
    """Return wall seconds, CPU seconds and bytes of the file for recording everything."""
    path = folder / "record.sqlite"
    with open_record(path, create=True, exclusive=True) as store:
        store.begin(HEADER, [PAIR], (PlanEntry(Purpose.MAIN, w.presentation) for w in due))
        before, cpu = path.stat().st_size, time.process_time()
        wall = asyncio.run(record_all(store, due))
        cpu = time.process_time() - cpu
    return wall, cpu, path.stat().st_size - before


def floor(folder: Path, rows: int, size: int) -> tuple[float, float]:
    """Return wall and CPU seconds of the bare loop over rows of a size."""
    connection = sqlite3.connect(folder / "floor.sqlite", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA cache_size = -65536")
    connection.execute(
        "CREATE TABLE t (key TEXT, number INTEGER, content BLOB, UNIQUE (key, number))"
    )
    keys = [tagged_hash("floor/1", i) for i in range(rows)]
    content = b"x" * (size - 2 * len(keys[0]))
    begun, cpu = time.perf_counter(), time.process_time()
    for start in range(0, rows, BATCH):
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(
            "INSERT INTO t VALUES (?, 1, ?) ON CONFLICT DO NOTHING",
            ((key, content) for key in keys[start : start + BATCH]),
        )
        connection.execute("COMMIT")
    wall, cpu = time.perf_counter() - begun, time.process_time() - cpu
    connection.close()
    return wall, cpu


def stored_in_postgres(place: str, due: list[Work]) -> tuple[float, float]:
    """Return wall and CPU seconds, of this process, for recording everything."""
    with open_record(place, create=True, exclusive=True) as store:
        store.begin(HEADER, [PAIR], (PlanEntry(Purpose.MAIN, w.presentation) for w in due))
        cpu = time.process_time()
        wall = asyncio.run(record_all(store, due))
        return wall, time.process_time() - cpu


def postgres_floor(address: str, rows: int, size: int) -> tuple[float, float]:
    """Return wall and CPU seconds of the bare loop over rows of a size."""
    import psycopg  # noqa: PLC0415 (an extra)

    keys = [tagged_hash("floor/1", i) for i in range(rows)]
    content = b"x" * (size - 2 * len(keys[0]))
    with psycopg.connect(address) as connection, connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS t")
        cursor.execute("CREATE TABLE t (key text, number int, content bytea, UNIQUE (key, number))")
        connection.commit()
        begun, cpu = time.perf_counter(), time.process_time()
        for start in range(0, rows, BATCH):
            cursor.executemany(
                "INSERT INTO t VALUES (%s, 1, %s) ON CONFLICT DO NOTHING",
                [(key, content) for key in keys[start : start + BATCH]],
            )
            connection.commit()
        return time.perf_counter() - begun, time.process_time() - cpu


def print_postgres(due: list[Work], rounds: int, row_bytes: int) -> None:
    """Print medians for PostgreSQL, every commit forced to disk, or why there are none."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from postgres_server import missing, running_server  # noqa: PLC0415 (of the tests)

    if why := missing():
        print(f"PostgreSQL: {why}")
        return
    n_rows = len(due) * ROWS_PER_ATTEMPT
    found = []
    with running_server(fsync="on", shared_buffers="128MB") as server:
        for _ in range(rounds):
            wall, cpu = stored_in_postgres(server.place(), due)
            bare, bare_cpu = postgres_floor(server.address(), n_rows, row_bytes)
            found.append(
                (n_rows / wall, n_rows / bare, bare / wall, cpu / n_rows, bare_cpu / n_rows)
            )
            print(f"  round: {found[-1][0]:,.0f} rows/s, floor {found[-1][1]:,.0f}")
    rows, floor_rows, ratio, cpu, bare_cpu = map(statistics.median, zip(*found, strict=True))
    print(f"PostgreSQL: attempts per second, {WORKERS} workers: {rows / ROWS_PER_ATTEMPT:,.0f}")
    print(
        f"acknowledged rows per second: {rows:,.0f}, CPU {1e6 * cpu:.0f} us/row of this process;"
        f" floor {floor_rows:,.0f}, CPU {1e6 * bare_cpu:.0f} us/row; ratio {ratio:.2f}"
    )


def syncs_per_second(folder: Path) -> float:
    """Return how often a second the disk takes a page and confirms it."""
    handle = os.open(folder / "sync", os.O_WRONLY | os.O_CREAT)
    begun = time.perf_counter()
    for _ in range(SYNCS):
        os.write(handle, b"x" * 4096)
        os.fdatasync(handle)
    seconds = time.perf_counter() - begun
    os.close(handle)
    return SYNCS / seconds


@contextmanager
def fresh_folder() -> Iterator[Path]:
    """Give an empty folder on the working disk: a memory file system would confirm for nothing."""
    folder = Path(tempfile.mkdtemp(dir=Path.cwd(), prefix=".bench-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


class Round(NamedTuple):
    """One measurement of the store and of the floor after it, in rows per second and seconds."""

    rows: float
    floor_rows: float
    ratio: float
    cpu_us: float
    floor_cpu_us: float
    row_bytes: float


def measured(due: list[Work]) -> Round:
    """Return one round."""
    n_rows = len(due) * ROWS_PER_ATTEMPT
    with fresh_folder() as folder:
        wall, cpu, size = stored(folder, due)
    with fresh_folder() as folder:
        bare, bare_cpu = floor(folder, n_rows, size // n_rows)
    micro = 1e6 / n_rows
    return Round(
        n_rows / wall, n_rows / bare, bare / wall, micro * cpu, micro * bare_cpu, size / n_rows
    )


def main() -> None:
    """Print every round, then the medians."""
    count, rounds = (int(word) for word in [*sys.argv[1:], *DEFAULTS[len(sys.argv) - 1 :]])
    due = works(count)
    with fresh_folder() as folder:
        print(f"fdatasync per second: {syncs_per_second(folder):,.0f}")
    found = []
    for _ in range(rounds):
        found.append(measured(due))
        print(
            f"  round: store {found[-1].rows:,.0f} rows/s, floor {found[-1].floor_rows:,.0f},"
            f" ratio {found[-1].ratio:.2f}"
        )
    middle = Round(*map(statistics.median, zip(*found, strict=True)))
    print(f"attempts per second, {WORKERS} workers: {middle.rows / ROWS_PER_ATTEMPT:,.0f}")
    print(
        f"acknowledged rows per second (start, append): {middle.rows:,.0f}"
        f" of {middle.row_bytes:,.0f} bytes; CPU {middle.cpu_us:.0f} us/row"
    )
    print(f"table rows per second (with prompt and reply text): {2 * middle.rows:,.0f}")
    print(
        f"floor, {BATCH} rows a commit: {middle.floor_rows:,.0f} rows per second;"
        f" CPU {middle.floor_cpu_us:.0f} us/row"
    )
    print(f"ratio of acknowledged rows to the floor: {middle.ratio:.2f}")
    print_postgres(due, rounds, int(middle.row_bytes))


if __name__ == "__main__":
    main()
