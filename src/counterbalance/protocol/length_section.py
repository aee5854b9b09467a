"""How length is held equal: the table of a protocol that declares it before any verdict is seen."""

from __future__ import annotations

from typing import Literal

from pydantic import PositiveFloat

from counterbalance.protocol.section import Section

__all__ = ["LengthControl"]


class LengthControl(Section):
    """How `length_controlled_win_rate` is computed, and that it is."""

    unit: Literal["characters", "tokens"]
    """What lengths are counted in. A token is a word, a sign, or a character of a script without
    spaces, whatever the judge's own tokenizer makes of it."""
    prior_sd: PositiveFloat = 1.0
    """Standard deviation of the normal prior, with mean 0, that draws the length coefficient to no
    effect; on log-odds. Smaller holds it harder."""
