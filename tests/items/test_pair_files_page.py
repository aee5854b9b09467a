"""The reference page of pair files says what the readers do."""

import json
import re
from pathlib import Path

import pytest

from counterbalance.items.columns import COLUMNS
from counterbalance.items.files import load_pairs
from counterbalance.items.frames import Verdict
from counterbalance.items.preferences import PREFERENCE_KEYS
from counterbalance.items.requirements import RequirementRule
from counterbalance.items.rows import CONSEQUENCES, ROW_KEYS
from extras import require

PAGE = (Path(__file__).parents[2] / "docs/reference/pair-files.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```(jsonl|csv|parquet)\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize(("kind", "text"), EXAMPLES)
def test_examples_are_read(kind, text, tmp_path):
    path = tmp_path / f"pairs.{kind}"
    if kind == "parquet":
        require("frames")
        import polars as pl  # noqa: PLC0415

        pl.DataFrame([json.loads(line) for line in text.splitlines()]).write_parquet(path)
    else:
        path.write_text(text, encoding="utf-8")
    loaded = load_pairs(path)
    assert loaded.n_rows == text.count("\n") - (kind == "csv")
    assert loaded.notes == ()


def test_everything_is_named():
    for word in (*ROW_KEYS, *COLUMNS, *PREFERENCE_KEYS, *Verdict, *RequirementRule, *CONSEQUENCES):
        assert re.search(rf"`(\"|)({re.escape(word)})(\"|)`", PAGE), word


def test_every_rule_has_an_example():
    for rule in RequirementRule:
        assert f'"rule": "{rule}"' in PAGE
