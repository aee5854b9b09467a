"""One strategy: prompts x orders x judges x temperatures, and the rule that combines the votes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, PositiveInt, StringConstraints

from counterbalance.protocol.judge_settings import JUDGE_NAME_PATTERN
from counterbalance.protocol.section import LISTED_ONCE, UNIQUE, Section

__all__ = ["ALL_JUDGES", "PLAIN", "STRATEGY_ID_PATTERN", "PromptName", "Rule", "Strategy"]

STRATEGY_ID_PATTERN = r"^[A-Za-z][A-Za-z0-9_.-]*$"
"""Ids of strategies, and names of their prompts."""
PLAIN = "plain"
"""Name of the protocol's own prompt."""
ALL_JUDGES = "all"
"""A panel of every judge that is not on call."""

Name = Annotated[str, StringConstraints(pattern=JUDGE_NAME_PATTERN, max_length=100)]
PromptName = Annotated[str, StringConstraints(pattern=STRATEGY_ID_PATTERN, max_length=60)]
Rule = Literal["as_is", "agree_or_tie", "majority", "mean_log_odds", "mean_scores", "escalate"]


class Strategy(Section):
    """A way of asking and of combining.

    Each combination of prompt, judge, temperature and repetition is one vote.
    """

    id: Annotated[str, StringConstraints(pattern=STRATEGY_ID_PATTERN, max_length=60)]
    """What reports call it."""
    title: Annotated[str, StringConstraints(max_length=200)] = ""
    """What it does, in a few words."""
    prompts: Annotated[tuple[PromptName, ...], LISTED_ONCE, UNIQUE, Field(min_length=1)] = (PLAIN,)
    """Prompts that are asked: plain is the protocol's own, others are in [prompts.NAME] or built
    in."""
    orders: Literal["one", "both"] = "one"
    """one: one seeded order for each pair, half and half. both: every pair in both orders."""
    judges: Annotated[tuple[Name, ...], LISTED_ONCE, UNIQUE] = ()
    """Judges that it is tried with, one after the other; left out, every judge that is not on
    call."""
    panel: Literal["all"] | Annotated[tuple[Name, ...], LISTED_ONCE, UNIQUE] = ()
    """Judges that vote together, in place of judges; all: every judge that is not on call."""
    temperatures: Annotated[
        tuple[Annotated[float, Field(ge=0, le=2)], ...], LISTED_ONCE, UNIQUE
    ] = ()
    """Temperatures that each judge is asked at; left out, its own."""
    repetitions: Annotated[int, Field(ge=1, le=100)] = 1
    """How often each is asked."""
    labels: Literal["first", "exchanged"] = "first"
    """first: the first labelling. exchanged: that one, and again with its labels exchanged."""
    rule: Rule = "as_is"
    """as_is: the one verdict. agree_or_tie: the verdict of both orders, a tie where they disagree.
    majority: more than half of the votes that have a verdict. mean_log_odds: label log-odds
    averaged. mean_scores: scores averaged. escalate: agree_or_tie, and where that disagrees the
    judge on call."""
    tie_break: Literal["tie", "none"] = "tie"
    """What the rule makes of votes without a majority, and of orders that disagree."""
    quorum: PositiveInt | None = None
    """Fewest votes with a verdict for a result; left out, more than half of the votes."""
    stronger: Name | None = None
    """escalate: the judge that is asked in both orders where the first disagrees with itself."""
