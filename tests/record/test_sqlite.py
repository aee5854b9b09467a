"""What is SQLite's own: bad files, rights, append-only tables, old and new schemas."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from counterbalance.errors import RecordError, RecordIntegrityError, RecordVersionError
from counterbalance.record import migrating, schema
from counterbalance.record.aside_tables import ASIDE_TABLES
from counterbalance.record.attempt import StartedCall
from counterbalance.record.opening import open_record
from counterbalance.record.review_tables import REVIEW_TABLES
from counterbalance.record.schema import EVIDENCE_TABLES
from counterbalance.record.sqlite import SqliteStore, open_sqlite
from counterbalance.record.store import Opening
from record.edits import EDITS
from record.studies import (
    HEADER,
    STARTED_AT,
    awaited,
    failure,
    prompt_of,
    study,
    verdict,
)

GOLDEN = Path(__file__).parents[1] / "golden" / "stores" / "v1.sqlite"
NOBODY = 65534


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A record with one attempt and one lost call."""
    made = tmp_path / "a record #1?.sqlite"
    fill(made)
    return made


@awaited
async def fill(path: Path) -> None:
    pairs, plan = study()
    with open_sqlite(path, create=True, exclusive=True) as store:
        store.begin(HEADER, pairs, plan)
        for planned in plan[:2]:
            key = planned.presentation.key
            await store.start(key, 1, STARTED_AT, prompt_of(planned, pairs))
        await store.append(verdict(plan[0]))
        store.open_held_out(Opening(STARTED_AT, "counterbalance 0", ()), [])


def reading(path: Path) -> SqliteStore:
    return open_sqlite(path, create=False, exclusive=False)


def one_line_of(error: pytest.ExceptionInfo[RecordError], path: Path) -> str:
    text = str(error.value)
    assert "\n" not in text
    assert text.startswith(str(path))
    return text


