"""promptfoo results, JSON (versions 2 and 3) or JSONL: select-best verdicts and graded outputs.

select-best asks one judge once for all outputs of a test; each output then holds its part of the
verdict. The outputs are not stored in the order in which the judge saw them. Where the judge
failed, promptfoo fails every output: that is no verdict, and no tie.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from counterbalance.importers.fields import found, identifier, number
from counterbalance.importers.judgment import Judgment, Rating, Reject, source_outcome
from counterbalance.importers.log_format import Container, LogFormat, Shape
from counterbalance.importers.rows import json_lines, json_object
from counterbalance.importers.sides import shown_pair, slot_of
from counterbalance.items.frames import Side
from counterbalance.parsing.outcome import FailureKind, OutcomeKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_file import LogFile
    from counterbalance.importers.log_format import Notes, Sample
    from counterbalance.parsing.outcome import Outcome

__all__ = ["FORMAT"]

_BEST = "select-best"
_GRADED = frozenset(
    {
        "llm-rubric", "agent-rubric", "search-rubric", "research-rubric", "g-eval", "factuality",
        "model-graded-factuality", "model-graded-closedqa", "answer-relevance", "context-recall",
        "context-relevance", "context-faithfulness", "conversation-relevance",
        "citation-faithfulness", "pi",
    }
)  # fmt: skip
"""Assertions that a judge decides on one output."""
_JUDGE_FAILED = (
    "No output", "Could not extract JSON", "llm-rubric produced malformed",
    "G-Eval did not return", "API error",
)  # fmt: skip
"""How the reason begins where the judge of one output gave nothing; the score is then 0."""
_DEFAULT_JUDGE = "promptfoo's default grader"
_NOT_IN_ORDER = (
    "promptfoo: results do not keep in which order the judge saw the outputs, so nothing can be"
    " said about order."
)
_PAIR = 2
_NO_TEST = "the result has no testIdx or promptIdx"


class _Output(NamedTuple):
    """One output of a test, with what judged it."""

    line: int
    test: str
    prompt: str
    provider: str
    judge: str
    parts: list[dict[str, Any]]


class _Part(NamedTuple):
    """One output's part of a shared verdict."""

    output: _Output
    passed: bool
    reason: str
    judge: str


def _read(file: LogFile, notes: Notes) -> Iterator[Row]:
    outputs: list[_Output] = []
    for row in _outputs(file):
        if isinstance(row, Reject):
            yield row
        else:
            outputs.append(row)
    named = _names(outputs)
    shared: defaultdict[tuple[str, str], list[_Part]] = defaultdict(list)
    for output in outputs:
        decided = list(_decided(output))
        if not decided:
            yield Reject(output.line, "no judge decided on the output", found(output.test))
        for kind, judge, part in decided:
            if kind != _BEST:
                yield _rating(output, named[output.prompt], part, kind, judge)
                continue
            key = output.test, f"{_BEST}: {_dict(part.get('assertion')).get('value')}"
            reason = str(part.get("reason") or "")
            shared[key].append(_Part(output, bool(part.get("pass")), reason, judge))
    for (test, strategy), parts in shared.items():
        notes.add(_NOT_IN_ORDER)
        yield _verdict(test, strategy, parts, named)


