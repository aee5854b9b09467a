"""Calls a second of the http judge, and of a whole run, beside a bare loop over the same client.

A server in another process answers every chat request after a fixed latency. In each round three
clients take turns: a bare aiohttp loop, the judge alone (a request in, a reply out), and a whole
run (prompts, a commit to disk before and after each call, parsing). Shown are calls per second over
the limit (concurrency / latency), the ratio to the bare loop of the same round, and CPU time per
call over its; medians of the rounds.

    python benchmarks/endpoint.py [ROUNDS] [WAVES]
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
    from collections.abc import Awaitable, Callable, Iterator

LATENCY = 0.2
CONCURRENCIES = (64, 256)
DEFAULTS = (2, 12)
PROMPT_CHARACTERS = 2000

SERVER = f"""
import asyncio, json
body = json.dumps({{
    "model": "m", "system_fingerprint": "f",
    "choices": [{{"index": 0, "finish_reason": "stop",
                 "message": {{"role": "assistant", "content": "Both are fine. [[A]]"}}}}],
    "usage": {{"prompt_tokens": 500, "completion_tokens": 8}},
}}).encode()
REPLY = (b"HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nContent-Length: %d\\r\\n\\r\\n"
         % len(body)) + body

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
            self.transport.write(REPLY)

async def main():
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
    """One client's turn: calls a second, and CPU milliseconds a call."""

    rate: float
    cpu_ms: float


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

    async def worker() -> None:
        for number in numbers:
            await call(number)

    begun, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(worker() for _ in range(concurrency)))
    wall, cpu = time.perf_counter() - begun, time.process_time() - cpu
    return Turn(calls / wall, 1000 * cpu / calls)


async def bare(url: str, calls: int, concurrency: int) -> Turn:
    """Ask with nothing but the client: a body of the same size, the text of the reply."""
    connector = aiohttp.TCPConnector(limit=concurrency)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def call(number: int) -> None:
            messages = [{"role": m.role, "content": m.content} for m in request(number).messages]
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

    async def call(number: int) -> None:
        reply = await model.ask(request(number))
        if "[[A]]" not in reply.text:
            raise ValueError(reply)

    try:
        return await spread(calls, concurrency, call)
    finally:
        await model.close()


async def run(url: str, calls: int, concurrency: int) -> Turn:
    """Run a study of so many calls, from the first call to the last attempt on disk."""
    folder = Path(tempfile.mkdtemp(dir=Path.cwd(), prefix=".bench-"))
    marks: list[tuple[float, float]] = []

    def mark(*_: object) -> None:
        marks.append((time.perf_counter(), time.process_time()))

    try:
        text = "An answer of some length. " * (PROMPT_CHARACTERS // 2 // 26)
        lines = (
            json.dumps({"id": f"p{n}", "prompt": f"Question {n}?", "a": f"{n} {text}", "b": text})
            for n in range(calls // 2)
        )
        (folder / "pairs.jsonl").write_text("\n".join(lines), "utf-8")
        protocol = folder / "protocol.toml"
        protocol.write_text(PROTOCOL.format(url=url, concurrency=concurrency), "utf-8")
        study = load_study(protocol)
        await run_study(study, folder / "r.sqlite", announce=mark, finished=mark)
    finally:
        shutil.rmtree(folder)
    (begun, cpu), (ended, cpu_ended) = marks[0], marks[-1]
    made = len(marks) - 1
    return Turn(made / (ended - begun), 1000 * (cpu_ended - cpu) / made)


CLIENTS = {"bare loop": bare, "http judge": judge, "whole run": run}


def main() -> None:
    """Print a table for each concurrency."""
    rounds, waves = (int(word) for word in [*sys.argv[1:], *DEFAULTS[len(sys.argv) - 1 :]])
    print(f"latency {1000 * LATENCY:.0f} ms, {waves} waves, {rounds} rounds, one client process")
    print(f"{'':10}  C    calls/s  of C/L  of bare  CPU ms/call  over bare")
    for concurrency in CONCURRENCIES:
        turns: dict[str, list[Turn]] = {name: [] for name in CLIENTS}
        with server() as url:
            for _ in range(rounds):
                for name, client in CLIENTS.items():
                    turn = asyncio.run(client(url, waves * concurrency, concurrency))
                    turns[name].append(turn)
        for name, found in turns.items():
            pairs = list(zip(found, turns["bare loop"], strict=True))
            rate = statistics.median(turn.rate for turn in found)
            to_bare = statistics.median(turn.rate / other.rate for turn, other in pairs)
            cpu = statistics.median(turn.cpu_ms for turn in found)
            over = statistics.median(turn.cpu_ms / other.cpu_ms for turn, other in pairs)
            print(
                f"{name:10} {concurrency:4} {rate:8.0f}  {rate * LATENCY / concurrency:6.3f}"
                f"  {to_bare:7.3f}  {cpu:11.2f}  {over:9.2f}"
            )


if __name__ == "__main__":
    main()
