"""LLMBar's strategies: the page's command prints it, and its figures are the published ones."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

import counterbalance
from commands import command_here
from counterbalance.importers.loading import read_logs
from counterbalance.report.log_report import build_log_report
from extras import reference_folder

pytestmark = pytest.mark.reference

PAGE = (
    Path(counterbalance.__file__).parents[2] / "docs" / "explanation" / "llmbar-strategies.md"
).read_text("utf-8")


def test_the_command_prints_the_page(monkeypatch):
    ((command, shown),) = re.findall(
        r"```console\n\$ counterbalance ([^\n]*)\n(.*?)```", PAGE, re.DOTALL
    )
    monkeypatch.chdir(reference_folder())
    ended = command_here(*shlex.split(command))
    assert ended.code == 0, ended.err
    assert ended.out.splitlines() == shown.splitlines()


def test_one_call_averaged_over_both_orders_is_what_llmbar_published():
    """LLMBar's own accuracy of each order, from the same files by its own rule."""
    logs = [reference_folder() / "llmbar" / "Dataset" / "LLMBar"]
    report = build_log_report(read_logs(logs, by=("judge", "strategy"), rereads=False))
    published = {
        (group.judge, group.strategy): [
            group.measure(name).value for name in ("agreement_forward", "agreement_reversed")
        ]
        for group in report.groups
        if group.verdict_by == "source"
    }
    ended = command_here("compare", "--strategies", "--json", "--log", *logs)
    value = json.loads(ended.out)
    assert {row["judge"] for row in value["strategies"]} == {
        "ChatGPT", "GPT-4", "LLaMA2", "PaLM2"
    }  # fmt: skip
    rows = [row for row in value["strategies"] if row["no_result"] == 0]
    compared = 0
    for row in rows:
        if "both orders" not in row["strategy"]:
            both = published[row["judge"], row["strategy"]]
            assert row["agreement"]["value"] == pytest.approx(sum(both) / 2)
            compared += 1
    assert compared > 10
    for judge in {row["judge"] for row in value["strategies"]}:
        one, both = (
            next(r for r in value["strategies"] if (r["judge"], r["strategy"]) == (judge, name))
            for name in ("Vanilla", "Vanilla, both orders")
        )
        # No reference is a tie: what the rule calls one is lost, by half a pair each.
        lost = one["agreement"]["numerator"] - both["agreement"]["numerator"]
        assert lost == both["ties_by_rule"] / 2
