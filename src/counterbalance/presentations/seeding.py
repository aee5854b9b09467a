"""Everything that looks random is derived from a recorded seed or secret and a name.

No generator has a state here: the same name gives the same draw whatever was drawn before, so a
resumed, reordered or extended run draws the same.
"""

from __future__ import annotations

import hmac
from functools import lru_cache
from string import ascii_lowercase
from typing import TYPE_CHECKING

from counterbalance.errors import InputError, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["fence", "nonce", "rank", "sampling_seed", "uniform"]

_FENCE_LETTERS = 8
_NONCE_BYTES = 8
_RANK_BYTES = 16
_MANTISSA_BITS = 53
_MOST_TRIES = 256


def _derived(secret: str, *names: object, size: int) -> bytes:
    derived = _keyed(secret).copy()
    derived.update("\0".join(map(str, names)).encode())
    return derived.digest()[:size]


@lru_cache(maxsize=8)
def _keyed(secret: str) -> hmac.HMAC:
    return hmac.new(secret.encode(), digestmod="sha256")


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


def fence(secret: str, pair_id: str, texts: Iterable[str]) -> str:
    """Return the mark that fences the texts of one pair: derived, and absent from every text.

    It is the same for all orders, labellings and repetitions of the pair, since a changed mark
    alone can change a small model's verdict.

    Parameters
    ----------
    secret : str
        The secret of the record.
    pair_id : str
        The pair.
    texts : Iterable[str]
        Every text that will stand inside a fence; their order does not matter.

    Returns
    -------
    str
        Eight small letters, which cost fewer tokens than digits: tokenizers split those singly.
    """
    return _absent(secret, "fence", pair_id, texts, _as_letters)


def nonce(secret: str, pair_id: str, texts: Iterable[str] = ()) -> str:
    """Return the secret attribute of the pair's verdict tag, absent from every text of the pair.

    Parameters
    ----------
    secret : str
        The secret of the record.
    pair_id : str
        The pair.
    texts : Iterable[str]
        Every text that will stand inside a fence; their order does not matter.

    Returns
    -------
    str
        Sixteen hexadecimal digits.
    """
    return _absent(secret, "nonce", pair_id, texts, _as_digits)


def _as_letters(derived: bytes) -> str:
    number = int.from_bytes(derived, "big")
    return "".join(ascii_lowercase[number // 26**i % 26] for i in range(_FENCE_LETTERS))


def _as_digits(derived: bytes) -> str:
    return derived[:_NONCE_BYTES].hex()


def _absent(
    secret: str, name: str, pair_id: str, texts: Iterable[str], written: Callable[[bytes], str]
) -> str:
    lowered = [text.lower() for text in texts]
    for attempt in range(_MOST_TRIES):
        mark = written(_derived(secret, name, pair_id, attempt, size=_RANK_BYTES))
        if not any(mark in text for text in lowered):
            return mark
    # So many derived marks are in the texts by design only: whoever wrote them held the secret.
    msg = (
        f"pair {one_line(pair_id)}: its texts hold {_MOST_TRIES} marks derived from the secret that"
        " fences texts, so that they could break out; set another delimiter_secret"
    )
    raise InputError(msg)
