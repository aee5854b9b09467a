"""The page on log formats names every format, and its sections stand in order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import counterbalance
from counterbalance.importers.registry import FORMATS

ROOT = Path(counterbalance.__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "reference" / "log-formats.md").read_text("utf-8")


@pytest.mark.parametrize("name", [known.name for known in FORMATS])
def test_every_log_format_is_documented(name: str) -> None:
    assert f"`{name}`" in PAGE


def test_sections_are_in_alphabetical_order() -> None:
    headings = re.findall(r"^## (.+)$", PAGE, re.MULTILINE)
    assert headings == sorted(headings, key=str.casefold)
