"""Rows come one at a time with their lines; a broken one is a reject and the rest is read."""

from __future__ import annotations

import gzip
import json
import math
from typing import TYPE_CHECKING, Any

import pytest

from counterbalance.errors import InputError
from counterbalance.importers import rows
from counterbalance.importers.judgment import Reject
from counterbalance.importers.log_file import log_files
from counterbalance.importers.rows import array_rows, json_lines, json_object, lines, table_rows

if TYPE_CHECKING:
    from pathlib import Path

    from counterbalance.importers.log_file import LogFile


def written(path: Path, data: bytes, name: str = "log.jsonl") -> LogFile:
    (path / name).write_bytes(data)
    (file,) = log_files([path / name])
    return file


def test_jsonl_ends_lines_at_line_feeds_only(tmp_path: Path) -> None:
    text = "a\u2028b\u2029c\x85d\x0be🜁"
    data = json.dumps({"t": text}, ensure_ascii=False).encode()
    file = written(tmp_path, b"\xef\xbb\xbf" + data + b"\r\n\n \n" + data)
    assert list(json_lines(file)) == [(1, {"t": text}), (4, {"t": text})]


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (b'{"a": ', "the line is not JSON"),
        (b"[1]", "the row is no object"),
        (b"\xff\xfe{}", "the line is not JSON"),
        (b"3", "the row is no object"),
    ],
)
def test_a_broken_line_in_the_middle_is_a_reject(
    tmp_path: Path, broken: bytes, reason: str
) -> None:
    file = written(tmp_path, b'{"a":1}\n' + broken + b'\n{"a":2}\n')
    found = list(json_lines(file))
    assert [found[0][1], found[2]] == [{"a": 1}, (3, {"a": 2})]
    assert isinstance(found[1][1], Reject)
    assert (found[1][1].line, found[1][1].reason) == (2, reason)


def test_nan_infinities_and_lone_surrogates_are_read(tmp_path: Path) -> None:
    file = written(tmp_path, b'{"a": NaN, "b": Infinity}\n{"s": "\\ud800"}\n')
    (_, first), (_, second) = json_lines(file)
    assert isinstance(first, dict)
    assert math.isnan(first["a"])
    assert second == {"s": "\ud800"}


def test_a_line_far_too_long_is_a_reject_and_the_next_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "LONGEST_LINE", 100)
    file = written(tmp_path, b'{"a":"' + b"x" * 450 + b'"}\n{"a":1}\n')
    (_, first), second = json_lines(file)
    assert isinstance(first, Reject)
    assert second == (2, {"a": 1})


def test_utf16_is_refused(tmp_path: Path) -> None:
    file = written(tmp_path, "{}\n".encode("utf-16"))
    with pytest.raises(InputError, match="is UTF-16; save it as UTF-8"):
        list(json_lines(file))


@pytest.mark.parametrize("largest", [10, 10_000_000])
def test_an_array_is_read_the_same_whole_and_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, largest: int
) -> None:
    monkeypatch.setattr(rows, "_LARGEST_WHOLE", largest)
    values: list[Any] = [{"a": 1.5, "b": [None, "é🜁"]}, {"a": 2}, []]
    file = written(tmp_path, json.dumps(values).encode(), "x.json")
    assert list(array_rows(file)) == list(enumerate(values, 1))


@pytest.mark.parametrize("largest", [10, 10_000_000])
def test_a_cut_array_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, largest: int) -> None:
    monkeypatch.setattr(rows, "_LARGEST_WHOLE", largest)
    file = written(tmp_path, b'[{"a": 1}, {"a": 2}, {"a', "x.json")
    with pytest.raises(InputError, match="is not"):
        list(array_rows(file))


def test_one_object_is_read_whole(tmp_path: Path) -> None:
    assert json_object(written(tmp_path, b'\xef\xbb\xbf{"a": [1]}', "x.json")) == {"a": [1]}
    with pytest.raises(InputError, match="is not JSON"):
        json_object(written(tmp_path, b"{", "y.json"))


def test_a_table_has_cells_with_line_breaks_and_any_usual_separator(tmp_path: Path) -> None:
    tabs = written(tmp_path, '"a"\t"b"\n"x\u2028\ny"\t"2"\n'.encode(), "x.tsv")
    assert list(table_rows(tabs)) == [(3, {"a": "x\u2028\ny", "b": "2"})]
    semicolons = written(tmp_path, b"a;b\r\n1;2\r\n", "y.csv")
    assert list(table_rows(semicolons)) == [(2, {"a": "1", "b": "2"})]


def test_a_packed_table_is_read_although_gzip_cannot_go_back(tmp_path: Path) -> None:
    file = written(tmp_path, gzip.compress(b"a\tb\n1\t2\n"), "x.tsv.gz")
    assert list(table_rows(file)) == [(2, {"a": "1", "b": "2"})]


def test_a_row_with_another_number_of_cells_is_a_reject(tmp_path: Path) -> None:
    file = written(tmp_path, b"a,b\n1,2,3\n4,5\n\n", "x.csv")
    (_, first), second = table_rows(file)
    assert isinstance(first, Reject)
    assert first.found == "3 cells, the header has 2"
    assert second == (3, {"a": "4", "b": "5"})


def test_plain_lines_keep_their_numbers(tmp_path: Path) -> None:
    file = written(tmp_path, b"A\nB\xff\nC", "x.txt")
    found = list(lines(file))
    assert [found[0], found[2]] == [(1, "A"), (3, "C")]
    assert isinstance(found[1][1], Reject)
