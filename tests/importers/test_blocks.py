"""Rows in blocks and rows one at a time: whatever a file holds, both tell the same."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbalance.errors import InputError
from counterbalance.importers import collecting, mapped_blocks, row_blocks, rows
from counterbalance.importers.collecting import Collector
from counterbalance.importers.container_rows import container_rows
from counterbalance.importers.judgment import Reject
from counterbalance.importers.judgment_block import JudgmentBlock
from counterbalance.importers.log_file import log_files
from counterbalance.importers.log_format import Notes
from counterbalance.importers.mapped_log import mapped_format
from counterbalance.importers.mapping_file import mapping_named, mapping_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.importers.collected import Collected
    from counterbalance.importers.mapping import Mapping

MAPS = {
    "plain": """
[columns]
item = "id"
first = "one"
second = "two"
verdict = "won"
repetition = "time"
cluster = "group"
consequence = "cost"
reference = "right"
[verdict]
first = ["A", 1]
second = ["B", true]
tie = ["C"]
[reference]
first = ["A"]
second = ["B"]
""",
    "nested": """
[rows]
where = { "in.kind" = ["x", 1] }
same = ["one", "in.model"]
[columns]
item = "id"
order = "in.order"
verdict = "won"
judge = "in.judge"
subset = "group"
margin = "cost"
reply = "right"
[fixed]
a = "p"
b = "q"
[order]
forward = [true, "f"]
reversed = [false, "r"]
[verdict]
a = ["A", 1]
b = ["B"]
unparsed = ["C"]
missing = "reject"
[reading]
labels = { first = "A", second = "B" }
verdict = { format = "bracket", tie = "C" }
[[flags]]
column = "time"
outcome = "failed"
""",
    "games": """
[columns]
item = "id"
a = "one"
b = "two"
[[games]]
order = "forward"
verdict = "won"
[[games]]
order = "reversed"
verdict = "right"
reply = "group"
[verdict]
first = ["A"]
second = ["B"]
tie = ["C"]
""",
}
NAMES = ("id", "one", "two", "won", "time", "group", "cost", "right", "in", "in.kind", "in.order")
VALUES = (
    *("A", "B", "C", " A ", "x", "m1", "m2", "", "é\u2028", "\udc80", "0", "2", "[[A]]"),
    *(0, 1, 2, -1, 1.0, 1.5, True, False, None, 10**400, float("nan"), float("inf")),
    *([], ["A"], {"kind": 1}, {}, 7_410_392_856, 7_410_392_856.0),
)
INSIDE = st.fixed_dictionaries(
    {"kind": st.sampled_from(["x", 1, True, "y"]), "order": st.sampled_from([True, False, "f", 0])},
    optional={"judge": st.sampled_from(["j", "k", 3]), "model": st.sampled_from(["g", None])},
)
USUAL = st.fixed_dictionaries(
    {
        "id": st.integers(0, 4) | st.sampled_from(["q", " q", "r"]),
        "one": st.sampled_from(["m1", "m2"]),
        "two": st.sampled_from(["m1", "m2", "m3"]),
        "won": st.sampled_from(["A", "B", "C"]),
        "in": INSIDE,
    },
    optional={
        "time": st.sampled_from([0, 1, "1", None]),
        "group": st.sampled_from(["g", "h", ""]),
        "cost": st.sampled_from([1, 2.5, "3", None]),
        "right": st.sampled_from(["A", "B", "[[A]]", None]),
    },
)
ODD = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(VALUES) | INSIDE)
LINES = st.one_of(
    USUAL.map(json.dumps),
    USUAL.map(json.dumps),
    st.tuples(USUAL, ODD).map(lambda both: json.dumps(both[0] | both[1])),
    ODD.map(json.dumps),
    st.sampled_from(
        [
            *("", " ", "\t\x0b", "{", "[1", "2]", "{}", "[]", "1", "null", '"x"', "{} {}", "x"),
            *('{"id": 1', '"won": "A"}', '{}, 7410392856, {}', "7410392856", '{"a": [', "]}"),
            *('{"id": 1, "id": 2, "won": "A"}', '{"id": "\\ud800"}', '{"id": 01}', '{"id": NaN}'),
        ]
    ),
)  # fmt: skip
ENDS = st.sampled_from(["\n", "\n", "\r\n", "\r\r\n", "\n\n"])
STARTS = st.sampled_from([b"", b"", b"\xef\xbb\xbf", b"\n", b" \n"])


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make blocks so small that a few rows are many blocks."""
    monkeypatch.setattr(row_blocks, "_BLOCK_BYTES", 300)
    monkeypatch.setattr(row_blocks, "_BLOCK_ROWS", 4)
    monkeypatch.setattr(mapped_blocks, "_MOST_KEPT", 6)
    monkeypatch.setattr(mapped_blocks, "_MOST_ODD", 2)
    monkeypatch.setattr(collecting, "_MOST_SHARED", 3)


def mapping(name: str) -> Mapping:
    return mapping_of(MAPS[name], name) if name in MAPS else mapping_named(name)


def both_roads(
    content: bytes, name: str, ending: str = "jsonl"
) -> tuple[list[Any], list[Any], set[type]]:
    """Return what was collected, noted or refused by either road, and what the quick one yields."""
    known = mapped_format(mapping(name), name)
    assert known.read is not None
    assert known.read_blocks is not None
    kinds: set[type] = set()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"log.{ending}"
        path.write_bytes(content)
        files = log_files([path])
        said: list[list[Any]] = []
        for read in (known.read, known.read_blocks):
            collector, notes = Collector(("judge", "strategy")), Notes()
            collector.begin_file()
            fault = ""
            try:
                for found in read(files[0], notes):
                    if isinstance(found, JudgmentBlock):
                        collector.take_block(0, found)
                    else:
                        collector.take(0, found)
                    if read is known.read_blocks:
                        kinds.add(type(found))
            except InputError as error:
                fault = str(error)
            said.append([*facts(collector.collected()), list(notes.sentences), fault])
    return said[0], said[1], kinds


