"""Opening logs: plain files, gzip, members of zip archives and whole folders.

In come paths, out come files that can be read from the start as often as needed. Nothing is ever
unpacked to disk, unpickled or executed; a member's name is only shown.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import zipfile
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, BinaryIO

from counterbalance.errors import InputError, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["LogFile", "check_member", "log_files"]

_LONGEST_NAME = 1000
_CHUNK_BYTES = 1 << 20
_GZIP_MAGIC = b"\x1f\x8b"
_ZIP_MAGICS = (b"PK\x03\x04", b"PK\x05\x06")
"""Of a zip archive with members, and of one without."""
_DRIVE = re.compile("[A-Za-z]:")
_MOST_RATIO = 300
"""Most bytes out of one byte in; logs that repeat long prompts stay below 100."""
_FREE_BYTES = 256_000_000
"""Bytes that anything may unpack to."""
_MOST_MEMBERS = 100_000
_IGNORED = frozenset({"__MACOSX", ".ipynb_checkpoints", ".git"})
_ARCHIVE_LOGS = (".eval",)
"""Zip files that are one log by themselves: their format reads the members."""


@dataclass(frozen=True, slots=True)
class LogFile:
    """One file of a log.

    Attributes
    ----------
    path : Path
        The file on disk.
    name : str
        What messages and reports call it.
    inside : str
        Path that a format may take names from: relative to what the user named (with the last
        folders of that path in front), ``/`` between parts, the last part without ``.gz``.
    member : str
        Member of the zip archive at ``path``; empty for a file of its own.
    """

    path: Path
    name: str
    inside: str
    member: str = ""

    @property
    def size(self) -> int:
        """Bytes on disk; of a member, its size after unpacking as the archive gives it."""
        if self.member:
            with zipfile.ZipFile(self.path) as archive:
                return archive.getinfo(self.member).file_size
        return self.path.stat().st_size

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open the content, unpacked.

        Yields
        ------
        BinaryIO
            A stream at its start, buffered.

        Raises
        ------
        InputError
            If the file cannot be read, a compressed one is cut or damaged, or it unpacks to far
            more than real data can.
        """
        try:
            with self._raw() as raw, _unpacked(raw, self.name) as stream:
                yield stream
        except FileNotFoundError:
            msg = f"{self.name}: there is no such file"
            raise InputError(msg) from None
        except EOFError:
            msg = f"{self.name}: the compressed file ends too soon; fetch it again"
            raise InputError(msg) from None
        except (gzip.BadGzipFile, zlib.error, zipfile.BadZipFile) as error:
            msg = f"{self.name}: the compressed file is damaged ({one_line(error)})"
            raise InputError(msg) from None
        except NotImplementedError as error:
            msg = f"{self.name}: is packed in a way that cannot be read here ({one_line(error)})"
            raise InputError(msg) from None
        except OSError as error:
            msg = f"{self.name}: cannot be read: {one_line(error.strerror or error)}"
            raise InputError(msg) from None

    def sha256(self) -> str:
        """Return the hexadecimal SHA-256 of the bytes as they stand on disk or in the archive."""
        digest = hashlib.sha256()
        with self._raw() as raw:
            while chunk := raw.read(_CHUNK_BYTES):
                digest.update(chunk)
        return digest.hexdigest()

    @contextmanager
    def _raw(self) -> Iterator[IO[bytes]]:
        if not self.member:
            with self.path.open("rb") as handle:
                yield handle
            return
        with zipfile.ZipFile(self.path) as archive, archive.open(self.member) as handle:
            yield handle


class _Bounded(io.RawIOBase):
    """A stream that refuses to give far more bytes than were taken from what it unpacks."""

    def __init__(self, unpacked: gzip.GzipFile, packed: IO[bytes], name: str) -> None:
        self._unpacked = unpacked
        self._packed = packed
        self._name = name
        self._given = 0

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        """Fill a buffer; refuse once far too much has come out."""
        n_bytes = self._unpacked.readinto(buffer)
        self._given += n_bytes
        if self._given > _FREE_BYTES + _MOST_RATIO * self._packed.tell():
            msg = f"{self._name}: unpacks to more than {_MOST_RATIO} times its size; not read on"
            raise InputError(msg)
        return n_bytes


@contextmanager
def _unpacked(raw: IO[bytes], name: str) -> Iterator[BinaryIO]:
    buffered = io.BufferedReader(raw, _CHUNK_BYTES)  # type: ignore[type-var]
    if buffered.peek(2)[:2] != _GZIP_MAGIC:
        yield buffered
        return
    with gzip.GzipFile(fileobj=buffered) as unpacked:
        bounded: io.RawIOBase = _Bounded(unpacked, buffered, name)
        yield io.BufferedReader(bounded, _CHUNK_BYTES)


