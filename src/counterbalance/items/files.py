"""Pair files: the one place of this stage that opens anything.

In comes a path, out come pairs, one at a time or all together with the file's hash. Files are read
as UTF-8 whatever the locale says, and JSONL is split at line feeds only, since every other line
separator may stand inside a text.
"""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from counterbalance.errors import PairFileError, one_line
from counterbalance.items.csv_rows import csv_rows
from counterbalance.items.fields import Place, found
from counterbalance.items.folders import is_saved_dataset, split_files
from counterbalance.items.hub import HUB_MARK, hub_rows, saved_rows
from counterbalance.items.json_text import JsonTextError, json_value
from counterbalance.items.ledger import Ledger
from counterbalance.items.parquet import parquet_rows
from counterbalance.items.preferences import PreferenceRows, is_preference
from counterbalance.items.rows import pair_from_row

if TYPE_CHECKING:
    from hashlib import _Hash as _Digest

    from counterbalance.items.item import Item, ItemId, Pair

__all__ = ["PairRow", "PairSet", "load_pairs", "read_pairs"]

_JSON_SPACE = " \t\r\n"
_LONGEST_FILE_NAME = 1000
_PARQUET = ".parquet"
_CHUNK_BYTES = 1 << 20
_Rows = Iterator[tuple[Place, dict[str, object]]]


class PairRow(NamedTuple):
    """One pair and where it stands.

    Attributes
    ----------
    line : int
        Physical line on which the row begins, or number of a Parquet file's row, counted from 1.
    pair : Pair
        The pair.
    """

    line: int
    pair: Pair


@dataclass(frozen=True, slots=True)
class PairSet:
    """All pairs of one file or data set.

    Attributes
    ----------
    name : str
        Name of the file as the user gave it.
    sha256 : str
        Hexadecimal SHA-256 of the bytes that were read. Of several files it is that of the list
        of theirs, as ``sha256sum`` prints it; of a data set that the datasets library read, that
        of the pairs' digests, one a line.
    n_rows : int
        Rows of the file, blank lines and header not counted; each is one pair, or several where
        a preference lists answers.
    pairs : tuple[Pair, ...]
        In the order of the file; rows of one item share one `Item`.
    notes : tuple[str, ...]
        What a reader of the results should know, one sentence each.
    """

    name: str
    sha256: str
    n_rows: int
    pairs: tuple[Pair, ...]
    notes: tuple[str, ...] = ()


class _Digests:
    """Digests of the files that are read, in order."""

    def __init__(self) -> None:
        self._files: list[tuple[str, _Digest]] = []

    def observer(self, file: str) -> Callable[[bytes], None]:
        digest = hashlib.sha256()
        self._files.append((file, digest))
        return digest.update

    def value(self, pairs: list[Pair]) -> str:
        if len(self._files) == 1:
            return self._files[0][1].hexdigest()
        lines = [f"{digest.hexdigest()}  {file}\n" for file, digest in self._files]
        lines = lines or [f"{pair.digest}\n" for pair in pairs]
        return hashlib.sha256("".join(lines).encode()).hexdigest()


def read_pairs(
    path: Path | str, *, name: str | None = None, folder: Path | None = None
) -> Iterator[PairRow]:
    """Yield the pairs of a file one at a time; rows are not compared with one another.

    Parameters
    ----------
    path : Path | str
        A ``.jsonl``, ``.ndjson``, ``.json`` (one object per line), ``.csv``, ``.tsv`` or
        ``.parquet`` file; a folder of such files, or ``folder:split``; or a data set on the
        Hugging Face hub, ``hf:owner/name:split``.
    name : str | None
        What messages call it; None for the path.
    folder : Path | None
        What a relative path starts from; None for the working directory.

    Yields
    ------
    PairRow
        Each pair with its line or row.
    """
    for place, pair in _placed_pairs(_rows(path, name, folder, _Digests()), PreferenceRows()):
        yield PairRow(place.line, pair)


def load_pairs(path: Path | str, *, name: str | None = None, folder: Path | None = None) -> PairSet:
    """Return all pairs of a file, after checking that no row contradicts or repeats another.

    Parameters
    ----------
    path : Path | str
        As in `read_pairs`.
    name : str | None
        What messages call it; None for the path.
    folder : Path | None
        What a relative path starts from; None for the working directory.

    Returns
    -------
    PairSet
        One pair or more.

    Raises
    ------
    PairFileError
        If the file cannot be read, holds no pair, or a row is wrong or contradicts another.
    """
    digests, ledger, preferences = _Digests(), Ledger(), PreferenceRows()
    items: dict[ItemId, Item] = {}
    pairs: list[Pair] = []
    n_rows, last = 0, ("", 0)
    for place, pair in _placed_pairs(_rows(path, name, folder, digests), preferences):
        ledger.admit(place, pair)
        pairs.append(_sharing_item(pair, items))
        n_rows += (place.file, place.line) != last
        last = (place.file, place.line)
    sha256, shown = digests.value(pairs), _shown(_whole(path, folder), name)
    if not pairs:
        raise PairFileError(shown, None, _no_pairs(sha256))
    notes = (*preferences.notes(), *ledger.notes())
    return PairSet(shown, sha256, n_rows, tuple(pairs), notes)


