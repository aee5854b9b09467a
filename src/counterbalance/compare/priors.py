"""What others have advised, by name: shown only when asked for, never a finding of one's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["PRIORS", "Prior"]


@dataclass(frozen=True, slots=True)
class Prior:
    """Advice that was published elsewhere.

    Attributes
    ----------
    name : str
        What it is asked for by.
    source : str
        Who published it, on which judges and data.
    advice : tuple[tuple[str, str], ...]
        Situation and advice.
    remarks : tuple[str, ...]
        What a check of the publication found.
    """

    name: str
    source: str
    advice: tuple[tuple[str, str], ...]
    remarks: tuple[str, ...]


PRIORS: Mapping[str, Prior] = {
    "judging-the-judges": Prior(
        name="judging-the-judges",
        source=(
            "Judging the Judges, TMLR 2026 (OpenReview QF4lAmG4zc): Claude Sonnet 4, GPT-4o, Gemini"
            " 2.5 Pro and Flash and Llama 3.3 on 400 votes of MT-Bench and on LLMBar"
        ),
        advice=(
            ("adversarial, high-stakes or unsure", "S5 (reasons before the verdict)"),
            (
                "natural data",
                "S8 (swap, rubric, reasons), for Claude Sonnet 4, Gemini 2.5 Flash and Llama 3.3",
            ),
            ("tightest budget", "S1 (swap, a tie on disagreement)"),
        ),
        remarks=(
            "That S8 leaves fewer ties than S1, as it says, holds in its table for Claude only.",
            "Of its nine printed tests two are told from none after Holm over 20, not three.",
        ),
    )
}
"""By name."""
