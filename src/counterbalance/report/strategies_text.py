"""Strategies as plain text: results with the dispositions under them, and why swapping helps."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from counterbalance.report.layout import columns, percent, plural, visible
from counterbalance.report.measure_text import STRATEGY_WORDS, share_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from counterbalance.measures.swap_identity import SwapIdentity
    from counterbalance.report.report import Report
    from counterbalance.report.strategy_rows import StrategyReport

__all__ = ["disposition_words", "identity_sentence", "strategies_text", "strategy_words"]

_WIDTH = 98
_STABLE = ("stable_a", "stable_b", "tie", "neither", "insufficient")
_SHOWN = (
    ("stable", _STABLE),
    ("order disagreement", ("order_disagreement",)),
    ("transition", ("tie_transition", "abstention_transition")),
    ("unstable", ("unstable",)),
    ("refused", ("refused",)),
    ("incomplete", ("incomplete",)),
    ("one order", ("single_order",)),
    ("identical", ("identical",)),
)
"""Dispositions in few columns; --json has each."""


def strategies_text(report: Report, *, full: bool) -> list[str]:
    """Return the strategies of a report.

    Parameters
    ----------
    report : Report
        The report.
    full : bool
        Whether each voter's dispositions are shown as well.

    Returns
    -------
    list[str]
        Lines; results are never shown without the dispositions under them.
    """
    declared = [s for s in report.strategies if s.voters]
    lines = _results(report.strategies)
    if declared:
        lines += _dispositions(declared, full=full)
    for judge, identity in report.swap_identities.items():
        lines += ["", *_wrapped(identity_sentence(visible(judge, 30), identity), "  ")]
    return lines


def _results(strategies: Sequence[StrategyReport]) -> list[str]:
    rows = [["strategy", "judge", "labels", "a", "b", "tie", "ties by the rule", "neither", "none"]]
    rows[0].append("agree with reference (exploratory)")
    for s in strategies:
        counts = s.results
        rows.append(
            [
                visible(s.strategy, 30),
                visible(s.judge, 30),
                visible(" and ".join(s.labellings), 30),
                *(str(counts[x]) for x in ("a", "b", "tie")),
                str(s.from_disagreement),
                str(counts["neither"]),
                str(counts["none"]),
                share_text(s.agreement),
            ]
        )
    words = dict.fromkeys((s.strategy, strategy_words(s)) for s in strategies)
    return [
        "",
        "Strategy results (what a rule makes of the verdicts; never a disposition)",
        *columns(rows, right=range(3, 10)),
        *(line for name, said in words for line in _wrapped(f"{visible(name, 30)}: {said}", "  ")),
    ]


def strategy_words(strategy: StrategyReport) -> str:
    """Return what a strategy does, in a few words."""
    return visible(strategy.title, 200) or STRATEGY_WORDS.get(strategy.strategy, "of the protocol")


def disposition_words(dispositions: Mapping[str, int]) -> dict[str, int]:
    """Return dispositions in the few classes that tables of strategies show."""
    return {name: sum(dispositions.get(x, 0) for x in held) for name, held in _SHOWN}


def _dispositions(strategies: Sequence[StrategyReport], *, full: bool) -> Iterator[str]:
    head = ["strategy", "judge", "votes", *(name for name, _ in _SHOWN)]
    rows = [[*head, "calls without a verdict", "pairs with own disagreement", "split", "escalated"]]
    for s in strategies:
        found = disposition_words(s.dispositions)
        counts = [sum(found.values()), *found.values(), s.without_verdict]
        counts += [s.self_disagreeing, s.split, s.escalated]
        rows.append([visible(s.strategy, 30), visible(s.judge, 30), *map(_count, counts)])
        for voter in s.voters if full and len(s.voters) > 1 else ():
            found = disposition_words(voter.dispositions)
            counts = [voter.pairs, *found.values(), voter.without_verdict]
            rows.append(["", f"  {visible(voter.name, 40)}", *map(_count, counts), "", "", ""])
    used = [i for i, column in enumerate(zip(*rows, strict=True)) if set(column[1:]) - {"", "."}]
    yield ""
    yield "Dispositions under the strategies (votes by class, before any rule)"
    yield from columns([[row[i] for i in used] for row in rows], right=range(2, len(used)))


def _count(n: int) -> str:
    return str(n) if n else "."


def identity_sentence(judge: str, found: SwapIdentity) -> str:
    """Return why S1 is better or worse than B0 for a judge, in counts of one identity."""
    if not found.pairs:
        return f"{judge}: no pair has a reference and a result of both B0 and S1."
    said = (
        f"{judge}: S1 against B0, over {plural(found.pairs, 'pair')} with a reference and both"
        f" results: {found.both_right} accepted against {found.one_call_right}"
        f" ({found.gain:+d}). The orders agree on {found.agree}"
        f" ({percent(found.agree / found.pairs)}), where both are accepted {found.right_on_agree}"
        f" times. On the other {found.disagree} a tie is accepted {found.tie_right} times and the"
        f" first call {found.first_right} times: {found.tie_right} - {found.first_right} ="
        f" {found.tie_right - found.first_right:+d}"
    )
    if found.holds:
        return f"{said}, which is the whole difference."
    return f"{said}, which is not the whole difference: B0's call is not the first call of S1."


def _wrapped(sentence: str, indent: str) -> list[str]:
    return textwrap.wrap(
        sentence, _WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )
