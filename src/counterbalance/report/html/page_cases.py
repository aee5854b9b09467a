"""Order-sensitive pairs with both replies: of a run, with all texts, or of a log."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from counterbalance.dispositions.cell import verdict_of
from counterbalance.items.frames import Side, Slot
from counterbalance.items.item import conversation_text
from counterbalance.presentations.order import side_in
from counterbalance.report.html.quote_tables import quote_of
from counterbalance.report.html.word_diff import word_diff
from counterbalance.report.layout import visible
from counterbalance.report.log_cases import CASE_RANK

if TYPE_CHECKING:
    from markupsafe import Markup

    from counterbalance.dispositions.evidence import GroupId, PresentationEvidence
    from counterbalance.items.frames import Order
    from counterbalance.measures.group import JudgedPair
    from counterbalance.report.evidence import Evidence
    from counterbalance.report.html.quote_tables import ShownQuote
    from counterbalance.report.log_reading import LogCase, LogGame, LogReading

__all__ = ["CaseList", "PageCase", "ShownReply", "log_cases", "run_case", "run_cases"]

_SLOTS = frozenset(slot.value for slot in Slot)
MOST_CASES = 50
"""Cases of a run that a page shows; one file must stay quick to open."""


@dataclass(frozen=True, slots=True)
class ShownReply:
    """One reply to one presentation.

    Attributes
    ----------
    heading : str
        Order, and what came of it.
    text : str
        As received; empty where there is none.
    span : tuple[int, int] | None
        What decided, in the text.
    problem : str
        Why there is no reply; empty where there is one.
    quote : ShownQuote | None
        What was quoted beside the verdict; None where no quote was asked for.
    """

    heading: str
    text: str
    span: tuple[int, int] | None = None
    problem: str = ""
    quote: ShownQuote | None = None


@dataclass(frozen=True, slots=True)
class PageCase:
    """One order-sensitive pair.

    Attributes
    ----------
    title : str
        The pair, or the item of a log.
    disposition : str
        Its class, with what it is in detail.
    facts : tuple[tuple[str, str], ...]
        Name and value of what else is known.
    texts : tuple[tuple[str, str], ...]
        Heading and text of prompt, context and both candidates; none for a log.
    replies : tuple[ShownReply, ...]
        What the judge said, in the sequence it was asked or stands in the log.
    diff : Markup | None
        Candidate a turned into candidate b word by word; None where they share too little.
    """

    title: str
    disposition: str
    facts: tuple[tuple[str, str], ...]
    texts: tuple[tuple[str, str], ...]
    replies: tuple[ShownReply, ...]
    diff: Markup | None = None


@dataclass(frozen=True, slots=True)
class CaseList:
    """The cases of a page.

    Attributes
    ----------
    cases : tuple[PageCase, ...]
        Those that are shown.
    total : int
        How many there are.
    sequence : str
        What they are listed by.
    lists_all : str
        The command that lists all of them.
    all_in : str
        The page that leads to all cases; empty where there is none.
    """

    cases: tuple[PageCase, ...]
    total: int
    sequence: str
    lists_all: str
    all_in: str = ""


def log_cases(log: LogReading) -> CaseList:
    """Return the cases that the reading of a log lists."""
    return CaseList(
        cases=tuple(_log_case(case) for case in log.cases),
        total=log.n_cases,
        sequence="consequence, then by how clearly they flip",
        lists_all=f"counterbalance audit FILE --cases {log.n_cases}",
    )


def _log_case(case: LogCase) -> PageCase:
    group = ", ".join(x for x in (case.judge, case.strategy, case.subset) if x)
    facts = (
        ("judge", visible(group, 120)),
        ("candidate a", visible(case.a, 80)),
        ("candidate b", visible(case.b, 80)),
        ("reference", " or ".join(case.reference)),
    )
    return PageCase(
        title=visible(case.item, 120),
        disposition=_class(case.disposition, case.detail),
        facts=tuple(fact for fact in facts if fact[1]),
        texts=(),
        replies=tuple(_log_reply(game) for game in case.games),
    )


def _class(disposition: str, detail: str) -> str:
    return f"{disposition} ({detail})" if detail else disposition


def _log_reply(game: LogGame) -> ShownReply:
    order = f"{game.shown_first} shown first" if game.shown_first else "order not known"
    strength = f", {game.strength}" if game.strength else ""
    margin = "" if game.margin is None else f", margin {game.margin:+.4g}"
    place = f"{visible(game.file.rpartition('/')[2], 60)}, line {game.line}"
    return ShownReply(
        heading=f"{order}: verdict {game.verdict}{strength}{margin} ({place})",
        text=game.reply,
        problem="" if game.reply else "The log keeps no reply.",
    )


def run_cases(evidence: Evidence, all_in: str = "") -> CaseList:
    """Return the order-sensitive pairs of a run, the most consequential first.

    Parameters
    ----------
    evidence : Evidence
        From `read_evidence`.
    all_in : str
        The page that leads to all cases; empty where there is none.

    Returns
    -------
    CaseList
        The first of them with every text; by consequence, class and id.
    """
    found: list[tuple[float, int, str, int]] = []
    places: list[tuple[Evidence, GroupId, JudgedPair]] = []
    for part in (evidence, evidence.confirmation):
        for group, pairs in part.groups.items() if part is not None else ():
            for judged in pairs:
                rank = CASE_RANK.get(judged.result.disposition)
                if part is not None and rank is not None:
                    found.append((-judged.pair.item.consequence, rank, judged.pair.id, len(places)))
                    places.append((part, group, judged))
    found.sort()
    return CaseList(
        cases=tuple(run_case(*places[place]) for *_, place in found[:MOST_CASES]),
        total=len(found),
        sequence="consequence, then by class and id",
        lists_all="counterbalance report RECORD --jsonl FILE",
        all_in=all_in,
    )


def run_case(part: Evidence, group: GroupId, judged: JudgedPair) -> PageCase:
    """Return one pair of a run under one judge and labelling, with every text."""
    pair, item = judged.pair, judged.pair.item
    reference = pair.reference
    accepted = "" if reference is None else " or ".join(sorted(reference.accepted))
    facts = (
        ("judge", visible(f"{group.judge}, labels {group.labelling}", 120)),
        ("part", "held-out pairs" if part.is_held_out else ""),
        ("category", visible(item.category, 80)),
        ("consequence", f"{item.consequence:g}"),
        ("reference", accepted),
    )
    texts = (
        ("Prompt", conversation_text(item.messages)),
        ("Context", item.context),
        *((_named(judged, side), pair.candidate(side).text) for side in Side),
    )
    return PageCase(
        title=visible(pair.id, 120),
        disposition=_class(judged.result.disposition.value, judged.result.detail),
        facts=tuple(fact for fact in facts if fact[1]),
        texts=tuple(text for text in texts if text[1]),
        replies=tuple(
            replace(_run_reply(order, shown), quote=quote_of(part.protocol.verdict, pair, shown))
            for order, shown in judged.main()
        ),
        diff=word_diff(pair.a.text, pair.b.text),
    )


def _named(judged: JudgedPair, side: Side) -> str:
    candidate = judged.pair.candidate(side)
    system = " ".join(x for x in (candidate.system, candidate.version) if x)
    return f"Candidate {side}: {visible(system, 80)}" if system else f"Candidate {side}"


def _run_reply(order: Order, shown: PresentationEvidence) -> ShownReply:
    first = side_in(Slot.FIRST, order).value
    attempt = shown.decisive
    if attempt is None:
        return ShownReply(f"{first} shown first: not run", "", problem="Nothing was asked.")
    kind = attempt.outcome.kind.value
    verdict = verdict_of(attempt.outcome, order)
    said = f"no verdict ({kind})" if verdict is None else f"verdict {verdict.value}"
    slot = f", the {kind} slot" if kind in _SLOTS else ""
    reply = attempt.reply
    return ShownReply(
        heading=f"{first} shown first: {said}{slot}",
        text="" if reply is None else reply.text,
        span=attempt.outcome.span,
        problem=""
        if reply is not None and reply.text
        else attempt.problem or "The reply is empty.",
    )