def test_one_file_is_left_after_a_clean_end(path: Path) -> None:
    with reading(path) as store:
        assert store.verify() == []
    assert [p.name for p in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("exclusive", [False, True])
@pytest.mark.parametrize(
    ("content", "says"),
    [(b"prompt,a,b\n" * 900, "not an SQLite file"), (b"", "is empty, not a record")],
)
def test_a_file_of_another_kind(
    tmp_path: Path, content: bytes, says: str, *, exclusive: bool
) -> None:
    other = tmp_path / "pairs.csv"
    other.write_bytes(content)
    with pytest.raises(RecordError) as error:
        open_sqlite(other, create=False, exclusive=exclusive)
    assert says in one_line_of(error, other)
    assert other.read_bytes() == content
    assert list(tmp_path.iterdir()) == [other]


@pytest.mark.parametrize("create", [False, True])
def test_a_database_of_another_program(tmp_path: Path, *, create: bool) -> None:
    other = tmp_path / "logs.db"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE logs (id INTEGER)")
    connection.close()
    before = other.read_bytes()
    with pytest.raises(RecordError, match="another program") as error:
        open_sqlite(other, create=create, exclusive=True)
    one_line_of(error, other)
    with pytest.raises(RecordError, match="another program"):
        reading(other)
    assert other.read_bytes() == before


def test_an_empty_file_can_become_a_record(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.touch()
    with open_sqlite(path, create=True, exclusive=True) as store:
        assert store.header() is None


def test_a_record_of_a_newer_version(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 7")
    connection.close()
    for exclusive in (False, True):
        with pytest.raises(
            RecordVersionError, match=f"schema 7, this program knows {len(schema.MIGRATIONS)}"
        ) as error:
            open_sqlite(path, create=False, exclusive=exclusive)
        assert "pip install --upgrade" in one_line_of(error, path)


def test_places_that_hold_no_record(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="is a folder"):
        reading(tmp_path)
    with pytest.raises(RecordError, match="no folder"):
        open_sqlite(tmp_path / "absent" / "x", create=True, exclusive=True)
    with pytest.raises(RecordError, match="only an exclusive store"):
        open_record(tmp_path / "x", create=True, exclusive=False)
    assert list(tmp_path.iterdir()) == []


EMPTY = {"log_rows", "probes", *REVIEW_TABLES, *ASIDE_TABLES}
FILLED = [t for t in EVIDENCE_TABLES if t not in EMPTY]


@pytest.mark.parametrize("table", FILLED)
def test_rows_are_never_changed_or_removed(path: Path, table: str) -> None:
    connection = sqlite3.connect(path)
    column = connection.execute(f"SELECT name FROM pragma_table_info('{table}')").fetchone()[0]  # noqa: S608
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(f"UPDATE {table} SET {column} = {column}")  # noqa: S608
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(f"DELETE FROM {table}")  # noqa: S608
    connection.close()


def test_people_can_look_into_it(path: Path) -> None:
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT pair, purpose, number, outcome, reply FROM asked").fetchall()
    connection.close()
    assert rows[:2] == [
        ("pair-0", "main", 1, "first", "The answer is 1"),
        ("pair-0", "main", 1, None, None),
    ]
    assert len(rows) == 8


@pytest.mark.parametrize("edit", EDITS)
def test_verify_notices_every_edit(path: Path, edit: str) -> None:
    statement, says = EDITS[edit]
    connection = sqlite3.connect(path)
    for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'"):
        connection.execute(f"DROP TRIGGER {name}")
    connection.executescript(statement.format(x="CAST('x' AS BLOB)", empty="CAST('[]' AS BLOB)"))
    connection.commit()
    connection.close()
    with reading(path) as store:
        found = store.verify()
    assert [sentence for sentence in found if says in sentence], found
    assert all("\n" not in sentence for sentence in found)


def test_damaged_rows_are_one_sentence(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("DROP TRIGGER attempts_no_update")
    connection.execute("UPDATE attempts SET reading = '{}'")
    connection.commit()
    connection.close()
    with reading(path) as store, pytest.raises(RecordIntegrityError) as error:
        list(store.attempts())
    assert "a row cannot be read" in one_line_of(error, path)


def test_a_damaged_file_is_one_sentence(path: Path) -> None:
    content = bytearray(path.read_bytes())
    for page in range(2 * 4096, len(content), 4096):
        content[page : page + 64] = b"\xff" * 64
    path.write_bytes(content)
    with pytest.raises(RecordIntegrityError, match="damaged") as error, reading(path) as store:
        list(store.attempts())
    one_line_of(error, path)
    assert what_verify_says(path)


def what_verify_says(path: Path) -> list[str]:
    """Return the sentences, also for a file that is too damaged to open."""
    try:
        with reading(path) as store:
            return store.verify()
    except RecordError as error:
        return [str(error)]


def test_a_truncated_file_is_one_sentence(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:8000])
    with pytest.raises(RecordError) as error, reading(path) as store:
        list(store.attempts())
    one_line_of(error, path)


READ_AS_NOBODY = """
import os, sys
from pathlib import Path
from counterbalance.errors import RecordError
from counterbalance.record.sqlite import open_sqlite
path, user = Path(sys.argv[1]), int(sys.argv[2])
import counterbalance.items.rows, tempfile
tempfile.tempdir = sys.argv[3]
if user:
    os.setgroups([]); os.setresgid(user, user, user); os.setresuid(user, user, user)
with open_sqlite(path, create=False, exclusive=False) as store:
    print(len(list(store.attempts())), len(list(store.unfinished())), len(store.verify()))
for place in (path, path.with_name("new.sqlite")):
    try:
        open_sqlite(place, create=True, exclusive=True)
    except RecordError as error:
        print(error)
"""


@pytest.fixture
def readable(tmp_path: Path) -> Path:
    """A folder that another user may reach, since root can write everywhere."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder.name.startswith(("pytest-", "popen-")):
            folder.chmod(0o755)
    tmp_path.chmod(0o755)
    return tmp_path


def read_without_rights(path: Path, scratch: Path) -> list[str]:
    user = NOBODY if os.geteuid() == 0 else 0
    scratch.mkdir()
    scratch.chmod(0o777)
    path.parent.chmod(0o555)
    try:
        done = subprocess.run(
            [sys.executable, "-c", READ_AS_NOBODY, str(path), str(user), str(scratch)],
            check=True,
            capture_output=True,
            text=True,
            env={"PYTHONPATH": os.pathsep.join(sys.path)},
            timeout=60,
        )
    finally:
        path.parent.chmod(0o755)
    assert list(scratch.iterdir()) == []
    return done.stdout.splitlines()


def test_a_read_only_folder_can_be_read_and_not_run_in(readable: Path) -> None:
    folder = readable / "study"
    folder.mkdir()
    fill(folder / "r.sqlite")
    counts, *refusals = read_without_rights(folder / "r.sqlite", readable / "scratch")
    assert counts == "1 1 0"
    assert len(refusals) == 2
    for name, refusal in zip(("r.sqlite", "new.sqlite"), refusals, strict=True):
        assert refusal.startswith(f"{folder / name}: the folder cannot be written")


def test_the_last_rows_of_a_killed_run_are_read_from_a_read_only_folder(readable: Path) -> None:
    live = readable / "live.sqlite"
    folder = readable / "study"
    folder.mkdir()

    @awaited
    async def copy_while_running() -> None:
        pairs, plan = study()
        with open_sqlite(live, create=True, exclusive=True) as store:
            store.begin(HEADER, pairs, plan)
            key = plan[0].presentation.key
            await store.start(key, 1, STARTED_AT, prompt_of(plan[0], pairs))
            await store.append(failure(plan[0]))
            for name in ("live.sqlite", "live.sqlite-wal"):
                shutil.copy(readable / name, folder / name)

    copy_while_running()
    assert (folder / "live.sqlite-wal").stat().st_size > 0
    assert read_without_rights(folder / "live.sqlite", readable / "scratch")[0] == "1 0 0"


def test_a_record_of_version_1_is_brought_up_to_date_and_read(tmp_path: Path) -> None:
    path = Path(shutil.copy(GOLDEN, tmp_path))
    pairs, plan = study()
    with pytest.raises(RecordError, match="older version, without m002_revisions"):
        reading(path)
    with open_sqlite(path, create=False, exclusive=True) as store:
        assert store.verify() == []
    with reading(path) as store:
        assert store.header() == HEADER
        assert list(store.pairs()) == pairs
        assert list(store.plan()) == plan
        made = [failure(plan[0]), verdict(plan[1], text="\0 \ud800 é 1")]
        assert list(store.attempts()) == made
        assert list(store.unfinished()) == [StartedCall(plan[2].presentation.key, 1, STARTED_AT)]
        assert store.verify() == []
    assert GOLDEN.stat().st_size < 60_000


def m999_marks(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE marks (name TEXT PRIMARY KEY) STRICT")


def test_a_later_schema_is_brought_about_by_its_named_step(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrating, "MIGRATIONS", (*schema.MIGRATIONS, m999_marks))
    with pytest.raises(RecordError, match="older version, without m999_marks"):
        reading(path)
    with open_sqlite(path, create=False, exclusive=True) as store:
        assert store.verify() == []
    with reading(path) as store:
        assert len(list(store.attempts())) == 1
    connection = sqlite3.connect(path)
    names = [(each.__name__,) for each in (*schema.MIGRATIONS, m999_marks)]
    assert connection.execute("SELECT name FROM migrations").fetchall() == names
    assert connection.execute("PRAGMA user_version").fetchone() == (len(names),)
    connection.close()
