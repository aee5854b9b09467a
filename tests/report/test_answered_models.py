"""A judge that returns another model than was asked for is named in the report."""

from __future__ import annotations

import pytest

from commands import command_here
from counterbalance import read_report
from counterbalance.report.answered_models import is_same_model
from fault_server import FaultServer, completion, response, verdict
from studies import run, write_http_study


@pytest.mark.parametrize(
    ("asked", "answered", "same"),
    [
        ("gpt-4o", "gpt-4o", True),
        ("gpt-4o", "gpt-4o-2024-08-06", True),
        ("openrouter/anthropic/claude-sonnet-4", "anthropic/claude-sonnet-4", True),
        ("claude-3-5-sonnet-latest", "claude-3-5-sonnet-20241022", True),
        ("Qwen/Qwen3-8B", "qwen3-8b", True),
        ("gemini-2.5-pro", "gemini-2.5-pro-preview-05-06", True),
        ("gpt-4o", "gpt-4o-mini", False),
        ("gpt-4", "gpt-4o", False),
        ("llama-3.3-70b", "llama-3.1-8b", False),
        ("gpt-4o", "", False),
    ],
)
def test_a_dated_version_is_the_same_model_and_a_further_word_is_not(asked, answered, same):
    assert is_same_model(asked, answered) is same


def warnings_of(folder, asked, answered):
    def plan(_, seen):
        return [response(body=completion(verdict(seen), model=answered))]

    with FaultServer(plan) as server:
        protocol = write_http_study(folder, server.url)
        text = protocol.read_text("utf-8").replace('model = "m"', f'model = "{asked}"')
        protocol.write_text(text, "utf-8")
        run(protocol)
    return [w for w in read_report(protocol.with_suffix(".record.sqlite")).warnings if "asked" in w]


def test_another_model_in_every_reply_is_said_with_its_family(tmp_path):
    (said,) = warnings_of(tmp_path, "openrouter/anthropic/claude-sonnet-4", "llama-3.3-70b")
    assert "was asked for 'openrouter/anthropic/claude-sonnet-4'" in said
    assert "6 of 6 replies name another model: 'llama-3.3-70b' (6)" in said
    assert "of another family" in said


def test_a_judge_that_is_asked_for_a_strategy_only_is_named_as_well(tmp_path):
    def plan(_, seen):
        is_strong = seen.body["model"] == "strong"
        # The first judge disagrees with itself, so that the stronger one is asked.
        said = verdict(seen) if is_strong else "[[A]]"
        model = "a-cheaper-one" if is_strong else seen.body["model"]
        return [response(body=completion(said, model=model))]

    strong = '\n[[judges]]\nname = "second"\nkind = "http"\nmodel = "strong"\nbase_url = "{url}"\n'
    strategies = """on_call = ["second"]
strategies = ["B0", { id = "escalation", stronger = "second" }]

[question]"""
    with FaultServer(plan) as server:
        path = write_http_study(tmp_path, server.url, more=strong.format(url=server.url))
        path.write_text(path.read_text("utf-8").replace("[question]", strategies, 1), "utf-8")
        run(path)
    record = path.with_suffix(".record.sqlite")
    said = "6 of 6 replies name another model: 'a-cheaper-one' (6)"
    (warning,) = [w for w in read_report(record).warnings if "asked for" in w]
    assert warning.startswith("Judge second was asked for 'strong'")
    assert said in warning
    assert said in " ".join(command_here("compare", "--strategies", record).out.split())


def test_the_asked_model_and_a_dated_version_of_it_are_not_mentioned(tmp_path):
    assert warnings_of(tmp_path / "1", "judge", "judge-2026-11-30") == []
    assert warnings_of(tmp_path / "2", "judge", "") == []
