"""Exports and copies: the same record, hash by hash and attempt by attempt."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from commands import command, is_one_clear_line
from counterbalance.errors import InputError, RecordError, UsageError
from counterbalance.record import Store, open_record
from counterbalance.record.copying import COPIED_TABLES
from counterbalance.record.exports import write_export
from record.studies import HEADER, STARTED_AT, awaited, failure, prompt_of, study, verdict
from studies import attempts_of, run, write_study

GOLDEN = Path(__file__).parents[1] / "golden" / "stores" / "v1.sqlite"
HOSTILE = "a\0b \x10 \x100 \ud800 \u2028 é 🍜\r\n"


@awaited
async def fill(place: str) -> None:
    pairs, plan = study()
    with open_record(place, create=True, exclusive=True) as store:
        store.begin(HEADER, pairs, plan)
        for attempt in (verdict(plan[1], text=HOSTILE), failure(plan[0]), failure(plan[0], 2)):
            planned = next(e for e in plan if e.presentation.key == attempt.key)
            shown = prompt_of(planned, pairs)
            await store.start(attempt.key, attempt.number, STARTED_AT, shown)
            await store.append(attempt)
        await store.start(plan[2].presentation.key, 1, STARTED_AT, prompt_of(plan[2], pairs))


def reading(place: object) -> Store:
    return open_record(str(place), create=False, exclusive=False)


def content(place: object) -> tuple[dict[str, list], tuple]:
    """Everything that a record says, as rows and as what they stand for."""
    with reading(place) as store:
        with store.tables() as tables:
            rows = {given.table: [tuple(given.columns), *given.rows] for given in tables}
        said = (store.header(), list(store.pairs()), list(store.plan()), list(store.attempts()),
                list(store.unfinished()), store.verify())  # fmt: skip
    return rows, said


@pytest.fixture
def record(tmp_path: Path) -> str:
    made = str(tmp_path / "r.sqlite")
    fill(made)
    return made


def migrated(source: object, target: object) -> None:
    ended = command("record", "migrate", source, target)
    assert ended.code == 0, ended.err
    assert ended.out.startswith(f"{target}: ")


def test_to_postgres_and_back_is_the_same_record(record: str, tmp_path: Path, postgres) -> None:
    there, back = postgres.place(), tmp_path / "back.sqlite"
    migrated(record, there)
    migrated(there, back)
    assert content(there) == content(record)
    assert content(back) == content(record)
    assert content(record)[1][-1] == []


@pytest.mark.parametrize("name", ["x.jsonl", "folder"])
def test_an_export_is_the_same_record(record: str, tmp_path: Path, name: str) -> None:
    export, back = tmp_path / name, tmp_path / "back.sqlite"
    ended = command("record", "export", record, export)
    assert ended.code == 0, ended.err
    assert "3 pairs" in ended.out
    assert content(export) == content(record)
    migrated(export, back)
    assert content(back) == content(record)
    assert {p.name for p in tmp_path.iterdir()} == {"r.sqlite", name, "back.sqlite"}
    verified = command("record", "verify", export)
    assert (verified.code, verified.out) == (0, f"{export}: every hash fits its content\n")


def test_a_copy_can_be_gone_on_with(tmp_path: Path, postgres) -> None:
    protocol = write_study(tmp_path, 100)
    left = iter(range(5))

    def stop_after_five(_: object) -> None:
        if next(left, None) is None:
            msg = "enough"
            raise UsageError(msg)

    with pytest.raises(UsageError):
        run(protocol, finished=stop_after_five)
    first, there = protocol.with_suffix(".record.sqlite"), postgres.place()
    migrated(first, there)
    begun = attempts_of(there)
    assert begun == attempts_of(first)
    assert run(protocol, there).outstanding == 0
    run(protocol)
    done = [(a.key, a.number, a.outcome) for a in attempts_of(there)]
    assert done == [(a.key, a.number, a.outcome) for a in attempts_of(first)]
    assert 0 < len(begun) < len(done)


@awaited
async def test_numbers_go_on_after_a_copy(record: str, postgres) -> None:
    there, (pairs, plan) = postgres.place(), study()
    with (
        reading(record) as original,
        open_record(there, create=True, exclusive=True) as copy,
        original.tables() as tables,
    ):
        copy.fill(tables)
    with open_record(there, create=False, exclusive=True) as store:
        await store.start(plan[4].presentation.key, 1, STARTED_AT, prompt_of(plan[4], pairs))
        await store.append(verdict(plan[4]))
        assert len(list(store.attempts())) == 4
        assert store.verify() == []


def test_json_of_the_verbs(record: str, tmp_path: Path) -> None:
    shown = json.loads(command("record", "export", record, tmp_path / "x.jsonl", "--json").out)
    assert shown["rows"]["attempts"] == 3
    assert set(shown["rows"]) == set(COPIED_TABLES)
    shown = json.loads(command("record", "migrate", record, tmp_path / "y", "--json").out)
    assert (shown["rows"]["calls"], shown["problems"]) == (4, [])
    shown = json.loads(command("record", "migrate", record, "--json").out)
    assert shown == {"record": record, "problems": []}


def test_an_older_record_is_upgraded_and_copied(tmp_path: Path, postgres) -> None:
    old = Path(shutil.copy(GOLDEN, tmp_path))
    assert command("record", "migrate", old).out == f"{old}: has the tables of this version\n"
    there = postgres.place()
    migrated(old, there)
    assert content(there) == content(old)


def test_what_is_there_is_never_written_over(record: str, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    fill(str(other))
    before = other.read_bytes()
    ended = command("record", "migrate", record, other)
    assert ended.code == 2
    assert is_one_clear_line(ended)
    assert "holds a record already" in ended.err
    assert other.read_bytes() == before
    folder = tmp_path / "full"
    folder.mkdir()
    (folder / "notes.txt").touch()
    ended = command("record", "export", record, folder)
    assert ended.code == 2
    assert is_one_clear_line(ended)


def test_nothing_can_be_copied_of_nothing(tmp_path: Path) -> None:
    empty = tmp_path / "empty.sqlite"
    open_record(empty, create=True, exclusive=True).close()
    ended = command("record", "migrate", empty, tmp_path / "target.sqlite")
    assert ended.code == 2
    assert "there is nothing to copy" in ended.err


def test_a_damaged_record_is_copied_and_says_so(record: str, tmp_path: Path) -> None:
    import sqlite3  # noqa: PLC0415 (to do what no verb does)

    connection = sqlite3.connect(record)
    connection.execute("DROP TRIGGER attempts_no_update")
    connection.execute("UPDATE attempts SET outcome = 'second'")
    connection.commit()
    connection.close()
    ended = command("record", "migrate", record, tmp_path / "copy.sqlite")
    assert ended.code == 1
    assert "does not fit its digest" in ended.out


BROKEN = {
    "cut off": lambda lines: lines[:-1],
    "a row less": lambda lines: [*lines[:5], *lines[6:]],
    "half a line": lambda lines: [*lines[:5], lines[5][:9]],
    "no head": lambda lines: lines[1:],
    "other head": lambda lines: ['{"schema":"other/1"}\n', *lines[1:]],
    "unknown table": lambda lines: [lines[0], '{"table":"x"}\n', *lines[1:]],
    "unknown column": lambda lines: [
        lines[0],
        *(line.replace('"tag"', '"t"') for line in lines[1:]),
    ],
    "odd value": lambda lines: [line.replace('"prompt/1"', '["x"]') for line in lines],
    "empty": lambda _: [],
    "cases": lambda _: ['{"pair": "p0"}\n'],
}


@pytest.mark.parametrize("how", BROKEN)
def test_an_export_that_is_not_whole(record: str, tmp_path: Path, how: str) -> None:
    export = tmp_path / "x.jsonl"
    with reading(record) as store:
        write_export(store, export)
    *lines, rest = export.read_text("utf-8").split("\n")
    assert rest == ""
    whole = [line + "\n" for line in lines]
    export.write_text("".join(BROKEN[how](whole)), "utf-8", newline="")
    with pytest.raises(InputError) as error:
        reading(export)
    assert str(error.value).startswith(str(export))
    assert "\n" not in str(error.value)
    with pytest.raises(RecordError, match="an export is only read"):
        open_record(export, create=False, exclusive=True)


def test_an_edited_export_does_not_verify(record: str, tmp_path: Path) -> None:
    export = tmp_path / "x.jsonl"
    with reading(record) as store:
        write_export(store, export)
    export.write_text(export.read_text("utf-8").replace("Four.", "Fear."), "utf-8", newline="")
    ended = command("record", "verify", export)
    assert ended.code == 1
    assert "does not fit its content" in ended.out


@awaited
async def test_an_export_beside_a_run_is_of_one_moment(place: str) -> None:
    pairs, plan = study()
    with open_record(place, create=True, exclusive=True) as store:
        store.begin(HEADER, pairs, plan)
        with reading(place) as other, other.tables() as tables:
            seen = {}
            for given in tables:
                seen[given.table] = len(list(given.rows))
                if given.table == "texts":
                    key = plan[0].presentation.key
                    await store.start(key, 1, STARTED_AT, prompt_of(plan[0], pairs))
                    await store.append(verdict(plan[0]))
        assert seen["calls"] == seen["attempts"] == 0
        with reading(place) as other, other.tables() as tables:
            assert {t.table: len(list(t.rows)) for t in tables}["attempts"] == 1
