"""Files of judging-the-judges are known, and none of them is taken for judgments."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from counterbalance.errors import InputError
from counterbalance.importers.loading import read_logs
from extras import reference_folder
from foreign_logs import format_of

if TYPE_CHECKING:
    from pathlib import Path

PAIR = {
    "id": "length_000",
    "question": "Why?",
    "response_a": "So.",
    "response_b": "Because.",
    "human_preference": None,
    "metadata": {},
}
METRICS = {
    "model": "m",
    "strategy": "B0_naive",
    "benchmark": "llmbar",
    "n_instances": 3,
    "verdict_distribution": {"A": 1, "B": 1, "tie": 1},
}


def test_pairs_aggregates_and_tables_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "pairs.jsonl").write_text(json.dumps(PAIR) + "\n" + json.dumps(PAIR) + "\n")
    (tmp_path / "x_metrics.json").write_text(json.dumps(METRICS, indent=2))
    (tmp_path / "table1.csv").write_text("Model,Baseline,Pos. Swap,Rubric,CoT\nm,0.1,0.2,0.3,0.4\n")
    assert format_of(tmp_path / "pairs.jsonl") == "judging-the-judges-pairs"
    assert format_of(tmp_path / "x_metrics.json") == "judging-the-judges-metrics"
    assert format_of(tmp_path / "table1.csv") == "judging-the-judges-tables"


def test_an_audit_says_that_aggregates_hide_what_a_tie_was(tmp_path: Path) -> None:
    (tmp_path / "x_metrics.json").write_text(json.dumps(METRICS))
    with pytest.raises(InputError, match="aggregates without the rows they were made of") as caught:
        read_logs([tmp_path / "x_metrics.json"])
    assert "a disagreement of the orders" in str(caught.value)


@pytest.mark.reference
def test_every_real_file_is_known() -> None:
    folder = reference_folder() / "judging_the_judges_sksoumik"
    files = [*folder.glob("results/aggregated/*"), *folder.glob("analysis/figures/*.csv")]
    files += [*folder.glob("data/custom/*"), *folder.glob("data/raw/llmbar/*")]
    assert Counter(map(format_of, files)) == {
        "judging-the-judges-metrics": 57,
        "judging-the-judges-tables": 4,
        "judging-the-judges-pairs": 2,
    }
