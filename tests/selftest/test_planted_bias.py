"""Judges of a known score are recovered; one that is not what it is said to be is found out."""

from __future__ import annotations

import numpy as np
import pytest

from counterbalance.selftest.planted_bias import PLANTED_BIASES, PlantedBias, recovered
from counterbalance.selftest.probe_laws import ProbeLaw
from counterbalance.selftest.rendering import is_passed, selftest_text, selftest_value


def test_length_markdown_family_and_injection_are_planted_beside_fair_judges() -> None:
    probes = [judge.probe for judge in PLANTED_BIASES]
    assert sorted(filter(None, probes)) == ["expanded", "injection", "markdown", "same_family"]
    assert probes.count("") == 2


def test_a_judge_that_is_not_what_it_is_said_to_be_is_found_out() -> None:
    fair, strong = recovered(
        (
            PlantedBias("said-to-be-fair", settings={"length_rate": 1.0}),
            PlantedBias("said-to-be-weak", "expanded", 0.2, {"length_rate": 1.0, "seed": 2}),
        )
    )
    assert not fair.is_right
    assert "expanded" in fair.fired
    assert strong.score.value == 1
    assert not strong.is_right
    assert not is_passed([], [], [fair, strong])
    text = selftest_text([], [], [fair, strong])
    assert text.count("WRONG") == 2
    assert "FAILED: 0 of 2 judges" in text
    assert [each["is_right"] for each in selftest_value([], [], [fair])["probed"]] == [False]


def test_the_law_of_a_probe_has_the_effects_that_it_says() -> None:
    law = ProbeLaw(tie=0.2, first=(0.9, 0.6), second=(0.7, 0.4))
    values = law.draw(np.random.default_rng(5), 4000)
    assert np.mean([v.value for v in values]) == pytest.approx(law.effect, abs=0.03)
    assert np.mean([v.slot for v in values]) == pytest.approx(law.slot, abs=0.03)
