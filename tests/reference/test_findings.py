"""What the real logs show: by the commands of the page on published numbers, and beyond."""

from __future__ import annotations

import gzip
import json
import re
import shlex
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import counterbalance
from commands import command_here
from counterbalance.importers.loading import read_logs
from counterbalance.report.log_report import build_log_report
from extras import reference_folder

if TYPE_CHECKING:
    from counterbalance.report.report import Report
    from counterbalance.report.source_figures import FigureRow

pytestmark = pytest.mark.reference

PAGE = Path(counterbalance.__file__).parents[2] / "docs" / "explanation" / "published-numbers.md"
BLOCKS = re.findall(r"```console\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
HAIKU = "judgebench/outputs/*claude-3-haiku*"
NAMES = (
    "stable_a", "stable_b", "tie", "primacy", "recency", "tie_transition", "incomplete",
)  # fmt: skip


def runs(block: str) -> list[tuple[str, list[str]]]:
    """Commands of a block, each with the lines that it must print."""
    found: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ counterbalance "):
            found.append((line.removeprefix("$ counterbalance "), []))
        else:
            found[-1][1].append(line)
    return found


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.splitlines()[0][-40:])
def test_the_commands_of_the_page_print_what_it_shows(block: str) -> None:
    for words, shown in runs(block):
        ended = command_here(*(given(word) for word in shlex.split(words)))
        assert ended.code == 0, ended.err
        printed = " ".join(ended.out.split())
        for line in shown:
            assert line in printed, line


def given(word: str) -> str | Path:
    """Return a word of a command; one with a path in it, as the shell would expand it there."""
    if word.startswith("-") or word in {"audit", "pair"}:
        return word
    (path,) = reference_folder().glob(word)
    return path


def dispositions(path: Path) -> dict[str, int]:
    ended = command_here("audit", path, "--json")
    groups: list[dict[str, Any]] = json.loads(ended.out)["groups"]
    (group,) = [group for group in groups if group["verdict_by"] == "source"]
    found = {**group["dispositions"], **group["dispositions"]["order_disagreement"]}
    return {name: found[name] for name in NAMES}


def test_the_whole_log_of_judgebench_has_its_dispositions() -> None:
    (path,) = reference_folder().glob(HAIKU)
    assert list(dispositions(path).values()) == [42, 39, 54, 37, 7, 78, 13]


def test_its_first_hundred_pairs_have_theirs(tmp_path: Path) -> None:
    (path,) = reference_folder().glob(HAIKU)
    lines = gzip.decompress(path.read_bytes()).split(b"\n")[:100]
    first = tmp_path / path.name.removesuffix(".gz")
    first.write_bytes(b"\n".join(lines) + b"\n")
    assert list(dispositions(first).values()) == [21, 17, 12, 14, 2, 28, 6]


@cache
def llmbar_report() -> Report:
    by = ("judge", "strategy", "subset")
    log = read_logs([reference_folder() / "llmbar"], by=by, rereads=False)
    return build_log_report(log, n_listed=0)


def llmbar_figures(name: str) -> list[FigureRow]:
    report = llmbar_report()
    assert report.log is not None
    return [row for group in report.log.upstream for row in group.rows if row.figure.name == name]


def test_no_published_kappa_of_llmbar_is_the_agreement_that_it_is_called() -> None:
    rows = [row for row in llmbar_figures("kappa_False") if row.ours]  # scores have no kappa
    published = np.array([row.figure.value for row in rows], dtype=float)
    correct = np.array([row.ours["kappa_forward"] for row in rows], dtype=float)
    assert all(row.figure.is_defective for row in rows)
    assert len(rows) >= 128
    assert (abs(published - correct) > 5e-4).all()
    assert published.mean() < 0.1
    assert correct.mean() > 0.2
    # Nothing of the kind in shares: those of the same rows are what they are called.
    for row in llmbar_figures("correct_both"):
        if row.ours:
            assert row.figure.value is not None
            assert row.figure.value / 100 <= (row.ours["agreement_both"] or 0) + 1e-9
