"""A description file to a `Description`: TOML, CSV, JSON or YAML, with printed decimals kept.

This is the one module of the stage that opens files.
"""

from __future__ import annotations

import json
import tomllib
from decimal import Decimal
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NoReturn

from pydantic import ValidationError

from counterbalance.errors import TablesFileError, one_line
from counterbalance.tables.csv_reading import csv_description
from counterbalance.tables.description import Description
from counterbalance.tables.problems import first_problem
from counterbalance.tables.references import reference_problem
from counterbalance.tables.yaml_reading import yaml_value

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["CASES", "case_text", "description_from_text", "read_description", "template_text"]

CASES = ("alpaca-eval", "judgebench", "llmbar", "mitigation-study")
"""Worked cases that come with the package."""

_FORMATS = (".toml", ".csv", ".tsv", ".json", ".yaml", ".yml")
_MOST_BYTES = 50_000_000
_COMMA = (
    "; a number is written with a point (0.665), and what is no plain number (66.5%, < 0.001) in"
    " quotes"
)


def read_description(path: Path) -> Description:
    """Read a description file.

    Parameters
    ----------
    path : Path
        A ``.toml``, ``.csv``, ``.tsv``, ``.json``, ``.yaml`` or ``.yml`` file.

    Returns
    -------
    Description
        What it says, every name in it resolved.

    Raises
    ------
    TablesFileError
        If the file cannot be read or says something impossible; the place is named.
    """
    shown = one_line(path.name)
    if path.suffix.lower() not in _FORMATS:
        problem = f"unknown format {one_line(path.suffix)!r}; known are {', '.join(_FORMATS)}"
        raise TablesFileError(shown, "", problem)
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise TablesFileError(shown, "", f"cannot be read: {reason}; check the path") from None
    if len(content) > _MOST_BYTES:
        problem = f"is larger than {_MOST_BYTES} bytes, which no printed table is"
        raise TablesFileError(shown, "", problem)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise TablesFileError(shown, f"line {line}", "is not UTF-8; convert the file") from None
    return description_from_text(text, shown, path.suffix.lower())


def description_from_text(text: str, file: str, suffix: str) -> Description:
    """Return the description that a text holds.

    Parameters
    ----------
    text : str
        Content of the file.
    file : str
        Its name, for messages.
    suffix : str
        Its format, such as ``.toml``.

    Returns
    -------
    Description
        The description.

    Raises
    ------
    TablesFileError
        If the text says something impossible; the place is named.
    """
    value = _decoded(text, file, suffix)
    if not isinstance(value, dict):
        raise TablesFileError(file, "", "is not a table of keys and values; see --init")
    try:
        description = Description.model_validate(_without_lines(value))
    except ValidationError as error:
        raise TablesFileError(file, *first_problem(error, value)) from None
    problem = reference_problem(description)
    if problem is not None:
        raise TablesFileError(file, *problem)
    return description


def case_text(name: str) -> str:
    """Return a worked case that comes with the package, as TOML."""
    return files("counterbalance.tables.cases").joinpath(f"{name}.toml").read_text("utf-8")


def template_text() -> str:
    """Return the commented template, as TOML."""
    return files("counterbalance.tables.cases").joinpath("template.toml").read_text("utf-8")


def _decoded(text: str, file: str, suffix: str) -> Any:  # noqa: ANN401 (any decoded value)
    try:
        match suffix:
            case ".csv" | ".tsv":
                return csv_description(text, file)
            case ".yaml" | ".yml":
                return yaml_value(text, file)
            case ".json":
                return json.loads(
                    text, parse_float=Decimal, parse_constant=_no_constant,
                    object_pairs_hook=_without_double,
                )  # fmt: skip
            case _:
                return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise TablesFileError(file, "", f"not TOML: {one_line(error, 200)}{_COMMA}") from None
    except json.JSONDecodeError as error:
        problem = f"not JSON: {error.msg}{_COMMA}"
        raise TablesFileError(file, f"line {error.lineno}", problem) from None
    except RecursionError:
        raise TablesFileError(file, "", "is nested too deeply") from None
    except ValueError as error:
        raise TablesFileError(file, "", one_line(error, 200)) from None


def _no_constant(name: str) -> NoReturn:
    message = f"holds {name}, which is no printed number"
    raise ValueError(message)


def _without_double(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    if twice := next((name for name in names if names.count(name) > 1), None):
        message = f"has the key {one_line(twice)!r} twice; keep one"
        raise ValueError(message)
    return dict(pairs)


def _without_lines(value: dict[str, Any]) -> dict[str, Any]:
    """Leave out the lines that CSV entries carry for messages."""
    tables = [
        {**table, "rows": [_no_line(row) for row in table["rows"]]}
        if isinstance(table, dict) and isinstance(table.get("rows"), list)
        else table
        for table in _list(value.get("tables"))
    ]
    given = dict(value)
    if isinstance(given.get("tables"), list):
        given["tables"] = tables
    if isinstance(given.get("comparisons"), list):
        given["comparisons"] = [_no_line(x) for x in given["comparisons"]]
    return given


def _list(value: Any) -> list[Any]:  # noqa: ANN401 (any decoded value)
    return value if isinstance(value, list) else []


def _no_line(value: Any) -> Any:  # noqa: ANN401 (any decoded value)
    return {k: x for k, x in value.items() if k != "line"} if isinstance(value, dict) else value
