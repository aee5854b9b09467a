"""Likelihoods of whole answers asked of an endpoint, in both ways that endpoints give them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from commands import command_here
from counterbalance.errors import ProtocolError
from counterbalance.parsing.likelihood import text_logprobs
from counterbalance.presentations.reply import Reply
from counterbalance.record import open_record
from counterbalance.run.battery import load_sources
from fault_server import FaultServer, completion, error, response, verdict
from probes.planted import source, write_battery

if TYPE_CHECKING:
    from pathlib import Path

TOKEN = re.compile(r"\s+|\w+|[^\w\s]")
WAYS = ("echo", "prompt_logprobs")
BEGIN = "<s>"
SETTINGS = 'model = "m"\ntemperature = 0.4\nmax_tokens = 9\nconcurrency = 2'


def logprob(token: str) -> float:
    return -0.5 if token.isspace() else -1.0


def tokens_of(seen) -> list[str]:
    """The tokens of a prompt, behind the one that begins every text."""
    if "prompt" in seen.body:
        return [BEGIN, *TOKEN.findall(seen.body["prompt"])]
    shown = "".join(f"<|{m['role']}|>\n{m['content']}" for m in seen.body["messages"])
    return [BEGIN, *TOKEN.findall(shown)]


def engine(_: int, seen):
    """Judge, or list log-probabilities as OpenAI's completions and vLLM's chat do."""
    if seen.path.endswith("/v1/completions"):
        assert (seen.body["echo"], seen.body["logprobs"]) == (True, 1)
        tokens = tokens_of(seen)
        listed = {
            "tokens": [*tokens, " generated"],
            "token_logprobs": [None, *map(logprob, tokens[1:]), -9.0],
        }
        choice = {"index": 0, "text": "", "finish_reason": "length", "logprobs": listed}
        usage = {"prompt_tokens": len(tokens), "completion_tokens": 1}
        return [response(body={"model": "m", "choices": [choice], "usage": usage})]
    if "prompt_logprobs" in seen.body:
        assert seen.body["continue_final_message"] is True
        entries = [
            {str(n): {"logprob": logprob(token), "rank": 1, "decoded_token": token}}
            for n, token in enumerate(tokens_of(seen)[1:])
        ]
        return [response(body=completion("x", prompt_logprobs=[None, *entries]))]
    return [response(body=completion(verdict(seen)))]


def asked(folder: Path, url: str, way: str, *, n: int = 10, more: str = "", probes=("expanded",)):
    path = write_battery(
        folder,
        [*probes],
        rows=[source(i) for i in range(n)],
        judge=f'base_url = "{url}"\n{SETTINGS}',
        more=more,
        rubric=f'[likelihoods]\njudges = ["script"]\nway = "{way}"\n',
    )
    path.write_text(path.read_text("utf-8").replace('kind = "scripted"', 'kind = "http"'), "utf-8")
    return path


def weighing(server: FaultServer) -> list:
    return [s for s in server.chats if "prompt_logprobs" in s.body or "echo" in s.body]


@pytest.mark.parametrize("way", WAYS)
def test_both_reductions_are_shown_and_nothing_is_asked_twice(tmp_path: Path, way: str) -> None:
    with FaultServer(engine) as server:
        path = asked(tmp_path, server.url, way, n=9, probes=("expanded", "unsupported"))
        shown = command_here("bias", path, "--quiet")
        assert shown.code == 0, shown.err
        assert "a changed objective" in shown.out
        rows = [line.split() for line in shown.out.splitlines() if "  sum  " in line]
        assert [row[:3] for row in rows] == [
            ["script", "expanded", "sum"], ["script", "unsupported", "sum"],
        ]  # fmt: skip
        # The expanded text, the invention and what both were made of: three texts an item.
        assert len(weighing(server)) == 27
        n_before = len(server.chats)
        value = json.loads(command_here("bias", path, "--quiet", "--json").out)
        assert len(server.chats) == n_before
    cells = {(c["judge"], c["probe"], c["reduction"]): c["b"] for c in value["likelihoods"]}
    # Twice as long is half as likely as a sum; its added white space is likelier for each token.
    assert cells["script", "expanded", "sum"]["value"] == -1
    assert cells["script", "expanded", "mean per token"]["value"] == 1
    assert cells["script", "expanded", "sum"]["denominator"] == 9
    body = weighing(server)[0].body
    assert (body["temperature"], body["max_tokens"], "seed" in body) == (0, 1, False)
    with open_record(load_sources(path).default_record, create=False, exclusive=False) as store:
        assert store.verify() == []
        assert len(store.asides.all()) == 27
        assert len(list(store.attempts())) == 36


@pytest.mark.parametrize("way", WAYS)
def test_the_answer_is_found_whatever_stands_before_it(tmp_path: Path, way: str) -> None:
    with FaultServer(engine) as server:
        path = asked(tmp_path, server.url, way, n=1)
        command_here("bias", path, "--quiet")
    with open_record(load_sources(path).default_record, create=False, exclusive=False) as store:
        answer = "Case 0 is open. It will be closed soon. Ask again."
        replies = [one.calls[0].reply.reply for one in store.asides.all()]
        told = [text_logprobs(reply, answer)[0] for reply in replies]
        # The original's own tokens are found, and none before them.
        assert tuple(map(logprob, TOKEN.findall(answer))) in told


def test_an_endpoint_that_gives_none_is_said_and_scores_nothing(tmp_path: Path) -> None:
    def deaf(_: int, seen):
        if seen.path.endswith("/v1/completions"):
            choice = {
                "index": 0,
                "text": "hm",
                "logprobs": {"tokens": ["hm"], "token_logprobs": [-1]},
            }
            usage = {"prompt_tokens": 12, "completion_tokens": 1}
            return [response(body={"choices": [choice], "usage": usage})]
        return [response(body=completion(verdict(seen)))]

    with FaultServer(deaf) as server:
        path = asked(tmp_path, server.url, "echo", n=2)
        value = json.loads(command_here("bias", path, "--quiet", "--json").out)
    assert value["likelihoods"] == []
    assert any(
        "4 answers without log-probabilities" in w and "do not spell the answer" in w
        for w in value["warnings"]
    )


def test_a_refusal_is_recorded_and_the_budget_holds(tmp_path: Path) -> None:
    def closed(n: int, seen):
        if seen.path.endswith("/v1/completions"):
            return [error(400, "echo is not supported here")]
        return engine(n, seen)

    with FaultServer(closed) as server:
        path = asked(tmp_path, server.url, "echo", n=2)
        ended = command_here("bias", path, "--quiet", "--json")
        assert any("echo is not supported" in w for w in json.loads(ended.out)["warnings"])
        server.plan = engine
        limited = asked(tmp_path / "x", server.url, "echo", n=2, more="[budget]\nmax_calls = 6\n")
        ended = command_here("bias", limited, "--quiet", "--json")
        assert ended.code == 3
        assert "budget of 6 calls reached" in ended.err
        (cell, _) = json.loads(ended.out)["likelihoods"]
        assert (cell["missing"], cell["b"]["denominator"]) == (1, 1)
        text = limited.read_text("utf-8").replace("max_calls = 6", "max_calls = 8")
        limited.write_text(text, "utf-8")
        ended = command_here("bias", limited, "--quiet", "--json")
        assert ended.code == 0, ended.err
        (cell, _) = json.loads(ended.out)["likelihoods"]
        assert (cell["missing"], cell["b"]["denominator"]) == (0, 2)


def listed(*tokens: str) -> Reply:
    return Reply(json.dumps([["", None], *([token, -1.0] for token in tokens)]))


@pytest.mark.parametrize(
    ("tokens", "text", "n"),
    [
        (("A", ":\n", "雨", "が", "。"), "雨が。", 3),
        ((":\n", "\ufffd", "\ufffd", "\ufffd", "が", "。"), "雨が。", 5),
        ((":\n", "\ufffd", "\ufffd\ufffd", "が", "\ufffd", "\ufffd"), "雨が。", 5),
        (("\n", "naïve", "\ufffd", "\ufffd", " tea"), "naïve é tea", 0),
        (("\n", "na", "\ufffd", "\ufffd", "ve"), "naïve", 4),
        (("ab", "cd"), "bcd", 0),
        (("a", "b"), "other", 0),
    ],
)
def test_characters_split_over_tokens_are_found(tokens, text: str, n: int) -> None:
    logprobs, reason = text_logprobs(listed(*tokens), text)
    assert (len(logprobs), bool(reason)) == (n, n == 0)


def test_a_text_that_begins_the_prompt_has_a_token_without_a_number() -> None:
    assert text_logprobs(Reply('[["So", null], [".", -1.0]]'), "So.")[1] == (
        "a token of the answer has no log-probability"
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('judges = ["script"]', 'judges = ["nobody"]', "the judges are script"),
        ('kind = "http"', 'kind = "http"\napi = "responses"', "only a judge of kind http"),
        ("[bias]", "[bias_]", "unknown key"),
        ('way = "echo"', 'way = "echo"\nprompt = "Answer:"', "lacks {{question}}"),
        ('way = "echo"', 'way = "guess"', "must be 'echo'"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = asked(tmp_path, "http://127.0.0.1:1/v1", "echo", n=1)
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    with pytest.raises(ProtocolError, match=said):
        load_sources(path)
