"""JudgeBench ``outputs/...,judge_name=J,judge_model=K.jsonl``: a pair and one or two judgments.

The first judgment was made with ``response_A`` shown first, the second with ``response_B``; the
decision speaks of the slots, ``label`` (the reference) of the responses. Reward models score each
response alone; equal scores are written ``B>A`` in both orders, and that verdict is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from counterbalance.importers.exchange import settings_of
from counterbalance.importers.fields import found, identifier, number
from counterbalance.importers.five_levels import THREE_LEVELS, without_label
from counterbalance.importers.judgment import NOTHING, Judgment, Reject, rejected
from counterbalance.importers.log_format import Container, Holds, LogFormat, Shape
from counterbalance.importers.reading import Reading
from counterbalance.importers.rows import json_lines
from counterbalance.importers.sides import shown_pair
from counterbalance.importers.unread_reply import NO_REPLY
from counterbalance.items.frames import Verdict
from counterbalance.items.hashing import tagged_hash
from counterbalance.protocol.labelling import Labelling
from counterbalance.protocol.verdict_format import VerdictFormat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_file import LogFile
    from counterbalance.importers.log_format import Notes
    from counterbalance.parsing.outcome import Outcome

__all__ = ["FORMAT", "PAIRS"]

_RESPONSES = ("response_A", "response_B")
_PAIR_KEYS = frozenset({"pair_id", "source", "question", "label", *_RESPONSES})
_LABELS = {"A>B": (Verdict.A,), "B>A": (Verdict.B,), "A=B": (Verdict.TIE,)}
_MOST_GAMES = 2
_LETTERS = Labelling(first="A", second="B")
_NUMBERS = Labelling(first="1", second="2")
_READINGS = {
    "arena_hard": Reading(VerdictFormat(format="bracket5", tie="tie"), _LETTERS),
    "vanilla": Reading(
        VerdictFormat(format="choice"), Labelling(first="Output (a)", second="Output (b)")
    ),
    "auto_j": Reading(
        VerdictFormat(
            format="regex",
            pattern=r"(?i)final decision is (?P<label>response 1|response 2|tie)",
            tie="tie",
        ),
        Labelling(first="Response 1", second="Response 2"),
    ),
    "prometheus_2": Reading(VerdictFormat(format="result"), _LETTERS),
    "skywork_critic": Reading(VerdictFormat(format="bracket"), _LETTERS),
    "panda_lm": Reading(
        VerdictFormat(format="regex", pattern=r"(?im)\A\s*(?P<label>1|2|tie)\s*$", tie="tie"),
        _NUMBERS,
    ),
}
"""How each prompt style asked for its verdict; ``judge_lm`` and reward models gave scores."""

_TIE_BY_DEFAULT = frozenset({"panda_lm", "judge_lm"})
_DEFAULTED = (
    "JudgeBench: replies of panda_lm and judge_lm that could not be read were written as A=B, and"
    " cannot be told from ties by the decision alone."
)
_NOT_COMPARED = (
    "JudgeBench: some prompts could not be compared between the two games, so it is not known"
    " whether only the order differed there."
)


@dataclass(slots=True)
class _Outputs:
    """What is known of a whole file, and how many of its pairs have equal scores."""

    judge: str
    strategy: str
    notes: Notes
    n_equal_scores: int = 0


def _read(file: LogFile, notes: Notes) -> Iterator[Row]:
    outputs = _outputs(file, notes)
    for line, row in json_lines(file):
        if isinstance(row, Reject):
            yield row
        else:
            yield from _games(line, row, outputs)
    if outputs.n_equal_scores:
        notes.add(
            f"JudgeBench: {outputs.judge} gave equal scores in {outputs.n_equal_scores} pairs. The"
            " source writes them as B>A in both orders: an order disagreement that the program made"
            " and not the judge."
        )


def _outputs(file: LogFile, notes: Notes) -> _Outputs:
    """Return judge and prompt style by the file's name, the judge as its first row has it."""
    name = file.inside.rsplit("/", 1)[-1].removesuffix(".jsonl")
    named = dict(part.split("=", 1) for part in name.split(",") if "=" in part)
    strategy = named.get("judge_name", "")
    for _, row in json_lines(file):
        if isinstance(row, dict) and (judge := _judge(row)):
            return _Outputs(judge, strategy, notes)
    model = named.get("judge_model", "None")
    return _Outputs(strategy if model == "None" else model, strategy, notes)


def _judge(row: dict[str, Any]) -> str:
    """Return the judge's model by a row's own word; empty where no judgment has one."""
    judgments = row.get("judgments")
    for judgment in judgments if isinstance(judgments, list) else ():
        model = identifier(_call(judgment).get("judge_model"))
        if model and model != "None":
            return model
    return ""


