"""The Markdown summary: complete, the numbers of the report, and inert whatever names say."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from commands import command_here
from counterbalance.report.layout import visible
from counterbalance.report.markdown import render_markdown
from counterbalance.report.markdown_text import inert
from counterbalance.report.reading import read_report
from foreign_logs import fastchat_row, jsonl
from report.reviewed_study import close_review, reviewed_record
from report.sample_reports import HELD_OUT
from studies import row, run, write_study

HOSTILE = (
    "<script>alert(1)</script> [x](http://evil.example) ![y](z) | `c` **b** ~~s~~ www.evil.example"
    " @all #1 $x$ <!-- \x1b[31m \u202e &lt;"
)
READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
OURS = {"heading", "bullet_list", "list_item", "paragraph", "table", "thead", "tbody", "tr"}
OURS |= {"th", "td", "inline", "text", "code_block", "text_special"}


def kinds_of(text):
    """Return what a reader of Markdown finds in a text."""
    tokens = READER.parse(text)
    inner = [child for token in tokens for child in token.children or ()]
    return {each.type.removesuffix("_open").removesuffix("_close") for each in [*tokens, *inner]}


def shown_by(text):
    """Return the words that a reader of Markdown shows."""
    tokens = READER.parse(text)
    return "".join(child.content for token in tokens for child in token.children or ())


@given(st.text() | st.sampled_from([HOSTILE]) | st.text("*_`[]()<>!#|~\\&$@:/w.-+ "))
def test_whatever_is_said_stays_text(words):
    text = f"- a{inert(words)}b"
    assert kinds_of(text) <= {
        "bullet_list",
        "list_item",
        "paragraph",
        "inline",
        "text",
        "text_special",
    }
    shown = shown_by(text).replace("\u200b", "")
    assert shown == f"a{visible(words, 2000)}b".replace("\u200b", "")


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    rows = [row(n, cluster=f"c{n // 2}") for n in range(12)]
    protocol = write_study(folder, rows=rows, judge="slot_rate = 0.5", more=HELD_OUT)
    said = HOSTILE.replace("\x1b", "").replace("\u202e", "")
    text = protocol.read_text("utf-8").replace("A small study", said)
    protocol.write_text(text.replace("None; a test.", said), "utf-8")
    run(protocol)
    return folder / "protocol.record.sqlite"


def check(text):
    assert kinds_of(text) <= OURS
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text)
    assert "http://" not in text
    for line in text.splitlines():
        if line.startswith("|"):
            assert line.endswith("|")
    tables = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1


def test_a_run_is_summed_up(study):
    report = read_report(study)
    text = render_markdown(report, full=True)
    check(text)
    (group,) = report.groups
    for name, n in group.dispositions.items():
        if n:
            assert f"| {inert(name)} | {n} | " in text
    for estimate in group.measures:
        assert f"| {inert(estimate.name)}" in text
    consistency = group.measure("position_consistency")
    line = next(x for x in text.splitlines() if x.startswith(r"| position\_consistency\* "))
    assert f" {consistency.numerator:.0f} / {consistency.denominator:.0f} " in line
    assert consistency.method.replace("_", r"\_") in line
    assert f"protocol {report.protocol_digest}" in text
    assert "## What this does not say" in text
    assert all(inert(warning) in text for warning in report.warnings)


def test_reviewed_and_opened_pairs_have_sections_of_their_own(tmp_path):
    record = reviewed_record(tmp_path)
    text = render_markdown(read_report(record))
    assert "is shown once the review is closed" in " ".join(text.split())
    close_review(record)
    text = render_markdown(read_report(record))
    check(text)
    assert text.count("Blind review by people") == 1
    assert "    <b>bob</b>" in text  # as it stands, in a block of code
    assert "code_block" in kinds_of(text)


def test_a_log_of_many_groups_is_one_table(tmp_path):
    rows = [
        fastchat_row(n, "model_1", ("model_1", "model_2")[n % 2], judge=[f"j{k} {HOSTILE}", "p"])
        for k in range(6)
        for n in range(81, 85)
    ]
    log = jsonl(tmp_path / "log.jsonl", rows)
    ended = command_here("audit", log, "--markdown", "-")
    assert ended.code == 0, ended.err
    check(ended.out)
    assert "6 groups: tables of each with --full" in ended.out
    assert len(re.findall(r"^\| j\d ", ended.out, re.MULTILINE)) == 6
    assert "| all pairs |" not in ended.out
    full = command_here("audit", log, "--markdown", "-", "--full").out
    check(full)
    assert full.count("| all pairs | 4 |") >= 6
