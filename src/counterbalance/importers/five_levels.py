"""The five-step labels of Arena-Hard, and what it means when none was taken from a reply."""

from __future__ import annotations

import re

from counterbalance.importers.judgment import source_outcome
from counterbalance.importers.unread_reply import unread
from counterbalance.parsing.outcome import Outcome, OutcomeKind

__all__ = ["FIVE_LEVELS", "THREE_LEVELS", "without_label"]

_FIRST, _SECOND, _TIE = OutcomeKind.FIRST, OutcomeKind.SECOND, OutcomeKind.TIE
_KINDS = {
    "A>>B": _FIRST, "A>B": _FIRST, "A=B": _TIE, "B>A": _SECOND, "B>>A": _SECOND,
    "B<<A": _FIRST, "B<A": _FIRST, "B=A": _TIE, "A<B": _SECOND, "A<<B": _SECOND,
}  # fmt: skip
THREE_LEVELS = {label: source_outcome(kind) for label, kind in _KINDS.items()}
"""Outcome of each label where the log has dropped the strength."""
FIVE_LEVELS = {
    label: source_outcome(kind)
    if kind is _TIE
    else source_outcome(kind, "much" if len(label) == len("A>>B") else "slightly")
    for label, kind in _KINDS.items()
}
"""Outcome of each label with its strength."""

_LABEL = re.compile(r"\[\[([AB<>=]+)\]\]")


def without_label(reply: str | None) -> Outcome:
    """Return the outcome of a reply from which Arena-Hard's rule took no label.

    Parameters
    ----------
    reply : str | None
        The reply; None when the log keeps none.

    Returns
    -------
    Outcome
        CONFLICTING where two different labels stand in the reply, for then the rule takes none;
        else as `unread`.

    Examples
    --------
    >>> without_label("[[A>B]], or rather [[A=B]]").kind.value
    'conflicting'
    """
    if reply and len(set(_LABEL.findall(reply))) > 1:
        return source_outcome(OutcomeKind.CONFLICTING)
    return unread(reply)
