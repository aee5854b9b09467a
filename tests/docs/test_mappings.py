"""The page on mappings: every example can be read, and every key is named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import counterbalance
from counterbalance.importers.mapping import Columns, Mapping, Rows
from counterbalance.importers.mapping_file import mapping_of, preset_names
from counterbalance.importers.word_lists import VerdictWords

ROOT = Path(counterbalance.__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "reference" / "mappings.md").read_text("utf-8")
BLOCKS = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_every_example_is_a_mapping(block: str) -> None:
    assert mapping_of(block, "example").columns.item


@pytest.mark.parametrize("model", [Mapping, Rows, Columns, VerdictWords])
def test_every_key_is_on_the_page(model: type) -> None:
    shared = {"a_much", "a_slightly", "b_much", "b_slightly", "second_much", "second_slightly"}
    missing = {name for name in model.model_fields if not re.search(rf"\b{name}\b", PAGE)}
    assert missing - shared == set()


@pytest.mark.parametrize("name", preset_names())
def test_every_bundled_mapping_is_named(name: str) -> None:
    assert f"`--map {name}`" in PAGE
