"""Judges behind an endpoint, whichever API it speaks: one request, one raw reply.

The key goes to the configured address and nowhere else: redirects are never followed, and texts
of the server that repeat it are scrubbed. Nothing is retried here; every call is the run's to
count. This is the only file that imports the HTTP client.
"""

from __future__ import annotations

import asyncio
import io
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import aiohttp
from pydantic_core import to_json

from counterbalance import __version__
from counterbalance.errors import JudgeError, one_line
from counterbalance.judges.endpoint import (
    Endpoint,
    endpoint_of,
    limits_of_evidence,
    sent_parameters,
    wanted_parameters,
)
from counterbalance.judges.endpoint_errors import (
    failure_of,
    rejected_parameters,
    retry_after,
    said_by,
    said_in,
    status_inside,
)
from counterbalance.judges.reply_fields import json_value
from counterbalance.presentations.reply import Reply

if TYPE_CHECKING:
    from collections.abc import Mapping

    from counterbalance.judges.api import Api
    from counterbalance.judges.judge import Request
    from counterbalance.protocol.judge_settings import HttpJudge

__all__ = ["HttpModelJudge", "offered_models"]

_LARGEST_REPLY_BYTES = 16 * 2**20
_LARGE_REQUEST_BYTES = 2**19
_LARGEST_ERROR_BYTES = 2**16
# Shorter than what common servers allow, so that a call rarely meets a connection being closed.
_KEEP_ALIVE_SECONDS = 4.0
_LONGEST_CONNECTING_SECONDS = 30.0
_SECONDS_FOR_MODELS = 10.0
_MOST_MODELS = 12
_FINE = range(200, 300)
_REDIRECTS = range(300, 400)


class _Connector(aiohttp.TCPConnector):
    """Hands out no connection on which something arrived while nothing was asked.

    A server that answers one request twice would otherwise answer the next one with it.
    """

    async def connect(
        self,
        req: aiohttp.ClientRequest,
        traces: list[Any],
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109
    ) -> Any:  # noqa: ANN401 (the client exports no name for it)
        while True:
            connection = await super().connect(req, traces, timeout)
            protocol = connection.protocol
            if protocol is None or not protocol.should_close:
                return connection
            connection.close()


