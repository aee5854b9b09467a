"""Reads the reference values: each case has name, inputs, expected, tolerance and source."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent


def cases(topic: str) -> list[Any]:
    """Return the cases of one file as parameters, each with its name as id."""
    found = json.loads((FOLDER / f"{topic}.json").read_text(encoding="utf-8"))
    return [pytest.param(case, id=case["name"]) for case in found]


def case(topic: str, name: str) -> dict[str, Any]:
    """Return one case of one file."""
    found = json.loads((FOLDER / f"{topic}.json").read_text(encoding="utf-8"))
    return next(one for one in found if one["name"] == name)
