"""The review page as an application: who may answer, and which page follows which form."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from counterbalance.errors import RecordError
from counterbalance.review.guard import BodyTooLargeError, Guard
from counterbalance.review.pages import (
    Preferences,
    entry_page,
    message_page,
    static_text,
    task_page,
)
from counterbalance.review.tickets import new_link, session_key

if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.requests import Request
    from starlette.types import ASGIApp

    from counterbalance.review.session import ReviewSession, Said

__all__ = ["ReviewPage"]

_SESSION = "counterbalance_review"
_SWITCHES = {"keys": "counterbalance_keys", "diff": "counterbalance_diff"}
_YEAR = 365 * 24 * 3600
_MOST_MILLISECONDS = 10**10
_STATIC = {"review.css": "text/css", "review.js": "text/javascript"}
_NO_LINK = (
    "This page is open to invited reviewers only. Open the link that you were given; each works"
    " once, and whoever started the review can make a new one by starting it again."
)
_NOT_SAVED = (
    "The record cannot be written just now, so what you sent last was not saved. Everything before"
    " it is. Tell whoever started the review, then go back and send it again."
)


class ReviewPage:
    """Serves one review.

    Parameters
    ----------
    session : ReviewSession
        What is served.
    """

    def __init__(self, session: ReviewSession) -> None:
        self._session = session
        self._links = {new_link(): name for name in session.desks}
        self._used: set[str] = set()
        self._keys = {
            name: session_key(session.review.secret, session.review.number, name)
            for name in session.desks
        }

    @property
    def links(self) -> dict[str, str]:
        """Path of each reviewer's link, by name; each lets one browser in."""
        return {name: f"/enter/{link}" for link, name in self._links.items()}

    def application(self, hosts: Collection[str]) -> ASGIApp:
        """Return the application.

        Parameters
        ----------
        hosts : Collection[str]
            Host headers that it answers to.

        Returns
        -------
        ASGIApp
            With its guard around it.
        """
        routes = [
            Route("/", self._task, methods=["GET"]),
            Route("/answer", self._answer, methods=["POST"]),
            Route("/undo", self._undo, methods=["POST"]),
            Route("/flag", self._flag, methods=["POST"]),
            Route("/evidence", self._evidence, methods=["POST"]),
            Route("/switch", self._switch, methods=["POST"]),
            Route("/enter", self._enter, methods=["POST"]),
            Route("/enter/{link}", self._entry, methods=["GET"]),
            Route("/static/{name}", _static, methods=["GET"]),
            Route("/favicon.ico", _nothing, methods=["GET"]),
        ]
        app = Starlette(
            routes=routes,
            exception_handlers={
                404: _absent,
                405: _absent,
                BodyTooLargeError: _too_large,
                RecordError: _not_saved,
            },
        )
        return Guard(app, hosts)

    async def _task(self, request: Request) -> Response:
        name = self._name(request)
        if name is None:
            return _page(message_page("Not open to you", _NO_LINK), 403)
        session = self._session
        showing = await session.current(name)
        pair = None if showing is None else session.pair(showing)
        said = request.query_params.get("said", "")
        switched = _preferences(request)
        return _page(
            task_page(session.desks[name], showing, pair, session.protocol, switched, said)
        )

    async def _answer(self, request: Request) -> Response:
        form = await _form(request)
        name = self._name(request)
        if name is None:
            return _page(message_page("Not open to you", _NO_LINK), 403)
        seen = {
            "scrolled_1": form.get("scrolled_1") == "1",
            "scrolled_2": form.get("scrolled_2") == "1",
            "left_page": _whole(form.get("left_page")),
            "milliseconds": _whole(form.get("milliseconds")),
        }
        ticket, choice = form.get("ticket", ""), form.get("choice", "")
        return _next(await self._session.answer(name, ticket, choice, seen))

    async def _undo(self, request: Request) -> Response:
        form = await _form(request)
        name = self._name(request)
        if name is None:
            return _page(message_page("Not open to you", _NO_LINK), 403)
        return _next(await self._session.undo(name, form.get("last", "")))

    async def _flag(self, request: Request) -> Response:
        form = await _form(request)
        name = self._name(request)
        if name is None:
            return _page(message_page("Not open to you", _NO_LINK), 403)
        return _next(await self._session.flag(name, form.get("ticket", "")))

    async def _evidence(self, request: Request) -> Response:
        form = await _form(request)
        name = self._name(request)
        if name is None:
            return _page(message_page("Not open to you", _NO_LINK), 403)
        relied_on = [kind.removeprefix("on_") for kind in form if kind.startswith("on_")]
        last, comment = form.get("last", ""), form.get("comment", "")
        return _next(await self._session.evidence(name, last, relied_on, comment))

    async def _switch(self, request: Request) -> Response:
        form = await _form(request)
        answer = RedirectResponse("/", 303)
        for switch, cookie in _SWITCHES.items():
            if form.get(switch) in {"on", "off"}:
                _set_cookie(answer, request, cookie, form[switch])
        return answer

    async def _entry(self, request: Request) -> Response:
        link = request.path_params["link"]
        name = self._links.get(link)
        if name is not None and name == self._name(request):
            return RedirectResponse("/", 303)
        if name is None or link in self._used:
            return _page(message_page("This link does not work", _NO_LINK), 403)
        return _page(entry_page(link, self._session.protocol))

    async def _enter(self, request: Request) -> Response:
        link = (await _form(request)).get("link", "")
        name = self._links.get(link)
        if name is None or (link in self._used and name != self._name(request)):
            return _page(message_page("This link does not work", _NO_LINK), 403)
        self._used.add(link)
        answer = RedirectResponse("/", 303)
        _set_cookie(answer, request, _SESSION, self._keys[name])
        return answer

    def _name(self, request: Request) -> str | None:
        """Return whose browser sent a request; None for nobody's."""
        given = request.cookies.get(_SESSION, "").encode()
        found = None
        for name, key in self._keys.items():
            if hmac.compare_digest(key.encode(), given):
                found = name
        return found


