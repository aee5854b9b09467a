"""Instructions of the built-in prompts, and how their verdicts are read."""

from __future__ import annotations

from typing import Any

__all__ = ["INSTRUCTIONS"]

_CRITERIA = (
    "correctness (what it states is true), relevance (it answers what was asked), completeness"
    " (nothing needed is missing), clarity (it is easy to follow) and safety (it does no harm)"
)
_SCORED = (
    f"Score each answer from 1 (poor) to 5 (excellent) on five criteria: {_CRITERIA}. Use the whole"
    " scale, and score one answer before the other without comparing lengths."
)
_APART = (
    "Then decide which answer serves better as a whole: the decision is a judgment of its own, not"
    " the sum of the scores."
)

INSTRUCTIONS: dict[str, dict[str, Any]] = {
    "rubric": {
        "instruction": (
            f'{_SCORED} {_APART} Reply with one JSON object that holds the scores under "scores"'
            " and the decision behind them."
        ),
        "verdict": {"format": "json"},
        "reply_tokens": 400,
    },
    "reasoning": {
        "instruction": (
            "First write down your reasons, step by step: what the question asks for, what each"
            " answer gets right or wrong, and which of these differences matters most. Only then"
            " decide."
        ),
        "reply_tokens": 512,
    },
    "reference": {
        "instruction": (
            "Compare each answer with the known good answer before you decide: what agrees with it,"
            " what contradicts it, what is missing. An answer may be worded otherwise and be right."
        ),
        "needs": ["reference_answer"],
    },
    "rubric_reasoning": {
        "instruction": (
            "First write down your reasons, step by step: what the question asks for and what each"
            f" answer gets right or wrong. {_SCORED} {_APART} End with one JSON object that holds"
            ' the scores under "scores" and the decision behind them.'
        ),
        "verdict": {"format": "json"},
        "reply_tokens": 900,
    },
    "scores": {
        "instruction": (
            "First write down the evidence for and against each answer. Then score each answer as a"
            " whole from 1 (poor) to 10 (excellent)."
        ),
        "verdict": {"format": "json", "scores": "scores"},
        "reply_tokens": 600,
    },
}
"""What each built-in prompt adds; where no verdict format stands, the protocol's own is read if it
lets words come before the verdict, else brackets."""
