"""The http judge against a real server on the loopback interface."""

from __future__ import annotations

import asyncio
import ssl
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from counterbalance.errors import InputError, JudgeError
from counterbalance.judges.http import HttpModelJudge
from counterbalance.presentations.reply import Usage
from counterbalance.protocol.judge_settings import HttpJudge
from fault_server import CLOSE, HANG, RESET, FaultServer, completion, error, response
from judges.asking import replies, request

if TYPE_CHECKING:
    from counterbalance.presentations.reply import Reply

KEY = "sk-a-secret-that-nobody-may-see"


def judge_at(url: str, *, key: str = KEY, **changes) -> HttpModelJudge:
    settings = HttpJudge(
        **{"name": "h", "kind": "http", "model": "m", "base_url": url, "timeout_seconds": 5.0}
        | changes
    )
    return HttpModelJudge(settings, {"OPENAI_API_KEY": key} if key else {})


def asked(*steps, calls: int = 1, **changes) -> list[Reply]:
    with FaultServer(lambda *_: steps) as server:
        return replies(judge_at(server.url, **changes), *[request()] * calls, closes=True)


def failure(*steps, **changes) -> JudgeError:
    with pytest.raises(JudgeError) as caught:
        asked(*steps, **changes)
    assert KEY not in caught.value.problem
    assert "\n" not in str(caught.value)
    return caught.value


def test_a_reply_is_kept_as_received():
    body = completion(
        "[[A]]",
        finish="length",
        message={"reasoning_content": "thought", "refusal": "no"},
        model="m-2",
        system_fingerprint="fp",
    )
    (reply,) = asked(response(body=body), temperature=0.5, max_tokens=7, parameters={"top_p": 0.9})
    assert (reply.text, reply.finish, reply.reasoning) == ("[[A]]", "length", "thought")
    assert (reply.refusal, reply.model, reply.fingerprint) == ("no", "m-2", "fp")
    assert reply.usage == Usage(100, 5, is_measured=True)
    sent = dict(reply.sent)
    assert sent.pop("endpoint").startswith("http://127.0.0.1:")
    assert sent == {"temperature": 0.5, "max_tokens": 7, "top_p": 0.9, "seed": 1}


def test_what_is_sent():
    with FaultServer() as server:
        judge = judge_at(server.url, temperature=0.0, top_logprobs=20, send_seed=False)
        replies(judge, request(temperature=1.0), closes=True)
    (seen,) = server.seen
    assert (seen.method, seen.path) == ("POST", "/v1/chat/completions")
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert seen.body.pop("messages")[1]["role"] == "user"
    assert seen.body == {"model": "m", "temperature": 1.0, "top_logprobs": 20, "logprobs": True}


@pytest.mark.parametrize("text", ['é 漢 \x00 "\\ \u2028', "half a pair: \ud83d"])
def test_any_text_arrives_as_it_is(text):
    with FaultServer() as server:
        replies(judge_at(server.url), request(prompt=text), closes=True)
    (seen,) = server.seen
    assert seen.body["messages"][1]["content"] == text


def test_one_connection_serves_many_calls_and_calls_run_side_by_side():
    with FaultServer() as server:
        replies(judge_at(server.url), *[request()] * 5, closes=True)
    assert server.connections == 1

    async def together():
        judge = judge_at(server.url, concurrency=4)
        try:
            await asyncio.gather(*(judge.ask(request()) for _ in range(4)))
        finally:
            await judge.close()

    with FaultServer(lambda *_: [0.3, response(body=completion("[[A]]"))]) as server:
        asyncio.run(asyncio.wait_for(together(), 1.0))


def test_alternatives_of_a_reply_of_one_token():
    top = [{"token": "B", "logprob": -2.0}, {"token": "A", "logprob": -0.2}, {"token": 1}]
    tokens = [{"token": "A", "logprob": -0.2, "top_logprobs": top}]
    body = completion("A", choice={"logprobs": {"content": tokens}})
    (reply,) = asked(response(body=body))
    assert reply.token_logprobs == (("A", -0.2), ("B", -2.0))
    more = [*tokens, {"token": " is", "logprob": -1.0, "top_logprobs": []}]
    body = completion("A is", choice={"logprobs": {"content": more}})
    assert asked(response(body=body))[0].token_logprobs == ()


