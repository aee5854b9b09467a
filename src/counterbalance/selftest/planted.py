"""Scripted judges with one planted bias each, and the name that each must be called by."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["PLANTED", "Name", "PlantedJudge"]


class Name(StrEnum):
    """What a report can show of a judge; a judge has any number of them, or none."""

    FIRST_SLOT = "first slot"
    SECOND_SLOT = "second slot"
    LABEL = "label 1"
    TIES = "ties"
    NOISE = "noise"
    REFUSALS = "refusals"
    MISSING = "missing"
    ORDER_SENSITIVE = "order-sensitive"


@dataclass(frozen=True, slots=True)
class PlantedJudge:
    """A scripted judge.

    Attributes
    ----------
    name : str
        What it is called in the protocol.
    planted : str
        What is planted, in words.
    settings : Mapping[str, float | str]
        Its settings beside name and kind.
    names : frozenset[Name]
        What it must be called; empty for a fair judge, which must be left alone.
    """

    name: str
    planted: str
    settings: Mapping[str, float | str] = field(default_factory=dict)
    names: frozenset[Name] = frozenset()


def _judge(name: str, planted: str, *names: Name, **settings: float | str) -> PlantedJudge:
    return PlantedJudge(name, planted, settings, frozenset(names))


PLANTED = (
    _judge("fair", "nothing: it follows the texts"),
    _judge("always-first", "takes what is shown first", Name.FIRST_SLOT, slot_rate=1.0),
    _judge(
        "always-second",
        "takes what is shown second",
        Name.SECOND_SLOT,
        slot_rate=1.0,
        favoured_slot="second",
    ),
    _judge("always-tie", "calls every pair a tie", Name.TIES, tie_rate=1.0),
    _judge("fair-coin", "tosses a coin for every call", Name.NOISE, noise=0.5),
    _judge("slightly-noisy", "errs in 5 % of its calls, in either slot", noise=0.05),
    _judge("refuses-often", "refuses 30 % of its calls", Name.REFUSALS, refusal_rate=0.3),
    _judge("drops-rows", "gives no reply to 25 % of its calls", Name.MISSING, drop_rate=0.25),
    _judge("label-1-wins", "takes what is called 1", Name.LABEL, label_rate=1.0),
)
"""Every judge of the self-test."""
