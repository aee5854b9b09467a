"""Probe verdicts drawn from laws with known effects of intervention and slot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.items.frames import Order
from counterbalance.measures.probe_values import Value

if TYPE_CHECKING:
    import numpy as np

__all__ = ["ProbeLaw"]

_MOST_PAIRS = 4


@dataclass(frozen=True, slots=True)
class ProbeLaw:
    """A judge that says "tie" to some pairs, and otherwise takes the target with a known chance.

    Attributes
    ----------
    tie : float
        Share of presentations that it calls a tie.
    first : tuple[float, float]
        Chance of the target where it is shown first, by kind of cluster, half of each.
    second : tuple[float, float]
        The same where it is shown second.
    """

    tie: float
    first: tuple[float, float]
    second: tuple[float, float]

    @property
    def effect(self) -> float:
        """The score b in the long run."""
        return (1 - self.tie) * (sum(self.first) + sum(self.second) - 2) / 2

    @property
    def slot(self) -> float:
        """Half the difference of the two orders in the long run."""
        return (1 - self.tie) * (sum(self.first) - sum(self.second)) / 2

    def draw(self, generator: np.random.Generator, n_clusters: int) -> list[Value]:
        """Return a value for both orders of each pair, one to four pairs in a cluster."""
        values: list[Value] = []
        for cluster in range(n_clusters):
            kind = int(generator.integers(0, 2))
            for pair in range(int(generator.integers(1, _MOST_PAIRS + 1))):
                for order, chance in zip(Order, (self.first[kind], self.second[kind]), strict=True):
                    tie, target = generator.random(2)
                    value = 0 if tie < self.tie else 1 if target < chance else -1
                    slot = value if order is Order.FORWARD else -value
                    unit = f"{cluster}.{pair}"
                    values.append(Value(unit, str(cluster), "", order, value, slot))
        return values
