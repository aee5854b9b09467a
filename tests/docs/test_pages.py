"""Pages that are true: commands run, names exist, links lead somewhere, claims stay modest."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path

import pytest

import counterbalance
from commands import command
from counterbalance.cli.main import cli
from counterbalance.dispositions.disposition import Disposition
from counterbalance.measures.exploratory import EXPLORATORY_MEASURES, EXPLORATORY_TESTS
from counterbalance.measures.quadrant import QuadrantCell
from counterbalance.parsing.outcome import FailureKind, OutcomeKind
from counterbalance.protocol.protocol import COMPARED, MEASURES, RETRYABLE, TESTS
from extras import require

ROOT = Path(counterbalance.__file__).parent.parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")
BUNDLED = [
    *sorted((ROOT / "src" / "counterbalance").rglob("*.toml")),
    *sorted((ROOT / "src" / "counterbalance").glob("*/templates/*")),
]


@pytest.mark.local
def test_the_tutorials_commands_run(tmp_path):
    require("local")
    page = (ROOT / "docs" / "tutorial" / "first-study.md").read_text("utf-8")
    commands = [
        line.removeprefix("$ counterbalance ")
        for block in re.findall(r"```console\n(.*?)```", page, re.DOTALL)
        for line in block.splitlines()
        if line.startswith("$ ")
    ]
    assert len(commands) == 6
    for words in commands:
        ended = command(*shlex.split(words), cwd=tmp_path)
        assert ended.code == 0, f"{words}: {ended.err}"
    assert (tmp_path / "study" / "cases.csv").exists()


WORDS = (
    *Disposition, *OutcomeKind, *FailureKind, *MEASURES, *TESTS, *COMPARED, *EXPLORATORY_MEASURES,
    *EXPLORATORY_TESTS, *QuadrantCell,
)  # fmt: skip


@pytest.mark.parametrize("name", WORDS)
def test_every_word_is_in_the_glossary(name):
    assert f"`{name}`" in GLOSSARY


@pytest.mark.parametrize("verb", cli.list_commands(None))  # type: ignore[arg-type]
def test_every_verb_is_in_the_readme(verb):
    assert f"counterbalance {verb}" in README


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


def test_the_retry_rule_knows_every_outcome_that_is_no_verdict():
    from counterbalance.parsing.outcome import VERDICT_OUTCOMES  # noqa: PLC0415

    assert set(RETRYABLE) == {o.value for o in OutcomeKind if o not in VERDICT_OUTCOMES} - {
        "too_long"
    }


CLAIMS = re.compile(
    r"unbiased|bias-free|trustworthy|ready for release|is correct\b|is right\b|proves? that"
    r"|only cause|would observe|guarantee",
    re.IGNORECASE,
)


def shown_strings():
    """Every text that a report, verb or warning can show; docstrings are not shown."""
    root = Path(counterbalance.__file__).parent
    stages = (
        "report", "cli", "compare", "measures", "dispositions", "run", "judges", "statistics",
        "tables",
    )  # fmt: skip
    for stage in (*stages, "errors.py"):
        place = root / stage
        for path in place.rglob("*.py") if place.is_dir() else [place]:
            tree = ast.parse(path.read_text("utf-8"))
            hidden = {
                id(node.body[0].value)
                for node in ast.walk(tree)
                if isinstance(
                    node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
                )
                and node.body
                and isinstance(node.body[0], ast.Expr)
                and stage != "cli"
            }
            for node in ast.walk(tree):
                is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
                if is_text and id(node) not in hidden:
                    yield f"{path.name}: {node.value}"


def test_no_output_claims_more_than_was_measured():
    texts = list(shown_strings())
    texts += [path.read_text("utf-8") for path in BUNDLED]
    assert len(texts) > 500
    assert not [text for text in texts if CLAIMS.search(text)]
