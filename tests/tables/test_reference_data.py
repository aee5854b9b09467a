"""The worked cases say what the sources say: every figure that can be read there is compared."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections import Counter

import pytest

from counterbalance.tables.reading import case_text, description_from_text
from extras import reference_folder

pytestmark = pytest.mark.reference

MODELS = {
    "gemini-2.5-pro": ("Pro", "Gemini 2.5 Pro"), "claude-sonnet-4": ("Claude", "Claude Sonnet 4"),
    "gpt-4o": ("GPT-4o", "GPT-4o"), "llama-3.3-70b": ("Llama", "Llama 3.3-70B"),
    "gemini-2.5-flash": ("Flash", "Gemini 2.5 Flash"),
}  # fmt: skip
STRATEGIES = {"Baseline": "B0", "Pos. Swap": "S1", "Rubric": "S4", "CoT": "S5",
              "Combined Budget": "S8"}  # fmt: skip


def rows_of(case, table):
    description = description_from_text(case_text(case), case, ".toml")
    found = next(t for t in description.tables if t.name == table)
    return {row.name: row for row in found.rows}


def text_of(path):
    content = path.read_bytes()
    return (gzip.decompress(content) if path.suffix == ".gz" else content).decode()


def test_marginals_of_the_study():
    folder = reference_folder() / "judging_the_judges_sksoumik" / "results" / "aggregated"
    tables = {"mt_bench": "MT-Bench", "custom": "Controlled pairs"}
    compared = 0
    for path in sorted(folder.iterdir()):
        value = json.loads(text_of(path))
        table = tables.get(value["benchmark"])
        strategy = value["strategy"].split("_")[0]
        name = f"{MODELS.get(value['model'], ('',))[0]} {strategy}"
        row = rows_of("mitigation-study", table).get(name) if table else None
        if row is not None:
            assert row.verdicts == value["verdict_distribution"], name
            assert sum(row.verdicts.values()) == value["n_instances"]
            share = value["agreement_rate"]
            assert float(row.agreement.low) - 1e-9 <= share <= float(row.agreement.high) + 1e-9
            compared += 1
    assert compared >= 15


@pytest.mark.parametrize(
    ("file", "table"),
    [
        ("table1_main_results.csv", "MT-Bench"),
        ("table1_kappa.csv", "MT-Bench"),
        ("table_llmbar_with_ci.csv", "LLMBar"),
    ],
)
def test_printed_tables_of_the_study(file, table):
    folder = reference_folder() / "judging_the_judges_sksoumik" / "analysis" / "figures"
    rows = rows_of("mitigation-study", table)
    compared = 0
    for printed in csv.DictReader(io.StringIO((folder / file).read_text("utf-8"))):
        short = next(s for s, long in MODELS.values() if long == printed["Model"])
        for column, strategy in STRATEGIES.items():
            row = rows[f"{short} {strategy}"]
            cells = re.findall(r"[\d.]+", printed[column])
            ours = [row.kappa] if "kappa" in file else [row.agreement, *row.interval]
            assert [x.text for x in ours] == cells
            compared += 1
    assert compared == 25


def test_llmbar_marginals_accuracies_and_kappas():
    compared = 0
    for order in ("first", "second"):
        for name, row in rows_of("llmbar", "against the reference").items():
            if not name.endswith(f"{order} order"):
                continue
            part = name.split(",")[0]
            where = part if part == "Natural" else f"Adversarial/{part}"
            folder = reference_folder() / "llmbar" / "Dataset" / "LLMBar" / where
            folder = folder / "evaluators" / "GPT-4" / "Vanilla"
            results = json.loads(text_of(next(folder.glob("result.json*"))))
            statistics = json.loads(text_of(next(folder.glob("statistics.json*"))))
            key, suffix = ("swap = False", "False") if order == "first" else ("swap = True", "True")
            winners = Counter(x["results"][-1][key]["winner"] for x in results)
            assert row.verdicts == dict(sorted(winners.items()))
            assert row.gold == {str(k): n for k, n in Counter(x["label"] for x in results).items()}
            assert float(row.kappa.text) == statistics[f"kappa_{suffix}"]
            assert statistics[f"correct_{suffix}"].endswith(f"= {row.agreement.text}")
            compared += 1
    assert compared == 8


def test_judgebench_items_by_both_orders():
    folder = reference_folder() / "judgebench" / "outputs"
    path = next(folder.glob("*claude-3-haiku*"))
    flipped = {"A>B": "B>A", "B>A": "A>B"}
    seen = Counter()
    for line in filter(None, text_of(path).split("\n")):
        row = json.loads(line)
        first, second = (judgment["decision"] for judgment in row["judgments"])
        decisions = (first, flipped.get(second, second))
        right = sum(d == row["label"] for d in decisions)
        other = next((d for d in decisions if d != row["label"]), row["label"])
        kind = {0: "never_right", 2: "both_right"}.get(right)
        seen[kind or {None: "right_and_missing", "A=B": "right_and_tie"}.get(
            other, "right_and_wrong")] += 1  # fmt: skip
    row = rows_of("judgebench", "scores")["claude-3-haiku"]
    assert row.two_orders.model_dump() == dict(seen)


def test_alpaca_evals_leaderboard():
    folder = reference_folder() / "alpaca_eval" / "src" / "alpaca_eval" / "leaderboards"
    path = next(folder.rglob("weighted_alpaca_eval_gpt4_turbo_leaderboard.csv*"))
    printed = {row[""]: row for row in csv.DictReader(io.StringIO(text_of(path)))}
    names = {"FuseChat-Gemma-2-9B": "FuseChat-Gemma-2-9B-Instruct"}
    for table, column in (("weighted", "win_rate"), ("discrete", "discrete_win_rate"),
                          ("length-controlled", "length_controlled_winrate")):  # fmt: skip
        for name, row in rows_of("alpaca-eval", table).items():
            of_model = printed[names.get(name, name)]
            assert row.win_rate.text == of_model[column]
            if table == "discrete":
                counts = (row.wins, row.losses, row.ties)
                keys = ("n_wins", "n_wins_base", "n_draws")
                assert counts == tuple(int(of_model[key]) for key in keys)
            else:
                key = "standard_error" if table == "weighted" else "lc_standard_error"
                assert row.standard_error.text == of_model[key]