def _placed_pairs(rows: _Rows, preferences: PreferenceRows) -> Iterator[tuple[Place, Pair]]:
    for place, row in rows:
        if not is_preference(row):
            yield place, pair_from_row(row, place)
            continue
        for own_place, pair in preferences.pair_rows(row, place):
            yield place, pair_from_row(pair, own_place)


def _whole(path: Path | str, folder: Path | None) -> Path | str:
    is_named = str(path).startswith(HUB_MARK)
    return str(path) if is_named else (folder or Path()) / path


def _rows(path: Path | str, name: str | None, folder: Path | None, digests: _Digests) -> _Rows:
    place = _whole(path, folder)
    shown = _shown(place, name)
    if isinstance(place, str):
        yield from hub_rows(place)
        return
    try:
        place, split = _folder_and_split(place)
        if not place.is_dir():
            yield from _file_rows(place, shown, digests.observer(shown))
            return
        if split is not None:
            shown = shown.removesuffix(f":{split}")
        if is_saved_dataset(place):
            yield from saved_rows(str(place), split, shown)
            return
        for file in split_files(place, split, _EXTENSIONS, shown):
            inside = file.relative_to(place).as_posix()
            own = _shown(f"{shown}/{inside}", None)
            yield from _file_rows(file, own, digests.observer(inside))
    except OSError as error:
        raise PairFileError(shown, None, _os_problem(error)) from error


def _folder_and_split(path: Path) -> tuple[Path, str | None]:
    stem, colon, split = path.name.rpartition(":")
    if colon and stem and not path.exists() and path.with_name(stem).is_dir():
        return path.with_name(stem), split
    return path, None


def _file_rows(path: Path, name: str, observe: Callable[[bytes], None]) -> _Rows:
    extension = path.suffix.lower()
    if extension not in _EXTENSIONS:
        what = f'its extension is "{one_line(path.suffix)}"' if path.suffix else "it has none"
        problem = f"the format is told by the extension, and {what}"
        raise PairFileError(name, None, f"{problem} (allowed: {', '.join(_EXTENSIONS)})")
    with path.open("rb") as handle:
        if extension == _PARQUET:
            for chunk in iter(partial(handle.read, _CHUNK_BYTES), b""):
                observe(chunk)
            yield from parquet_rows(path, name)
        else:
            yield from _READERS[extension](_decoded(handle, name, observe), name)


def _decoded(lines: Iterator[bytes], name: str, observe: Callable[[bytes], None]) -> Iterator[str]:
    for number, raw in enumerate(lines, 1):
        observe(raw)
        if number == 1 and raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise PairFileError(name, None, "is UTF-16; save it as UTF-8")
        try:
            yield raw.removeprefix(codecs.BOM_UTF8).decode() if number == 1 else raw.decode()
        except UnicodeDecodeError as error:
            byte = error.object[error.start]
            problem = f"is not UTF-8: byte 0x{byte:02x} at position {error.start + 1} of the line"
            raise PairFileError(name, number, f"{problem}; save the file as UTF-8") from None


def _jsonl_rows(lines: Iterator[str], name: str) -> _Rows:
    for number, line in enumerate(lines, 1):
        if not line.strip(_JSON_SPACE):
            continue
        try:
            row = json_value(line)
        except JsonTextError as error:
            raise PairFileError(name, number, f"the line {error}{_array_hint(line)}") from None
        if not isinstance(row, dict):
            problem = f"the line is {found(row)}; each line must be one object"
            raise PairFileError(name, number, problem + _array_hint(line))
        yield Place(name, number), row


def _array_hint(line: str) -> str:
    text = line.strip(_JSON_SPACE)
    is_spread = text in {"[", "{"} or text.startswith("[")
    return " (write one object per line, without brackets around them)" if is_spread else ""


def _sharing_item(pair: Pair, items: dict[ItemId, Item]) -> Pair:
    item = items.setdefault(pair.item.id, pair.item)
    return pair if item is pair.item or item != pair.item else replace(pair, item=item)


def _no_pairs(sha256: str) -> str:
    if sha256 == hashlib.sha256().hexdigest():
        return "the file is empty; write one pair per row"
    return "the file holds no pairs, only blank lines or a header; write one pair per row"


def _os_problem(error: OSError) -> str:
    match error:
        case FileNotFoundError():
            return "there is no such file"
        case PermissionError():
            return "may not be read (permission denied)"
        case _:
            return f"cannot be read: {one_line(error.strerror or error)}"


def _shown(path: Path | str, name: str | None) -> str:
    return one_line(path if name is None else name, _LONGEST_FILE_NAME)


_READERS: dict[str, Callable[[Iterator[str], str], _Rows]] = {
    ".jsonl": _jsonl_rows,
    ".ndjson": _jsonl_rows,
    ".json": _jsonl_rows,
    ".csv": csv_rows,
    ".tsv": partial(csv_rows, delimiter="\t"),
}
_EXTENSIONS = (*_READERS, _PARQUET)
