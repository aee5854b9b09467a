"""Ctrl-C while modules are being loaded ends the process without a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

FIRST_LOADED = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nraise SystemExit(9)\n"


@pytest.mark.parametrize(
    ("handler", "code"), [(signal.SIG_DFL, -signal.SIGINT), (signal.SIG_IGN, 9)]
)
def test_an_interrupt_during_the_first_import_is_quiet(
    tmp_path: Path, handler: signal.Handlers, code: int
) -> None:
    (tmp_path / "click.py").write_text(FIRST_LOADED)
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "counterbalance", "--help"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, handler),
        check=False,
    )
    # A process in the background of a shell ignores the signal, and goes on.
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")
