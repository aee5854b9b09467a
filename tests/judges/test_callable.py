"""Python functions as judges: what they are handed, what they may give back, and how runs start."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from functools import partial
from typing import TYPE_CHECKING

import pytest

import counterbalance
from commands import command, is_one_clear_line
from counterbalance.errors import InputError, JudgeError
from counterbalance.judges.callable import CallableModelJudge
from counterbalance.presentations.reply import Reply
from counterbalance.protocol.judge_settings import CallableJudge
from judges.asking import replies, request
from studies import attempts_of, write_study

if TYPE_CHECKING:
    from counterbalance.judges.judge import Request


def apart(function, asked):
    """Call a coroutine function from a plain one, as a decorator may do."""
    return function(asked)


def judge_of(function, **changes):
    given = {"name": "f", "kind": "callable", "version": "1", "timeout_seconds": 20.0, **changes}
    return CallableModelJudge(CallableJudge(**given), function)


def longer(asked: Request) -> str:
    first = len(asked.first.text) > len(asked.second.text)
    return f"[[{asked.labels[0 if first else 1]}]]"


async def slowly(asked: Request) -> Reply:
    await asyncio.sleep(0.01)
    return Reply(text=longer(asked), model="mine-1", sent={"trick": 1})


def test_a_function_may_give_text_or_a_whole_reply_and_may_take_its_time():
    (text,) = replies(judge_of(longer), request())
    assert text == Reply("[[A]]", sent={"seed": 1})
    (whole,) = replies(judge_of(slowly, temperature=0.5, max_tokens=9), request())
    assert (whole.text, whole.model) == ("[[A]]", "mine-1")
    assert whole.sent == {"temperature": 0.5, "max_tokens": 9, "seed": 1, "trick": 1}
    (late,) = replies(judge_of(partial(apart, slowly)), request(), closes=True)
    assert late.text == "[[A]]"


def test_settings_are_filled_in_and_a_call_may_have_its_own():
    seen = []

    def look(asked):
        seen.append((asked.temperature, asked.max_tokens))
        return "A"

    judge = judge_of(look, temperature=0.5, max_tokens=9)
    replies(judge, request(), request(temperature=0.0, max_tokens=90), closes=True)
    assert seen == [(0.5, 9), (0.0, 90)]


def failure(function, **changes):
    with pytest.raises(JudgeError) as caught:
        replies(judge_of(function, **changes), request(), closes=True)
    return caught.value


def test_what_is_no_reply_takes_too_long_or_would_end_the_process_is_a_failure():
    assert "gave back NoneType" in failure(lambda _: None).problem
    assert "gave back dict" in failure(lambda _: {"text": "A"}).problem
    assert "SystemExit: 3" in failure(lambda _: sys.exit(3)).problem

    async def sleeps(_):
        await asyncio.sleep(60)

    for slow in (sleeps, lambda _: time.sleep(3)):
        begun = time.monotonic()
        caught = failure(slow, timeout_seconds=0.2)
        assert (caught.kind, caught.problem) == ("timeout", "no reply within 0.2 s")
        assert time.monotonic() - begun < 2

    def impatient(_):
        msg = "of its own"
        raise TimeoutError(msg)

    caught = failure(impatient)
    assert (caught.kind, caught.problem) == ("server", "TimeoutError: of its own")

    def named(_):
        raise JudgeError(kind="quota", problem="spent", ends_run=True)

    assert failure(named).ends_run


PROTOCOL = 'version = "1"\n'


def study_of(folder, n_pairs=3, **more):
    path = write_study(folder, n_pairs, judge=PROTOCOL, **more)
    text = path.read_text("utf-8").replace('kind = "scripted"', 'kind = "callable"')
    path.write_text(text, "utf-8")
    return path


def test_a_run_is_started_from_python_and_asks_nothing_twice(tmp_path):
    protocol = study_of(tmp_path)
    summary = counterbalance.run_protocol(protocol, judges={"script": longer})
    assert (summary.planned, summary.calls, summary.outstanding) == (6, 6, 0)
    again = counterbalance.run_protocol(str(protocol), judges={"script": slowly})
    assert again.calls == 0
    report = counterbalance.read_report(tmp_path / "protocol.record.sqlite")
    (group,) = report.groups
    assert group.dispositions["stable_b"] == 3
    assert any("Python function (version 1)" in warning for warning in report.warnings)


def test_a_run_may_be_started_inside_a_running_loop_and_into_another_record(tmp_path):
    async def notebook():
        return counterbalance.run_protocol(
            study_of(tmp_path), judges={"script": longer}, record=tmp_path / "other.sqlite"
        )

    assert asyncio.run(notebook()).outstanding == 0
    assert len(attempts_of(tmp_path / "other.sqlite")) == 6


def test_functions_run_side_by_side_within_the_limit(tmp_path):
    under_way, most, lock = 0, 0, threading.Lock()

    def counted(asked):
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        time.sleep(0.05)
        with lock:
            under_way -= 1
        return longer(asked)

    protocol = study_of(tmp_path, 10)
    text = protocol.read_text("utf-8").replace(PROTOCOL, PROTOCOL + "concurrency = 5\n")
    protocol.write_text(text, "utf-8")
    counterbalance.run_protocol(protocol, judges={"script": counted})
    assert most == 5


def test_what_a_function_raises_is_recorded_and_the_run_goes_on(tmp_path):
    def faulty(asked):
        if "number 1" in asked.messages[-1].content:
            msg = "no such key"
            raise KeyError(msg)
        return longer(asked)

    summary = counterbalance.run_protocol(study_of(tmp_path), judges={"script": faulty})
    assert (summary.calls, summary.outstanding, summary.stopped) == (6, 0, "")
    found = attempts_of(tmp_path / "protocol.record.sqlite")
    assert sorted(a.problem for a in found if a.problem) == ["KeyError: 'no such key'"] * 2


def test_a_missing_or_superfluous_function_is_named_before_anything_is_recorded(tmp_path):
    protocol = study_of(tmp_path)
    with pytest.raises(InputError, match="start the run from Python"):
        counterbalance.run_protocol(protocol)
    with pytest.raises(InputError, match=r"handed over for 'other'.*: script"):
        counterbalance.run_protocol(protocol, judges={"script": longer, "other": longer})
    ended = command("run", protocol, "--quiet")
    assert ended.code == 2
    assert is_one_clear_line(ended)
    assert "counterbalance.run_protocol(path, judges={'script': function})" in ended.err
    assert not (tmp_path / "protocol.record.sqlite").exists()
