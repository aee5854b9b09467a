"""Which strategy the numbers speak for, in words: by kind of data, by budget, and without gold.

Every piece of advice is for one judge, names the evidence it rests on, and says what it would take
where the pairs cannot tell. Nothing is taken over from anybody else's judges.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from counterbalance.compare.strategy_difference import strategy_difference
from counterbalance.compare.strategy_table import base_of, corrected_together

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.compare.strategy_side import StrategySide
    from counterbalance.compare.strategy_table import StrategyTable, Tested

__all__ = ["Advice", "Situation", "advice", "evidence_line"]


_SMALLEST_P = 0.0001


class Situation(StrEnum):
    """What advice is asked for."""

    ADVERSARIAL = "adversarial or high-stakes data"
    NATURAL = "natural data"
    TIGHT_BUDGET = "tight budget"
    NO_REFERENCE = "no reference"


@dataclass(frozen=True, slots=True)
class Advice:
    """One piece of advice for one judge.

    Attributes
    ----------
    judge : str
        Name of the judge.
    situation : Situation
        What it is for.
    strategy : str | None
        The strategy that the numbers speak for; None where they cannot tell.
    sentence : str
        The advice in words.
    evidence : tuple[str, ...]
        The lines that it rests on.
    more_pairs : int | None
        Where it cannot be told: pairs needed beside those at hand, for the nearest candidate.
    """

    judge: str
    situation: Situation
    strategy: str | None
    sentence: str
    evidence: tuple[str, ...]
    more_pairs: int | None = None


def advice(
    table: StrategyTable, sides: Sequence[StrategySide], adversarial: Sequence[str] = ()
) -> tuple[Advice, ...]:
    """Say which strategy the numbers speak for.

    Parameters
    ----------
    table : StrategyTable
        The comparison.
    sides : Sequence[StrategySide]
        The sides that it is of.
    adversarial : Sequence[str]
        Categories that hold adversarial or high-stakes pairs; all others are natural.

    Returns
    -------
    tuple[Advice, ...]
        For every judge, in the sequence of `Situation`.

    Notes
    -----
    A strategy is spoken for where its difference to the baseline is told from none after Holm over
    all strategies and judges of that kind of data. Of several the one that agrees most is named,
    which is a selection: its figure is too good, and held-out pairs must confirm it.
    """
    names = {name for side in sides for name in side.category}
    kinds = {
        Situation.ADVERSARIAL: [name for name in sorted(names) if name in adversarial],
        Situation.NATURAL: [name for name in sorted(names) if name not in adversarial],
    }
    by_kind = {
        kind: _tests(table, sides, categories, kind) if categories else ()
        for kind, categories in kinds.items()
    }
    found = []
    for judge in table.judges:
        found += [_by_kind(judge, kind, by_kind[kind], table.plan.margin) for kind in kinds]
        found.append(_tight(judge, table))
        found.append(_without_reference(judge, table))
    return tuple(found)


def _tests(
    table: StrategyTable,
    sides: Sequence[StrategySide],
    categories: Sequence[str],
    kind: Situation,
) -> tuple[Tested, ...]:
    bases = {side.judge: side for side in sides if side.strategy == table.plan.baseline}
    return corrected_together(
        [
            strategy_difference(
                side, base, categories=categories, named=kind.value, level=table.plan.level
            )
            for side in sides
            if (base := base_of(side, bases)) is not None
        ],
        table.plan,
    )[0]


def _by_kind(judge: str, kind: Situation, tests: Sequence[Tested], margin: float | None) -> Advice:
    own = [test for test in tests if test.found.judge == judge]
    if not own:
        why = "No pair is of this kind."
        if kind is Situation.ADVERSARIAL:
            why += " Categories that hold such pairs are named with --adversarial CATEGORY."
        return Advice(judge, kind, None, f"Cannot tell: {_lower(why)}", ())
    if all(test.found.value is None for test in own):
        return Advice(judge, kind, None, "Cannot tell: no pair of this kind has a reference.", ())
    return _best(judge, kind, own, "agrees with the references", margin)


def _best(
    judge: str, kind: Situation, own: Sequence[Tested], what: str, margin: float | None
) -> Advice:
    """Name the best of the strategies that are told from the baseline; else the nearest."""
    baseline = own[0].found.baseline
    better = [t for t in own if t.is_found and (t.found.value or 0) > 0]
    worse = [t for t in own if t.is_found and (t.found.value or 0) < 0]
    against = tuple(f"not {t.found.strategy}: {evidence_line(t)}" for t in _ranked(worse)[::-1])
    if better:
        best = _ranked(better)[0]
        several = (
            f" It is the best of {len(better)} that are told from {baseline}, and so its figure is"
            " too good: confirm it on held-out pairs."
            if len(better) > 1
            else ""
        )
        sentence = f"{best.found.strategy} {what} more than {baseline} does.{several}"
        lines = tuple(f"{t.found.strategy}: {evidence_line(t)}" for t in _ranked(better))
        return Advice(judge, kind, best.found.strategy, sentence, (*lines, *against))
    open_ones = [t for t in own if not t.is_found and t.found.value is not None]
    nearest = next(iter(_ranked(open_ones)), None)
    if nearest is None:
        sentence = f"Stay with {baseline}: every other strategy {_less(what)}."
        return Advice(judge, kind, baseline, sentence, against)
    sentence = (
        f"Cannot tell yet that any strategy {what} more than {baseline} does."
        f"{_what_it_takes(nearest, margin)}"
    )
    lines = (f"nearest is {nearest.found.strategy}: {evidence_line(nearest)}", *against)
    return Advice(judge, kind, None, sentence, lines, _more(nearest, margin))


def _less(what: str) -> str:
    return f"{what} less"


def _more(nearest: Tested, margin: float | None) -> int | None:
    # As large as was seen is no size to look for where nothing speaks for the strategy.
    is_known = margin is not None or (nearest.found.value or 0) > 0
    return nearest.more_needed if is_known else None


def _what_it_takes(nearest: Tested, margin: float | None) -> str:
    below = "" if (nearest.found.value or 0) > 0 else " None is above it even in these pairs."
    if below and margin is None:
        return f"{below}{_where_the_number_is(nearest)}"
    if nearest.has_enough:
        return f"{below} These pairs are enough to find what was asked for, four times out of five."
    if (more := nearest.more_needed) is None:
        return f"{below} How many pairs would tell cannot be said from these."
    if margin is not None:
        return (
            f"{below} {more} more pairs like these would find a difference of"
            f" {100 * margin:g} points, were there one, with a power of 80 %."
        )
    return (
        f" {more} more pairs like these would find a difference as large as that of"
        f" {nearest.found.strategy}, were it real, with a power of 80 %."
    )


def _where_the_number_is(nearest: Tested) -> str:
    """Say what these pairs would have found, and which option gives the pairs for another size."""
    found = (
        f" {nearest.found.n_common} pairs like these find {100 * nearest.detectable:.1f} points"
        " with a power of 80 %."
        if nearest.detectable is not None
        else ""
    )
    return (
        f"{found} --margin strategy_agreement=VALUE says how many more pairs would find a"
        " difference of that size."
    )


def _tight(judge: str, table: StrategyTable) -> Advice:
    """Say what the cheapest strategy is, and whether the next one is known to earn its price."""
    kind = Situation.TIGHT_BUDGET
    prefix = f"{judge}, "
    own = [p for p in table.points if p.point.name.startswith(prefix)]
    if not own:
        why = "Cannot tell: neither prices nor calls are known of every strategy."
        return Advice(judge, kind, None, why, ())
    least = min(p.point.cost for p in own)
    cheap = [p.point for p in own if p.point.cost <= least]
    # Of those that cost the same the baseline, as long as no other is known to agree more.
    base = prefix + table.plan.baseline
    cheapest = next((point for point in cheap if point.name == base), cheap[0])
    unit = "dollars" if table.cost_unit == "dollars" else "calls"
    tests = {test.found.strategy: test for test in table.tests if test.found.judge == judge}
    earned = [
        test
        for p in own
        if (test := tests.get(p.point.name.removeprefix(prefix))) is not None
        and test.is_found
        and (test.found.value or 0) > 0
    ]
    name = cheapest.name.removeprefix(prefix)
    sentence = f"{name} costs least ({cheapest.cost:.3g} {unit} a pair)."
    if unit == "calls":
        sentence += " Calls are not money: replies with reasons cost more tokens."
    lines = [f"{name}: agrees on {100 * cheapest.agreement:.1f} %"]
    if not earned:
        sentence += " No dearer strategy is known to agree more."
    for test in earned:
        cost = next(p.point.cost for p in own if p.point.name == prefix + test.found.strategy)
        lines.append(f"{test.found.strategy} at {cost:.3g} {unit} a pair: {evidence_line(test)}")
    if earned:
        sentence += f" {earned[0].found.strategy} is the cheapest that is known to agree more."
    return Advice(judge, kind, name, sentence, tuple(lines))


def _without_reference(judge: str, table: StrategyTable) -> Advice:
    """Say whether a strategy keeps its verdicts oftener when the answers change places."""
    kind = Situation.NO_REFERENCE
    own = [test for test in table.consistency if test.found.judge == judge]
    said = "keeps its verdicts when the answers change places"
    if not own:
        why = (
            "Cannot tell: no two strategies were asked in both orders with different prompts. Ask"
            " in both orders, and look at the pairs on which these disagree."
        )
        return Advice(judge, kind, None, why, ())
    found = _best(judge, kind, own, said, table.plan.margin)
    return Advice(
        judge,
        kind,
        found.strategy,
        f"{found.sentence} Stable is not right: without references nothing more can be said.",
        found.evidence,
        found.more_pairs,
    )


def evidence_line(test: Tested) -> str:
    """Return one difference with all that it rests on, in words.

    Parameters
    ----------
    test : Tested
        The difference after correction.

    Returns
    -------
    str
        Such as ``+2.5 points [-1.0, +6.0], 20 gained and 12 lost of 100 pairs, adjusted p = 0.31``.
    """
    found = test.found
    if found.value is None:
        return found.undefined or "no value"
    interval = (
        "no interval"
        if found.low is None or found.high is None
        else f"[{100 * found.low:+.1f}, {100 * found.high:+.1f}]"
    )
    p = "no test"
    if test.adjusted is not None:
        p = f"adjusted p {f'= {test.adjusted:.4f}' if test.adjusted >= _SMALLEST_P else '< 0.0001'}"
    return (
        f"{100 * found.value:+.1f} points {interval}, {found.n_gained} gained and"
        f" {found.n_lost} lost of {found.n_common} pairs, {p}"
    )


def _ranked(tests: Sequence[Tested]) -> list[Tested]:
    return sorted(tests, key=lambda t: (-(t.found.value or 0.0), t.found.strategy))


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
