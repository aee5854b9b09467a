"""Calls a second of the http judge, and of a whole run, beside a bare loop over the same client.

A server in another process answers every chat request after a fixed latency. In each round three
clients take turns: a bare aiohttp loop, the judge alone (a request in, a reply out), and a whole
run (prompts, a commit to disk before and after each call, parsing). Shown are calls per second over
the limit (concurrency / latency), the ratio to the bare loop of the same round, and CPU time per
call over its; medians of the rounds, with what is aimed at below those of the whole run. The time
is all of it, with the connections of the first calls and the end, when fewer and fewer calls are
under way; "steady" leaves out the first and the last two waves, of every client alike. A run over
20,000 pairs has 256 calls under way 156 times over, so that both ends weigh little; sixty waves
come near that. Each reply has its own words and length, as those of models do.

Then a process of its own makes a whole run over many pairs, and shows its memory on the way.

    python benchmarks/endpoint.py [ROUNDS] [WAVES] [PAIRS]

On a machine that does something else at the time, only the ratios to the bare loop mean anything.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

import aiohttp

from counterbalance.items.item import Message
from counterbalance.judges.http import HttpModelJudge
from counterbalance.judges.judge import Request, Shown
from counterbalance.presentations.presentation import PresentationKey
from counterbalance.protocol.judge_settings import HttpJudge
from counterbalance.run.session import run_study
from counterbalance.run.study import load_study

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    from counterbalance.record.attempt import Attempt
    from counterbalance.run.study import Study

LATENCY = 0.2
AIMS = {
    64: (">= 0.95", ">= 0.97", "", "", "", "<= 2"),
    256: (">= 0.90", ">= 0.97", "", "", "", "<= 2"),
}
"""What a whole run should reach, column by column, at each number of calls under way."""
DEFAULTS = (3, 60, 20_000)
SHOWN_AFTER = (0.05, 0.25, 0.5, 1.0)
"""Shares of the pairs after which memory is shown."""
PROMPT_CHARACTERS = 2000

SERVER = f"""
import asyncio, itertools, json

def reply(number):
    words = "Answer A names %d of the points. " % number + "It is sound. " * (number % 7)
    body = json.dumps({{
        "model": "m", "system_fingerprint": "f",
        "choices": [{{"index": 0, "finish_reason": "stop",
                     "message": {{"role": "assistant", "content": words + "[[A]]"}}}}],
        "usage": {{"prompt_tokens": 500, "completion_tokens": 8 + number % 50}},
    }}).encode()
    head = b"HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nContent-Length: %d"
    return head % len(body) + b"\\r\\n\\r\\n" + body

# Made before the first call: the server shall cost as little as it can.
REPLIES = itertools.cycle([reply(number) for number in range(5000)])

class Chat(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport, self.held = transport, b""
    def data_received(self, data):
        self.held += data
        head, found, rest = self.held.partition(b"\\r\\n\\r\\n")
        if not found:
            return
        length = int(head.lower().partition(b"content-length:")[2].split(b"\\r\\n")[0])
        if len(rest) >= length:
            self.held = rest[length:]
            asyncio.get_running_loop().call_later({LATENCY}, self.answer)
    def answer(self):
        if not self.transport.is_closing():
            self.transport.write(next(REPLIES))

async def main():
    # Once so much was given back, a read of a socket takes its buffer from what is there.
    bytearray(2**20)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Chat, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

asyncio.run(main())
"""

PROTOCOL = """
schema = "counterbalance.protocol/1"
title = "A benchmark"
pairs = "pairs.jsonl"
seed = 1
[question]
kind = "overall_preference"
decision = "None."
[[judges]]
name = "far"
kind = "http"
base_url = "{url}"
model = "m"
temperature = 0.0
concurrency = {concurrency}
[verdict]
format = "bracket"
[[labellings]]
first = "A"
second = "B"
"""


@dataclass(frozen=True)
class Turn:
    """One client's turn: calls a second, those without both ends, and CPU milliseconds a call."""

    rate: float
    steady: float
    cpu_ms: float


class Watch:
    """Looks at the clocks while so many calls come back.

    Parameters
    ----------
    calls : int
        How many will.
    wave : int
        How many are under way at once.
    """

    def __init__(self, calls: int, wave: int) -> None:
        self._ends = (2 * wave, calls - 2 * wave)
        self._back = 0
        self._at: dict[int, float] = {}
        self.restart()

    def restart(self) -> None:
        """Begin now."""
        self._begun, self._cpu = time.perf_counter(), time.process_time()

    def came_back(self) -> None:
        """Count a call."""
        self._back += 1
        if self._back in self._ends:
            self._at[self._back] = time.perf_counter()

    def turn(self) -> Turn:
        """Return what was seen up to now."""
        wall, cpu = time.perf_counter() - self._begun, time.process_time() - self._cpu
        first, last = self._ends
        steady = (last - first) / (self._at[last] - self._at[first])
        return Turn(self._back / wall, steady, 1000 * cpu / self._back)


@contextmanager
def server() -> Iterator[str]:
    """Run the server in a process of its own, and give its address."""
    with subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE) as process:
        try:
            port = int(process.stdout.readline()) if process.stdout else 0
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.kill()


