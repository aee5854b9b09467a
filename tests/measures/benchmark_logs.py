"""Small logs of benchmarks, written from the verdicts that they are to hold."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from foreign_logs import jsonl

if TYPE_CHECKING:
    from pathlib import Path


def array(path: Path, rows: list[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def llmbar_log(path: Path, cells: list[tuple[Any, Any, int]], strategy: str = "Vanilla") -> Path:
    """Winners with output_1 and with output_2 shown first, and the label, of each row."""
    rows = [
        {
            "input": f"Question {n}?",
            "output_1": "one",
            "output_2": "two",
            "label": label,
            "results": [
                {
                    "swap = False": {"winner": forward, "completion": ["x", "stop"]},
                    "swap = True": {"winner": backward, "completion": ["x", "stop"]},
                }
            ],
        }
        for n, (forward, backward, label) in enumerate(cells)
    ]
    return array(path / "Odd" / "evaluators" / "GPT-4" / strategy / "result.json", rows)


def judgebench_log(path: Path, cells: list[tuple[Any, Any, str]]) -> Path:
    """Decisions as shown first and then exchanged, and the source; the label is A>B."""
    rows = [
        {
            "pair_id": f"p{n}",
            "source": source,
            "question": f"Question {n}?",
            "response_model": "gpt-4o",
            "response_A": "one",
            "response_B": "two",
            "label": "A>B",
            "judge_name": "arena_hard",
            "judgments": [
                {"judgment": {"judge_model": "m", "response": "r"}, "decision": decision}
                for decision in decisions
            ],
        }
        for n, (*decisions, source) in enumerate(cells)
    ]
    return jsonl(path / "dataset=judgebench,judge_name=arena_hard,judge_model=m.jsonl", rows)


def cache(path: Path, letters: dict[str, tuple[str, str]], repetition: int = 1) -> Path:
    """Letters of model against vicuna (model first) and of the other order, by question;model."""
    replies = {}
    for key, (forward, backward) in letters.items():
        question, model = key.split(";")
        for shown, letter in (
            (f"{question};{model};vicuna-13b-v1.3", forward),
            (f"{question};vicuna-13b-v1.3;{model}", backward),
        ):
            replies[shown] = f"[[{letter}]]" if letter in "ABC" else "no verdict"
    folder = path / f"Repetition{repetition}-MT_record0_judge_3"
    return array(folder / "tmp.json", replies)  # type: ignore[arg-type]


def annotation(n: int, preference: float | None, length: int = 3) -> dict[str, Any]:
    return {
        "instruction": f"Question {n}?",
        "output_1": "one",
        "generator_1": "baseline",
        "output_2": "x" * length,
        "generator_2": "model",
        "annotator": "judge",
        "preference": preference,
    }


def pair_row(question: int, one: str, two: str, first: str, second: str) -> dict[str, Any]:
    return {
        "question_id": question,
        "model_1": one,
        "model_2": two,
        "g1_winner": first,
        "g2_winner": second,
        "judge": ["gpt-4", "pair-v2" if question % 2 else "pair-math-v1"],
        "turn": 1,
    }


def arena_hard_log(path: Path, cells: list[tuple[Any, Any]]) -> Path:
    """Labels of the game that shows the baseline first, and of the other."""
    rows = [
        {
            "question_id": f"q{n}",
            "model": "m",
            "judge": "j",
            "games": [{"score": score, "judgment": f"[[{score}]]"} for score in scores],
        }
        for n, scores in enumerate(cells)
    ]
    return jsonl(path / "model_judgment" / "j" / "m.jsonl", rows)


Scores = tuple[float, float]


def faireval_log(path: Path, cells: list[tuple[Scores, Scores]]) -> Path:
    """Scores of (first shown, second shown) in either order; the answers are zeta, then alpha."""

    def reply(first: float, second: float) -> str:
        return f"x\nScore of the Assistant 1: {first}\nScore of the Assistant 2: {second}"

    rows = [
        {
            "question_id": n,
            "review": [reply(*forward)],
            "review_bpc": [reply(*backward)],
            "score": [(forward[0] + backward[1]) / 2, (forward[1] + backward[0]) / 2],
        }
        for n, (forward, backward) in enumerate(cells)
    ]
    return jsonl(path / "review_zeta_alpha_gpt-4_mec1_bpc1.json", rows)


def vote(judge: Any, winner: str, turn: int = 1) -> dict[str, Any]:
    models = {"model_a": "phi", "model_b": "alpaca"}
    return {"question_id": 81, **models, "winner": winner, "judge": judge, "turn": turn}
