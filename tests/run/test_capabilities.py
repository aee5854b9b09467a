"""What ``plan --probe`` finds out about an endpoint, and that nothing is asked without it."""

from __future__ import annotations

import json

import pytest

from commands import command, is_one_clear_line
from fault_server import FaultServer, error, response
from speakers import SPEAKERS
from studies import write_http_study, write_study

KEY = "a-key-that-nobody-may-see"
VERDICT = '{"verdict": "A"}'


def wants_json(body):
    text = json.dumps(body)
    return '"json_schema"' in text or "responseJsonSchema" in text


def has(body, *names):
    held = {**body, **body.get("generationConfig", {})}
    return any(name in held for name in names)


def taking(speaker, *, rejects=(), ignores=()):
    """Return a plan of a server that rejects and ignores some of what it is asked."""

    def plan(_, seen):
        for name in rejects:
            if has(seen.body, name) or (name == "schema" and wants_json(seen.body)):
                words = f"Unsupported parameter: '{name}'"
                return [error(400, words, "unsupported_parameter", param=name)]
        text = VERDICT if wants_json(seen.body) and "schema" not in ignores else "A"
        body = speaker.body(text)
        top = [{"token": "A", "logprob": -0.2}, {"token": "B", "logprob": -2.0}]
        if (
            speaker.name == "chat"
            and has(seen.body, "top_logprobs")
            and "top_logprobs" not in ignores
        ):
            tokens = [{"token": "A", "logprob": -0.2, "top_logprobs": top}]
            body["choices"][0]["logprobs"] = {"content": tokens}
        return [response(body=body)]

    return plan


def probed(folder, api, plan, *, judge="", **env):
    with FaultServer(plan) as server:
        settings = f"{SPEAKERS[api].settings}\n{judge}"
        protocol = write_http_study(folder, server.url, judge=settings)
        ended = command("plan", protocol, "--probe", "--json", **env)
    assert ended.code == 0, ended.err
    (found,) = json.loads(ended.out)["capabilities"].values()
    return {x["name"]: (x["state"], x["found"]) for x in found}, server.chats, ended


def test_an_endpoint_that_takes_everything(tmp_path):
    found, chats, _ = probed(tmp_path, "chat", taking(SPEAKERS["chat"]))
    assert {name: state for name, (state, _) in found.items()} == {
        "as declared": "answers", "temperature": "accepted", "seed": "accepted",
        "log-probabilities": "taken", "JSON schema": "taken",
    }  # fmt: skip
    assert found["as declared"][1] == "model judge-2026-11-30 says 'A'"
    assert found["log-probabilities"][1] == "2 alternatives came back"
    assert len(chats) == 5
    # One capability at a time, so that each answer is about one.
    names = ("temperature", "seed", "top_logprobs", "response_format")
    assert [[name for name in names if name in chat.body] for chat in chats] == [
        ["seed"], ["temperature"], ["seed"], ["top_logprobs"], ["response_format"],
    ]  # fmt: skip


def test_an_endpoint_that_rejects_or_ignores(tmp_path):
    plan = taking(SPEAKERS["chat"], rejects=("temperature",), ignores=("schema", "top_logprobs"))
    found, _, _ = probed(tmp_path, "chat", plan)
    assert found["temperature"][0] == "rejected"
    assert "Unsupported parameter: 'temperature'" in found["temperature"][1]
    assert found["log-probabilities"][0] == found["JSON schema"][0] == "ignored"
    assert "does not keep to it: 'A'" in found["JSON schema"][1]


@pytest.mark.parametrize(
    ("api", "missing"),
    [("responses", ["seed"]), ("messages", ["seed", "log-probabilities"]), ("gemini", [])],
)
def test_what_an_api_has_not_is_not_asked_for(tmp_path, api, missing):
    plan = taking(SPEAKERS[api], rejects=("schema",))
    found, chats, _ = probed(tmp_path, api, plan, judge='droppable = ["max_tokens"]'
                             if api == "messages" else "")  # fmt: skip
    assert [name for name, (state, _) in found.items() if state == "not offered"] == missing
    assert len(chats) == 5 - len(missing)
    assert found["JSON schema"][0] == "rejected"