@pytest.mark.parametrize(
    ("message", "text", "reasoning"),
    [
        ({"content": None}, "", ""),
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "ab", ""),
        ({"content": "x", "reasoning": "r"}, "x", "r"),
        ({"content": [{"type": "thinking", "thinking": "t"}]}, "", '"t"'),
        ({"content": "\ud800"}, "\ud800", ""),
    ],
)
def test_shapes_of_content(message, text, reasoning):
    (reply,) = asked(response(body=completion(None, message=message)))
    assert (reply.text, reply.reasoning) == (text, reasoning)


def test_unknown_usage_is_none():
    for usage in (None, {}, {"prompt_tokens": -1, "completion_tokens": 2}, {"prompt_tokens": "9"}):
        assert asked(response(body=completion("x", usage=usage)))[0].usage is None


HTML = "<html><body>Sign in</body></html>"
TWO = completion("[[A]]")
TWO["choices"] = [*TWO["choices"], *completion("[[B]]")["choices"]]
FAULTS = {
    "401": (error(401, f"Incorrect API key: {KEY}"), "auth", "[key]"),
    "403": (error(403, "no access"), "auth", "no access"),
    "402": (error(402, "pay"), "quota", "pay"),
    "429 of quota": (error(429, "plan", "insufficient_quota"), "quota", "plan"),
    "429": (error(429, "slow down"), "rate_limited", "slow down"),
    "408": (error(408), "timeout", "408"),
    "500": (response(500, "oops", content_type="text/plain"), "server", "500 oops"),
    "503 html": (response(503, HTML, content_type="text/html"), "server", "503 Sign in"),
    "529": (error(529, "overloaded"), "server", "overloaded"),
    "400": (error(400, "bad thing"), "bad_request", "bad thing"),
    "detail": (response(422, {"detail": [{"loc": ["body", "seed"], "msg": "extra"}]}),
               "bad_request", "rejected: seed"),
    "context": (error(400, "x", "context_length_exceeded"), "too_long", "x"),
    "context in words": (error(400, "This model's maximum context length is 20 tokens"),
                         "too_long", "context length"),
    "html": (response(200, HTML, content_type="text/html"), "server", "HTML or XML"),
    "not json": (response(200, "verdict: A"), "server", "no JSON"),
    "nothing": (response(200, ""), "server", "empty"),
    "stream": (response(200, "data: {}"), "server", "streams"),
    "deep": (response(200, "[" * 200_000), "server", "no JSON"),
    "list": (response(200, []), "server", "no object"),
    "no choices": (response(200, {"choices": []}), "server", "no choices"),
    "no message": (response(200, {"choices": [{"text": "A"}]}), "server", "no message"),
    "odd content": (response(200, completion(7)), "server", "neither text nor parts"),  # type: ignore[arg-type]
    "two choices": (response(200, TWO), "server", "2 different choices"),
    "error inside a choice": (response(200, completion("[[A]]", choice={"error": "cut"})),
                              "server", "cut"),
    "error inside 200": (response(200, {"error": {"message": "later", "code": 429}}),
                         "rate_limited", "later"),
    "error text inside 200": (response(200, {"error": "broken"}), "server", "broken"),
    "not http": (b"SSH-2.0-OpenSSH\r\n\r\n", "server", "no HTTP"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_status_and_body_to_one_kind(name):
    answer, kind, words = FAULTS[name]
    caught = failure(answer, CLOSE) if name == "not http" else failure(answer)
    assert (caught.kind, words in caught.problem) == (kind, True), caught.problem
    assert caught.ends_run == (kind in {"auth", "quota"})


@pytest.mark.parametrize(
    ("steps", "kind"),
    [
        ([HANG], "timeout"),
        ([b"HTTP/1.1 200 X\r\nContent-Length: 90\r\n\r\n", *[b"x", 0.05] * 60], "timeout"),
        ([RESET], "network"),
        ([CLOSE], "network"),
        ([response(200, completion("[[A]]"), length=9999), CLOSE], "network"),
        ([response(200, completion("[[A]]"), length=9999)[:-5], RESET], "network"),
        ([b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc", CLOSE], "network"),
    ],
)
def test_broken_connections(steps, kind):
    assert failure(*steps, timeout_seconds=0.6).kind == kind


def test_unreachable_and_unknown_hosts():
    with FaultServer() as server:
        gone = server.url
    for url in (gone, "http://no-such-host.invalid/v1"):
        with pytest.raises(JudgeError, match="cannot reach") as caught:
            replies(judge_at(url), request(), closes=True)
        assert caught.value.kind == "network"


def test_a_certificate_that_nobody_vouches_for():
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(Path(__file__).with_name("self_signed.pem"))
    with FaultServer(tls=tls) as server, pytest.raises(JudgeError, match="TLS") as caught:
        replies(judge_at(server.url), request(), closes=True)
    assert caught.value.kind == "network"
    assert "self-signed" in caught.value.problem
    assert server.seen == []


def test_a_redirect_is_not_followed_and_the_key_goes_nowhere_else():
    with FaultServer() as other:
        for status in (301, 302, 307, 308):
            to = {"Location": f"{other.url}/chat/completions?token=hidden"}
            caught = failure(response(status, b"", headers=to))
            assert caught.kind == "network"
            assert caught.ends_run
            assert f"127.0.0.1:{other.port}/v1" in caught.problem
            assert "hidden" not in caught.problem
    assert other.seen == []


def test_a_reply_of_100_megabytes_is_not_held():
    part = b"x" * 2**20
    steps = [b"HTTP/1.1 200 X\r\nContent-Length: 104857600\r\n\r\n", *[part] * 100]
    tracemalloc.start()
    try:
        caught = failure(*steps, timeout_seconds=60.0)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert caught.kind == "server"
    assert "larger than 16 MiB" in caught.problem
    assert peak < 60 * 2**20


def test_a_second_response_to_one_request_is_never_the_next_reply():
    twice = response(body=completion("[[A]]")) * 2

    def plan(number, _):
        late = [twice[: len(twice) // 2], 0.1, twice[len(twice) // 2 :]]
        return (late, [response(body=completion("[[B]]"))], [twice])[number % 3]

    with FaultServer(plan) as server:

        async def one_after_the_other():
            judge = judge_at(server.url)
            try:
                for _ in range(2):
                    for expected in ("[[A]]", "[[B]]", "[[A]]"):
                        assert (await judge.ask(request())).text == expected
                        await asyncio.sleep(0.2)
            finally:
                await judge.close()

        asyncio.run(one_after_the_other())


def test_a_connection_closed_while_idle_is_opened_anew():
    with FaultServer(lambda *_: [response(body=completion("[[A]]")), CLOSE]) as server:

        async def twice():
            judge = judge_at(server.url)
            try:
                await judge.ask(request())
                await asyncio.sleep(0.2)
                await judge.ask(request())
            finally:
                await judge.close()

        asyncio.run(twice())
    assert server.connections == 2


@pytest.mark.parametrize(
    "answer",
    [
        response(200, completion(None, finish="content_filter")),
        error(400, "policy", "content_filter"),
        error(403, "flagged", metadata={"flagged_input": "..."}),
        error(400, "x", None, innererror={"code": "ResponsibleAIPolicyViolation"}),
    ],
)
def test_a_content_filter_is_a_refusal_and_no_failure(answer):
    (reply,) = asked(answer)
    assert (reply.text, reply.finish) == ("", "content_filter")


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": "0.5"}, 0.5),
        ({"Retry-After": "-3"}, 0.0),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"Retry-After": "Mon, 30 Nov 2026 12:00:30 GMT", "Date": "Mon, 30 Nov 2026 12:00:00 GMT"},
         30.0),
        ({"Retry-After": "Mon, 30 Nov 2026 12:00:30 GMT"}, None),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "nan"}, None),
        ({}, None),
    ],
)  # fmt: skip
def test_how_long_to_wait(headers, seconds):
    assert failure(error(429, headers=headers)).retry_after == seconds


