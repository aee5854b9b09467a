"""Real processes killed at random points of a run over the loopback interface."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from commands import command
from counterbalance.record import open_record
from counterbalance.report.build import build_report
from counterbalance.report.evidence import read_evidence
from counterbalance.report.text import render_text
from counterbalance.run.study import load_study
from fault_server import FaultServer, thinking
from studies import attempts_of, write_http_study

N_PAIRS = 40
KILLS = int(os.environ.get("COUNTERBALANCE_KILLS", "10"))
JUDGE = "concurrency = 4\nmax_tokens = 40"
MORE = '[retry]\noutcomes = ["truncated"]\nmax_attempts = 2\nraise_max_tokens_to = 120\n'


def evidence(protocol):
    """What must not depend on interruptions: the calls that came back, and how they were read."""
    return [
        (a.key, a.outcome, a.reply.text)
        for a in attempts_of(load_study(protocol).default_record)
        if a.reply is not None
    ]


def report_text(protocol):
    """The report without what tells of calls, times and lost calls."""
    with open_record(load_study(protocol).default_record, create=False, exclusive=False) as store:
        assert store.verify() == []
        report = build_report(read_evidence(store))
    text = render_text(report, detail="full").replace(report.begun_at, "")
    told = ("Calls: ", "lost", "attempts")
    return [line for line in text.splitlines() if not any(word in line for word in told)]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The server, and a study that was never interrupted."""
    with FaultServer(thinking) as server:
        protocol = write_http_study(
            tmp_path_factory.mktemp("whole"), server.url, N_PAIRS, judge=JUDGE, more=MORE
        )
        ended = command("run", protocol)
        assert ended.code == 0, ended.err
        assert len(evidence(protocol)) > 3 * N_PAIRS
        yield server, protocol


@pytest.mark.parametrize("seed", range(KILLS))
def test_a_killed_run_that_is_resumed_equals_one_that_was_not(whole, tmp_path, seed):
    server, uninterrupted = whole
    protocol = write_http_study(tmp_path, server.url, N_PAIRS, judge=JUDGE, more=MORE)
    n_asked = len(server.chats)
    n_calls = len(evidence(uninterrupted))
    stop_after = int(np.random.default_rng(seed).integers(0, n_calls - 4))
    with subprocess.Popen(
        [sys.executable, "-m", "counterbalance", "run", str(protocol), "--quiet"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        while len(server.chats) - n_asked <= stop_after and process.poll() is None:
            time.sleep(0.001)
        process.kill()
        process.communicate()
    assert process.returncode == -signal.SIGKILL
    before = evidence(protocol)
    ended = command("run", protocol)
    assert ended.code == 0, ended.err
    after = evidence(protocol)
    assert after == evidence(uninterrupted)
    assert set(before) <= set(after)
    # What was recorded is not asked again; at most what was under way is.
    assert len(server.chats) - n_asked <= n_calls + 4
    assert report_text(protocol) == report_text(uninterrupted)


HELD_OUT = "[held_out]\nshare = 0.5\nseed = 3\n"


def opened(protocol):
    with open_record(load_study(protocol).default_record, create=False, exclusive=False) as store:
        return store.openings()


@pytest.mark.parametrize("seed", range(max(2, KILLS // 5)))
def test_a_killed_confirmation_that_is_resumed_equals_one_that_was_not(tmp_path, seed):
    more = MORE + HELD_OUT
    with FaultServer(thinking) as server:
        whole, broken = (
            write_http_study(tmp_path / name, server.url, 20, judge=JUDGE, more=more)
            for name in ("whole", "broken")
        )
        for protocol in (whole, broken):
            assert command("run", protocol, "--quiet").code == 0
        assert command("run", whole, "--confirm", "--quiet").code == 0
        n_asked = len(server.chats)
        stop_after = int(np.random.default_rng(seed).integers(0, 16))
        with subprocess.Popen(
            [sys.executable, "-m", "counterbalance", "run", str(broken), "--confirm", "--quiet"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            while len(server.chats) - n_asked <= stop_after and process.poll() is None:
                time.sleep(0.001)
            process.kill()
            process.communicate()
        assert process.returncode == -signal.SIGKILL
        before = opened(broken)
        assert len(before) == 1
        assert command("run", broken, "--confirm", "--quiet").code == 0
        assert opened(broken) == before
        assert evidence(broken) == evidence(whole)
        assert command("run", broken, "--confirm", "--quiet", "--json").out.count('"calls": 0') == 1
