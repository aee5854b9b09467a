"""Sentences that follow from the protocol: what is judged, and how to write the verdict."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from counterbalance.items.frames import Slot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.protocol.labelling import Labelling
    from counterbalance.protocol.sections import Question
    from counterbalance.protocol.verdict_format import VerdictFormat

__all__ = ["offered_labels", "question_words", "verdict_choices", "verdict_words"]

_QUESTION = {
    "factual_acceptability": "Which answer is more acceptable in its facts? Style does not count.",
    "quality_among_acceptable": "Both answers are acceptable in fact. Which one is better written?",
    "overall_preference": "Which answer is better?",
}
_LENGTH = {
    "detail": " More detail is wanted.",
    "brevity": " A short answer is wanted.",
    "indifferent": "",
}
_TIE = "they are equally good"
_NEITHER = "neither is acceptable"
_INSUFFICIENT = "the evidence is not sufficient to tell"


def question_words(question: Question) -> str:
    """Return the question that the judge is asked."""
    return _QUESTION[question.kind] + _LENGTH[question.length]


def offered_labels(verdict: VerdictFormat, labelling: Labelling) -> tuple[str, ...]:
    """Return every label that may be the verdict, the slots first."""
    slots = (labelling.label(Slot.FIRST), labelling.label(Slot.SECOND))
    others = (verdict.tie, verdict.neither, verdict.insufficient)
    return (*slots, *(label for label in others if label is not None))


def verdict_choices(
    verdict: VerdictFormat, labelling: Labelling, nonce: str = ""
) -> tuple[tuple[str, str], ...]:
    """Return every verdict that may be given, as it must be written, with what it means.

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
    tuple[tuple[str, str], ...]
        The slots' verdicts by label, whichever slot has it, so that the instruction is the same
        under exchanged labels; then those that no slot has. The five-step scale in its own order.

    Examples
    --------
    >>> from counterbalance.protocol.labelling import Labelling
    >>> from counterbalance.protocol.verdict_format import VerdictFormat
    >>> verdict_choices(VerdictFormat(format="bracket"), Labelling(first="A", second="B"))
    (('[[A]]', 'answer A is better'), ('[[B]]', 'answer B is better'))
    """
    is_scale = verdict.format == "bracket5"
    choices = _scale(verdict, labelling) if is_scale else _plain(verdict, labelling)
    rest = ((verdict.neither, _NEITHER), (verdict.insufficient, _INSUFFICIENT))
    choices += [(label, meaning) for label, meaning in rest if label is not None]
    return tuple((_written(label, verdict, nonce), meaning) for label, meaning in choices)


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
        One sentence, or two where the format has further fields.
    """
    listed = [f"{text} if {x}" for text, x in verdict_choices(verdict, labelling, nonce)]
    if verdict.format in {"choice", "number", "logprob"}:
        slots, rest = _named(labelling), listed[2:]
        return f"Reply with the label only: {_joined([*slots, *rest])}."
    choices = _joined(listed)
    further = _field_words(verdict, labelling) + _score_words(verdict, labelling)
    return f"End your reply with {choices}.{further}{_quote_words(verdict)}"


def _plain(verdict: VerdictFormat, labelling: Labelling) -> list[tuple[str, str]]:
    slots = [(x, f"answer {x} is better") for x in _named(labelling)]
    return slots if verdict.tie is None else [*slots, (verdict.tie, _TIE)]


def _scale(verdict: VerdictFormat, labelling: Labelling) -> list[tuple[str, str]]:
    one, other = _named(labelling)
    steps = [
        (f"{one}>>{other}", f"answer {one} is much better"),
        (f"{one}>{other}", f"answer {one} is slightly better"),
        (f"{other}>{one}", f"answer {other} is slightly better"),
        (f"{other}>>{one}", f"answer {other} is much better"),
    ]
    if verdict.tie is not None:
        steps.insert(2, (f"{one}={other}", _TIE))
    return steps


def _written(label: str, verdict: VerdictFormat, nonce: str) -> str:
    attribute = f' nonce="{nonce}"' if nonce else ""
    forms = {
        "bracket": f"[[{label}]]",
        "bracket5": f"[[{label}]]",
        "json": json.dumps({verdict.key: label}, ensure_ascii=False),
        "tag": f"<{verdict.tag}{attribute}>{label}</{verdict.tag}>",
        "result": f"[RESULT] {label}",
        "boxed": f"\\boxed{{{label}}}",
        "regex": verdict.form.replace("{{label}}", label),
    }
    return forms.get(verdict.format, label)


def _field_words(verdict: VerdictFormat, labelling: Labelling) -> str:
    """Ask for the declared fields; each names the answers that break a requirement."""
    if not verdict.fields:
        return ""
    names = _joined([json.dumps(name) for name in verdict.fields], "and")
    values = _joined([json.dumps(x, ensure_ascii=False) for x in _field_values(labelling)])
    return (
        f" In the same object, behind it, write for {names} which answers break the requirement of"
        f" that name: {values}."
    )


def _score_words(verdict: VerdictFormat, labelling: Labelling) -> str:
    if verdict.scores is None:
        return ""
    example = json.dumps(dict.fromkeys(_named(labelling), 5), ensure_ascii=False)
    return (
        f" In the same object, write for {json.dumps(verdict.scores)} the score of each answer as a"
        f" number, in the form {example}."
    )


def _quote_words(verdict: VerdictFormat) -> str:
    if verdict.quote is None:
        return ""
    return (
        f" In the same object, write for {json.dumps(verdict.quote)} the words of the source that"
        " your decision rests on, copied exactly; leave it empty where the source says nothing."
    )


def _field_values(labelling: Labelling) -> tuple[str, ...]:
    return (*_named(labelling), "both", "none")


def _named(labelling: Labelling) -> list[str]:
    """Name the slots' labels in one fixed order: the order of mention must not follow the slots."""
    # Else a judge that likes what is mentioned first would look like one that likes the first slot
    # (docs/decisions/0001).
    return sorted((labelling.first, labelling.second))


def _joined(parts: Sequence[str], word: str = "or") -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {word} {parts[-1]}"
