"""Whatever stands in a log of a general program becomes judgments, ratings or rejects, no error.

Good rows are drawn, and any part of one is replaced by anything else.
"""

from __future__ import annotations

import copy
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
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
from importers.formats import (
    test_anthropic_batch,
    test_deepeval,
    test_inspect_log,
    test_mlflow_assessments,
    test_openai_batch,
    test_promptfoo,
)
from importers.test_mapping import PEERS
from joined_logs import read_all

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.importers.log_format import LogFormat

NAME = test_openai_batch.ours("p", "forward")
LINES: dict[str, tuple[LogFormat, list[Any]]] = {
    "openai": (
        openai_batch.FORMAT,
        [
            test_openai_batch.request(NAME, "x", "y"),
            test_openai_batch.answer(NAME, "[[A]]"),
            test_openai_batch.failure(NAME, 429, {"message": "m", "code": "c"}),
        ],
    ),
    "anthropic": (
        anthropic_batch.FORMAT,
        [
            test_anthropic_batch.request(NAME, "x", "y"),
            test_anthropic_batch.succeeded(NAME, "[[A]]"),
            test_anthropic_batch.ended(NAME, "errored", {"type": "error", "error": {"type": "x"}}),
        ],
    ),
    "promptfoo": (promptfoo.FORMAT, test_promptfoo.PAIRS),
    "mlflow": (mlflow_assessments.FORMAT, test_mlflow_assessments.TRACES),
    **{name: (mapped_format(mapping_named(name), name), PEERS[name]) for name in preset_names()},
}
OBJECTS: dict[str, tuple[LogFormat, Any]] = {
    "promptfoo": (promptfoo.FORMAT, {"results": {"results": test_promptfoo.PAIRS}}),
    "inspect": (inspect_log.FORMAT, test_inspect_log.HEAD | {"samples": test_inspect_log.PAIRS}),
    "deepeval": (
        deepeval.FORMAT,
        {
            "identifier": "m",
            "metricsScores": [],
            "testCases": [
                test_deepeval.case("c", test_deepeval.metric(), test_deepeval.arena(1)),
            ],
        },
    ),
}
ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 500), st.just(10**400), st.floats(),
    st.text(max_size=4), st.just([]), st.just({}), st.just(["A"]), st.just({"A": ["A"]}),
    st.just([[1]]), st.just("A"), st.just("forward"),
)  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in inner:
        yield (*path, key)
        if isinstance(part, (dict, list)):
            yield from places(part, (*path, key))


def broken(draw: Any, value: Any) -> Any:
    """Replace up to three parts of a value, or take one away."""
    changed = copy.deepcopy(value)
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from([*places(changed)] or [()]))
        if not path:
            return copy.deepcopy(draw(ANYTHING))
        inside = changed
        for key in path[:-1]:
            inside = inside[key]
        if draw(st.booleans()):
            inside[path[-1]] = copy.deepcopy(draw(ANYTHING))
        else:
            del inside[path[-1]]
    return changed


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
@settings(max_examples=150)
@given(st.data())
def test_no_line_is_an_error(name: str, data: st.DataObject) -> None:
    known, rows = LINES[name]
    drawn = broken(data.draw, rows)
    lines = drawn if isinstance(drawn, list) else [drawn]
    check(known, "".join(json.dumps(row) + "\n" for row in lines), "x.jsonl")


@pytest.mark.parametrize("name", OBJECTS)
@settings(max_examples=150)
@given(st.data())
def test_no_object_is_an_error(name: str, data: st.DataObject) -> None:
    known, value = OBJECTS[name]
    check(known, json.dumps(broken(data.draw, value)), "x.json")
