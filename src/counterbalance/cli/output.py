"""Files that verbs write: whole or not at all, and one clear line when they cannot be written."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from counterbalance.errors import InputError, UsageError

__all__ = ["json_text", "refuse_to_replace", "written", "written_bytes", "written_text"]


@contextlib.contextmanager
def written(path: Path) -> Iterator[TextIO]:
    """Open a text file that appears under its name only when it is complete.

    Parameters
    ----------
    path : Path
        Where the file goes; an existing one is replaced.

    Yields
    ------
    TextIO
        UTF-8, no newline translation; what UTF-8 cannot hold is written as a backslash escape.

    Raises
    ------
    InputError
        If the folder is missing, read-only or full.
    """
    if path.exists() and not path.is_file():
        # A pipe or a device is written to as it is; only files can be replaced.
        yield from _written_through(path)
        return
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        msg = f"{path}: cannot be written: {error.strerror}; choose another place"
        raise InputError(msg) from None
    try:
        with open(  # noqa: PTH123 (a file descriptor, not a path)
            handle, "w", encoding="utf-8", errors="backslashreplace", newline=""
        ) as file:
            yield file
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(path)
    except OSError as error:
        msg = f"{path}: cannot be written: {error.strerror}; free space or choose another place"
        raise InputError(msg) from None
    finally:
        Path(temporary).unlink(missing_ok=True)


def _written_through(path: Path) -> Iterator[TextIO]:
    try:
        with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            yield file
    except OSError as error:
        msg = f"{path}: cannot be written: {error.strerror}; choose another place"
        raise InputError(msg) from None


def refuse_to_replace(
    targets: Iterable[Path], kept: Iterable[Path], *, appended: Iterable[Path] = ()
) -> None:
    """Refuse to write over evidence, its study, another output, or a file of somebody else's.

    Parameters
    ----------
    targets : Iterable[Path]
        Where outputs would go.
    kept : Iterable[Path]
        What must not be replaced.
    appended : Iterable[Path]
        Where outputs would be appended: such a file may be anybody's.

    Raises
    ------
    UsageError
        Naming the first target that is one of them, is named twice, or holds something that this
        program did not write.
    """
    from counterbalance.cli.ours import may_replace

    taken = {path.resolve() for path in kept}
    others = list(appended)
    for target in (*targets, *others):
        place = target.resolve()
        if place in taken or target.suffix in {".toml", ".sqlite"}:
            what = "is part of the study or named twice, and is not overwritten"
            msg = f"{target}: {what}; choose another file"
            raise UsageError(msg)
        if target not in others and not may_replace(target):
            what = "is there already, and is no output of counterbalance; it is not overwritten"
            msg = f"{target}: {what}. Move it away, or choose another file"
            raise UsageError(msg)
        if not target.exists() or target.is_file():
            taken.add(place)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextlib.contextmanager
def written_bytes(path: Path) -> Iterator[BinaryIO]:
    """Open a binary file that appears under its name only when it is complete, see `written`."""
    with written(path) as file:
        yield file.buffer


def written_text(path: Path, text: str) -> None:
    """Write a whole text file, see `written`."""
    with written(path) as file:
        file.write(text)


def json_text(value: Any) -> str:  # noqa: ANN401 (any JSON value)
    """Return a JSON value for standard output, without NaN."""
    return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)
