"""Sentences that follow from the protocol: what is judged, and how to write the verdict."""

from __future__ import annotations

from counterbalance.items.frames import Slot
from counterbalance.protocol.labelling import Labelling
from counterbalance.protocol.protocol import Question
from counterbalance.protocol.verdict_format import VerdictFormat

__all__ = ["offered_labels", "question_words", "verdict_words"]

_QUESTION = {
    "factual_acceptability": "Which answer is factually acceptable, given the source?",
    "quality_among_acceptable": "Both answers are acceptable in fact. Which one is better written?",
    "overall_preference": "Which answer is better?",
}
_LENGTH = {
    "detail": " More detail is wanted.",
    "brevity": " A short answer is wanted.",
    "indifferent": "",
}


def question_words(question: Question) -> str:
    """Return the question that the judge is asked."""
    return _QUESTION[question.kind] + _LENGTH[question.length]


def offered_labels(verdict: VerdictFormat, labelling: Labelling) -> tuple[str, ...]:
    """Return every label that may be the verdict, the slots first."""
    slots = (labelling.label(Slot.FIRST), labelling.label(Slot.SECOND))
    others = (verdict.tie, verdict.neither, verdict.insufficient)
    return (*slots, *(label for label in others if label is not None))


def verdict_words(verdict: VerdictFormat, labelling: Labelling, nonce: str = "") -> str:
    """Return the instruction that says how the verdict must be written.

    Parameters
    ----------
    verdict : VerdictFormat
        The declared format.
    labelling : Labelling
        What the slots are called.
    nonce : str
        Secret attribute of the verdict tag; empty for none.

    Returns
    -------
    str
        One or two sentences.
    """
    meanings = [
        f"{_written(label, verdict, nonce)} if answer {label} is better"
        for label in (labelling.first, labelling.second)
    ]
    for label, meaning in (
        (verdict.tie, "they are equally good"),
        (verdict.neither, "neither is acceptable"),
        (verdict.insufficient, "the evidence is not sufficient to tell"),
    ):
        if label is not None:
            meanings.append(f"{_written(label, verdict, nonce)} if {meaning}")
    listed = ", ".join(meanings[:-1]) + f" or {meanings[-1]}"
    if verdict.format in {"choice", "number", "logprob"}:
        return f"Reply with nothing but {listed}."
    return f"End your reply with {listed}."


def _written(label: str, verdict: VerdictFormat, nonce: str) -> str:
    match verdict.format:
        case "bracket":
            return f"[[{label}]]"
        case "bracket5":
            return f"[[{label}]]"
        case "json":
            return f'{{"{verdict.key}": "{label}"}}'
        case "tag":
            attribute = f' nonce="{nonce}"' if nonce else ""
            return f"<{verdict.tag}{attribute}>{label}</{verdict.tag}>"
        case "result":
            return f"[RESULT] {label}"
        case "boxed":
            return f"\\boxed{{{label}}}"
        case "choice" | "number" | "logprob" | "regex":
            return label
