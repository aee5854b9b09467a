from __future__ import annotations

import json
from dataclasses import replace

import pytest

from commands import command
from counterbalance.protocol.loading import protocol_from_toml
from counterbalance.selftest.planted import PLANTED, Name, PlantedJudge
from counterbalance.selftest.planted_bias import PLANTED_BIASES
from counterbalance.selftest.rendering import is_passed, selftest_text
from counterbalance.selftest.scenarios import COVERAGE, FALSE_ALARMS, SCENARIOS, Band, Scenario
from counterbalance.selftest.simulation import THOROUGH, Simulated, simulated
from counterbalance.selftest.whole_product import Recognised, recognised, study_of


def quietly(_made: int, _total: int) -> None:
    pass


def test_the_verb_passes_and_says_everything():
    ended = command("selftest", "--json", "--quiet")
    assert ended.code == 0, ended.out
    assert ended.err == ""
    found = json.loads(ended.out)
    assert found["passed"]
    assert {j["name"]: j["called"] for j in found["judges"]} == {
        judge.name: sorted(judge.names) for judge in PLANTED
    }
    assert [judge["is_right"] for judge in found["probed"]] == [True] * len(PLANTED_BIASES)
    assert all(judge["adds_up"] for judge in found["judges"])
    assert len(found["simulations"]) == sum(len(s.bands) for s in SCENARIOS)
    for each in found["simulations"]:
        assert each["answered"] > 0, each["question"]
        assert each["error"] > 0


def test_a_judge_that_is_not_what_it_is_said_to_be_is_found_out():
    judges = (
        PlantedJudge("said-to-be-fair", "takes the second slot", {"slot_rate": 1.0}),
        PlantedJudge("said-to-be-first", "nothing", names=frozenset({Name.FIRST_SLOT})),
        PlantedJudge("label-2", "the label 2", {"label_rate": 1.0, "favoured_label": "2"}),
    )
    first, second, third = recognised(judges)
    assert (first.called, first.is_right) == ({Name.FIRST_SLOT}, False)
    assert (second.called, second.is_right) == (frozenset(), False)
    assert Name.LABEL not in third.called
    assert not is_passed([first], [])
    assert "WRONG" in selftest_text([first], [])
    assert "FAILED: 0 of 1 judges" in selftest_text([first], [])


def test_what_was_lost_is_no_pass():
    judge = replace(PLANTED[0])
    assert Recognised(judge, frozenset(), adds_up=True).is_right
    assert not Recognised(judge, frozenset(), adds_up=False).is_right
    assert "DOES NOT ADD UP" not in selftest_text([Recognised(judge, frozenset(), True)], [])  # noqa: FBT003
    assert "DOES NOT ADD UP" in selftest_text([Recognised(judge, frozenset(), False)], [])  # noqa: FBT003


def test_the_study_is_a_protocol_as_anybody_could_write_it(tmp_path):
    path = study_of(tmp_path, PLANTED)
    protocol = protocol_from_toml(path.read_text("utf-8"), path.name)
    assert [judge.name for judge in protocol.judges] == [judge.name for judge in PLANTED]
    assert len((tmp_path / "pairs.jsonl").read_text("utf-8").splitlines()) == 120


def answered(share: float) -> Scenario:
    def replicate(generator):
        yield "yes", bool(generator.random() < share)
        yield "never", None

    return Scenario("a coin", replicate, {"yes": COVERAGE, "never": COVERAGE})


def test_seeds_are_fixed_and_fewer_replicates_are_the_first_of_more():
    some, again = (simulated(50, quietly, (answered(0.5),)) for _ in range(2))
    assert some == again
    one = sum(simulated(n, quietly, (answered(0.5),))[0].n_yes == 1 for n in (1, 2, 3))
    assert 0 <= one <= 3
    more = simulated(51, quietly, (answered(0.5),))[0].n_yes
    assert more - some[0].n_yes in {0, 1}


def test_a_question_that_was_never_answered_is_not_held():
    _, never = simulated(20, quietly, (answered(0.5),))
    assert (never.share, never.error, never.is_held) == (None, None, False)


@pytest.mark.parametrize(
    ("band", "n_yes", "n", "is_held"),
    [
        (COVERAGE, 3800, THOROUGH, True),
        (COVERAGE, 3759, THOROUGH, False),
        (COVERAGE, 3841, THOROUGH, False),
        (FALSE_ALARMS, 240, THOROUGH, True),
        (FALSE_ALARMS, 241, THOROUGH, False),
        (COVERAGE, 52, 60, True),
        (COVERAGE, 48, 60, False),
        (FALSE_ALARMS, 0, 60, True),
        (FALSE_ALARMS, 20, 60, False),
        (Band("coverage", 0.94, 1.0), 4000, THOROUGH, True),
    ],
)
def test_a_share_is_held_against_its_band(band, n_yes, n, is_held):
    assert Simulated("s", "q", band, n_yes, n, n).is_held is is_held


def test_intervals_that_are_too_narrow_are_found_out():
    assert not simulated(200, quietly, (answered(0.8),))[0].is_held
    assert simulated(200, quietly, (answered(0.95),))[0].is_held
