"""Strengths and style under one prior and another, and how well they foretell pairs left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.measures.prior import Prior
from counterbalance.statistics import controlled_strengths, held_out_fit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from counterbalance.measures.preferences import Preferences
    from counterbalance.statistics import ControlledStrengths, HeldOutFit

__all__ = ["StyleFits", "StyleHeldOut", "StyleRows", "StyleSensitivity"]

_FOLDS = 5
_OTHER_SDS = (0.5, 2.0)
"""Other standard deviations of the prior, as multiples of the declared one."""


@dataclass(frozen=True, slots=True)
class StyleSensitivity:
    """What another prior makes of the same pairs.

    Attributes
    ----------
    prior : Prior
        That prior.
    features : Mapping[str, float]
        Coefficient of each feature that differs, log-odds; empty when there is none.
    strengths : Mapping[str, float]
        Strength of each system with the features held equal; empty when there is none.
    undefined : str | None
        Why there are none; None when there are.
    """

    prior: Prior
    features: Mapping[str, float]
    strengths: Mapping[str, float]
    undefined: str | None


@dataclass(frozen=True, slots=True)
class StyleHeldOut:
    """Mean log-loss on clusters that the fit had not seen, in nats.

    Attributes
    ----------
    coin : float | None
        Of a coin.
    strengths : float | None
        Of strengths alone.
    features : float | None
        Of strengths with length and style.
    calibration_slope : float | None
        Of the last: below 1 when its predictions are too extreme.
    calibration : tuple[tuple[int, float, float], ...]
        Pairs, mean prediction and mean outcome, by fifths of the prediction.
    undefined : str | None
        Why there is none of the last; None when there is one.
    """

    coin: float | None
    strengths: float | None
    features: float | None
    calibration_slope: float | None
    calibration: tuple[tuple[int, float, float], ...]
    undefined: str | None


@dataclass(frozen=True, slots=True)
class StyleFits:
    """Strengths alone, with features drawn to the prior, and with free ones.

    Attributes
    ----------
    raw : ControlledStrengths
        Without features.
    shrunk : ControlledStrengths
        With features, their coefficients drawn to the declared prior.
    free : ControlledStrengths
        The same without a prior.
    sensitivity : tuple[StyleSensitivity, ...]
        Under half and twice the standard deviation, and without a prior.
    """

    raw: ControlledStrengths
    shrunk: ControlledStrengths
    free: ControlledStrengths
    sensitivity: tuple[StyleSensitivity, ...]


@dataclass(frozen=True, slots=True, eq=False)
class StyleRows:
    """Pairs of named systems, with the features that differ.

    Attributes
    ----------
    rows : Preferences
        The pairs.
    features : NDArray[np.float64]
        Relative differences by pair and feature, in standard deviations.
    names : tuple[str, ...]
        Of the features.
    level : float
        Nominal coverage of limits.
    """

    rows: Preferences
    features: NDArray[np.float64]
    names: tuple[str, ...]
    level: float

    def fits(self, prior: Prior) -> StyleFits:
        """Fit strengths alone, and with the features under every prior that is shown."""
        free = Prior(prior.mean, None)
        unshrunk = self._fit(free)
        others = [Prior(prior.mean, prior.sd * times) for times in _OTHER_SDS if prior.sd]
        told = [(other, self._fit(other)) for other in others] if self.names else []
        return StyleFits(
            raw=self._fit(free, with_features=False),
            shrunk=self._fit(prior),
            free=unshrunk,
            sensitivity=tuple(
                _sensitivity(*each) for each in (*told, *([(free, unshrunk)] if self.names else []))
            ),
        )

    def held_out(self, prior: Prior) -> StyleHeldOut:
        """Predict pairs of clusters that were left out: by a coin, by strengths, by features."""
        n = self.rows.place.size
        if not n:
            return StyleHeldOut(None, None, None, None, (), "There is no pair to predict.")
        present = np.unique(np.concatenate([self.rows.a, self.rows.b]))
        who = np.zeros((n, len(self.rows.names)))
        who[np.arange(n), self.rows.a] = 1
        who[np.arange(n), self.rows.b] = -1
        who = who[:, present[:-1]]
        strengths = self._predicted(who, prior, 0)
        whole = self._predicted(np.hstack([who, self.features]), prior, len(self.names))
        return StyleHeldOut(
            coin=float(np.log(2)),
            strengths=strengths.log_loss,
            features=whole.log_loss,
            calibration_slope=whole.calibration_slope,
            calibration=tuple((one.n_units, one.predicted, one.observed) for one in whole.bins),
            undefined=None if whole.undefined is None else whole.undefined.sentence,
        )

    def _fit(self, prior: Prior, *, with_features: bool = True) -> ControlledStrengths:
        rows = self.rows
        names = self.names if with_features else ()
        return controlled_strengths(
            [rows.names[code] for code in rows.a.tolist()],
            [rows.names[code] for code in rows.b.tolist()],
            rows.credit,
            self.features[:, : len(names)],
            names,
            prior_means=[prior.mean] * len(names),
            prior_precisions=[0.0 if prior.sd is None else prior.sd**-2] * len(names),
            clusters=rows.cluster,
            confidence_level=self.level,
        )

    def _predicted(self, columns: NDArray[np.float64], prior: Prior, n_features: int) -> HeldOutFit:
        n_others = columns.shape[1] - n_features
        precision = 0.0 if prior.sd is None else prior.sd**-2
        return held_out_fit(
            self.rows.credit,
            columns,
            [str(k) for k in range(columns.shape[1])],
            prior_means=[0.0] * n_others + [prior.mean] * n_features,
            prior_precisions=[0.0] * n_others + [precision] * n_features,
            clusters=self.rows.cluster,
            n_folds=_FOLDS,
        )


def _sensitivity(prior: Prior, fit: ControlledStrengths) -> StyleSensitivity:
    reason = None if fit.undefined is None else fit.undefined.sentence
    return StyleSensitivity(
        prior=prior,
        features={one.name: one.estimate for one in fit.features or ()},
        strengths={one.name: one.estimate for one in fit.strengths or ()},
        undefined=reason,
    )
