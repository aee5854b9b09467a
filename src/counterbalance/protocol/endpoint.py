"""Addresses of endpoints and names of key variables: what may stand in a protocol.

A key has no business in a protocol, a record, a log or an error; so neither has a value that might
be one.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from counterbalance.protocol.endpoint_apis import API_TERMS

__all__ = ["base_url_problem", "key_name_problem"]

_ENDINGS = ("/completions", *(terms.ending for terms in API_TERMS.values()), "/models")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}\Z")


def base_url_problem(text: str) -> str:
    """Return what is wrong with the address of an endpoint, empty when nothing is.

    Parameters
    ----------
    text : str
        The address.

    Returns
    -------
    str
        A sentence that never holds a password.

    Examples
    --------
    >>> base_url_problem("http://127.0.0.1:8000/v1")
    ''
    >>> base_url_problem("localhost:8000")
    'base_url must begin with http:// or https:// and name a host'
    """
    try:
        parts = urlsplit(text)
        has_host = parts.scheme in {"http", "https"} and bool(parts.hostname)
        has_port = parts.port is None or parts.port > 0
    except ValueError:
        return "base_url is no address; it must be like http://127.0.0.1:8000/v1"
    if not has_host or not has_port or re.search(r"[\s\x00-\x1f]", text):
        return "base_url must begin with http:// or https:// and name a host"
    is_whole = parts.query or parts.fragment or parts.path.rstrip("/").endswith(_ENDINGS)
    problem = ""
    if parts.username is not None or parts.password is not None:
        problem = "base_url holds a user or password, which would be recorded; name api_key_env"
    elif is_whole:
        problem = (
            "base_url must end before /chat/completions, /responses, /messages or /models, without"
            " a query or fragment"
        )
    return problem


def key_name_problem(name: str) -> str:
    """Return what is wrong with the name of a key's environment variable, empty when nothing is.

    Parameters
    ----------
    name : str
        The name.

    Returns
    -------
    str
        A sentence that never repeats what was found: it might be the key itself.
    """
    if _NAME.match(name):
        return ""
    return (
        "api_key_env must be the NAME of an environment variable (letters, digits and _), never"
        " the key itself; what was found is not shown here"
    )
