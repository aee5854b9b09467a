"""Paths to logs: formats are detected, every file is accounted for, and errors say what to do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from counterbalance.errors import InputError
from counterbalance.importers.detection import format_named
from counterbalance.importers.judgment import Judgment
from counterbalance.importers.loading import found_rows, read_logs

if TYPE_CHECKING:
    from pathlib import Path


def fastchat_row(question: int = 81, **changes: Any) -> dict[str, Any]:
    return {
        "question_id": question,
        "model_1": "phi",
        "model_2": "alpaca",
        "g1_winner": "model_1",
        "g2_winner": "model_1",
        "judge": ["gpt-4", "pair-v2"],
        "g1_user_prompt": "p1",
        "g1_judgment": "My verdict: [[A]]",
        "g2_user_prompt": "p2",
        "g2_judgment": "My verdict: [[B]]",
        "turn": 1,
        "tstamp": 1.0,
        **changes,
    }


def log_of(path: Path, *rows: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_folder_is_read_and_what_else_is_in_it_is_named(tmp_path: Path) -> None:
    log_of(tmp_path / "gpt-4_pair.jsonl", fastchat_row(), fastchat_row(82))
    (tmp_path / "README.md").write_text("hello\n")
    log = read_logs([tmp_path])
    assert log.log_format.name == "fastchat-pair"
    assert [(file.rows, file.rejected) for file in log.files] == [(2, 0)]
    assert [(other.name, other.what) for other in log.others] == [
        (str(tmp_path / "README.md"), "of no known format")
    ]
    assert log.collected.columns.n_rows == 8  # two games of two rows, read by both


def test_an_unknown_file_says_what_it_holds_and_what_comes_nearest(tmp_path: Path) -> None:
    path = log_of(tmp_path / "x.jsonl", {"question_id": 1, "model_1": "a", "winner": "b"})
    with pytest.raises(InputError) as caught:
        read_logs([path])
    message = str(caught.value)
    assert "is of no known format: json_lines with model_1, question_id, winner" in message
    assert "nearest is" in message
    assert "counterbalance import --map-help" in message


def test_a_named_format_is_not_detected(tmp_path: Path) -> None:
    path = log_of(tmp_path / "x.jsonl", {"question_id": 1}, fastchat_row())
    log = read_logs([path], log_format=format_named("fastchat-pair"))
    assert [(reject.line, reject.reason) for reject in log.collected.rejects] == [
        (1, "the row lacks a key")
    ]


def test_no_format_has_an_unknown_name() -> None:
    with pytest.raises(InputError, match=r'there is no log format "x\\n" \(known: .*fastchat-pair'):
        format_named("x\n")


def test_single_rows_are_read_again_with_their_texts(tmp_path: Path) -> None:
    rows = [fastchat_row(81 + i, g1_judgment=f"reply {i} [[A]]") for i in range(20)]
    log = read_logs([log_of(tmp_path / "a.jsonl", *rows), log_of(tmp_path / "b.jsonl", rows[0])])
    found = [(file, row) for file, row in found_rows(log, [(0, 3), (0, 5), (1, 1)])]
    assert [(file, row.line) for file, row in found] == [
        (0, 3), (0, 3), (0, 5), (0, 5), (1, 1), (1, 1),
    ]  # fmt: skip
    assert isinstance(found[0][1], Judgment)
    assert found[0][1].reply == "reply 2 [[A]]"


@pytest.mark.parametrize("name", ["a b.jsonl", "100%:x.jsonl", "ünï🜁.jsonl", "-x.jsonl"])
def test_odd_file_names_are_no_trouble(tmp_path: Path, name: str) -> None:
    path = log_of(tmp_path / name, fastchat_row())
    assert read_logs([path]).files[0].rows == 1


def test_an_empty_file_is_of_no_known_format(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_bytes(b"")
    with pytest.raises(InputError, match="is empty"):
        read_logs([path])
