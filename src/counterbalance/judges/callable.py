"""A Python function as a judge: what it is handed, and what it may give back."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from counterbalance.errors import JudgeError, one_line
from counterbalance.judges.judge import Request
from counterbalance.presentations.reply import Reply

if TYPE_CHECKING:
    from counterbalance.protocol.judge_settings import CallableJudge

__all__ = ["CallableModelJudge", "JudgeFunction"]

JudgeFunction = Callable[[Request], "str | Reply | Awaitable[str | Reply]"]
"""Takes a request and gives its reply, as text or whole; a coroutine function may take its time."""


class CallableModelJudge:
    """A Python function that judges.

    Parameters
    ----------
    settings : CallableJudge
        Its version, limits and pace.
    function : JudgeFunction
        The function. A plain one is called in a thread for each call.
    """

    def __init__(self, settings: CallableJudge, function: JudgeFunction) -> None:
        self._settings = settings
        self._function = function
        self._is_closed = False

    @property
    def notes(self) -> tuple[str, ...]:
        """What limits the evidence this judge gives, in sentences for the report."""
        told = one_line(self._settings.version, 100)
        note = (
            f"The judge is a Python function (version {told}); what it does is not part of the"
            " record, and only its version setting tells one state of it from another."
        )
        return (note,)

    async def ask(self, request: Request) -> Reply:
        """Return the function's reply to one request.

        Parameters
        ----------
        request : Request
            What is asked; temperature and limit are filled in from the settings.

        Returns
        -------
        Reply
            As the function gave it.

        Raises
        ------
        JudgeError
            As the function raised it; with kind ``timeout`` when it took too long (a plain one is
            left behind in its thread), and ``server`` when it gave back something else.

        Notes
        -----
        Whatever else the function raises is raised on, for the run to record.
        """
        if self._is_closed:
            raise JudgeError(kind="cancelled", problem="the judge is closed")
        whole = replace(
            request,
            temperature=_or(request.temperature, self._settings.temperature),
            max_tokens=_or(request.max_tokens, self._settings.max_tokens),
        )
        seconds = self._settings.timeout_seconds
        limit = asyncio.timeout(seconds)
        try:
            async with limit:
                given = await self._given(whole)
        except TimeoutError as error:
            if not limit.expired():
                raise JudgeError(
                    kind="server", problem=f"TimeoutError: {one_line(error, 300)}"
                ) from None
            raise JudgeError(kind="timeout", problem=f"no reply within {seconds:g} s") from None
        return _reply(given, whole)

    async def close(self) -> None:
        """Give back nothing: the function is its owner's."""
        self._is_closed = True

    async def _given(self, request: Request) -> Any:  # noqa: ANN401 (whatever it gives back)
        if inspect.iscoroutinefunction(self._function):
            return await self._function(request)
        given = await _in_a_thread(self._function, request)
        return await given if inspect.isawaitable(given) else given


async def _in_a_thread(function: JudgeFunction, request: Request) -> Any:  # noqa: ANN401
    """Call a plain function in a thread of its own, which keeps no process from ending."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[tuple[Any, BaseException | None]] = loop.create_future()

    def settle(given: Any, error: BaseException | None) -> None:  # noqa: ANN401
        if not done.done():
            done.set_result((given, error))

    def work() -> None:
        given, fault = None, None
        try:
            given = function(request)
        except BaseException as error:  # noqa: BLE001 (even an exit ends its own call only)
            fault = error
        # The run may be over before a function that took too long is.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, given, fault)

    threading.Thread(target=work, name="judge", daemon=True).start()
    given, error = await done
    if isinstance(error, Exception):
        raise error
    if error is not None:
        raise JudgeError(kind="server", problem=f"{type(error).__name__}: {one_line(error, 300)}")
    return given


def _or(one: Any, other: Any) -> Any:  # noqa: ANN401 (one kind of number)
    return other if one is None else one


def _reply(given: Any, asked: Request) -> Reply:  # noqa: ANN401
    sent = {"temperature": asked.temperature, "max_tokens": asked.max_tokens, "seed": asked.seed}
    declared = {name: value for name, value in sent.items() if value is not None}
    if isinstance(given, str):
        return Reply(text=given, sent=declared)
    if isinstance(given, Reply):
        return replace(given, sent={**declared, **given.sent})
    found = one_line(type(given).__name__)
    raise JudgeError(
        kind="server", problem=f"the function gave back {found}; it must be text or a Reply"
    )
