"""Style held equal: a planted habit comes back, and what cannot be told is refused."""

from __future__ import annotations

import pytest

from compared_logs import battle_rows, written
from counterbalance.dispositions.from_attempts import pairs_from_attempts
from counterbalance.importers.loading import read_logs
from counterbalance.importers.text_counts import TextCounter
from counterbalance.measures.controls import Controls
from counterbalance.measures.prior import Prior

STRENGTHS = {"ada": 0.5, "bob": 0.0, "cyd": -0.5}


def controlled(path, rows, prior=None):
    controls = Controls(style=True, prior=prior or Prior())
    counter = TextCounter(controls.count(), controls.n_numbers)
    log = read_logs([written(path, rows)], counter=counter)
    (pairs,) = pairs_from_attempts(log.collected.columns, "cluster")
    counts = log.collected.counts.values[:, pairs.pair]
    return controls.of(pairs, counts, baseline=None, level=0.95)[1]


def test_a_planted_habit_is_told_from_strength(tmp_path):
    found = controlled(tmp_path / "log.json", battle_rows(1500, STRENGTHS, effect=1.5))
    by_name = {one.system: one for one in found.systems}
    # bob likes bold, which wins: raw he is stronger than he is.
    assert by_name["bob"].raw.low > 0.1
    for name, strength in STRENGTHS.items():
        adjusted = by_name[name].adjusted
        assert adjusted.low < strength < adjusted.high
    features = {one.name: one for one in found.features}
    assert features["bold"].coefficient.low > 0
    assert features["headers"].n_differing == 0
    assert features["lists"].n_differing == 0
    assert features["lists"].coefficient is None
    held = found.held_out
    assert held.features < held.strengths < held.coin
    assert held.calibration_slope == pytest.approx(1, abs=0.15)
    assert sum(n for n, _, _ in held.calibration) == found.n_pairs
    assert found.systems[0].rank_raw == 1
    assert any("difficulty" in caution for caution in found.cautions)


def test_without_an_effect_of_style_both_agree(tmp_path):
    found = controlled(tmp_path / "log.json", battle_rows(1500, STRENGTHS))
    for one in found.systems:
        assert one.adjusted.low < one.raw.estimate < one.adjusted.high
    assert [one.system for one in found.systems] == ["ada", "bob", "cyd"]


def test_a_tight_prior_leaves_the_raw_strengths(tmp_path):
    rows = battle_rows(300, STRENGTHS, effect=1.0)
    for one in controlled(tmp_path / "log.json", rows, Prior(0, 1e-4)).systems:
        assert one.adjusted.estimate == pytest.approx(one.raw.estimate, abs=1e-3)
        assert one.unshrunk.estimate != pytest.approx(one.raw.estimate, abs=1e-3)


def test_other_priors_stand_beside_the_declared_one(tmp_path):
    rows = battle_rows(300, STRENGTHS, effect=1.0)
    found = controlled(tmp_path / "log.json", rows, Prior(0, 0.2))
    assert [one.prior.sd for one in found.sensitivity] == [0.1, 0.4, None]
    # Length grows with bold, so under a wider prior the two share out what both explain.
    tight, wide, free = (one.features["bold"] for one in found.sensitivity)
    bold = next(one for one in found.features if one.name == "bold")
    assert 0 < tight < bold.coefficient.estimate < wide
    assert free == bold.unshrunk.estimate
    refitted = controlled(tmp_path / "log.json", rows, Prior(0, 0.4))
    for one in refitted.systems:
        assert found.sensitivity[1].strengths[one.system] == one.adjusted.estimate
    (only,) = controlled(tmp_path / "log.json", rows, Prior(0, None)).sensitivity
    assert only.prior.sd is None


def test_marks_in_code_do_not_count(tmp_path):
    rows = battle_rows(60, STRENGTHS)
    for row in rows:
        for side in ("conversation_a", "conversation_b"):
            answer = row[side][1]
            answer["content"] = "```\n" + answer["content"] + "\n```"
    found = controlled(tmp_path / "log.json", rows)
    assert {one.name: one.n_differing for one in found.features} | {"length": 0} == dict.fromkeys(
        ("length", "headers", "lists", "bold"), 0
    )


def test_equal_answers_leave_nothing_to_hold_equal(tmp_path):
    rows = battle_rows(60, STRENGTHS)
    for number, row in enumerate(rows):
        for side in ("a", "b"):
            row[f"conversation_{side}"] = [{"role": "assistant", "content": f"{side} {number % 7}"}]
    found = controlled(tmp_path / "log.json", rows)
    assert found.undefined.startswith("Length, headers, lists and bold are alike")
    assert all(one.raw is not None and one.adjusted is None for one in found.systems)
    assert found.sensitivity == ()


def dressed(rows, texts):
    """Give every system one text, whatever it is asked."""
    for row in rows:
        for side in "ab":
            text = texts[row[f"model_{side}"]]
            row[f"conversation_{side}"] = [{"role": "assistant", "content": text}]
    return rows


@pytest.mark.parametrize("last", [10, 20])
def test_a_style_that_is_the_system_itself_is_refused_and_not_left_to_the_prior(tmp_path, last):
    texts = {"ada": "x" * 40, "bob": "x" * 20, "cyd": "x" * last}
    found = controlled(tmp_path / "log.json", dressed(battle_rows(90, STRENGTHS), texts))
    assert "cannot be told" in found.undefined
    assert all(one.raw is not None and one.adjusted is None for one in found.systems)
    assert all(one.coefficient is None for one in found.features)
    assert found.sensitivity == ()


def test_a_fit_that_only_the_prior_holds_says_so(tmp_path):
    rows = battle_rows(90, STRENGTHS)
    for number, row in enumerate(rows):
        winner = {"model_a": "a", "model_b": "b"}.get(row["winner"], "a")
        for side in "ab":
            text = "**x** " * 3 if side == winner else "x " * (9 + number % 5)
            row[f"conversation_{side}"] = [{"role": "assistant", "content": text}]
    found = controlled(tmp_path / "log.json", [r for r in rows if "tie" not in r["winner"]])
    assert found.undefined is None
    assert any("Without a prior there is no fit" in caution for caution in found.cautions)
    assert found.sensitivity[-1].undefined is not None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda rows: rows[:0] or [rows[0] | {"winner": "tie (bothbad)"}], "No pair names two"),
        (lambda rows: [row | {"winner": "model_a"} for row in rows if row["model_a"] == "ada"],
         "won or lost every pair"),
        (lambda rows: [rows[0], rows[0] | {"question_id": "x", "model_a": "p", "model_b": "q"}],
         "never compared"),
    ],
)  # fmt: skip
def test_no_strength_has_its_reason(tmp_path, change, reason):
    found = controlled(tmp_path / "log.json", change(battle_rows(60, STRENGTHS)))
    assert found.systems == ()
    assert reason in found.undefined_raw


def test_rows_without_texts_are_left_out_counted(tmp_path):
    rows = battle_rows(80, STRENGTHS)
    del rows[0]["conversation_a"]
    rows[1]["conversation_a"] = [{"role": "assistant", "content": 7}]
    found = controlled(tmp_path / "log.json", rows)
    assert found.left_out == {"a text is not known": 2}
    assert found.n_pairs == 78
