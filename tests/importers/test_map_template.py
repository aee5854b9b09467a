"""The template is TOML, fits the file it was made for, and shows nothing that could harm."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING

import pytest

from counterbalance.errors import InputError
from counterbalance.importers.log_file import log_files
from counterbalance.importers.map_template import map_template
from counterbalance.importers.mapping import Columns, Mapping
from counterbalance.importers.mapping_file import mapping_of
from foreign_logs import dispositions, jsonl
from joined_logs import read_mapped

if TYPE_CHECKING:
    from pathlib import Path

ROWS = [
    {"qid": 1, "question_id": "q1", "meta": {"judge": "gpt-4o"}, "winner": won, "swapped": swapped,
     "model_a": "zephyr", "model_b": "alpaca", "answers": [{"text": "x" * 50}, {"text": "y" * 50}]}
    for won, swapped in (("m_a", False), ("m_a", True), ("both\x1b[31m", True))
]  # fmt: skip


def template_for(path: Path) -> str:
    (file,) = log_files([path])
    return map_template(file)


def test_the_bare_template_is_a_commented_mapping() -> None:
    text = map_template()
    assert {key: value for key, value in tomllib.loads(text).items() if value} == {}
    # With its examples switched on, every table and key of it is one that a mapping has.
    keys = re.findall(r"^#? ?(\w+) = ", text, re.MULTILINE)
    assert set(Columns.model_fields) & set(keys) >= {"item", "first", "a", "order", "verdict"}
    tables = re.findall(r"^#? ?\[+(\w+)\]+", text, re.MULTILINE)
    assert set(tables) == set(Mapping.model_fields) - {"title", "baseline"}
    examples = re.findall(r"^(?:# )?(\w+ = .+)$", text, re.MULTILINE)
    assert len(examples) > 40
    assert all(tomllib.loads(line) for line in examples)


def test_a_file_fills_in_its_columns_and_words(tmp_path: Path) -> None:
    text = template_for(jsonl(tmp_path / "x.jsonl", ROWS))
    columns = tomllib.loads(text)["columns"]
    assert columns == {
        "item": "question_id", "a": "model_a", "b": "model_b", "order": "swapped",
        "verdict": "winner", "judge": "meta.judge",
    }  # fmt: skip
    assert '# Column winner holds: "m_a" 2, "both\\u001b[31m" 1' in text
    assert '# Column swapped holds: "true" 2, "false" 1' in text
    assert "#   answers.1.text\n" in text
    assert "\x1b" not in text


def test_what_is_left_to_say_makes_it_a_mapping(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "x.jsonl", ROWS[:2])
    text = template_for(path)
    with pytest.raises(InputError, match="lists no words for the winner"):
        mapping_of(text, "m")
    text = text.replace('# first = ["A", "[[A]]"]', 'a = ["m_a"]')
    text = text.replace('# forward = ["AB", false, 0]', "forward = [false]")
    text = text.replace('# reversed = ["BA", true, 1]', "reversed = [true]")
    assert dispositions(read_mapped(path, text).judgments) == {"stable_2": 1}


@pytest.mark.parametrize("end", [".csv", ".tsv"])
def test_tables_are_looked_at_too(tmp_path: Path, end: str) -> None:
    mark = "," if end == ".csv" else "\t"
    path = tmp_path / f"x{end}"
    path.write_text("\n".join(mark.join(row) for row in (["id", "label"], ["1", "A>B"])))
    text = template_for(path)
    assert tomllib.loads(text)["columns"] == {"item": "id", "verdict": "label"}
    assert '# Column label holds: "A>B" 1' in text


def test_the_list_of_rows_inside_an_object_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"v": 1, "tags": ["x"], "runs": {"all": ROWS}}, indent=1))
    assert tomllib.loads(template_for(path))["rows"] == {"at": "runs.all"}


@pytest.mark.parametrize("text", ["", "{}\n", "[]", "plain words\n", '{"rows": [1, 2]}'])
def test_a_file_without_columns_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(InputError, match="holds no rows with columns"):
        template_for(path)


def test_hostile_columns_stay_in_their_lines(tmp_path: Path) -> None:
    name = 'x"\n[verdict]\nfirst = ["A"]\n#\x7f\u2028'
    text = template_for(jsonl(tmp_path / "x.jsonl", [{name: 1, "id": 2, "winner": 'A"\n'}]))
    assert tomllib.loads(text)["columns"] == {"item": "id", "verdict": "winner"}
    assert tomllib.loads(text)["verdict"] == {}
    assert all(c.isprintable() or c == "\n" for c in text)
