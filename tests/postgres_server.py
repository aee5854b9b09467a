"""A PostgreSQL server of the tests' own: a temporary folder, a Unix socket, no password.

The machine's binaries are used as they are. A server refuses to be root, so where the tests are
run by root it belongs to ``postgres`` or ``nobody``.
"""

from __future__ import annotations

import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

INSTALL = "apt-get install postgresql"
ROLE = "tester"
_SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",  # processes are killed here, never machines
    "shared_buffers": "16MB",
    "max_connections": "40",
    "autovacuum": "off",
}
_NAMES = count(1)


def binary(name: str) -> str | None:
    """Return the newest installed program of that name; Debian keeps them off the path."""
    found = sorted(
        Path("/usr/lib/postgresql").glob(f"*/bin/{name}"),
        key=lambda path: [int(n) for n in re.findall(r"\d+", str(path))],
    )
    return shutil.which(name) or (str(found[-1]) if found else None)


class Server:
    """A server that can be stopped, killed and started again."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        self._data = folder / "data"
        self._owner = None
        if os.geteuid() == 0:
            names = {entry.pw_name for entry in pwd.getpwall()}
            self._owner = "postgres" if "postgres" in names else "nobody"
            shutil.chown(folder, self._owner)
        self._process: subprocess.Popen[bytes] | None = None
        self._run("initdb", "-D", self._data, "-U", ROLE, "-A", "trust", "-E", "UTF8",
                  "--no-sync", "--no-locale")  # fmt: skip
        settings = {**_SETTINGS, **settings, "unix_socket_directories": str(folder)}
        with (self._data / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())

    def place(self, name: str | None = None) -> str:
        """Return the place of a record, of one that no test has used where none is named."""
        return f"{self.address()}#{name or f'record-{next(_NAMES)}'}"

    def address(self, database: str = "postgres", role: str = ROLE) -> str:
        return f"postgresql://{role}@/{database}?host={self.folder}"

    def start(self) -> None:
        log = (self.folder / "log").open("ab")
        with log:
            self._process = subprocess.Popen(
                self._words("postgres", "-D", self._data), stdout=log, stderr=log, cwd=self.folder
            )
        deadline = time.monotonic() + 60
        while not self._is_ready():
            assert self._process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < deadline, (self.folder / "log").read_text()
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop at once: SIGINT ends every session, SIGQUIT is a crash."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(60)
            self._process = None

    def sql(self, statement: str, role: str = ROLE) -> list[tuple]:
        import psycopg  # noqa: PLC0415 (an extra)

        with psycopg.connect(self.address(role=role), autocommit=True) as connection:
            done = connection.execute(statement)
            return done.fetchall() if done.description else []

    def _is_ready(self) -> bool:
        import psycopg  # noqa: PLC0415 (an extra)

        try:
            psycopg.connect(self.address()).close()
        except psycopg.OperationalError:
            return False
        return True

    def _run(self, name: str, *words: object) -> None:
        done = subprocess.run(
            self._words(name, *words), capture_output=True, text=True, cwd=self.folder, check=False
        )
        assert done.returncode == 0, done.stderr

    def _words(self, name: str, *words: object) -> list[str]:
        path = binary(name)
        assert path is not None
        user = []
        if self._owner is not None:
            user = ["setpriv", f"--reuid={self._owner}", f"--regid={_group(self._owner)}",
                    "--clear-groups"]  # fmt: skip
        return [*user, path, *map(str, words)]


def _group(user: str) -> str:
    return str(pwd.getpwnam(user).pw_gid)


@contextmanager
def running_server(**settings: str) -> Iterator[Server]:
    """Give a running server, and remove everything of it."""
    # A socket's path may have 107 characters, fewer than some folders of tests have.
    with tempfile.TemporaryDirectory(prefix="cb-pg-", dir="/tmp") as folder:
        server = Server(Path(folder), **settings)
        try:
            server.start()
            yield server
        finally:
            server.stop()


def missing() -> str:
    """Return why no server can be started; empty when one can."""
    if binary("postgres") is None or binary("initdb") is None:
        return f"no PostgreSQL server on this machine: {INSTALL}"
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        return "a server cannot be run by root: apt-get install util-linux"
    return ""


def require_server() -> None:
    """Go on only where a server can be started."""
    if message := missing():
        if os.environ.get("COUNTERBALANCE_REQUIRE_ALL") == "1":
            pytest.fail(message)
        pytest.skip(message)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A server that all tests share; no test stops it."""
    from extras import require  # noqa: PLC0415 (only where it is used)

    require("postgres")
    require_server()
    with running_server() as server:
        yield server
