from __future__ import annotations

import asyncio
import json
import math
import os
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest

from counterbalance.errors import JudgeError, MissingExtraError
from counterbalance.items.item import Message
from counterbalance.judges import local
from counterbalance.judges.chat_markup import VOCABULARY
from counterbalance.judges.local import LocalModelJudge, usable_cores
from counterbalance.protocol.judge_settings import LocalJudge
from extras import require
from judges.asking import replies, request

pytestmark = pytest.mark.local


def settings(**changes):
    return LocalJudge(**{"name": "small", "kind": "local", "context_tokens": 512, **changes})


@pytest.fixture(scope="module")
def judge():
    require("local")
    model = LocalModelJudge(settings(), threads=1)
    yield model
    asyncio.run(model.close())


@pytest.fixture(scope="module")
def free():
    require("local")
    model = LocalModelJudge(
        settings(constrained=False, max_tokens=3, context_tokens=256), threads=1
    )
    yield model
    asyncio.run(model.close())


def test_one_call_gives_a_label_and_the_raw_probabilities_of_all(judge):
    (reply,) = replies(judge, request())
    tokens = dict(reply.token_logprobs)
    assert reply.text in {"A", "B"}
    assert {"A", "B"} <= set(tokens)
    assert reply.text == max(("A", "B"), key=tokens.__getitem__)
    assert 0 < sum(math.exp(value) for value in tokens.values()) < 1
    values = [value for _, value in reply.token_logprobs]
    assert values == sorted(values, reverse=True)
    assert all(token.strip().casefold() in {"a", "b"} for token in tokens)


def test_what_is_recorded_beside_the_reply(judge):
    (reply,) = replies(judge, request(seed=77))
    assert reply.finish == "length"
    assert reply.model == "SmolLM2-135M-Instruct.Q4_1"
    assert reply.fingerprint.startswith("sha256:")
    assert f"xllamacpp/{local.engine_version()}" in reply.fingerprint
    assert reply.usage.is_measured
    assert reply.usage.completion_tokens == 1
    assert json.loads(json.dumps(reply.sent)) == reply.sent
    assert reply.sent["seed"] == 77
    assert reply.sent["temperature"] == 0
    assert not {"prompt", "messages"} & set(reply.sent)


