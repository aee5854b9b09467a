"""Whether quoted words stand in the source; never whether they carry the verdict."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

__all__ = ["QuoteState", "quote_state"]

QuoteState = Literal["quoted", "not_found", "none"]

_LEFT_OUT = re.compile(r"\[\s*(?:\.\.\.|…)\s*\]|\.\.\.|…")
_MARKS = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»‹›″", '"'),
        **dict.fromkeys("‘’‚‛′`", "'"),
        **dict.fromkeys("‐‑‒–—―−", "-"),
    }
)


def quote_state(context: str, quote: str) -> QuoteState:
    """Look for quoted words in the source.

    Letter case, spacing and the form of quotation marks and dashes do not count. Words that are
    left out may be marked by three dots; the parts must stand in the source in their order.

    Parameters
    ----------
    context : str
        The source.
    quote : str
        What the judge quotes; empty for nothing.

    Returns
    -------
    QuoteState
        ``quoted``, ``not_found`` or ``none``.

    Examples
    --------
    >>> quote_state("Parcels arrive on Tuesday.", "“parcels  arrive”")
    'quoted'
    >>> quote_state("Parcels arrive on Tuesday.", "Parcels ... Tuesday")
    'quoted'
    >>> quote_state("Parcels arrive on Tuesday.", "on Monday")
    'not_found'
    >>> quote_state("Parcels arrive on Tuesday.", ' "" ')
    'none'
    """
    source = _plain(context)
    parts = [part for part in map(_bare, _LEFT_OUT.split(_plain(quote))) if part]
    if not parts:
        return "none"
    place = 0
    for part in parts:
        found = source.find(part, place)
        if found < 0:
            return "not_found"
        place = found + len(part)
    return "quoted"


def _plain(text: str) -> str:
    # Dots that stand for words left out must not be taken apart before they are looked for.
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_MARKS)
    return " ".join(folded.split())


def _bare(part: str) -> str:
    """Take off the marks around a quote, which are the judge's own."""
    return part.strip(" \"'")
