"""The rate that a model gives for equal lengths, as a measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.measures.estimate import Estimate, undefined

if TYPE_CHECKING:
    from counterbalance.statistics import Coefficient, ControlledPreference

__all__ = ["ADJUSTED", "NOT_ASKED", "coefficient_of", "no_rate", "rate_of"]

ADJUSTED = "length_controlled_win_rate"
NOT_ASKED = "Length was not held equal: ask with --length, or by [length_control] in a protocol."
_MEANS = "the system would be preferred more often by the model, were lengths equal"


def no_rate(reason: str, level: float, name: str = ADJUSTED) -> Estimate:
    """Return an adjusted rate that there is not, with the reason in a sentence."""
    return undefined(name, "pair", _MEANS, reason, level)


def rate_of(fit: ControlledPreference, name: str = ADJUSTED) -> Estimate:
    """Turn a fit into a measure.

    Parameters
    ----------
    fit : ControlledPreference
        The fit.
    name : str
        Name of the measure.

    Returns
    -------
    Estimate
        In [0, 1]; it has no numerator, since nobody was counted under equal lengths.
    """
    if fit.controlled is None and fit.undefined is not None:
        return no_rate(fit.undefined.sentence, fit.confidence_level, name)
    cautions = [caution.sentence for caution in fit.cautions]
    if fit.interval_undefined is not None:
        cautions.append(f"No interval: {fit.interval_undefined.sentence}")
    return Estimate(
        name=name,
        value=fit.controlled,
        numerator=None,
        denominator=fit.n_units,
        low=fit.low,
        high=fit.high,
        level=fit.confidence_level,
        method="none" if fit.low is None else "logistic model, cluster sandwich",
        unit="pair",
        positive_means=_MEANS,
        n_clusters=fit.n_clusters,
        cautions=tuple(cautions),
    )


def coefficient_of(fit: ControlledPreference) -> Coefficient | None:
    """Return the length coefficient of a fit."""
    found = fit.coefficients or ()
    return next((one for one in found if one.name == "length"), None)
