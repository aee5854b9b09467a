"""Probe ``labels``: order crossed with the assignment of labels, on near-equal texts.

A preference for the word "1" moves with the labels, one for the first slot does not. It needs two
labellings that exchange the same two labels.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from counterbalance.probes.position import POSITION, near_equal_pair
from counterbalance.probes.probe import Frame, Made, Wanted

if TYPE_CHECKING:
    from counterbalance.items.item import Pair

__all__ = ["LABELS"]


def _make(source: Pair, _: Wanted) -> Made:
    return near_equal_pair("labels", source, source.a.text)


LABELS = replace(
    POSITION,
    name="labels",
    measure="bias_label",
    intervention="which label belongs to which slot, in both orders",
    target="the first label of the first labelling is preferred, in whichever slot",
    frame=Frame.LABEL,
    make=_make,
)
"""Labels exchanged over both orders."""
