"""Inspect logs, ``.eval`` archives and ``.json``: scores of single answers, or verdicts on pairs.

A sample whose metadata hold ``pair_id`` and ``order`` is one call on a pair, and its score is the
verdict in display order; any other score is a rating. A run that failed is read as far as it went.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic_core import from_json

from counterbalance.importers.fields import found, identifier, number
from counterbalance.importers.judgment import (
    NOTHING,
    Judgment,
    Rating,
    Reject,
    rejected,
    source_outcome,
)
from counterbalance.importers.log_format import Container, LogFormat, Shape
from counterbalance.importers.pair_metadata import PairFacts, accepted, pair_facts, slot_outcome
from counterbalance.importers.rows import json_object
from counterbalance.importers.zstd_archive import archive_members
from counterbalance.parsing.outcome import FailureKind, OutcomeKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_file import LogFile
    from counterbalance.importers.log_format import Notes
    from counterbalance.parsing.outcome import Outcome

__all__ = ["FORMAT"]

_ATTACHMENT = "attachment://"
_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0}
"""Inspect's own numbers for correct, partly correct and incorrect."""
_NO_ANSWER = "N"
_GRADE_WORDS = frozenset({*_GRADES, _NO_ANSWER})
_FAILED = source_outcome(OutcomeKind.FAILED, failure=FailureKind.LOST)
_UNPARSED = source_outcome(OutcomeKind.UNPARSED)
_NOT_COMPARED = (
    "Inspect: prompts are not compared between the orders of a pair; model and task are the same."
)


class _Run(NamedTuple):
    """What the head of a log tells."""

    task: str
    model: str
    scorers: tuple[str, ...]
    graders: dict[str, str]
    planned: int


def _read(file: LogFile, notes: Notes) -> Iterator[Row]:
    n_samples = 0
    run = _run({})
    samples = _archived(file) if _is_archive(file) else _in_object(file)
    for line, head, sample in samples:
        run = _run(head)
        if isinstance(sample, dict):
            n_samples += 1
            yield from _sample(line, run, sample, notes)
        else:
            yield Reject(line, "the sample is no object", found(sample))
    if n_samples < run.planned:
        notes.add(
            f"Inspect: the log of task {run.task} holds {n_samples} of {run.planned} planned"
            " samples: the run ended early, and the others were never judged."
        )


def _is_archive(file: LogFile) -> bool:
    with file.open() as stream:
        return stream.read(2) == b"PK"


def _archived(file: LogFile) -> Iterator[tuple[int, dict[str, Any], object]]:
    with archive_members(file) as (names, read):
        head = next((name for name in ("header.json", "_journal/start.json") if name in names), "")
        top = _json(read, head) if head else {}
        about = top if isinstance(top, dict) else {}
        stored = sorted(n for n in names if n.startswith("samples/") and n.endswith(".json"))
        if stored:
            for line, name in enumerate(stored, 1):
                yield line, about, _json(read, name)
            return
        summed = ["summaries.json"] if "summaries.json" in names else sorted(
            (n for n in names if n.startswith("_journal/summaries/")), key=_place
        )  # fmt: skip
        rows = (row for name in summed for row in _list(_json(read, name)))
        yield from ((line, about, row) for line, row in enumerate(rows, 1))


def _in_object(file: LogFile) -> Iterator[tuple[int, dict[str, Any], object]]:
    log = json_object(file)
    if isinstance(log, dict):
        for line, sample in enumerate(_list(log.get("samples")), 1):
            yield line, log, sample


def _json(read: Callable[[str], bytes], name: str) -> Any:  # noqa: ANN401 (any JSON value)
    """Return a member's value, bare NaN included; its name where it is broken."""
    try:
        return from_json(read(name), cache_strings="keys")
    except ValueError:
        return f"{name} is not JSON"


def _place(name: str) -> tuple[int, str]:
    number_part = name.rpartition("/")[2].removesuffix(".json")
    return (int(number_part) if number_part.isdecimal() else -1), name


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _run(head: dict[str, Any]) -> _Run:
    about = _dict(head.get("eval"))
    scorers = [_dict(scorer) for scorer in _list(about.get("scorers"))]
    role = _model(_dict(about.get("model_roles")).get("grader"))
    graders = {
        str(scorer.get("name")): _model(_dict(scorer.get("options")).get("model")) or role
        for scorer in scorers
    }
    n_samples, epochs = _dict(about.get("dataset")).get("samples"), _dict(about.get("config"))
    planned = (number(n_samples) or 0) * (number(epochs.get("epochs")) or 1)
    return _Run(
        task=identifier(about.get("task")) or "",
        model=identifier(about.get("model")) or "",
        scorers=tuple(graders),
        graders=graders,
        planned=int(planned),
    )


def _model(value: object) -> str:
    """Return the name of a model that is given by name or with its settings."""
    return identifier(value if not isinstance(value, dict) else value.get("model")) or ""


