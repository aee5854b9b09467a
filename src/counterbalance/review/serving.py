"""The server of a review page: bound first, so that a taken port is one clear line."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import socket
from contextlib import suppress
from typing import TYPE_CHECKING

from counterbalance.errors import MissingExtraError, UsageError, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from counterbalance.review.session import ReviewSession

__all__ = ["allowed_hosts", "bound", "is_loopback", "serve"]

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def bound(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address.

    Parameters
    ----------
    host : str
        Name or address.
    port : int
        0 takes a free one.

    Returns
    -------
    socket.socket
        Bound; a server started on it serves at once.

    Raises
    ------
    UsageError
        If the address is taken, or is none of this machine.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        made = socket.socket(family, kind, protocol)
    except OSError as error:
        msg = f"--host {one_line(host)}: {error.strerror}; name an address of this machine"
        raise UsageError(msg) from None
    # A restart after a kill must not wait for old connections to be forgotten.
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind(address)
        made.listen()
    except OSError as error:
        made.close()
        if error.errno == errno.EADDRINUSE:
            msg = (
                f"port {port} of {host} is in use; choose another with --port (0 takes a free one)"
            )
        else:
            msg = f"{host} port {port}: {error.strerror}; choose others with --host and --port"
        raise UsageError(msg) from None
    made.setblocking(False)  # noqa: FBT003 (the standard library's signature)
    return made


def allowed_hosts(host: str, port: int, more: Iterable[str] = ()) -> frozenset[str]:
    """Return the Host headers that a server answers to.

    Parameters
    ----------
    host : str
        What it is bound to.
    port : int
        Its port.
    more : Iterable[str]
        Further names that lead to it, such as that of a proxy; with their port where it is not a
        usual one.

    Returns
    -------
    frozenset[str]
        In small letters.
    """
    names = {*_LOOPBACK, f"[{host}]" if ":" in host else host}
    named = {f"{name}:{port}" for name in names}
    return frozenset(name.lower() for name in (*named, *more))


def is_loopback(host: str) -> bool:
    """Say whether an address can be reached from this machine only."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def serve(
    session: Callable[[], ReviewSession],
    listening: socket.socket,
    hosts: Iterable[str],
    announce: Callable[[dict[str, str]], None],
) -> ReviewSession:
    """Serve a review until it is interrupted.

    Parameters
    ----------
    session : Callable[[], ReviewSession]
        Makes what is served, inside the event loop.
    listening : socket.socket
        From `bound`.
    hosts : Iterable[str]
        From `allowed_hosts`.
    announce : Callable[[dict[str, str]], None]
        Told the path of each reviewer's link by name, once requests are answered.

    Returns
    -------
    ReviewSession
        What was served.

    Raises
    ------
    MissingExtraError
        If the server is not installed.
    """
    try:
        import uvicorn  # noqa: PLC0415 (an extra)

        from counterbalance.review.server import ReviewPage  # noqa: PLC0415 (an extra)
    except ModuleNotFoundError:
        part, command = "the review page", "python -m pip install 'counterbalance[review]'"
        raise MissingExtraError(part, command) from None

    served: list[ReviewSession] = []

    async def main() -> None:
        served.append(session())
        page = ReviewPage(served[0])
        config = uvicorn.Config(
            page.application(frozenset(hosts)),
            log_config=None,
            access_log=False,
            lifespan="off",
            server_header=False,
            date_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=5,
        )
        server = uvicorn.Server(config)
        announce(page.links)
        await server.serve(sockets=[listening])

    # The server ends in good order first, and then lets the interrupt go on.
    with suppress(KeyboardInterrupt):
        asyncio.run(main())
    return served[0]
