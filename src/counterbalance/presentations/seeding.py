"""Everything that looks random is derived from a recorded seed or secret and a name.

No generator has a state here: the same name gives the same draw whatever was drawn before, so a
resumed, reordered or extended run draws the same.
"""

from __future__ import annotations

import hashlib
import hmac

__all__ = ["fence", "nonce", "rank", "sampling_seed", "uniform"]

_FENCE_BYTES = 4
_NONCE_BYTES = 8
_RANK_BYTES = 16
_MANTISSA_BITS = 53


def _derived(secret: str, *names: object, size: int) -> bytes:
    message = "\0".join(str(name) for name in names).encode()
    return hmac.new(secret.encode(), message, hashlib.sha256).digest()[:size]


def rank(seed: int, *names: object) -> int:
    """Return a number whose order over different names is a seeded shuffle of them."""
    return int.from_bytes(_derived(f"seed:{seed}", "rank", *names, size=_RANK_BYTES), "big")


def uniform(seed: int, *names: object) -> float:
    """Return a draw from [0, 1) that depends on the seed and the names only."""
    whole = int.from_bytes(_derived(f"seed:{seed}", "uniform", *names, size=8), "big")
    return (whole >> (64 - _MANTISSA_BITS)) / (1 << _MANTISSA_BITS)


def sampling_seed(seed: int, *names: object) -> int:
    """Return a seed for a sampler, below 2**31, which every engine accepts."""
    return int.from_bytes(_derived(f"seed:{seed}", "sampling", *names, size=4), "big") >> 1


def fence(secret: str, pair_id: str, texts: tuple[str, ...]) -> str:
    """Return the mark that fences the texts of one pair: derived, and absent from every text.

    It is the same for all orders, labellings and repetitions of the pair, since a changed mark
    alone can change a small model's verdict.

    Parameters
    ----------
    secret : str
        The secret of the record.
    pair_id : str
        The pair.
    texts : tuple[str, ...]
        Every text that will stand inside a fence.

    Returns
    -------
    str
        Eight hexadecimal digits.
    """
    for attempt in range(1 << 16):
        mark = _derived(secret, "fence", pair_id, attempt, size=_FENCE_BYTES).hex()
        if not any(mark in text.lower() for text in texts):
            return mark
    # 65,536 derived marks inside the texts of one pair: somebody holds the secret and built them.
    msg = f"no fence is absent from the texts of pair {pair_id}"
    raise ValueError(msg)


def nonce(secret: str, pair_id: str) -> str:
    """Return the secret attribute of the pair's verdict tag."""
    return _derived(secret, "nonce", pair_id, size=_NONCE_BYTES).hex()
