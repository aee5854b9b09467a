"""Records and exports that schema 1 has written, brought to the tables of today."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from commands import command
from counterbalance.record import migrating, open_record
from counterbalance.record.exports import SCHEMA, _to_json
from counterbalance.record.place import place_of
from counterbalance.record.schema import MIGRATIONS
from counterbalance.report.build import build_report
from counterbalance.report.evidence import read_evidence
from counterbalance.run.session import Confirm
from studies import row, run, write_study

STORES = Path(__file__).parents[1] / "golden" / "stores"
HELD_OUT = STORES / "v1_held_out.sqlite"
TABLES = (
    "texts", "revisions", "items", "candidates", "pairs", "presentations", "plan", "calls",
    "attempts",
)  # fmt: skip
ROWS = [row(n, cluster=f"c{n // 2}") for n in range(12)]
MORE = "[held_out]\nshare = 0.34\nseed = 11\n"


def rows_of(path: Path) -> dict[str, tuple[list[str], list[tuple]]]:
    """Every row of a golden store, by table, without this program's help."""
    found = {}
    with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as connection:
        for table in TABLES:
            cursor = connection.execute(f"SELECT * FROM {table} ORDER BY 1")  # noqa: S608
            found[table] = ([column[0] for column in cursor.description], list(cursor))
    return found


def content(place: object) -> tuple:
    with open_record(str(place), create=False, exclusive=False) as store, store.tables() as tables:
        rows = {given.table: [tuple(given.columns), *given.rows] for given in tables}
        said = (store.headers(), list(store.pairs()), list(store.plan()), list(store.attempts()),
                list(store.unfinished()), store.verify())  # fmt: skip
    return rows, said


def upgraded(tmp_path: Path, name: str) -> Path:
    path = Path(shutil.copy(STORES / name, tmp_path / name))
    with open_record(path, create=False, exclusive=True) as store:
        assert store.verify() == []
    return path


@pytest.mark.parametrize("name", ["v1.sqlite", "v1_held_out.sqlite"])
def test_rows_numbers_and_hashes_stay(tmp_path: Path, name: str) -> None:
    before, path = rows_of(STORES / name), upgraded(tmp_path, name)
    rows, said = content(path)
    for table in TABLES:
        columns, old = before[table]
        renamed = [{"position": "number"}.get(c, c) if table == "pairs" else c for c in columns]
        places = [rows[table][0].index(column) for column in renamed]
        assert [tuple(new[i] for i in places) for new in rows[table][1:]] == old, table
    assert said[0][0].number == 1
    assert said[-1] == []


def test_what_was_held_out_stays_held_out_and_can_be_confirmed(tmp_path: Path) -> None:
    path = upgraded(tmp_path, "v1_held_out.sqlite")
    with open_record(path, create=False, exclusive=False) as store:
        assert store.header().held_out == ("c0", "c2")
        assert read_evidence(store).held_out == {"p0", "p1", "p4", "p5"}
    protocol = write_study(tmp_path, rows=ROWS, judge="slot_rate = 0.4", more=MORE)
    assert run(protocol, path).calls == 11
    assert run(protocol, path, task=Confirm()).calls == 8
    with open_record(path, create=False, exclusive=False) as store:
        assert store.verify() == []
        assert build_report(read_evidence(store)).confirmation.groups[0].counts.pairs == 4


@pytest.mark.parametrize("name", ["v1.sqlite", "v1_held_out.sqlite"])
def test_a_record_in_postgres_is_upgraded_alike(
    tmp_path: Path, postgres, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    from counterbalance.record.postgres_connection import connected  # noqa: PLC0415 (an extra)

    place = postgres.place()
    with monkeypatch.context() as patched:
        patched.setattr(migrating, "MIGRATIONS", MIGRATIONS[:1])
        open_record(place, create=True, exclusive=True).close()
    with (
        closing(connected(place_of(place), read_only=False)) as connection,
        connection.transaction(),
    ):
        for table, (columns, rows) in rows_of(STORES / name).items():
            names, places = ", ".join(columns), ", ".join("?" * len(columns))
            connection.executemany(f"INSERT INTO {table} ({names}) VALUES ({places})", rows)  # noqa: S608
    ended = command("record", "verify", place)
    assert ended.code == 2
    assert "record migrate" in ended.err
    ended = command("record", "migrate", place)
    assert (ended.code, ended.out) == (0, f"{place}: has the tables of this version\n")
    assert content(place) == content(upgraded(tmp_path, name))


@pytest.mark.parametrize("is_folder", [False, True])
def test_an_export_of_schema_1_is_still_a_record(tmp_path: Path, *, is_folder: bool) -> None:
    export = tmp_path / ("folder" if is_folder else "old.jsonl")
    head = {"schema": SCHEMA, "program": "counterbalance 0.1.0"}
    lines, counts = {}, {}
    for table, (columns, rows) in rows_of(HELD_OUT).items():
        counts[table] = len(rows)
        lines[table] = [
            json.dumps({"table": table, **dict(zip(columns, map(_to_json, row), strict=True))})
            for row in rows
        ]
    if is_folder:
        export.mkdir()
        (export / "record.json").write_text(json.dumps(head | {"rows": counts}), "utf-8")
        for table, written in lines.items():
            (export / f"{table}.jsonl").write_text("".join(x + "\n" for x in written), "utf-8")
    else:
        every = [json.dumps(head), *(x for written in lines.values() for x in written)]
        every.append(json.dumps({"rows": counts}))
        export.write_text("".join(x + "\n" for x in every), "utf-8")
    assert content(export) == content(upgraded(tmp_path, "v1_held_out.sqlite"))


def test_an_export_of_a_later_schema_is_refused(tmp_path: Path) -> None:
    export = tmp_path / "new.jsonl"
    head = {"schema": SCHEMA, "steps": [*(s.__name__ for s in MIGRATIONS), "m999_later"]}
    export.write_text(json.dumps(head) + "\n", "utf-8")
    ended = command("record", "verify", export)
    assert ended.code == 2
    assert "m999_later" in ended.err
    assert "upgrade" in ended.err
