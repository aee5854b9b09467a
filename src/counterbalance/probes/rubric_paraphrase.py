"""Probe ``rubric_paraphrase``: the same pair under the criterion and under the same in other words.

The winner must stay. It needs ``paraphrased_rubric`` in the protocol's table ``[bias]``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from counterbalance.probes.criterion_inverted import CRITERION_INVERTED, two_rubrics
from counterbalance.probes.probe import Frame, Made, Wanted

if TYPE_CHECKING:
    from counterbalance.items.item import Pair

__all__ = ["RUBRIC_PARAPHRASE"]


def _make(source: Pair, wanted: Wanted) -> Made:
    return two_rubrics("rubric_paraphrase", source, wanted.paraphrased_rubric)


RUBRIC_PARAPHRASE = replace(
    CRITERION_INVERTED,
    name="rubric_paraphrase",
    measure="criterion_kept",
    intervention="the criterion in other words, with the same two answers",
    target="the winner stays when the criterion is said in other words",
    frame=Frame.KEEP,
    unchecked="whether both wordings ask for the same",
    make=_make,
)
"""The criterion in other words."""
