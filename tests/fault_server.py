"""An endpoint on the loopback interface that fails exactly as a test tells it to.

It speaks raw HTTP over asyncio in a thread of its own, because a library would not send a body
that is cut, a reset, or two responses to one request.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import socket
import struct
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    import ssl

RESET = "reset"
CLOSE = "close"
HANG = "hang"
Step = bytes | float | str
Answer = Sequence[Step]
"""What is done on the connection: bytes are sent, seconds waited, words carried out."""


@dataclass(frozen=True)
class Seen:
    """One request as the server got it."""

    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


def response(
    status: int = 200,
    body: bytes | str | dict | list = b"",
    *,
    content_type: str = "application/json",
    length: int | None = None,
    headers: dict[str, str] | None = None,
) -> bytes:
    """Return one whole response; a length that is not the body's cuts it."""
    if isinstance(body, dict | list):
        body = json.dumps(body)
    content = body.encode() if isinstance(body, str) else body
    lines = [
        f"HTTP/1.1 {status} X",
        f"Content-Type: {content_type}",
        f"Content-Length: {len(content) if length is None else length}",
        *(f"{k}: {v}" for k, v in (headers or {}).items()),
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


def completion(text: str | None, **changes: Any) -> dict[str, Any]:
    """Return the body of a chat completion; changes go to the choice, message or top of it."""
    message = {"role": "assistant", "content": text, **changes.pop("message", {})}
    choice = {"index": 0, "message": message, "finish_reason": changes.pop("finish", "stop")}
    choice |= changes.pop("choice", {})
    return {
        "id": "x",
        "object": "chat.completion",
        "model": "judge-2026-11-30",
        "system_fingerprint": "fp_1",
        "choices": [choice],
        "usage": {"prompt_tokens": 100, "completion_tokens": 5, "total_tokens": 105},
        **changes,
    }


def error(status: int, message: str = "no", code: str | None = None, **more: Any) -> bytes:
    """Return an error in OpenAI's shape."""
    headers = more.pop("headers", None)
    return response(
        status, {"error": {"message": message, "type": "x", "code": code, **more}}, headers=headers
    )


def verdict(seen: Seen) -> str:
    """Return a verdict that depends on the prompt only, as a resumed run needs it."""
    named = (seen.body.get(name) for name in ("messages", "input", "contents"))
    prompt = json.dumps(next(found for found in named if found is not None))
    return "[[A]]" if hashlib.sha256(prompt.encode()).digest()[0] % 2 else "[[B]]"


def scripted(_: int, seen: Seen) -> Answer:
    """Answer as `verdict` says."""
    return [response(body=completion(verdict(seen)))]


def thinking(_: int, seen: Seen) -> Answer:
    """Answer as `verdict` says, after 100 tokens of thought where that is A; cut by the limit."""
    limit = seen.body.get("max_completion_tokens", seen.body.get("max_tokens"))
    is_cut = verdict(seen) == "[[A]]" and limit < 100
    body = completion("", finish="length") if is_cut else completion(verdict(seen))
    return [0.005, response(body=body)]


class FaultServer:
    """A server in a thread; ``plan`` answers the n-th call to a model, counted from 0."""

    def __init__(
        self,
        plan: Callable[[int, Seen], Answer] = scripted,
        *,
        models: Answer | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        listed = {"data": [{"id": "judge-2026-11-30"}, {"id": "other"}]}
        self.plan = plan
        self.models = models or [response(body=listed)]
        self.seen: list[Seen] = []
        self.connections = 0
        self._tls = tls
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._tasks: set[asyncio.Task[None]] = set()

    def __enter__(self) -> Self:
        self._thread.start()
        self._server = self._call(
            asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._tls, limit=2**20)
        )
        self.port = self._server.sockets[0].getsockname()[1]
        self.url = f"http{'s' if self._tls else ''}://127.0.0.1:{self.port}/v1"
        return self

    def __exit__(self, *_: object) -> None:
        self._call(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def chats(self) -> list[Seen]:
        """The calls to a model so far; whatever else is asked of an endpoint is only read."""
        return [seen for seen in self.seen if seen.method == "POST"]

    def _call(self, what: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(30)

    async def _stop(self) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            while await self._one(reader, writer):
                pass
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._tasks.discard(task)
            writer.close()
            with suppress(OSError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        method, path, _ = head[0].split(" ")
        headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in head[1:])}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        seen = Seen(method, path, headers, json.loads(body) if body else {})
        number = len(self.chats)
        self.seen.append(seen)
        for step in self.plan(number, seen) if method == "POST" else self.models:
            if not await self._carried_out(step, writer):
                return False
        return True

    async def _carried_out(self, step: Step, writer: asyncio.StreamWriter) -> bool:
        if isinstance(step, bytes):
            writer.write(step)
            await writer.drain()
        elif isinstance(step, float):
            await asyncio.sleep(step)
        elif step == HANG:
            await asyncio.sleep(3600)
        else:
            if step == RESET:
                linger = struct.pack("ii", 1, 0)
                writer.get_extra_info("socket").setsockopt(
                    socket.SOL_SOCKET, socket.SO_LINGER, linger
                )
            return False
        return True


def at(position: int, fault: Callable[[Seen], Answer]) -> Callable[[int, Seen], Answer]:
    """Return a plan that fails at one position and answers everywhere else."""

    def plan(number: int, seen: Seen) -> Answer:
        return fault(seen) if number == position else scripted(number, seen)

    return plan