def _sample(line: int, run: _Run, sample: dict[str, Any], notes: Notes) -> Iterator[Row]:
    item = identifier(sample.get("id"))
    epoch = number(sample.get("epoch", 1))
    if item is None or epoch is None or epoch < 1:
        yield Reject(line, "the sample has no id or epoch", found(item, sample.get("epoch")))
        return
    scores = _dict(sample.get("scores"))
    if not scores:
        scores = dict.fromkeys(run.scorers) if sample.get("error") else {}
        if not scores:
            yield Reject(line, "the sample was not scored", found(item))
    metadata = _dict(sample.get("metadata"))
    for name, score in scores.items():
        about = metadata | _dict(_dict(score).get("metadata"))
        facts = pair_facts(line, about)
        if isinstance(facts, Reject):
            yield facts
        elif facts is None:
            yield from _ratings(line, run, item, name, score)
        else:
            notes.add(_NOT_COMPARED)
            yield _judgment(line, run, sample, facts, name, score, int(epoch) - 1)


def _ratings(line: int, run: _Run, item: str, name: str, score: object) -> Iterator[Row]:
    about = _dict(score)
    value = about.get("value")
    parts = value if isinstance(value, dict) else {"": value}
    for part, inner in parts.items():
        graded = _graded(inner)
        yield Rating(
            line=line,
            item=item,
            system=run.model,
            judge=run.graders.get(name) or name,
            value=graded,
            strategy=f"{name} {part}".strip(),
            subset=run.task,
            reason="" if graded is not None else _why(score, inner),
            reply=str(about.get("explanation") or ""),
        )


def _graded(value: object) -> float | None:
    if isinstance(value, bool):
        return float(value)
    return _GRADES.get(value) if isinstance(value, str) else number(value)


def _why(score: object, value: object) -> str:
    if score is None:
        return "the sample ended in an error"
    about = _dict(score)
    told = about.get("reason") or _dict(about.get("metadata")).get("unscored_reason")
    if isinstance(told, str):
        return told
    return "no answer" if value == _NO_ANSWER else "the score is no number"


def _judgment(
    line: int,
    run: _Run,
    sample: dict[str, Any],
    facts: PairFacts,
    name: str,
    score: object,
    repetition: int,
) -> Row:
    outcome = _outcome(line, score)
    reply, finish = _completion(sample)
    call = Judgment(
        line=line,
        item=facts.pair,
        a=facts.a,
        b=facts.b,
        order=facts.order,
        outcome=NOTHING if isinstance(outcome, Reject) else outcome,
        judge=run.model,
        strategy=name,
        subset=facts.subset or run.task,
        repetition=repetition,
        cluster=facts.cluster,
        category=facts.category,
        system_a=facts.a if facts.has_systems else "",
        system_b=facts.b if facts.has_systems else "",
        reference=accepted(sample.get("target"), facts.order),
        reply=reply,
        finish=finish,
        prompt=_text(sample.get("input"), sample),
    )
    return rejected(call, outcome.reason, outcome.found) if isinstance(outcome, Reject) else call


def _outcome(line: int, score: object) -> Outcome | Reject:
    """Return the verdict: the value, or the answer where the value grades it against a target."""
    if score is None:
        return _FAILED
    about = _dict(score)
    value, answer = about.get("value"), about.get("answer")
    is_grade = isinstance(value, str) and value in _GRADE_WORDS
    verdict = answer if is_grade else value
    outcome = slot_outcome(verdict)
    if outcome is not None:
        return outcome
    is_nothing = verdict is None or verdict == "" or (
        isinstance(verdict, float) and number(verdict) is None
    )  # fmt: skip
    if is_nothing:
        return _UNPARSED
    return Reject(line, "the score is no verdict in display order (A, B, tie ...)", found(verdict))


def _completion(sample: dict[str, Any]) -> tuple[str, str]:
    output = _dict(sample.get("output"))
    choices = [_dict(choice) for choice in _list(output.get("choices"))]
    finish = identifier(choices[0].get("stop_reason")) if choices else None
    text = output.get("completion")
    if text is None and choices:
        text = _dict(choices[0].get("message")).get("content")
    return _text(text, sample), finish or ""


def _text(value: object, sample: dict[str, Any]) -> str:
    """Return a text; one that is kept apart from where it is used is looked up."""
    if isinstance(value, list):
        return "\n".join(_text(_dict(part).get("content", part), sample) for part in value)
    if isinstance(value, dict):
        return _text(value.get("text"), sample)
    if not isinstance(value, str):
        return ""
    if value.startswith(_ATTACHMENT):
        kept = _dict(sample.get("attachments")).get(value.removeprefix(_ATTACHMENT))
        return kept if isinstance(kept, str) else ""
    return value


FORMAT = LogFormat(
    name="inspect",
    title="Inspect log (.eval or .json)",
    shapes=(
        Shape(Container.ARCHIVE, frozenset({".eval"})),
        Shape(Container.JSON_OBJECT, frozenset({"eval", "status", "version"})),
    ),
    read=_read,
    advice="Scores are ratings, unless metadata hold pair_id and order.",
)
