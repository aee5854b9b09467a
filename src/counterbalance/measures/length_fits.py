"""One system's rate with length held equal, under one model and one prior."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.statistics import (
    HeldOutFit,
    controlled_preference,
    held_out_fit,
    saturated_differences,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from counterbalance.measures.prior import Prior
    from counterbalance.statistics import ControlledPreference

__all__ = ["HeldOut", "LengthRows", "Sensitivity"]


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """What another prior makes of the same pairs.

    Attributes
    ----------
    prior : Prior
        That prior.
    value : float | None
        The adjusted rate; None when it has none.
    """

    prior: Prior
    value: float | None


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Mean log-loss on clusters that the fit had not seen, in nats.

    Attributes
    ----------
    constant : float | None
        Of the raw rate alone.
    length_only : float | None
        Of length without the difficulty of items.
    model : float | None
        Of the whole model, the difficulty told by the other systems alone.
    calibration_slope : float | None
        Of the whole model: below 1 when its predictions are too extreme.
    calibration : tuple[tuple[int, float, float], ...]
        Pairs, mean prediction and mean outcome, by fifths of the prediction.
    undefined : str | None
        Why there is none; None when there is one.
    """

    constant: float | None
    length_only: float | None
    model: float | None
    calibration_slope: float | None
    calibration: tuple[tuple[int, float, float], ...]
    undefined: str | None


@dataclass(frozen=True, slots=True, eq=False)
class LengthRows:
    """The pairs of one system against the baseline.

    Attributes
    ----------
    credit : NDArray[np.float64]
        Of the system, from 0 to 1.
    difference : NDArray[np.float64]
        Its length less the baseline's, pressed into -1 to 1; empty where all are the same.
    ease : NDArray[np.float64] | None
        Of each item, all systems together; None where it cannot be told.
    ease_by_others : NDArray[np.float64] | None
        The same, from the other systems alone.
    clusters : NDArray[np.int32]
        Unit of uncertainty.
    level : float
        Nominal coverage.
    """

    credit: NDArray[np.float64]
    difference: NDArray[np.float64]
    ease: NDArray[np.float64] | None
    ease_by_others: NDArray[np.float64] | None
    clusters: NDArray[np.int32]
    level: float

    @staticmethod
    def pressed(own: NDArray[np.int64], baseline: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return differences of lengths as the model takes them; none where they do not vary."""
        found = saturated_differences((own - baseline).astype(np.float64))
        return np.array([] if found.values is None else found.values, dtype=np.float64)

    def fit(self, prior: Prior, *, with_ease: bool = True) -> ControlledPreference:
        """Fit one model; differences must vary."""
        return controlled_preference(
            self.credit,
            self.difference[:, np.newaxis],
            ["length"],
            ease=self.ease if with_ease else None,
            clusters=self.clusters,
            confidence_level=self.level,
            **prior.words,
        )

    def held_out(self, prior: Prior) -> HeldOut:
        """Predict pairs of clusters that were left out of the fit."""
        short = self._predicted(prior, None)
        whole = self._predicted(prior, self.ease_by_others)
        reason = None if whole.undefined is None else whole.undefined.sentence
        return HeldOut(
            constant=whole.log_loss_constant,
            length_only=short.log_loss,
            model=whole.log_loss,
            calibration_slope=whole.calibration_slope,
            calibration=tuple((one.n_units, one.predicted, one.observed) for one in whole.bins),
            undefined=reason,
        )

    def _predicted(self, prior: Prior, ease: NDArray[np.float64] | None) -> HeldOutFit:
        return held_out_fit(
            self.credit,
            self.difference[:, np.newaxis],
            ["length"],
            ease=ease,
            clusters=self.clusters,
            **prior.words,  # type: ignore[arg-type]
        )
