"""Real processes killed at random points of a run over the loopback interface."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from dataclasses import dataclass

import numpy as np
import pytest

from commands import invoke
from compared_reports import lines_without_calls
from counterbalance.errors import RecordError
from counterbalance.record import open_record
from counterbalance.report.build import build_report
from counterbalance.report.evidence import read_evidence
from counterbalance.run.session import Confirm
from fault_server import HANG, FaultServer, thinking
from studies import attempts_of, run, write_http_study

N_PAIRS = 40
CONCURRENCY = 4
WORKED_ON = 2 * CONCURRENCY
"""Calls under way, and those recorded as started ahead of them."""
KILLS = int(os.environ.get("COUNTERBALANCE_KILLS", "10"))
BEFORE = 0.2
"""Share of the kills that come before the first call."""
LONGEST_DELAY = 0.02
JUDGE = f"concurrency = {CONCURRENCY}\nmax_tokens = 40"
MORE = '[retry]\noutcomes = ["truncated"]\nmax_attempts = 2\nraise_max_tokens_to = 120\n'
HELD_OUT = "[held_out]\nshare = 0.5\nseed = 3\n"
LOADED = [
    "commands",
    "counterbalance.cli.main",
    "counterbalance.cli.progress",
    "counterbalance.cli.run",
    "counterbalance.judges.http",
    "counterbalance.run.session",
]


def evidence(record):
    """What must not depend on interruptions: the calls that came back, and how they were read."""
    return [(a.key, a.outcome, a.reply.text) for a in attempts_of(record) if a.reply is not None]


def recorded(record):
    """The evidence of a run that was killed; none where it had not come to begin a record."""
    try:
        return evidence(record)
    except RecordError as error:
        if "there is no such record" in str(error) or "the file is empty" in str(error):
            return []
        raise


def report_text(record):
    """The report without what tells of calls, times and lost calls."""
    with open_record(record, create=False, exclusive=False) as store:
        assert store.verify() == []
        report = build_report(read_evidence(store))
    return [
        line
        for line in lines_without_calls(report)
        if "lost" not in line and "attempts" not in line
    ]


@dataclass(frozen=True)
class Whole:
    """What came of a study that was never interrupted."""

    evidence: list
    report: list[str]
    seconds_to_first_call: float

    @property
    def n_calls(self) -> int:
        return len(self.evidence)


@pytest.fixture(scope="module")
def server():
    with FaultServer(thinking) as server:
        yield server


@pytest.fixture(scope="module")
def processes():
    """Start processes from one that has everything imported: real ones, at little cost."""
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(LOADED)
    return processes


def start(processes, protocol, *options):
    words = ("run", str(protocol), "--quiet", *options)
    process = processes.Process(target=invoke, args=words)
    process.start()
    return process


def all_but_the_last(last):
    """Keep a run from its end until it is killed."""
    return lambda number, seen: [HANG] if number >= last else thinking(number, seen)


def wait_for(process, server, n_seen):
    while len(server.seen) < n_seen and process.is_alive():
        time.sleep(0.001)


def killed(process):
    process.kill()
    process.join()
    assert process.exitcode == -signal.SIGKILL


def study(server, folder):
    return write_http_study(folder, server.url, N_PAIRS, judge=JUDGE, more=MORE)


def record_of(protocol):
    return protocol.with_suffix(".record.sqlite")


@pytest.fixture(scope="module")
def whole(server, processes, tmp_path_factory):
    start(processes, study(server, tmp_path_factory.mktemp("warm"))).join()
    protocol = study(server, tmp_path_factory.mktemp("whole"))
    n_before, begun = len(server.seen), time.monotonic()
    process = start(processes, protocol)
    wait_for(process, server, n_before + 1)
    seconds = time.monotonic() - begun
    process.join()
    assert process.exitcode == 0
    record = record_of(protocol)
    found = Whole(evidence(record), report_text(record), seconds)
    assert found.n_calls > 3 * N_PAIRS
    return found


@pytest.mark.parametrize("seed", range(KILLS))
def test_a_killed_run_that_is_resumed_equals_one_that_was_not(
    server, processes, whole, tmp_path, seed
):
    protocol = study(server, tmp_path)
    draws = np.random.default_rng(seed)
    n_before = len(server.seen)
    server.plan = all_but_the_last(n_before + whole.n_calls - 1)
    process = start(processes, protocol)
    if draws.random() < BEFORE:
        time.sleep(draws.uniform(0, whole.seconds_to_first_call))
    else:
        # Not with the call that was waited for, but anywhere between it and the next few.
        wait_for(process, server, n_before + draws.integers(1, whole.n_calls))
        time.sleep(draws.uniform(0, LONGEST_DELAY))
    killed(process)
    server.plan = thinking
    record = record_of(protocol)
    before = recorded(record)
    summary = run(protocol)
    assert not summary.stopped
    assert summary.outstanding == 0
    after = evidence(record)
    assert after == whole.evidence
    assert set(before) <= set(after)
    # What was recorded is not asked again; at most what was under way is.
    assert summary.calls == whole.n_calls - len(before)
    assert summary.lost <= WORKED_ON
    assert len(server.seen) - n_before <= whole.n_calls + WORKED_ON
    assert report_text(record) == whole.report


def split_study(server, folder):
    """A study with held-out pairs, to the point where they may be opened."""
    protocol = write_http_study(folder, server.url, 20, judge=JUDGE, more=MORE + HELD_OUT)
    assert run(protocol).outstanding == 0
    return protocol


def opened(protocol):
    with open_record(record_of(protocol), create=False, exclusive=False) as store:
        return store.openings()


@pytest.fixture(scope="module")
def confirmed(server, tmp_path_factory):
    """The evidence of a confirmation that was never interrupted, and the calls it took."""
    protocol = split_study(server, tmp_path_factory.mktemp("confirmed"))
    calls = run(protocol, task=Confirm()).calls
    assert calls >= 2 * WORKED_ON
    return evidence(record_of(protocol)), calls


@pytest.mark.parametrize("seed", range(max(2, KILLS // 5)))
def test_a_killed_confirmation_that_is_resumed_equals_one_that_was_not(
    server, processes, confirmed, tmp_path, seed
):
    wanted, n_calls = confirmed
    protocol = split_study(server, tmp_path)
    n_before = len(server.seen)
    server.plan = all_but_the_last(n_before + n_calls - 1)
    process = start(processes, protocol, "--confirm")
    wait_for(process, server, n_before + np.random.default_rng(seed).integers(1, n_calls))
    killed(process)
    server.plan = thinking
    before = opened(protocol)
    assert len(before) == 1
    assert run(protocol, task=Confirm()).outstanding == 0
    assert opened(protocol) == before
    assert evidence(record_of(protocol)) == wanted
    assert run(protocol, task=Confirm()).calls == 0
