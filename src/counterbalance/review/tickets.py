"""Opaque marks, derived from the secret of a review: they say nothing to whoever holds them.

A ticket stands for one showing of one task to one reviewer. It is derived and never stored, so a
page that was open when the server was killed can still be answered after a restart.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

__all__ = ["new_link", "new_secret", "session_key", "ticket"]

_BYTES = 16


def new_secret() -> str:
    """Return a secret for a review."""
    return secrets.token_hex(2 * _BYTES)


def new_link() -> str:
    """Return the part of a reviewer's link that nobody can guess."""
    return secrets.token_urlsafe(_BYTES)


def ticket(secret: str, key: str, number: int) -> str:
    """Return the ticket of one showing of a task."""
    return _derived(secret, "ticket", key, str(number))


def session_key(secret: str, review: int, name: str) -> str:
    """Return what a reviewer's browser shows as its right to answer."""
    return _derived(secret, "session", str(review), name)


def _derived(secret: str, *names: str) -> str:
    message = "\0".join(names).encode()
    return hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()[: 2 * _BYTES]
