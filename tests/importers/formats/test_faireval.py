"""FairEval: k replies in each order must give the row's score; people's verdicts go by line."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from counterbalance.importers.formats import faireval
from counterbalance.importers.sides import shown_pair
from counterbalance.items.frames import Order
from foreign_logs import NASTY, format_of, jsonl, read, reasons, verdicts
from reference_data import expected, stored

if TYPE_CHECKING:
    from pathlib import Path

NAME = "review_zeta_alpha_gpt-4_mec3_bpc1.json"


def reply(first: float, second: float) -> str:
    scores = f"Score of the Assistant 1: {first}\nScore of the Assistant 2: {second}"
    return f"Evaluation evidence: {NASTY}\n{scores}"


def row(forward: list[Any], backward: list[Any], **changes: Any) -> dict[str, Any]:
    """Write a row from the scores of (first shown, second shown) in each reply."""
    pairs = [*forward, *((second, first) for first, second in backward)]
    means = [sum(pair[i] for pair in pairs) / len(pairs) for i in range(2)]
    return {
        "question_id": 1,
        "question": "Why?",
        "review": [reply(*pair) for pair in forward],
        "review_bpc": [reply(*pair) for pair in backward],
        "score": means,
        **changes,
    }


def test_replies_are_repetitions_in_two_orders(tmp_path: Path) -> None:
    rows = [
        row([(9, 7), (8, 8), (6, 7.5)], [(9, 7), (5, 5), (1, 2)]),
        row([(9, 7)] * 3, [(9, 7)] * 3, question_id=2),
    ]
    log = read(jsonl(tmp_path / NAME, rows))
    assert log.log_format.name == "faireval"
    six = log.judgments[:6]
    assert {(j.a, j.b, j.judge, j.strategy) for j in six} == {
        ("alpha", "zeta", "gpt-4", "mec3 bpc1")
    }
    assert [j.order for j in six] == [Order.REVERSED] * 3 + [Order.FORWARD] * 3
    assert [j.repetition for j in six] == [0, 1, 2, 0, 1, 2]
    assert [j.outcome.kind.value for j in six] == [
        "first", "tie", "second", "first", "tie", "second",
    ]  # fmt: skip
    assert verdicts(six) == ["b", "tie", "a", "a", "tie", "b"]
    assert [j.margin for j in six] == [2, 0, -1.5, 2, 0, -1]
    assert [j.item for j in log.judgments[::6]] == ["1", "2"]
    assert any("cannot be told whether the second order was ever shown" in n for n in log.notes)


def test_replies_that_the_program_dropped_are_unparsed(tmp_path: Path) -> None:
    log = read(jsonl(tmp_path / NAME, [row([(9, 7)], [(9, 7), (9, 7)])] * 2))
    six = log.judgments[:6]
    assert [j.outcome.kind.value for j in six] == [
        "first", "unparsed", "unparsed", "first", "first", "unparsed",
    ]  # fmt: skip
    assert [j.repetition for j in six] == [0, 1, 2, 0, 1, 2]


@pytest.mark.parametrize("name", ["out.json", "review_same_same_gpt-4_mec3_bpc1.json"])
def test_without_names_the_answers_have_numbers(tmp_path, name) -> None:
    log = read(jsonl(tmp_path / name, [row([(9, 7)], [])]))
    (judgment,) = log.judgments
    assert (judgment.a, judgment.b, judgment.judge) == ("answer 1", "answer 2", "judge not named")
    assert not any("second order" in note for note in log.notes)


def test_one_order_only_is_one_order(tmp_path: Path) -> None:
    name = NAME.replace("bpc1", "bpc0")
    log = read(jsonl(tmp_path / name, [row([(9, 7)] * 3, [])]))
    assert [j.order for j in log.judgments] == [Order.REVERSED] * 3


def test_the_score_must_follow_from_the_replies(tmp_path: Path, monkeypatch) -> None:
    good = row([(9, 7)] * 3, [(6, 8)] * 3)
    log = read(jsonl(tmp_path / NAME, [good, good | {"score": [9, 7]}]))
    assert reasons(log.rejects) == {"the score is not the mean over the replies": 1}
    swapped = {"review": good["review_bpc"], "review_bpc": good["review"]}
    log = read(jsonl(tmp_path / NAME, [good | swapped]))
    assert reasons(log.rejects) == {"the score is not the mean over the replies": 1}
    monkeypatch.setattr(faireval, "shown_pair", lambda *_: shown_pair("zeta", "alpha"))
    wrong = read(jsonl(tmp_path / NAME, [good]))
    assert verdicts(wrong.judgments) != ["b"] * 6  # what a map without the exchange would say


def test_every_row_is_accounted_for(tmp_path: Path) -> None:
    good = row([(9, 7)], [(6, 8)])
    rows = [
        good,
        "{",
        {"question_id": 1},
        good | {"question_id": None},
        good | {"review": "text"},
        good | {"review_bpc": [None]},
        good | {"review": ["no scores"]},
        good | {"review": ["Score: x\nScore: y"]},
        good | {"review": [], "review_bpc": []},
        good | {"score": None},
        good | {"score": ["9", 7]},
    ]
    log = read(jsonl(tmp_path / "out.json", rows))
    assert reasons(log.rejects) == {
        "the line is not JSON": 1,
        "the row lacks a key": 1,
        "question_id is no id, or a review no list of replies": 3,
        "a reply does not end in two lines with scores": 2,
        "the score is not the mean over the replies": 3,
    }
    assert len(log.judgments) == 2


def test_lines_of_people_are_known_by_their_words(tmp_path: Path) -> None:
    path = tmp_path / "review_gpt35_vicuna-13b_human.txt"
    path.write_bytes(b"\xef\xbb\xbfTIE\r\nCHATGPT\r\n\r\nVICUNA13B\r\nchatgpt\r\nVICUNA13B")
    log = read(path)
    assert log.log_format.name == "faireval-review"
    assert [j.item for j in log.judgments] == ["1", "2", "4", "6"]
    assert verdicts(log.judgments) == ["tie", "a", "b", "b"]
    assert {(j.a, j.b, j.order) for j in log.judgments} == {("CHATGPT", "VICUNA13B", None)}
    assert [(r.line, r.found) for r in log.rejects] == [(3, "''"), (5, "'chatgpt'")]
    path.write_bytes(b"TIE\n\xff\nTIE\n")
    assert reasons(read(path).rejects) == {"the line is not UTF-8": 1}


def test_other_files_of_the_benchmark_are_known(tmp_path: Path) -> None:
    question = {"question_id": 1, "text": "Why?", "category": "generic"}
    answer = {"answer_id": "x", "question_id": 1, "text": "So.", "metadata": {}}
    assert format_of(jsonl(tmp_path / "q.jsonl", [question] * 2)) == "faireval-questions"
    assert format_of(jsonl(tmp_path / "a.jsonl", [answer] * 2)) == "faireval-answers"
    path = tmp_path / "out.json"
    path.write_text(json.dumps(row([(9, 7)], [])), encoding="utf-8")
    assert format_of(path) == "faireval"


@pytest.mark.reference
def test_the_real_verdicts_of_people_have_the_expected_numbers() -> None:
    file = "review/review_gpt35_vicuna-13b_human.txt"
    log = read(stored("faireval", file))
    names = {"a": "CHATGPT", "b": "VICUNA13B", "tie": "TIE"}
    counts = Counter(names[won] for won in verdicts(log.judgments))
    assert counts == expected("faireval", file)["verdict_counts"]
    assert len(log.judgments) == 80
    assert log.rejects == []
