"""Win rates of several systems against one baseline, raw and with length held equal."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.measures.adjusted_rate import coefficient_of, no_rate, rate_of
from counterbalance.measures.bounded import credit_mean
from counterbalance.measures.estimate import Estimate, clustered
from counterbalance.measures.length_bands import (
    LengthBand,
    LengthCoverage,
    coverage_of,
    length_bands,
    matched_rate,
)
from counterbalance.measures.length_fits import HeldOut, LengthRows, Sensitivity
from counterbalance.measures.preferences import PARTS, preferences_of
from counterbalance.measures.prior import Prior
from counterbalance.measures.shared_ease import SharedEase, shared_ease

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.items.text_length import LengthUnit
    from counterbalance.measures.preferences import Preferences
    from counterbalance.measures.upstream.alpaca_eval_length import SourceLengthFit
    from counterbalance.statistics import Coefficient

__all__ = ["LengthControl", "SystemLength", "length_control"]

_MEANS = "the system is preferred to the baseline more often"
_FEWEST_CLUSTERS = 10
_SENSITIVITY = (0.5, 2.0)
"""Other standard deviations of the prior, as multiples of the declared one."""
_NO_PAIRS = "No pair names two systems, knows both lengths and prefers a side."
_NO_BASELINE = (
    "No system is in every pair, so there is none to hold the others against; name a baseline, or"
    " compare all with all by style control, where length is one of the features."
)
_FEW_CLUSTERS = (
    "Fewer than 10 clusters: too few to tell length, difficulty of items and the system apart."
)
_SAME_DIFFERENCE = (
    "The lengths differ by the same amount in every pair, so what length does cannot be told from"
    " what the system does."
)
_ALL_EQUAL = "Both answers have the same length in every pair: there is no length to hold equal."
_UNKNOWN = "a length is not known"
_WITHOUT_BASELINE = "without the baseline"


@dataclass(frozen=True, slots=True)
class SystemLength:
    """One system against the baseline: what was seen, and what a model makes of it.

    Attributes
    ----------
    system : str
        The system.
    n_pairs : int
        Pairs with the baseline.
    n_clusters : int
        Clusters they are from.
    raw : Estimate
        Rate as it was seen.
    adjusted : Estimate
        `length_controlled_win_rate`: by the whole model, the length coefficient drawn to the prior.
    unshrunk : Estimate
        The same without a prior.
    length_only : Estimate
        A trap, for comparison: by length alone, without the difficulty of items.
    matched : Estimate
        Raw rate among pairs of like length.
    coefficient : Coefficient | None
        Log-odds that the longer answer gains, drawn to the prior.
    coefficient_unshrunk : Coefficient | None
        The same without a prior.
    sensitivity : tuple[Sensitivity, ...]
        The adjusted rate under other priors.
    coverage : LengthCoverage
        What lengths there are.
    bands : tuple[LengthBand, ...]
        Raw rates by ratio of lengths.
    held_out : HeldOut | None
        How well the model foretells pairs it was not fitted to; None without a model.
    """

    system: str
    n_pairs: int
    n_clusters: int
    raw: Estimate
    adjusted: Estimate
    unshrunk: Estimate
    length_only: Estimate
    matched: Estimate
    coefficient: Coefficient | None
    coefficient_unshrunk: Coefficient | None
    sensitivity: tuple[Sensitivity, ...]
    coverage: LengthCoverage
    bands: tuple[LengthBand, ...]
    held_out: HeldOut | None


@dataclass(frozen=True, slots=True)
class LengthControl:
    """Length kept apart from quality, for one group.

    Attributes
    ----------
    unit : LengthUnit
        What lengths are counted in.
    prior : Prior
        What was expected of the length coefficient beforehand.
    level : float
        Nominal coverage of intervals.
    baseline : str
        The system that the others are held against; empty where there is none.
    n_pairs : int
        Pairs that count.
    n_items : int
        Items they are on.
    left_out : Mapping[str, int]
        Pairs that do not count, by reason.
    systems : tuple[SystemLength, ...]
        By raw rate, highest first.
    undefined : str | None
        Why no system has an adjusted rate, in a sentence; None when one may have.
    source : SourceLengthFit | None
        The source's own rule on the same log, where it has one.
    """

    unit: LengthUnit
    prior: Prior
    level: float
    baseline: str
    n_pairs: int
    n_items: int
    left_out: Mapping[str, int]
    systems: tuple[SystemLength, ...]
    undefined: str | None
    source: SourceLengthFit | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Against:
    """Rows of all systems against the baseline, in the frame of the system."""

    rows: Preferences
    system: NDArray[np.int64]
    credit: NDArray[np.float64]
    own: NDArray[np.int64]
    baseline: NDArray[np.int64]


def length_control(
    pairs: PairColumns,
    lengths: NDArray[np.int64],
    *,
    unit: LengthUnit,
    prior: Prior,
    baseline: str | None = None,
    level: float = 0.95,
) -> LengthControl:
    r"""Hold length equal between several systems and the baseline that each was compared with.

    Parameters
    ----------
    pairs : PairColumns
        The group.
    lengths : NDArray[np.int64]
        Length of candidate a and of candidate b (2) by pair of the group; -1 where unknown.
    unit : LengthUnit
        What they are counted in.
    prior : Prior
        What is expected of the length coefficient beforehand.
    baseline : str | None
        The system that the others are held against; None takes the one that is in every pair.
    level : float
        Nominal coverage of the intervals.

    Returns
    -------
    LengthControl
        For every system the raw rate, the adjusted one or why there is none, and what both lean on.

    Notes
    -----
    For system :math:`m` on item :math:`i` with lengths :math:`l`,

    .. math:: \operatorname{logit} p_{mi} = \theta_m
        + \phi_m \tanh\frac{l_{mi} - l_{0i}}{s_m} + \psi_m \gamma_i,

    :math:`s_m` being the standard deviation of the differences, :math:`\gamma_i` the ease of the
    item from a joint fit of all systems, and :math:`\phi_m` drawn to the prior. The adjusted rate
    is the mean of :math:`p_{mi}` with the second term left out.

    **Unit of analysis**: the pair; errors over clusters, coefficients' own errors included.
    **Denominator**: pairs of the system and the baseline with a verdict in every order asked, a
    preference, and both lengths.
    **Undefined** with fewer than three systems or items that they do not share, with fewer than 10
    clusters, where lengths differ by the same in every pair, and where a system wins or loses
    every pair. The raw rate, the pairs of like length and the bands are there all the same.

    References
    ----------
    .. [1] Y. Dubois, B. Galambosi, P. Liang, T. B. Hashimoto, "Length-controlled AlpacaEval: a
       simple way to debias automatic evaluators", COLM 2024. arXiv:2404.04475. The prior, the joint
       fit and the errors are this product's.
    """
    rows = preferences_of(pairs)
    known = np.asarray((lengths >= 0).all(axis=0), dtype=np.bool_)
    rows = rows.where(known[rows.place], _UNKNOWN)
    hub = _hub(rows, baseline)
    if hub is None:
        reason = _NO_BASELINE if rows.place.size else _NO_PAIRS
        n_items = np.unique(rows.item).size
        return LengthControl(
            unit, prior, level, "", rows.place.size, n_items, rows.left_out, (), reason
        )
    rows = rows.where((rows.a == hub) | (rows.b == hub), _WITHOUT_BASELINE)
    against = _against(rows, lengths, hub)
    ease = shared_ease(against.system, rows.item, against.credit, _pressed_by_system(against))
    if np.unique(rows.cluster).size < _FEWEST_CLUSTERS:
        ease = SharedEase.none(_FEW_CLUSTERS)
    systems = [
        _system(rows.names[code], against, against.system == code, ease, prior, level)
        for code in np.unique(against.system).tolist()
    ]
    return LengthControl(
        unit=unit,
        prior=prior,
        level=level,
        baseline=rows.names[hub],
        n_pairs=rows.place.size,
        n_items=np.unique(rows.item).size,
        left_out=rows.left_out,
        systems=tuple(sorted(systems, key=lambda one: (-(one.raw.value or 0.0), one.system))),
        undefined=ease.undefined,
    )


def _hub(rows: Preferences, baseline: str | None) -> int | None:
    """Return the place of the baseline among the names, None where there is none."""
    if not rows.place.size:
        return None
    if baseline is not None:
        named = [
            place
            for place, name in enumerate(rows.names)
            if baseline in {name, name.rpartition(" ")[0]}
        ]
        return named[0] if len(named) == 1 else None
    for place in (int(rows.a[0]), int(rows.b[0])):
        if ((rows.a == place) | (rows.b == place)).all():
            return place
    return None


def _against(rows: Preferences, lengths: NDArray[np.int64], hub: int) -> _Against:
    is_b = rows.a == hub
    of_a, of_b = lengths[:, rows.place].astype(np.int64)
    return _Against(
        rows=rows,
        system=np.where(is_b, rows.b, rows.a),
        credit=np.where(is_b, 1 - rows.credit, rows.credit),
        own=np.where(is_b, of_b, of_a),
        baseline=np.where(is_b, of_a, of_b),
    )


def _pressed_by_system(against: _Against) -> NDArray[np.float64]:
    """Return the differences of lengths, each system's pressed by its own scale; else 0."""
    pressed = np.zeros(against.system.size)
    for code in np.unique(against.system):
        here = against.system == code
        found = LengthRows.pressed(against.own[here], against.baseline[here])
        if found.size:
            pressed[here] = found
    return pressed


