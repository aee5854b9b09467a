"""Whatever stands in a log of a general program becomes judgments, ratings or rejects, no error."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbalance.errors import InputError
from counterbalance.importers.formats import (
    anthropic_batch,
    deepeval,
    inspect_log,
    mlflow_assessments,
    openai_batch,
    promptfoo,
)
from counterbalance.importers.judgment import Judgment, Rating, Reject
from counterbalance.importers.mapped_log import mapped_format
from counterbalance.importers.mapping_file import mapping_named, preset_names
from counterbalance.parsing.outcome import Outcome
from joined_logs import read_all

if TYPE_CHECKING:
    from counterbalance.importers.log_format import LogFormat

KEYS = st.sampled_from(
    ["name", "type", "value", "score", "reason", "assertion", "componentResults", "error",
     "code", "order", "pair_id", "a", "b", "metadata", "source", "source_id", "feedback",
     "model", "content", "message", "choices", "output", "text", "scores", "answer",
     "provider", "options", "id", "winner", "refused", "first_is_a", "repeat", "status_code",
     "body", "custom_id"]
)  # fmt: skip
WORDS = st.sampled_from(
    ["A", "tie", "C", "forward", "select-best", "x|forward|j|0|h", "pairwise", "succeeded",
     "Better [Arena GEval]", "attachment://k", "judgemetry/judged@1", "position", "1"]
)  # fmt: skip
NUMBERS = st.integers(-2, 500) | st.just(10**400) | st.floats()
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | WORDS | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


def rows_with(*keys: str) -> st.SearchStrategy[list[dict[str, Any]]]:
    row = st.dictionaries(st.sampled_from(keys), VALUES, max_size=len(keys))
    return st.lists(row, max_size=4)


def inside(*path: str) -> Any:
    def wrapped(rows: list[dict[str, Any]]) -> dict[str, Any]:
        value: Any = rows
        for key in reversed(path):
            value = {key: value}
        assert isinstance(value, dict)
        return value

    return wrapped


LINES = {
    "openai": (openai_batch.FORMAT, rows_with("custom_id", "response", "error", "body")),
    "anthropic": (anthropic_batch.FORMAT, rows_with("custom_id", "result", "params")),
    "promptfoo": (
        promptfoo.FORMAT,
        rows_with("testIdx", "promptIdx", "gradingResult", "provider", "testCase", "error"),
    ),
    "mlflow": (
        mlflow_assessments.FORMAT,
        rows_with("trace_id", "assessments", "info", "name", "feedback", "metadata", "source"),
    ),
    **{
        name: (
            mapped_format(mapping_named(name), name),
            rows_with("kind", "item_id", "meta", "verdict", "choice", "swapped", "schema", "record",
                      "forward", "backward", "judgment", "question_id", "response_a_model",
                      "response_b_model", "error", "sample_index"),
        )
        for name in preset_names()
    },
}  # fmt: skip
OBJECTS = {
    "promptfoo": (
        promptfoo.FORMAT,
        rows_with("testIdx", "promptIdx", "gradingResult").map(inside("results", "results")),
    ),
    "table": (promptfoo.FORMAT, rows_with("outputs").map(inside("results", "table", "body"))),
    "inspect": (
        inspect_log.FORMAT,
        rows_with("id", "epoch", "scores", "metadata", "output", "error").map(inside("samples")),
    ),
    "deepeval": (
        deepeval.FORMAT,
        rows_with("name", "order", "metricsData").map(inside("testCases")),
    ),
}


def check(known: LogFormat, text: str, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(text, "utf-8")
        try:
            log = read_all(path, known=known)
        except InputError:
            return
    for row in [*log.judgments, *log.ratings, *log.rejects]:
        assert isinstance(row, (Judgment, Rating, Reject))
        assert isinstance(row, (Rating, Reject)) or isinstance(row.outcome, Outcome)
        assert not isinstance(row, Judgment) or row.a != row.b


@pytest.mark.parametrize("name", LINES)
@given(st.data())
def test_no_line_is_an_error(name: str, data: st.DataObject) -> None:
    known, rows = LINES[name]
    drawn = data.draw(rows)
    check(known, "".join(json.dumps(row) + "\n" for row in drawn), "x.jsonl")


@pytest.mark.parametrize("name", OBJECTS)
@given(st.data())
def test_no_object_is_an_error(name: str, data: st.DataObject) -> None:
    known, value = OBJECTS[name]
    check(known, json.dumps(data.draw(value)), "x.json")