def facts(found: Collected) -> Iterator[Any]:
    for name in ("groups", "names", "n_rows", "n_rejected", "rejects", "differences", "conflicts"):
        yield name, getattr(found, name)
    columns = found.columns
    arrays = [getattr(columns, each.name) for each in dataclasses.fields(columns)]
    rows_ = [each for each in arrays if isinstance(each, np.ndarray)]
    rows_ += [found.named, *found.lengths, np.nan_to_num(found.margins, nan=-1e300)]
    # Our own readings may stand beside each of the source's rows, or behind a block of them.
    yield sorted(zip(*(each.tolist() for each in rows_), strict=True))
    table = columns.pairs
    yield list(table.ids), table.system_pairs, table.categories
    for each in dataclasses.fields(table):
        value = getattr(table, each.name)
        if isinstance(value, np.ndarray):
            yield each.name, value.tolist()


@given(st.sampled_from(sorted(MAPS)), STARTS, st.lists(st.tuples(LINES, ENDS), max_size=14))
def test_both_roads_tell_the_same_of_any_jsonl(
    name: str, start: bytes, lines: list[tuple[str, str]]
) -> None:
    text = "".join(line + end for line, end in [("{}", "\n"), *lines])
    one, other, _ = both_roads(start + text.encode("utf-8", "surrogatepass"), name)
    assert one == other


CELLS = st.sampled_from(["A", "B", "C", "m1", "m2", "q", "1", "", " A", "x\ny", 'a"b', "é", "\xff"])
ROWS = st.lists(CELLS, min_size=8, max_size=8) | st.lists(CELLS, max_size=9)


@given(
    st.sampled_from(["plain", "games"]),
    st.lists(ROWS, max_size=14),
    st.sampled_from([",", "\t", ";"]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "", '"open', "\n\n", "A,B\n"]),
)
def test_both_roads_tell_the_same_of_any_table(
    name: str, cells: list[list[str]], mark: str, end: str, tail: str
) -> None:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=mark, lineterminator=end)
    writer.writerow(["id", "one", "two", "won", "time", "group", "cost", "right"])
    writer.writerows([[f"q{i % 3}", "m1", "m2", *row[3:]] for i, row in enumerate(cells)])
    content = (text.getvalue() + tail).encode("latin-1")
    one, other, _ = both_roads(content, name, "csv")
    assert one == other


@pytest.mark.parametrize("name", ["judgecal", "judgekit", "peereval"])
def test_presets_of_other_programs_are_read_in_blocks(name: str) -> None:
    known = mapped_format(mapping_named(name), name)
    assert known.read_blocks is not None


def test_plain_rows_come_in_blocks_and_odd_ones_alone() -> None:
    rows_ = [{"id": i, "one": "m1", "two": "m2", "won": "A"} for i in range(40)]
    rows_[21]["won"] = "?"
    content = "".join(json.dumps(row) + "\n" for row in rows_).encode()
    one, other, kinds = both_roads(content, "plain")
    assert one == other
    assert kinds == {JudgmentBlock, Reject}


def test_words_that_are_equal_as_numbers_stay_apart() -> None:
    words = [1, True, 1.0, True, 1, 1.0] * 3
    rows_ = [{"id": i, "one": "m1", "two": "m2", "won": w} for i, w in enumerate(words)]
    one, other, _ = both_roads("".join(json.dumps(row) + "\n" for row in rows_).encode(), "plain")
    assert one == other


def test_a_number_that_stands_between_lines_is_no_way_to_hide_a_line(tmp_path: Path) -> None:
    lines = ['{"id": [1', "2]}", "{}, 7410392856, {}", '{"id": 3}']
    path = tmp_path / "log.jsonl"
    path.write_text("{}\n" + "\n".join(lines) + "\n")
    (file,) = log_files([path])
    found = list(row_blocks.row_blocks(file, []))
    assert [each.line for each in found if isinstance(each, Reject)] == [2, 3, 4]
    single = [row for _, row in container_rows(file, [])]
    assert [each for each in single if isinstance(each, Reject)] == [
        each for each in found if isinstance(each, Reject)
    ]


def test_lines_that_are_too_long_are_rejects_on_both_roads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "LONGEST_LINE", 700)
    row = {"id": 1, "one": "m1", "two": "m2", "won": "A"}
    for n in (600, 699, 700, 701, 5000):
        lines = [json.dumps(row), json.dumps(row | {"x": "y" * n}), json.dumps(row | {"id": 2})]
        for end in ("", "\n"):
            one, other, _ = both_roads(("\n".join(lines) + end).encode(), "plain")
            assert one == other
        one, other, _ = both_roads("\n".join(lines[:2]).encode(), "plain")
        assert one == other


def test_the_search_for_cycles_goes_on_afterwards(tmp_path: Path) -> None:
    import gc  # noqa: PLC0415

    from counterbalance.importers.loading import read_logs  # noqa: PLC0415

    path = tmp_path / "log.jsonl"
    path.write_text('{"id": 1, "one": "a", "two": "b", "won": "A"}\n')
    read_logs([path], log_format=mapped_format(mapping("plain"), "plain"))
    assert gc.isenabled()