def _system(
    name: str,
    against: _Against,
    here: NDArray[np.bool_],
    shared: SharedEase,
    prior: Prior,
    level: float,
) -> SystemLength:
    """Return everything about one system."""
    credit, own, baseline = against.credit[here], against.own[here], against.baseline[here]
    clusters = against.rows.cluster[here]
    seen = credit_mean(credit, np.ones(credit.size, np.int64), clusters, level, parts=PARTS)
    difference = LengthRows.pressed(own, baseline)
    reason = shared.why_not(here) or _length_reason(own, baseline, difference)
    rows = LengthRows(credit, difference, shared.of(here), shared.by_others(here), clusters, level)
    n_clusters = np.unique(clusters).size
    none = no_rate(reason or "", level)
    found = SystemLength(
        system=name,
        n_pairs=credit.size,
        n_clusters=n_clusters,
        raw=clustered("win_rate", seen, "pair", _MEANS),
        adjusted=none,
        unshrunk=none,
        length_only=_length_only(rows, prior) if difference.size else none,
        matched=matched_rate(credit, own, baseline, clusters, level),
        coefficient=None,
        coefficient_unshrunk=None,
        sensitivity=(),
        coverage=coverage_of(own, baseline),
        bands=length_bands(credit, own, baseline, clusters, level),
        held_out=None,
    )
    if reason is None and n_clusters < _FEWEST_CLUSTERS:
        reason = _FEW_CLUSTERS
    if reason is not None:
        none = no_rate(reason, level)
        return replace(found, adjusted=none, unshrunk=none)
    return _fitted(found, rows, prior)


