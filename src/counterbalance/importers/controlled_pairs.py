"""The controlled pairs of the study judging-the-judges, read as probes of this program.

A line of its file names what was done to the second text; out come probe pairs whose candidate a is
the target. They are checked like any other: some are not what they are called.
"""

from __future__ import annotations

import gzip
import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

from counterbalance.errors import InputError, one_line
from counterbalance.items.fields import Place
from counterbalance.items.json_text import JsonTextError, json_value
from counterbalance.items.rows import pair_from_row

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from counterbalance.items.item import Pair

__all__ = ["ControlledPair", "controlled_pairs"]

_NAMES = ("controlled_pairs.jsonl", "controlled_pairs.jsonl.gz")
_PROBES = {
    "length": "expanded",
    "length_truncated": "truncated",
    "position": "identical",
    "style": "markdown",
    "style_ba": "markdown",
    "model_origin": "same_family",
    "model_origin_rr": "same_family",
}
"""What each kind of the study is called here; ``style_ba`` shows the prose first."""
_MIRRORED = "style_ba"
_KEYS = ("id", "question", "response_a", "response_b", "bias_type")


class ControlledPair(NamedTuple):
    """A pair of the study.

    Attributes
    ----------
    row : dict[str, Any]
        As a row of a pair file.
    pair : Pair
        What the row says; candidate a is the target of its probe.
    """

    row: dict[str, Any]
    pair: Pair


def controlled_pairs(path: Path) -> list[ControlledPair]:
    """Read the controlled pairs of a file, or of the file of that name under a folder.

    Parameters
    ----------
    path : Path
        ``controlled_pairs.jsonl``, plain or gzipped, or a folder that holds it.

    Returns
    -------
    list[ControlledPair]
        In the order of the file, under their own ids.

    Raises
    ------
    InputError
        If there is no such file, or a line is none of the study's.
    """
    file = _file(path)
    pairs: dict[str, ControlledPair] = {}
    for number, line in enumerate(_lines(file), start=1):
        if not line.strip():
            continue
        try:
            row = _row(json_value(line))
        except (JsonTextError, KeyError, TypeError, AttributeError) as error:
            msg = (
                f"{file}: line {number} is no pair of the study judging-the-judges:"
                f" {one_line(error, 200)}; each has {', '.join(_KEYS)}"
            )
            raise InputError(msg) from None
        pair = pair_from_row(row, Place(str(file), number))
        if pair.id in pairs:
            msg = f"{file}: line {number} repeats the id {one_line(pair.id)}"
            raise InputError(msg)
        pairs[pair.id] = ControlledPair(row, pair)
    if not pairs:
        msg = f"{file}: holds no pair"
        raise InputError(msg)
    return list(pairs.values())


def _file(path: Path) -> Path:
    if not path.is_dir():
        return path
    found = sorted(place for name in _NAMES for place in path.rglob(name))
    if not found:
        msg = f"{path}: no {_NAMES[0]} under this folder; name the file"
        raise InputError(msg)
    return found[0]


def _lines(file: Path) -> Iterator[str]:
    try:
        content = file.read_bytes()
        if content.startswith(b"\x1f\x8b"):
            content = gzip.decompress(content)
        yield from content.decode().split("\n")
    except OSError as error:
        msg = f"{file}: {error.strerror or 'is no whole gzip file'}"
        raise InputError(msg) from None
    except (EOFError, zlib.error):
        msg = f"{file}: is no whole gzip file"
        raise InputError(msg) from None
    except UnicodeDecodeError as error:
        msg = f"{file}: not UTF-8 at byte {error.start}"
        raise InputError(msg) from None


def _row(given: dict[str, Any]) -> dict[str, Any]:
    """Return a line of the study as a row of a pair file."""
    name, question, one, other, kind = (given[key] for key in _KEYS)
    told = given.get("metadata") or {}
    sides = [
        {"text": text, **({"system": system} if system else {})}
        for text, system in ((one, told.get("model_a")), (other, told.get("model_b")))
    ]
    if kind == _MIRRORED:
        sides.reverse()
    category = {"category": told["category"]} if told.get("category") else {}
    return {
        "id": name,
        "prompt": question,
        **category,
        "probe": _PROBES[kind],
        "a": sides[0],
        "b": sides[1],
    }
