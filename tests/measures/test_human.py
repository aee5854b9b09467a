"""What people said, in numbers: by hand, against simulation, and where nothing can be said."""

from __future__ import annotations

import numpy as np
import pytest

from counterbalance.items.frames import Order, Verdict
from counterbalance.measures.corrected_win_rate import CorrectedPart, corrected_win_rate
from counterbalance.measures.human import (
    HumanAnswer,
    human_alpha,
    judge_human_agreement,
    judge_human_kappa,
    majority,
    panel,
)
from counterbalance.statistics.prediction_powered import prediction_powered_mean

A, B, TIE, NEITHER = Verdict.A, Verdict.B, Verdict.TIE, Verdict.NEITHER
NONE = CorrectedPart((), (), (), ())


def said(*verdicts: Verdict, pair: str = "p") -> list[HumanAnswer]:
    return [
        HumanAnswer(f"r{n}", pair, Order.FORWARD, is_repeat=False, verdict=verdict)
        for n, verdict in enumerate(verdicts)
    ]


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [((), None), ((A,), A), ((A, B), None), ((A, B, A), A), ((A, B, TIE), None), ((TIE, TIE), TIE)],
)
def test_a_majority_is_more_than_half(verdicts, expected):
    assert majority(said(*verdicts)) is expected


def test_agreement_counts_pairs_with_a_majority():
    verdicts = [(A, A), (A, B), (B, B), (TIE, None), (B, B)]
    found = judge_human_agreement(verdicts, list("vwxyz"))
    assert (found.numerator, found.denominator, found.value) == (3, 4, 0.75)
    kappa = judge_human_kappa(verdicts, list("vwxyz"))
    # By hand: observed 3/4, expected (2 * 1 + 2 * 3) / 16 = 1/2.
    assert (kappa.value, kappa.denominator) == (0.5, 4)
    assert judge_human_kappa(verdicts, list("vvxxz")).cautions


def test_nobody_agrees_with_nobody():
    assert judge_human_agreement([], []).undefined
    assert judge_human_kappa([(A, None)], ["x"]).undefined


def test_reviewers_among_themselves():
    answers = [
        a for n, vs in enumerate([(A, A), (A, B), (B, B), (B, B)]) for a in said(*vs, pair=f"p{n}")
    ]
    found = panel(answers, ["r0", "r1"], {f"p{n}": n for n in range(4)})
    assert found.pairs[0].kappa.kappa == 0.5
    alpha = human_alpha(found)
    # By hand: observed 3/4, expected (3 * 2 + 5 * 4) / (8 * 7).
    assert alpha.value == pytest.approx((0.75 - 26 / 56) / (1 - 26 / 56))
    assert alpha.denominator == 4


def part(labels, predictions=None, unlabelled=()):
    n = len(labels) + len(unlabelled)
    given = (0.0,) * len(labels) if predictions is None else tuple(predictions)
    return CorrectedPart(tuple(labels), given, tuple(unlabelled), tuple(range(n)))


def test_two_parts_are_weighed_by_their_pairs():
    selected = part([1.0, 0.0, 0.5, 0.5])
    stable = part([1.0, 0.0, 1.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0, 1.0])
    found = corrected_win_rate(selected, stable)
    ppi = prediction_powered_mean([1, 0, 1], [1, 0, 0], [1, 1, 0, 0, 1])
    assert found.value == pytest.approx((4 * 0.5 + 8 * ppi.estimate) / 12)
    assert found.denominator == 12
    assert found.low < found.value < found.high
    # People judged everything: their own mean, whatever the judge says.
    alone = corrected_win_rate(selected, part([1.0, 0.0], [0.0, 1.0]))
    assert alone.value == 0.5


def test_it_is_the_mean_of_people_whatever_the_judge_prefers():
    """Over random samples the estimate centres on what people say of all pairs."""
    draw = np.random.default_rng(3)
    n_selected, n_stable, n_drawn = 40, 160, 40
    people = (draw.random(n_stable) < 0.3).astype(float)
    judge = np.where(draw.random(n_stable) < 0.3, 1.0, people)
    chosen = (draw.random(n_selected) < 0.8).astype(float)
    truth = (chosen.sum() + people.sum()) / (n_selected + n_stable)
    estimates, covered = [], 0
    for _ in range(300):
        order = draw.permutation(n_stable)
        drawn, rest = order[:n_drawn], order[n_drawn:]
        stable = part(people[drawn].tolist(), judge[drawn].tolist(), judge[rest].tolist())
        found = corrected_win_rate(part(chosen.tolist()), stable)
        estimates.append(found.value)
        covered += found.low <= truth <= found.high
    error = np.std(estimates) / np.sqrt(len(estimates))
    assert abs(np.mean(estimates) - truth) < 5 * error
    naive = (chosen.sum() + judge.sum()) / (n_selected + n_stable)
    assert abs(naive - truth) > 20 * error
    # Errors are those of a larger population, so that these pairs are covered more often.
    assert covered / len(estimates) > 0.95


def test_what_cannot_be_corrected_says_why():
    stable = part([1.0, 0.0], [1.0, 1.0], [1.0])
    for selected, of_stable, reason in (
        (part([1.0, None]), stable, "1 of 4 cases have no answer"),
        (part([1.0]), part([], [], [1.0, 0.0]), "No sample of the 2 stable pairs"),
        (NONE, NONE, "There is no pair"),
    ):
        found = corrected_win_rate(selected, of_stable)
        assert found.value is None
        assert reason in found.undefined
    silent = corrected_win_rate(part([1.0, 1.0]), NONE)
    assert (silent.value, silent.low) == (1.0, None)
    assert any("No interval" in caution for caution in silent.cautions)