def _decided(output: _Output) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield type, judge and result of each assertion that a judge decided."""
    for part in output.parts:
        assertion = _dict(part.get("assertion"))
        kind = assertion.get("type")
        if isinstance(kind, str) and (kind == _BEST or kind in _GRADED):
            yield kind, _provider(assertion.get("provider")) or output.judge, part


def _outputs(file: LogFile) -> Iterator[_Output | Reject]:
    if file.inside.lower().endswith(".jsonl"):
        for line, row in json_lines(file):
            yield row if isinstance(row, Reject) else _output(line, row, "")
        return
    value = _dict(json_object(file))
    results = _dict(value.get("results"))
    judge = _judge_of(_dict(_dict(value.get("config")).get("defaultTest")))
    table = results.get("table")
    if isinstance(table, dict):
        yield from _of_table(table, judge)
        return
    for line, row in enumerate(_list(results.get("results")), 1):
        is_row = isinstance(row, dict)
        yield _output(line, row, judge) if is_row else Reject(line, _NO_TEST, found(row))


def _output(line: int, row: dict[str, Any], judge: str) -> _Output | Reject:
    test, prompt = identifier(row.get("testIdx")), identifier(row.get("promptIdx"))
    if test is None or prompt is None:
        return Reject(line, _NO_TEST, found(row.get("testIdx"), row.get("promptIdx")))
    if row.get("failureReason") == _PAIR or (row.get("error") and not row.get("gradingResult")):
        return Reject(
            line, "the system gave no output: nothing was judged", found(row.get("error"))
        )
    own = _judge_of(_dict(row.get("testCase"))) or judge
    grading = row.get("gradingResult")
    return _Output(line, test, prompt, _provider(row.get("provider")), own, _parts(grading))


def _of_table(table: dict[str, Any], judge: str) -> Iterator[_Output | Reject]:
    """Yield the outputs of version 2: rows are tests, columns are prompts with their provider."""
    heads = _list(_dict(table.get("head")).get("prompts"))
    line = 0
    for test, row in enumerate(_list(table.get("body"))):
        own = _judge_of(_dict(_dict(row).get("test"))) or judge
        for prompt, cell in enumerate(_list(_dict(row).get("outputs"))):
            line += 1
            head = _dict(heads[prompt]) if prompt < len(heads) else {}
            about = _dict(cell)
            provider = _provider(about.get("provider")) or _provider(head.get("provider"))
            parts = _parts(about.get("gradingResult"))
            yield _Output(line, str(test), str(prompt), provider, own, parts)


def _parts(grading: object) -> list[dict[str, Any]]:
    """Return every single decision, those inside sets of assertions included."""
    about = _dict(grading)
    inner = [part for part in _list(about.get("componentResults")) if isinstance(part, dict)]
    if not inner:
        return [about] if about.get("assertion") else []
    return [leaf for part in inner for leaf in (_parts(part) or [part])]


def _judge_of(test: dict[str, Any]) -> str:
    return _provider(_dict(test.get("options")).get("provider"))


def _provider(value: object) -> str:
    if isinstance(value, dict):
        text = value.get("text")
        return (
            identifier(value.get("label")) or identifier(value.get("id"))
            or ("" if text is None else _provider(text))
        )  # fmt: skip
    return identifier(value) or ""


def _names(outputs: list[_Output]) -> dict[str, str]:
    """Name each column of outputs: by its provider, with the prompt where that is not enough."""
    providers = {output.prompt: output.provider for output in outputs}
    seen = list(providers.values())
    return {
        prompt: provider if provider and seen.count(provider) == 1
        else f"{provider} prompt {prompt}".strip()
        for prompt, provider in providers.items()
    }  # fmt: skip


def _rating(output: _Output, system: str, part: dict[str, Any], kind: str, judge: str) -> Rating:
    reason = str(part.get("reason") or "")
    is_failed = reason.startswith(_JUDGE_FAILED)
    score = None if is_failed else number(part.get("score"))
    why = "the judge gave no score" if is_failed else "the score is no number"
    return Rating(
        line=output.line,
        item=f"test {output.test}",
        system=system,
        judge=judge or _DEFAULT_JUDGE,
        value=score,
        strategy=kind,
        reason="" if score is not None else why,
        reply=reason,
    )


def _verdict(test: str, strategy: str, parts: list[_Part], named: dict[str, str]) -> Row:
    line = parts[0].output.line
    systems = [named[part.output.prompt] for part in parts]
    if len(parts) != _PAIR or len(set(systems)) != _PAIR:
        reason = "the judge chose among other than two outputs, which is no pair"
        return Reject(line, reason, found(*systems))
    a, b, _ = shown_pair(*systems)
    outcome = _outcome(parts, [Side.A if system == a else Side.B for system in systems])
    if outcome is None:
        return Reject(line, "not exactly one output won", found(*[p.reason for p in parts]))
    return Judgment(
        line=line,
        item=f"test {test}",
        a=a,
        b=b,
        order=None,
        outcome=outcome,
        judge=parts[0].judge or _DEFAULT_JUDGE,
        strategy=strategy,
        system_a=a,
        system_b=b,
    )


def _outcome(parts: list[_Part], sides: list[Side]) -> Outcome | None:
    won = [side for part, side in zip(parts, sides, strict=True) if part.passed]
    if len(won) == 1:
        return source_outcome(slot_of(won[0], None))
    reasons = {part.reason for part in parts}
    if won or len(reasons) > 1:
        return None
    return _without_verdict(reasons.pop())


def _without_verdict(reason: str) -> Outcome | None:
    """Return the outcome of a judge that failed, for which every output was failed."""
    if reason.startswith("Invalid select-best verdict"):
        return source_outcome(OutcomeKind.UNPARSED)
    if reason.startswith("No output"):
        return source_outcome(OutcomeKind.EMPTY)
    if reason.startswith("Output not selected"):
        return None
    return source_outcome(OutcomeKind.FAILED, failure=FailureKind.LOST)


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _has_results(sample: Sample) -> bool:
    results = sample.first.get("results")
    return isinstance(results, dict) and ("results" in results or "table" in results)


FORMAT = LogFormat(
    name="promptfoo",
    title="promptfoo results",
    shapes=(
        Shape(Container.JSON_OBJECT, frozenset({"results"}), _has_results),
        Shape(Container.JSON_LINES, frozenset({"results"}), _has_results),
        Shape(Container.JSON_LINES, frozenset({"testIdx", "promptIdx"})),
    ),
    read=_read,
    advice="select-best verdicts on two outputs are pairs without an order; grades are ratings.",
)