def _set_cookie(answer: Response, request: Request, name: str, value: str) -> None:
    answer.set_cookie(
        name,
        value,
        max_age=_YEAR,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )


def _page(html: str, status: int = 200) -> Response:
    return HTMLResponse(html, status)


def _next(said: Said) -> Response:
    return RedirectResponse(f"/?said={said.value}", 303)


def _preferences(request: Request) -> Preferences:
    return Preferences(
        keys=request.cookies.get(_SWITCHES["keys"]) != "off",
        diff=request.cookies.get(_SWITCHES["diff"]) == "on",
    )


async def _form(request: Request) -> dict[str, str]:
    """Return the fields of a form; what is no form has none."""
    body = await request.body()
    try:
        fields = parse_qs(body.decode("utf-8"), keep_blank_values=True, max_num_fields=100)
    except ValueError:
        return {}
    return {name: values[-1].replace("\0", "") for name, values in fields.items()}


def _whole(text: str | None) -> int | None:
    """Return a count that a browser sent; None for anything else."""
    if text is None or not text.isascii() or not text.isdecimal():
        return None
    return min(int(text[:20]), _MOST_MILLISECONDS)


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _STATIC:
        return await _absent(request, None)
    return Response(static_text(name), media_type=_STATIC[name])


async def _nothing(_: Request) -> Response:
    return Response(status_code=204)


async def _absent(_: Request, __: Any) -> Response:  # noqa: ANN401 (any exception)
    return _page(message_page("There is no such page", "Go on with the page of the review."), 404)


async def _too_large(_: Request, __: Any) -> Response:  # noqa: ANN401 (any exception)
    return _page(message_page("Not saved", "The form is too large."), 413)


async def _not_saved(_: Request, __: Any) -> Response:  # noqa: ANN401 (any exception)
    return _page(message_page("Not saved", _NOT_SAVED), 503)
