"""Probe ``position``: two near-equal texts, so that nearly any winner is a preference for a slot.

Answers without a difference are an easier task than answers with a small one, and some judges say
"tie" to equal texts only. Made from a pair of one's own, the two differ in their last mark; written
by hand, they may say the same in other words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.probes.probe import Check, Expects, Frame, Made, Probe, Wanted, probe_pair

if TYPE_CHECKING:
    from counterbalance.items.item import Pair

__all__ = ["POSITION", "near_equal", "near_equal_pair"]

_MOST_APART = 0.2
_ENDS = (".", "。", "।", "۔")


def near_equal(text: str) -> str:
    """Return a text without its last full stop.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    str
        Empty where there is none to leave out: in code, a last mark may mean something.

    Examples
    --------
    >>> near_equal("It rains."), near_equal("x[0]")
    ('It rains', '')
    """
    stripped = text.rstrip()
    return stripped[:-1] if stripped.endswith(_ENDS) else ""


def near_equal_pair(probe: str, source: Pair, text: str) -> Made:
    """Return a pair of near-equal texts, or why there is none.

    Parameters
    ----------
    probe : str
        Name of the probe.
    source : Pair
        Where the text is from.
    text : str
        One of the two.

    Returns
    -------
    Made
        One pair.
    """
    other = near_equal(text)
    if not other:
        return "the answer does not end with a full stop, which could be left out"
    return (probe_pair(probe, source, text, other, systems=("one", "near-equal")),)


def _make(source: Pair, _: Wanted) -> Made:
    return near_equal_pair("position", source, source.a.text)


def _checks(pair: Pair) -> tuple[Check, ...]:
    one, other = len(pair.a.text), len(pair.b.text)
    near = abs(one - other) <= max(1, _MOST_APART * max(one, other))
    return (
        Check("the texts differ", pair.a.text != pair.b.text),
        Check("the lengths are within a fifth of each other", near),
    )


POSITION = Probe(
    name="position",
    measure="bias_position_near_equal",
    intervention="two texts that say nearly the same",
    target="the first slot is preferred between near-equal texts",
    frame=Frame.SLOT,
    expects=Expects.ZERO,
    unchecked="whether two texts written by hand are equally good",
    make=_make,
    checks=_checks,
)
"""Near-equal texts in both slots."""
