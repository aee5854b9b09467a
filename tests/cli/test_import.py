"""``import`` lists the formats and writes a mapping; ``audit --map`` reads by it."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING

import pytest

from commands import command, is_one_clear_line
from counterbalance.importers.mapping_file import preset_names
from counterbalance.importers.registry import FORMATS
from foreign_logs import jsonl

if TYPE_CHECKING:
    from pathlib import Path

ROWS = [
    {"id": 1, "judge_model": "gpt-4o", "first_model": first, "second_model": second, "pick": "1"}
    for first, second in (("zephyr", "alpaca"), ("alpaca", "zephyr"))
]


def test_formats_and_bundled_mappings_are_listed() -> None:
    listed = command("import", "--formats").out
    assert all(f"  {known.name}: " in listed for known in FORMATS)
    assert all(f"  {name}: " in listed for name in preset_names())


def test_a_log_of_no_known_format_is_audited_in_three_steps(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "log.jsonl", ROWS)
    unknown = command("audit", path)
    assert unknown.code == 2
    assert "counterbalance import --map-help" in unknown.err
    template = command("import", "--map-help", path)
    assert template.code == 0
    assert tomllib.loads(template.out)["columns"]["first"] == "first_model"
    text = template.out.replace('# verdict = "verdict"', 'verdict = "pick"')
    text = text.replace('# first = ["A", "[[A]]"]', "first = [1]")
    (tmp_path / "map.toml").write_text(text)
    done = command("audit", path, "--map", "map.toml", "--json", cwd=tmp_path)
    assert done.code == 0, done.err
    report = json.loads(done.out)
    assert report["source"]["format"] == "map map.toml"
    (group,) = report["groups"]
    assert group["dispositions"]["order_disagreement"] == {"primacy": 1, "recency": 0}


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["import"], "name one of --map-help"),
        (["import", "--map-help", "--formats"], "name one of --map-help"),
        (["import", "--formats", "LOG"], "takes no file"),
        (["import", "--map-help", "LOG", "LOG"], "is filled in for one file"),
        (["import", "--map-help", "nowhere"], "there is no such file"),
        (["audit", "LOG", "--map", "nowhere.toml"], "there is no such mapping file"),
        (["audit", "LOG", "--map", "judgekit", "--format", "inspect"], "keep one of them"),
        (["audit", "LOG", "--map", "LOG"], "not TOML"),
    ],
)
def test_what_cannot_be_done_is_one_line(tmp_path: Path, words: list[str], problem: str) -> None:
    path = jsonl(tmp_path / "log.jsonl", ROWS)
    ended = command(*(path if word == "LOG" else word for word in words), cwd=tmp_path)
    assert ended.code == 2
    assert is_one_clear_line(ended), ended.err
    assert problem in ended.err
