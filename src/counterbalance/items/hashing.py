"""One canonical form and one tagged hash for everything that is identified by its content.

The canonical form is a contract: a change of it changes every identifier and every recorded key.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

__all__ = ["canonical_json", "tagged_hash"]

_DIGEST_BYTES = 20
_ENCODER = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
)


def canonical_json(value: Any) -> str:  # noqa: ANN401 (any JSON value)
    """Return the one JSON text of a value: sorted keys, no spaces, no escapes but the needed ones.

    Parameters
    ----------
    value : Any
        Built of dict (str keys), list, tuple, str, int, finite float, bool and None.

    Returns
    -------
    str
        The canonical text; equal values have equal texts.

    Examples
    --------
    >>> canonical_json({"b": 1, "a": ["é", None]})
    '{"a":["é",null],"b":1}'
    """
    return _ENCODER.encode(value)


def tagged_hash(tag: str, value: Any) -> str:  # noqa: ANN401 (any JSON value)
    """Return the content hash of a value under a tag that says what kind of thing it is.

    Two things of different kinds never share a hash, even when their content is the same.

    Parameters
    ----------
    tag : str
        The kind, such as ``"candidate/1"``; the number is raised when the content's shape changes.
    value : Any
        A JSON value, see `canonical_json`.

    Returns
    -------
    str
        ``"b2:"`` and the hexadecimal BLAKE2b digest of 20 bytes.

    Examples
    --------
    >>> tagged_hash("candidate/1", "x") == tagged_hash("item/1", "x")
    False
    >>> len(tagged_hash("item/1", {}))
    43
    """
    content = f"{tag}\0{canonical_json(value)}".encode()
    return "b2:" + hashlib.blake2b(content, digest_size=_DIGEST_BYTES).hexdigest()
