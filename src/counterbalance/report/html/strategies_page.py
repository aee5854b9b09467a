"""The comparison of strategies as one HTML page: no network, no script, no second file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.protocol.strategies.catalogue import CATALOGUE
from counterbalance.report.html.difference_figures import axis_of, points, points_plot
from counterbalance.report.html.family_table import family_table
from counterbalance.report.html.frontier_figure import cost_by_agreement
from counterbalance.report.html.sections import Part, Section
from counterbalance.report.html.side_tables import numbers
from counterbalance.report.html.table import Cell, Table
from counterbalance.report.html.verdict_page import (
    Fact,
    SaidVerdict,
    VerdictPage,
    method_words,
    render_verdict_page,
)
from counterbalance.report.layout import p_value, plural, visible
from counterbalance.report.strategy_comparison_text import (
    ROW_HEAD,
    STRATEGY_LIMITS,
    needs_words,
    row_texts,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.compare.advice import Advice
    from counterbalance.compare.priors import Prior
    from counterbalance.compare.strategy_table import StrategyRow, StrategyTable, Tested

__all__ = ["render_strategies_html"]

_TEXTS = 2
"""Columns of `ROW_HEAD` that hold words; the others hold numbers."""


def render_strategies_html(
    table: StrategyTable, advice: Sequence[Advice], prior: Prior | None = None
) -> str:
    """Return the comparison of strategies as one HTML page.

    Parameters
    ----------
    table : StrategyTable
        The comparison.
    advice : Sequence[Advice]
        What the numbers speak for.
    prior : Prior | None
        Published advice that was asked for.

    Returns
    -------
    str
        The same text for the same comparison. It loads nothing, runs nothing and sends nothing.
    """
    plan = table.plan
    kind = "Exploratory" if plan.family_size is None else "Declared before the data"
    tests = f"{plural(table.family.family_size, 'test')} corrected together by Holm"
    sections = (*_tables(table), *_tested(table), cost_by_agreement(table), _prior(prior))
    used = {row.agreement.method for row in table.rows} | {t.found.method for t in table.tests}
    return render_verdict_page(
        "strategies.html",
        VerdictPage(
            kind="counterbalance compare",
            banner="Comparison of counterbalance",
            title=f"Strategies against {visible(plan.baseline)}",
            facts=(Fact("Analysis", text=f"{kind}; {tests}; {plan.level:.0%} intervals"),),
            verdicts=tuple(_verdicts(table, advice)),
            sections=tuple(section for section in sections if section is not None),
            warnings=tuple(visible(note, 2000) for note in table.notes),
            not_said=STRATEGY_LIMITS,
            methods=method_words(used),
        ),
    )


def _verdicts(table: StrategyTable, advice: Sequence[Advice]) -> Iterator[SaidVerdict]:
    """Say for each judge what was told from the baseline, and what that speaks for."""
    for judge in table.judges:
        tests = [t for t in table.tests if t.found.judge == judge]
        found = [t for t in tests if t.is_found]
        named = ", ".join(f"{visible(t.found.strategy, 40)} {points(t.found.value)}" for t in found)
        told = (
            f"Of {plural(len(tests), 'strategy')} held against {visible(table.plan.baseline, 40)},"
            f" agreement tells {len(found)} from it after the correction"
            f"{f': {named}' if named else ''}."
        )
        said = [
            f"{each.situation.value.capitalize()}: {visible(each.sentence, 2000)}"
            for each in advice
            if each.judge == judge
        ]
        yield SaidVerdict(visible(judge, 90), (told, *said))


def _tables(table: StrategyTable) -> Iterator[Section]:
    about = (
        "Agreement is out of the pairs with a reference and a result; stable and differing are out"
        " of the pairs with two verdicts; a tie by rule is what a rule makes of orders that differ."
    )
    parts = []
    for judge in table.judges:
        rows = table.of_judge(judge)
        pairs = max(row.side.n_pairs for row in rows)
        made = Table(
            caption=f"Strategies of {visible(judge, 90)}",
            about=(
                f"n = {plural(pairs, 'pair')}; {table.plan.level:.0%} intervals over clusters, by"
                f" {', '.join(sorted({row.agreement.method for row in rows}))}."
            ),
            head=(ROW_HEAD[0], *ROW_HEAD[_TEXTS:]),
            rows=tuple(
                (
                    Cell(visible(row.side.strategy, 60), _meaning(row)),
                    *numbers(row_texts(row)[_TEXTS:]),
                )
                for row in rows
            ),
        )
        parts.append(Part(visible(judge, 90), (made,)))
    yield Section("strategies", "Strategies side by side", about, tuple(parts))


def _meaning(row: StrategyRow) -> tuple[str, ...]:
    """Say what a strategy does, where it is or resembles one that has a name."""
    side = row.side
    told = CATALOGUE.get(side.stands_for, {}).get("title", "")
    if not told:
        return ()
    resembles = f"resembles {side.stands_for}, " if side.is_loose else ""
    return (f"{resembles}{told}",)


def _tested(table: StrategyTable) -> Iterator[Section]:
    about = (
        "Each strategy less the baseline, on the pairs that both decided. A ring is not told from 0"
        " after the correction."
    )
    parts = [
        Part(visible(judge, 90), (_forest(tests, f"Agreement of {visible(judge, 90)}"),))
        for judge in table.judges
        if (tests := [t for t in table.tests if t.found.judge == judge])
    ]
    if parts:
        parts.append(Part("Correction", (family_table(table.family, "Tests of agreement"),)))
        yield Section("agreement", "Agreement against the baseline", about, tuple(parts))
    parts = [
        Part(visible(judge, 90), (_forest(tests, f"Stable pairs of {visible(judge, 90)}"),))
        for judge in table.judges
        if (tests := [t for t in table.consistency if t.found.judge == judge])
    ]
    if parts:
        more = f"{about} This needs no reference; stable is not right. A family of its own."
        yield Section("consistency", "Stable pairs against the baseline", more, tuple(parts))
    parts = [
        Part(f"{visible(judge, 60)}: {visible(category, 60)}", (_forest(tests, "Agreement"),))
        for judge in table.judges
        for category in dict.fromkeys(
            t.found.category or "(no category)" for t in table.by_category
        )
        if (tests := _of_category(table, judge, category))
    ]
    if parts:
        more = f"{about} Exploratory, a family of its own: small categories move much by chance."
        yield Section("categories", "Agreement by category", more, tuple(parts))


def _of_category(table: StrategyTable, judge: str, category: str) -> list[Tested]:
    return [
        test
        for test in table.by_category
        if test.found.judge == judge
        and (test.found.category or "(no category)") == category
        and test.found.n_common
    ]


def _forest(tests: Sequence[Tested], caption: str) -> Table:
    held = [test.found for test in tests]
    reach = axis_of(x for found in held for x in (found.value, found.low, found.high))
    return Table(
        caption=f"{caption}, in points",
        about=(
            f"n = {plural(max(found.n_common for found in held), 'common pair')} at most; each row"
            f" has its own count and method. The axis goes from −{100 * reach:g} to"
            f" +{100 * reach:g} points, with 0 in the middle."
        ),
        head=("strategy less baseline", "difference, interval and counts", "on its axis"),
        rows=tuple(_row(test, reach) for test in tests),
        stacks=True,
    )


def _row(test: Tested, reach: float) -> tuple[Cell, ...]:
    found = test.found
    name = Cell(visible(found.strategy, 60), (f"less {visible(found.baseline, 60)}",))
    plot = points_plot(found.value, (found.low, found.high), reach, is_ring=not test.is_found)
    if plot is None:
        return name, Cell("–", (found.undefined or "",)), Cell("no value")
    interval = "no interval"
    if found.low is not None and found.high is not None:
        interval = f"[{100 * found.low:+.1f}, {100 * found.high:+.1f}]"
    counts = (
        f"gained {found.n_gained}, lost {found.n_lost} of"
        f" {plural(found.n_common, 'common pair')} in {plural(found.n_clusters, 'cluster')}"
    )
    lines = (
        f"{interval}; {found.method}",
        counts,
        f"{p_value(found.p_value)}, adjusted {p_value(test.adjusted)}",
        needs_words(test),
    )
    return name, Cell(points(found.value), tuple(x for x in lines if x)), Cell("", plot=plot)


def _prior(prior: Prior | None) -> Section | None:
    if prior is None:
        return None
    table = Table(
        caption="Somebody else's judges and data, not these",
        about=" ".join((f"{prior.source}.", *prior.remarks)),
        head=("situation", "advice"),
        rows=tuple((Cell(situation), Cell(said)) for situation, said in prior.advice),
    )
    return Section("prior", f"Published advice: {prior.name}", "", (Part("", (table,)),))