class HttpModelJudge:
    """A model behind an endpoint.

    Parameters
    ----------
    settings : HttpJudge
        Address, model, parameters and limits.
    environ : Mapping[str, str]
        Environment variables; holds the key, and the address where the settings name none.
    api : Api | None
        How it is spoken to where that is not for a verdict; None takes what the settings name.
    """

    def __init__(
        self, settings: HttpJudge, environ: Mapping[str, str], *, api: Api | None = None
    ) -> None:
        self._settings = settings
        self._endpoint = endpoint_of(settings, environ)
        if api is not None:
            self._endpoint = replace(self._endpoint, api=api)
        self._address = self._endpoint.address(settings.model)
        self._dropped: set[str] = set()
        self._session: aiohttp.ClientSession | None = None
        self._listing = asyncio.Lock()
        self._offered = ""
        self._is_closed = False

    @property
    def notes(self) -> tuple[str, ...]:
        """What limits the evidence this judge gives, in sentences for the report."""
        return limits_of_evidence(self._settings, self._endpoint)

    async def ask(self, request: Request) -> Reply:
        """Return the endpoint's reply to one request.

        Parameters
        ----------
        request : Request
            What is asked.

        Returns
        -------
        Reply
            Text, reasoning, refusal, finish reason, usage, model and fingerprint as received.

        Raises
        ------
        JudgeError
            With the kind that status and body of the answer mean.
        """
        if self._is_closed:
            raise JudgeError(kind="cancelled", problem="the judge is closed")
        try:
            return await self._answered(request)
        except JudgeError as error:
            raise JudgeError(
                error.kind,
                self._endpoint.scrubbed(error.problem),
                retry_after=error.retry_after,
                ends_run=error.ends_run,
            ) from None

    async def close(self) -> None:
        """Close the connections; a second call does nothing."""
        self._is_closed = True
        if self._session is not None:
            await self._session.close()

    async def _answered(self, request: Request) -> Reply:
        while True:
            asked = wanted = wanted_parameters(self._settings, request)
            if self._dropped:
                asked = {name: value for name, value in wanted.items() if name not in self._dropped}
            status, headers, content = await self._post(request, asked)
            if status in _FINE:
                return self._reply(headers, content, self._sent(wanted, asked))
            if status in _REDIRECTS:
                raise self._redirected(headers)
            said = said_by(content)
            rejected = rejected_parameters(status, said, asked, self._endpoint.api.spellings)
            if droppable := [name for name in rejected if name in self._settings.droppable]:
                self._dropped.update(droppable)
                continue
            failure = failure_of(status, said, retry_after(headers))
            if failure is None:
                return _filtered(self._sent(wanted, asked))
            raise await self._explained(failure, rejected)

    # ------------------------------------------------------------------ what is sent

    def _sent(self, wanted: dict[str, Any], asked: dict[str, Any]) -> dict[str, Any]:
        sent = sent_parameters(self._settings, self._endpoint, asked)
        if asked is wanted:
            return sent
        if dropped := {name: value for name, value in wanted.items() if name not in asked}:
            # The seed differs from call to call by design; its absence does not.
            sent["dropped"] = {k: "recorded seed" if k == "seed" else v for k, v in dropped.items()}
        return sent

    async def _post(
        self, request: Request, asked: dict[str, Any]
    ) -> tuple[int, Mapping[str, str], bytes]:
        body = self._endpoint.api.body(self._settings.model, request.messages, asked)
        try:
            async with self._opened().post(
                self._address, data=_payload(body), allow_redirects=False
            ) as response:
                return response.status, response.headers, await _content(response)
        except (aiohttp.ClientError, OSError) as error:
            raise _unreached(error, self._endpoint.base, self._settings.timeout_seconds) from None

    def _opened(self) -> aiohttp.ClientSession:
        """Return the one session; it belongs to the event loop of the first call."""
        if self._session is None:
            seconds = self._settings.timeout_seconds
            self._session = _session(seconds, self._settings.concurrency, self._endpoint)
        return self._session

    # ------------------------------------------------------------------ what came back

    def _reply(self, headers: Mapping[str, str], content: bytes, sent: dict[str, Any]) -> Reply:
        value = json_value(content, headers.get("Content-Type", ""))
        if not isinstance(value, dict):
            raise JudgeError(kind="server", problem=f"the reply is no object: {one_line(value)}")
        if value.get("error"):
            said = said_in(value["error"])
            status = status_inside(said, value)
            failure = failure_of(status, said, retry_after(headers))
            if failure is not None:
                raise failure
            return _filtered(sent)
        reply = self._endpoint.api.reply_of(value, sent)
        return self._without_key(reply) if self._endpoint.key else reply

    def _without_key(self, reply: Reply) -> Reply:
        scrubbed = self._endpoint.scrubbed
        return replace(
            reply,
            text=scrubbed(reply.text),
            finish=scrubbed(reply.finish),
            reasoning=scrubbed(reply.reasoning),
            refusal=scrubbed(reply.refusal),
            token_logprobs=tuple((scrubbed(token), x) for token, x in reply.token_logprobs),
            model=scrubbed(reply.model),
            fingerprint=scrubbed(reply.fingerprint),
        )

    def _redirected(self, headers: Mapping[str, str]) -> JudgeError:
        shown = self._endpoint.target(headers.get("Location", ""))
        problem = (
            f"the endpoint redirects to {shown}, which was not followed and got no key; if it is"
            " the right address, set base_url to it"
        )
        return JudgeError("network", problem, ends_run=True)

    async def _explained(self, failure: JudgeError, rejected: list[str]) -> JudgeError:
        problem = failure.problem
        if rejected and failure.kind == "bad_request":
            names = ", ".join(rejected)
            problem += f" (rejected: {names}; leave it out, or list it in droppable)"
        elif failure.kind == "auth" and not self._endpoint.key:
            problem += f" (no key was sent: {self._settings.key_name} is not set)"
        elif failure.ends_run and failure.kind == "bad_request":
            problem += f" (asked for model {self._settings.model!r} at {self._endpoint.base}"
            problem += f"; {await self._models()})"
        return JudgeError(
            failure.kind, problem, retry_after=failure.retry_after, ends_run=failure.ends_run
        )

    async def _models(self) -> str:
        async with self._listing:
            if not self._offered:
                seconds = min(self._settings.timeout_seconds, _SECONDS_FOR_MODELS)
                _, self._offered = await _offer(self._opened(), self._endpoint.base, seconds)
            return self._offered


async def offered_models(endpoint: Endpoint, seconds: float) -> tuple[bool, str]:
    """Ask an endpoint what it offers.

    Parameters
    ----------
    endpoint : Endpoint
        The address, and perhaps a key.
    seconds : float
        Longest wait.

    Returns
    -------
    tuple[bool, str]
        Whether it lists models, and which, or why that is not known; never the key.
    """
    session = _session(seconds, 1, endpoint)
    try:
        is_listed, words = await _offer(session, endpoint.base, seconds)
        return is_listed, endpoint.scrubbed(words)
    finally:
        await session.close()


