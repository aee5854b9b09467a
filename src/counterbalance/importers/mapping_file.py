"""TOML text, or the name of a bundled mapping, to a mapping; with one clear line for a fault."""

from __future__ import annotations

import difflib
import json
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from counterbalance.errors import InputError, one_line
from counterbalance.importers.mapping import Mapping

__all__ = ["mapping_named", "mapping_of", "preset_names"]

_LONGEST = 400
_FOLDER = "presets"
_ENDING = ".toml"
_HELP = "`counterbalance import --map-help FILE` writes one to start from"


def preset_names() -> tuple[str, ...]:
    """Return the names of the bundled mappings."""
    folder = resources.files("counterbalance.importers") / _FOLDER
    return tuple(
        sorted(p.name.removesuffix(_ENDING) for p in folder.iterdir() if p.name.endswith(_ENDING))
    )


def mapping_named(name: str) -> Mapping:
    """Return the mapping in a file, or a bundled one.

    Parameters
    ----------
    name : str
        Path of a TOML file, or one of `preset_names`.

    Returns
    -------
    Mapping
        The mapping.

    Raises
    ------
    InputError
        If there is no such file or name, or the file is no mapping.
    """
    if name in preset_names():
        folder = resources.files("counterbalance.importers") / _FOLDER
        return mapping_of((folder / f"{name}{_ENDING}").read_text("utf-8"), name)
    path = Path(name)
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        known = ", ".join(preset_names())
        msg = f"{one_line(name, 300)}: there is no such mapping file (bundled: {known}); {_HELP}"
        raise InputError(msg) from None
    except (OSError, UnicodeDecodeError) as error:
        msg = f"{one_line(name, 300)}: cannot be read as a mapping: {one_line(error)}"
        raise InputError(msg) from None
    return mapping_of(text, name)


def mapping_of(text: str, file: str) -> Mapping:
    """Return the mapping that a text describes.

    Parameters
    ----------
    text : str
        TOML.
    file : str
        Its name, for messages.

    Returns
    -------
    Mapping
        The mapping.

    Raises
    ------
    InputError
        If it is no mapping, or could not tell of any judgment.
    """
    shown = one_line(file, 300)
    try:
        # TOML has dates, which no key takes and JSON cannot say.
        value = json.dumps(tomllib.loads(text), default=str)
    except tomllib.TOMLDecodeError as error:
        msg = f"{shown}: not TOML: {one_line(error, 200)}; texts need quotes, tables [brackets]"
        raise InputError(msg) from None
    except (RecursionError, ValueError):
        msg = f"{shown}: not a mapping: nested too deeply, or a number of thousands of digits"
        raise InputError(msg) from None
    try:
        return Mapping.model_validate_json(value, strict=True)
    except ValidationError as error:
        msg = f"{shown}: {_problem(error)}"
        raise InputError(msg) from None


def _problem(error: ValidationError) -> str:
    found: list[Any] = error.errors(include_url=False)
    # A misspelt key is two errors, one unknown and one missing: the unknown one tells more.
    found.sort(key=lambda detail: detail["type"] != "extra_forbidden")
    detail = found[0]
    place = ".".join(str(part) for part in detail["loc"])
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    where = f"[{one_line(place)}] " if place else ""
    return f"{where}{one_line(_said(detail), _LONGEST)}{more}"


def _said(detail: Any) -> str:  # noqa: ANN401 (pydantic's own typed dict)
    match detail["type"]:
        case "extra_forbidden":
            here = _keys_at(detail["loc"][:-1])
            name = str(detail["loc"][-1])
            close = difflib.get_close_matches(name, here, n=1)
            advice = f"did you mean {close[0]!r}?" if close else f"known here: {', '.join(here)}"
            return f"unknown key; {advice}"
        case "missing":
            return f"is needed and missing; {_HELP}"
        case "value_error":
            return str(detail["msg"]).removeprefix("Value error, ")
        case "tuple_type":
            return f"found {detail['input']!r}; it must be a list in [brackets]"
        case _:
            return f"found {detail['input']!r}; {detail['msg']}"


def _keys_at(loc: tuple[int | str, ...]) -> list[str]:
    model: type[BaseModel] = Mapping
    for part in loc:
        if isinstance(part, str) and part in model.model_fields:
            inner = _model_in(model.model_fields[part].annotation)
            if inner is None:
                break
            model = inner
    return list(model.model_fields)


def _model_in(annotation: Any) -> type[BaseModel] | None:  # noqa: ANN401 (any type expression)
    """Return the table that a field holds, be it one, optional, or a list of them."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for inner in getattr(annotation, "__args__", ()):
        found = _model_in(inner)
        if found is not None:
            return found
    return None
