"""A record as JSON lines, for archives and for programs without a database; and back.

One file holds a head, every row, and an end with the counts; a folder holds ``record.json``, with
head and counts, and a file for each table. Rows are those of the tables, with every hash, so a
record made of an export is the same record. An export is read through a temporary SQLite file.
"""

from __future__ import annotations

import base64
import json
import tempfile
from contextlib import ExitStack, closing
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counterbalance import __version__
from counterbalance.errors import InputError, RecordError, RecordIntegrityError, one_line
from counterbalance.record.connecting import reading_connection, writing_connection
from counterbalance.record.copying import COPIED_TABLES, TableRows, write_tables
from counterbalance.record.schema import MIGRATIONS
from counterbalance.record.sqlite import SqliteStore, open_sqlite

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from counterbalance.record.sql_store import SqlStore

__all__ = ["SCHEMA", "is_export", "open_export", "write_export"]

SCHEMA = "counterbalance.record/1"
"""What the head of an export calls its form."""

_SUFFIX = ".jsonl"
_HEAD = "record.json"


def is_export(path: Path) -> bool:
    """Say whether a path is meant as an export: a ``.jsonl`` file, or a folder with a head."""
    return path.suffix == _SUFFIX or (path / _HEAD).is_file()


def write_export(store: SqlStore, target: Path) -> dict[str, int]:
    """Write every row of a record; the target appears whole or not at all.

    Parameters
    ----------
    store : SqlStore
        The record.
    target : Path
        A ``.jsonl`` file, which is replaced, or a folder, which may not hold anything yet.

    Returns
    -------
    dict[str, int]
        Number of rows by table.

    Raises
    ------
    InputError
        If the target cannot be written, or is a folder with something in it.
    """
    is_file = target.suffix == _SUFFIX
    try:
        if target.exists() and (target.is_dir() is is_file or _has_entries(target)):
            msg = f"{target}: is there already; name a new folder, or a file that ends in .jsonl"
            raise InputError(msg)
        with tempfile.TemporaryDirectory(
            dir=target.parent, prefix=f".{target.name}.", ignore_cleanup_errors=True
        ) as folder:
            made = Path(folder) / "export"
            with store.tables() as tables:
                counts = _write_file(tables, made) if is_file else _write_folder(tables, made)
            made.replace(target)
    except OSError as error:
        msg = f"{target}: cannot be written: {error.strerror}; choose another place"
        raise InputError(msg) from None
    return counts


def open_export(path: Path, *, exclusive: bool) -> SqliteStore:
    """Read an export as the record it was made of.

    Parameters
    ----------
    path : Path
        The file or folder.
    exclusive : bool
        Must be false: an export is never written to.

    Returns
    -------
    SqliteStore
        The open store; closing it removes the temporary file.

    Raises
    ------
    RecordError
        If it is to be written to.
    InputError
        If it is no export, or not a whole one.
    """
    if exclusive:
        msg = (
            f"{path}: an export is only read; make a record of it with:"
            f" counterbalance record migrate {path} NEW.record.sqlite"
        )
        raise RecordError(msg)
    with ExitStack() as resources:
        folder = resources.enter_context(tempfile.TemporaryDirectory(prefix="counterbalance-"))
        copy = Path(folder) / "record.sqlite"
        try:
            _fill(copy, path)
        except (RecordError, RecordIntegrityError) as error:
            msg = f"{path}: {str(error).removeprefix(f'{copy}: ')}"
            raise InputError(msg) from None
        except OSError as error:
            msg = f"{path}: cannot be read: {error.strerror}"
            raise InputError(msg) from None
        reader = reading_connection(copy, resources)
        reader.path = path
        return SqliteStore(str(path), reader, None, resources.pop_all())


def _fill(copy: Path, path: Path) -> None:
    """Make a record of an export's rows, which may be those of an older schema."""
    n_steps = _n_steps(path)
    with (
        closing(writing_connection(copy, create=True, n_steps=n_steps)) as connection,
        connection.translated(),
        connection.transaction(),
    ):
        write_tables(connection, _tables(path))
    open_sqlite(copy, create=False, exclusive=True).close()  # takes the steps that are missing


def _has_entries(target: Path) -> bool:
    return target.is_dir() and any(target.iterdir())


def _write_file(tables: Iterable[TableRows], made: Path) -> dict[str, int]:
    counts: dict[str, int] = {}
    with made.open("w", encoding="utf-8", newline="") as file:
        file.write(_line(_head()))
        for given in tables:
            counts[given.table] = _write_rows(given, file)
        file.write(_line({"rows": counts}))
    return counts


