"""Length and style held equal, as JSON; the keys are a promise."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from counterbalance.measures.estimate import Estimate
    from counterbalance.measures.length_control import LengthControl, SystemLength
    from counterbalance.measures.style_control import StyleControl
    from counterbalance.statistics import Coefficient

__all__ = ["length_value", "style_value"]


def length_value(
    found: LengthControl, measure: Callable[[Estimate], dict[str, Any]]
) -> dict[str, Any]:
    """Return what length does to the rates of one group.

    Parameters
    ----------
    found : LengthControl
        From `length_control`.
    measure : Callable[[Estimate], dict[str, Any]]
        Writes a measure as every other.

    Returns
    -------
    dict[str, Any]
        Key ``length_control`` of a group.
    """
    source = found.source
    return {
        "unit": found.unit,
        "prior": asdict(found.prior),
        "level": found.level,
        "baseline": found.baseline or None,
        "pairs": found.n_pairs,
        "items": found.n_items,
        "left_out": dict(found.left_out),
        "undefined": found.undefined,
        "systems": [_system(one, measure) for one in found.systems],
        "source": None if source is None else asdict(source),
    }


def _system(one: SystemLength, measure: Callable[[Estimate], dict[str, Any]]) -> dict[str, Any]:
    return {
        "system": one.system,
        "pairs": one.n_pairs,
        "clusters": one.n_clusters,
        "win_rate": measure(one.raw),
        "length_controlled_win_rate": measure(one.adjusted),
        "length_controlled_win_rate_without_prior": measure(one.unshrunk),
        "win_rate_by_length_alone": measure(one.length_only),
        "win_rate_matched_length": measure(one.matched),
        "coefficient": _coefficient(one.coefficient),
        "coefficient_without_prior": _coefficient(one.coefficient_unshrunk),
        "sensitivity": [asdict(other) for other in one.sensitivity],
        "lengths": asdict(one.coverage),
        "bands": [
            {"name": band.name, "pairs": band.n_pairs, "win_rate": measure(band.rate)}
            for band in one.bands
        ],
        "held_out": None if one.held_out is None else asdict(one.held_out),
    }


def style_value(found: StyleControl) -> dict[str, Any]:
    """Return what style does to the strengths of one group.

    Parameters
    ----------
    found : StyleControl
        From `style_control`.

    Returns
    -------
    dict[str, Any]
        Key ``style_control`` of a group.
    """
    held = found.held_out
    return {
        "unit": found.unit,
        "prior": asdict(found.prior),
        "level": found.level,
        "pairs": found.n_pairs,
        "clusters": found.n_clusters,
        "left_out": dict(found.left_out),
        "undefined_raw": found.undefined_raw,
        "undefined": found.undefined,
        "systems": [
            {
                "system": one.system,
                "pairs": one.n_pairs,
                "win_rate": one.win_rate,
                "raw": _coefficient(one.raw),
                "adjusted": _coefficient(one.adjusted),
                "without_prior": _coefficient(one.unshrunk),
                "rank_raw": one.rank_raw,
                "rank_adjusted": one.rank_adjusted,
            }
            for one in found.systems
        ],
        "features": [
            {
                "feature": one.name,
                "differing": one.n_differing,
                "scale": one.scale,
                "coefficient": _coefficient(one.coefficient),
                "without_prior": _coefficient(one.unshrunk),
            }
            for one in found.features
        ],
        "held_out_log_loss": {
            "coin": held.coin,
            "strengths": held.strengths,
            "strengths_and_features": held.features,
            "calibration_slope": held.calibration_slope,
            "calibration": [list(each) for each in held.calibration],
            "undefined": held.undefined,
        },
        "sensitivity": [
            {
                "prior": asdict(one.prior),
                "features": dict(one.features),
                "strengths": dict(one.strengths),
                "undefined": one.undefined,
            }
            for one in found.sensitivity
        ],
        "cautions": list(found.cautions),
    }


def _coefficient(found: Coefficient | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "estimate": found.estimate,
        "se": found.se,
        "low": found.low,
        "high": found.high,
        "undefined": None if found.undefined is None else found.undefined.sentence,
    }
