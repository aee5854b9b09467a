"""Whether two prompts are the same but for the exchange of the two answers.

Where a log keeps both prompts, this is what tells an order effect from anything else that differed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["exchanged", "settings_of"]

_MOST_PLACES = 16
_SAME = "prompts exchange the answers and nothing else"
_DIFFERENT = "prompts differ in more than the order"


def exchanged(forward: str, backward: str, a: str, b: str) -> bool | None:
    """Say whether one prompt is the other with answers ``a`` and ``b`` exchanged.

    Parameters
    ----------
    forward : str
        Prompt that shows ``a`` first.
    backward : str
        Prompt that shows ``b`` first.
    a : str
        Text of the one answer.
    b : str
        Text of the other.

    Returns
    -------
    bool | None
        None when the prompts do not hold the answers to the letter, so that nothing can be said.

    Examples
    --------
    >>> exchanged("One: x. Two: y. Judge!", "One: y. Two: x. Judge!", "x", "y")
    True
    >>> exchanged("One: x. Two: y. Judge!", "One: y. Two: x. Judge well!", "x", "y")
    False
    """
    if not all(text and text in prompt for text in (a, b) for prompt in (forward, backward)):
        return None
    for start_a in _places(forward, a, 0):
        end_a = start_a + len(a)
        for start_b in _places(forward, b, end_a):
            end_b = start_b + len(b)
            middle = forward[end_a:start_b]
            if forward[:start_a] + b + middle + a + forward[end_b:] == backward:
                return True
    return False


def _places(text: str, part: str, start: int) -> Iterator[int]:
    for _ in range(_MOST_PLACES):
        start = text.find(part, start)
        if start < 0:
            return
        yield start
        start += 1


def settings_of(
    prompts: tuple[str, str], answers: tuple[str, str], facts: tuple[str, str] = ("", "")
) -> tuple[str, str]:
    """Return what was the same or not between both orders of a pair, as `Judgment.setting` has it.

    Parameters
    ----------
    prompts : tuple[str, str]
        Prompt that shows ``a`` first, and the one that shows ``b`` first; empty when not kept.
    answers : tuple[str, str]
        Texts of ``a`` and ``b``; empty when unknown.
    facts : tuple[str, str]
        What else the log shows of each order, such as model and limits.

    Returns
    -------
    tuple[str, str]
        Equal where all that the log shows is equal; two different texts where something differs
        besides the order; empty where nothing can be compared.
    """
    same = exchanged(*prompts, *answers) if all(prompts) else None
    if same is None:
        return facts
    if same:
        return f"{_SAME} {facts[0]}", f"{_SAME} {facts[1]}"
    return f"{_DIFFERENT}: forward {facts[0]}", f"{_DIFFERENT}: reversed {facts[1]}"
