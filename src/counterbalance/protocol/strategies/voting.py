"""Who votes under each strategy: a row for each strategy and judge or panel, with its voters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from counterbalance.protocol.strategies.strategy import PLAIN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.protocol.labelling import Labelling
    from counterbalance.protocol.strategies.strategy import Strategy

__all__ = ["StrategyRow", "Voter", "rows_of"]


@dataclass(frozen=True, slots=True, order=True)
class Voter:
    """What is asked alike for every pair: one prompt, judge, temperature and labelling.

    Attributes
    ----------
    prompt : str
        Name of the prompt; empty for the protocol's own.
    judge : str
        Name of the judge.
    temperature : float | None
        In place of the judge's own; None keeps that.
    labelling : str
        Name of the labelling.
    is_on_call : bool
        Whether it is asked only where the first voter disagrees with itself.
    """

    prompt: str
    judge: str
    temperature: float | None
    labelling: str
    is_on_call: bool = False

    @property
    def standing(self) -> Voter:
        """The same voter as one that is asked about every pair, as the order plan has it."""
        return replace(self, is_on_call=False)

    @property
    def name(self) -> str:
        """What reports call it: what sets it apart from the protocol's own way of asking."""
        parts = [self.judge, self.prompt]
        if self.temperature is not None:
            parts.append(f"temperature {self.temperature:g}")
        return ", ".join(part for part in parts if part) + f" [{self.labelling}]"


@dataclass(frozen=True, slots=True)
class StrategyRow:
    """One strategy with one judge, or with its panel.

    Attributes
    ----------
    strategy : Strategy
        What is asked, and the rule.
    judge : str
        Name of the judge; the names of a panel, joined by `` + ``.
    voters : tuple[Voter, ...]
        Every voter; each gives `Strategy.repetitions` votes.
    """

    strategy: Strategy
    judge: str
    voters: tuple[Voter, ...]

    @property
    def n_votes(self) -> int:
        """Votes on each pair, those on call left out."""
        voters = sum(not voter.is_on_call for voter in self.voters)
        return voters * self.strategy.repetitions

    @property
    def quorum(self) -> int:
        """Fewest votes with a verdict that make a result."""
        return self.strategy.quorum or self.n_votes // 2 + 1

    @property
    def has_both_orders(self) -> bool:
        """Whether every voter sees each pair in both orders."""
        return self.strategy.orders == "both"


def rows_of(
    strategies: Sequence[Strategy], judges: Sequence[str], labellings: Sequence[Labelling]
) -> tuple[StrategyRow, ...]:
    """Return every strategy with each judge or panel that it is tried with.

    Parameters
    ----------
    strategies : Sequence[Strategy]
        What is compared.
    judges : Sequence[str]
        Names of the judges that are not on call.
    labellings : Sequence[Labelling]
        What the slots are called; strategies take the first.

    Returns
    -------
    tuple[StrategyRow, ...]
        By strategy, then by judge.
    """
    return tuple(row for strategy in strategies for row in _rows(strategy, judges, labellings[0]))


def _rows(strategy: Strategy, judges: Sequence[str], first: Labelling) -> Iterator[StrategyRow]:
    labellings = [first.name]
    if strategy.labels == "exchanged":
        labellings.append(first.exchanged.name)
    if isinstance(strategy.panel, tuple) and strategy.panel:
        name = " + ".join(strategy.panel)
        yield StrategyRow(strategy, name, tuple(_voters(strategy, strategy.panel, labellings)))
        return
    for judge in strategy.judges or judges:
        if judge == strategy.stronger:
            continue
        voters = [*_voters(strategy, (judge,), labellings)]
        if strategy.stronger is not None:
            voters += [
                Voter(v.prompt, strategy.stronger, v.temperature, v.labelling, is_on_call=True)
                for v in voters
            ]
        yield StrategyRow(strategy, judge, tuple(voters))


def _voters(
    strategy: Strategy, judges: Sequence[str], labellings: Sequence[str]
) -> Iterator[Voter]:
    for judge in judges:
        for prompt in strategy.prompts:
            for temperature in strategy.temperatures or (None,):
                for labelling in labellings:
                    yield Voter("" if prompt == PLAIN else prompt, judge, temperature, labelling)