def _games(line: int, row: dict[str, Any], outputs: _Outputs) -> Iterator[Row]:
    item, judgments = identifier(row.get("pair_id")), row.get("judgments")
    if item is None:
        yield Reject(line, "pair_id is no name or number", found(row.get("pair_id")))
        return
    if not isinstance(judgments, list) or not 1 <= len(judgments) <= _MOST_GAMES:
        yield Reject(line, "the row holds neither one judgment nor two", found(judgments))
        return
    strategy = identifier(row.get("judge_name")) or outputs.strategy
    if strategy in _TIE_BY_DEFAULT:
        outputs.notes.add(_DEFAULTED)
    calls = [_call(judgment) for judgment in judgments]
    margins = [_margin(call) for call in calls]
    outputs.n_equal_scores += 0 in margins
    settings = _settings(row, calls, outputs.notes)
    judge = _judge(row) or outputs.judge
    system = identifier(row.get("response_model")) or ""
    cluster, reference = _cluster(row) or item, _reference(row)
    category = identifier(row.get("source")) or ""
    answers = partial(_answers, row)
    for index, judgment in enumerate(judgments):
        reply = _text(calls[index], "response")
        outcome = _outcome(judgment, reply)
        a, b, order = shown_pair(*(_RESPONSES if index == 0 else _RESPONSES[::-1]))
        call = Judgment(
            line=line,
            item=item,
            a=a,
            b=b,
            order=order,
            outcome=NOTHING if isinstance(outcome, str) else outcome,
            judge=judge,
            strategy=strategy,
            subset=system,
            cluster=cluster,
            category=category,
            system_a=system,
            system_b=system,
            reference=reference,
            setting=settings[index],
            margin=margins[index],
            reply=reply or "",
            prompt=_text(calls[index], "prompt") or "",
            reading=_READINGS.get(strategy),
            texts=answers,
        )
        yield rejected(call, outcome, found(judgment)) if isinstance(outcome, str) else call


def _answers(row: dict[str, Any]) -> tuple[str, str] | None:
    """Return the responses; ``response_A`` is candidate a."""
    a, b = (_text(row, key) for key in _RESPONSES)
    return None if a is None or b is None else (a, b)


def _call(judgment: object) -> dict[str, Any]:
    call = judgment.get("judgment") if isinstance(judgment, dict) else None
    return call if isinstance(call, dict) else {}


def _text(row: dict[str, Any], key: str) -> str | None:
    value = row.get(key)
    return value if isinstance(value, str) else None


def _outcome(judgment: object, reply: str | None) -> Outcome | str:
    """Return the outcome of a judgment, or what is wrong with it; null was a failed call."""
    if judgment is None:
        return NO_REPLY
    if not isinstance(judgment, dict) or "decision" not in judgment:
        return "the judgment has no decision"
    decision = judgment["decision"]
    if decision is None:
        return without_label(reply)
    known = THREE_LEVELS.get(decision) if isinstance(decision, str) else None
    return "the decision is none of A>B, B>A, A=B" if known is None else known


def _settings(row: dict[str, Any], calls: list[dict[str, Any]], notes: Notes) -> tuple[str, str]:
    if len(calls) < _MOST_GAMES or not all(calls):
        return "", ""
    prompts = _text(calls[0], "prompt") or "", _text(calls[1], "prompt") or ""
    answers = _text(row, "response_A") or "", _text(row, "response_B") or ""
    compared = settings_of(prompts, answers)
    if not compared[0] and "scores" not in calls[0]:
        notes.add(_NOT_COMPARED)
    if compared[0] != compared[1]:
        return compared
    models = [identifier(call.get("judge_model")) or "" for call in calls]
    return settings_of(("", ""), answers, (models[0], models[1]))


def _margin(call: dict[str, Any]) -> float | None:
    """Return the score of the response shown first minus that of the other."""
    scores = call.get("scores")
    if not isinstance(scores, list) or len(scores) != _MOST_GAMES:
        return None
    first, second = number(scores[0]), number(scores[1])
    return None if first is None or second is None else first - second


def _cluster(row: dict[str, Any]) -> str:
    """Return what pairs on the same question share; ``original_id`` is null for most of them."""
    question = _text(row, "question")
    return tagged_hash("question/1", question) if question else ""


def _reference(row: dict[str, Any]) -> tuple[Verdict, ...]:
    label = _text(row, "label")
    return _LABELS.get(label, ()) if label else ()


FORMAT = LogFormat(
    name="judgebench",
    title="JudgeBench judge outputs (outputs/...,judge_name=J,judge_model=K.jsonl)",
    shapes=(Shape(Container.JSON_LINES, _PAIR_KEYS | {"judgments"}),),
    read=_read,
    upstream={
        "accuracy": "a pair is right when more orders agree with the label than contradict it, so"
        " that one right order beside a tie or a failure is enough; ours are agreement_both and,"
        " with a missing verdict for a wrong one, agreement_both_all",
    },
)
PAIRS = LogFormat(
    name="judgebench-pairs",
    title="JudgeBench pairs with labels (data/*.jsonl)",
    shapes=(Shape(Container.JSON_LINES, _PAIR_KEYS),),
    holds=Holds.PAIRS,
    advice="A judge's verdicts on them are in outputs/. To have them judged, write them as a pair"
    " file (docs/reference/pair-files.md) with question, response_A and response_B.",
)
