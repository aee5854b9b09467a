"""Quotes that judges were asked for, as a text report shows what became of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.report.layout import columns, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.report.quotes import QuoteReport

__all__ = ["QUOTE_WORDS", "quotes_text"]

QUOTE_WORDS = {
    "quoted": "quoted",
    "not_found": "not found",
    "none": "none",
    "without_context": "no context",
}
"""What became of a quote, in words, by the name it has in JSON."""


def quotes_text(reports: Sequence[QuoteReport]) -> list[str]:
    """Return the counts for a text report; nothing where no quote was asked for."""
    if not reports:
        return []
    rows = [["judge", "prompt", *QUOTE_WORDS.values()]]
    rows += [
        [
            visible(r.judge, 30),
            visible(r.prompt, 30) or "the protocol's own",
            *map(str, (r.quoted, r.not_found, r.none, r.without_context)),
        ]
        for r in reports
    ]
    return [
        "",
        "Evidence quotes (verdicts by whether their quote stands in the context; none is changed)",
        *columns(rows, right=range(2, 6)),
    ]