def log_files(paths: Sequence[Path | str]) -> tuple[LogFile, ...]:
    """List the files that paths name: files, folders with all below them, and zip archives.

    Parameters
    ----------
    paths : Sequence[Path | str]
        As the user gave them.

    Returns
    -------
    tuple[LogFile, ...]
        In the order given; the files of a folder or archive by name. Hidden files are left out.

    Raises
    ------
    InputError
        If a path is not there, a folder or archive is empty, or an archive cannot be trusted.
    """
    found: list[LogFile] = []
    for given in paths:
        found.extend(_files_of(Path(given)))
    return tuple(found)


def _files_of(path: Path) -> Iterator[LogFile]:
    try:
        if path.is_dir():
            yield from _folder_files(path)
        elif _is_zip(path):
            yield from _member_files(path)
        else:
            yield _plain(path, path.resolve())
    except FileNotFoundError:
        msg = f"{_shown(path)}: there is no such file or folder"
        raise InputError(msg) from None
    except PermissionError:
        msg = f"{_shown(path)}: may not be read (permission denied)"
        raise InputError(msg) from None
    except OSError as error:
        msg = f"{_shown(path)}: cannot be read: {one_line(error.strerror or error)}"
        raise InputError(msg) from None


def _plain(path: Path, whole: Path) -> LogFile:
    return LogFile(path, _shown(path), _without_gz(whole.as_posix()))


def _folder_files(folder: Path) -> Iterator[LogFile]:
    n_files = 0
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        is_hidden = any(part.startswith((".", "~")) or part in _IGNORED for part in parts)
        if is_hidden or not path.is_file():
            continue
        n_files += 1
        if _is_zip(path):
            yield from _member_files(path)
        else:
            yield _plain(path, path.resolve())
    if not n_files:
        msg = f"{_shown(folder)}: the folder holds no files; name a log, or a folder of logs"
        raise InputError(msg)


def _is_zip(path: Path) -> bool:
    if path.suffix.lower() in _ARCHIVE_LOGS:
        return False
    with path.open("rb") as handle:
        return handle.read(4) in _ZIP_MAGICS and path.suffix.lower() != ".xlsx"


def _member_files(path: Path) -> Iterator[LogFile]:
    shown = _shown(path)
    try:
        with zipfile.ZipFile(path) as archive:
            members = [info for info in archive.infolist() if not info.is_dir()]
    except (zipfile.BadZipFile, OSError) as error:
        msg = f"{shown}: is no readable zip archive ({one_line(error)})"
        raise InputError(msg) from None
    if len(members) > _MOST_MEMBERS:
        msg = f"{shown}: holds {len(members)} files (at most {_MOST_MEMBERS}); unpack it yourself"
        raise InputError(msg)
    kept = []
    for info in members:
        check_member(info, shown)
        parts = PurePosixPath(info.filename).parts
        if not any(part.startswith(".") or part in _IGNORED for part in parts):
            kept.append(info.filename)
    if not kept:
        msg = f"{shown}: the archive holds no files"
        raise InputError(msg)
    stem = path.resolve().with_suffix("").as_posix()
    for name in sorted(kept):
        inside = _without_gz(f"{stem}/{name}")
        yield LogFile(path, _shown(f"{path}!{name}"), inside, name)


def check_member(info: zipfile.ZipInfo, shown: str) -> None:
    """Refuse a member of an archive that points outside it, is encrypted, or unpacks to too much.

    Parameters
    ----------
    info : zipfile.ZipInfo
        The member.
    shown : str
        What messages call the archive.

    Raises
    ------
    InputError
        If it cannot be trusted.
    """
    member = PurePosixPath(info.filename.replace("\\", "/"))
    if member.is_absolute() or ".." in member.parts or _DRIVE.match(info.filename):
        name = one_line(info.filename)
        msg = f'{shown}: holds a member "{name}" that points outside the archive; not read'
        raise InputError(msg)
    if info.flag_bits & 1:
        msg = f"{shown}: is encrypted; unpack it yourself and name the folder"
        raise InputError(msg)
    if info.file_size > _FREE_BYTES + _MOST_RATIO * info.compress_size:
        name = one_line(info.filename)
        msg = f'{shown}: "{name}" unpacks to {info.file_size} bytes from {info.compress_size}'
        msg_0 = f"{msg}; not read"
        raise InputError(msg_0)


def _without_gz(name: str) -> str:
    return name.removesuffix(".gz")


def _shown(path: Path | str) -> str:
    return one_line(path, _LONGEST_NAME)
