"""Style held equal, as plain text: raw strengths and adjusted ones always side by side."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from counterbalance.report.layout import columns, percent, plural, visible
from counterbalance.report.length_text import left_out_line, limits, prior_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from counterbalance.measures.style_control import StyleControl

__all__ = ["style_lines"]

_WIDTH = 98
_MOST_SYSTEMS = 40
_MEANING = (
    "Strengths are log-odds against a system of mean strength; adjusted is what the model says of"
    " equal length and style, which nobody saw. A coefficient does not say that style caused a"
    " verdict: better answers may also be longer or better set out."
)


def style_lines(found: StyleControl, *, full: bool) -> list[str]:
    """Return what length and style do to the strengths of one group.

    Parameters
    ----------
    found : StyleControl
        From `style_control`.
    full : bool
        Whether every system is shown.

    Returns
    -------
    list[str]
        Lines.
    """
    lines = [
        "",
        (
            f"  Style held equal, all with all: {plural(found.n_pairs, 'pair')} of"
            f" {plural(len(found.systems), 'system')} in {plural(found.n_clusters, 'cluster')}"
        ),
        *left_out_line(found.left_out),
    ]
    if found.undefined_raw is not None:
        return [*lines, *_said([f"No strengths: {found.undefined_raw}"])]
    lines += _systems(found, full=full)
    lines += ["", f"  What a standard deviation more of it gains (length in {found.unit})"]
    lines += _features(found)
    reason = [] if found.undefined is None else [f"No adjusted strengths: {found.undefined}"]
    lines += _said([*reason, _MEANING, prior_text(found.prior), *_losses(found), *found.cautions])
    return [*lines, *_sensitivity(found)] if full else lines


def _systems(found: StyleControl, *, full: bool) -> list[str]:
    rows = [
        ["rank", "system", "pairs", "win rate", "raw", "adjusted", "without prior", "rank then"]
    ]
    shown = found.systems if full else found.systems[:_MOST_SYSTEMS]
    rows += [
        [
            str(one.rank_raw),
            visible(one.system, 36),
            str(one.n_pairs),
            percent(one.win_rate),
            limits(one.raw),
            limits(one.adjusted),
            "–" if one.unshrunk is None else f"{one.unshrunk.estimate:+.2f}",
            "–" if one.rank_adjusted is None else str(one.rank_adjusted),
        ]
        for one in shown
    ]
    more = len(found.systems) - len(shown)
    rest = [f"    and {plural(more, 'more system')} (--full)"] if more else []
    return [*columns(rows, indent=4, right=[0, 2, 3, 6, 7]), *rest]


def _features(found: StyleControl) -> list[str]:
    rows = [["feature", "pairs that differ", "log-odds", "without prior"]]
    for one in found.features:
        cells = (limits(one.coefficient), limits(one.unshrunk))
        rows.append([one.name, str(one.n_differing), *cells])
    return columns(rows, indent=4, right=[1])


def _losses(found: StyleControl) -> list[str]:
    held = found.held_out
    if held.coin is None or held.strengths is None or held.features is None:
        return []
    slope = held.calibration_slope
    calibrated = "" if slope is None else f"; calibration slope {slope:.2f} (1 is calibrated)"
    return [
        (
            f"Log-loss on clusters left out of the fit, in nats: a coin {held.coin:.4f}, strengths"
            f" alone {held.strengths:.4f}, with length and style {held.features:.4f} (less is"
            f" better){calibrated}."
        )
    ]


def _sensitivity(found: StyleControl) -> list[str]:
    """Show what every other prior makes of the coefficients and of the strengths."""
    others = found.sensitivity
    if not others:
        return []
    heads = [
        "without prior" if one.prior.sd is None else f"prior ±{one.prior.sd:g}" for one in others
    ]
    rows = [["", "adjusted", *heads]]
    for feature in found.features:
        if feature.coefficient is not None:
            by_prior = [one.features.get(feature.name) for one in others]
            rows.append([feature.name, *map(_odds, (feature.coefficient.estimate, *by_prior))])
    for system in found.systems:
        if system.adjusted is not None:
            by_prior = [one.strengths.get(system.system) for one in others]
            cells = map(_odds, (system.adjusted.estimate, *by_prior))
            rows.append([visible(system.system, 36), *cells])
    title = "  What the prior does: coefficients of features, then strengths of systems"
    return ["", title, *columns(rows, indent=4, right=range(1, len(rows[0])))]


def _odds(value: float | None) -> str:
    return "–" if value is None else f"{value:+.2f}"


def _said(sentences: Iterable[str]) -> list[str]:
    lines = []
    for sentence in sentences:
        lines += textwrap.wrap(
            visible(sentence, 2000), _WIDTH, initial_indent="    ", subsequent_indent="      "
        )
    return lines
