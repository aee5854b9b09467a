"""The display order that AlpacaEval does not write down, and the replies that prove it.

The program exchanges the outputs of an instruction by a choice that is seeded with the instruction
itself, so every file has the same order for it. Replies name the slots (``m`` or ``model_1`` or
"Output (a)" is the one shown first): where one names a winner, the rule can be checked.
"""

from __future__ import annotations

import random  # noqa: TID251 (the rule of another program, from its recorded seed)
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from counterbalance.items.frames import Slot

__all__ = ["FEWEST_CHECKED", "Tally", "is_exchanged", "preferred_slot"]

FEWEST_CHECKED = 10
"""Replies that must confirm the rule: a wrong one would pass by luck once in a thousand times."""

_SLOTS = {
    "m": Slot.FIRST, "M": Slot.SECOND,
    "model_1": Slot.FIRST, "model_2": Slot.SECOND,
    "Output (a)": Slot.FIRST, "Output (b)": Slot.SECOND,
    "(a)": Slot.FIRST, "(b)": Slot.SECOND,
}  # fmt: skip
_RANKED_FIRST = re.compile(
    r"""['"]model['"]\s*:\s*['"](m|M|model_1|model_2)['"]\s*,\s*['"]rank['"]\s*:\s*1\b"""
    r"""|['"]rank['"]\s*:\s*1\s*,\s*['"]model['"]\s*:\s*['"](m|M|model_1|model_2)['"]"""
)
_NAMED = re.compile(r"(?:^|\n) ?(Output \([ab]\))")


@dataclass(slots=True)
class Tally:
    """How many replies name a winner, and how many of them agree with the rule.

    Attributes
    ----------
    checked : int
        Rows whose reply names a winner.
    agreeing : int
        Those in which reply, preference and rule fit together.
    """

    checked: int = 0
    agreeing: int = 0

    def add(self, *, agrees: bool) -> None:
        """Count one more reply."""
        self.checked += 1
        self.agreeing += agrees

    @property
    def is_contradicted(self) -> bool:
        """Whether any reply speaks against the rule."""
        return self.agreeing < self.checked

    @property
    def is_proof(self) -> bool:
        """Whether enough replies speak for the rule and none against it."""
        return self.checked >= FEWEST_CHECKED and not self.is_contradicted


@lru_cache(maxsize=4096)
def is_exchanged(instruction: str) -> bool | None:
    """Say whether output_2 was shown first, by the program's rule under its default seed.

    Parameters
    ----------
    instruction : str
        The instruction, to the letter.

    Returns
    -------
    bool | None
        None for a text that the program itself could not have seeded with.
    """
    try:
        choice = random.Random(f"is_switched_outputs{instruction}0")  # noqa: S311 (no secret)
    except UnicodeEncodeError:
        return None
    return choice.choices([False, True])[0]


def preferred_slot(completion: object) -> Slot | None:
    """Return the slot that a raw completion prefers.

    Parameters
    ----------
    completion : object
        What stands under ``raw_completion``: text, a list of ranks, or an object with either or
        with log-probabilities.

    Returns
    -------
    Slot | None
        None when it names no winner in any way that is known.
    """
    if isinstance(completion, dict):  # no mapping patterns: they are slow, and rows are many
        alternatives = _last_alternatives(completion.get("logprobs"))
        ranks = completion.get("ordered_models")
        if alternatives is not None:
            return _slot_more_probable(alternatives)
        completion = ranks if isinstance(ranks, list) else completion.get("text")
    if isinstance(completion, list):
        return _slot_ranked_first(completion)
    return _slot_in_text(completion) if isinstance(completion, str) else None


def _last_alternatives(logprobs: object) -> list[Any] | None:
    content = logprobs.get("content") if isinstance(logprobs, dict) else None
    last = content[-1] if isinstance(content, list) and content else None
    alternatives = last.get("top_logprobs") if isinstance(last, dict) else None
    return alternatives if isinstance(alternatives, list) else None


def _slot_in_text(text: str) -> Slot | None:
    whole = _SLOTS.get(text.strip())
    if whole is not None:
        return whole
    ranked = {_SLOTS[one or two] for one, two in _RANKED_FIRST.findall(text)}
    named = ranked or {_SLOTS[name] for name in _NAMED.findall(text)}
    return named.pop() if len(named) == 1 else None


def _slot_ranked_first(ranks: list[Any]) -> Slot | None:
    slots = {
        _SLOTS.get(rank["model"])
        for rank in ranks
        if isinstance(rank, dict) and rank.get("rank") == 1 and isinstance(rank.get("model"), str)
    }
    return slots.pop() if len(slots) == 1 else None


def _slot_more_probable(alternatives: list[Any]) -> Slot | None:
    found: dict[Slot, float] = {}
    for alternative in alternatives:
        if isinstance(alternative, dict) and alternative.get("token") in ("m", "M"):
            logprob = alternative.get("logprob")
            if isinstance(logprob, (float, int)):
                found.setdefault(_SLOTS[alternative["token"]], logprob)
    first, second = found.get(Slot.FIRST), found.get(Slot.SECOND)
    if first is None or second is None or first == second:
        return next(iter(found), None) if len(found) == 1 else None
    return Slot.FIRST if first > second else Slot.SECOND
