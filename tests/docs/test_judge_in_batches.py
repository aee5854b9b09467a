"""The how-to on batches: its commands run, with a provider in a function."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from batch_provider import entries, give_back, undone
from commands import command
from counterbalance.run.batch_counts import ResultsRead
from studies import write_http_study

PAGE = (Path(__file__).parents[2] / "docs" / "howto" / "judge-in-batches.md").read_text("utf-8")
COMMANDS = [
    line.removeprefix("$ counterbalance ")
    for block in re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    for line in block.splitlines()
    if line.startswith("$ counterbalance ")
]


def test_the_commands_of_the_page_run(tmp_path):
    write_http_study(tmp_path, "http://127.0.0.1:9/v1")
    plan, write, read, report, again, rest = map(shlex.split, COMMANDS)

    def ended(words):
        return command(*words, "--quiet" if words[0] == "run" else "--json", cwd=tmp_path)

    assert ended(plan).code == 0
    assert ended(write).code == 0
    requests = entries(tmp_path / "batch-1")
    give_back(tmp_path / "output.jsonl", requests[:4])
    give_back(tmp_path / "errors.jsonl", requests[4:5], lambda entry: undone(entry, "expired"))
    done = ended(read)
    assert done.code == 3
    assert "5 results read: 5 recorded, 0 recorded before" in done.out
    assert ended(report).code == 3
    assert ended(again).code == 0
    assert len(entries(tmp_path / "batch-2")) == 1
    # Nobody answers at that address: the rest stays outstanding, and the failure is recorded.
    assert "1 calls made" in ended(rest).out


def test_the_page_has_a_row_for_every_head():
    heads = set(ResultsRead.__dataclass_fields__) - {"lines", "problems"}
    rows = set(re.findall(r"^\| ([a-z][a-z ]+) \|", PAGE, re.MULTILINE))
    named = {"fitting": "recorded", "other_plan": "of another plan"}
    assert {named.get(head, head.replace("_", " ")) for head in heads} <= rows
