"""Members of an archive that may be packed with Zstandard; the one module that imports its reader.

The standard library reads such members from Python 3.14 on; before, the extra ``inspect`` does.
"""

from __future__ import annotations

import io
import zipfile
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

from counterbalance.errors import InputError, MissingExtraError, one_line
from counterbalance.importers.log_file import check_member

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from counterbalance.importers.log_file import LogFile

__all__ = ["INSTALL_INSPECT", "archive_members"]

INSTALL_INSPECT = "python -m pip install 'counterbalance[inspect]'"
_ZSTANDARD = 93


@contextmanager
def archive_members(
    file: LogFile,
) -> Iterator[tuple[tuple[str, ...], Callable[[str], bytes]]]:
    """Open an archive.

    Parameters
    ----------
    file : LogFile
        A zip archive, on disk or a member of another one.

    Yields
    ------
    tuple[tuple[str, ...], Callable[[str], bytes]]
        Names of the members, and what reads one; of members with one name the last is read.

    Raises
    ------
    InputError
        If the archive is damaged, or a member cannot be trusted.
    """
    try:
        with _content(file) as content, _opened(content) as archive:
            for info in archive.infolist():
                check_member(info, file.name)
            names = tuple(dict.fromkeys(info.filename for info in archive.infolist()))
            yield names, archive.read
    except (zipfile.BadZipFile, EOFError, ValueError) as error:
        msg = f"{file.name}: is no readable archive ({one_line(error)}); fetch it again"
        raise InputError(msg) from None


@contextmanager
def _content(file: LogFile) -> Iterator[Path | IO[bytes]]:
    if not file.member:
        yield file.path
        return
    with file.open() as stream:
        yield io.BytesIO(stream.read())


def _opened(content: Path | IO[bytes]) -> Any:  # noqa: ANN401 (an archive of either module)
    archive = zipfile.ZipFile(content)
    if all(info.compress_type != _ZSTANDARD for info in archive.infolist()):
        return archive
    archive.close()
    try:
        from backports.zstd import zipfile as with_zstandard  # noqa: PLC0415 (an extra)
    except ImportError:
        part = "the reader of Zstandard members (backports.zstd)"
        raise MissingExtraError(part, INSTALL_INSPECT) from None
    return with_zstandard.ZipFile(content)
