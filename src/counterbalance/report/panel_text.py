"""Agreement of a panel of judges, in lines and as a JSON value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.report.layout import columns, percent, plural, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.compare.panel import Panel
    from counterbalance.statistics.chance_corrected import PanelAgreement

__all__ = ["coefficient_rows", "panel_lines", "panel_value"]

_NAMES = ("Conger's kappa", "Gwet's AC1", "Krippendorff's alpha")


def panel_lines(panel: Panel) -> Iterator[str]:
    """Yield the agreement of all judges, of each two, and how often each gave each result."""
    found = panel.agreement
    under = f" under labels {visible(panel.labelling, 40)}" if panel.labelling else ""
    yield ""
    yield (
        f"Agreement of {plural(found.n_raters, 'judge')}{under} on"
        f" {plural(found.n_units, 'pair')}, by what the strategy makes of each (exploratory)"
    )
    yield from columns(coefficient_rows(panel), right=[1])
    yield from (f"  {each.undefined.sentence}" for each in _whole(panel) if each.undefined)
    pairs = [
        [
            f"{visible(panel.judges[pair.first], 30)} and {visible(panel.judges[pair.second], 30)}",
            "–" if pair.kappa.kappa is None else f"kappa {pair.kappa.kappa:+.3f}",
            f"n = {pair.kappa.n_units}",
        ]
        for pair in found.pairs
    ]
    yield from columns(pairs, right=[1])
    marginals = [["", *found.categories, "no result"]]
    for judge, counts in zip(panel.judges, found.rater_counts, strict=True):
        marginals.append([visible(judge, 30), *map(str, counts), str(found.n_units - sum(counts))])
    yield from columns(marginals, right=range(1, len(marginals[0])))  # type: ignore[arg-type]
    yield from _latent_lines(panel)


def coefficient_rows(panel: Panel) -> list[list[str]]:
    """Return name, value, interval and observed agreement of each coefficient of all judges."""
    return [
        [name, _value(each), _interval(each), f"observed {percent(each.observed_agreement)}"]
        for name, each in zip(_NAMES, _whole(panel), strict=True)
    ]


def _latent_lines(panel: Panel) -> Iterator[str]:
    """Yield what Dawid and Skene's model makes of the panel, with what it takes for granted."""
    found = panel.latent
    yield ""
    yield "  If judges erred independently of one another (Dawid and Skene; sensitivity analysis)"
    if found.undefined is not None or found.shares is None:
        yield f"    {'' if found.undefined is None else found.undefined.sentence}"
        return
    accuracy = [
        [
            "  " + visible(judge, 30),
            "–" if value is None else percent(value),
            "right, mean over results",
        ]
        for judge, value in zip(panel.judges, found.mean_accuracy, strict=True)
    ]
    yield from columns(accuracy, right=[1])
    shares = zip(found.categories, found.shares, strict=True)
    yield "    shares: " + ", ".join(f"{name} {percent(share)}" for name, share in shares)
    yield (
        f"    {found.n_unlike_majority} of {plural(found.n_units - found.n_left_out, 'pair')} would"
        " go against the majority of the judges"
    )
    yield "    No reference is used; errors that judges of one family share count as the truth."


def _whole(panel: Panel) -> tuple[PanelAgreement, PanelAgreement, PanelAgreement]:
    return panel.agreement.conger, panel.agreement.gwet, panel.agreement.krippendorff


def _value(found: PanelAgreement) -> str:
    return "–" if found.value is None else f"{found.value:+.3f}"


def _interval(found: PanelAgreement) -> str:
    if found.low is None or found.high is None:
        return "no interval"
    return f"[{found.low:+.3f}, {found.high:+.3f}]"


def panel_value(panel: Panel) -> dict[str, Any]:
    """Return the agreement of a panel as a JSON value."""
    found = panel.agreement
    return {
        "labelling": panel.labelling,
        "judges": list(panel.judges),
        "pairs": found.n_units,
        "categories": list(found.categories),
        "counts": [list(row) for row in found.rater_counts],
        "dawid_skene": _latent(panel),
        "conger_kappa": _coefficient(found.conger),
        "gwet_ac1": _coefficient(found.gwet),
        "krippendorff_alpha": _coefficient(found.krippendorff),
        "cohen_kappas": [
            {
                "first": panel.judges[pair.first],
                "second": panel.judges[pair.second],
                "value": pair.kappa.kappa,
                "low": pair.kappa.low,
                "high": pair.kappa.high,
                "pairs": pair.kappa.n_units,
                "undefined": (
                    None if pair.kappa.undefined is None else pair.kappa.undefined.sentence
                ),
            }
            for pair in found.pairs
        ],
    }


def _latent(panel: Panel) -> dict[str, Any]:
    found = panel.latent
    return {
        "shares": None
        if found.shares is None
        else dict(zip(map(str, found.categories), found.shares, strict=True)),
        "mean_accuracy": dict(zip(panel.judges, found.mean_accuracy, strict=True)),
        "unlike_majority": found.n_unlike_majority,
        "pairs": found.n_units - found.n_left_out,
        "iterations": found.n_iterations,
        "undefined": None if found.undefined is None else found.undefined.sentence,
        "assumes": "judges err independently of one another; a sensitivity analysis",
    }


def _coefficient(found: PanelAgreement) -> dict[str, Any]:
    return {
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "level": found.confidence_level,
        "observed": found.observed_agreement,
        "expected": found.expected_agreement,
        "pairs": found.n_compared,
        "clusters": found.n_clusters,
        "undefined": None if found.undefined is None else found.undefined.sentence,
        "cautions": [caution.sentence for caution in found.cautions],
    }
