"""Every reason and caution says itself in one sentence."""

from __future__ import annotations

import pytest

from counterbalance.statistics import Caution, Undefined


@pytest.mark.parametrize("reason", [*Undefined, *Caution])
def test_every_reason_has_a_sentence(reason):
    assert reason.sentence[0].isupper()
    assert reason.sentence.endswith(".")
    assert "\n" not in reason.sentence
    assert str(reason) == reason.name.lower()