def _write_folder(tables: Iterable[TableRows], made: Path) -> dict[str, int]:
    made.mkdir()
    counts: dict[str, int] = {}
    for given in tables:
        with (made / f"{given.table}{_SUFFIX}").open("w", encoding="utf-8", newline="") as file:
            counts[given.table] = _write_rows(given, file)
    (made / _HEAD).write_text(_line({**_head(), "rows": counts}), "utf-8")
    return counts


def _write_rows(given: TableRows, file: Any) -> int:  # noqa: ANN401 (a text file)
    n_rows = 0
    for row in given.rows:
        values = zip(given.columns, map(_to_json, row), strict=True)
        file.write(_line({"table": given.table, **dict(values)}))
        n_rows += 1
    return n_rows


def _head() -> dict[str, Any]:
    steps = [step.__name__ for step in MIGRATIONS]
    return {"schema": SCHEMA, "program": f"counterbalance {__version__}", "steps": steps}


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"


def _to_json(value: Any) -> Any:  # noqa: ANN401 (a value of any column)
    """Return bytes as the text they are, or as base64 where they are none."""
    if not isinstance(value, bytes):
        return value
    try:
        return {"text": value.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(value).decode()}


def _from_json(value: Any) -> Any:  # noqa: ANN401 (a value of any column)
    match value:
        case {"text": str(text), **rest} if not rest:
            return text.encode()
        case {"base64": str(text), **rest} if not rest:
            return base64.b64decode(text, validate=True)
        case None | str() | int() | float():
            return value
        case _:
            msg = f"{one_line(value)} is no value of a column"
            raise ValueError(msg)


def _n_steps(path: Path) -> int:
    """Return how many steps the tables had that an export was made of: at first it did not say."""
    with (path / _HEAD if path.is_dir() else path).open(encoding="utf-8", newline="\n") as file:
        first = file.readline()
    steps = _parsed(path, 1, first).get("steps", [MIGRATIONS[0].__name__])
    known = [step.__name__ for step in MIGRATIONS]
    if steps != known[: len(steps)]:
        newest = one_line(steps[-1:])
        msg = (
            f"{path}: written by a newer version ({newest}); install the newest with:"
            " pip install --upgrade counterbalance"
        )
        raise InputError(msg)
    return len(steps)


def _tables(path: Path) -> Iterator[TableRows]:
    if path.is_dir():
        head = _parsed(path / _HEAD, 1, (path / _HEAD).read_text("utf-8"))
        _check_head(path / _HEAD, head)
        held = head.get("rows", {})
        files = [path / f"{table}{_SUFFIX}" for table in COPIED_TABLES if table in held]
        return _grouped(path, (line for file in files for line in _lines(file)), head)
    lines = _lines(path)
    _check_head(path, next(lines, {}))
    return _grouped(path, lines, {})


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with closing(path.open(encoding="utf-8", newline="\n")) as file:
        try:
            for number, line in enumerate(file, start=1):
                yield _parsed(path, number, line)
        except UnicodeDecodeError as error:
            msg = f"{path}: not UTF-8 ({error.reason}); copy the export again"
            raise InputError(msg) from None


def _parsed(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        msg = f"{path}:{number}: is no JSON object; the export is damaged or cut off"
        raise InputError(msg)
    return value


def _check_head(path: Path, head: dict[str, Any]) -> None:
    if head.get("schema") != SCHEMA:
        found = one_line(head.get("schema", "something else"))
        msg = f"{path}: is no export of a record (its head says {found}, not {SCHEMA})"
        raise InputError(msg)


def _grouped(
    path: Path, lines: Iterator[dict[str, Any]], head: dict[str, Any]
) -> Iterator[TableRows]:
    """Yield the tables, and compare their rows with the counts at the end or in the head."""
    end, counts = head, dict.fromkeys(COPIED_TABLES, 0)

    def values(rows: Iterable[dict[str, Any]], table: str) -> Iterator[tuple[Any, ...]]:
        for row in rows:
            counts[table] += 1
            try:
                yield tuple(_from_json(row[column]) for column in columns)
            except (KeyError, ValueError) as error:
                msg = f"{path}: row {counts[table]} of {table}: {one_line(error)}"
                raise InputError(msg) from None

    for table, rows in groupby(lines, key=lambda line: line.pop("table", None)):
        first = next(rows)
        if table is None:
            end = first
            break
        if table not in counts:
            msg = f"{path}: has rows of {one_line(table)}, which no record has"
            raise InputError(msg)
        columns = list(first)
        yield TableRows(table, columns, values(_with(first, rows), table))  # noqa: B031 (a row put back)
    if {**dict.fromkeys(COPIED_TABLES, 0), **end.get("rows", {})} != counts or "rows" not in end:
        msg = f"{path}: has not the rows that it counts; the export is cut off or was edited"
        raise InputError(msg)


def _with(first: dict[str, Any], rest: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    yield first
    yield from rest
