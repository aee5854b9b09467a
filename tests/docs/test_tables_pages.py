"""The pages about printed tables: their commands print what is shown, and nothing is left out."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from counterbalance.cli.main import main
from counterbalance.report.published import LOG_RULES
from counterbalance.report.tables_text import LINK_WORDS
from counterbalance.tables import description
from counterbalance.tables.audit import RULES, audit_tables
from counterbalance.tables.field_types import Part
from counterbalance.tables.reading import (
    CASES,
    case_text,
    description_from_text,
    template_text,
)

DOCS = Path(__file__).parents[2] / "docs"
REFERENCE = (DOCS / "reference" / "tables.md").read_text("utf-8")
HOWTO = DOCS / "howto" / "audit-a-published-table.md"
EXPLANATION = DOCS / "explanation" / "audited-tables.md"
PARTS = [
    part
    for part in vars(description).values()
    if isinstance(part, type) and issubclass(part, Part) and part is not Part
]


def commands_of(page):
    """Each command of a page, with the lines that it is shown to print."""
    for block in re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
        first, *lines = block.splitlines()
        yield shlex.split(first.removeprefix("$ counterbalance ")), lines


@pytest.mark.parametrize("page", [HOWTO, EXPLANATION], ids=lambda p: p.stem)
def test_commands_print_what_is_shown(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    commands = list(commands_of(page))
    assert len(commands) == {HOWTO: 2, EXPLANATION: 5}[page]
    for words, lines in commands:
        monkeypatch.setattr(sys, "argv", ["counterbalance", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code in {0, 1}, words
        out = " ".join(capsys.readouterr().out.split())
        for line in lines:
            shown = " ".join(line.split())
            assert shown in out, (words, shown)
            out = out[out.index(shown) + len(shown) :]


def test_every_worked_case_has_its_conclusions():
    page = EXPLANATION.read_text("utf-8")
    assert all(f"--case {name}" in page for name in CASES)


def test_the_csv_file_of_the_page_is_one():
    (text,) = re.findall(r"```csv\n(.*?)```", HOWTO.read_text("utf-8"), re.DOTALL)
    audit = audit_tables(description_from_text(text, "t.csv", ".csv"))
    assert audit.first_broken is None
    assert audit.counts["consistent"] > 10


@pytest.mark.parametrize("rule", [*RULES, *LOG_RULES], ids=lambda rule: rule.name)
def test_every_rule_is_documented(rule):
    assert f"| `{rule.name}` | {LINK_WORDS[rule.link.value]} | {rule.says} |" in REFERENCE


def test_rules_have_names_of_their_own():
    assert len({rule.name for rule in RULES}) == len(RULES)


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.__name__)
def test_every_key_is_documented(part):
    for key, field in part.model_fields.items():
        assert f"| `{key}` |" in REFERENCE
        says = " ".join((field.description or "").split())
        assert says in REFERENCE, key


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.__name__)
def test_every_key_of_a_row_table_or_comparison_is_in_the_template(part):
    for key in part.model_fields:
        assert re.search(rf"\b{key}\b", template_text()), key


@pytest.mark.parametrize("name", CASES)
def test_every_figure_is_documented(name):
    audit = audit_tables(description_from_text(case_text(name), name, ".toml"))
    assert all(f"`{figure.name}`" in REFERENCE for figure in audit.figures)
