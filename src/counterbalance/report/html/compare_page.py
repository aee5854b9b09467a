"""Comparisons of judges and runs as one HTML page: no network, no script, no second file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.report.comparison_text import (
    COMPARISON_LIMITS,
    IN_FULL,
    comparison_notes,
    conclusion_sentence,
)
from counterbalance.report.html.comparison_parts import (
    comparison_name,
    moved_pairs,
    pairs_table,
    rates_table,
    settings_table,
)
from counterbalance.report.html.difference_figures import difference_forest, difference_table
from counterbalance.report.html.family_table import family_table
from counterbalance.report.html.panel_tables import odds_section, panel_section
from counterbalance.report.html.sections import Fold, Part, Section
from counterbalance.report.html.verdict_page import (
    Fact,
    SaidVerdict,
    VerdictPage,
    method_words,
    render_verdict_page,
)
from counterbalance.report.layout import plural, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from counterbalance.compare.comparison import Comparison, Comparisons
    from counterbalance.report.html.sections import Block

__all__ = ["comparison_facts", "comparison_sections", "methods_of", "render_compare_html"]

_MOST_SAID = 12
"""Comparisons whose sentences stand under the verdict."""


def render_compare_html(found: Comparisons, *, full: bool = False) -> str:
    """Return comparisons as one HTML page.

    Parameters
    ----------
    found : Comparisons
        The comparisons.
    full : bool
        Show every table of every comparison.

    Returns
    -------
    str
        The same text for the same comparisons. It loads nothing, runs nothing and sends nothing.
    """
    several = len(found.comparisons) > 1
    more = len(found.comparisons) - _MOST_SAID
    title = (
        plural(len(found.comparisons), "comparison")
        if several
        else comparison_name(found.comparisons[0])
    )
    return render_verdict_page(
        "compare.html",
        VerdictPage(
            kind="counterbalance compare",
            banner="Comparison of counterbalance",
            title=title,
            facts=comparison_facts(found),
            verdicts=tuple(
                SaidVerdict(
                    comparison_name(each),
                    (
                        each.attribution.sentence,
                        *(visible(conclusion_sentence(*one), 2000) for one in each.differences),
                    ),
                )
                for each in found.comparisons[:_MOST_SAID]
            ),
            sections=tuple(comparison_sections(found, full=full)),
            warnings=tuple(visible(note, 2000) for note in comparison_notes(found)),
            not_said=COMPARISON_LIMITS,
            methods=methods_of(found),
            more=f"{plural(more, 'more comparison')} stand below." if more > 0 else "",
        ),
    )


def comparison_facts(found: Comparisons) -> tuple[Fact, ...]:
    """Return what was decided and when, and what makes pairs the same."""
    plan = found.plan
    kind = "Declared before the data" if plan.is_declared else "Exploratory"
    tests = f"{plural(found.family.family_size, 'test')} corrected together by Holm"
    return (
        Fact("Analysis", text=f"{kind}; {tests}; {plan.level:.0%} intervals"),
        Fact("Same pairs", text=f"by their {plan.by}"),
    )


def methods_of(found: Comparisons) -> tuple[tuple[str, str], ...]:
    """Return the methods of all intervals, with what they are."""
    used = {x.method for each in found.comparisons for x, _ in each.differences}
    used |= {e.method for each in found.comparisons for side in each.corrected for e in side}
    return method_words(used)


def comparison_sections(found: Comparisons, *, full: bool = False) -> Iterator[Section]:
    """Yield the sections that comparisons and drift share.

    Parameters
    ----------
    found : Comparisons
        The comparisons.
    full : bool
        Show every table of every comparison.

    Yields
    ------
    Section
        Differences; pairs, dispositions and settings of the comparisons that are shown in full; the
        panel, odds and the correction.
    """
    held = found.comparisons
    shown = held if full or len(held) <= IN_FULL else held[:IN_FULL]
    about = "A dot is the difference, the line its interval. Each row has its own count and method."
    left = len(held) - len(shown)
    if left:
        about += f" {plural(left, 'comparison')} more have pairs and dispositions with --full."
    yield Section("differences", "Differences", about, tuple(_differences(found)))
    yield Section(
        "pairs", "Which pairs are compared", "", _parts(shown, lambda x: [pairs_table(x)])
    )
    yield Section(
        "dispositions",
        "What became of the same pairs",
        "A row is the class of a pair on the first side, a column on the second. Pairs in an"
        " outlined cell did not move.",
        _parts(shown, moved_pairs),
    )
    for name, title, table in (
        ("settings", "How the judging differs", settings_table),
        ("rates", "Win rates by the references", rates_table),
    ):
        parts = [
            Part(comparison_name(each), (made,))
            for each in shown
            if (made := table(each)) is not None
        ]
        if parts:
            yield Section(name, title, "", tuple(parts))
    for section in (panel_section(found.panels), odds_section(found.odds)):
        if section is not None:
            yield section
    kind = "Declared tests" if found.plan.is_declared else "Exploratory tests"
    steps = family_table(found.family, f"{kind}, corrected together")
    yield Section("family", "Correction for several tests", "", (Part("", (steps,)),))


def _differences(found: Comparisons) -> Iterator[Part]:
    for n, each in enumerate(found.comparisons, 1):
        number = f"[{n}] " if len(found.comparisons) > 1 else ""
        name = f"{number}{comparison_name(each)}"
        fold = Fold("The same as a table", (difference_table(each),))
        yield Part(name, (difference_forest(each, found.plan, name), fold))


def _parts(
    shown: Sequence[Comparison], blocks: Callable[[Comparison], Sequence[Block]]
) -> tuple[Part, ...]:
    return tuple(Part(comparison_name(each), tuple(blocks(each))) for each in shown)
