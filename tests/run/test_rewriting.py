"""The rewriting stage: recorded calls first, then the battery that follows from them."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest

import counterbalance
from commands import command_here
from counterbalance.errors import (
    InputError,
    OutstandingError,
    ProtocolError,
    RecordMismatchError,
)
from counterbalance.parsing.outcome import FailureKind
from counterbalance.record import open_record
from counterbalance.run.battery import load_battery, load_sources
from counterbalance.run.rewriting import rewrite
from counterbalance.run.session import run_study
from extras import require
from fault_server import HANG, FaultServer, completion, error, response, verdict
from probes.planted import source, write_battery

if TYPE_CHECKING:
    from pathlib import Path

RUBRIC = '[prompt]\nrubric = "The right one is better."\n'
SCRIPTED = 'name = "writer"\nkind = "scripted"\n'


def table(probes: list[str], model: str = SCRIPTED, more: str = "") -> str:
    return f"[rewriting]\nprobes = {json.dumps(probes)}\n{more}\n[rewriting.model]\n{model}\n"


def battery(folder: Path, probes: list[str], model: str = SCRIPTED, *, more: str = "", n: int = 4):
    rows = [source(i) for i in range(n)]
    return write_battery(folder, probes, rows=rows, more=more, rubric=table(probes, model))


def written(path: Path, **functions):
    sources = load_sources(path)
    rewriting = sources.study.protocol.rewriting
    return asyncio.run(
        rewrite(
            sources,
            rewriting,
            sources.default_record,
            functions=functions,
            announce=lambda *_: None,
            said=lambda *_: None,
        )
    )


def judged(path: Path, rewrites):
    whole = load_battery(path, rewrites)
    return asyncio.run(
        run_study(
            whole.study,
            whole.default_record,
            announce=lambda *_: None,
            finished=lambda _: None,
        )
    )


def asides_of(path: Path):
    with open_record(load_sources(path).default_record, create=False, exclusive=False) as store:
        assert store.verify() == []
        return store.asides.all(), list(store.attempts()), list(store.pairs())


def test_texts_are_written_first_checked_and_judged(tmp_path: Path) -> None:
    path = battery(tmp_path, ["expanded", "markdown", "unsupported"])
    rewrites = written(path)
    assert [(one.asked, one.written) for one in rewrites.probes] == [(4, 4)] * 3
    summary = judged(path, rewrites)
    assert (summary.planned, summary.calls) == (24, 24)
    asked, attempts, pairs = asides_of(path)
    assert (len(asked), len(attempts), len(pairs)) == (12, 24, 12)
    for pair in pairs:
        assert pair.id.endswith("~rewritten")
        assert pair.a.system == "rewritten by writer"
        assert pair.a.version.startswith("prompt b2:")
        assert pair.b.system == "original"
    again = written(path)
    assert (again.calls, again.calls_now, again.rewritten) == (12, 0, rewrites.rewritten)
    assert judged(path, again).calls == 0


def test_what_fails_is_listed_and_makes_no_pair(tmp_path: Path) -> None:
    path = battery(
        tmp_path, ["expanded"], f"{SCRIPTED}unparsed_rate = 0.3\nrefusal_rate = 0.3\n", n=20
    )
    rewrites = written(path)
    (found,) = rewrites.probes
    assert found.asked == 20
    assert found.written + sum(n for _, n in found.failed) == 20
    assert {reason for reason, _ in found.failed} == {
        "the model refused", "the reply holds no text between <rewrite> and </rewrite>",
    }  # fmt: skip
    whole = load_battery(path, rewrites)
    assert len(whole.battery.pairs) == found.written
    assert {left.reason: left.count for left in whole.battery.left_out} == {
        f"the rewriting model: {reason}": n for reason, n in found.failed
    }
    assert any("made none: the rewriting model" in note for note in whole.study.pairs.notes)
    assert written(path).calls_now == 0


def test_a_rewrite_that_loses_something_is_flawed_and_not_judged(tmp_path: Path) -> None:
    model = 'name = "writer"\nkind = "callable"\nversion = "1"\n'
    path = battery(tmp_path, ["expanded", "unsupported"], model)

    def writer(request):
        text = request.first.text.replace("open", "shut and locked for a good long while to come")
        text += " Nobody has asked for it again since then, as far as anybody can tell."
        return f"<rewrite>{text.replace('Case 1 ', 'It ')}{request.attempt * ' In 2043.'}</rewrite>"

    rewrites = written(path, writer=writer)
    flaws = {flaw.pair: flaw.failed for flaw in load_battery(path, rewrites).battery.flaws}
    assert flaws == {
        "p1~expanded~rewritten": ("every number is kept",),
        "p1~unsupported~rewritten": ("every number is kept",),
    }


def test_a_rubric_is_written_too(tmp_path: Path) -> None:
    path = write_battery(
        tmp_path, ["rubric_paraphrase"], n=3, more=RUBRIC, rubric=table(["rubric_paraphrase"])
    )
    rewrites = written(path)
    assert rewrites.paraphrase == "Judge by this alone: The right one is better."
    pairs = load_battery(path, rewrites).battery.pairs
    assert {pair.item.rubric for pair in pairs} == {"", rewrites.paraphrase}
    broken = write_battery(
        tmp_path / "x", ["rubric_paraphrase", "identical"], n=3, more=RUBRIC,
        rubric=table(["rubric_paraphrase"], f"{SCRIPTED}refusal_rate = 1.0\n"),
    )  # fmt: skip
    whole = load_battery(broken, written(broken))
    assert {pair.probe for pair in whole.battery.pairs} == {"identical"}
    (left,) = whole.battery.left_out
    assert (left.probe, left.count) == ("rubric_paraphrase", 3)


def test_only_what_is_drawn_is_written(tmp_path: Path) -> None:
    path = write_battery(
        tmp_path, ["expanded"], n=9, bias="pairs_per_probe = 4", rubric=table(["expanded"])
    )
    rewrites = written(path)
    assert rewrites.calls == 4
    drawn = {pair.item.id for pair in load_battery(path, rewrites).battery.pairs}
    plain = write_battery(tmp_path / "x", ["expanded"], n=9, bias="pairs_per_probe = 4")
    assert drawn == {pair.item.id for pair in load_battery(plain).battery.pairs}


def test_the_budget_and_the_retry_rule_hold_for_rewrites(tmp_path: Path) -> None:
    retry = '[retry]\noutcomes = ["failed"]\nmax_attempts = 3\n'
    path = battery(tmp_path, ["expanded"], f"{SCRIPTED}drop_rate = 0.4\n", more=retry, n=10)
    asked = written(path)
    numbers = Counter(len(one.calls) for one in asides_of(path)[0])
    assert max(numbers) == 3
    assert asked.calls == sum(n * count for n, count in numbers.items())
    text = path.read_text("utf-8")
    limited = tmp_path / "limited.toml"
    limited.write_text(f"{text}\n[budget]\nmax_calls = 5\n", "utf-8")
    stopped = written(limited)
    assert stopped.stopped.startswith("budget of 5 calls reached")
    assert (stopped.calls, stopped.outstanding > 0) == (5, True)
    limited.write_text(f"{text}\n[budget]\nmax_calls = {asked.calls + 3}\n", "utf-8")
    rest = written(limited)
    assert (rest.calls, rest.rewritten) == (asked.calls, asked.rewritten)
    summary = judged(limited, rest)
    assert summary.calls == 3
    assert summary.stopped.startswith("budget of")


def test_a_changed_declaration_is_no_longer_that_of_the_record(tmp_path: Path) -> None:
    path = battery(tmp_path, ["expanded"])
    rewrites = written(path)
    judged(path, rewrites)
    before = load_sources(path).study.protocol.digest
    text = path.read_text("utf-8").replace('name = "writer"\n', 'name = "writer"\nseed = 5\n')
    path.write_text(text, "utf-8")
    assert load_sources(path).study.protocol.digest != before
    with pytest.raises(RecordMismatchError, match="4 of the texts were never asked for"):
        written(path)


def test_kin_of_a_judge_is_said(tmp_path: Path) -> None:
    path = write_battery(
        tmp_path, ["expanded"], n=2, judge='model = "gpt-4o"',
        rubric=table(["expanded"], f'{SCRIPTED}model = "openai/gpt-5"\n'),
    )  # fmt: skip
    warnings = written(path).warnings
    assert any("script is of the rewriting model's family (GPT (OpenAI))" in w for w in warnings)
    assert "written by the model writer" in warnings[0]
    other = battery(tmp_path / "x", ["expanded"])
    assert not any("family" in warning for warning in written(other).warnings)


def by_server(_: int, seen):
    """Write where a rewrite is asked for, judge elsewhere."""
    prompt = seen.body["messages"][-1]["content"]
    if "<rewrite>" not in prompt:
        return [response(body=completion(verdict(seen)))]
    text = prompt.partition("Answer:\n")[2].partition("\n\nWrite nothing")[0]
    return [0.01, response(body=completion(f"<rewrite>{text} That is: {text}</rewrite>"))]


def http_model(url: str) -> str:
    return (
        f'name = "writer"\nkind = "http"\nbase_url = "{url}"\nmodel = "m"\ntemperature = 0.3\n'
        "max_tokens = 300\nconcurrency = 2\n"
    )


def test_a_killed_stage_goes_on_where_it_was(tmp_path: Path) -> None:
    with FaultServer(by_server) as server:
        whole = battery(tmp_path / "whole", ["expanded"], http_model(server.url), n=12)
        told = written(whole)
        sent = server.chats[0].body
        assert (sent["temperature"], sent["max_tokens"]) == (0.3, 300)
        n_before = len(server.chats)
        server.plan = lambda n, seen: [HANG] if n >= n_before + 8 else by_server(n, seen)
        path = battery(tmp_path / "killed", ["expanded"], http_model(server.url), n=12)
        process = subprocess.Popen([sys.executable, "-m", "counterbalance", "bias", path])
        deadline = time.monotonic() + 60
        while len(server.chats) < n_before + 10 and time.monotonic() < deadline:
            time.sleep(0.01)
        process.kill()
        assert process.wait() == -signal.SIGKILL
        server.plan = by_server
        rest = written(path)
        assert rest.rewritten == told.rewritten
        assert rest.calls_now == 4
        kinds = Counter(call.reply.failure for one in asides_of(path)[0] for call in one.calls)
        assert kinds == {None: 12, FailureKind.LOST: 2}
        # A lost call changes nothing of what the next one is asked.
        asked = Counter(json.dumps(seen.body) for seen in server.chats)
        assert Counter(asked.values()) == {2: 10, 3: 2}
        assert judged(path, rest).calls == 24


def test_an_endpoint_that_refuses_the_key_ends_the_stage(tmp_path: Path) -> None:
    with FaultServer(lambda *_: [error(401, "no such key")]) as server:
        path = battery(tmp_path, ["expanded"], http_model(server.url))
        ended = command_here("bias", path, "--quiet")
        assert ended.code == 3
        assert "no such key" in ended.err
        assert "0 of 4 texts are asked for" in ended.err
        server.plan = by_server
        ended = command_here("bias", path, "--quiet", "--json")
        assert ended.code == 0, ended.err
        told = json.loads(ended.out)["rewriting"]
        assert (told["probes"][0]["written"], told["model"]) == (4, "writer")


def test_every_rendering_says_who_wrote(tmp_path: Path) -> None:
    path = battery(tmp_path, ["expanded"], f"{SCRIPTED}refusal_rate = 0.5\n", n=6)
    page = tmp_path / "page.html"
    ended = command_here("bias", path, "--quiet", "--html", page)
    assert ended.code == 0, ended.err
    assert "Rewritten by writer (scripted): 6 calls beside those for verdicts" in ended.out
    assert "failed: the model refused" in ended.out
    assert "written by the model writer" in " ".join(ended.out.split())
    assert "Texts rewritten by writer" in page.read_text("utf-8")


MODEL = "[rewriting.model]"
REPLAY = 'kind = "replay"\nrecord = "r"\njudge = "j"\n'


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('["expanded"]', '["truncated"]', "must be 'expanded'"),
        ("[bias]", "[bias_]", "bias"),
        ('kind = "scripted"\n\n', REPLAY, "replays verdicts"),
        (MODEL, f"prompts = {{ expanded = 'Say {{{{text}}}}.' }}\n{MODEL}", "lacks <rewrite>"),
        (MODEL, f"prompts = {{ markdown = 'Say it.' }}\n{MODEL}", "does not name"),
        ("[rewriting]\nprobes = [", '[rewriting]\nprobes = ["markdown", ', "not among bias.probes"),
        ('"writer"', '"writer"\nzz_zz = 1', r"\[rewriting.model.zz_zz\] unknown key; known here"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = battery(tmp_path, ["expanded"])
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    with pytest.raises(ProtocolError, match=said):
        load_sources(path)


def test_plan_says_how_many_texts_are_asked_for(tmp_path: Path) -> None:
    path = battery(tmp_path, ["expanded", "markdown"], n=5)
    planned = json.loads(command_here("plan", path, "--json").out)["battery"]["rewriting"]
    assert planned == {"model": "writer", "texts": {"expanded": 5, "markdown": 5}}
    shown = " ".join(command_here("plan", path).out.split())
    assert "writer is asked for 10 texts first (expanded 5, markdown 5)" in shown
    assert "known after that" in shown
    rewrites = written(path)
    assert [(one.probe, one.asked) for one in rewrites.probes] == [*planned["texts"].items()]


def test_functions_judge_and_rewrite_from_python(tmp_path: Path) -> None:
    model = 'name = "writer"\nkind = "callable"\nversion = "1"\n'
    path = battery(tmp_path, ["expanded"], model)
    text = path.read_text("utf-8").replace('kind = "scripted"', 'kind = "callable"\nversion = "1"')
    path.write_text(text, "utf-8")

    def writer(asked):
        assert asked.first.label == "expanded"
        return f"<rewrite>{asked.first.text} So it is: {asked.first.text}</rewrite>"

    async def longest(asked):
        is_first = len(asked.first.text) > len(asked.second.text)
        return f"[[{(asked.first if is_first else asked.second).label}]]"

    report = counterbalance.run_bias(path, judges={"script": longest, "writer": writer})
    assert report.outstanding == 0
    assert report.rewriting.calls == 4
    assert report.results[0].scores.score.value == 1
    ended = command_here("bias", path, "--quiet")
    assert ended.code == 2
    assert "or run_bias" in ended.err


def test_a_stage_that_is_not_over_is_no_report(tmp_path: Path) -> None:
    path = battery(tmp_path, ["expanded"], more="[budget]\nmax_calls = 2\n")
    with pytest.raises(OutstandingError, match="budget of 2 calls"):
        counterbalance.run_bias(path)


def test_texts_by_hand_and_by_a_model_are_not_mixed(tmp_path: Path) -> None:
    rows = [source(1), source(2, probe="expanded")]
    path = write_battery(tmp_path, ["expanded"], rows=rows, rubric=table(["expanded"]))
    with pytest.raises(InputError, match="written by hand"):
        load_sources(path)


@pytest.mark.local
def test_the_embedded_model_writes_or_is_listed(tmp_path: Path) -> None:
    require("local")
    path = battery(
        tmp_path, ["expanded"],
        'name = "smollm2"\nkind = "local"\nmax_tokens = 60\n', n=1,
    )  # fmt: skip
    (found,) = written(path).probes
    assert found.asked == found.written + sum(n for _, n in found.failed) == 1
    ((one,), attempts, _) = asides_of(path)
    assert attempts == []
    assert one.calls[0].reply.reply.usage.completion_tokens > 1
    assert "grammar" not in one.calls[0].reply.reply.sent
