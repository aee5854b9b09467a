"""What a JSON reply says beside its verdict: scores of both answers, words quoted from the source.

Neither can make or change a verdict: they are read from the object that the verdict was read from.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

from counterbalance.items.frames import Slot
from counterbalance.parsing.formats.json_scan import scans, whole_scan
from counterbalance.parsing.offer import offer_of

if TYPE_CHECKING:
    from counterbalance.parsing.outcome import Outcome
    from counterbalance.protocol.labelling import Labelling
    from counterbalance.protocol.verdict_format import VerdictFormat

__all__ = ["quote_beside", "score_difference"]

_LONGEST_VALUE = 20_000


def score_difference(
    verdict_format: VerdictFormat, labelling: Labelling, text: str, outcome: Outcome
) -> float | None:
    """Return the score of the first slot less that of the second.

    Parameters
    ----------
    verdict_format : VerdictFormat
        Names the key of the scores.
    labelling : Labelling
        What the prompt called the slots.
    text : str
        The reply as received.
    outcome : Outcome
        What was read from it.

    Returns
    -------
    float | None
        None without a verdict, and unless both scores are finite numbers.

    Examples
    --------
    >>> from counterbalance.parsing.parser import parse_reply
    >>> from counterbalance.presentations.reply import Reply
    >>> from counterbalance.protocol.labelling import Labelling
    >>> from counterbalance.protocol.verdict_format import VerdictFormat
    >>> form = VerdictFormat(format="json", scores="scores")
    >>> labels = Labelling(first="A", second="B")
    >>> text = '{"winner": "A", "scores": {"A": 8, "B": 5.5}}'
    >>> score_difference(form, labels, text, parse_reply(form, labels, Reply(text)))
    2.5
    """
    if verdict_format.scores is None:
        return None
    found = _value_of(verdict_format.scores, text, outcome)
    if not isinstance(found, dict):
        return None
    offer = offer_of(verdict_format, labelling)
    scores: dict[Slot | None, float] = {}
    for label, score in found.items():
        is_number = isinstance(score, int | float) and not isinstance(score, bool)
        if is_number and math.isfinite(score):
            scores[offer.slot(label)] = float(score)
    if Slot.FIRST not in scores or Slot.SECOND not in scores:
        return None
    return scores[Slot.FIRST] - scores[Slot.SECOND]


def quote_beside(verdict_format: VerdictFormat, text: str, outcome: Outcome) -> str:
    """Return the words that a reply quotes from the source.

    Parameters
    ----------
    verdict_format : VerdictFormat
        Names the key of the quote.
    text : str
        The reply as received.
    outcome : Outcome
        What was read from it.

    Returns
    -------
    str
        Empty without a verdict, and where nothing is quoted.
    """
    if verdict_format.quote is None:
        return ""
    found = _value_of(verdict_format.quote, text, outcome)
    return found.strip() if isinstance(found, str) else ""


def _value_of(key: str, text: str, outcome: Outcome) -> object:
    """Return the value of a key of the object that the verdict stands in; None without one."""
    if outcome.span is None or not outcome.is_verdict:
        return None
    whole = whole_scan(text, lenient=True)
    for found in scans(text, lenient=True) if whole is None else (whole,):
        if found.start <= outcome.span[0] < found.end:
            values = [m.value for m in found.members if _decoded(m.key) == key]
            # A key that is given twice with different values says nothing.
            return _decoded(values[0]) if len(set(values)) == 1 else None
    return None


def _decoded(written: str) -> object:
    if len(written) > _LONGEST_VALUE:
        return None
    try:
        value: object = json.loads(written, strict=False)
    except (ValueError, RecursionError):
        return None
    return value