def test_an_unknown_model_is_told_what_is_offered():
    caught = failure(error(404, "The model `m` does not exist", "model_not_found"))
    assert caught.kind == "bad_request"
    assert caught.ends_run
    assert "it offers judge-2026-11-30, other" in caught.problem
    with (
        FaultServer(lambda *_: [error(404)], models=[response(404)]) as server,
        pytest.raises(JudgeError, match="its list of models answers 404"),
    ):
        replies(judge_at(server.url), request(), closes=True)


def rejecting(*names):
    def plan(_, seen):
        for name in names:
            if name in seen.body:
                words = f"Unsupported parameter: '{name}' is not supported with this model."
                return [error(400, words, "unsupported_parameter", param=name)]
        return [response(body=completion("[[A]]"))]

    return plan


def test_a_rejected_parameter_is_an_error_unless_it_may_be_dropped():
    with FaultServer(rejecting("temperature")) as server:
        judge = judge_at(server.url, temperature=0.0)
        with pytest.raises(JudgeError, match="rejected: temperature") as caught:
            replies(judge, request(), closes=True)
        assert caught.value.kind == "bad_request"
        assert len(server.seen) == 1


def test_what_was_dropped_is_remembered_and_recorded_beside_what_was_sent():
    with FaultServer(rejecting("temperature", "seed", "top_logprobs")) as server:
        droppable = ("temperature", "seed", "top_logprobs")
        judge = judge_at(
            server.url, temperature=0.5, max_tokens=9, top_logprobs=5, droppable=droppable
        )
        first, second = replies(judge, request(seed=1), request(seed=2), closes=True)
    assert len(server.seen) == 5
    sent = dict(first.sent)
    del sent["endpoint"]
    assert sent == {
        "max_tokens": 9,
        "dropped": {"temperature": 0.5, "top_logprobs": 5, "seed": "recorded seed"},
    }
    assert first.sent == second.sent
    assert "logprobs" not in server.seen[-1].body


