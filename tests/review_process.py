"""A real review page in a process of its own, and browsers without a screen that talk to it."""

from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

from studies import row, run, write_study

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PATIENCE = 60.0
BIASED = "slot_rate = 1.0"
"""A judge that takes whatever is shown first: every pair is an order disagreement."""


def undecided_record(
    folder: Path, n_pairs: int = 4, *, study_more: str = "", **more: object
) -> Path:
    """Return a record in which every pair is to be reviewed."""
    rows = [row(n, reference=None, category="facts", **more) for n in range(n_pairs)]
    protocol = write_study(folder, rows=rows, judge=BIASED, more=study_more)
    # In a thread of its own: where a test drives a browser, this one has an event loop already.
    with ThreadPoolExecutor(1) as apart:
        apart.submit(run, protocol).result()
    return folder / "protocol.record.sqlite"


class Served:
    """A page that is served."""

    def __init__(self, process: subprocess.Popen[str], links: dict[str, str]) -> None:
        self.process = process
        self.links = links
        self.port = urlsplit(next(iter(links.values()))).port
        self.root = f"http://127.0.0.1:{self.port}"

    def browser(self, name: str = "reviewer") -> Browser:
        """Return a browser that was let in by a reviewer's link."""
        made = Browser(self.port)
        link = urlsplit(self.links[name]).path
        assert made.get(link).status == 200
        assert made.post("/enter", link=link.rpartition("/")[2]).status == 303
        return made

    def kill(self) -> None:
        """Take the process away in the middle of whatever it does."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> tuple[int, str]:
        """Press Ctrl-C; return exit code and everything on standard error."""
        self.process.send_signal(signal.SIGINT)
        _, err = self.process.communicate(timeout=_PATIENCE)
        return self.process.returncode, err


@contextmanager
def served(
    record: Path | str, *options: object, names: tuple[str, ...] = ("reviewer",)
) -> Iterator[Served]:
    """Serve a record's review until the block ends."""
    words = [sys.executable, "-m", "counterbalance", "review", str(record), *map(str, options)]
    process = subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        links = {}
        while len(links) < len(names):
            line = process.stdout.readline()
            if not line:
                raise AssertionError(process.communicate()[1])
            name, _, link = line.strip().partition(": ")
            links[name] = link
        yield Served(process, links)
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


class Answer:
    """What came back."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self.text = response.read().decode()

    def field(self, name: str) -> str:
        """Return the value of the first hidden field of a name."""
        return re.search(f'name="{name}" value="([^"]*)"', self.text)[1]


class Browser:
    """Keeps cookies and says what a browser says of where a form comes from."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}

    def get(self, path: str = "/", **headers: str) -> Answer:
        return self._ask("GET", path, None, headers)

    def post(self, path: str, headers: dict[str, str] | None = None, **fields: str) -> Answer:
        origin = {"Origin": f"http://127.0.0.1:{self.port}", "Sec-Fetch-Site": "same-origin"}
        return self._ask("POST", path, urlencode(fields), origin if headers is None else headers)

    def answer(self, choice: str = "1") -> Answer:
        """Answer what is shown now."""
        return self.post("/answer", ticket=self.get().field("ticket"), choice=choice)

    def _ask(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=_PATIENCE)
        sent = {"Content-Type": "application/x-www-form-urlencoded"} if body is not None else {}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        connection.request(method, path, body, {**sent, **headers})
        came = Answer(connection.getresponse())
        connection.close()
        for cookie in came.headers.get_all("set-cookie") or ():
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return came


def wait_until(is_so, seconds: float = _PATIENCE) -> None:
    """Wait for something that another process does."""
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.02)
