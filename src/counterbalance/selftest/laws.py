"""Laws that judgments are drawn from, and what the measures would be if there were no end of them.

Clusters are of two kinds, half of each on average, so that pairs of a cluster resemble one another;
sizes do not depend on the kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.selftest.drawn import TIE, WIN_A, WIN_B, Drawn

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

__all__ = ["CoinLaw", "SlotLaw", "TwoJudgesLaw"]


def _kinds(generator: np.random.Generator, clusters: NDArray[np.int32]) -> NDArray[np.intp]:
    """Return the kind, 0 or 1, of the cluster of each pair."""
    n = int(clusters.max(initial=-1)) + 1
    return generator.integers(0, 2, n)[clusters].astype(np.intp)


def _mean(values: tuple[float, float]) -> float:
    return sum(values) / len(values)


@dataclass(frozen=True, slots=True)
class SlotLaw:
    """A judge that follows the texts in some pairs, and a slot in the others.

    Attributes
    ----------
    tie : float
        Share of pairs that it calls a tie in both orders.
    content : tuple[float, float]
        By kind of cluster: share of the other pairs in which it follows the texts.
    wins : tuple[float, float]
        By kind: share of those that candidate a wins.
    first : float
        Share of the rest in which it takes the first slot both times; else the second.
    """

    tie: float
    content: tuple[float, float]
    wins: tuple[float, float]
    first: float

    @property
    def truth(self) -> Mapping[str, float]:
        """What each measure is in the long run."""
        rest = 1 - self.tie
        by_slot = rest * (1 - _mean(self.content))
        right = rest * sum(c * w for c, w in zip(self.content, self.wins, strict=True)) / 2
        return {
            "position_consistency": 1 - by_slot,
            "preference_fairness": by_slot * (1 - 2 * self.first),
            "bias_position": by_slot * (2 * self.first - 1),
            "first_slot_rate": (rest * _mean(self.content) / 2 + by_slot * self.first) / rest,
            "tie_rate": self.tie,
            "agreement_both": right,
            "win_rate_a": right + (self.tie + by_slot) / 2,
        }

    def draw(self, generator: np.random.Generator, clusters: NDArray[np.int32]) -> Drawn:
        """Return one repetition of both orders."""
        kinds = _kinds(generator, clusters)
        tie, content, wins, first = generator.random((4, clusters.size))
        by_text = np.where(wins < np.array(self.wins)[kinds], WIN_A, WIN_B)
        takes_first = first < self.first
        is_content = content < np.array(self.content)[kinds]
        forward = np.where(is_content, by_text, np.where(takes_first, WIN_A, WIN_B))
        reversed_ = np.where(is_content, by_text, np.where(takes_first, WIN_B, WIN_A))
        is_tie = tie < self.tie
        return Drawn(
            *(np.where(is_tie, TIE, v).astype(np.int8)[:, None] for v in (forward, reversed_))
        )


@dataclass(frozen=True, slots=True)
class CoinLaw:
    """A judge that tosses a coin for every call: one coin for each order and kind of cluster.

    Attributes
    ----------
    forward : tuple[float, float]
        By kind: chance of a verdict for a in forward order.
    reversed_ : tuple[float, float]
        The same in reversed order; equal where the order adds nothing to the noise.
    n_repeats : int
        Calls of each pair in each order.
    """

    forward: tuple[float, float]
    reversed_: tuple[float, float]
    n_repeats: int = 3

    @property
    def truth(self) -> Mapping[str, float]:
        """What each measure is in the long run."""
        both = (*self.forward, *self.reversed_)
        gaps = [(p - q) ** 2 for p, q in zip(self.forward, self.reversed_, strict=True)]
        return {
            "repeat_disagreement": sum(2 * p * (1 - p) for p in both) / len(both),
            "order_excess_disagreement": sum(gaps) / len(gaps),
        }

    def draw(self, generator: np.random.Generator, clusters: NDArray[np.int32]) -> Drawn:
        """Return every repetition of both orders."""
        kinds = _kinds(generator, clusters)
        tosses = generator.random((2, clusters.size, self.n_repeats))
        chances = np.array([self.forward, self.reversed_])[:, kinds, None]
        verdicts = np.where(tosses < chances, WIN_A, WIN_B).astype(np.int8)
        return Drawn(verdicts[0], verdicts[1])


@dataclass(frozen=True, slots=True)
class TwoJudgesLaw:
    """Two judges of the same pairs, both without a slot; each is right where it says a.

    Attributes
    ----------
    shared : float
        Share of pairs in which the second says what the first says.
    first : tuple[float, float]
        By kind: chance that the first judge says a.
    second : tuple[float, float]
        By kind: chance that the second says a where it does not follow the first.
    """

    shared: float
    first: tuple[float, float]
    second: tuple[float, float]

    @property
    def difference(self) -> float:
        """Second less first in the long run, in agreement and in wins of a."""
        return (1 - self.shared) * (_mean(self.second) - _mean(self.first))

    def draw(
        self, generator: np.random.Generator, clusters: NDArray[np.int32]
    ) -> tuple[Drawn, Drawn]:
        """Return one repetition of both orders of both judges."""
        kinds = _kinds(generator, clusters)
        follows, one, two = generator.random((3, clusters.size))
        first = np.where(one < np.array(self.first)[kinds], WIN_A, WIN_B)
        own = np.where(two < np.array(self.second)[kinds], WIN_A, WIN_B)
        second = np.where(follows < self.shared, first, own)
        found = [verdicts.astype(np.int8)[:, None] for verdicts in (first, second)]
        return Drawn(found[0], found[0]), Drawn(found[1], found[1])