def test_no_echo_of_the_key_is_kept():
    body = completion(f"key {KEY}", message={"refusal": KEY}, model=KEY, system_fingerprint=KEY)
    (reply,) = asked(response(body=body))
    assert KEY not in repr(reply)
    assert reply.text == "key [key]"
    with FaultServer() as server:
        assert KEY not in repr(vars(judge_at(server.url))["_endpoint"])


def test_keys_and_addresses():
    settings = {"name": "h", "kind": "http", "model": "m"}
    with pytest.raises(InputError, match="no key; set OPENAI_API_KEY, or base_url"):
        HttpModelJudge(HttpJudge(**settings), {})
    with pytest.raises(InputError, match="OPENAI_BASE_URL: base_url must begin"):
        HttpModelJudge(HttpJudge(**settings), {"OPENAI_BASE_URL": "localhost"})
    with pytest.raises(InputError, match="line break") as caught:
        HttpModelJudge(HttpJudge(**settings), {"OPENAI_API_KEY": "abc\ndef"})
    assert "abc" not in str(caught.value)
    with FaultServer() as server:
        judge = HttpModelJudge(HttpJudge(**settings), {"OPENAI_BASE_URL": server.url + "/"})
        (reply,) = replies(judge, request(), closes=True)
    assert reply.sent["endpoint"] == server.url
    assert "authorization" not in server.seen[0].headers


def test_a_missing_key_is_named_when_the_endpoint_wants_one():
    assert "OPENAI_API_KEY is not set" in failure(error(401), key="").problem


def test_an_undated_name_is_a_warning_of_the_evidence():
    far = HttpModelJudge(
        HttpJudge(name="h", kind="http", model="gpt-latest"), {"OPENAI_API_KEY": KEY}
    )
    assert any("no dated version" in note for note in far.notes)
    dated = HttpModelJudge(
        HttpJudge(name="h", kind="http", model="gpt-9-2026-11-30"), {"OPENAI_API_KEY": KEY}
    )
    assert len(dated.notes) == len(judge_at("http://127.0.0.1:1/v1").notes) == 1


def test_a_closed_judge_answers_nothing():
    async def closed():
        judge = judge_at("http://127.0.0.1:1/v1")
        await judge.close()
        await judge.close()
        await judge.ask(request())

    with pytest.raises(JudgeError, match="cancelled"):
        asyncio.run(closed())


@pytest.mark.parametrize(
    ("declared", "sent"),
    [
        ({"max_tokens": 10}, {"max_tokens": 90}),
        ({"parameters": {"max_completion_tokens": 10}}, {"max_completion_tokens": 90}),
        (
            {"max_tokens": 10, "parameters": {"max_completion_tokens": 20}},
            {"max_tokens": 90, "max_completion_tokens": 90},
        ),
        ({}, {}),
    ],
)
def test_a_raised_limit_stands_where_the_declared_one_did_and_is_recorded(declared, sent):
    names = ("max_tokens", "max_completion_tokens")
    with FaultServer() as server:
        judge = judge_at(server.url, **declared)
        before, raised, after = replies(
            judge, request(), request(max_tokens=90), request(), closes=True
        )
        bodies = [{k: v for k, v in seen.body.items() if k in names} for seen in server.chats]
    assert bodies == [
        {k: v for k, v in reply.sent.items() if k in names} for reply in (before, raised, after)
    ]
    assert bodies[1] == sent
    assert bodies[0] == bodies[2]
    assert set(bodies[0]) == set(sent)
