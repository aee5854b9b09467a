"""Format ``logprob``: the probabilities of the labels as alternatives for one token.

A label's probability is the sum over its spellings. A label that is not among the alternatives is
unknown, and so is every number that needs it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from counterbalance.parsing.normalise import label_key
from counterbalance.parsing.outcome import Outcome, OutcomeKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.parsing.offer import Offer
    from counterbalance.parsing.task import Task

__all__ = ["label_logprobs", "label_mass", "log_odds_first", "logprob_outcome"]

_SENTINEL = -9000.0
"""Endpoints write -9999 for a probability that they do not know."""
_ROUNDING = 1e-3
_SPACES = str.maketrans({"▁": " ", "Ġ": " ", "Ċ": " ", "ĉ": " "})
"""Marks by which tokenisers write white space at the start of a token."""


def label_logprobs(offer: Offer, token_logprobs: Sequence[tuple[str, float]]) -> dict[str, float]:
    """Return the natural log-probability of each label that has a token among the alternatives.

    Parameters
    ----------
    offer : Offer
        The labels on offer.
    token_logprobs : Sequence[tuple[str, float]]
        Alternatives for the verdict token.

    Returns
    -------
    dict[str, float]
        By key of the label; labels without a token are left out.
    """
    parts: dict[str, list[float]] = {}
    for token, logprob in dict(reversed(token_logprobs)).items():
        key = label_key(token.translate(_SPACES))
        if key in offer.meanings and _SENTINEL < logprob <= _ROUNDING:
            parts.setdefault(key, []).append(min(logprob, 0.0))
    return {key: _log_sum(values) for key, values in parts.items()}


def label_mass(offer: Offer, logprobs: dict[str, float]) -> float | None:
    """Return the total probability of all labels on offer, None when one is unknown.

    Parameters
    ----------
    offer : Offer
        The labels on offer.
    logprobs : dict[str, float]
        What `label_logprobs` returned.

    Returns
    -------
    float | None
        In [0, 1].
    """
    if any(key not in logprobs for key in offer.meanings):
        return None
    return min(1.0, math.fsum(math.exp(x) for x in logprobs.values()))


def log_odds_first(offer: Offer, logprobs: dict[str, float]) -> float | None:
    """Return the log-odds of the first slot's label against the second's, None when unknown.

    Parameters
    ----------
    offer : Offer
        The labels on offer.
    logprobs : dict[str, float]
        What `label_logprobs` returned.

    Returns
    -------
    float | None
        Natural logarithm of P(first) / P(second).
    """
    if offer.first not in logprobs or offer.second not in logprobs:
        return None
    return logprobs[offer.first] - logprobs[offer.second]


def logprob_outcome(task: Task) -> Outcome | None:
    """Read the verdict from the probabilities; the text is not looked at.

    Parameters
    ----------
    task : Task
        The labels on offer, the floor and the margin.

    Returns
    -------
    Outcome | None
        The verdict, or unparsed with the reason in the rule; None without any probabilities.
    """
    if not task.reply.token_logprobs:
        return None
    logprobs = label_logprobs(task.offer, task.reply.token_logprobs)
    mass = label_mass(task.offer, logprobs)
    if mass is None:
        return Outcome(OutcomeKind.UNPARSED, task.rule("logprob", "unknown_label"))
    if mass < task.verdict_format.mass_floor or mass <= 0:
        return Outcome(OutcomeKind.UNPARSED, task.rule("logprob", "mass_floor"))
    top = max(logprobs.values())
    leaders = [key for key, value in logprobs.items() if value == top]
    if set(leaders) <= {task.offer.first, task.offer.second}:
        return _between_slots(task, logprobs)
    return _third(task, leaders)


def _third(task: Task, leaders: list[str]) -> Outcome:
    """Decide for the label that leads and that no slot has."""
    if len(leaders) > 1:
        return Outcome(OutcomeKind.CONFLICTING, task.rule("logprob", "equal"))
    kind = task.offer.meanings[leaders[0]].kind
    return Outcome(kind, task.rule("logprob", "mass"), label=leaders[0])


def _between_slots(task: Task, logprobs: dict[str, float]) -> Outcome:
    first, second = logprobs[task.offer.first], logprobs[task.offer.second]
    # The difference of the shares p1/(p1+p2) and p2/(p1+p2).
    difference = math.tanh((first - second) / 2)
    if abs(difference) <= task.verdict_format.tie_margin:
        is_tie = task.verdict_format.tie is not None
        kind = OutcomeKind.TIE if is_tie else OutcomeKind.CONFLICTING
        return Outcome(kind, task.rule("logprob", "equal"))
    key = task.offer.first if difference > 0 else task.offer.second
    return Outcome(task.offer.meanings[key].kind, task.rule("logprob", "mass"), label=key)


def _log_sum(values: Sequence[float]) -> float:
    top = max(values)
    return min(0.0, top + math.log(math.fsum(math.exp(x - top) for x in values)))
