"""Names of strategies and prompts to whole tables, before anything is validated.

A protocol's hash must hold what its strategies mean, not what a later version of this program
makes of their names: so names are spelled out where the file is read.
"""

from __future__ import annotations

import difflib
from typing import Any

from counterbalance.errors import one_line
from counterbalance.protocol.strategies.catalogue import CALIBRATED, CATALOGUE
from counterbalance.protocol.strategies.instructions import INSTRUCTIONS
from counterbalance.protocol.strategies.strategy import ALL_JUDGES, PLAIN
from counterbalance.protocol.verdict_format import ONE_LABEL

__all__ = ["UnknownStrategyError", "spelled_out"]

_INHERITED = ("tie", "neither", "insufficient", "refusal_patterns")
_WITH_WORDS = "bracket"


class UnknownStrategyError(ValueError):
    """A name that stands for no strategy.

    Parameters
    ----------
    place : str
        Where it stands in the file.
    problem : str
        What was found, and what is known.
    """

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(problem)
        self.place = place
        self.problem = problem


def spelled_out(value: dict[str, Any]) -> dict[str, Any]:
    """Return a protocol as it was read, with every named strategy and prompt written out.

    Parameters
    ----------
    value : dict[str, Any]
        The protocol as a JSON value; one that is spelled out already comes back as it is.

    Returns
    -------
    dict[str, Any]
        What is no list of strategies is left to be refused later.

    Raises
    ------
    UnknownStrategyError
        If a name stands for no strategy.
    """
    named = value.get("strategies")
    if not isinstance(named, list) or all(name == CALIBRATED for name in named):
        return value
    strategies = [_strategy(given, place, value) for place, given in enumerate(named, start=1)]
    given = value.get("prompts", {})
    if not isinstance(given, dict):
        return value
    wanted = [
        name
        for strategy in strategies
        if isinstance(strategy, dict) and isinstance(strategy.get("prompts"), list)
        for name in strategy["prompts"]
    ]
    built_in = {
        name: INSTRUCTIONS[name]
        for name in wanted
        if isinstance(name, str) and name in INSTRUCTIONS and name not in given
    }
    named_prompts = {name: _changed(name, asking) for name, asking in given.items()} | built_in
    prompts = {name: _asking(asking, value) for name, asking in named_prompts.items()}
    spelled = {**value, "strategies": strategies}
    return {**spelled, "prompts": prompts} if prompts or "prompts" in value else spelled


def _strategy(given: object, place: int, value: dict[str, Any]) -> object:
    if given == CALIBRATED:
        return given
    if isinstance(given, str):
        if given not in CATALOGUE:
            where = f"strategies[{place}]"
            raise UnknownStrategyError(where, _unknown(given))
        given = {"id": given}
    if not isinstance(given, dict):
        return given
    known = CATALOGUE.get(str(given.get("id")), {})
    whole = {"prompts": [PLAIN], **known, **given}
    if whole.get("panel") == ALL_JUDGES:
        whole["panel"] = _judges(value)
    return whole


def _unknown(name: str) -> str:
    match = difflib.get_close_matches(name, [*CATALOGUE, CALIBRATED], n=1, cutoff=0.5)
    advice = f"did you mean {match[0]!r}? " if match else ""
    listed = ", ".join([*CATALOGUE, CALIBRATED])
    return (
        f"found {one_line(repr(name), 80)}; {advice}Known are {listed}; one of your own is a table"
        ' with an id of its own, { id = "mine", rule = "majority", ... }'
    )


def _judges(value: dict[str, Any]) -> list[object]:
    """Name every judge that is not on call, in the order of the file."""
    judges, on_call = value.get("judges"), value.get("on_call")
    apart = on_call if isinstance(on_call, list) else []
    listed = judges if isinstance(judges, list) else []
    names = [judge.get("name") for judge in listed if isinstance(judge, dict)]
    return [name for name in names if name not in apart]


def _changed(name: str, given: object) -> object:
    """Return a prompt with what it leaves out of the built-in one that has its name."""
    built_in = INSTRUCTIONS.get(name, {})
    return {**built_in, **given} if isinstance(given, dict) else given


def _asking(given: object, value: dict[str, Any]) -> object:
    """Write out how the verdict is read: what else is offered is what the protocol offers."""
    if not isinstance(given, dict):
        return given
    own = value.get("verdict")
    if not isinstance(own, dict):
        return given
    stated = given.get("verdict")
    if stated is None:
        needs_words = own.get("format") in ONE_LABEL and "reply_tokens" in given
        if not needs_words:
            return {**given, "verdict": own}
        stated = {"format": _WITH_WORDS}
    if not isinstance(stated, dict):
        return given
    inherited = {key: own[key] for key in _INHERITED if key in own}
    return {**given, "verdict": {**inherited, **stated}}
