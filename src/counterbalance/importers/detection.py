"""Which format a file has, told from its beginning; what was looked for when it has none."""

from __future__ import annotations

import codecs
import json
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from pydantic_core import from_json

from counterbalance.errors import InputError, one_line
from counterbalance.importers.log_format import Container, LogFormat, Sample, Shape
from counterbalance.importers.registry import FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from counterbalance.importers.log_file import LogFile

__all__ = ["detect", "format_named", "nearest", "sample_of"]

_LEAST_SHARE = 0.5
_LEAST_SHARED = 2
"""Share and number of a format's keys: a file that has neither is not like it."""

_HEAD_BYTES = 1 << 20
_LARGEST_OBJECT = 256_000_000
_PARQUET_MAGIC = b"PAR1"
_ZIP_MAGIC = b"PK\x03\x04"
_TABLE_ENDINGS = (".csv", ".tsv")


def detect(file: LogFile, formats: Iterable[LogFormat] = FORMATS) -> LogFormat | None:
    """Return the format of a file, or None when no known one fits.

    Parameters
    ----------
    file : LogFile
        The file.
    formats : Iterable[LogFormat]
        Known formats; the first that fits is taken.

    Returns
    -------
    LogFormat | None
        The format.
    """
    sample = sample_of(file)
    for known in formats:
        if any(_fits(shape, sample) for shape in known.shapes):
            return known
    return None


def format_named(name: str) -> LogFormat:
    """Return a format by its name.

    Parameters
    ----------
    name : str
        As ``--format`` gives it.

    Returns
    -------
    LogFormat
        The format.

    Raises
    ------
    InputError
        If no format has this name.
    """
    for known in FORMATS:
        if known.name == name:
            return known
    names = ", ".join(known.name for known in FORMATS)
    msg = f'there is no log format "{one_line(name)}" (known: {names})'
    raise InputError(msg)


def nearest(sample: Sample) -> tuple[LogFormat, frozenset[str]] | None:
    """Return the format that a file comes closest to, and the keys that it lacks.

    Parameters
    ----------
    sample : Sample
        The beginning of a file of no known format.

    Returns
    -------
    tuple[LogFormat, frozenset[str]] | None
        None when it is like none: a single key of many is no likeness.
    """
    best: tuple[float, LogFormat, frozenset[str]] | None = None
    for known in FORMATS:
        for shape in known.shapes:
            n_shared = len(shape.keys & sample.keys)
            share = n_shared / max(len(shape.keys), 1)
            is_like = share >= _LEAST_SHARE or n_shared >= _LEAST_SHARED
            share += 0.01 * (shape.container is sample.container)
            if is_like and (best is None or share > best[0]):
                best = share, known, shape.keys - sample.keys
    return None if best is None else best[1:]


def _fits(shape: Shape, sample: Sample) -> bool:
    has_keys = shape.container is sample.container and shape.keys <= sample.keys
    return has_keys and (shape.where is None or shape.where(sample))


def sample_of(file: LogFile) -> Sample:
    """Look at the beginning of a file.

    Parameters
    ----------
    file : LogFile
        The file.

    Returns
    -------
    Sample
        How it holds its rows, and the first of them.
    """
    name = file.inside.lower()
    with file.open() as stream:
        head = stream.read(_HEAD_BYTES).removeprefix(codecs.BOM_UTF8)
    if head.startswith(_PARQUET_MAGIC):
        return _parquet_sample(file)
    if head.startswith(_ZIP_MAGIC):
        return Sample(file.inside, Container.ARCHIVE, frozenset({PurePosixPath(name).suffix}))
    match head.lstrip()[:1]:
        case b"[":
            return _json_sample(file, Container.JSON_ARRAY, _first_element(head))
        case b"{":
            return _object_sample(file, head)
        case _:
            return _text_sample(file, name, head)


def _object_sample(file: LogFile, head: bytes) -> Sample:
    """Tell one object from one object on each line: only the former may span lines."""
    line = head.split(b"\n", 1)[0]
    first = _json(line)
    is_alone = not head[len(line) :].strip()
    if isinstance(first, dict) and not (is_alone and file.inside.lower().endswith(".json")):
        return _json_sample(file, Container.JSON_LINES, first)
    if len(head) == _HEAD_BYTES:
        with file.open() as stream:
            head = stream.read(_LARGEST_OBJECT).removeprefix(codecs.BOM_UTF8)
    value = _json(head)
    container = Container.JSON_LINES if value is None else Container.JSON_OBJECT
    return _json_sample(file, container, value)


def _text_sample(file: LogFile, name: str, head: bytes) -> Sample:
    first = head.split(b"\n", 1)[0].decode("utf-8", "replace").rstrip("\r")
    mark = max("\t,;|", key=first.count)
    if name.endswith(_TABLE_ENDINGS) or first.count("\t"):
        columns = [cell.strip('"') for cell in first.split(mark)]
        return Sample(file.inside, Container.TABLE, frozenset(columns), columns)
    return Sample(file.inside, Container.LINES, frozenset(), first)


def _parquet_sample(file: LogFile) -> Sample:
    from counterbalance.importers.parquet import column_names  # noqa: PLC0415 (loads polars)

    columns = column_names(file)
    return Sample(file.inside, Container.PARQUET, frozenset(columns), columns)


def _json_sample(file: LogFile, container: Container, first: object) -> Sample:
    keys = frozenset(map(str, first)) if isinstance(first, dict) else frozenset[str]()
    return Sample(file.inside, container, keys, first)


def _first_element(head: bytes) -> Any:  # noqa: ANN401 (any JSON value)
    """Return the first element of an array of which only the beginning is there."""
    try:
        elements = from_json(head, allow_partial="trailing-strings")
    except ValueError:  # lone surrogates, which only the standard library lets pass
        text = head.decode("utf-8", "replace").lstrip().removeprefix("[").lstrip()
        try:
            return json.JSONDecoder().raw_decode(text)[0]
        except (ValueError, RecursionError):
            return None
    return elements[0] if elements else None


def _json(text: bytes) -> Any:  # noqa: ANN401 (any JSON value)
    try:
        return from_json(text)
    except ValueError:
        try:
            return json.loads(text.decode())
        except (ValueError, RecursionError):
            return None


def described(formats: Iterable[LogFormat] = FORMATS) -> Iterator[str]:
    """Yield one line for each format: its name and what it is."""
    for known in formats:
        yield f"{known.name}: {known.title}"
