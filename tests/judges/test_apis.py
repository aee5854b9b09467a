"""What each API is sent and what is kept of its replies, over real connections."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from counterbalance.errors import InputError, JudgeError
from counterbalance.judges.http import HttpModelJudge
from counterbalance.presentations.reply import Usage
from counterbalance.protocol.judge_settings import HttpJudge, judge_digest
from fault_server import FaultServer, error, response
from judges.asking import replies, request
from speakers import (
    OTHERS,
    SPEAKERS,
    anthropic_error,
    generated,
    google_error,
    message,
    output,
)

KEY = "a-secret-that-nobody-may-see"
SCHEMA = {"type": "object", "properties": {"verdict": {"type": "string"}}}


def settings_of(name, url=None, **changes):
    needed = {"max_tokens": 64} if name == "messages" else {}
    given = {"name": "h", "kind": "http", "model": "m", "api": name, "base_url": url}
    return HttpJudge(**given | needed | {"timeout_seconds": 5.0} | changes)


def judge_at(name, url, **changes):
    speaker = SPEAKERS[name]
    return HttpModelJudge(settings_of(name, url, **changes), {speaker.key_name: KEY})


def asked(name, answer, one=None, **changes):
    """Ask once; return the request as the server got it and the reply."""
    with FaultServer(lambda *_: [answer]) as server:
        (reply,) = replies(judge_at(name, server.url, **changes), one or request(), closes=True)
    return server.chats[-1], reply


@pytest.mark.parametrize("name", SPEAKERS)
def test_a_whole_reply_is_kept_with_model_and_usage_and_the_key_goes_where_it_belongs(name):
    speaker = SPEAKERS[name]
    seen, reply = asked(name, response(body=speaker.body(f"[[A]] {KEY}")))
    assert seen.path == speaker.path
    assert reply.text == "[[A]] [key]"
    assert reply.model == "judge-2026-11-30"
    completion = 5 if name == "chat" else 9
    assert reply.usage == Usage(100, completion, is_measured=True)
    assert reply.reasoning == ("" if name == "chat" else "I compare.")
    assert reply.sent.get("api") == (None if name == "chat" else name)
    header = {"messages": "x-api-key", "gemini": "x-goog-api-key"}.get(name, "authorization")
    holders = {h for h, value in seen.headers.items() if KEY in value}
    assert holders == {header}
    assert KEY not in seen.path


def test_what_the_responses_api_is_sent():
    body = response(body=output("[[A]]"))
    settings = {"temperature": 0.5, "max_tokens": 32, "top_logprobs": 5}
    more = {"reasoning": {"effort": "low"}, "store": True}
    seen, reply = asked("responses", body, **settings, parameters=more)
    assert [m["role"] for m in seen.body.pop("input")] == ["system", "user"]
    assert seen.body == {
        "model": "m",
        "store": True,
        "temperature": 0.5,
        "max_output_tokens": 32,
        "top_logprobs": 5,
        "include": ["message.output_text.logprobs"],
        "reasoning": {"effort": "low"},
    }
    assert reply.sent["max_tokens"] == 32
    assert "seed" not in reply.sent
    assert asked("responses", body)[0].body["store"] is False


def test_what_the_messages_api_is_sent():
    thinking = {"thinking": {"type": "adaptive"}, "output_config": {"effort": "low"}}
    settings = {"temperature": 0.0, "max_tokens": 32, "parameters": thinking}
    seen, reply = asked("messages", response(body=message("[[A]]")), **settings)
    assert seen.headers["anthropic-version"] == "2023-06-01"
    assert seen.body.pop("system") == "You compare two answers."
    assert [m["role"] for m in seen.body.pop("messages")] == ["user"]
    assert seen.body == {"model": "m", "temperature": 0.0, "max_tokens": 32, **thinking}
    assert "seed" not in reply.sent


def test_what_gemini_is_sent():
    more = {"generationConfig": {"thinkingConfig": {"thinkingLevel": "low"}}, "safetySettings": []}
    settings = {"temperature": 0.0, "max_tokens": 32, "top_logprobs": 5, "parameters": more}
    seen, reply = asked("gemini", response(body=generated("[[A]]")), request(seed=7), **settings)
    assert seen.body["systemInstruction"] == {"parts": [{"text": "You compare two answers."}]}
    (content,) = seen.body["contents"]
    assert content["role"] == "user"
    assert seen.body["safetySettings"] == []
    assert seen.body["generationConfig"] == {
        "thinkingConfig": {"thinkingLevel": "low"},
        "temperature": 0.0,
        "maxOutputTokens": 32,
        "seed": 7,
        "logprobs": 5,
        "responseLogprobs": True,
    }
    assert set(seen.body) == {
        "contents", "systemInstruction", "safetySettings", "generationConfig",
    }  # fmt: skip
    assert reply.sent["seed"] == 7


def test_a_tuned_model_of_gemini_keeps_its_place_and_no_name_leaves_its_path():
    body = response(body=generated("A"))
    assert asked("gemini", body, model="tunedModels/mine")[0].path == (
        "/v1/tunedModels/mine:generateContent"
    )
    assert asked("gemini", body, model="a b?c#d")[0].path == (
        "/v1/models/a%20b%3Fc%23d:generateContent"
    )


def test_a_limit_or_temperature_of_one_call_reaches_every_api():
    one = request(max_tokens=90, temperature=0.25)
    for name, speaker in OTHERS.items():
        seen, reply = asked(name, response(body=speaker.body("A")), one, max_tokens=64)
        sent = seen.body.get("generationConfig", seen.body)
        limits = {"max_tokens", "max_output_tokens", "maxOutputTokens"} & set(sent)
        assert [sent[limit] for limit in limits] == [90]
        assert sent["temperature"] == 0.25
        assert reply.sent["max_tokens"] == 90


ALTERNATIVES = (("A", -0.2), ("B", -2.0))


def test_log_probabilities_of_a_reply_of_one_token():
    top = [{"token": "B", "logprob": -2.0}, {"token": "A", "logprob": -0.2}]
    said = [{"token": "A", "logprob": -0.2, "top_logprobs": top}]
    part = {"type": "output_text", "text": "A", "logprobs": said}
    body = output(None, output=[{"type": "message", "content": [part]}])
    assert asked("responses", response(body=body))[1].token_logprobs == ALTERNATIVES
    chosen = [{"token": "A", "logProbability": -0.2}]
    listed = [{"token": t, "logProbability": x} for t, x in reversed(ALTERNATIVES)]
    result = {"chosenCandidates": chosen, "topCandidates": [{"candidates": listed}]}
    body = generated("A", candidate={"logprobsResult": result,
                                     "content": {"parts": [{"text": "A"}]}})  # fmt: skip
    assert asked("gemini", response(body=body))[1].token_logprobs == ALTERNATIVES
    body["candidates"][0]["content"] = {"parts": [{"text": "A!"}]}
    more = {"chosenCandidates": [*chosen, {"token": "!"}], "topCandidates": [{}, {}]}
    short = {**more, "topCandidates": result["topCandidates"]}
    odd_ones = ({"topCandidates": 1}, {"chosenCandidates": [1], "topCandidates": [2]}, 7)
    for odd in (more, short, *odd_ones):
        body["candidates"][0]["logprobsResult"] = odd
        assert asked("gemini", response(body=body))[1].token_logprobs == ()


def test_remarks_on_the_way_are_no_part_of_the_final_answer():
    said = [
        {"type": "message", "phase": phase, "content": [{"type": "output_text", "text": text}]}
        for phase, text in (("commentary", "First [[B]]."), ("final_answer", "[[A]]"))
    ]
    _, reply = asked("responses", response(body=output(None, output=said)))
    assert (reply.text, reply.reasoning) == ("[[A]]", "First [[B]].")


def test_unknown_usage_is_none():
    unknown = {
        "responses": [{"usage": None}, {"usage": {"input_tokens": 5}}],
        "messages": [{"usage": {}}, {"usage": {"input_tokens": -1, "output_tokens": 2}}],
        "gemini": [{"usageMetadata": None}, {"usageMetadata": {"promptTokenCount": 5}}],
    }
    for name, bodies in unknown.items():
        for changes in bodies:
            body = SPEAKERS[name].body("A", **changes)
            assert asked(name, response(body=body))[1].usage is None


def failure(name, answer, **changes):
    with pytest.raises(JudgeError) as caught:
        asked(name, answer, **changes)
    return caught.value


def test_the_wait_that_google_asks_for_in_its_body_is_kept_to():
    details = (("RetryInfo", {"retryDelay": "34.5s"}),)
    caught = failure("gemini", google_error(429, "RESOURCE_EXHAUSTED", "slow", details))
    assert (caught.kind, caught.retry_after) == ("rate_limited", 34.5)


REJECTIONS = {
    "responses": (
        error(400, "Unsupported parameter: 'max_output_tokens'", "unsupported_parameter"),
        {"max_tokens": 32},
        "max_tokens",
    ),
    "messages": (
        anthropic_error(400, "invalid_request_error", "temperature: not supported by this model"),
        {"temperature": 0.0},
        "temperature",
    ),
    "gemini": (
        google_error(
            400,
            "INVALID_ARGUMENT",
            "Invalid value",
            (("BadRequest", {"fieldViolations": [{"field": "generation_config.logprobs"}]}),),
        ),
        {"top_logprobs": 5},
        "top_logprobs",
    ),
}


@pytest.mark.parametrize("name", REJECTIONS)
def test_a_rejected_parameter_is_named_as_the_protocol_names_it_and_may_be_dropped(name):
    answer, changes, parameter = REJECTIONS[name]
    caught = failure(name, answer, **changes)
    assert caught.kind == "bad_request"
    assert f"rejected: {parameter};" in caught.problem

    def plan(number, seen):
        return [answer] if number == 0 else SPEAKERS[name].scripted(number, seen)

    with FaultServer(plan) as server:
        judge = judge_at(name, server.url, droppable=(parameter,), **changes)
        (reply,) = replies(judge, request(), closes=True)
    assert reply.sent["dropped"] == {parameter: changes[parameter]}


def test_where_a_provider_is_and_which_key_it_wants():
    for name, key, host in (
        ("chat", "OPENAI_API_KEY", "api.openai.com"),
        ("responses", "OPENAI_API_KEY", "api.openai.com"),
        ("messages", "ANTHROPIC_API_KEY", "api.anthropic.com"),
        ("gemini", "GEMINI_API_KEY", "generativelanguage.googleapis.com"),
    ):
        settings = settings_of(name)
        assert host in vars(HttpModelJudge(settings, {key: KEY}))["_endpoint"].base
        with pytest.raises(InputError, match=f"no key; set {key}, or base_url"):
            HttpModelJudge(settings, {"OTHER_KEY": KEY})
        other = settings_of(name, api_key_env="OTHER_KEY")
        assert HttpModelJudge(other, {"OTHER_KEY": KEY})


def test_the_address_of_openai_in_the_environment_moves_no_other_provider():
    environ = {"OPENAI_BASE_URL": "http://127.0.0.1:1/v1", "ANTHROPIC_API_KEY": KEY}
    endpoint = vars(HttpModelJudge(settings_of("messages"), environ))["_endpoint"]
    assert endpoint.base == "https://api.anthropic.com/v1"
    endpoint = vars(HttpModelJudge(settings_of("responses"), environ))["_endpoint"]
    assert endpoint.base == "http://127.0.0.1:1/v1"


@pytest.mark.parametrize(
    ("name", "changes", "words"),
    [
        ("messages", {"max_tokens": None}, "needs a limit; set max_tokens"),
        ("messages", {"temperature": 1.5}, "takes 0 to 1. Lower it"),
        ("messages", {"top_logprobs": 5}, "gives none"),
        ("responses", {"top_logprobs": 50}, "at most 20"),
        ("gemini", {"top_logprobs": 21}, "at most 20"),
        ("responses", {"parameters": {"max_output_tokens": 5}}, "set the judge's own max_tokens"),
        ("messages", {"parameters": {"system": "x"}}, "one whole reply"),
        ("gemini", {"parameters": {"generationConfig": {"seed": 5}}}, "recorded seed of its own"),
        ("gemini", {"parameters": {"generationConfig": {"candidateCount": 2}}}, "one whole reply"),
        ("messages", {"droppable": ("seed",)}, "sends max_tokens"),
        ("messages", {"base_url": "http://h/v1/messages"}, "must end before"),
        ("gemini", {"base_url": "http://h/v1/models/m:generateContent"}, "must end before"),
        ("gemini", {"base_url": "http://h/v1beta/models/"}, "must end before"),
        ("responses", {"base_url": "http://h/v1/responses"}, "must end before"),
    ],
)
def test_what_an_api_has_not_is_refused_before_anything_is_spent(name, changes, words):
    with pytest.raises(ValidationError) as caught:
        settings_of(name, **changes)
    assert words in caught.value.errors()[0]["msg"]


def test_chat_is_the_default_and_naming_it_is_no_other_configuration():
    named, silent = settings_of("chat"), settings_of(None)
    assert named == silent
    assert judge_digest(named) == judge_digest(silent)
    digests = {judge_digest(settings_of(name, max_tokens=64)) for name in SPEAKERS}
    assert len(digests) == len(SPEAKERS)


def test_a_schema_is_asked_for_in_each_apis_own_words():
    at = {
        "chat": ("response_format", "json_schema", "schema"),
        "responses": ("text", "format", "schema"),
        "messages": ("output_config", "format", "schema"),
        "gemini": ("generationConfig", "responseJsonSchema"),
    }
    for name, speaker in SPEAKERS.items():
        api = vars(judge_at(name, "http://127.0.0.1:1/v1"))["_endpoint"].api
        held = {"parameters": api.schema(SCHEMA)}
        found = asked(name, response(body=speaker.body("A")), **held)[0].body
        for key in at[name]:
            found = found[key]
        assert found == SCHEMA
