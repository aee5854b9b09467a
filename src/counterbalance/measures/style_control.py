"""Strengths of systems compared all with all, raw and with length and style held equal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.items.text_style import STYLE_FEATURES
from counterbalance.measures.preferences import preferences_of
from counterbalance.measures.style_fits import StyleRows
from counterbalance.statistics import Undefined

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.items.text_length import LengthUnit
    from counterbalance.measures.preferences import Preferences
    from counterbalance.measures.prior import Prior
    from counterbalance.measures.style_fits import StyleFits, StyleHeldOut, StyleSensitivity
    from counterbalance.statistics import Coefficient, ControlledStrengths

__all__ = ["FEATURES", "StyleControl", "StyleFeature", "SystemStyle", "style_control"]

FEATURES = ("length", *STYLE_FEATURES)
"""What is held equal, in the sequence that counts have."""

_CRUMB = 1e-9
_NO_PAIRS = "No pair names two systems, knows both texts and prefers a side."
_UNKNOWN = "a text is not known"
_NO_DIFFERENCE = "Length, headers, lists and bold are alike in every pair: nothing to hold equal."
_ALIASED = (
    "Length and style go along with the systems, or with one another, so exactly that what each"
    " does cannot be told, whatever a prior says."
)


@dataclass(frozen=True, slots=True)
class SystemStyle:
    """One system's strength, as log-odds against a system of mean strength.

    Attributes
    ----------
    system : str
        The system.
    n_pairs : int
        Pairs it is in.
    win_rate : float
        Raw share of its wins, half the ties included, whoever it met.
    raw : Coefficient
        Strength as the verdicts have it.
    adjusted : Coefficient | None
        Strength with the features held equal, their coefficients drawn to the prior.
    unshrunk : Coefficient | None
        The same without a prior.
    rank_raw : int
        1 for the strongest.
    rank_adjusted : int | None
        The same with the features held equal.
    """

    system: str
    n_pairs: int
    win_rate: float
    raw: Coefficient
    adjusted: Coefficient | None
    unshrunk: Coefficient | None
    rank_raw: int
    rank_adjusted: int | None


@dataclass(frozen=True, slots=True)
class StyleFeature:
    """What one feature does to the verdict.

    Attributes
    ----------
    name : str
        The feature.
    n_differing : int
        Pairs whose sides differ in it.
    scale : float
        Standard deviation of the relative difference, which is one unit of the coefficients.
    coefficient : Coefficient | None
        Log-odds that one unit more gains, drawn to the prior; None where no pair differs in it.
    unshrunk : Coefficient | None
        The same without a prior.
    """

    name: str
    n_differing: int
    scale: float
    coefficient: Coefficient | None
    unshrunk: Coefficient | None


@dataclass(frozen=True, slots=True)
class StyleControl:
    """Style kept apart from strength, for one group.

    Attributes
    ----------
    unit : LengthUnit
        What lengths are counted in.
    prior : Prior
        What was expected of every coefficient beforehand.
    level : float
        Nominal coverage of limits.
    n_pairs : int
        Pairs that count.
    n_clusters : int
        Clusters they are from.
    left_out : Mapping[str, int]
        Pairs that do not count, by reason.
    systems : tuple[SystemStyle, ...]
        By raw strength, strongest first.
    features : tuple[StyleFeature, ...]
        Every feature.
    sensitivity : tuple[StyleSensitivity, ...]
        What other priors make of the same pairs.
    held_out : StyleHeldOut
        How well the models foretell clusters that they had not seen.
    cautions : tuple[str, ...]
        What the figures lean on, in sentences.
    undefined_raw : str | None
        Why there are no raw strengths; None when there are.
    undefined : str | None
        Why there are no adjusted ones; None when there are.
    """

    unit: LengthUnit
    prior: Prior
    level: float
    n_pairs: int
    n_clusters: int
    left_out: Mapping[str, int]
    systems: tuple[SystemStyle, ...]
    features: tuple[StyleFeature, ...]
    sensitivity: tuple[StyleSensitivity, ...]
    held_out: StyleHeldOut
    cautions: tuple[str, ...]
    undefined_raw: str | None
    undefined: str | None


_NO_DIFFICULTY = (
    "Items of different difficulty are not told apart here, which draws strengths that are far"
    " apart towards each other."
)


def style_control(
    pairs: PairColumns,
    counts: NDArray[np.int64],
    *,
    unit: LengthUnit,
    prior: Prior,
    level: float = 0.95,
) -> StyleControl:
    r"""Hold length, headers, lists and bold equal between systems compared with one another.

    Parameters
    ----------
    pairs : PairColumns
        The group.
    counts : NDArray[np.int64]
        By side (a, b), pair of the group, and feature as in `FEATURES`; -1 where unknown.
    unit : LengthUnit
        What lengths are counted in.
    prior : Prior
        What is expected of every coefficient beforehand.
    level : float
        Nominal coverage of the limits.

    Returns
    -------
    StyleControl
        Strengths raw and adjusted, coefficients drawn to the prior and free.

    Notes
    -----
    A Bradley-Terry model in which every feature enters as its relative difference: of length
    :math:`(l_a - l_b) / (l_a + l_b)`; of marks the same of marks per 1000 units of length, with 1
    added below. Each is divided by its standard deviation, so that coefficients compare.

    **Unit of analysis**: the pair; errors over clusters.
    **Denominator**: pairs of two named systems with a verdict in every order asked, a preference,
    and both texts.
    **Undefined** when the systems are not linked by pairs, one always wins or loses, or no feature
    differs.

    References
    ----------
    .. [1] T. Li, A. Angelopoulos, W.-L. Chiang, "Does style matter? Disentangling style and
       substance in Chatbot Arena", LMSYS 2024. The prior and the errors over clusters are this
       product's.
    """
    rows = preferences_of(pairs)
    known = np.asarray((counts >= 0).all(axis=(0, 2)), dtype=np.bool_)
    rows = rows.where(known[rows.place], _UNKNOWN)
    features, scales = _features(counts[:, rows.place, :])
    differing = [int((features[:, k] != 0).sum()) for k in range(len(FEATURES))]
    kept = [k for k, scale in enumerate(scales) if scale > 0]
    pressed = features[:, kept] / np.array([scales[k] for k in kept])
    told = StyleRows(rows, pressed, tuple(FEATURES[k] for k in kept), level)
    fit = told.fits(prior)
    reason = None if kept else _NO_DIFFERENCE
    if fit.shrunk.undefined is not None:
        reason = _sentence(fit.shrunk, rows)
    elif reason is None and _is_aliased(told, fit):
        reason = _ALIASED
    return StyleControl(
        unit=unit,
        prior=prior,
        level=level,
        n_pairs=rows.place.size,
        n_clusters=np.unique(rows.cluster).size,
        left_out=rows.left_out,
        systems=_systems(rows, fit, is_adjusted=reason is None),
        features=tuple(
            StyleFeature(
                name,
                differing[k],
                scales[k],
                None if reason is not None else _named(fit.shrunk.features, name),
                _named(fit.free.features, name),
            )
            for k, name in enumerate(FEATURES)
        ),
        sensitivity=fit.sensitivity if reason is None else (),
        held_out=told.held_out(prior),
        cautions=(
            _NO_DIFFICULTY,
            *(one.sentence for one in fit.shrunk.cautions),
            *(_leaning(fit) if reason is None else ()),
        ),
        undefined_raw=_sentence(fit.raw, rows),
        undefined=reason,
    )


def _features(counts: NDArray[np.int64]) -> tuple[NDArray[np.float64], list[float]]:
    """Return relative differences by pair and feature, and their standard deviations."""
    a, b = counts.astype(np.float64)
    length_a, length_b = np.maximum(a[:, :1], 1), np.maximum(b[:, :1], 1)
    per_thousand = 1000 * a[:, 1:] / length_a, 1000 * b[:, 1:] / length_b
    total = a[:, :1] + b[:, :1]
    length = np.where(total > 0, (a[:, :1] - b[:, :1]) / np.maximum(total, 1), 0.0)
    marks = (per_thousand[0] - per_thousand[1]) / (per_thousand[0] + per_thousand[1] + 1)
    features = np.hstack([length, marks])
    # About 0 and not about the mean: which side is a is arbitrary, and so is the sign.
    scales = np.sqrt((features**2).mean(axis=0)) if len(features) else np.zeros(len(FEATURES))
    return features, scales.tolist()


def _systems(rows: Preferences, fits: StyleFits, *, is_adjusted: bool) -> tuple[SystemStyle, ...]:
    strengths = fits.raw.strengths
    if strengths is None:
        return ()
    ranked = [one.name for one in sorted(strengths, key=lambda one: -one.estimate)]
    shrunk = fits.shrunk.strengths if is_adjusted else None
    adjusted = [one.name for one in sorted(shrunk or (), key=lambda one: -one.estimate)]
    found = []
    for one in strengths:
        place = rows.names.index(one.name)
        as_a, as_b = rows.a == place, rows.b == place
        total = rows.credit[as_a].sum() + (1 - rows.credit[as_b]).sum()
        n_pairs = int(as_a.sum() + as_b.sum())
        found.append(
            SystemStyle(
                system=one.name,
                n_pairs=n_pairs,
                win_rate=float(total) / n_pairs,
                raw=one,
                adjusted=_named(shrunk, one.name),
                unshrunk=_named(fits.free.strengths if is_adjusted else None, one.name),
                rank_raw=ranked.index(one.name) + 1,
                rank_adjusted=adjusted.index(one.name) + 1 if adjusted else None,
            )
        )
    return tuple(sorted(found, key=lambda one: one.rank_raw))


def _is_aliased(told: StyleRows, fit: StyleFits) -> bool:
    """Say whether nothing but the systems themselves differs: no data then part the two."""
    rows = told.rows
    turned = np.where(rows.a > rows.b, -1.0, 1.0)[:, np.newaxis] * told.features
    pairing = np.minimum(rows.a, rows.b) * len(rows.names) + np.maximum(rows.a, rows.b)
    varies = any(np.ptp(turned[pairing == one], axis=0).max() > _CRUMB for one in set(pairing))
    return not varies or fit.free.undefined is Undefined.NOT_IDENTIFIED


def _leaning(fit: StyleFits) -> Iterator[str]:
    """Say that what is adjusted rests on the prior, where there is no fit without one."""
    if fit.free.undefined is not None:
        yield (
            f"Without a prior there is no fit ({fit.free.undefined.sentence.rstrip('.')}), so what"
            " is adjusted leans on the prior."
        )


def _named(found: tuple[Coefficient, ...] | None, name: str) -> Coefficient | None:
    return next((one for one in found or () if one.name == name), None)


def _sentence(fit: ControlledStrengths, rows: Preferences) -> str | None:
    """Return why a fit has no strengths, in the words of the product."""
    if fit.undefined is None:
        return None
    if not rows.place.size:
        return _NO_PAIRS
    if fit.undefined is Undefined.SEPARATION:
        return "A system, or several together, won or lost every pair, so strengths are infinite."
    if fit.undefined is Undefined.NOT_IDENTIFIED:
        return "Some systems were never compared, not even by way of others, so none is stronger."
    return fit.undefined.sentence
