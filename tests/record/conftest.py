"""A place for one record, under every engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where no record is yet."""
    if request.param == "postgres":
        return request.getfixturevalue("postgres").place()
    return str(tmp_path / "r.sqlite")
