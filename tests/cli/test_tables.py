"""The verb that audits published tables: exit codes, formats, files written, bad input."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from commands import Ended, command, is_one_clear_line
from counterbalance.cli.main import main
from counterbalance.tables.reading import CASES, template_text

CONSISTENT = 'title = "t"\n[[tables]]\nname = "T"\nn = 10\nrows = [{name = "r", agreement = 0.5}]\n'
BROKEN = CONSISTENT.replace("0.5}", "0.55}")
OPEN = CONSISTENT.replace("n = 10\n", "")


@pytest.fixture
def tables(capsys, monkeypatch, tmp_path):
    """Run the verb in this process, in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["counterbalance", "tables", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        return Ended(ended.value.code, *capsys.readouterr())

    return run


@pytest.mark.parametrize(("text", "code"), [(CONSISTENT, 0), (BROKEN, 1), (OPEN, 3), ("x", 2)])
def test_exit_codes(tables, tmp_path, text, code):
    (tmp_path / "t.toml").write_text(text)
    for words in ([], ["--json"], ["--full"]):
        ended = tables(tmp_path / "t.toml", *words)
        assert ended.code == code, ended
        assert (ended.err == "") is (code != 2)
    if code == 2:
        assert is_one_clear_line(ended)


def test_the_first_broken_link_is_named_first(tables, tmp_path):
    (tmp_path / "t.toml").write_text(BROKEN)
    out = tables(tmp_path / "t.toml").out
    assert "The first broken link is possible counts: T, r (possible_count)." in out
    assert "no whole number of 10 (the printed n) prints so" in out


def test_json_has_the_promised_keys(tables, tmp_path):
    (tmp_path / "t.toml").write_text(BROKEN)
    value = json.loads(tables(tmp_path / "t.toml", "--json").out)
    assert list(value) == [
        "schema", "title", "source", "design", "counts", "chain", "first_broken", "checks",
        "figures", "notes",
    ]  # fmt: skip
    assert value["schema"] == "counterbalance.tables/1"
    assert list(value["checks"][0]) == [
        "link", "rule", "says", "table", "subject", "inputs", "tolerance", "verdict", "found",
        "values",
    ]  # fmt: skip
    assert value["first_broken"] == value["checks"][0]


def test_template_is_written_once_and_audits(tables, tmp_path):
    written = tables("--init")
    assert (written.code, written.out) == (0, "tables.toml\n")
    assert (tmp_path / "tables.toml").read_text("utf-8") == template_text()
    assert tables("tables.toml").code == 0
    again = tables("--init")
    assert again.code == 2
    assert is_one_clear_line(again)
    assert tables("--init", "other.toml").code == 0


def test_worked_cases_are_listed_shown_and_audited(tables, tmp_path):
    listed = tables("--cases").out
    assert [line.split()[0] for line in listed.splitlines()] == list(CASES)
    for name in CASES:
        text = tables("--case", name, "--show").out
        (tmp_path / f"{name}.toml").write_text(text, "utf-8")
        shown = tables("--case", name)
        assert tables(tmp_path / f"{name}.toml").out == shown.out


def test_reruns_are_byte_identical(tmp_path):
    runs = []
    for i in range(2):
        page = tmp_path / f"{i}.html"
        words = ("tables", "--case", "mitigation-study", "--full")
        texts = command(*words, "--html", page, PYTHONHASHSEED=str(i))
        value = command(*words, "--json", PYTHONHASHSEED=str(i + 7))
        runs.append((texts.out, value.out, page.read_bytes()))
    assert runs[0] == runs[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "name a FILE, or a worked case with --case"),
        (["x.toml", "--case", "llmbar"], "name a FILE, or a worked case with --case"),
        (["--case", "x"], "there is no case 'x'; there are alpaca-eval"),
        (["--show"], "none is named; there are alpaca-eval"),
        (["x.toml"], "x.toml: cannot be read"),
        (["--case", "llmbar", "--html", "no/such/folder.html"], "cannot be written"),
    ],
)
def test_wrong_words_get_one_clear_line(tables, words, said):
    ended = tables(*words)
    assert ended.code == 2
    assert is_one_clear_line(ended)
    assert said in ended.err


def test_the_page_never_replaces_the_description(tables, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("name,n,agreement\nr,10,0.5\n")
    ended = tables(path, "--html", path)
    assert ended.code == 2
    assert path.read_text().startswith("name")


def test_hostile_text_reaches_no_terminal(tables, tmp_path):
    text = CONSISTENT.replace('"r"', '"r\\u001b[31m\\u202e"').replace('"t"', '"t\\u0007"')
    (tmp_path / "t.toml").write_text(text, "utf-8")
    for words in ([], ["--full"]):
        out = tables(tmp_path / "t.toml", *words).out
        assert not {"\x1b", "\x07", "\u202e"} & set(out)
    assert Path(tmp_path / "t.toml").exists()