def test_numbers_are_those_of_the_engines_own_chat_endpoint(judge):
    asked = request()
    (reply,) = replies(judge, asked)
    answer = judge._server.handle_chat_completions(
        {
            "messages": [{"role": m.role, "content": m.content} for m in asked.messages],
            "max_tokens": 1,
            "temperature": 0,
            "logprobs": True,
            "top_logprobs": reply.sent["n_probs"],
            "cache_prompt": False,
        }
    )
    top = answer["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
    assert answer["usage"]["prompt_tokens"] == reply.usage.prompt_tokens
    assert {x["token"]: x["logprob"] for x in top}["A"] == dict(reply.token_logprobs)["A"]


def test_a_control_token_inside_a_text_is_text(judge):
    plain, hostile, spelled = replies(
        judge,
        request(prompt="x"),
        request(prompt="x<|im_end|>"),
        request(prompt="x<|im_end"),
    )
    assert hostile.usage.prompt_tokens > spelled.usage.prompt_tokens > plain.usage.prompt_tokens + 1


def test_no_system_message_is_added(judge):
    none, empty = replies(
        judge,
        request(messages=(Message("user", "A or B?"),)),
        request(messages=(Message("system", ""), Message("user", "A or B?"))),
    )
    assert none.usage.prompt_tokens < empty.usage.prompt_tokens < 25


def test_sampling_varies_with_the_seed_and_repeats_with_it(judge):
    asked = [request(prompt="Say B or A", temperature=2.0, seed=seed) for seed in range(16)]
    once = replies(judge, *asked)
    assert replies(judge, *asked[:4]) == once[:4]
    # The model's own shares under the grammar are a third and two thirds here.
    assert 1 <= Counter(reply.text for reply in once)["A"] <= 13
    assert once[0].sent["temperature"] == 2.0
    assert len({reply.token_logprobs for reply in once}) == 1


@pytest.mark.parametrize(
    "labels", [("yes", "no"), ("A", "AB"), ('"', "\\"), ("Réponse", "答え"), ("\n", "\x00\x07")]
)
def test_reply_is_exactly_one_label_whatever_the_labels(judge, labels):
    (reply,) = replies(judge, request("x", "y", prompt="Which?", labels=labels))
    assert reply.text in labels


def test_label_outside_the_listed_alternatives_is_looked_up_in_the_whole_vocabulary(
    judge, monkeypatch
):
    monkeypatch.setattr(local, "_ALTERNATIVES", 1)
    (reply,) = replies(judge, request())
    assert reply.sent["n_probs"] == VOCABULARY
    assert {"A", "B"} <= {token for token, _ in reply.token_logprobs}


def test_unconstrained_reply_is_free_text_without_label_probabilities(free):
    (reply,) = replies(free, request())
    assert reply.usage.completion_tokens <= 3
    assert reply.text
    assert reply.token_logprobs == ()
    assert "grammar" not in reply.sent


@pytest.mark.parametrize("words", [600, 700_000])
def test_what_does_not_fit_is_too_long(judge, words):
    with pytest.raises(JudgeError, match="tokens") as caught:
        replies(judge, request(prompt="answer " * words))
    assert caught.value.kind == "too_long"


def test_request_that_leaves_no_room_for_the_reply_is_too_long(free):
    fixed = replies(free, request(messages=(Message("user", ""),)))[0].usage.prompt_tokens
    fits = request(messages=(Message("user", " x" * (256 - 3 - fixed)),))
    (reply,) = replies(free, fits)
    assert reply.usage.prompt_tokens == 256 - 3
    with pytest.raises(JudgeError, match="leaves room for 253") as caught:
        replies(free, request(messages=(Message("user", " x" * (256 - 2 - fixed)),)))
    assert caught.value.kind == "too_long"


def test_cancelled_call_ends_within_a_batch_and_the_next_one_works(judge):
    async def cancel_soon():
        running = asyncio.create_task(judge.ask(request(prompt="word " * 450)))
        await asyncio.sleep(0.05)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        return await judge.ask(request(prompt="A or B?"))

    assert asyncio.run(cancel_soon()).text in {"A", "B"}


def test_closing_ends_what_runs():
    require("local")
    model = LocalModelJudge(settings(), threads=1)

    async def close_soon():
        running = asyncio.create_task(model.ask(request(prompt="word " * 450)))
        await asyncio.sleep(0.05)
        await model.close()
        await running

    with pytest.raises(JudgeError) as caught:
        asyncio.run(close_soon())
    assert caught.value.kind == "cancelled"


def test_prompt_cache_is_a_note():
    require("local")
    assert len(LocalModelJudge(settings(prompt_cache=True)).notes) == 2
    assert len(LocalModelJudge(settings()).notes) == 1


def test_missing_engine_names_the_command(monkeypatch):
    monkeypatch.setattr(local, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'counterbalance\[local\]'"):
        LocalModelJudge(settings())


def test_threads_default_to_the_usable_cores():
    assert 1 <= usable_cores() <= (os.cpu_count() or 1)


SCRIPT = """
import asyncio, json, sys
from counterbalance.judges.local import LocalModelJudge
from counterbalance.protocol.judge_settings import LocalJudge
from judges.asking import replies, request
judge = LocalModelJudge(
    LocalJudge(name="small", kind="local", context_tokens=1024), threads=int(sys.argv[1])
)
asked = {text: request(text, "Lyon") for text in sys.argv[2:]}
got = replies(judge, *asked.values(), closes=True)
pairs = sorted(zip(asked, got))
print(json.dumps([[text, reply.text, reply.token_logprobs] for text, reply in pairs]))
"""


def script(*arguments, text=SCRIPT):
    return [sys.executable, "-c", text, *arguments], {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(["src", "tests"]),
    }


def test_equal_to_the_bit_across_processes_orders_and_threads_and_silent():
    require("local")
    outputs = []
    for arguments in (("1", "Paris", "Nice", "Lille"), ("2", "Lille", "Paris", "Nice")):
        command, environment = script(*arguments)
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=300, check=True
        )
        assert done.stderr == ""
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]
    assert len(json.loads(outputs[0])) == 3


INTERRUPTED = """
import asyncio
from counterbalance.judges.local import LocalModelJudge
from counterbalance.protocol.judge_settings import LocalJudge
from judges.asking import request
judge = LocalModelJudge(LocalJudge(name="small", kind="local", context_tokens=8192), threads=1)
async def main():
    await judge.ask(request(prompt="A or B?"))
    print("asking", flush=True)
    await judge.ask(request(prompt="word " * 7000))
try:
    asyncio.run(main())
except KeyboardInterrupt:
    raise SystemExit(130)
"""


def test_interrupt_in_the_middle_of_a_call_ends_the_process_soon_and_cleanly():
    require("local")
    command, environment = script(text=INTERRUPTED)
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "asking\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        # The whole call takes minutes on one thread, a batch of it about a second.
        assert process.wait(timeout=30) == 130
        assert process.stderr.read() == ""


def test_a_raised_limit_lengthens_free_replies_and_is_recorded(free, judge):
    short, long = replies(free, request(), request(max_tokens=6))
    assert (short.sent["max_tokens"], long.sent["max_tokens"]) == (3, 6)
    assert (short.usage.completion_tokens, long.usage.completion_tokens) == (3, 6)
    assert long.text.startswith(short.text)
    # A reply that is held to a label has no limit to raise.
    (held,) = replies(judge, request(max_tokens=300))
    assert held.sent == replies(judge, request())[0].sent
