"""Whatever stands in a row becomes judgments, ratings or rejects, and is never an error."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterbalance.importers.judgment import Judgment, Rating, Reject
from counterbalance.importers.log_file import log_files
from counterbalance.importers.log_format import Container, LogFormat, Notes, Shape
from counterbalance.importers.registry import FORMATS
from counterbalance.parsing.outcome import Outcome
from foreign_logs import rows_by

JSON_ROWS = [
    (known, shape)
    for known in FORMATS
    if known.read is not None or known.read_together is not None
    for shape in known.shapes
    if shape.container in {Container.JSON_LINES, Container.JSON_ARRAY}
]
INNER = st.sampled_from(
    ["judgment", "decision", "score", "scores", "answer", "prompt", "content", "response",
     "judge_model", "model_name", "conv_id", "winner", "completion", "swap = False", "swap = True",
     "score_1", "logprobs", "top_logprobs", "token", "ordered_models", "model", "rank", "text"]
)  # fmt: skip
WORDS = st.sampled_from(["A>B", "model_1", "model_a", "tie", "error", "leftvote", "$ERROR$", "1"])
NUMBERS = st.integers(-2, 9) | st.just(10**400) | st.floats()
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | WORDS | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(INNER, inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize(
    ("known", "shape"), JSON_ROWS, ids=[known.name for known, _ in JSON_ROWS]
)  # fmt: skip
@settings(max_examples=30, deadline=None)
@given(st.data())
def test_no_row_is_an_error(known: LogFormat, shape: Shape, data: st.DataObject) -> None:
    keys = sorted(shape.keys)
    rows = data.draw(st.lists(st.fixed_dictionaries(dict.fromkeys(keys, VALUES)), max_size=4))
    is_array = shape.container is Container.JSON_ARRAY
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.jsonl"
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        path.write_text(json.dumps(rows) if is_array else lines, "utf-8")
        found = rows_by(known, log_files([path]), Notes())
    assert {row.line for row in found} == set(range(1, len(rows) + 1))
    for row in found:
        assert isinstance(row, (Judgment, Rating, Reject))
        if isinstance(row, Judgment):
            assert isinstance(row.outcome, Outcome)
            assert row.a != row.b or known.name == "alpaca-eval"  # its baseline against itself