def _fitted(found: SystemLength, rows: LengthRows, prior: Prior) -> SystemLength:
    """Add what the models say."""
    free = Prior(prior.mean, None)
    shrunk, unshrunk = rows.fit(prior), rows.fit(free)
    others = [Prior(prior.mean, prior.sd * times) for times in _SENSITIVITY if prior.sd is not None]
    return replace(
        found,
        adjusted=_with_edge(rate_of(shrunk), found.coverage),
        unshrunk=rate_of(unshrunk),
        coefficient=coefficient_of(shrunk),
        coefficient_unshrunk=coefficient_of(unshrunk),
        sensitivity=tuple(
            Sensitivity(other, value)
            for other, value in (
                *((one, rows.fit(one).controlled) for one in others),
                (free, unshrunk.controlled),
            )
        ),
        held_out=rows.held_out(prior),
    )


def _with_edge(rate: Estimate, coverage: LengthCoverage) -> Estimate:
    """Add that equal lengths were never seen, where that is so."""
    if rate.value is None or not coverage.is_one_sided:
        return rate
    side = "longer" if coverage.n_longer else "shorter"
    caution = (
        f"The system's answer is the {side} in every pair: equal lengths were never seen, and the"
        " rate is the model's guess beyond the data."
    )
    return replace(rate, cautions=(*rate.cautions, caution))


def _length_only(rows: LengthRows, prior: Prior) -> Estimate:
    return rate_of(rows.fit(prior, with_ease=False), "win_rate_by_length_alone")


def _length_reason(
    own: NDArray[np.int64], baseline: NDArray[np.int64], difference: NDArray[np.float64]
) -> str | None:
    """Return why lengths leave nothing to hold equal, None where they do."""
    if difference.size:
        return None
    return _ALL_EQUAL if (own == baseline).all() else _SAME_DIFFERENCE
