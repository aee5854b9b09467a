"""A mistake in the map between slots and candidates makes published numbers differ.

The classic one: verdicts of the second order are not turned back, or turned back twice.
"""

from __future__ import annotations

import json
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from counterbalance.dispositions.codes import ORDERS, VERDICT_OF
from counterbalance.importers import sides
from counterbalance.importers.formats import llmbar
from counterbalance.importers.judgment import source_outcome
from counterbalance.items.frames import Order, Side
from counterbalance.parsing.outcome import OutcomeKind
from extras import reference_folder
from reference.computing import faults, results_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from reference.computing import Result

pytestmark = pytest.mark.reference

LOGS = {
    "llmbar": "Dataset/LLMBar/Natural/evaluators/ChatGPT/Vanilla/result.json*",
    "judgebench": "outputs/*claude-3-haiku*",
    "position_bias_analyzer": "judgment_data/data_MTBench_repetition/*haiku*/record_*",
    "alpaca_eval": "results/alpaca-7b/*/annotations.json*",
    "arena_hard_greek": "data/arena-hard-v0.1/model_judgment/gpt-4o/*",
    "fastchat_fork_pair_log": "fastchat/llm_judge/data/mt_bench/model_judgment/*",
}
"""One log of each source that shows both orders, or the order of each row."""
IN_CANDIDATES = ("llmbar", "alpaca_eval", "fastchat_fork_pair_log")
"""Logs that name the winner: their verdicts are turned into slots first, and back again."""


def alone(source: str, place: Path) -> tuple[Path, str]:
    """Copy one log with its numbers to a folder of its own, where nothing was computed yet."""
    folder = reference_folder() / source
    path = min(folder.glob(LOGS[source]))
    file = str(path.relative_to(folder))
    copied = place / source / file
    copied.parent.mkdir(parents=True)
    shutil.copy(path, copied)
    content = json.loads((folder / "expected" / "expected.json").read_text("utf-8"))
    content["items"] = [item for item in content["items"] if item["file"] == file]
    assert content["items"]
    (place / source / "expected").mkdir()
    (place / source / "expected" / "expected.json").write_text(json.dumps(content))
    return place / source, file


@contextmanager
def not_turned_back() -> Iterator[None]:
    """Read the slots of the second order as if it were the first."""
    before = VERDICT_OF.copy()
    VERDICT_OF[ORDERS.index(Order.REVERSED)] = before[ORDERS.index(Order.FORWARD)]
    try:
        yield
    finally:
        VERDICT_OF[...] = before


@contextmanager
def turned_back_twice() -> Iterator[None]:
    """Take the name of a winner for a slot, as if it still had to be turned back."""
    slots = {Side.A: OutcomeKind.FIRST, Side.B: OutcomeKind.SECOND}
    with pytest.MonkeyPatch.context() as patch:
        for side, order in list(sides._SLOT_OF):
            patch.setitem(sides._SLOT_OF, (side, order), slots[side])
        for winner, order in list(llmbar._OUTCOMES):
            outcome = source_outcome(slots[llmbar._SIDES[winner]])
            patch.setitem(llmbar._OUTCOMES, (winner, order), outcome)
        yield


def wrong(results: Iterable[Result]) -> set[str]:
    """Names of the numbers that differ, without what they are of."""
    return {result.number.metric.partition("[")[0] for result in results if faults([result])}


SEEN = {
    "llmbar": {"correct_True", "correct_both", "equal", "kappa_True", "dispositions"},
    "judgebench": {"accuracy", "counts", "dispositions"},
    "position_bias_analyzer": {"win+halfdraw", "dispositions"},
    "alpaca_eval": {"n_wins", "n_wins_base", "discrete_win_rate"},
    "arena_hard_greek": {"weighted_score_of_model_vs_baseline", "dispositions"},
    "fastchat_fork_pair_log": {"show_result_pairwise", "dispositions"},
}
"""Numbers of each source that must notice."""


@pytest.mark.parametrize("source", LOGS)
def test_without_a_mistake_nothing_differs(source: str, tmp_path: Path) -> None:
    results = results_of(*alone(source, tmp_path))
    assert results
    assert not wrong(results)


@pytest.mark.parametrize("source", LOGS)
def test_verdicts_that_are_not_turned_back_are_noticed(source: str, tmp_path: Path) -> None:
    copied = alone(source, tmp_path)
    with not_turned_back():
        assert wrong(results_of(*copied)) >= SEEN[source]


@pytest.mark.parametrize("source", IN_CANDIDATES)
def test_verdicts_that_are_turned_back_twice_are_noticed(source: str, tmp_path: Path) -> None:
    copied = alone(source, tmp_path)
    with turned_back_twice():
        assert wrong(results_of(*copied)) >= SEEN[source]


def test_both_mistakes_at_once_would_hide_each_other(tmp_path: Path) -> None:
    """Verdicts in candidate frame go there and back: slots of their own show which is wrong."""
    copied = alone("fastchat_fork_pair_log", tmp_path)
    with not_turned_back(), turned_back_twice():
        found = wrong(results_of(*copied))
    assert "show_result_pairwise" not in found
    assert "winner_equals_label_in_judgment_text" in found
