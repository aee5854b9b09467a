"""JSON columns: the canonical text of a value, wrapped where no database could hold it."""

from __future__ import annotations

import base64
import json
from typing import Any

from counterbalance.items.hashing import canonical_json

__all__ = ["is_unicode", "json_column", "json_from_column"]

_WRAPPED = "surrogatepass_base64"


def json_column(value: Any) -> str:  # noqa: ANN401 (any JSON value)
    r"""Return the canonical JSON text of a value, wrapped if no database could hold it.

    Parameters
    ----------
    value : Any
        A JSON value; its texts may hold anything.

    Returns
    -------
    str
        Text without NUL and without surrogates.

    Examples
    --------
    >>> json_column({"b": "\ud800"})
    '{"surrogatepass_base64":"eyJiIjoi7aCAIn0="}'
    >>> json_from_column(json_column({"b": "\ud800"}))
    {'b': '\ud800'}
    """
    text = canonical_json(value)
    if text.isascii() or is_unicode(text):
        return text
    wrapped = base64.b64encode(text.encode("utf-8", "surrogatepass"))
    return canonical_json({_WRAPPED: wrapped.decode()})


def json_from_column(text: str) -> Any:  # noqa: ANN401 (any JSON value)
    """Return the value of a JSON column."""
    value = json.loads(text)
    if isinstance(value, dict) and _WRAPPED in value:
        content = base64.b64decode(value[_WRAPPED])
        return json.loads(content.decode("utf-8", "surrogatepass"))
    return value


def is_unicode(text: str) -> bool:
    """Say whether a text has no lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
