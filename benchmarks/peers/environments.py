"""Throw-away environments for other programs, at pinned versions: one for each that clashes."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["install", "last_line"]


def install(env: Path, packages: Sequence[str], limit: int) -> str:
    """Make an environment with these packages, unless it stands already.

    Parameters
    ----------
    env : Path
        Folder of the environment.
    packages : Sequence[str]
        Requirements with their versions, as pip takes them.
    limit : int
        Seconds that each of its two steps may take.

    Returns
    -------
    str
        Why it could not be made; empty when it stands.
    """
    mark, wanted = env / "installed.txt", "\n".join(packages)
    if mark.exists() and mark.read_text(encoding="utf-8") == wanted:
        return ""
    made = [sys.executable, "-m", "venv", env]
    pip = [env / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
    for words in (made, pip):
        try:
            done = subprocess.run(
                ["nice", *words], capture_output=True, text=True, check=False, timeout=limit
            )
        except subprocess.TimeoutExpired:
            return f"not done after {limit} s"
        if done.returncode:
            return last_line(done.stderr)
    mark.write_text(wanted, encoding="utf-8")
    return ""


def last_line(text: str) -> str:
    """Return the last line that says something: where programs say what went wrong."""
    lines = [line.strip() for line in text.splitlines()]
    said = [line for line in lines if line and "://" not in line]
    return said[-1] if said else "no message"
