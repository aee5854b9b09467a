"""What is expected beforehand of the coefficients of a logit model, and the fit that heeds it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import float_vector
from counterbalance.statistics.logit import fit_logit

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from counterbalance.statistics.arguments import Floats
    from counterbalance.statistics.newton import Summit
    from counterbalance.statistics.reasons import Undefined

__all__ = ["Priors"]


@dataclass(frozen=True, slots=True)
class Priors:
    """What is expected of the features' coefficients beforehand."""

    means: Floats
    precisions: Floats

    @classmethod
    def of(cls, means: ArrayLike | None, precisions: ArrayLike | None, n_features: int) -> Priors:
        """Check the priors; without any every coefficient is free."""
        if (means is None) != (precisions is None):
            message = "prior_means and prior_precisions go together; give both, or neither"
            raise StatisticsError(message)
        given = []
        for name, values in (("prior_means", means), ("prior_precisions", precisions)):
            vector = float_vector(name, np.zeros(n_features) if values is None else values)
            if vector.size != n_features:
                message = f"{name} has {vector.size} entries; give one for each of {n_features}"
                raise StatisticsError(message)
            given.append(vector)
        if (given[1] < 0).any():
            message = f"a precision is {given[1].min()}; give numbers from 0 (no prior) up"
            raise StatisticsError(message)
        return cls(given[0], given[1])

    def fit(self, outcomes: Floats, design: Floats, n_before: int = 1) -> Summit | Undefined:
        """Return the fit; columns before and behind the features have no prior."""
        n_behind = design.shape[1] - n_before - self.means.size
        before, behind = np.zeros(n_before), np.zeros(n_behind)
        return fit_logit(
            outcomes,
            design,
            np.concatenate([before, self.means, behind]),
            np.concatenate([before, self.precisions, behind]),
        )
