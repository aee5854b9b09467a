from __future__ import annotations

import subprocess
import sys

import pytest
from click.testing import CliRunner

from commands import command
from counterbalance.cli.main import cli

HEAVY = {
    "aiohttp", "jinja2", "jsonschema", "numpy", "polars", "psycopg", "pydantic", "re2", "rich",
    "scipy", "sqlite3", "xllamacpp",
}  # fmt: skip
VERBS = cli.list_commands(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("words", [["--help"], *[[verb, "--help"] for verb in VERBS]])
def test_help_loads_nothing_heavy(words):
    code = (
        "import sys; from counterbalance.cli.main import cli\n"
        f"try: cli.main({words!r}, standalone_mode=False)\n"
        "finally: print('\\n#', *{name.split('.')[0] for name in sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Usage:" in done.stdout
    assert not HEAVY & set(done.stdout.split("#")[-1].split())


@pytest.mark.parametrize("verb", [[], *[[verb] for verb in VERBS]], ids=["all", *VERBS])
def test_help_is_as_it_was(verb, snapshot):
    result = CliRunner().invoke(
        cli, [*verb, "--help"], prog_name="counterbalance", terminal_width=90
    )
    assert result.output == snapshot


def test_version_and_unknown_verb():
    assert command("--version").out.startswith("counterbalance, version 0.")
    unknown = command("judge")
    assert unknown.code == 2
    assert "No such command 'judge'" in unknown.err


def test_no_verb_shows_the_help():
    ended = command()
    assert ended.code == 2
    assert "Verbs" in ended.out + ended.err
