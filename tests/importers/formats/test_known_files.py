"""Files beside the verdicts are known for what they are, and say where the verdicts stand."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from counterbalance.errors import InputError
from counterbalance.importers.detection import detect
from counterbalance.importers.loading import read_logs
from counterbalance.importers.log_file import log_files
from counterbalance.importers.log_format import Holds
from counterbalance.importers.registry import FORMATS
from extras import reference_folder
from foreign_logs import format_of, jsonl

if TYPE_CHECKING:
    from pathlib import Path

ANSWER = {"question_id": 1, "answer_id": "x", "model_id": "m", "choices": [], "tstamp": 1}
PROMPT = {
    "name": "pair-v2",
    "type": "pairwise",
    "system_prompt": "",
    "prompt_template": "",
    "output_format": "[[A]]",
}
ROWS = {
    "model_answer/m.jsonl": (ANSWER, "fastchat-answers"),
    "reference_answer/gpt-4.jsonl": (ANSWER, "fastchat-references"),
    "question.jsonl": ({"question_id": 1, "category": "math", "turns": []}, "fastchat-questions"),
    "judge_prompts.jsonl": (PROMPT, "fastchat-prompts"),
    "a/m.jsonl": ({"uid": "1", "ans_id": "x", "model": "m", "messages": []}, "arena-hard-answers"),
    "b/question.jsonl": ({"uid": "1", "category": "c", "prompt": "Why?"}, "arena-hard-questions"),
}


@pytest.mark.parametrize("name", ROWS)
def test_rows_that_are_no_verdicts_are_named(tmp_path, name) -> None:
    row, known = ROWS[name]
    path = jsonl(tmp_path / name, [row, row])
    assert format_of(path) == known
    with pytest.raises(InputError, match="model_judgment/"):
        read_logs([path])


def test_settings_and_leaderboards_are_named(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text("judge_model: gpt-4\nbench_name: x\n")
    (tmp_path / "other.yaml").write_text("services: x\n")
    (tmp_path / "board.csv").write_text("model,score,rating_q025,rating_q975,CI\nm,1,1,1,x\n")
    assert format_of(tmp_path / "c.yaml") == "arena-hard-settings"
    assert format_of(tmp_path / "other.yaml") is None
    assert format_of(tmp_path / "board.csv") == "arena-hard-leaderboard"


def test_every_format_can_be_read_or_says_what_to_do() -> None:
    names = [known.name for known in FORMATS]
    assert len(set(names)) == len(names)
    for known in FORMATS:
        readable = known.holds in {Holds.JUDGMENTS, Holds.RATINGS}
        assert readable == bool(known.read or known.read_together), known.name
        assert readable or known.advice, known.name


@pytest.mark.reference
@pytest.mark.parametrize(
    ("source", "kinds"),
    [
        ("fastchat", {"fastchat-prompts": 1, "fastchat-questions": 1, "fastchat-references": 1}),
        ("fastchat_fork_pair_log", {"fastchat-pair": 1}),
        (
            "arena_hard",
            {
                "arena-hard-answers": 2,
                "arena-hard-questions": 1,
                "arena-hard-settings": 1,
                "arena-hard-leaderboard": 1,
            },
        ),
        ("arena_hard_greek", {"arena-hard": 1}),
        ("judgebench", {"judgebench": 4, "judgebench-pairs": 2}),
        ("faireval", {"faireval-answers": 2, "faireval-questions": 1, "faireval-review": 1}),
    ],
)
def test_every_real_file_is_known(source, kinds) -> None:
    ours = {"FILES.tsv", "SOURCE.md", "LICENSE", "expected.json"}
    files = [
        file for file in log_files([reference_folder() / source]) if file.path.name not in ours
    ]
    found = Counter(known.name if (known := detect(file)) else file.name for file in files)
    assert found == kinds
