"""Length held equal: planted truths come back, and what cannot be told is refused with a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from compared_logs import annotation, planted_annotations, written
from counterbalance.dispositions.from_attempts import pairs_from_attempts
from counterbalance.importers.loading import read_logs
from counterbalance.importers.text_counts import TextCounter
from counterbalance.items.text_length import length_in
from counterbalance.measures.length_control import length_control
from counterbalance.measures.prior import Prior

if TYPE_CHECKING:
    from pathlib import Path

STRENGTHS = {"ada": -1.5, "bob": -0.5, "cyd": 0.3, "dee": 1.0}


def controlled(path: Path, rows, *, unit="characters", prior=None, **more):
    count = length_in(unit)
    counter = TextCounter(lambda text: (count(text),), 1)
    log = read_logs([written(path, rows)], counter=counter)
    (pairs,) = pairs_from_attempts(log.collected.columns, "cluster")
    lengths = log.collected.counts.values[:, pairs.pair, 0]
    return length_control(pairs, lengths, unit=unit, prior=prior or Prior(), **more)


def by_name(found):
    return {one.system: one for one in found.systems}


def test_planted_rates_are_inside_their_intervals_at_the_nominal_rate(tmp_path):
    inside = total = beyond_alone = 0
    for seed in range(12):
        rows, truth = planted_annotations(120, STRENGTHS, seed=seed)
        found = controlled(tmp_path / "log.json", rows, prior=Prior(0, 3.0))
        for one in found.systems:
            total += 1
            inside += one.adjusted.low <= truth[one.system] <= one.adjusted.high
            alone = one.length_only
            beyond_alone += not alone.low <= truth[one.system] <= alone.high
    assert total == 48
    # 95 % of 48 is 45.6; fewer than 42 would come about once in a hundred times.
    assert inside >= 42
    # Length alone takes difficulty for length, and misses several times as often.
    assert beyond_alone > 2 * (total - inside)


def test_the_adjusted_rate_is_nearer_to_the_truth_than_the_raw_one(tmp_path):
    rows, truth = planted_annotations(400, STRENGTHS, effect=2.0)
    found = by_name(controlled(tmp_path / "log.json", rows))
    raw = [abs(found[name].raw.value - truth[name]) for name in truth]
    adjusted = [abs(found[name].adjusted.value - truth[name]) for name in truth]
    assert np.mean(adjusted) < np.mean(raw) / 2
    for one in found.values():
        assert one.coefficient.low > 0
        assert one.held_out.model < one.held_out.length_only < one.held_out.constant
        assert sum(n for n, _, _ in one.held_out.calibration) == one.n_pairs


def test_without_an_effect_of_length_both_rates_agree(tmp_path):
    rows, _ = planted_annotations(300, STRENGTHS, effect=0.0, by_ease=0.0)
    for one in controlled(tmp_path / "log.json", rows).systems:
        assert abs(one.coefficient.estimate) < 3 * one.coefficient.se
        assert one.adjusted.low < one.raw.value < one.adjusted.high


def test_a_tight_prior_leaves_the_raw_rate(tmp_path):
    rows, _ = planted_annotations(150, STRENGTHS, effect=2.0)
    for one in controlled(tmp_path / "log.json", rows, prior=Prior(0, 1e-4)).systems:
        assert one.coefficient.estimate == pytest.approx(0, abs=1e-3)
        assert one.adjusted.value == pytest.approx(one.raw.value, abs=1e-3)
        assert one.unshrunk.value != pytest.approx(one.raw.value, abs=1e-3)
        assert [s.prior.sd for s in one.sensitivity] == [5e-5, 2e-4, None]


def test_pairs_add_up_and_bands_too(tmp_path):
    rows, _ = planted_annotations(40, STRENGTHS)
    rows += [
        annotation("same", "ada", "equal", "equal", 1.5),
        annotation("lost", "ada", "text", "other", None),
    ]
    found = controlled(tmp_path / "log.json", rows)
    assert found.left_out == {"equal texts": 1, "without a verdict in every order asked": 1}
    assert found.n_pairs + sum(found.left_out.values()) == len(rows)
    assert sum(one.n_pairs for one in found.systems) == found.n_pairs
    for one in found.systems:
        seen = one.coverage
        assert seen.n_longer + seen.n_equal + seen.n_shorter == one.n_pairs
        assert sum(band.n_pairs for band in one.bands) == one.n_pairs
        wins = sum((band.rate.numerator or 0) for band in one.bands)
        assert wins == one.raw.numerator


def test_naming_the_baseline_second_changes_nothing(tmp_path):
    rows, _ = planted_annotations(60, STRENGTHS)
    there = [
        row
        | {
            "output_1": row["output_2"], "output_2": row["output_1"],
            "generator_1": row["generator_2"], "generator_2": row["generator_1"],
            "preference": 3 - row["preference"],
        }
        for row in rows
    ]  # fmt: skip
    here, other = (by_name(controlled(tmp_path / "log.json", r)) for r in (rows, there))
    for name, one in here.items():
        assert other[name].raw.value == pytest.approx(one.raw.value)
        assert other[name].adjusted.value == pytest.approx(one.adjusted.value, abs=1e-9)
        assert other[name].adjusted.low == pytest.approx(one.adjusted.low, abs=1e-9)


def test_one_or_two_systems_are_refused_and_pairs_of_like_length_are_shown(tmp_path):
    rows, _ = planted_annotations(80, {"ada": -1.0, "bob": 0.5})
    for n in (80, 160):
        found = controlled(tmp_path / "log.json", rows[:n])
        assert "Fewer than three systems" in found.undefined
        for one in found.systems:
            assert one.raw.value is not None
            assert (one.adjusted.value, one.unshrunk.value, one.coefficient) == (None, None, None)
            assert one.adjusted.undefined == found.undefined
            assert one.matched.value is not None
            assert one.held_out is None


def test_items_that_systems_do_not_share_are_refused(tmp_path):
    rows, _ = planted_annotations(30, STRENGTHS)
    for number, row in enumerate(rows):
        row["instruction"] = f"Question {number}?"
    assert "answered by one system only" in controlled(tmp_path / "log.json", rows).undefined


def test_few_prompts_are_refused(tmp_path):
    rows, _ = planted_annotations(9, STRENGTHS)
    assert "Fewer than 10 clusters" in controlled(tmp_path / "log.json", rows).undefined


@pytest.mark.parametrize(
    ("own", "reason"), [(200, "the same length in every pair"), (230, "by the same amount")]
)
def test_lengths_that_leave_nothing_to_hold_equal_are_refused(tmp_path, own, reason):
    rows, _ = planted_annotations(40, STRENGTHS)
    changed = [
        row | {"output_2": "x" * own} if row["generator_2"] == "ada" else row for row in rows
    ]
    found = by_name(controlled(tmp_path / "log.json", changed))
    assert reason in found["ada"].adjusted.undefined
    assert found["ada"].length_only.value is None
    assert found["bob"].adjusted.value is not None


def test_zero_length_difference_everywhere(tmp_path):
    rows, _ = planted_annotations(40, STRENGTHS)
    equal = [row | {"output_2": "x" * 200} for row in rows]
    found = controlled(tmp_path / "log.json", equal)
    assert all("the same length" in one.adjusted.undefined for one in found.systems)
    assert all(one.matched.value == one.raw.value for one in found.systems)


def test_a_system_that_loses_every_pair_has_no_rate_and_the_others_have(tmp_path):
    rows, _ = planted_annotations(40, STRENGTHS)
    lost = [row | {"preference": 1.0} if row["generator_2"] == "ada" else row for row in rows]
    found = by_name(controlled(tmp_path / "log.json", lost))
    assert "in every pair, or in none" in found["ada"].adjusted.undefined
    assert found["ada"].raw.value == 0
    assert found["bob"].adjusted.value is not None


def test_equal_lengths_beyond_what_was_seen_are_said_to_be(tmp_path):
    rows, _ = planted_annotations(60, STRENGTHS)
    longer = [
        row | {"output_2": row["output_2"] + "x" * 600} if row["generator_2"] == "dee" else row
        for row in rows
    ]
    found = by_name(controlled(tmp_path / "log.json", longer))
    assert any("is the longer in every pair" in c for c in found["dee"].adjusted.cautions)
    assert not any("in every pair" in c for c in found["ada"].adjusted.cautions)


def test_systems_without_a_name_are_left_out_counted(tmp_path):
    rows, _ = planted_annotations(20, STRENGTHS)
    for row in rows:
        row["output_2"] += f" by {row['generator_2']}"  # systems are told apart by their texts
        del row["generator_1"], row["generator_2"]
    found = controlled(tmp_path / "log.json", rows)
    assert found.n_pairs == 0
    assert sum(found.left_out.values()) == len(rows)
    assert "a system has no name" in found.left_out
    assert found.undefined.startswith("No pair names two systems")


def test_without_a_common_baseline_there_is_none_to_hold_others_against(tmp_path):
    rows, _ = planted_annotations(20, STRENGTHS)
    rows[0]["generator_1"] = "another base"
    found = controlled(tmp_path / "log.json", rows)
    assert (found.baseline, found.systems) == ("", ())
    assert "name a baseline" in found.undefined
    named = controlled(tmp_path / "log.json", rows, baseline="base")
    assert named.left_out == {"without the baseline": 1}
    assert named.undefined is None


def test_answers_of_one_word_and_other_scripts_count_by_unit(tmp_path):
    words = {"ada": "Да.", "bob": "不，不是这样的。", "cyd": "```py\nx = 1\n```"}
    rows, _ = planted_annotations(30, dict.fromkeys(words, 0.0))
    changed = [row | {"output_2": words[row["generator_2"]]} for row in rows]
    own = {
        unit: {
            one.system: one.coverage.mean_own
            for one in controlled(tmp_path / "log.json", changed, unit=unit).systems
        }
        for unit in ("characters", "tokens")
    }
    assert own["characters"] == {"ada": 3, "bob": 8, "cyd": 15}
    assert own["tokens"] == {"ada": 2, "bob": 8, "cyd": 10}
