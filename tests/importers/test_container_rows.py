"""One table, saved in any of the usual ways, gives the same rows."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

from counterbalance.importers.container_rows import container_rows
from counterbalance.importers.judgment import Reject
from counterbalance.importers.log_file import log_files
from extras import require

if TYPE_CHECKING:
    from pathlib import Path

ROWS = [{"a": "x\u2028y", "b": "1"}, {"a": "🜁", "b": "2"}]


def content(name: str) -> bytes:
    kind = name.removesuffix(".gz").rsplit(".", 1)[-1]
    if kind == "parquet":
        require("frames")
        import io  # noqa: PLC0415

        import polars as pl  # noqa: PLC0415 (an extra)

        buffer = io.BytesIO()
        pl.DataFrame(ROWS).write_parquet(buffer)
        return buffer.getvalue()
    texts = {
        "csv": "a,b\n" + "".join(f"{row['a']},{row['b']}\n" for row in ROWS),
        "json": json.dumps(ROWS, ensure_ascii=False),
        "jsonl": "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS),
    }
    return b"\xef\xbb\xbf" + texts[kind].encode()


@pytest.mark.parametrize(
    "name", ["t.csv", "t.json", "t.jsonl", "t.parquet", "t.jsonl.gz", "t.parquet.gz"]
)
def test_rows_are_the_same_in_every_container(tmp_path: Path, name: str) -> None:
    data = content(name)
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    (file,) = log_files([tmp_path / name])
    assert [row for _, row in container_rows(file, ("a", "b"))] == ROWS
    only_b = [row for _, row in container_rows(file, ("b",))]
    assert [row["b"] for row in only_b if not isinstance(row, Reject)] == ["1", "2"]


def test_elements_that_are_no_rows_are_rejects(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('[{"a": 1}, null, [2]]')
    (file,) = log_files([tmp_path / "t.json"])
    rows = dict(container_rows(file, ("a",)))
    assert rows[1] == {"a": 1}
    assert rows[2] == Reject(2, "the row is no object", "NoneType")
    assert rows[3] == Reject(3, "the row is no object", "list")
