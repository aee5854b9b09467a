"""Quotes that judges were asked for, looked for in the source: counts beside the verdicts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from counterbalance.parsing.beside_verdict import quote_beside
from counterbalance.parsing.quotes import quote_state

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from counterbalance.dispositions.evidence import PairEvidence, PresentationEvidence
    from counterbalance.items.item import Pair, PairId
    from counterbalance.protocol.verdict_format import VerdictFormat
    from counterbalance.report.evidence import Evidence

__all__ = ["QuoteReport", "case_quotes", "quote_reports", "quotes_in_strategies"]


@dataclass(frozen=True, slots=True)
class QuoteReport:
    """What one judge quoted under one prompt.

    Attributes
    ----------
    judge : str
        Name of the judge.
    prompt : str
        Name of the prompt; empty for the protocol's own.
    quoted : int
        Verdicts whose quote stands in the item's context.
    not_found : int
        Verdicts whose quote does not.
    none : int
        Verdicts without a quote.
    without_context : int
        Verdicts on items without a context, which nothing can be quoted from.
    """

    judge: str
    prompt: str
    quoted: int
    not_found: int
    none: int
    without_context: int


def quote_reports(evidence: Evidence) -> tuple[QuoteReport, ...]:
    """Count what was quoted, for every prompt that asks for it.

    Parameters
    ----------
    evidence : Evidence
        Holds the replies.

    Returns
    -------
    tuple[QuoteReport, ...]
        By judge and prompt; empty where no prompt asks for quotes.
    """
    counts: dict[tuple[str, str], Counter[str]] = {}
    seen: set[str] = set()
    for prompt, pair, found in _asked(evidence):
        verdict = evidence.protocol.under(prompt).verdict
        for shown in (shown for held in found.main.values() for shown in held):
            if shown.presentation.key in seen:
                continue
            seen.add(shown.presentation.key)
            state = _state(verdict, pair, shown)
            if state:
                counts.setdefault((shown.presentation.judge, prompt), Counter())[state] += 1
    return tuple(
        QuoteReport(judge, prompt, n["quoted"], n["not_found"], n["none"], n["without_context"])
        for (judge, prompt), n in counts.items()
    )


def _asked(evidence: Evidence) -> Iterator[tuple[str, Pair, PairEvidence]]:
    """Yield what every pair holds under every prompt that asks for quotes."""
    protocol = evidence.protocol
    if protocol.verdict.quote is not None:
        for pairs in evidence.groups.values():
            for judged in pairs:
                yield "", judged.pair, judged.evidence
    for found in evidence.strategies:
        for voter, each in found.voters.items():
            if protocol.under(voter.prompt).verdict.quote is not None:
                for pair, held in zip(found.pairs, each, strict=True):
                    yield voter.prompt, pair, held.evidence


def _state(verdict: VerdictFormat, pair: Pair, shown: PresentationEvidence) -> str:
    """Return what became of the quote of one presentation; empty without a verdict."""
    attempt = shown.decisive
    if attempt is None or attempt.reply is None or not attempt.outcome.is_verdict:
        return ""
    if not pair.item.context:
        return "without_context"
    quote = quote_beside(verdict, attempt.reply.text, attempt.outcome)
    return quote_state(pair.item.context, quote)


def case_quotes(
    verdict: VerdictFormat, pair: Pair, found: Iterable[PresentationEvidence], prompt: str = ""
) -> list[dict[str, Any]] | None:
    """Return what was quoted about one pair, for its case.

    Parameters
    ----------
    verdict : VerdictFormat
        Says whether a quote is asked for.
    pair : Pair
        Holds the source.
    found : Iterable[PresentationEvidence]
        Its presentations.
    prompt : str
        Name of the prompt that it was shown under; empty for the protocol's own.

    Returns
    -------
    list[dict[str, Any]] | None
        Presentation, prompt, quote and state of each verdict; None where no quote is asked for.
    """
    if verdict.quote is None:
        return None
    return [
        {
            "presentation": shown.presentation.key,
            "prompt": prompt,
            "quote": quote_beside(verdict, shown.decisive.reply.text, shown.decisive.outcome),
            "state": state,
        }
        for shown in found
        if (state := _state(verdict, pair, shown))
        and shown.decisive is not None
        and shown.decisive.reply is not None
    ]


def quotes_in_strategies(evidence: Evidence) -> dict[tuple[str, PairId], list[dict[str, Any]]]:
    """Return what was quoted under the prompts of strategies, for the cases.

    Parameters
    ----------
    evidence : Evidence
        Holds the replies.

    Returns
    -------
    dict[tuple[str, PairId], list[dict[str, Any]]]
        By judge and pair, as `case_quotes`; each presentation once, whoever shares it.
    """
    found: dict[tuple[str, PairId], dict[str, dict[str, Any]]] = {}
    for prompt, pair, held in _asked(evidence):
        verdict = evidence.protocol.under(prompt).verdict
        for shown in (shown for each in held.main.values() for shown in each) if prompt else ():
            place = shown.presentation.judge, pair.id
            for quote in case_quotes(verdict, pair, [shown], prompt) or ():
                found.setdefault(place, {})[quote["presentation"]] = quote
    return {place: list(quotes.values()) for place, quotes in found.items()}
