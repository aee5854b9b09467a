"""Scenarios drawn many times with fixed seeds: how often intervals cover, and tests are wrong."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.selftest.scenarios import SCENARIOS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from counterbalance.selftest.scenarios import Band, Scenario

__all__ = ["QUICK", "THOROUGH", "Simulated", "simulated"]

_SEED = 20261130
_ERRORS_ALLOWED = 3.0
"""Monte Carlo standard errors by which a share may lie outside its band in a short run."""
QUICK = 60
"""Replicates of a short run: enough to see what is grossly wrong."""
THOROUGH = 4000
"""Replicates from which on the band itself is asked for."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """How often one question was answered with yes.

    Attributes
    ----------
    scenario : str
        Of which data.
    question : str
        What was asked.
    band : Band
        Between which shares yes must lie.
    n_yes : int
        Replicates with yes.
    n_answered : int
        Replicates with an answer: the denominator.
    n_replicates : int
        All replicates.
    """

    scenario: str
    question: str
    band: Band
    n_yes: int
    n_answered: int
    n_replicates: int

    @property
    def share(self) -> float | None:
        """Share of yes; None where nothing was ever answered."""
        return self.n_yes / self.n_answered if self.n_answered else None

    @property
    def error(self) -> float | None:
        """Monte Carlo standard error of the share."""
        if self.share is None:
            return None
        # At 0 and 1 the plain formula gives no error at all; half a count is added on both sides.
        near = (self.n_yes + 0.5) / (self.n_answered + 1)
        return math.sqrt(near * (1 - near) / self.n_answered)

    @property
    def is_short(self) -> bool:
        """Whether there are too few replicates to ask for the band itself."""
        return self.n_replicates < THOROUGH

    @property
    def is_held(self) -> bool:
        """Whether the share is in its band; in a short run, within three errors of it."""
        if self.share is None:
            return False
        least, most = self.band.least, self.band.most
        if self.is_short:
            # The errors that a share right at the edge of its band would have.
            least -= _ERRORS_ALLOWED * math.sqrt(least * (1 - least) / self.n_answered)
            most += _ERRORS_ALLOWED * math.sqrt(most * (1 - most) / self.n_answered)
        return least <= self.share <= most


def simulated(
    n_replicates: int,
    progress: Callable[[int, int], None],
    scenarios: tuple[Scenario, ...] = SCENARIOS,
) -> tuple[Simulated, ...]:
    """Draw every scenario many times.

    Parameters
    ----------
    n_replicates : int
        Draws of each scenario; each has a seed of its own, so that fewer are the first of more.
    progress : Callable[[int, int], None]
        Told the number of draws made and of all.
    scenarios : tuple[Scenario, ...]
        What is drawn.

    Returns
    -------
    tuple[Simulated, ...]
        One for each question of each scenario.
    """
    total = n_replicates * len(scenarios)
    found: list[Simulated] = []
    for place, scenario in enumerate(scenarios):
        yes, answered = Counter[str](), Counter[str]()
        for n in range(n_replicates):
            generator = np.random.default_rng([_SEED, place, n])
            for question, answer in scenario.replicate(generator):
                yes[question] += bool(answer)
                answered[question] += answer is not None
            progress(place * n_replicates + n + 1, total)
        found += _results(scenario, yes, answered, n_replicates)
    return tuple(found)


def _results(
    scenario: Scenario, yes: Counter[str], answered: Counter[str], n_replicates: int
) -> Iterator[Simulated]:
    for question, band in scenario.bands.items():
        yield Simulated(
            scenario.name, question, band, yes[question], answered[question], n_replicates
        )
