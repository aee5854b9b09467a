"""The documentation site is made of every page there is, and of the program itself."""

from __future__ import annotations

import importlib.util
import tomllib
from pathlib import Path

import pytest

import counterbalance
from counterbalance.cli.main import cli

ROOT = Path(counterbalance.__file__).parent.parent.parent
GENERATED = {"index.md", "changes.md", "decisions/index.md", "reference/cli.md"}


@pytest.fixture
def site(tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location("build_site", ROOT / "docs" / "build_site.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "TARGET", tmp_path / "docs")
    module.main()
    return tmp_path / "docs"


def named(entry):
    if isinstance(entry, str):
        return {entry}
    inner = entry.values() if isinstance(entry, dict) else entry
    return set().union(*map(named, inner))


def test_every_page_is_in_the_menu():
    menu = named(tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))["project"]["nav"])
    pages = {str(p.relative_to(ROOT / "docs")) for p in (ROOT / "docs").rglob("*.md")}
    listed_by_their_index = {page for page in pages if page.startswith("decisions/")}
    assert menu == (pages - listed_by_their_index) | GENERATED


def test_it_describes_every_verb(site):
    page = (site / "reference" / "cli.md").read_text("utf-8")
    for verb in cli.list_commands(None):
        assert f"\n## {verb}\n" in page
    assert "\n### record verify\n" in page
    assert "Usage: counterbalance audit [OPTIONS]" in page


def test_root_pages_link_inside_the_site(site):
    for name in ("index.md", "changes.md"):
        assert "](docs/" not in (site / name).read_text("utf-8")
    assert (site / "lab.html").exists()
    assert len((site / "decisions" / "index.md").read_text("utf-8").splitlines()) > 8
