"""The lock that lets one run at a time write to a record; it vanishes with its process."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from counterbalance.errors import RecordBusyError, RecordError, one_line

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["RunLock"]

_LONGEST_HOLDER = 20
_TAKEN = {errno.EAGAIN, errno.EACCES}


class RunLock:
    """An advisory lock on a file beside the record.

    It is never taken on the record itself: closing any second handle of a database file would drop
    the locks that SQLite holds on it. The kernel releases it however the process ends.

    Parameters
    ----------
    record : Path
        The record; the lock file has ``.lock`` after its name.

    Notes
    -----
    Raises `RecordBusyError` when another run holds it, and `RecordError` when the folder cannot be
    written or its file system knows no locks.
    """

    def __init__(self, record: Path) -> None:
        self._path = record.with_name(record.name + ".lock")
        self._handle = self._acquired(record)

    def release(self) -> None:
        """Give the lock up and remove its file."""
        # Removed while still held: whoever waits on the removed file sees that, and tries anew.
        with suppress(OSError):
            self._path.unlink()
        os.close(self._handle)

    def _acquired(self, record: Path) -> int:
        while True:
            try:
                handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
            except OSError as error:
                msg = (
                    f"{record}: the folder cannot be written ({error.strerror});"
                    " put the record into a folder that can"
                )
                raise RecordError(msg) from None
            try:
                self._lock(record, handle)
                if self._is_current(handle):
                    os.ftruncate(handle, 0)
                    os.write(handle, str(os.getpid()).encode())
                    return handle
            except BaseException:
                os.close(handle)
                raise
            os.close(handle)

    def _lock(self, record: Path, handle: int) -> None:
        try:
            import fcntl  # noqa: PLC0415 (absent on Windows, where records can still be read)
        except ImportError:
            msg = f"{record}: a run needs the file locks of Linux or macOS; on Windows, use WSL"
            raise RecordError(msg) from None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in _TAKEN:
                holder = one_line(os.read(handle, _LONGEST_HOLDER).decode("ascii", "replace"))
                msg = (
                    f"{record}: in use by another run (process {holder or 'unknown'});"
                    " wait for it to end, or name another record"
                )
                raise RecordBusyError(msg) from None
            msg = (
                f"{record}: this file system knows no locks ({error.strerror});"
                " put the record on a local disk"
            )
            raise RecordError(msg) from None

    def _is_current(self, handle: int) -> bool:
        try:
            return os.path.samestat(os.fstat(handle), self._path.stat())
        except FileNotFoundError:
            return False
