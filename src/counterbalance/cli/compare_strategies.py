"""``counterbalance compare --strategies``: the strategies of a record or log beside one another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from counterbalance.compare.priors import Prior
    from counterbalance.compare.strategy_side import StrategySide
    from counterbalance.importers.log_format import LogFormat
    from counterbalance.protocol.sections import ComparedMeasure
    from counterbalance.record.place import Place

__all__ = ["StrategyWords", "print_strategies", "strategy_options"]


@dataclass(frozen=True, slots=True)
class StrategyWords:
    """The options that are about strategies."""

    strategies: bool
    baseline: str | None
    adversarial: tuple[str, ...]
    prior: str | None

    def refuse_without_strategies(self) -> None:
        """Refuse options that mean nothing when judges are compared."""
        from counterbalance.errors import UsageError

        given = {
            "--baseline": self.baseline is not None,
            "--adversarial": bool(self.adversarial),
            "--prior": self.prior is not None,
        }
        for name, is_given in given.items():
            if is_given and not self.strategies:
                msg = f"{name} is about strategies; give --strategies as well"
                raise UsageError(msg)


_OPTIONS = (
    click.option(
        "--strategies",
        is_flag=True,
        help="Compare the strategies of each judge, with cost and advice.",
    ),
    click.option(
        "--baseline",
        metavar="STRATEGY",
        help="Strategy that the others are compared with; B0 when left out.",
    ),
    click.option(
        "--adversarial",
        multiple=True,
        metavar="CATEGORY",
        help="Category of adversarial or high-stakes pairs, for the advice; may be repeated.",
    ),
    click.option(
        "--prior",
        metavar="NAME",
        help="Also show published advice (judging-the-judges): somebody else's judges and data.",
    ),
)


def strategy_options(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb the options, as one argument ``words``."""
    import functools
    from dataclasses import fields

    @functools.wraps(verb)
    def with_words(**given: object) -> int:
        named = {each.name: given.pop(each.name) for each in fields(StrategyWords)}
        return verb(words=StrategyWords(**named), **given)  # type: ignore[arg-type]

    found: Callable[..., int] = with_words
    for option in reversed(_OPTIONS):
        found = option(found)
    return found


def print_strategies(
    records: Sequence[Place],
    logs: Sequence[Path],
    log_format: LogFormat | None,
    words: StrategyWords,
    margins: Mapping[ComparedMeasure, float],
    *,
    full: bool,
    as_json: bool,
    html: Path | None,
) -> int:
    """Print the comparison and write its page; return the exit code."""
    from counterbalance.cli.output import json_text, written_text
    from counterbalance.cli.running import EXIT_INCOMPLETE
    from counterbalance.compare.advice import advice
    from counterbalance.compare.strategy_table import StrategyPlan, strategy_table
    from counterbalance.report.strategy_comparison_json import strategies_value
    from counterbalance.report.strategy_comparison_text import strategies_text

    prior = _prior(words.prior)
    margin = _margin(margins)
    if logs:
        sides, notes, level, declared = _of_logs(logs, log_format)
    else:
        sides, notes, level, declared = _of_record(records)
    _check_categories(words.adversarial, sides)
    baseline = words.baseline or _baseline(sides)
    plan = StrategyPlan(baseline, level, margin, declared if baseline == "B0" else None)
    table = strategy_table(sides, plan, notes)
    advised = advice(table, sides, words.adversarial)
    if as_json:
        click.echo(json_text(strategies_value(table, advised, prior)))
    else:
        click.echo(strategies_text(table, advised, prior, full=full).rstrip("\n"))
    if html is not None:
        from counterbalance.report.html.strategies_page import render_strategies_html

        written_text(html, render_strategies_html(table, advised, prior))
        click.echo(f"{html}: the comparison as a page", err=True)
    has_any = any(test.found.value is not None for test in (*table.tests, *table.consistency))
    return 0 if has_any else EXIT_INCOMPLETE


_Sides = tuple[list["StrategySide"], list[str], float, int | None]


def _of_logs(logs: Sequence[Path], log_format: LogFormat | None) -> _Sides:
    from counterbalance.importers.loading import read_logs
    from counterbalance.report.strategies_of_log import strategies_of_log

    by = ("judge", "strategy", "subset")
    log = read_logs(logs, log_format=log_format, by=by, rereads=False)
    sides, notes = strategies_of_log(log)
    return sides, [*log.notes, *notes], 0.95, None


def _of_record(records: Sequence[Place]) -> _Sides:
    from counterbalance.errors import UsageError
    from counterbalance.record import open_record
    from counterbalance.report.evidence import read_evidence
    from counterbalance.report.probe_measures import has_answers
    from counterbalance.report.strategies_of_record import (
        n_declared_strategies,
        strategies_of_record,
    )

    if len(records) != 1:
        msg = "strategies are compared within one record; give one, or --log FILE"
        raise UsageError(msg)
    with open_record(records[0], create=False, exclusive=False) as store:
        evidence = read_evidence(store)
    if not has_answers(evidence):
        msg = (
            f"{records[0]}: every pair is a probe, and no number pools different probes;"
            " `counterbalance bias PROTOCOL` sets the strategies beside one another on each"
        )
        raise UsageError(msg)
    sides, notes = strategies_of_record(evidence)
    level = evidence.protocol.analysis.confidence_level
    return sides, notes, level, n_declared_strategies(evidence, sides)


def _baseline(sides: Sequence[StrategySide]) -> str:
    """Return the strategy that stands for B0, or the only one there is."""
    from counterbalance.errors import UsageError, one_line

    names = list(dict.fromkeys(side.strategy for side in sides))
    plain = list(dict.fromkeys(side.strategy for side in sides if side.stands_for == "B0"))
    if len(plain) == 1:
        return plain[0]
    if names and all(name.startswith(names[0]) for name in names):
        return names[0]
    known = one_line(", ".join(names), 400)
    msg = (
        f"say which strategy the others are compared with: --baseline STRATEGY; there are: {known}"
    )
    raise UsageError(msg)


def _prior(name: str | None) -> Prior | None:
    from counterbalance.compare.priors import PRIORS
    from counterbalance.errors import UsageError, one_line

    if name is None or name in PRIORS:
        return None if name is None else PRIORS[name]
    msg = f"--prior {one_line(name)}: known is {', '.join(PRIORS)}"
    raise UsageError(msg)


def _margin(margins: Mapping[ComparedMeasure, float]) -> float | None:
    from counterbalance.errors import UsageError

    others = [name for name in margins if name != "strategy_agreement"]
    if others:
        msg = f"--margin {others[0]}: strategies are compared by strategy_agreement"
        raise UsageError(msg)
    return margins.get("strategy_agreement")


def _check_categories(named: Sequence[str], sides: Sequence[StrategySide]) -> None:
    from counterbalance.errors import UsageError, one_line

    known = sorted({name for side in sides for name in side.category if name})
    for name in named:
        if name not in known:
            listed = one_line(", ".join(known), 400) or "no category at all"
            msg = (
                f"--adversarial {one_line(name)}: no pair is of this category; there are: {listed}"
            )
            raise UsageError(msg)
