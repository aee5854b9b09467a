"""Figures of sources by their own rules, counted by hand on small logs of each format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from counterbalance.importers.loading import read_logs
from counterbalance.importers.registry import FORMATS
from counterbalance.importers.source_rows import source_rows
from counterbalance.measures.upstream.scripts import SCRIPTS, FigureGroup, source_figures
from foreign_logs import jsonl
from measures.benchmark_logs import (
    annotation,
    arena_hard_log,
    array,
    cache,
    faireval_log,
    judgebench_log,
    llmbar_log,
    pair_row,
    vote,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from counterbalance.measures.upstream.figure import SourceFigure


def groups_of(*paths: Path, by: Iterable[str] = ("judge", "strategy")) -> list[FigureGroup]:
    log = read_logs(paths, by=by)
    return list(source_figures(log.log_format.name, source_rows(log.collected)))


def figures_of(path: Path, by: Iterable[str] = ("judge", "strategy")) -> dict[str, SourceFigure]:
    (group,) = groups_of(path, by=by)
    return {figure.name: figure for figure in group.figures}


def told(figures: dict[str, SourceFigure]) -> dict[str, tuple[float | None, float]]:
    return {name: (figure.numerator, figure.denominator) for name, figure in figures.items()}


# ------------------------------------------------------------------ LLMBar


CELLS = [("1", "1", 1), ("1", "2", 1), ("2", "2", 2), ("2", None, 2), (None, None, 1)]


def test_llmbar_counts_missing_verdicts_as_wrong_and_as_equal(tmp_path: Path) -> None:
    found = figures_of(llmbar_log(tmp_path, CELLS))
    assert {name: counts for name, counts in told(found).items() if "kappa" not in name} == {
        "correct_False": (4, 5),
        "correct_True": (2, 5),
        "correct_average": (6, 10),
        "correct_both": (2, 5),
        "equal": (3, 5),  # two missing verdicts among them
    }
    assert found["correct_False"].value == 80


def test_llmbar_kappas_have_the_published_slip_and_are_called_defective(tmp_path: Path) -> None:
    found = figures_of(llmbar_log(tmp_path, [("1", "1", 1)] * 6 + [("2", "2", 2)] * 4))
    # Perfect agreement: codes 1 and 0 against labels 1 and 2, so 6 of 10 meet, 0.36 by chance.
    assert found["kappa_False"].value == pytest.approx((0.6 - 0.36) / (1 - 0.36))
    assert found["kappa_average"].value == pytest.approx(found["kappa_False"].value)
    assert found["kappa_agreement"].value == 1
    assert [name for name, figure in found.items() if figure.is_defective] == [
        "kappa_False", "kappa_True", "kappa_average", "kappa_agreement",
    ]  # fmt: skip


def test_llmbar_kappas_without_a_range_are_undefined(tmp_path: Path) -> None:
    found = figures_of(llmbar_log(tmp_path, [("1", "1", 1)] * 3))
    for name in ("kappa_False", "kappa_True", "kappa_average", "kappa_agreement"):
        assert found[name].value is None
        assert found[name].undefined


def test_llmbar_makes_up_winners_from_scores(tmp_path: Path) -> None:
    scores = [("5", "3", 1), ("3", "5", 1), ("4", "4", 1), ("4", "no", 2)]
    rows = [
        {
            "input": f"Question {n}?",
            "output_1": "one",
            "output_2": "two",
            "label": label,
            "results": [{"score_1": [one, "stop"], "score_2": [two, "stop"]}],
        }
        for n, (one, two, label) in enumerate(scores)
    ]
    path = array(tmp_path / "Odd" / "evaluators" / "GPT-4" / "Rating" / "result.json", rows)
    (group,) = groups_of(path)
    found = {figure.name: figure for figure in group.figures}
    # Equal scores become 2 and 1, unread ones 1 and 2: neither is a disagreement of the judge.
    assert told(found)["correct_False"] == (1, 4)
    assert told(found)["correct_True"] == (3, 4)
    assert told(found)["equal"] == (2, 4)
    assert (group.judge, group.strategy, group.subset) == ("GPT-4", "Rating", "Odd")


def test_figures_do_not_depend_on_how_the_report_is_split(tmp_path: Path) -> None:
    llmbar_log(tmp_path, CELLS)
    llmbar_log(tmp_path, CELLS[:2], strategy="CoT")
    split, whole = (groups_of(tmp_path, by=by) for by in (("judge", "strategy", "subset"), ()))
    assert split == whole
    assert [(group.strategy, group.n_rows) for group in whole] == [("CoT", 4), ("Vanilla", 10)]


def test_only_the_final_round_of_a_swap_strategy_has_figures(tmp_path: Path) -> None:
    path = llmbar_log(tmp_path, [("1", "2", 1)], strategy="Swap")
    rows = json.loads(path.read_text())
    again = {"prompt": "p", "completion": ["x", "stop"], "winner": "1"}
    rows[0]["results"].append({"swap = False": again, "swap = True": again})
    array(path, rows)
    assert told(figures_of(path))["correct_both"] == (1, 1)


# ------------------------------------------------------------------ JudgeBench


def test_judgebench_calls_half_evidence_right(tmp_path: Path) -> None:
    cells = [
        ("A>B", "B>A", "mmlu-pro-law"),  # right twice: the second decision is about B shown first
        ("A>B", "A=B", "mmlu-pro-law"),  # right beside a tie
        ("A>B", None, "livebench-math"),  # right beside nothing
        ("A>B", "A>B", "livebench-math"),  # one each: cancels
        ("A=B", "A=B", "livecodebench"),
        ("B>A", "A=B", "livecodebench"),
    ]
    assert told(figures_of(judgebench_log(tmp_path, cells))) == {
        "accuracy[mmlu-pro]": (2, 2),
        "accuracy[livebench-math]": (1, 2),
        "accuracy[livecodebench]": (0, 2),
        "accuracy[overall]": (3, 6),
    }


# ------------------------------------------------------------------ Position-Bias-Analyzer


LETTERS = {
    "81;phi": ("A", "B"),  # phi twice
    "82;phi": ("A", "A"),  # primacy
    "83;phi": ("C", "B"),  # a tie against a letter: full recency here
    "84;phi": ("B", "N"),  # one letter only
    "91;tiny": ("C", "C"),
    "92;tiny": ("B", "B"),  # recency
}


def test_position_bias_analyzer_counts_rows_pairs_and_ties_its_own_way(tmp_path: Path) -> None:
    found = figures_of(cache(tmp_path, LETTERS))
    assert told(found) == {
        # Rows 81 twice, 84 once (its partner has no letter), 91 twice.
        "log_consistent_rows": (5, 12),
        "log_extracted_rows": (11, 12),
        "log_failed_to_respond": (0, 12),
        "positional_consistency": (2, 5),
        "positional_preference_score": (None, 4),
        "extraction_successful_rate": (10, 11),  # one short
        "win+halfdraw[phi]": (2, 3),
        "win+halfdraw[tiny]": (1, 2),
    }
    # Two tasks and two models: writing has 4 pairs (of phi), roleplay 2 (of tiny).
    expected = [(1 - 1) / 2 / (4 / 2), 0, 0, 1 / (2 / 2)]
    assert found["positional_preference_score"].value == pytest.approx(sum(expected) / 4)


def test_position_bias_analyzer_takes_the_most_frequent_letter_of_repetitions(
    tmp_path: Path,
) -> None:
    for number, forward in enumerate("AAN", 1):
        cache(tmp_path, {"81;phi": (forward, "ABN"[number - 1])}, number)
    *runs, repeated = groups_of(tmp_path)
    assert len(runs) == 3
    assert repeated.file is None
    (figure,) = repeated.figures
    assert (figure.name, figure.numerator, figure.denominator) == ("repetition_consistency", 3, 6)


# ------------------------------------------------------------------ AlpacaEval


def test_alpaca_eval_averages_preferences_in_percent(tmp_path: Path) -> None:
    preferences = [1.0, 1.25, 2.0, 1.5, None]
    rows = [annotation(n, p, length=n + 1) for n, p in enumerate(preferences)]
    found = figures_of(array(tmp_path / "annotations.json", rows))
    assert {name: figure.value for name, figure in found.items()} == pytest.approx(
        {
            "win_rate": 100 * (0 + 0.25 + 1 + 0.5) / 4,
            "standard_error": 100 * (0.5468750 / 3) ** 0.5 / 2,
            "n_wins": 1,
            "n_wins_base": 2,
            "n_draws": 1,
            "n_total": 4,
            "discrete_win_rate": 37.5,
            "avg_length": 3,  # 15 / 5: only files of about 805 rows are divided by 805
        }
    )


def test_one_row_has_no_standard_error(tmp_path: Path) -> None:
    found = figures_of(array(tmp_path / "annotations.json", [annotation(1, 2.0)]))
    assert found["standard_error"].value is None
    assert found["standard_error"].undefined


def test_a_cache_of_several_models_has_figures_for_each(tmp_path: Path) -> None:
    rows = [annotation(1, 2.0), annotation(1, 1.0) | {"generator_2": "other"}]
    groups = groups_of(array(tmp_path / "annotations.json", rows))
    assert [(group.systems, group.figures[0].value) for group in groups] == [
        (("baseline", "model"), 100),
        (("baseline", "other"), 0),
    ]


# ------------------------------------------------------------------ FastChat and Arena-Hard


def test_fastchat_makes_ties_of_order_disagreements(tmp_path: Path) -> None:
    rows = [
        pair_row(1, "zeta", "alpha", "model_1", "model_1"),
        pair_row(2, "zeta", "alpha", "model_1", "model_2"),
        pair_row(3, "alpha", "mid", "model_2", "model_2"),
        pair_row(4, "alpha", "mid", "tie", "tie"),
        pair_row(5, "alpha", "mid", "error", "model_1"),
    ]
    path = jsonl(tmp_path / "gpt-4_pair.jsonl", rows)
    assert told(figures_of(path)) == {
        "win_rate[alpha]": (0, 4),
        "loss_rate[alpha]": (2, 4),
        "win_rate_adjusted[alpha]": (1, 4),
        "win_rate[mid]": (1, 2),
        "loss_rate[mid]": (0, 2),
        "win_rate_adjusted[mid]": (1.5, 2),
        "win_rate[zeta]": (1, 2),
        "loss_rate[zeta]": (0, 2),
        "win_rate_adjusted[zeta]": (1.5, 2),
    }


def test_arena_hard_counts_strong_verdicts_three_times(tmp_path: Path) -> None:
    path = arena_hard_log(tmp_path, [("B>>A", "A>B"), ("A>B", "A=B"), ("A>>B", None)])
    # Game 1 shows the baseline first: 3 strong wins, 1 win, 1 loss, half a win for the tie.
    assert told(figures_of(path)) == {"weighted_score": (4.5, 6)}


# ------------------------------------------------------------------ FairEval and MT-Bench


def test_faireval_averages_scores_over_both_orders(tmp_path: Path) -> None:
    path = faireval_log(tmp_path, [((9, 5), (5, 9)), ((9, 5), (8, 5)), ((7, 6), (7, 6))])
    assert told(figures_of(path)) == {
        "win_rate[alpha]": (0, 3),
        "win_rate[zeta]": (2, 3),  # the second question by a wider margin in one order
        "tie_rate": (1, 3),
    }


def test_mt_bench_takes_every_two_votes_on_a_pair(tmp_path: Path) -> None:
    gpt4 = ["gpt-4", "pair-v2"]
    rows = [
        vote("expert_1", "model_a"),
        vote("expert_2", "model_a"),
        vote("expert_3", "tie"),
        vote("author_1", "model_b"),
        vote(gpt4, "model_a"),
        vote("expert_1", "tie", 2),
        vote("expert_2", "tie (bothbad)", 2),
        vote(gpt4, "tie (inconsistent)", 2),
    ]
    assert told(figures_of(jsonl(tmp_path / "votes.jsonl", rows))) == {
        "agreement[human, human, turn 1, with tie]": (1, 3),
        "agreement[gpt4-pair, human, turn 1, with tie]": (2, 3),
        "agreement[human, human, turn 1, without tie]": (1, 1),
        "agreement[gpt4-pair, human, turn 1, without tie]": (2, 2),
        "agreement[human, human, turn 2, with tie]": (1, 1),
        "agreement[gpt4-pair, human, turn 2, with tie]": (2, 2),
    }


# ------------------------------------------------------------------ every format


DECLARED = {known.name: set(known.upstream) for known in FORMATS if known.upstream}
LOGS = {
    "llmbar": lambda path: llmbar_log(path, CELLS),
    "judgebench": lambda path: judgebench_log(path, [("A>B", "B>A", "mmlu-pro-law")]),
    "position-bias-analyzer": lambda path: [cache(path, LETTERS, n) for n in (1, 2)] and path,
    "alpaca-eval": lambda path: array(path / "annotations.json", [annotation(1, 2.0)]),
    "fastchat-pair": lambda path: jsonl(path / "x", [pair_row(1, "a", "b", "tie", "tie")]),
    "arena-hard": lambda path: arena_hard_log(path, [("A>B", "A>B")]),
    "faireval": lambda path: faireval_log(path, [((9, 5), (5, 9))]),
    "mt-bench-votes": lambda path: jsonl(path / "x", [vote(f"expert_{n}", "tie") for n in (1, 2)]),
}


def test_every_declared_figure_has_a_script_and_the_reverse() -> None:
    assert set(SCRIPTS) == set(DECLARED) == set(LOGS)


@pytest.mark.parametrize("name", LOGS)
def test_declared_figures_are_those_that_are_computed(name: str, tmp_path: Path) -> None:
    groups = groups_of(LOGS[name](tmp_path))
    assert {figure.rule for group in groups for figure in group.figures} == DECLARED[name]
