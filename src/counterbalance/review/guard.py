"""What stands before every request: whose it can be, how large it may be, what a page may do.

Plain ASGI, so that it holds for every answer, those of the framework included.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse

if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["HEADERS", "MOST_BYTES", "BodyTooLargeError", "Guard"]

MOST_BYTES = 64 * 1024
"""Largest body of a request; the longest comment takes a fraction of it."""

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self';"
        " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""Sent with every answer: nothing is fetched from elsewhere, framed, cached or told to others."""

_READING = frozenset({"GET", "HEAD"})
_OWN = frozenset({"same-origin", "none"})


class BodyTooLargeError(Exception):
    """The body of a request is larger than any form of the page."""


class Guard:
    """Lets a request through only where it comes from a page of this server.

    Parameters
    ----------
    app : ASGIApp
        What it guards.
    hosts : Collection[str]
        Values of the Host header that the server answers to, with their ports, in small letters:
        a name that somebody else points at this machine is none of them.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self._app = app
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        if problem := self._problem(scope):
            await PlainTextResponse(problem[1], problem[0])(scope, receive, guarded)
            return
        await self._app(scope, _limited(receive), guarded)

    def _problem(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "").lower()
        if host not in self._hosts:
            return 421, "This address is not one that the review page answers to."
        if scope["method"] not in _READING and not _is_own(headers, host):
            return 403, "The form was not sent from a page of this review."
        return None


def _is_own(headers: Headers, host: str) -> bool:
    """Say whether the browser says that a page of this very server sent the form."""
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is None and origin is None:
        return False
    if site is not None and site not in _OWN:
        return False
    return origin is None or urlsplit(origin).netloc.lower() == host


def _limited(receive: Receive) -> Receive:
    taken = 0

    async def limited() -> Any:  # noqa: ANN401 (a message of the protocol)
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > MOST_BYTES:
            raise BodyTooLargeError
        return message

    return limited
