"""Regular expressions over texts that nobody vouches for: RE2, linear in the text's length."""

from __future__ import annotations

from functools import lru_cache

from counterbalance.errors import one_line

__all__ = ["is_found", "pattern_problem"]


@lru_cache(maxsize=1024)
def pattern_problem(pattern: str) -> str | None:
    """Say why a pattern cannot be used, or return None.

    Parameters
    ----------
    pattern : str
        A pattern in RE2 syntax.

    Returns
    -------
    str | None
        The problem, to stand after the key's name.

    Examples
    --------
    >>> pattern_problem("(open")
    'holds a pattern that RE2 does not accept (missing ): (open)'
    """
    import re2  # noqa: PLC0415 (a native library, rarely needed)

    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(pattern, options)
    except re2.error as error:
        return f"holds a pattern that RE2 does not accept ({_words(error)})"
    return None


def is_found(pattern: str, text: str) -> bool:
    """Say whether a pattern is found anywhere in a text.

    Parameters
    ----------
    pattern : str
        A pattern that `pattern_problem` has nothing against.
    text : str
        Any text; half a surrogate pair counts as a question mark.

    Returns
    -------
    bool
        Whether it is.

    Examples
    --------
    >>> is_found("(?i)order [0-9]+", "Your Order 17 is on its way.")
    True
    """
    import re2  # noqa: PLC0415

    if not text.isascii():
        text = text.encode("utf-8", "replace").decode()
    return re2.search(pattern, text) is not None


def _words(error: Exception) -> str:
    text = error.args[0] if error.args else error
    return one_line(text.decode(errors="replace") if isinstance(text, bytes) else text)