def test_what_may_be_dropped_in_a_run_is_still_told_to_be_rejected(tmp_path):
    judge = 'temperature = 0.5\ndroppable = ["temperature"]'
    plan = taking(SPEAKERS["chat"], rejects=("temperature",))
    found, chats, _ = probed(tmp_path, "chat", plan, judge=judge)
    assert found["as declared"][0] == "answers"
    assert found["temperature"][0] == "rejected"
    assert [chat.body.get("temperature") for chat in chats[:3]] == [0.5, None, 0.5]


def test_each_temperature_that_strategies_name_is_tried(tmp_path):
    def plan(_, seen):
        # Models that take one temperature only are known from several providers.
        if seen.body.get("temperature") not in {None, 1.0}:
            return [error(400, "Only the default (1) is supported", param="temperature")]
        return [response(body=SPEAKERS["chat"].body("A"))]

    with FaultServer(plan) as server:
        path = write_http_study(tmp_path, server.url, judge=SPEAKERS["chat"].settings)
        text = path.read_text("utf-8")
        path.write_text(text.replace("[question]", 'strategies = ["S2"]\n\n[question]', 1), "utf-8")
        ended = command("plan", path, "--probe", "--json")
    (tried,) = json.loads(ended.out)["capabilities"].values()
    found = {x["name"]: x["state"] for x in tried}
    assert {name: state for name, state in found.items() if "temperature" in name} == {
        "temperature 0": "rejected", "temperature 0.5": "rejected", "temperature 1": "accepted"
    }  # fmt: skip


def test_declared_parameters_are_kept_beside_a_schema(tmp_path):
    judge = "parameters = { generationConfig = { thinkingConfig = { thinkingBudget = 5 } } }"
    _, chats, _ = probed(tmp_path, "gemini", taking(SPEAKERS["gemini"]), judge=judge)
    config = chats[-1].body["generationConfig"]
    assert config["thinkingConfig"] == {"thinkingBudget": 5}
    assert config["responseMimeType"] == "application/json"


def test_a_judge_that_does_not_answer_as_declared_is_asked_nothing_more(tmp_path):
    env = {"OPENAI_API_KEY": KEY}
    found, chats, ended = probed(tmp_path, "chat", lambda *_: [error(401, f"bad key {KEY}")], **env)
    assert found == {"as declared": ("failed", "auth: 401 bad key [key]")}
    assert len(chats) == 1
    assert KEY not in ended.out + ended.err


def test_a_table_for_people_and_nothing_is_asked_without_the_option(tmp_path):
    with FaultServer(taking(SPEAKERS["chat"])) as server:
        protocol = write_http_study(tmp_path, server.url)
        assert "probed" not in command("plan", protocol).out
        assert server.seen == []
        lines = command("plan", protocol, "--probe").out.splitlines()
    at = lines.index("judge script, probed with 5 requests of 525 tokens together:")
    assert lines[at + 1].split() == ["as", "declared", "answers", "model", "judge-2026-11-30",
                                     "says", "'A'"]  # fmt: skip
    assert [line.split()[0] for line in lines[at + 2 : at + 6]] == [
        "temperature", "seed", "log-probabilities", "JSON",
    ]  # fmt: skip
    assert not (tmp_path / "protocol.record.sqlite").exists()


def test_without_an_endpoint_or_a_key_it_is_said(tmp_path):
    ended = command("plan", write_study(tmp_path / "rule"), "--probe")
    assert "probed: no judge of this protocol is behind an endpoint" in ended.out.splitlines()
    protocol = write_http_study(tmp_path, "http://127.0.0.1:9/v1")
    text = protocol.read_text("utf-8").replace('base_url = "http://127.0.0.1:9/v1"\n', "")
    protocol.write_text(text, "utf-8")
    ended = command("plan", protocol, "--probe", OPENAI_API_KEY="", OPENAI_BASE_URL="")
    assert ended.code == 2
    assert is_one_clear_line(ended)
