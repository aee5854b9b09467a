"""Whether two prompts are the same but for the exchange of the two answers.

Where a log keeps both prompts, this is what tells an order effect from anything else that differed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Marks", "exchanged", "settings_between", "settings_of"]

_MOST_PLACES = 16
_SIDES = 2
_SAME = "prompts exchange the answers and nothing else"
_DIFFERENT = "prompts differ in more than the order"


@dataclass(frozen=True, slots=True)
class Marks:
    """What a judge's prompt writes around the two answers.

    Attributes
    ----------
    before : str
        Ends where the first answer begins.
    between : str
        Stands between both answers.
    behind : str
        Begins where the second answer ends.
    labels : tuple[str, ...]
        Words inside the answers that only say in which place they stand.
    """

    before: str
    between: str
    behind: str
    labels: tuple[str, ...] = ()


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
    return _settings(same, facts)


def settings_between(
    prompts: tuple[str, str], marks: Sequence[Marks], facts: tuple[str, str] = ("", "")
) -> tuple[str, str]:
    """Do as `settings_of` where the answers are known only from the prompts that show them.

    Parameters
    ----------
    prompts : tuple[str, str]
        Prompts of the two orders; empty when not kept.
    marks : Sequence[Marks]
        The ways in which prompts of this program mark the answers.
    facts : tuple[str, str]
        What else the log shows of each order, such as model and limits.

    Returns
    -------
    tuple[str, str]
        As `settings_of`. Nothing is said of prompts in which a mark is missing or stands twice:
        an answer may quote one.
    """
    same = None
    for each in marks if all(prompts) else ():
        one, other = (_sections(prompt, each) for prompt in prompts)
        if one and other:
            same = one == (other[0], other[2], other[1], other[3])
            break
    return _settings(same, facts)


def _sections(prompt: str, marks: Marks) -> tuple[str, str, str, str] | None:
    """Return what stands before, first, second and behind; None unless each mark stands once."""
    around_before = prompt.split(marks.before)
    around_between = around_before[-1].split(marks.between)
    around_behind = around_between[-1].split(marks.behind)
    if not len(around_before) == len(around_between) == len(around_behind) == _SIDES:
        return None
    first, second = around_between[0], around_behind[0]
    for label in marks.labels:
        first = first.replace(label, "")
        second = second.replace(label, "")
    return around_before[0], first, second, around_behind[1]


def _settings(same: bool | None, facts: tuple[str, str]) -> tuple[str, str]:  # noqa: FBT001 (private)
    if same is None:
        return facts
    if same:
        return f"{_SAME} {facts[0]}", f"{_SAME} {facts[1]}"
    return f"{_DIFFERENT}: forward {facts[0]}", f"{_DIFFERENT}: reversed {facts[1]}"
