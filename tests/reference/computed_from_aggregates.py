"""Numbers of a study that published aggregates only: sums, shares and kappas from marginals.

Its gold labels are rebuilt as it drew them, and a kappa follows from agreement and both marginals.
"""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from counterbalance.importers.log_file import log_files
from counterbalance.importers.rows import json_object
from reference.computed_from_pairs import rows_in
from reference.published import files_of

if TYPE_CHECKING:
    from pathlib import Path

    from reference.computed import Rules
    from reference.published import PublishedNumber

__all__ = ["RULES"]

STRATEGIES = {
    "Baseline": "B0_naive",
    "Pos. Swap": "S1_position_swap",
    "Rubric": "S4_calibrated_rubric",
    "CoT": "S5_cot_forcing",
    "Combined Budget": "S8_combined_budget",
}
TABLES = {
    "table1_kappa.csv": "mt_bench",
    "table1_main_results.csv": "mt_bench",
    "table_llmbar_with_ci.csv": "llmbar",
}
SAMPLES = {"mt_bench": 400, "llmbar": 200}
"""Items that the study drew of each set, all with the seed 42."""
WINNERS = {"model_a": "A", "model_b": "B", "tie": "tie"}


@cache
def aggregate(path: Path) -> dict[str, Any]:
    (file,) = log_files([path])
    value = json_object(file)
    assert isinstance(value, dict)
    return value


@cache
def gold(source: str, benchmark: str) -> Counter[str]:
    """Gold labels of the items that the study drew."""
    if benchmark == "mt_bench":
        (path,) = files_of(source, "data/raw/mt_bench/human.parquet*")
        labels = [WINNERS[row["winner"]] for row in rows_in(path, "winner")]
    else:
        (path,) = files_of(source, "data/raw/llmbar/llmbar.jsonl*")
        rows = rows_in(path)
        labels = [row["human_preference"] for row in rows]
    drawn = np.random.default_rng(42).choice(len(labels), SAMPLES[benchmark], replace=False)
    return Counter(labels[place] for place in sorted(drawn.tolist()))


def gold_marginals(number: PublishedNumber, size: str) -> dict[str, int]:
    benchmark = "mt_bench" if number.file.endswith(".parquet") else "llmbar"
    assert SAMPLES[benchmark] == int(size)
    return dict(gold(number.source, benchmark))


def verdict_distribution(number: PublishedNumber) -> dict[str, int]:
    found: dict[str, int] = aggregate(number.path)["verdict_distribution"]
    return found


def n_instances(number: PublishedNumber) -> int:
    """The sum of the verdicts, whatever the file says that its items are."""
    return sum(verdict_distribution(number).values())


def is_a_count(number: PublishedNumber) -> bool:
    """Whether the agreement rate can be a whole number of items, out of those with gold."""
    found = aggregate(number.path)
    n_gold = n_instances(number)
    if found["benchmark"] == "custom":
        (path,) = files_of(number.source, "data/custom/controlled_pairs.jsonl*")
        n_gold = sum(row["human_preference"] is not None for row in rows_in(path))
    assert f"= {n_gold}" in number.rule
    assert found["agreement_rate"] == number.detail("agreement_rate")
    count = found["agreement_rate"] * n_gold
    return abs(count - round(count)) < 1e-9


def cell(number: PublishedNumber, model: str, strategy: str) -> dict[str, Any]:
    """The aggregate behind one cell of a published table."""
    benchmark = TABLES[number.file.rpartition("/")[2]]
    name = re.sub(r"[ -]+", "-", model.lower())
    found = [
        value
        for path in files_of(number.source, "results/aggregated/*_metrics.json")
        if (value := aggregate(path))["strategy"] == STRATEGIES[strategy]
        and value["benchmark"] == benchmark
        and (value["model"] == name or value["model"].startswith(name))
    ]
    exact = [value for value in found if value["model"] == name]
    (one,) = exact or found
    assert isinstance(one, dict)
    return one


def agreement(number: PublishedNumber, model: str, strategy: str) -> float:
    return float(cell(number, model, strategy)["agreement_rate"])


def kappa(number: PublishedNumber, model: str, strategy: str) -> float:
    """Kappa by both marginals, each over its own number of items."""
    found = cell(number, model, strategy)
    mine, theirs = Counter(found["verdict_distribution"]), gold(number.source, "mt_bench")
    chance = sum(Fraction(mine[label], mine.total()) * theirs[label] for label in theirs)
    expected = float(chance / theirs.total())
    return float((found["agreement_rate"] - expected) / (1 - expected))


RULES: Rules = {
    "judging_the_judges_sksoumik": {
        r"gold_marginals_of_the_(\d+)_sample": gold_marginals,
        r"verdict_distribution": verdict_distribution,
        r"n_instances": n_instances,
        r"agreement_rate_times_n_gold_is_integer": is_a_count,
        r"agreement\[(.+)\]\[(.+)\]": agreement,
        r"kappa\[(.+)\]\[(.+)\]": kappa,
    },
}
