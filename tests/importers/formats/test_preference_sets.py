"""Preference sets are known for what they are, and say how their pairs can be judged."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from counterbalance.errors import InputError
from counterbalance.importers.loading import read_logs
from extras import require
from foreign_logs import format_of, jsonl

if TYPE_CHECKING:
    from pathlib import Path

TURN = {"role": "user", "content": "x"}
ROWS = {
    "preference-set": {"prompt": "p", "chosen": "x", "rejected": "y"},
    "preference-set-implicit": {"chosen": "p x", "rejected": "p y"},
    "preference-conversations": {"prompt": [TURN], "chosen": [TURN], "rejected": [TURN]},
    "rewardbench": {
        "prompt": "p", "chosen": "x", "rejected": "y", "chosen_model": "m", "rejected_model": "n",
        "subset": "s", "id": 1,
    },
    "rewardbench-2": {
        "id": "1", "prompt": "p", "chosen": ["x"], "rejected": ["y"], "num_correct": 1,
        "subset": "Ties",
    },
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_each_form_is_known_and_says_what_to_do(tmp_path: Path, name: str) -> None:
    path = jsonl(tmp_path / "set.jsonl", [ROWS[name]] * 2)
    assert format_of(path) == name
    (tmp_path / "set.json").write_text(json.dumps([ROWS[name]]))
    assert format_of(tmp_path / "set.json") == name
    with pytest.raises(InputError, match=r"pairs of answers without a judge's verdict.*pairs = "):
        read_logs([path])


def test_tables_are_known_by_their_columns(tmp_path: Path) -> None:
    (tmp_path / "set.csv").write_text("prompt,chosen,rejected\np,x,y\n")
    assert format_of(tmp_path / "set.csv") == "preference-set"
    require("frames")
    import polars as pl  # noqa: PLC0415 (an extra)

    pl.DataFrame([ROWS["rewardbench-2"]]).write_parquet(tmp_path / "set.parquet")
    assert format_of(tmp_path / "set.parquet") == "rewardbench-2"
