"""Real processes: killed, running side by side, out of disk."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from counterbalance.errors import RecordBusyError, RecordError
from counterbalance.record import Store, open_record
from counterbalance.record.sqlite import open_sqlite
from record.studies import HEADER, STARTED_AT, awaited, failure, prompt_of, study

SCRIPT = Path(__file__).with_name("writing_process.py")
PAIRS = 150


def writing_process(place: Path | str, *arguments: str, **options: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(SCRIPT), str(place), str(PAIRS), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": os.pathsep.join(sys.path)},
        **options,  # type: ignore[call-overload]
    )


def reading(place: Path | str) -> Store:
    return open_record(place, create=False, exclusive=False)


@pytest.mark.parametrize("kill_after", [1, 40, 170])
def test_every_acknowledged_attempt_survives_a_kill(place: str, kill_after: int) -> None:
    acknowledged = []
    with writing_process(place) as process:
        for line in process.stdout or ():
            acknowledged.append(line.split())
            if len(acknowledged) == kill_after:
                process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    started = {(key, int(n)) for what, key, n in acknowledged if what == "started"}
    appended = {(key, int(n)) for what, key, n in acknowledged if what == "appended"}
    for exclusive in (False, True):
        with open_record(place, create=False, exclusive=exclusive) as store:
            assert store.verify() == []
            finished = {(a.key, a.number) for a in store.attempts()}
            lost = {(c.key, c.number) for c in store.unfinished()}
            assert appended <= finished
            assert started <= finished | lost
            assert not finished & lost
    # The same work again, to the end: what was recorded is refused nothing and doubled nowhere.
    with writing_process(place, "resume") as process:
        assert process.wait(60) == 0
    with reading(place) as store:
        assert len(list(store.attempts())) == 2 * PAIRS + 1
        assert store.verify() == []


def test_one_run_at_a_time_and_the_lock_dies_with_its_process(place: str, tmp_path: Path) -> None:
    with writing_process(place, "hold") as process:
        assert process.stdout is not None
        while not process.stdout.readline().startswith("holding"):
            assert process.poll() is None
        with pytest.raises(RecordBusyError, match=f"process {process.pid}") as error:
            open_record(place, create=True, exclusive=True)
        assert "\n" not in str(error.value)
        with reading(place) as store:
            assert len(list(store.attempts())) == 2 * PAIRS + 1
        process.kill()
    with open_record(place, create=True, exclusive=True) as store:
        assert store.verify() == []
    assert {p.name for p in tmp_path.iterdir()} <= {Path(place).name}


def test_a_file_limit_reaches_every_caller(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (900_000, 900_000))

    begun = time.monotonic()
    with writing_process(path, "tell", preexec_fn=limit) as process:
        out, errors = process.communicate(timeout=60)
    assert time.monotonic() - begun < 60
    assert process.returncode == 3, errors
    *acknowledged, refusals = out.splitlines()
    assert acknowledged
    sentences = refusals.split("\t")[1:]
    assert len(sentences) > 1
    assert len(set(sentences)) == 1
    assert "a rerun goes on from there" in sentences[0]
    with reading(path) as store:
        finished = {a.key for a in store.attempts()}
        assert {line.split()[1] for line in acknowledged if line.startswith("appended")} <= finished
        assert store.verify() == []


@awaited
async def test_a_full_disk_is_said_in_one_line_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    pairs, plan = study(60)
    kept = []
    with open_sqlite(path, create=True, exclusive=True) as store:
        store.begin(HEADER, pairs, plan)
        pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
        store._connection.execute(f"PRAGMA max_page_count = {pages + 3}")

        async def fill() -> None:
            for planned in plan:
                key = planned.presentation.key
                await store.start(key, 1, STARTED_AT, prompt_of(planned, pairs))
                await store.append(failure(planned))
                kept.append(failure(planned))

        with pytest.raises(RecordError, match="the disk is full; free some space") as error:
            await fill()
        assert "\n" not in str(error.value)
        with pytest.raises(RecordError, match="the disk is full"):
            await store.append(failure(plan[0]))
        assert list(store.attempts())[: len(kept)] == kept
    with open_sqlite(path, create=False, exclusive=True) as store:
        assert list(store.attempts()) == kept
        assert store.verify() == []
        planned = plan[len(kept)]
        key = planned.presentation.key
        await store.start(key, 1, STARTED_AT, prompt_of(planned, pairs))
        await store.append(failure(planned))


def test_a_beginning_on_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    pairs, plan = study(60)
    with open_sqlite(path, create=True, exclusive=True) as store:
        store._connection.execute("PRAGMA max_page_count = 30")
        with pytest.raises(RecordError, match="the disk is full"):
            store.begin(HEADER, pairs, plan)
        assert store.header() is None
