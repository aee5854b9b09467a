"""Agreement of a panel of judges, and odds of one judge against another, as tables of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.report.html.sections import Part, Section
from counterbalance.report.html.side_tables import numbers
from counterbalance.report.html.table import Cell, Table
from counterbalance.report.layout import percent, plural, visible
from counterbalance.report.odds_text import odds_rows
from counterbalance.report.panel_text import coefficient_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.compare.odds import JudgeOdds
    from counterbalance.compare.panel import Panel

__all__ = ["odds_section", "panel_section"]


def panel_section(panels: Sequence[Panel]) -> Section | None:
    """Show how far all judges agree with one another; None without a panel.

    Parameters
    ----------
    panels : Sequence[Panel]
        Judges under each labelling.

    Returns
    -------
    Section | None
        Coefficients, each two judges, how often each gave each result, and a latent class model.
    """
    if not panels:
        return None
    about = (
        "Exploratory. Judges that agree may be wrong together; judges of one family share errors."
    )
    parts = tuple(Part(_heading(panel), tuple(_tables(panel))) for panel in panels)
    return Section("panel", "Agreement of the judges with one another", about, parts)


def _heading(panel: Panel) -> str:
    return f"labels {visible(panel.labelling, 40)}" if panel.labelling else "All judges"


def _tables(panel: Panel) -> Iterator[Table]:
    found = panel.agreement
    n = f"n = {plural(found.n_units, 'pair')} and {plural(found.n_raters, 'judge')}"
    yield Table(
        caption="Agreement beyond chance",
        about=f"{n}, by what the strategy makes of each pair; intervals over clusters.",
        head=("coefficient", "value", "interval", "observed"),
        rows=tuple(tuple(Cell(text) for text in row) for row in coefficient_rows(panel)),
    )
    yield Table(
        caption="Each two judges",
        about=f"{n}. Cohen's kappa, out of the pairs that both gave a result.",
        head=("judges", "kappa", "pairs"),
        rows=tuple(
            (
                Cell(" and ".join(visible(panel.judges[i], 40) for i in (two.first, two.second))),
                *numbers(
                    (
                        "–" if two.kappa.kappa is None else f"{two.kappa.kappa:+.3f}",
                        two.kappa.n_units,
                    )
                ),
            )
            for two in found.pairs
        ),
    )
    yield Table(
        caption="Results of each judge",
        about=f"{n}; every pair is in one column.",
        head=("judge", *map(str, found.categories), "no result"),
        rows=tuple(
            (Cell(visible(judge, 60)), *numbers((*counts, found.n_units - sum(counts))))
            for judge, counts in zip(panel.judges, found.rater_counts, strict=True)
        ),
    )
    yield _latent(panel, n)


def _latent(panel: Panel, n: str) -> Table:
    found = panel.latent
    undefined = "" if found.undefined is None else f" {found.undefined.sentence}"
    return Table(
        caption="If judges erred independently of one another",
        about=(
            f"{n}. Dawid and Skene's model, a sensitivity analysis: no reference is used, and"
            f" errors that judges share count as the truth.{undefined}"
        ),
        head=("judge", "right, mean over results"),
        rows=tuple(
            (Cell(visible(judge, 60)), Cell(percent(value), is_number=True))
            for judge, value in zip(panel.judges, found.mean_accuracy, strict=True)
        ),
    )


def odds_section(found: Sequence[JudgeOdds]) -> Section | None:
    """Show conditional and marginal odds; None where they were not asked for.

    Parameters
    ----------
    found : Sequence[JudgeOdds]
        One for each comparison and measure.

    Returns
    -------
    Section | None
        A table of both odds ratios.
    """
    if not found:
        return None
    rows = tuple(
        (
            Cell(f"{each.measure}: {name}", (f"{visible(each.second)} / {visible(each.first)}",)),
            *numbers((value, interval)),
            Cell(about),
            Cell(str(each.fit.n_units // 2), is_number=True),
        )
        for each in found
        for name, value, interval, about in odds_rows(each)
    )
    reasons = dict.fromkeys(
        reason.sentence
        for each in found
        for reason in (each.fit.undefined, each.fit.marginal.undefined, *each.fit.cautions)
        if reason is not None
    )
    table = Table(
        caption="Odds ratios, second side to first",
        about=(
            "Exploratory, from a logit with random intercepts over the pairs that both sides say"
            f" something of. {' '.join(reasons)}"
        ),
        head=("odds of", "ratio", "interval", "what it is about", "pairs"),
        rows=rows,
    )
    return Section("odds", "Odds for a given pair and on average", "", (Part("", (table,)),))
