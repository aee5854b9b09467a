"""Verdicts by the likelihood of whole answers: a changed objective, not another display.

A backend that returns the log-probability of every token of an answer prefers one by comparing
sums, or means per token. The sum falls with every token, so it favours short answers; neither
stands for the other, and both are shown by name.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from counterbalance.items.frames import Order
from counterbalance.measures.probe_scores import signed_score
from counterbalance.measures.probe_values import Value
from counterbalance.probes.probe import Frame

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from counterbalance.items.item import Pair
    from counterbalance.measures.estimate import Estimate
    from counterbalance.probes.probe import Probe

__all__ = [
    "AnswerLikelihoods",
    "Reduction",
    "has_likelihood_target",
    "likelihood_score",
    "reduced",
]


class Reduction(StrEnum):
    """How the log-probabilities of an answer's tokens become one number."""

    SUM = "sum"
    """Of the whole answer: longer answers are less likely."""
    MEAN = "mean per token"
    """Per token: the length does not enter by itself."""


@dataclass(frozen=True, slots=True)
class AnswerLikelihoods:
    """Natural log-probabilities of every token of both answers of a pair.

    Attributes
    ----------
    a : tuple[float, ...]
        Of candidate a, in the order of its tokens.
    b : tuple[float, ...]
        Of candidate b.
    """

    a: tuple[float, ...]
    b: tuple[float, ...]


def reduced(logprobs: Sequence[float], reduction: Reduction) -> float:
    """Return one number for an answer.

    Parameters
    ----------
    logprobs : Sequence[float]
        Natural log-probabilities of its tokens, one or more.
    reduction : Reduction
        Sum, or mean per token.

    Returns
    -------
    float
        The larger, the more likely.

    Notes
    -----
    **Unit of analysis**: the answer.
    **Denominator**: 1 for the sum, its tokens for the mean.
    **Undefined** without a token; the reader of the file refuses such an answer.

    Examples
    --------
    >>> reduced([-1.0, -1.0], Reduction.SUM), reduced([-1.0, -1.0], Reduction.MEAN)
    (-2.0, -1.0)
    """
    total = math.fsum(logprobs)
    return total if reduction is Reduction.SUM else total / len(logprobs)


def likelihood_score(
    probe: Probe,
    pairs: Iterable[Pair],
    likelihoods: Mapping[str, AnswerLikelihoods],
    reduction: Reduction,
    level: float = 0.95,
) -> tuple[Estimate, int]:
    """Return the score of a probe where the more likely answer counts as preferred.

    Parameters
    ----------
    probe : Probe
        A probe whose target is a candidate.
    pairs : Iterable[Pair]
        Its probe pairs.
    likelihoods : Mapping[str, AnswerLikelihoods]
        By id of the pair.
    reduction : Reduction
        How an answer's tokens become one number.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    tuple[Estimate, int]
        b, and the number of pairs without log-probabilities. A likelihood knows no slot.

    Notes
    -----
    **Unit of analysis**: the probe pair; the sampling unit is the cluster of its source.
    **Denominator**: pairs with log-probabilities; equal numbers count as neither side.
    **Undefined** where no pair has any.
    """
    values = [_value(pair, likelihoods.get(pair.id), reduction) for pair in pairs]
    missing = sum(value.value is None for value in values)
    return signed_score(probe, values, level), missing


def has_likelihood_target(probe: Probe) -> bool:
    """Return whether the target of a probe is a candidate, which a likelihood can prefer."""
    return probe.frame is Frame.CANDIDATE


def _value(pair: Pair, found: AnswerLikelihoods | None, reduction: Reduction) -> Value:
    value = None
    if found is not None:
        one, other = reduced(found.a, reduction), reduced(found.b, reduction)
        value = (one > other) - (one < other)
    item = pair.item
    return Value(pair.id, item.cluster, item.category, Order.FORWARD, value, None)
