"""The command judge: real programs that answer, fail, hang, flood and leave children behind."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from counterbalance.errors import InputError, JudgeError
from counterbalance.judges.command import CommandModelJudge
from counterbalance.presentations.reply import Usage
from counterbalance.protocol.judge_settings import CommandJudge
from judges.asking import replies, request
from studies import attempts_of, run, write_study

ECHO = "import json, sys; asked = json.load(sys.stdin); print(json.dumps({'text': %s}))"


def judge_of(folder, program, *words, **changes):
    """Return a judge that runs a Python program with arguments."""
    given = {"name": "c", "kind": "command", "timeout_seconds": 20.0, **changes}
    command = (sys.executable, "-c", program, *words)
    return CommandModelJudge(CommandJudge(**given, command=command), folder)


def asked(folder, program, one=None, **changes):
    (reply,) = replies(judge_of(folder, program, **changes), one or request(), closes=True)
    return reply


def failure(folder, program, **changes):
    with pytest.raises(JudgeError) as caught:
        asked(folder, program, **changes)
    assert "\n" not in str(caught.value)
    return caught.value


def test_a_program_gets_the_whole_request_and_its_reply_is_kept_as_written(tmp_path):
    program = (
        "import json, sys\n"
        "asked = json.load(sys.stdin)\n"
        "json.dump({'text': json.dumps(asked), 'finish': 'stop', 'reasoning': 'r', 'model': 'm-1',"
        " 'fingerprint': 'f', 'usage': {'prompt_tokens': 3, 'completion_tokens': 2},"
        " 'token_logprobs': [['B', -2.0], ['A', -0.2]]}, sys.stdout)"
    )
    reply = asked(tmp_path, program, request(seed=5), temperature=0.5, max_tokens=9)
    seen = json.loads(reply.text)
    assert seen.pop("messages")[1]["role"] == "user"
    assert seen == {
        "schema": "counterbalance.request/1",
        "key": request().key,
        "first": {"label": "A", "text": "Paris"},
        "second": {"label": "B", "text": "Lyon"},
        "labels": ["A", "B"],
        "temperature": 0.5,
        "max_tokens": 9,
        "seed": 5,
        "attempt": 1,
    }
    assert (reply.finish, reply.reasoning, reply.model, reply.fingerprint) == (
        "stop", "r", "m-1", "f",
    )  # fmt: skip
    assert reply.usage == Usage(3, 2, is_measured=True)
    assert reply.token_logprobs == (("A", -0.2), ("B", -2.0))
    assert reply.sent == {"temperature": 0.5, "max_tokens": 9, "seed": 5}
    raised = asked(tmp_path, program, request(max_tokens=90, temperature=0.0), max_tokens=9)
    assert json.loads(raised.text)["max_tokens"] == 90
    assert raised.sent["temperature"] == 0.0


def test_no_shell_reads_the_command(tmp_path):
    words = ("$HOME", "a b", "; touch broken", "$(touch broken)", "*", '"')
    program = "import json, sys; print(json.dumps({'text': json.dumps(sys.argv[1:])}))"
    (reply,) = replies(judge_of(tmp_path, program, *words), request(), closes=True)
    assert tuple(json.loads(reply.text)) == words
    assert list(tmp_path.iterdir()) == []


FAULTS = {
    "exit code": ("import sys; print('why', file=sys.stderr); sys.exit(3)", "exit code 3: why"),
    "silent exit": ("raise SystemExit(1)", "it said nothing on standard error"),
    "traceback": ("1/0", "exit code 1: ZeroDivisionError"),
    "a reply and a failure": ("print('{\"text\": \"A\"}'); raise SystemExit(4)", "exit code 4"),
    "signal": ("import os; os.kill(os.getpid(), 9)", "signal 9"),
    "nothing": ("pass", "wrote nothing"),
    "garbage": ("print('Answer A')", "wrote no JSON: Answer A"),
    "two values": ("print('{}'); print('{}')", "wrote no JSON"),
    "bytes": ("import sys; sys.stdout.buffer.write(b'\\xff\\xfe')", "wrote no JSON"),
    "deep": ("print('[' * 200000)", "wrote no JSON"),
    "list": ("print('[]')", "no object"),
    "empty object": ("print('{}')", "has no text"),
    "odd text": ("print('{\"text\": 5}')", "text is no text: 5"),
    "unknown field": ("print('{\"text\": \"A\", \"verdict\": 1}')", "has 'verdict'; it may have"),
    "odd usage": ("print('{\"text\": \"A\", \"usage\": {}}')", "usage must have"),
    "odd logprobs": ("print('{\"text\": \"A\", \"token_logprobs\": [[\"A\", 2]]}')",
                     "token_logprobs must be"),
    "flood": ("import sys\nwhile True: sys.stdout.write('x' * 65536)", "more than 16 MiB"),
    "error": ("print('{\"error\": \"no luck\"}')", "no luck"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_whatever_a_program_does_wrong_is_a_failure_of_the_server(tmp_path, name):
    program, words = FAULTS[name]
    caught = failure(tmp_path, program)
    assert caught.kind == "server"
    assert words in caught.problem
    assert not caught.ends_run


def test_a_program_may_name_the_kind_of_its_failure(tmp_path):
    stated = {"kind": "rate_limited", "problem": "slow down", "retry_after": 2}
    caught = failure(tmp_path, f"print({json.dumps(json.dumps({'error': stated}))})")
    assert (caught.kind, caught.problem, caught.retry_after) == ("rate_limited", "slow down", 2.0)
    stated["problem"] = "slow\ndown"
    assert (
        "\n" not in failure(tmp_path, f"print({json.dumps(json.dumps({'error': stated}))})").problem
    )
    stated = {"kind": "quota", "problem": "spent"}
    assert failure(tmp_path, f"print({json.dumps(json.dumps({'error': stated}))})").ends_run


def test_much_on_standard_error_and_an_unread_request_hang_nothing(tmp_path):
    program = "import sys; sys.stderr.write('x' * 10**6); print('{\"text\": \"A\"}')"
    long = request(prompt="word " * 10**6)
    assert asked(tmp_path, program, long).text == "A"


def is_gone(pid):
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


FORKS = (
    "import os, subprocess, sys, time\n"
    "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
    "open('pids', 'w').write(f'{os.getpid()} {child.pid}')\n"
)


def pids(folder):
    for _ in range(200):
        found = (folder / "pids").read_text().split() if (folder / "pids").exists() else []
        if len(found) == 2:
            return [int(pid) for pid in found]
        time.sleep(0.05)
    pytest.fail("the program did not start")


def test_a_program_that_takes_too_long_is_ended_with_its_children(tmp_path):
    caught = failure(tmp_path, FORKS + "time.sleep(600)", timeout_seconds=2.0)
    assert caught.kind == "timeout"
    assert "within 2 s" in caught.problem
    assert all(is_gone(pid) for pid in pids(tmp_path))


def test_children_that_a_program_leaves_behind_are_ended(tmp_path):
    leaves = FORKS.replace("600)'])", "600)'], stdout=subprocess.DEVNULL,"
                           " stderr=subprocess.DEVNULL)")  # fmt: skip
    assert asked(tmp_path, leaves + 'print(\'{"text": "A"}\')').text == "A"
    assert all(is_gone(pid) for pid in pids(tmp_path))


def test_a_cancelled_call_ends_its_program(tmp_path):
    async def cancelled():
        judge = judge_of(tmp_path, FORKS + "time.sleep(600)", timeout_seconds=60.0)
        call = asyncio.create_task(judge.ask(request()))
        await asyncio.to_thread(pids, tmp_path)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await judge.close()

    asyncio.run(cancelled())
    assert all(is_gone(pid) for pid in pids(tmp_path))


def test_a_program_is_found_before_anything_is_asked(tmp_path):
    for word in ("no-such-program-anywhere", "./judge", "/no/such"):
        settings = CommandJudge(name="c", kind="command", command=(word,))
        with pytest.raises(InputError, match="no program that can be started"):
            CommandModelJudge(settings, tmp_path)
    script = tmp_path / "judge"
    script.write_text('#!/bin/sh\nprintf \'{"text": "A"}\'\n', "utf-8")
    script.chmod(0o755)
    settings = CommandJudge(name="c", kind="command", command=("./judge",))
    judge = CommandModelJudge(settings, tmp_path)
    assert replies(judge, request())[0].text == "A"
    script.write_text("#!/no/interpreter\n", "utf-8")
    with pytest.raises(JudgeError, match="cannot be started") as caught:
        replies(judge, request(), closes=True)
    assert caught.value.ends_run


JUDGE = """\
import hashlib, json, sys
asked = json.load(sys.stdin)
text = asked["first"]["text"] + asked["second"]["text"]
chosen = asked["labels"][hashlib.sha256(text.encode()).digest()[0] % 2]
print(json.dumps({"text": f"[[{chosen}]]"}))
"""


def study_of(folder, n_pairs=3, *, program=JUDGE, judge=""):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "judge.py").write_text(program, "utf-8")
    settings = f'command = ["{sys.executable}", "judge.py"]\n{judge}'
    path = write_study(folder, n_pairs, judge=settings)
    text = path.read_text("utf-8").replace('kind = "scripted"', 'kind = "command"')
    path.write_text(text, "utf-8")
    return path


def test_a_run_with_a_program_asks_nothing_twice(tmp_path):
    protocol = study_of(tmp_path)
    first, again = run(protocol), run(protocol)
    assert (first.calls, first.outstanding, first.stopped) == (6, 0, "")
    assert again.calls == 0
    found = attempts_of(tmp_path / "protocol.record.sqlite")
    assert all(attempt.outcome.is_verdict for attempt in found)


def test_a_program_that_is_only_just_started_does_not_outlive_its_call(tmp_path, monkeypatch):
    start, started, runs = asyncio.create_subprocess_exec, [], asyncio.Event()

    async def slowly(*words, **more):
        process = await start(*words, **more)
        started.append(process.pid)
        runs.set()
        await asyncio.sleep(0.3)  # the call is cancelled here: the program runs, nobody knows
        return process

    async def cancelled():
        monkeypatch.setattr(asyncio, "create_subprocess_exec", slowly)
        judge = judge_of(tmp_path, "import time; time.sleep(600)")
        call = asyncio.ensure_future(judge.ask(request()))
        await runs.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    asyncio.run(cancelled())
    assert all(is_gone(pid) for pid in started)


def test_ctrl_c_ends_the_programs_and_the_same_command_goes_on(tmp_path):
    protocol = study_of(tmp_path, program=FORKS + "time.sleep(600)", judge="concurrency = 1")
    runs = subprocess.Popen(
        [sys.executable, "-m", "counterbalance", "run", str(protocol), "--quiet"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUTF8": "1"},
    )
    started = pids(tmp_path)
    runs.send_signal(signal.SIGINT)
    _, said = runs.communicate(timeout=60)
    assert runs.returncode == 130
    assert said.decode().strip() == "counterbalance: interrupted; what was recorded is kept"
    assert all(is_gone(pid) for pid in started)
    (tmp_path / "judge.py").write_text(JUDGE, "utf-8")
    assert run(protocol).outstanding == 0
