"""Short names for items that a log knows by their text alone, the same in every file."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from counterbalance.errors import one_line

__all__ = ["item_named"]

_SHOWN = 48
_DIGEST_BYTES = 6


@lru_cache(maxsize=4096)
def item_named(text: str) -> str:
    """Return a name that two items share only if their texts are equal.

    Parameters
    ----------
    text : str
        Prompt or instruction, whole.

    Returns
    -------
    str
        The beginning of the text on one line, and 12 hexadecimal digits of its BLAKE2b digest.

    Examples
    --------
    >>> item_named("How do I dice?")
    'How do I dice? #510e65265a73'
    """
    content = text.encode("utf-8", "surrogatepass")
    digest = hashlib.blake2b(content, digest_size=_DIGEST_BYTES).hexdigest()
    return f"{one_line(text[: _SHOWN + 1], _SHOWN)} #{digest}"
