"""Strategies on a page: their results, and the dispositions under them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.report.html.sections import Part, Section, Words
from counterbalance.report.html.side_tables import numbers
from counterbalance.report.html.table import Cell, Table
from counterbalance.report.layout import visible
from counterbalance.report.measure_text import share_text
from counterbalance.report.strategies_text import (
    disposition_words,
    identity_sentence,
    strategy_words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.report.report import Report
    from counterbalance.report.strategy_rows import StrategyReport

__all__ = ["strategies"]


def strategies(report: Report) -> Section | None:
    """Show what rules make of the verdicts; None where there is no strategy."""
    if not report.strategies:
        return None
    results = ("a", "b", "tie", "neither", "none")
    rows = tuple(
        (
            Cell(visible(s.strategy, 30), (_asked(s),)),
            *numbers(s.results[result] for result in results),
            *numbers((s.from_disagreement, share_text(s.agreement))),
        )
        for s in report.strategies
    )
    words = dict.fromkeys((s.strategy, strategy_words(s)) for s in report.strategies)
    said = " ".join(f"{visible(name, 30)}: {does}." for name, does in words)
    table = Table(
        caption="Strategy results",
        about=(
            "Pairs by result; agreement is out of the pairs that have a reference and a result,"
            f" and exploratory. {said}"
        ),
        head=("strategy", *results, "ties by the rule", "agree with reference"),
        rows=rows,
    )
    about = "What a rule makes of the verdicts stands beside the dispositions and changes none."
    declared = [s for s in report.strategies if s.voters]
    tables = (table, _under(declared)) if declared else (table,)
    identities = tuple(
        identity_sentence(visible(judge, 40), found)
        for judge, found in report.swap_identities.items()
    )
    parts = (Part("", (*tables, *((Words(identities),) if identities else ()))),)
    return Section("strategies", "Strategies", about, parts)


def _under(declared: Sequence[StrategyReport]) -> Table:
    """Show the votes of each strategy by disposition, before any rule."""
    found = [disposition_words(s.dispositions) for s in declared]
    names = [name for name in found[0] if any(counts[name] for counts in found)]
    rows = tuple(
        (
            Cell(visible(s.strategy, 30), (_asked(s),)),
            *numbers((sum(counts.values()), *(counts[name] for name in names))),
            *numbers((s.without_verdict, s.self_disagreeing, s.split, s.escalated)),
        )
        for s, counts in zip(declared, found, strict=True)
    )
    further = ("calls without a verdict", "pairs with own disagreement", "split", "escalated")
    return Table(
        caption="Dispositions under the strategies",
        about=(
            "Votes by class, before any rule. A pair with own disagreement has a voter whose two"
            " orders disagree; it is split where voters do not all say the same."
        ),
        head=("strategy", "votes", *names, *further),
        rows=rows,
    )


def _asked(strategy: StrategyReport) -> str:
    labels = " and ".join(strategy.labellings)
    return f"{visible(strategy.judge, 40)}, labels {visible(labels, 40)}"
