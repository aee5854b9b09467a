"""The strategies of a planned study as an earlier record, its pilot, shows them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from counterbalance.compare.pilot import Arm, calibrated_arm, plain_arms, strategy_arm
from counterbalance.compare.strategy_difference import strategy_difference
from counterbalance.compare.strategy_table import base_of
from counterbalance.protocol.strategies.catalogue import CALIBRATED
from counterbalance.protocol.strategies.strategy import PLAIN
from counterbalance.report.strategies_of_record import strategies_of_record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.compare.strategy_difference import StrategyDifference
    from counterbalance.dispositions.strategy_evidence import StrategyEvidence
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.protocol.strategies.strategy import Strategy
    from counterbalance.protocol.strategies.voting import StrategyRow
    from counterbalance.report.evidence import Evidence

__all__ = ["arms_in", "differences_in"]

_ONE_VOTE = frozenset({"as_is", "agree_or_tie"})


def arms_in(pilot: Evidence, protocol: Protocol) -> list[Arm]:
    """Return every judge and strategy of a study as a pilot shows it.

    Parameters
    ----------
    pilot : Evidence
        What the pilot holds.
    protocol : Protocol
        Of the planned study; one that names no strategies is planned with B0 and S1.

    Returns
    -------
    list[Arm]
        One that the pilot did not ask says so and shows nothing.
    """
    plain = _plain(pilot, protocol)
    if protocol.strategy_rows:
        arms = [_of_row(row, pilot, protocol, plain) for row in protocol.strategy_rows]
    else:
        arms = [arm for (judge, _), arm in plain.items() if judge in protocol.standing_judges]
        arms += [
            Arm(judge, "B0", missing=_did_not_ask(judge, pilot))
            for judge in protocol.standing_judges
            if (judge, "B0") not in plain
        ]
    if CALIBRATED in protocol.strategies:
        arms += [_calibrated(judge, pilot, protocol) for judge in protocol.standing_judges]
    return [_noted(arm, pilot.protocol, protocol) for arm in arms]


def differences_in(
    pilot: Evidence, arms: Sequence[Arm], level: float
) -> Iterator[tuple[tuple[str, str], StrategyDifference]]:
    """Yield how each strategy differs from one call as it is in a pilot.

    Parameters
    ----------
    pilot : Evidence
        What the pilot holds.
    arms : Sequence[Arm]
        Of the planned study.
    level : float
        Nominal coverage of intervals.

    Yields
    ------
    tuple[tuple[str, str], StrategyDifference]
        Judge and strategy as the study calls them, and the difference; nothing where the pilot has
        no B0 to compare with.
    """
    sides = {(side.judge, side.strategy): side for side in strategies_of_record(pilot)[0]}
    bases = {judge: side for (judge, _), side in sides.items() if side.stands_for == "B0"}
    for arm in arms:
        side = sides.get((arm.judge, arm.known_as or arm.strategy))
        base = None if side is None else base_of(side, bases)
        if side is not None and base is not None and side is not base:
            yield (arm.judge, arm.strategy), strategy_difference(side, base, level=level)


def _plain(pilot: Evidence, protocol: Protocol) -> dict[tuple[str, str], Arm]:
    """Return B0 and S1 of every judge, the repetitions of the pilot among their decisions."""
    first = pilot.protocol.labellings[0].name
    return {
        (arm.judge, arm.strategy): arm
        for group, pairs in pilot.groups.items()
        if group.labelling == first
        for arm in plain_arms(group.judge, pairs, protocol.analysis.cluster)
    }


def _of_row(
    row: StrategyRow,
    pilot: Evidence,
    protocol: Protocol,
    plain: dict[tuple[str, str], Arm],
) -> Arm:
    strategy = row.strategy
    known = next((f for f in pilot.strategies if _asks_alike(row, f, pilot, protocol)), None)
    if (kind := _plain_kind(strategy)) and (arm := plain.get((row.judge, kind))) is not None:
        called = known.row.strategy.id if known is not None else kind
        return replace(arm, strategy=strategy.id, known_as=called)
    if known is not None:
        return strategy_arm(row, known, pilot.protocol, protocol.analysis.cluster)
    of_name = [f for f in pilot.strategies if f.row.strategy.id == strategy.id]
    missing = _did_not_ask(row.judge, pilot)
    if any(found.row.judge == row.judge for found in of_name):
        missing = f"The pilot's {strategy.id} asks or combines otherwise than the one planned here."
    elif not missing or of_name:
        missing = f"The pilot did not ask {strategy.id} of {row.judge}."
    return Arm(row.judge, strategy.id, missing=missing)


def _did_not_ask(judge: str, pilot: Evidence) -> str:
    known = {each.name for each in pilot.protocol.judges}
    strange = [name for name in judge.split(" + ") if name not in known]
    return f"The pilot did not ask {' and '.join(strange)}." if strange else ""


def _plain_kind(strategy: Strategy) -> str:
    """Say whether a strategy is one call as it is, or both orders with a tie; empty for neither."""
    is_plain = (
        strategy.prompts == (PLAIN,)
        and not (strategy.temperatures or strategy.panel)
        and strategy.repetitions == 1
        and strategy.labels == "first"
        and strategy.tie_break == "tie"
    )
    return {"as_is": "B0", "agree_or_tie": "S1"}.get(strategy.rule, "") if is_plain else ""


def _asks_alike(
    row: StrategyRow, found: StrategyEvidence, pilot: Evidence, protocol: Protocol
) -> bool:
    """Say whether a pilot asked what a strategy asks, at least as often, and combined it alike."""
    own, other = row.strategy, found.row.strategy
    if found.row.voters != row.voters or other.repetitions < own.repetitions:
        return False
    if any(getattr(own, key) != getattr(other, key) for key in ("orders", "labels", "tie_break")):
        return False
    # Votes of a strategy that repeats another one are decisions of that one.
    is_repeated = other.repetitions > own.repetitions and own.rule != "escalate"
    rules = {own.rule, "majority"} if is_repeated and own.rule in _ONE_VOTE else {own.rule}
    if other.rule not in rules or (other.repetitions > own.repetitions and not is_repeated):
        return False
    if other.repetitions == own.repetitions and found.row.quorum != row.quorum:
        return False
    return all(
        _prompt(pilot.protocol, name) == _prompt(protocol, name)
        for name in {voter.prompt for voter in row.voters}
        if name
    )


def _prompt(protocol: Protocol, name: str) -> object:
    """Return what a named prompt adds to the protocol's own, and how its verdict is read."""
    return (protocol.prompts or {}).get(name)


def _calibrated(judge: str, pilot: Evidence, protocol: Protocol) -> Arm:
    groups = [pairs for group, pairs in pilot.groups.items() if group.judge == judge]
    results = pilot.calibrated(judge)
    if not groups or not results:
        return Arm(judge, CALIBRATED, missing=f"The pilot did not ask {CALIBRATED} of {judge}.")
    found = [results[each.pair.id] for each in groups[0]]
    return calibrated_arm(judge, groups, found, protocol.analysis.cluster)


def _noted(arm: Arm, pilot: Protocol, protocol: Protocol) -> Arm:
    """Say where the pilot's judge or prompt of the same name is not the one that is planned."""
    if arm.missing:
        return arm
    before = {judge.name: judge for judge in pilot.judges}
    now = {judge.name: judge for judge in protocol.judges}
    notes = [
        f"The pilot asked {name} with other settings: what it shows is of those."
        for name in (each.judge for each in arm.asked)
        if name in before and name in now and before[name].digest != now[name].digest
    ]
    if (pilot.prompt, pilot.verdict) != (protocol.prompt, protocol.verdict):
        notes.append("The pilot's own prompt or verdict format is another one.")
    return replace(arm, notes=(*arm.notes, *notes))
