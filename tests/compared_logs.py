"""Logs in which the effect of length, style and difficulty is planted, so that it can be sought."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["annotation", "battle_rows", "planted_annotations", "written"]


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write rows as one JSON array."""
    path.write_text(json.dumps(rows, ensure_ascii=False), "utf-8")
    return path


def annotation(
    item: object, system: str, own: str, baseline: str, preference: float | None
) -> dict[str, Any]:
    """Return one row as AlpacaEval writes it: 2 prefers the system, 1 the baseline."""
    return {
        "instruction": f"Question {item}?",
        "output_1": baseline,
        "output_2": own,
        "generator_1": "base",
        "generator_2": system,
        "dataset": "made",
        "annotator": "judge",
        "preference": preference,
    }


def planted_annotations(
    n_items: int,
    strengths: dict[str, float],
    *,
    effect: float = 1.0,
    by_ease: float = 40.0,
    seed: int = 1,
) -> tuple[list[dict[str, Any]], dict[str, float]]:
    """Return rows, and each system's true rate at equal lengths.

    Easier items get longer answers by `by_ease`, so that length alone takes ease for length.
    """
    generator = np.random.default_rng(seed)
    ease = generator.normal(0, 1.5, n_items)
    rows, truth = [], {}
    for system, strength in strengths.items():
        difference = generator.normal(60 * strength, 60, n_items) + by_ease * ease
        lengths = np.maximum(np.rint(200 + difference), 2).astype(int)
        pressed = np.tanh((lengths - 200) / (lengths - 200).std(ddof=1))
        chances = 1 / (1 + np.exp(-(strength + effect * pressed + ease)))
        truth[system] = float((1 / (1 + np.exp(-(strength + ease)))).mean())
        prefers = generator.random(n_items) < chances
        rows += [
            annotation(item, system, "x" * int(n), "y" * 200, 2.0 if wins else 1.0)
            for item, (n, wins) in enumerate(zip(lengths, prefers, strict=True))
        ]
    return rows, truth


def battle_rows(
    n: int, strengths: dict[str, float], *, effect: float = 0.0, seed: int = 2
) -> list[dict[str, Any]]:
    """Return votes on answers of which `effect` favours the one with more bold.

    The second system likes bold, so that it wins more often than it would.
    """
    generator = np.random.default_rng(seed)
    names = list(strengths)
    rows = []
    for number in range(n):
        one, other = generator.choice(len(names), 2, replace=False)
        bold = [int(generator.integers(0, 3)) + 3 * (i == 1) for i in (one, other)]
        edge = strengths[names[one]] - strengths[names[other]]
        texts = ["**bold** word " * k + "word " * 30 for k in bold]
        dense = [1000 * k / len(text) for k, text in zip(bold, texts, strict=True)]
        edge += effect * (dense[0] - dense[1]) / (dense[0] + dense[1] + 1)
        wins = generator.random() < 1 / (1 + np.exp(-edge))
        rows.append(
            {
                "question_id": f"q{number}",
                "model_a": names[one],
                "model_b": names[other],
                "winner": "model_a" if wins else "model_b",
                "conversation_a": [
                    {"role": "user", "content": "**Q**"},
                    {"role": "assistant", "content": texts[0]},
                ],
                "conversation_b": [
                    {"role": "user", "content": "**Q**"},
                    {"role": "assistant", "content": texts[1]},
                ],
                "anony": True,
                "language": "English",
            }
        )
    return rows
