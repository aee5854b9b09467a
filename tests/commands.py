"""The command line in a process of its own, as a user runs it."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str


def command(*words: object, cwd: Path | None = None, stdin: bytes = b"", **env: str) -> Ended:
    """Run ``python -m counterbalance`` and decode both streams as UTF-8."""
    done = subprocess.run(
        [sys.executable, "-m", "counterbalance", *map(str, words)],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        env={**os.environ, "PYTHONUTF8": "1", **env},
        timeout=1200,
        check=False,
    )
    return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())


def command_here(*words: object) -> Ended:
    """Run a verb in this process: many times as quick, for tests that run hundreds."""
    out, err, given = io.StringIO(), io.StringIO(), sys.argv
    sys.argv = ["counterbalance", *map(str, words)]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
    except SystemExit as ended:
        code = ended.code
    finally:
        sys.argv = given
    assert isinstance(code, int)
    return Ended(code, out.getvalue(), err.getvalue())


def invoke(*words: str) -> None:
    """Run the command line in this process, and exit."""
    sys.argv[1:] = words
    main()


def is_one_clear_line(ended: Ended) -> bool:
    """Say whether a failure is one line of our own, without a traceback."""
    lines = ended.err.strip().splitlines()
    return ended.out == "" and len(lines) == 1 and lines[0].startswith("counterbalance: ")
