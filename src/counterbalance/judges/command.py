"""A program as a judge: one request as JSON on its standard input, one reply on its output.

No shell is involved: words of the command reach the program as they stand in the protocol. Each
call is a process of its own, in a group of its own, and nothing of it outlives the call.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counterbalance.errors import InputError, JudgeError, one_line
from counterbalance.judges.given_reply import given_reply, request_value

if TYPE_CHECKING:
    from collections.abc import Callable

    from counterbalance.judges.judge import Request
    from counterbalance.presentations.reply import Reply
    from counterbalance.protocol.judge_settings import CommandJudge

__all__ = ["CommandModelJudge"]

_LARGEST_REPLY_BYTES = 16 * 2**20
_LARGEST_COMPLAINT_BYTES = 2**16
_SHOWN = 300
# A killed program goes at once, unless the system itself hangs.
_SECONDS_TO_GO = 10.0


class CommandModelJudge:
    """A program that judges.

    Parameters
    ----------
    settings : CommandJudge
        The command, its limits and its pace.
    folder : Path
        Folder of the protocol: programs run in it, and a command with a slash is looked up from it.

    Raises
    ------
    InputError
        If there is no such program.
    """

    def __init__(self, settings: CommandJudge, folder: Path) -> None:
        self._settings = settings
        self._folder = folder
        self._words = (_program(settings, folder), *settings.command[1:])
        self._is_closed = False

    @property
    def notes(self) -> tuple[str, ...]:
        """What limits the evidence this judge gives, in sentences for the report."""
        told = one_line(" ".join(self._settings.command), 200)
        note = (
            f"The judge is a program ({told}); what it does is not part of the record, and only its"
            " version setting tells one state of it from another."
        )
        return (note,)

    async def ask(self, request: Request) -> Reply:
        """Return the program's reply to one request.

        Parameters
        ----------
        request : Request
            What is asked.

        Returns
        -------
        Reply
            As the program wrote it.

        Raises
        ------
        JudgeError
            With kind ``timeout`` when it took too long, ``server`` when it failed or wrote no
            reply, or the kind that it names itself.
        """
        if self._is_closed:
            raise JudgeError(kind="cancelled", problem="the judge is closed")
        asked = request_value(request, self._settings.temperature, self._settings.max_tokens)
        process = await self._started()
        try:
            async with asyncio.timeout(self._settings.timeout_seconds):
                said, complaint, code = await _spoken(process, json.dumps(asked).encode() + b"\n")
        except TimeoutError:
            problem = f"no whole reply within {self._settings.timeout_seconds:g} s; it was ended"
            raise JudgeError(kind="timeout", problem=problem) from None
        finally:
            await _gone(process)
        if len(said) > _LARGEST_REPLY_BYTES:
            problem = f"the program wrote more than {_LARGEST_REPLY_BYTES // 2**20} MiB"
            raise JudgeError(kind="server", problem=f"{problem}; it was ended")
        if code:
            raise JudgeError(kind="server", problem=_failed(code, complaint))
        return given_reply(_json(said), _sent(asked))

    async def close(self) -> None:
        """Give back nothing: every process ended with its call."""
        self._is_closed = True

    async def _started(self) -> asyncio.subprocess.Process:
        """Start the program; one that was started when the run is interrupted does not go on."""
        starting = asyncio.ensure_future(self._start())
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            # It may run already, though nobody has been told: whoever waits for it waits for long.
            with suppress(JudgeError):
                await _gone(await starting)
            raise

    async def _start(self) -> asyncio.subprocess.Process:
        try:
            return await asyncio.create_subprocess_exec(
                *self._words,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                cwd=self._folder,
                # A group of its own: Ctrl-C reaches the run first, which then ends the whole group.
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            said = getattr(error, "strerror", "") or str(error)
            problem = f"{one_line(self._words[0], 200)} cannot be started: {one_line(said, 200)}"
            raise JudgeError(kind="server", problem=problem, ends_run=True) from None


def _program(settings: CommandJudge, folder: Path) -> str:
    named = settings.command[0]
    place = str((folder / named).absolute()) if os.sep in named else named
    found = shutil.which(place)
    if found is None:
        msg = (
            f"judge {settings.name}: {one_line(place, 200)} is no program that can be started; name"
            " one on PATH, or a file that may be executed, from the protocol's folder"
        )
        raise InputError(msg)
    return str(Path(found).absolute())


async def _spoken(process: asyncio.subprocess.Process, asked: bytes) -> tuple[bytes, bytes, int]:
    """Write the request while both outputs are read, so that no pipe fills up."""
    said, complaint, _ = await asyncio.gather(
        _read(process.stdout, _LARGEST_REPLY_BYTES, lambda: _kill(process)),
        _read(process.stderr, _LARGEST_COMPLAINT_BYTES, lambda: None),
        _written(process.stdin, asked),
    )
    return said, complaint, await process.wait()


async def _written(pipe: asyncio.StreamWriter | None, asked: bytes) -> None:
    # A program may answer, or give up, without having read its request to the end.
    with suppress(BrokenPipeError, ConnectionResetError):
        if pipe is not None:
            pipe.write(asked)
            await pipe.drain()
            pipe.close()
            await pipe.wait_closed()


async def _read(
    pipe: asyncio.StreamReader | None, most: int, when_too_large: Callable[[], None]
) -> bytes:
    """Read to the end; return what is whole, or a little more than the most that may be."""
    parts: list[bytes] = []
    size = 0
    while pipe is not None and (part := await pipe.read(2**16)):
        if size <= most:
            parts.append(part)
        size += len(part)
        if size > most:
            when_too_large()
    return b"".join(parts)


def _kill(process: asyncio.subprocess.Process) -> None:
    """End the program and whatever it started in its group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


async def _gone(process: asyncio.subprocess.Process) -> None:
    """End what is left of the program, and wait until it is gone."""
    _kill(process)
    with suppress(TimeoutError):
        async with asyncio.timeout(_SECONDS_TO_GO):
            await process.wait()


def _failed(code: int, complaint: bytes) -> str:
    how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
    lines = complaint.decode("utf-8", "replace").strip().splitlines()
    said = one_line(lines[-1], _SHOWN) if lines else "it said nothing on standard error"
    return f"the program {how}: {said}"


def _json(said: bytes) -> Any:  # noqa: ANN401 (any JSON value)
    try:
        return json.loads(said)
    except (ValueError, RecursionError):
        pass
    start = one_line(said[:200].decode("utf-8", "replace").strip(), _SHOWN)
    problem = f"the program wrote no JSON: {start}" if start else "the program wrote nothing"
    raise JudgeError(kind="server", problem=problem)


def _sent(asked: dict[str, Any]) -> dict[str, Any]:
    return {k: asked[k] for k in ("temperature", "max_tokens", "seed") if asked[k] is not None}
