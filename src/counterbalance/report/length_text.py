"""Length held equal, as plain text: the raw rate and the adjusted one always side by side."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from counterbalance.report.layout import columns, percent, plural, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from counterbalance.measures.estimate import Estimate
    from counterbalance.measures.length_control import LengthControl, SystemLength
    from counterbalance.measures.prior import Prior
    from counterbalance.measures.upstream.alpaca_eval_length import SourceLengthFit
    from counterbalance.statistics import Coefficient

__all__ = ["left_out_line", "length_lines", "limits", "prior_text"]

_WIDTH = 98
_MEANING = (
    "adjusted is what a logistic model says of equal lengths; nobody saw such pairs. It leans on"
    " the coefficient being one number for the system, and is no better rate than the raw one:"
    " read both."
)
_TRAP = (
    "by length alone leaves the difficulty of items out: it draws rates that are far from 50 %"
    " towards it, and is shown as a warning."
)


def length_lines(found: LengthControl, *, full: bool) -> list[str]:
    """Return what length does to the rates of one group.

    Parameters
    ----------
    found : LengthControl
        From `length_control`.
    full : bool
        Whether every table is shown.

    Returns
    -------
    list[str]
        Lines.
    """
    against = f" against {visible(found.baseline, 50)}" if found.baseline else ""
    lines = [
        "",
        (
            f"  Length held equal, in {found.unit}{against}:"
            f" {plural(found.n_pairs, 'pair')} on {plural(found.n_items, 'item')}"
        ),
        *left_out_line(found.left_out),
    ]
    if found.undefined is not None:
        lines += _said([f"No adjusted rate: {found.undefined}"])
    if found.systems:
        lines += _rates(found)
        is_adjusted = any(one.adjusted.value is not None for one in found.systems)
        meaning = [_MEANING, prior_text(found.prior)] if is_adjusted else []
        lines += _said([*meaning, *_reasons(found)])
    if full:
        lines += _details(found)
    return lines + ([] if found.source is None else _source(found.source))


def left_out_line(left_out: Mapping[str, int]) -> list[str]:
    """Say which pairs do not count, and why."""
    if not left_out:
        return []
    parts = ", ".join(f"{n} {reason}" for reason, n in left_out.items())
    return _said([f"Left out: {parts}"])


def prior_text(prior: Prior) -> str:
    """Say what was expected beforehand."""
    if prior.sd is None:
        return "Coefficients are free: no prior."
    return (
        f"Coefficients are drawn to {prior.mean:g} with a standard deviation of {prior.sd:g} on"
        " log-odds; without prior says what the data alone do."
    )


def limits(found: Coefficient | None) -> str:
    """Return a coefficient with its limits."""
    if found is None:
        return "–"
    shown = f"{found.estimate:+.2f}"
    return shown if found.low is None else f"{shown} [{found.low:+.2f}, {found.high:+.2f}]"


def _rates(found: LengthControl) -> list[str]:
    rows = [[
        "system", "pairs", "raw", "adjusted", "without prior", "like length", "coefficient",
        "longer/equal/shorter",
    ]]  # fmt: skip
    for one in found.systems:
        seen = one.coverage
        rows.append(
            [
                visible(one.system, 36),
                str(one.n_pairs),
                percent(one.raw.value),
                _with_limits(one.adjusted),
                percent(one.unshrunk.value),
                f"{percent(one.matched.value)} of {one.matched.denominator:g}",
                limits(one.coefficient),
                f"{seen.n_longer}/{seen.n_equal}/{seen.n_shorter}",
            ]
        )
    return columns(rows, indent=4, right=[1, 2, 3, 4, 5, 7])


def _with_limits(rate: Estimate) -> str:
    if rate.low is None or rate.high is None:
        return percent(rate.value)
    return f"{percent(rate.value)} [{100 * rate.low:.1f}, {100 * rate.high:.1f}]"


def _reasons(found: LengthControl) -> Iterator[str]:
    """Yield why single systems have no rate, and what single rates lean on."""
    for one in found.systems:
        name = visible(one.system, 36)
        if one.adjusted.undefined is not None and one.adjusted.undefined != found.undefined:
            yield f"{name}: {one.adjusted.undefined}"
        for caution in one.adjusted.cautions:
            yield f"{name}: {caution}"


def _details(found: LengthControl) -> list[str]:
    if not found.systems:
        return []
    return [
        *_sensitivity(found.systems),
        *_bands(found.systems),
        *_held_out(found.systems),
    ]


def _sensitivity(systems: Iterable[SystemLength]) -> list[str]:
    fitted = [one for one in systems if one.sensitivity]
    if not fitted:
        return []
    heads = [
        "without prior" if s.prior.sd is None else f"prior ±{s.prior.sd:g}"
        for s in fitted[0].sensitivity
    ]
    rows = [["system", "raw", "adjusted", *heads, "by length alone"]]
    for one in fitted:
        values = (one.raw.value, one.adjusted.value, *(s.value for s in one.sensitivity))
        cells = (percent(value) for value in (*values, one.length_only.value))
        rows.append([visible(one.system, 36), *cells])
    title = "  What the prior does, and a model without difficulty"
    table = columns(rows, indent=4, right=range(1, len(rows[0])))
    return ["", title, *table, *_said([_TRAP])]


def _bands(systems: tuple[SystemLength, ...]) -> list[str]:
    names = [band.name for band in systems[0].bands]
    rows = [["system", *names]]
    for one in systems:
        cells = (f"{percent(b.rate.value)} of {b.n_pairs}" for b in one.bands)
        rows.append([visible(one.system, 36), *cells])
    title = "  Raw rates by the system's length beside the baseline's: no model"
    return ["", title, *columns(rows, indent=4, right=range(1, len(rows[0])))]


def _held_out(systems: Iterable[SystemLength]) -> list[str]:
    rows = [["system", "raw rate", "length alone", "model", "calibration slope"]]
    for one in systems:
        held = one.held_out
        if held is not None:
            losses = (held.constant, held.length_only, held.model)
            cells = ("–" if loss is None else f"{loss:.4f}" for loss in losses)
            slope = held.calibration_slope
            shown = "–" if slope is None else f"{slope:.2f}"
            rows.append([visible(one.system, 36), *cells, shown])
    if len(rows) == 1:
        return []
    title = (
        "  Log-loss on items left out of the fit, in nats (less is better); slope 1 is calibrated"
    )
    return ["", title, *columns(rows, indent=4, right=range(1, 5))]


def _source(source: SourceLengthFit) -> list[str]:
    rows = [["system", "rows", "raw", "adjusted", "by length alone"]]
    for one in source.rows:
        cells = (percent(value) for value in (one.raw, one.adjusted, one.length_only))
        rows.append([visible(one.system, 36), str(one.n_rows), *cells])
    reason = [] if source.undefined is None else [source.undefined]
    return [
        "",
        "  By the source's rule",
        *columns(rows, indent=4, right=range(1, 5)),
        *_said([source.rule, *reason]),
    ]


def _said(sentences: Iterable[str]) -> list[str]:
    lines = []
    for sentence in sentences:
        lines += textwrap.wrap(
            visible(sentence, 2000), _WIDTH, initial_indent="    ", subsequent_indent="      "
        )
    return lines
