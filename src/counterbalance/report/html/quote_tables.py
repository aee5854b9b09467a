"""Evidence quotes on a page: how many stand in the source, and what each judge quoted of a case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.report.html.sections import Part, Section
from counterbalance.report.html.side_tables import numbers
from counterbalance.report.html.table import Cell, Table
from counterbalance.report.layout import percent, visible
from counterbalance.report.quotes import case_quotes
from counterbalance.report.quotes_text import QUOTE_WORDS

if TYPE_CHECKING:
    from counterbalance.dispositions.evidence import PresentationEvidence
    from counterbalance.items.item import Pair
    from counterbalance.protocol.verdict_format import VerdictFormat
    from counterbalance.report.quotes import QuoteReport
    from counterbalance.report.report import Report

__all__ = ["ShownQuote", "evidence_quotes", "quote_of"]


@dataclass(frozen=True, slots=True)
class ShownQuote:
    """What a judge quoted beside one verdict.

    Attributes
    ----------
    state : str
        Whether it stands in the context, in words.
    text : str
        The quoted words as received; empty for none.
    """

    state: str
    text: str


def quote_of(verdict: VerdictFormat, pair: Pair, shown: PresentationEvidence) -> ShownQuote | None:
    """Return what was quoted beside the verdict of one presentation.

    Parameters
    ----------
    verdict : VerdictFormat
        Says whether a quote is asked for.
    pair : Pair
        Holds the source.
    shown : PresentationEvidence
        The presentation.

    Returns
    -------
    ShownQuote | None
        None where no quote is asked for, and where there is no verdict.
    """
    found = case_quotes(verdict, pair, [shown])
    if not found:
        return None
    return ShownQuote(QUOTE_WORDS[found[0]["state"]], found[0]["quote"])


def evidence_quotes(report: Report) -> Section | None:
    """Count verdicts by what became of their quotes; None where no quote was asked for."""
    if not report.quotes:
        return None
    table = Table(
        caption="Verdicts by their evidence quote",
        about=(
            "n is every verdict under a prompt that asks for a quote; a call without a verdict has"
            " none. The share is of the verdicts on items with a context, which alone can be quoted"
            " from."
        ),
        head=("judge", "n", *QUOTE_WORDS.values(), "quoted, of those with a context"),
        rows=tuple(_row(quotes) for quotes in report.quotes),
    )
    about = (
        "Judges were asked to quote the source. Letter case, spacing and the form of quotation"
        " marks do not count. A quote stands beside its verdict and changes none: one that is found"
        " may still prove nothing, and a verdict without one may be right."
    )
    return Section("evidence-quotes", "Evidence quotes", about, (Part("", (table,)),))


def _row(quotes: QuoteReport) -> tuple[Cell, ...]:
    prompt = visible(quotes.prompt, 40) or "the protocol's own prompt"
    with_context = quotes.quoted + quotes.not_found + quotes.none
    counts = (quotes.quoted, quotes.not_found, quotes.none, quotes.without_context)
    share = percent(quotes.quoted / with_context if with_context else None)
    return (
        Cell(visible(quotes.judge, 40), (prompt,)),
        *numbers((sum(counts), *counts)),
        Cell(share, (f"{quotes.quoted} of {with_context}",), is_number=True),
    )