def _session(seconds: float, concurrency: int, endpoint: Endpoint) -> aiohttp.ClientSession:
    headers = {
        "User-Agent": f"counterbalance/{__version__}",
        "Accept": "application/json",
        # What is packed cannot be measured before it is unpacked.
        "Accept-Encoding": "identity",
        "Content-Type": "application/json",
        **endpoint.api.headers(endpoint.key),
    }
    return aiohttp.ClientSession(
        connector=_Connector(limit=concurrency + 1, keepalive_timeout=_KEEP_ALIVE_SECONDS),
        timeout=aiohttp.ClientTimeout(
            total=seconds, sock_connect=min(seconds, _LONGEST_CONNECTING_SECONDS)
        ),
        headers=headers,
        cookie_jar=aiohttp.DummyCookieJar(),
    )


def _payload(body: dict[str, Any]) -> aiohttp.Payload:
    """Return a body as bytes; a large one as a stream, which leaves the event loop its turns."""
    try:
        content = to_json(body)
    except ValueError:
        # Half of a surrogate pair has no UTF-8, but an escape.
        content = json.dumps(body).encode()
    if len(content) < _LARGE_REQUEST_BYTES:
        return aiohttp.BytesPayload(content)
    return aiohttp.BytesIOPayload(io.BytesIO(content))


async def _content(response: aiohttp.ClientResponse) -> bytes:
    """Return the body as far as it may be large; of an error, its beginning is enough."""
    is_fine = response.status in _FINE
    most = _LARGEST_REPLY_BYTES if is_fine else _LARGEST_ERROR_BYTES
    length = response.content_length
    if length is not None and length <= most:
        return await response.read()
    parts, size = [], 0
    async for part in response.content.iter_any():
        parts.append(part)
        size += len(part)
        if size > most:
            if not is_fine:
                break
            problem = f"the reply is larger than {most // 2**20} MiB; the rest was not read"
            raise JudgeError(kind="server", problem=problem)
    return b"".join(parts)


def _filtered(sent: dict[str, Any]) -> Reply:
    """Return what a content filter leaves: a reply without words, refused."""
    return Reply(text="", finish="content_filter", sent=sent)


def _unreached(error: Exception, base: str, seconds: float) -> JudgeError:
    """Name what went wrong below HTTP; the client's own words may hold headers."""
    said = one_line(getattr(error, "strerror", "") or type(error).__name__, 200)
    kind = "network"
    match error:
        case TimeoutError():
            kind, problem = "timeout", f"no whole reply from {base} within {seconds:g} s"
        case aiohttp.ClientSSLError():
            detail = one_line(getattr(error, "certificate_error", "") or said, 200)
            problem = f"TLS with {base}: {detail}; name its authority in SSL_CERT_FILE"
        case aiohttp.ClientConnectorError():
            problem = f"cannot reach {base}: {said}"
        case aiohttp.ClientPayloadError():
            problem = f"the reply of {base} ended before it was whole"
        case aiohttp.ClientResponseError():
            kind, problem = "server", f"what {base} answered is no HTTP"
        case _:
            problem = f"the connection to {base} broke: {said}"
    return JudgeError(kind, problem)


async def _offer(session: aiohttp.ClientSession, base: str, seconds: float) -> tuple[bool, str]:
    """Return whether an endpoint lists its models, and in words which."""
    try:
        async with session.get(
            f"{base}/models",
            allow_redirects=False,
            timeout=aiohttp.ClientTimeout(total=seconds),
        ) as response:
            if response.status not in _FINE:
                return False, f"its list of models answers {response.status}"
            value = json.loads(await _content(response))
    except (aiohttp.ClientError, OSError, ValueError, RecursionError, JudgeError) as error:
        return False, f"its list of models cannot be read ({type(error).__name__})"
    listed = value.get("data", value.get("models")) if isinstance(value, dict) else value
    names = [
        str(entry.get("id", entry.get("name", "")))
        for entry in (listed if isinstance(listed, list) else ())
        if isinstance(entry, dict)
    ]
    more = f" and {len(names) - _MOST_MODELS} more" if len(names) > _MOST_MODELS else ""
    return True, f"it offers {one_line(', '.join(names[:_MOST_MODELS]) or 'no model', 300)}{more}"
