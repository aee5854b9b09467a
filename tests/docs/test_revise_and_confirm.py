"""The how-to page on revisions: its commands run in their order, and do what the page says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from commands import command
from counterbalance.record import open_record
from studies import row, write_study

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "revise-and-confirm.md"


def test_the_commands_of_the_page_run(tmp_path):
    page = PAGE.read_text("utf-8")
    (table,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    rows = [row(n, cluster=f"c{n // 2}") for n in range(20)]
    write_study(tmp_path, rows=rows, more=table)
    lines = re.findall(r"^\$ counterbalance (.*)$", page, re.MULTILINE)
    assert len(lines) == 7
    for line in lines:
        if "--revise" in line:
            write_study(tmp_path, rows=rows, more=table + "[repetitions]\nper_order = 3\n")
        ended = command(*shlex.split(line), cwd=tmp_path)
        assert ended.code == 0, f"{line}: {ended.err}"
    with open_record(tmp_path / "protocol.record.sqlite", create=False, exclusive=False) as store:
        assert [h.reason for h in store.headers()][1:] == [
            "the rubric did not say that length is no merit"
        ]
        assert len(store.openings()) == 1
        assert store.verify() == []
