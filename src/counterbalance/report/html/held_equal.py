"""Raw rates beside those with length or style held equal: dumbbells and the tables they lean on."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from counterbalance.report.html.plane import DumbbellRow, Dumbbells
from counterbalance.report.html.plot import Plot
from counterbalance.report.html.sections import Block, Fold, Part, Section, Words
from counterbalance.report.html.table import Cell, Table
from counterbalance.report.layout import percent, plural, visible
from counterbalance.report.length_text import limits, prior_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.measures.estimate import Estimate
    from counterbalance.measures.length_control import LengthControl, SystemLength
    from counterbalance.measures.style_control import StyleControl, SystemStyle
    from counterbalance.report.report import GroupReport
    from counterbalance.statistics import Coefficient

__all__ = ["held_equal"]

_MOST = 60


def held_equal(groups: Sequence[GroupReport]) -> Section | None:
    """Show length and style held equal; None where nobody asked."""
    parts = [
        Part(visible(group.name), tuple(_blocks(group)))
        for group in groups
        if group.length_control is not None or group.style_control is not None
    ]
    if not parts:
        return None
    about = (
        "The adjusted number is what a model says of equal lengths, which nobody saw. It is no"
        " better number than the raw one, so neither stands alone."
    )
    return Section("held-equal", "Raw beside length held equal", about, tuple(parts))


def _blocks(group: GroupReport) -> Iterator[Block]:
    if group.length_control is not None:
        yield from _length(group.length_control, visible(group.name))
    if group.style_control is not None:
        yield from _style(group.style_control, visible(group.name))


def _left_out(found: LengthControl | StyleControl) -> str:
    parts = ", ".join(f"{n} {reason}" for reason, n in found.left_out.items())
    return f" Left out: {parts}." if parts else ""


def _length(found: LengthControl, name: str) -> Iterator[Block]:
    against = f" against {visible(found.baseline, 50)}" if found.baseline else ""
    if not found.systems:
        yield Words((f"No rate with length held equal: {found.undefined}",))
        return
    shown = found.systems[:_MOST]
    is_adjusted = any(one.adjusted.value is not None for one in shown)
    prior = (prior_text(found.prior),) if is_adjusted else ()
    yield Dumbbells(
        caption=f"Win rates, raw and with length held equal: {name}",
        about=(
            f"n = {plural(found.n_pairs, 'pair')} on {plural(found.n_items, 'item')}, lengths in"
            f" {found.unit}; rates of each system{against}, half the ties included,"
            f" {found.level:.0%} intervals over clusters. Method: a logistic model of the length"
            f" difference and the ease of the item.{_left_out(found)}"
        ),
        head="system",
        names=("raw", "length held equal"),
        axis=("0 %", "50 %", "100 %"),
        rows=tuple(_row(one) for one in shown),
        notes=(*_cautions(shown), *prior, *_more(len(found.systems))),
    )
    yield Fold("What the adjusted rates lean on", (_details(shown, name), _bands(shown, name)))


def _more(n: int) -> Iterator[str]:
    if n > _MOST:
        yield f"{plural(n - _MOST, 'more system')}: --json lists all."


def _cautions(systems: Sequence[SystemLength]) -> Iterator[str]:
    for one in systems:
        yield from (f"{visible(one.system, 60)}: {said}" for said in one.adjusted.cautions)


def _row(one: SystemLength) -> DumbbellRow:
    raw, adjusted = one.raw, one.adjusted
    change = ""
    if raw.value is not None and adjusted.value is not None:
        change = f"{100 * (adjusted.value - raw.value):+.1f} points with length held equal"
    reason = adjusted.undefined or "not fitted"
    return DumbbellRow(
        name=visible(one.system, 60),
        counts=f"{plural(one.n_pairs, 'pair')} in {plural(one.n_clusters, 'cluster')}",
        before=_rate(raw),
        after=f"none: {reason}" if adjusted.value is None else _rate(adjusted),
        change=change,
        plots=(_plot(raw), _plot(adjusted)),
    )


def _rate(rate: Estimate) -> str:
    if rate.low is None or rate.high is None:
        return f"{percent(rate.value)}, no interval"
    return f"{percent(rate.value)} [{100 * rate.low:.1f}, {100 * rate.high:.1f}]"


def _plot(rate: Estimate) -> Plot | None:
    if rate.value is None:
        return None
    low, high = (
        None if limit is None else round(100 * limit, 2) for limit in (rate.low, rate.high)
    )
    return Plot(round(100 * rate.value, 2), low, high, None)


def _details(systems: Sequence[SystemLength], name: str) -> Table:
    rows = tuple(
        (
            Cell(visible(one.system, 60)),
            *(
                Cell(text, is_number=True)
                for text in (
                    percent(one.unshrunk.value),
                    f"{percent(one.matched.value)} of {one.matched.denominator:g}",
                    limits(one.coefficient),
                    f"{one.coverage.n_longer}/{one.coverage.n_equal}/{one.coverage.n_shorter}",
                )
            ),
        )
        for one in systems
    )
    return Table(
        caption=f"Prior, like lengths and coefficients: {name}",
        about=(
            "Without prior: the adjusted rate from the data alone. Like length: the raw rate of the"
            " pairs of like length. Coefficient: log-odds that the longer answer gains."
        ),
        head=("system", "without prior", "like length", "coefficient", "longer/equal/shorter"),
        rows=rows,
    )


def _bands(systems: Sequence[SystemLength], name: str) -> Table:
    bands = tuple(band.name for band in systems[0].bands)
    rows = tuple(
        (
            Cell(visible(one.system, 60)),
            *(Cell(f"{percent(b.rate.value)} of {b.n_pairs}", is_number=True) for b in one.bands),
        )
        for one in systems
    )
    return Table(
        caption=f"Raw rates by length beside the baseline's: {name}",
        about="No model: the raw rate of the pairs in each band, and how many they are.",
        head=("system", *bands),
        rows=rows,
    )


def _style(found: StyleControl, name: str) -> Iterator[Block]:
    if found.undefined_raw is not None:
        yield Words((f"No strengths: {found.undefined_raw}",))
        return
    yield Dumbbells(
        caption=f"Strengths, raw and with length and style held equal: {name}",
        about=(
            f"n = {plural(found.n_pairs, 'pair')} of {plural(len(found.systems), 'system')} in"
            f" {plural(found.n_clusters, 'cluster')}; log-odds against a system of mean strength,"
            f" {found.level:.0%} limits, drawn where their probability lies. Method:"
            f" Bradley-Terry with covariates.{_left_out(found)}"
        ),
        head="system",
        names=("raw", "style held equal"),
        axis=("−∞", "0", "+∞"),
        rows=tuple(_strength(one, found) for one in found.systems[:_MOST]),
        notes=(*found.cautions, prior_text(found.prior), *_more(len(found.systems))),
    )
    tables = (_features(found, name), *_priors(found, name))
    yield Fold("What length and style gain, and what the prior does", tables)


def _strength(one: SystemStyle, found: StyleControl) -> DumbbellRow:
    adjusted, change = one.adjusted, ""
    after = f"none: {found.undefined or 'not fitted'}"
    if adjusted is not None:
        after = f"{limits(adjusted)}, rank {one.rank_adjusted}"
        change = f"{adjusted.estimate - one.raw.estimate:+.2f} with style held equal"
    return DumbbellRow(
        name=visible(one.system, 60),
        counts=f"{plural(one.n_pairs, 'pair')}, win rate {percent(one.win_rate)}",
        before=f"{limits(one.raw)}, rank {one.rank_raw}",
        after=after,
        change=change,
        plots=(_odds_plot(one.raw), _odds_plot(adjusted)),
    )


def _odds_plot(strength: Coefficient | None) -> Plot | None:
    if strength is None:
        return None
    value, low, high = (
        None if odds is None else round(50 + 50 * math.tanh(odds / 2), 2)
        for odds in (strength.estimate, strength.low, strength.high)
    )
    return None if value is None else Plot(value, low, high, None)


def _features(found: StyleControl, name: str) -> Table:
    rows = tuple(
        (
            Cell(one.name),
            *(
                Cell(text, is_number=True)
                for text in (str(one.n_differing), limits(one.coefficient), limits(one.unshrunk))
            ),
        )
        for one in found.features
    )
    return Table(
        caption=f"What a standard deviation more of it gains: {name}",
        about=f"Log-odds with {found.level:.0%} limits; length in {found.unit}. No cause is shown.",
        head=("feature", "pairs that differ", "log-odds", "without prior"),
        rows=rows,
    )


def _priors(found: StyleControl, name: str) -> Iterator[Table]:
    """Yield what other priors make of coefficients and strengths, where there are any."""
    others = found.sensitivity
    rows: list[tuple[str, list[float | None]]] = [
        (one.name, [one.coefficient.estimate, *(o.features.get(one.name) for o in others)])
        for one in found.features
        if one.coefficient is not None
    ]
    rows += [
        (one.system, [one.adjusted.estimate, *(o.strengths.get(one.system) for o in others)])
        for one in found.systems[:_MOST]
        if one.adjusted is not None
    ]
    if not others or not rows:
        return
    yield Table(
        caption=f"What the prior does: {name}",
        about=(
            "Log-odds under the declared prior, under half and twice its standard deviation, and"
            " without one: coefficients of features, then strengths of systems."
        ),
        head=(
            "feature or system",
            "declared",
            *("without prior" if o.prior.sd is None else f"±{o.prior.sd:g}" for o in others),
        ),
        rows=tuple(
            (
                Cell(visible(what, 60)),
                *(Cell("–" if v is None else f"{v:+.2f}", is_number=True) for v in values),
            )
            for what, values in rows
        ),
    )
