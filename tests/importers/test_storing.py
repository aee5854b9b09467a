"""An import is whole or nothing, and a record holds one."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from counterbalance.errors import InputError, RecordMismatchError, RecordVersionError
from counterbalance.importers.from_record import recorded_log
from counterbalance.importers.judgment import Judgment, Reject, source_outcome
from counterbalance.importers.log_format import Container, LogFormat, Shape
from counterbalance.importers.mapped_log import mapped_format
from counterbalance.importers.mapping_file import mapping_of
from counterbalance.importers.storing import store_log
from counterbalance.items.frames import Order
from counterbalance.parsing.outcome import OutcomeKind
from counterbalance.record import open_record
from counterbalance.record.place import place_of
from record.studies import HEADER, study

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_file import LogFile
    from counterbalance.importers.log_format import Notes

MAP = """
[columns]
item = "question"
first = "shown_1"
second = "shown_2"
verdict = "winner"
judge = "judge"

[verdict]
first = ["1"]
second = ["2"]
"""


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgres":
        return request.getfixturevalue("postgres").place()
    return str(tmp_path / "r.sqlite")


def write(path: Path, text: str = "one") -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def rows(n: int = 3) -> Iterator[Row]:
    outcome = source_outcome(OutcomeKind.FIRST)
    for line in range(1, n + 1):
        yield Judgment(line, f"q{line}", "a", "b", Order.FORWARD, outcome, "judge")
    yield Reject(n + 1, "broken")


def plain(_: LogFile, __: Notes) -> Iterator[Row]:
    yield from rows()


LINES = (Shape(Container.LINES, frozenset()),)
MADE = LogFormat("made", "made for a test", LINES, read=plain)


def content(place: str) -> dict[str, list[tuple]]:
    with open_record(place, create=False, exclusive=False) as store, store.tables() as tables:
        return {given.table: list(given.rows) for given in tables}


def imported(place: str, *paths: Path, known: LogFormat = MADE) -> bool:
    return store_log(paths, place_of(place), created_at="t", log_format=known).is_new


def test_the_same_files_append_nothing_wherever_they_stand(tmp_path: Path, place: str) -> None:
    first = write(tmp_path / "log.txt")
    moved = write(tmp_path / "elsewhere" / "log.txt")
    assert imported(place, first) is True
    before = content(place)
    assert len(before["log_rows"]) == 4
    assert len(before["attempts"]) == len(before["pairs"]) == 3
    assert imported(place, first) is False
    assert imported(place, moved) is False
    assert content(place) == before


@pytest.mark.parametrize("change", ["content", "name", "more", "fewer", "format"])
def test_another_import_is_refused_and_changes_nothing(
    tmp_path: Path, place: str, change: str
) -> None:
    kept, more = write(tmp_path / "log.txt"), write(tmp_path / "more.txt", "two")
    held = [kept, more] if change == "fewer" else [kept]
    imported(place, *held, known=taking_all())
    before = content(place)
    asked = {
        "content": lambda: [write(tmp_path / "log.txt", "another")],
        "name": lambda: [write(tmp_path / "other.txt")],
        "more": lambda: [kept, more],
        "fewer": lambda: [kept],
        "format": lambda: [kept],
    }[change]()
    known = MADE if change == "format" else taking_all()
    with pytest.raises(RecordMismatchError) as error:
        imported(place, *asked, known=known)
    said = {
        "content": f"without {kept} (with this content) and with {kept} besides",
        "name": f"without {tmp_path / 'other.txt'} (with this content)",
        "more": f"without {more} (with this content); name a new record",
        "fewer": f"with {more} besides; name a new record",
        "format": "holds a log that was read otherwise, as together",
    }[change]
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    assert content(place) == before


def taking_all() -> LogFormat:
    """Return a format that takes every file it is given."""

    def read_together(files: list[LogFile], _: Notes) -> Iterator[tuple[int, Row]]:
        for file in range(len(files)):
            yield from ((file, row) for row in rows())

    return LogFormat("together", "t", LINES, read_together=read_together)


def test_a_study_is_no_place_for_a_log(tmp_path: Path, place: str) -> None:
    pairs, plan = study()
    with open_record(place, create=True, exclusive=True) as store:
        store.begin(HEADER, pairs, plan)
    before = content(place)
    with pytest.raises(RecordMismatchError, match="holds a study, not an imported log"):
        imported(place, write(tmp_path / "log.txt"))
    assert content(place) == before


class StoppedError(Exception):
    pass


@pytest.mark.parametrize("error", [StoppedError, KeyboardInterrupt, InputError])
def test_an_import_that_is_stopped_leaves_nothing_and_can_be_repeated(
    tmp_path: Path, place: str, error: type[BaseException]
) -> None:
    def stopped(_: LogFile, __: Notes) -> Iterator[Row]:
        yield from rows(2500)
        raise error

    log = write(tmp_path / "log.txt")
    with pytest.raises(error):
        imported(place, log, known=LogFormat("made", "made for a test", LINES, read=stopped))
    assert {path.name for path in tmp_path.iterdir()} <= {"log.txt"}
    assert imported(place, log) is True
    assert len(content(place)["log_rows"]) == 4


def test_a_file_that_changes_meanwhile_is_not_recorded(tmp_path: Path, place: str) -> None:
    log = write(tmp_path / "log.txt")

    def growing(_: LogFile, __: Notes) -> Iterator[Row]:
        yield from rows()
        write(log, "grown")

    with pytest.raises(InputError, match="changed while it was read"):
        imported(place, log, known=LogFormat("made", "made for a test", LINES, read=growing))
    assert imported(place, log) is True


def test_a_mapping_is_known_by_what_it_says(tmp_path: Path, place: str) -> None:
    log = write(
        tmp_path / "log.jsonl",
        json.dumps({"question": "q", "shown_1": "x", "shown_2": "y", "winner": "1", "judge": "j"}),
    )

    def by_map(text: str, name: str) -> bool:
        mapping = mapping_of(text, name)
        stored = store_log(
            [log],
            place_of(place),
            created_at="t",
            log_format=mapped_format(mapping, f"map {name}"),
            mapping=mapping.model_dump(mode="json"),
        )
        return stored.is_new

    assert by_map(MAP, "one.toml") is True
    assert by_map(MAP + "\n# the same\n", "two.toml") is False
    with pytest.raises(RecordMismatchError, match="read otherwise, as map one"):
        by_map(MAP.replace('["1"]', '["1", "first"]'), "one.toml")
    with open_record(place, create=False, exclusive=False) as store:
        assert store.header().protocol["mapping"]["columns"]["verdict"] == "winner"


EDITS = {
    "content": ("UPDATE log_rows SET content = '{}' WHERE position = 1", "log rows: the digest"),
    "line": ("UPDATE log_rows SET line = 9 WHERE position = 0", "log rows: the digest"),
    "removed": ("DELETE FROM log_rows WHERE position = 3", "log rows: the digest over all 3"),
    "pair": ("UPDATE log_rows SET pair = 2 WHERE position = 0", "shows another pair than the row"),
    "call": ("DELETE FROM attempts; DELETE FROM calls", "points to a row of calls"),
    "outcome": ("UPDATE attempts SET outcome = 'second'", "does not fit its digest"),
    "readings": ("""UPDATE revisions SET protocol = replace(protocol, 'made for', 'xx')""",
                 "does not fit its"),
}  # fmt: skip


@pytest.mark.parametrize("edit", EDITS)
def test_verify_notices_every_edit(tmp_path: Path, edit: str) -> None:
    statement, says = EDITS[edit]
    path = tmp_path / "r.sqlite"
    imported(str(path), write(tmp_path / "log.txt"))
    with closing(sqlite3.connect(path)) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'"):
            connection.execute(f"DROP TRIGGER {name}")
        connection.executescript(statement)
    with open_record(path, create=False, exclusive=False) as store:
        found = store.verify()
    assert [sentence for sentence in found if says in sentence], found


@pytest.mark.parametrize("verb", ["UPDATE log_rows SET line = 1", "DELETE FROM log_rows"])
def test_rows_are_never_changed_or_removed(tmp_path: Path, verb: str) -> None:
    path = tmp_path / "r.sqlite"
    imported(str(path), write(tmp_path / "log.txt"))
    with (
        closing(sqlite3.connect(path)) as connection,
        pytest.raises(sqlite3.IntegrityError, match="append-only"),
    ):
        connection.execute(verb)


def test_an_import_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    imported(str(path), write(tmp_path / "log.txt"))
    copy = shutil.copy(path, tmp_path / "newer.sqlite")
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("DROP TRIGGER revisions_no_update")
        connection.execute(
            "UPDATE revisions SET protocol = replace(protocol, 'import/1', 'import/2')"
        )
        connection.commit()
    with (
        open_record(str(copy), create=False, exclusive=False) as store,
        pytest.raises(RecordVersionError, match="by a newer version"),
    ):
        recorded_log(store, store.header())
