"""Where a chat endpoint is and what it is asked with: settings and environment brought together."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from counterbalance.errors import InputError, one_line
from counterbalance.judges.apis import APIS, api_of
from counterbalance.protocol.endpoint import base_url_problem
from counterbalance.protocol.raising import limits_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from counterbalance.judges.api import Api
    from counterbalance.judges.judge import Request
    from counterbalance.protocol.judge_settings import HttpJudge

__all__ = [
    "Endpoint",
    "endpoint_of",
    "limits_of_evidence",
    "named_endpoint",
    "named_place",
    "sent_parameters",
    "wanted_parameters",
]

_BASE_URL = "OPENAI_BASE_URL"
_KEY = "OPENAI_API_KEY"
_CHAT = APIS["chat"]
_SHORTEST_SECRET = 6
_SCRUBBED = "[key]"
_DATED = re.compile(r"\d{4}-?\d{2}|\d{4}$|@|sha256")

_ELSEWHERE = (
    "The judge answers from an endpoint; what runs behind it may change at any time, and a rerun "
    "need not give the same replies."
)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address and the key for it.

    Attributes
    ----------
    base : str
        Address without a slash at its end.
    key : str
        The key; empty for none.
    api : Api
        What is spoken there.
    """

    base: str
    key: str
    api: Api

    def __repr__(self) -> str:
        """Show the address only."""
        return f"Endpoint({self.base!r})"

    def address(self, model: str) -> str:
        """Return the address of a model's calls."""
        return self.base + self.api.path(model)

    @property
    def is_loopback(self) -> bool:
        """Whether the address is on this machine."""
        host = urlsplit(self.base).hostname or ""
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost"

    def scrubbed(self, text: str) -> str:
        """Return a text of the server's without the key, should it repeat it."""
        return text.replace(self.key, _SCRUBBED) if len(self.key) >= _SHORTEST_SECRET else text

    def target(self, location: str) -> str:
        """Return where a redirect leads, without what may be secret in it."""
        try:
            parts = urlsplit(urljoin(self.base + "/", location))
            port = "" if parts.port is None else f":{parts.port}"
        except ValueError:
            return "nowhere"
        return one_line(f"{parts.scheme}://{parts.hostname}{port}{parts.path}", 200)


def endpoint_of(settings: HttpJudge, environ: Mapping[str, str]) -> Endpoint:
    """Return the endpoint that a judge's settings mean.

    Parameters
    ----------
    settings : HttpJudge
        Name an address or leave it to the environment.
    environ : Mapping[str, str]
        Environment variables.

    Returns
    -------
    Endpoint
        With a key where one is set.

    Raises
    ------
    InputError
        If the address or the key cannot be used, or a provider is meant and there is no key.
    """
    api, key = api_of(settings), _key(settings.key_name, environ)
    if settings.base_url is not None:
        return Endpoint(settings.base_url.rstrip("/"), key, api)
    is_openai = api.home == _CHAT.home
    if is_openai and (named := _named(environ)) is not None:
        return Endpoint(named, key, api)
    if not key:
        msg = (
            f"judge {settings.name}: no key; set {settings.key_name}, or base_url"
            f"{f' (or {_BASE_URL})' if is_openai else ''} for an endpoint that needs none"
        )
        raise InputError(msg)
    return Endpoint(api.home, key, api)


def named_endpoint(environ: Mapping[str, str]) -> Endpoint | None:
    """Return the endpoint that the environment names, None when it names none."""
    named = _named(environ)
    return None if named is None else Endpoint(named, _key(_KEY, environ), _CHAT)


def named_place(settings: HttpJudge, environ: Mapping[str, str]) -> Endpoint:
    """Return where a judge's settings mean to ask, without its key: for those who only read."""
    key_free = {name: value for name, value in environ.items() if name == _BASE_URL}
    found = endpoint_of(settings, {**key_free, settings.key_name: _SCRUBBED})
    return Endpoint(found.base, "", found.api)


def wanted_parameters(settings: HttpJudge, request: Request) -> dict[str, Any]:
    """Return the parameters that one call is to be asked with.

    Parameters
    ----------
    settings : HttpJudge
        The judge as the protocol declares it.
    request : Request
        May have another temperature or a raised limit, and has the seed of this call.

    Returns
    -------
    dict[str, Any]
        By the names of the protocol.
    """
    own = {
        "temperature": settings.temperature,
        "max_tokens": settings.max_tokens,
        "top_logprobs": settings.top_logprobs,
    }
    wanted = {k: v for k, v in own.items() if v is not None} | settings.parameters
    if request.temperature is not None:
        wanted["temperature"] = request.temperature
    if request.max_tokens is not None:
        wanted |= dict.fromkeys(limits_of(settings), request.max_tokens)
    if settings.sends_seed:
        wanted["seed"] = request.seed
    return wanted


def sent_parameters(
    settings: HttpJudge, endpoint: Endpoint, asked: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what the record holds of a call's parameters: where they went, and what they were."""
    sent = {"endpoint": endpoint.base, **asked}
    if settings.api is not None:
        sent["api"] = settings.api
    return sent


def limits_of_evidence(settings: HttpJudge, endpoint: Endpoint) -> tuple[str, ...]:
    """Return what limits the evidence of a judge behind an endpoint, in sentences."""
    if endpoint.is_loopback or _DATED.search(settings.model):
        return (_ELSEWHERE,)
    alias = (
        f"The model name {one_line(repr(settings.model))} names no dated version: what it stands"
        " for may be exchanged behind it, even during a run."
    )
    return _ELSEWHERE, alias


def _named(environ: Mapping[str, str]) -> str | None:
    found = environ.get(_BASE_URL, "").strip()
    if found and (problem := base_url_problem(found)):
        msg = f"{_BASE_URL}: {problem}"
        raise InputError(msg)
    return found.rstrip("/") or None


def _key(name: str, environ: Mapping[str, str]) -> str:
    key = environ.get(name, "").strip()
    if not all(" " <= c <= "~" for c in key):
        msg = f"{name} holds a line break or another character that no key has; set it anew"
        raise InputError(msg)
    return key
