"""Which model an endpoint says that it answered with, where another one was asked for."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from counterbalance.errors import one_line
from counterbalance.protocol.families import families_of
from counterbalance.protocol.judge_settings import HttpJudge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.dispositions.evidence import PresentationEvidence
    from counterbalance.report.evidence import Evidence

__all__ = ["answered_otherwise", "is_same_model"]

_ALIAS = re.compile(r"[-:@]latest$")
_MOST_NAMED = 3


def answered_otherwise(evidence: Evidence) -> Iterator[str]:
    """Yield a sentence for each judge whose replies name a model that was not asked for.

    Parameters
    ----------
    evidence : Evidence
        What the record holds.

    Yields
    ------
    str
        With the counts. Replies that name no model say nothing either way.
    """
    asked = {shown.presentation.key: shown for shown in _presentations(evidence)}
    for judge in evidence.protocol.judges:
        if not isinstance(judge, HttpJudge):
            continue
        named = Counter(
            shown.decisive.reply.model
            for shown in asked.values()
            if shown.presentation.judge == judge.name
            and shown.decisive is not None
            and shown.decisive.reply is not None
            and shown.decisive.reply.model
        )
        others = Counter({m: n for m, n in named.items() if not is_same_model(judge.model, m)})
        if others:
            yield _sentence(judge, others, named.total())


def _presentations(evidence: Evidence) -> Iterator[PresentationEvidence]:
    """Yield what dispositions and strategies rest on: a judge on call has a part in these only."""
    for pairs in evidence.groups.values():
        for judged in pairs:
            for _, shown in judged.main():
                yield shown
    for found in evidence.strategies:
        yield from found.presentations()


def _sentence(judge: HttpJudge, others: Counter[str], n_named: int) -> str:
    listed = ", ".join(
        f"{one_line(repr(model), 80)} ({n})" for model, n in others.most_common(_MOST_NAMED)
    )
    more = f" and {len(others) - _MOST_NAMED} more" if len(others) > _MOST_NAMED else ""
    asked, answered = families_of(judge.model), frozenset().union(*map(families_of, others))
    apart = " It is of another family." if asked and answered and not asked & answered else ""
    return (
        f"Judge {judge.name} was asked for {one_line(repr(judge.model), 80)}, and"
        f" {others.total()} of {n_named} replies name another model: {listed}{more}. Which of them"
        f" gave the verdicts cannot be told from here.{apart}"
    )


def is_same_model(asked: str, answered: str) -> bool:
    """Say whether a name that was answered is the one that was asked for, or a version of it.

    Parameters
    ----------
    asked : str
        As the protocol names it, prefixes of routers included.
    answered : str
        As the endpoint names it.

    Returns
    -------
    bool
        Whether the names, without what stands before the last slash, are equal or the answered one
        goes on where the asked one ends.

    Examples
    --------
    >>> is_same_model("openrouter/openai/gpt-4o", "gpt-4o-2024-08-06")
    True
    >>> is_same_model("claude-3-5-sonnet-latest", "claude-3-5-sonnet-20241022")
    True
    >>> is_same_model("gpt-4o", "gpt-4o-mini-2024-07-18"), is_same_model("gpt-4o", "llama-3.3-70b")
    (False, False)
    """
    wanted, found = (_ALIAS.sub("", name.lower().rpartition("/")[2]) for name in (asked, answered))
    if wanted == found:
        return True
    # What follows may be a date or a version, never a further word: gpt-4o-mini is no gpt-4o.
    rest = found.removeprefix(wanted)
    return (
        rest != found
        and re.fullmatch(r"(?:[-:@._](?:v?\d[\d.\-]*|preview|exp))+", rest) is not None
    )