def request(number: int) -> Request:
    """Return a request with a prompt of ordinary size."""
    prompt = ("Which answer is better? " * (PROMPT_CHARACTERS // 24))[:PROMPT_CHARACTERS]
    return Request(
        key=PresentationKey(str(number)),
        messages=(Message("user", prompt),),
        first=Shown("A", "one"),
        second=Shown("B", "two"),
        labels=("A", "B"),
        temperature=None,
        seed=number,
        attempt=1,
    )


async def spread(calls: int, concurrency: int, call: Callable[[int], Awaitable[None]]) -> Turn:
    """Make so many calls with so many workers."""
    numbers = iter(range(calls))
    watch = Watch(calls, concurrency)

    async def worker() -> None:
        for number in numbers:
            await call(number)
            watch.came_back()

    await asyncio.gather(*(worker() for _ in range(concurrency)))
    return watch.turn()


async def bare(url: str, calls: int, concurrency: int) -> Turn:
    """Ask with nothing but the client: a body of the same size, the text of the reply."""
    messages = [{"role": m.role, "content": m.content} for m in request(0).messages]
    connector = aiohttp.TCPConnector(limit=concurrency)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def call(number: int) -> None:
            body = {"model": "m", "messages": messages, "temperature": 0.0, "seed": number}
            async with session.post(f"{url}/chat/completions", json=body) as response:
                value = json.loads(await response.read())
            if "[[A]]" not in value["choices"][0]["message"]["content"]:
                raise ValueError(value)

        return await spread(calls, concurrency, call)


async def judge(url: str, calls: int, concurrency: int) -> Turn:
    """Ask through the judge."""
    settings = HttpJudge(
        name="far", kind="http", model="m", base_url=url, temperature=0.0, concurrency=concurrency
    )
    model = HttpModelJudge(settings, os.environ)
    requests = [request(number) for number in range(calls)]

    async def call(number: int) -> None:
        reply = await model.ask(requests[number])
        if "[[A]]" not in reply.text:
            raise ValueError(reply)

    try:
        return await spread(calls, concurrency, call)
    finally:
        await model.close()


@contextmanager
def study_of(url: str, n_pairs: int, concurrency: int) -> Iterator[Study]:
    """Give a study of so many pairs on the working disk."""
    folder = Path(tempfile.mkdtemp(dir=Path.cwd(), prefix=".bench-"))
    try:
        text = "An answer of some length. " * (PROMPT_CHARACTERS // 2 // 26)
        lines = (
            json.dumps({"id": f"p{n}", "prompt": f"Question {n}?", "a": f"{n} {text}", "b": text})
            for n in range(n_pairs)
        )
        (folder / "pairs.jsonl").write_text("\n".join(lines), "utf-8")
        protocol = folder / "protocol.toml"
        protocol.write_text(PROTOCOL.format(url=url, concurrency=concurrency), "utf-8")
        yield load_study(protocol)
    finally:
        shutil.rmtree(folder)


async def run(url: str, calls: int, concurrency: int) -> Turn:
    """Run a study of so many calls, from the first call to the last attempt on disk."""
    watch = Watch(calls, concurrency)
    found: list[Turn] = []
    left = iter(range(calls - 1, -1, -1))

    def begun(*_: object) -> None:
        watch.restart()

    def finished(_: Attempt) -> None:
        watch.came_back()
        if not next(left):
            found.append(watch.turn())

    with study_of(url, calls // 2, concurrency) as study:
        await run_study(study, study.default_record, announce=begun, finished=finished)
    return found[0]


def resident() -> float:
    """Return the memory of this process in MiB."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def memory(url: str, n_pairs: int, concurrency: int) -> list[tuple[int, float]]:
    """Return memory in MiB before the first call, and after so many judged pairs."""
    found: list[tuple[int, float]] = []
    made = count(1)
    due = {round(share * n_pairs) for share in SHOWN_AFTER}

    def finished(_: Attempt) -> None:
        n_judged, rest = divmod(next(made), 2)
        if not rest and n_judged in due:
            found.append((n_judged, resident()))

    def begun(*_: object) -> None:
        found.append((0, resident()))

    with study_of(url, n_pairs, concurrency) as study:
        asyncio.run(run_study(study, study.default_record, announce=begun, finished=finished))
    return found


COLUMNS = ("of C/L", "of bare", "steady of C/L", "of bare", "CPU ms/call", "over bare")
CLIENTS = {"bare loop": bare, "http judge": judge, "whole run": run}


def print_row(name: str, cells: Sequence[str]) -> None:
    """Print a row of the table."""
    widths = [4, 6, *map(len, COLUMNS)]
    shown = (f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
    print(f"{name:10}", *shown, sep="  ")


def print_speed(rounds: int, waves: int) -> None:
    """Print a table for each concurrency."""
    print(f"latency {1000 * LATENCY:.0f} ms, {waves} waves, {rounds} rounds, one client process")
    print_row("", ["C", "calls", *COLUMNS])
    for concurrency, aims in AIMS.items():
        turns: dict[str, list[Turn]] = {name: [] for name in CLIENTS}
        with server() as url:
            for _ in range(rounds):
                for name, client in CLIENTS.items():
                    turn = asyncio.run(client(url, waves * concurrency, concurrency))
                    turns[name].append(turn)
        for name, found in turns.items():
            pairs = list(zip(found, turns["bare loop"], strict=True))
            limit = concurrency / LATENCY
            shown = (
                statistics.median(turn.rate for turn in found) / limit,
                statistics.median(turn.rate / other.rate for turn, other in pairs),
                statistics.median(turn.steady for turn in found) / limit,
                statistics.median(turn.steady / other.steady for turn, other in pairs),
                statistics.median(turn.cpu_ms for turn in found),
                statistics.median(turn.cpu_ms / other.cpu_ms for turn, other in pairs),
            )
            figures = [f"{figure:.3f}" for figure in shown]
            print_row(name, [str(concurrency), str(waves * concurrency), *figures])
        print_row("  aim", ["", "", *aims])


def print_memory(n_pairs: int) -> None:
    """Print the memory of a whole run as it goes on."""
    with server() as url, get_context("spawn").Pool(1) as apart:
        found = apart.apply(memory, (url, n_pairs, max(AIMS)))
    print(f"memory of a whole run over {n_pairs} pairs, all loaded before the first call")
    for n_judged, mebibytes in found:
        print(f"{n_judged:8} pairs judged {mebibytes:8.1f} MiB")


def main() -> None:
    """Print what it takes in time, and then in memory."""
    rounds, waves, pairs = (int(word) for word in [*sys.argv[1:], *DEFAULTS[len(sys.argv) - 1 :]])
    print_speed(rounds, waves)
    if pairs and Path("/proc/self/statm").exists():
        print_memory(pairs)


if __name__ == "__main__":
    main()
