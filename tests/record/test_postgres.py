"""What is PostgreSQL's own: addresses, roles, versions, servers that go away."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from commands import command, is_one_clear_line
from counterbalance.errors import (
    MissingExtraError,
    RecordBusyError,
    RecordError,
    RecordIntegrityError,
    RecordLostError,
    RecordVersionError,
)
from counterbalance.record import Opening, Store, open_record
from counterbalance.record.schema import EVIDENCE_TABLES, MIGRATIONS
from extras import require
from postgres_server import require_server, running_server
from record.edits import EDITS
from record.studies import HEADER, STARTED_AT, awaited, prompt_of, study, verdict
from studies import attempts_of, run, write_study

if TYPE_CHECKING:
    from collections.abc import Iterator

    from postgres_server import Server

SECRET = "hunter2-x"  # noqa: S105 (shown nowhere, which is what is tested)


@pytest.fixture
def place(postgres: Server) -> str:
    """A record with one attempt and one lost call."""
    made = postgres.place()
    fill(made)
    return made


@pytest.fixture
def own_server() -> Iterator[Server]:
    """A server that the test may stop."""
    require("postgres")
    require_server()
    with running_server() as server:
        yield server


@awaited
async def fill(place: str) -> None:
    pairs, plan = study()
    with open_record(place, create=True, exclusive=True) as store:
        store.begin(HEADER, pairs, plan)
        for planned in plan[:2]:
            key = planned.presentation.key
            await store.start(key, 1, STARTED_AT, prompt_of(planned, pairs))
        await store.append(verdict(plan[0]))
        store.open_held_out(Opening(STARTED_AT, "counterbalance 0", ()), [])


def reading(place: str) -> Store:
    return open_record(place, create=False, exclusive=False)


def schema_of(place: str) -> str:
    return f'"counterbalance_{place.rpartition("#")[2]}"'


def refused(place: str, *, create: bool = False, exclusive: bool = False) -> str:
    with pytest.raises(RecordError) as error:
        open_record(place, create=create, exclusive=exclusive)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_one_database_holds_many_records(postgres: Server, place: str) -> None:
    other = postgres.place()
    pairs, plan = study(2)
    with (
        open_record(place, create=False, exclusive=True) as first,
        open_record(other, create=True, exclusive=True) as second,
    ):
        second.begin(HEADER, pairs, plan)
        assert (len(list(first.pairs())), len(list(second.pairs()))) == (3, 2)
        assert first.verify() == second.verify() == []


def test_two_runs_write_two_records_at_once(postgres: Server, tmp_path) -> None:
    processes = []
    for number in range(2):
        folder = tmp_path / str(number)
        protocol = write_study(folder, 60, judge="slot_rate = 0.4")
        words = [sys.executable, "-m", "counterbalance", "run", protocol, "--quiet", "--record"]
        processes.append((protocol, place := postgres.place(), subprocess.Popen([*words, place])))
    for _, _, process in processes:
        assert process.wait(120) == 0
    for protocol, place, _ in processes:
        run(protocol)
        expected = attempts_of(protocol.with_suffix(".record.sqlite"))
        assert [(a.key, a.outcome) for a in attempts_of(place)] == [
            (a.key, a.outcome) for a in expected
        ]


def test_a_busy_record_names_its_holder(place: str) -> None:
    with open_record(place, create=False, exclusive=True):
        with pytest.raises(RecordBusyError, match=f"process {os.getpid()}"):
            open_record(place, create=False, exclusive=True)
        ended = command("record", "verify", place)
        assert ended.code == 0


@pytest.mark.usefixtures("place")
def test_what_a_database_holds_is_said(postgres: Server) -> None:
    text = refused(postgres.place("not-there"))
    assert "there is no such record; the database holds " in text
    assert "record-" in text


COLUMN = """SELECT attname FROM pg_attribute
    WHERE attrelid = '{}'::regclass AND attnum = 1"""


@pytest.mark.parametrize("table", EVIDENCE_TABLES)
@pytest.mark.parametrize(
    "verb", ["UPDATE {0} SET {1} = {1}", "DELETE FROM {0}", "TRUNCATE {0} CASCADE"]
)
def test_rows_are_never_changed_or_removed(
    postgres: Server, place: str, table: str, verb: str
) -> None:
    import psycopg  # noqa: PLC0415 (an extra)

    name = f"{schema_of(place)}.{table}"
    ((column,),) = postgres.sql(COLUMN.format(name))
    with pytest.raises(psycopg.IntegrityError, match="append-only"):
        postgres.sql(verb.format(name, column))


ASKED = "SELECT {} FROM {}.asked WHERE purpose = 'main'"


def test_people_can_look_into_it(postgres: Server, place: str) -> None:
    query = ASKED.format("pair, purpose, number, outcome, reply", schema_of(place))
    rows = postgres.sql(query)
    assert rows[:2] == [
        ("pair-0", "main", 1, "first", "The answer is 1"),
        ("pair-0", "main", 1, None, None),
    ]
    assert len(rows) == 6


@awaited
async def test_a_reply_that_no_text_holds_can_be_looked_at(postgres: Server) -> None:
    place, (pairs, plan) = postgres.place(), study()
    with open_record(place, create=True, exclusive=True) as store:
        store.begin(HEADER, pairs, plan)
        await store.start(plan[0].presentation.key, 1, STARTED_AT, prompt_of(plan[0], pairs))
        await store.append(verdict(plan[0], text="a\0b \ud800"))
    rows = postgres.sql(ASKED.format("reply", schema_of(place)))
    assert rows[:1] == [(r"a\000b \355\240\200",)]


def edit(postgres: Server, place: str, statement: str) -> None:
    """Change what no run can: without triggers and references."""
    off = [f"ALTER TABLE {table} DISABLE TRIGGER ALL" for table in EVIDENCE_TABLES]
    postgres.sql("; ".join([f"SET search_path = {schema_of(place)}", *off, statement]))


@pytest.mark.parametrize("name", EDITS)
def test_verify_notices_every_edit(postgres: Server, place: str, name: str) -> None:
    statement, says = EDITS[name]
    shown = statement.format(x="'x'::bytea", empty="'[]'::bytea")
    edit(postgres, place, shown)
    with reading(place) as store:
        found = store.verify()
    assert [sentence for sentence in found if says in sentence], found
    assert all("\n" not in sentence for sentence in found)


def test_damaged_rows_are_one_sentence(postgres: Server, place: str) -> None:
    edit(postgres, place, "UPDATE attempts SET reading = '{}'")
    with reading(place) as store, pytest.raises(RecordIntegrityError, match="cannot be read"):
        list(store.attempts())


def test_a_record_of_a_newer_version(postgres: Server, place: str) -> None:
    postgres.sql(f"INSERT INTO {schema_of(place)}.migrations VALUES ('m999_later')")  # noqa: S608
    known = len(MIGRATIONS)
    for exclusive in (False, True):
        says = f"schema {known + 1}, this program knows {known}"
        with pytest.raises(RecordVersionError, match=says):
            open_record(place, create=False, exclusive=exclusive)


def test_a_server_that_is_too_old(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("counterbalance.record.postgres._OLDEST_SERVER", 99)
    for exclusive in (False, True):
        assert "; 99 is the oldest that holds a record" in refused(place, exclusive=exclusive)


def test_a_database_of_another_encoding(postgres: Server) -> None:
    postgres.sql("CREATE DATABASE latin ENCODING LATIN1 LOCALE 'C' TEMPLATE template0")
    text = refused(f"{postgres.address('latin')}#x", create=True, exclusive=True)
    assert "holds texts as LATIN1" in text


def test_a_schema_of_another_program(postgres: Server) -> None:
    place = postgres.place()
    postgres.sql(f"CREATE SCHEMA {schema_of(place)} CREATE TABLE customers (id int)")
    assert "tables of another program (customers)" in refused(place, create=True, exclusive=True)


def test_an_empty_schema_becomes_a_record(postgres: Server) -> None:
    """So an administrator can prepare a place for somebody who may not make schemas."""
    place = postgres.place()
    postgres.sql(f"CREATE SCHEMA {schema_of(place)}")
    assert "no such record" in refused(place)
    with open_record(place, create=True, exclusive=True) as store:
        assert store.header() is None


def test_roles(postgres: Server, place: str) -> None:
    name, schema = place.rpartition("#")[2], schema_of(place)
    role = f"reader_{name.replace('-', '_')}"
    postgres.sql(f"CREATE ROLE {role} LOGIN")
    theirs = f"{postgres.address(role=role)}#{name}"
    new = f"{postgres.address(role=role)}#{name}-new"
    assert "its owner can grant it" in refused(theirs)
    assert "the role may not do this" in refused(new, create=True, exclusive=True)
    postgres.sql(f"GRANT USAGE ON SCHEMA {schema} TO {role}")
    assert "the role may not do this" in refused(theirs)
    postgres.sql(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {role}")
    with reading(theirs) as store:
        assert store.verify() == []
    pairs, plan = study()
    key, shown = plan[2].presentation.key, prompt_of(plan[2], pairs)
    with (
        open_record(theirs, create=False, exclusive=True) as store,
        pytest.raises(RecordError, match="the role may not do this"),
    ):
        asyncio.run(store.start(key, 1, STARTED_AT, shown))
    postgres.sql(f"GRANT INSERT ON ALL TABLES IN SCHEMA {schema} TO {role}")
    with open_record(theirs, create=False, exclusive=True) as store:
        asyncio.run(store.start(key, 1, STARTED_AT, shown))
        assert len(list(store.unfinished())) == 2


UNREACHABLE = [
    ("postgresql://nobody@127.0.0.1:1/db#x", "no connection"),
    ("postgresql://h.invalid/db#x", "no connection"),
    ("postgresql:///db?host=/nowhere#x", "no connection"),
    (f"postgresql://ada:{SECRET}@127.0.0.1:1/db#x", "no connection"),
    (f"postgresql://ada@127.0.0.1:1/db?password={SECRET}#x", "no connection"),
    (f"postgresql://ada:a/{SECRET}@127.0.0.1:1/db#x", "is no address of a database"),
    (f"postgresql://ada:a%zz{SECRET}@127.0.0.1:1/db#x", "is no address of a database"),
    (f"postgresql://ada:{SECRET}@h:port/db#x", "no connection"),
    ("postgresql://h/db?colour=blue#x", "invalid URI query parameter"),
]


@pytest.mark.parametrize(("place", "says"), UNREACHABLE)
def test_addresses_that_lead_nowhere(place: str, says: str) -> None:
    require("postgres")
    text = refused(place)
    assert says in text
    assert SECRET not in text


def test_a_wrong_address_is_one_line_and_exit_code_2(tmp_path) -> None:
    require("postgres")
    protocol = write_study(tmp_path)
    place = f"postgresql://ada:{SECRET}@127.0.0.1:1/db#x"
    for words in (["run", protocol, "--record", place], ["report", place]):
        ended = command(*words, COUNTERBALANCE_DEBUG="")
        assert ended.code == 2
        assert is_one_clear_line(ended), ended.err
        assert SECRET not in ended.err


def test_a_database_that_does_not_exist(postgres: Server) -> None:
    assert '"absent" does not exist' in refused(f"{postgres.address('absent')}#x")


def test_the_summary_shows_no_password(postgres: Server, tmp_path) -> None:
    protocol = write_study(tmp_path, 2)
    place = postgres.place().replace("tester@", f"tester:{SECRET}@")
    began = ["run", protocol, "--record", place]
    for words in (
        began,
        [*began, "--json"],
        ["record", "verify", place],
        ["record", "verify", place, "--json"],
        ["report", place, "--json"],
    ):
        ended = command(*words)
        assert ended.code == 0, ended.err
        assert SECRET not in ended.out + ended.err
    ended = command(*began)
    (line,) = [line for line in ended.out.splitlines() if line.startswith("next: ")]
    assert command(*line.removeprefix("next: counterbalance ").split()).code == 0
    for table in EVIDENCE_TABLES:
        for row in postgres.sql(f"SELECT * FROM {schema_of(place)}.{table}"):  # noqa: S608
            assert SECRET not in repr(row)
    assert SECRET not in repr(postgres.sql("SELECT query, application_name FROM pg_stat_activity"))


def test_a_password_comes_from_the_environment(own_server: Server, monkeypatch) -> None:
    own_server.sql(f"CREATE ROLE ada LOGIN SUPERUSER PASSWORD '{SECRET}'")
    rules = own_server.folder / "data" / "pg_hba.conf"
    rules.write_text("local all ada scram-sha-256\n" + rules.read_text())
    own_server.sql("SELECT pg_reload_conf()")
    place = f"{own_server.address(role='ada')}#x"
    deadline = time.monotonic() + 20
    while "no password supplied" not in (text := refused(place)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert "PGPASSWORD" in text
    monkeypatch.setenv("PGPASSWORD", "wrong")
    assert "password authentication failed" in refused(place, create=True, exclusive=True)
    monkeypatch.setenv("PGPASSWORD", SECRET)
    with open_record(place, create=True, exclusive=True) as store:
        assert store.verify() == []


def test_without_the_driver_a_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [n for n in sys.modules if n.startswith("counterbalance.record.postgres")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'counterbalance\[postgres\]'"):
        reading("postgresql://h/db#x")


def test_a_commit_waits_for_the_disk_whatever_the_role_prefers(
    postgres: Server, place: str
) -> None:
    postgres.sql("CREATE ROLE hasty LOGIN SUPERUSER")
    postgres.sql("ALTER ROLE hasty SET synchronous_commit = off")
    postgres.sql("ALTER ROLE hasty SET statement_timeout = 50")
    theirs = f"{postgres.address(role='hasty')}#{place.rpartition('#')[2]}"
    with open_record(theirs, create=False, exclusive=True) as store:
        (row,) = store._connection.execute("SHOW synchronous_commit")
        assert row == ("on",)


@awaited
async def test_a_server_that_goes_away_is_said_to_every_caller(own_server: Server) -> None:
    place, (pairs, plan) = own_server.place(), study(30)
    with open_record(place, create=True, exclusive=True) as store:
        store.begin(HEADER, pairs, plan)
        key, shown = plan[0].presentation.key, prompt_of(plan[0], pairs)
        await store.start(key, 1, STARTED_AT, shown)
        own_server.stop(signal.SIGQUIT)
        starts = [
            store.start(p.presentation.key, 1, STARTED_AT, prompt_of(p, pairs)) for p in plan[1:9]
        ]
        answers = await asyncio.gather(*starts, return_exceptions=True)
        assert {type(answer) for answer in answers} == {RecordLostError}
        assert len({str(answer) for answer in answers}) == 1
        assert "a rerun goes on from there" in str(answers[0])
        assert "\n" not in str(answers[0])
        own_server.start()
        # The lock went with the session: nothing may be written without it.
        with pytest.raises(RecordLostError):
            await store.start(key, 1, STARTED_AT, shown)
    with open_record(place, create=False, exclusive=True) as store:
        assert [call.key for call in store.unfinished()] == [key]
        assert store.verify() == []


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
def test_a_run_whose_server_stops_is_resumed(own_server: Server, tmp_path, how) -> None:
    protocol = write_study(tmp_path, 400, judge="slot_rate = 0.3\ntie_rate = 0.1")
    place = own_server.place()
    words = [sys.executable, "-m", "counterbalance", "run", protocol, "--quiet", "--record", place]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        count = f"SELECT count(*) FROM {schema_of(place)}.attempts"  # noqa: S608
        while not own_server.sql(f"SELECT to_regclass('{schema_of(place)}.attempts')")[0][0]:
            assert process.poll() is None
        while own_server.sql(count)[0][0] < 20:
            assert process.poll() is None
        own_server.stop(how)
        out, errors = process.communicate(timeout=60)
    assert process.returncode == 3, errors
    assert out == b""
    assert len(errors.splitlines()) == 1, errors.decode()
    line = errors.decode()
    assert line.startswith("counterbalance: postgresql://tester@/postgres?host=")
    assert "the connection to the server was lost" in line
    own_server.start()
    before = attempts_of(place)
    assert 20 <= len(before) < 800
    summary = run(protocol, place)
    assert summary.outstanding == 0
    made = attempts_of(place)
    assert {(a.key, a.number) for a in before} <= {(a.key, a.number) for a in made}
    run(protocol)
    plain = attempts_of(protocol.with_suffix(".record.sqlite"))
    answered = [(a.key, a.outcome) for a in made if a.outcome.failure != "lost"]
    assert answered == [(a.key, a.outcome) for a in plain]
    with reading(place) as store:
        assert store.verify() == []


def test_a_record_in_a_database_can_be_replayed(postgres: Server, tmp_path) -> None:
    protocol, place = write_study(tmp_path, 4, judge="slot_rate = 0.5"), postgres.place()
    run(protocol, place)
    text = protocol.read_text("utf-8").replace("slot_rate = 0.5", "")
    replayed = 'kind = "replay"\nrecord = "{}"\njudge = "script"'
    protocol.write_text(text.replace('kind = "scripted"', replayed.format(place)), "utf-8")
    assert run(protocol, tmp_path / "again.sqlite").outstanding == 0
    again = [attempt.outcome for attempt in attempts_of(tmp_path / "again.sqlite")]
    assert again == [attempt.outcome for attempt in attempts_of(place)]
    leaking = place.replace("tester@", f"tester:{SECRET}@")
    protocol.write_text(text.replace('kind = "scripted"', replayed.format(leaking)), "utf-8")
    ended = command("run", protocol, "--record", tmp_path / "leak.sqlite")
    assert ended.code == 2
    assert is_one_clear_line(ended)
    assert "a file may hold no password" in ended.err
    assert SECRET not in ended.err
    assert not (tmp_path / "leak.sqlite").exists()


def test_a_run_that_cannot_begin_leaves_no_trace(postgres: Server, tmp_path) -> None:
    protocol, place = write_study(tmp_path, 2), postgres.place()
    text = protocol.read_text("utf-8")
    broken = text.replace('kind = "scripted"', 'kind = "replay"\nrecord = "absent"\njudge = "x"')
    protocol.write_text(broken, "utf-8")
    ended = command("run", protocol, "--record", place)
    assert ended.code == 2
    assert is_one_clear_line(ended)
    assert postgres.sql(f"SELECT to_regnamespace('{schema_of(place)}')") == [(None,)]
    postgres.sql(f"CREATE SCHEMA {schema_of(place)}")
    assert command("run", protocol, "--record", place).code == 2
    assert postgres.sql(f"SELECT to_regnamespace('{schema_of(place)}')") != [(None,)]
    protocol.write_text(text, "utf-8")
    assert run(protocol, place).outstanding == 0
