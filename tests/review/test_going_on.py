"""A review across kills, restarts and stores: no answer lost, none doubled."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import extras
from commands import command_here as command
from counterbalance.errors import RecordBusyError
from counterbalance.record import open_record
from foreign_logs import fastchat_row, jsonl
from review_process import served, undecided_record
from studies import row, run, write_study


@pytest.fixture(scope="module", autouse=True)
def _installed():
    extras.require("review")


def free_port() -> int:
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return made.getsockname()[1]


def answered(record) -> list:
    with open_record(str(record), create=False, exclusive=False) as store:
        (review,) = store.reviews.all()
        assert store.verify() == []
        return [call for call in store.reviews.calls(review) if call.attempt is not None]


def test_a_page_that_was_open_survives_a_kill(tmp_path):
    record, port = undecided_record(tmp_path, 5), free_port()
    options = ("--port", port, "--repeats", 0)
    with served(record, *options) as first:
        tab = first.browser()
        tab.answer("1")
        shown = tab.get()
        first.kill()
    assert len(answered(record)) == 1
    with served(record, *options) as second:
        # The cookie and the page are those of the killed process.
        ticket = shown.field("ticket")
        assert tab.get().field("ticket") == ticket
        assert tab.post("/answer", ticket=ticket, choice="2").headers["location"] == "/?said=saved"
        assert tab.post("/answer", ticket=ticket, choice="1").headers["location"] == "/?said=stale"
        assert second.browser().get().text.count("2 of 5 answered") == 1
    assert len(answered(record)) == 2


def test_what_was_acknowledged_survives_a_kill_under_load(tmp_path):
    record = undecided_record(tmp_path, 12)
    names = ("ann", "bob", "eve")
    options = [word for name in names for word in ("--reviewer", name)]
    with served(record, "--port", 0, *options, names=names) as page:
        tabs = [page.browser(name) for name in names]
        acknowledged: list[str] = []

        def review(tab) -> None:
            while True:
                try:
                    ticket = tab.get().field("ticket")
                    if tab.post("/answer", ticket=ticket, choice="1").status == 303:
                        acknowledged.append(ticket)
                except (OSError, TypeError):
                    return
                if len(acknowledged) == 9:
                    page.kill()

        with ThreadPoolExecutor(len(tabs)) as people:
            list(people.map(review, tabs))
    found = answered(record)
    assert len(acknowledged) >= 9
    assert len(set(acknowledged)) == len(acknowledged)
    # One that was recorded when the kill came may not have been acknowledged; never the reverse.
    assert len(acknowledged) <= len(found) <= len(acknowledged) + len(names)
    assert len({(call.key, call.number) for call in found}) == len(found)


def test_undo_goes_back_in_the_order_of_the_answers_after_a_restart(tmp_path):
    record = undecided_record(tmp_path, 4)
    with served(record, "--port", 0, "--repeats", 0) as page:
        tab = page.browser()
        tab.answer("1")
        # The second case is open while the first is undone and answered anew.
        tab.post("/undo", last=tab.get().field("last"))
        tab.answer("2")
        tab.answer("3")
        last = tab.get().field("last")
    with served(record, "--port", 0) as page:
        tab.port = page.port
        assert tab.get().field("last") == last
        for left in ("1", "0"):
            tab.post("/undo", last=tab.get().field("last"))
            assert f"{left} of 4 answered" in tab.get().text
        assert tab.post("/undo", last="x").headers["location"] == "/?said=nothing"


def test_reviewers_join_later_and_each_has_a_queue(tmp_path):
    record = undecided_record(tmp_path, 3)
    with served(record, "--port", 0, "--reviewer", "ann", names=("ann",)) as page:
        page.browser("ann").answer("1")
        code, err = page.stop()
    assert code == 3
    assert "ann: 1 of 3 answered" in err
    with served(record, "--port", 0, "--reviewer", "bob", names=("ann", "bob")) as page:
        assert "1 of 3 answered" in page.browser("ann").get().text
        assert "0 of 3 answered" in page.browser("bob").get().text


def test_the_end_of_the_queue_and_of_the_review(tmp_path):
    record = undecided_record(tmp_path, 2)
    early = command("review", record, "--close")
    assert (early.code, "has no review to close" in early.err) == (2, True)
    with served(record, "--port", 0) as page:
        tab = page.browser()
        tab.answer("1")
        tab.answer("0")
        assert "Everything is answered" in tab.get().text
        busy = command("review", record, "--close")
        assert (busy.code, "in use by another run" in busy.err) == (2, True)
        status = command("review", record, "--status", "--json")
        assert '"answered": 2' in status.out
        code, err = page.stop()
    assert (code, "--close" in err) == (0, True)
    closed = command("review", record, "--close")
    assert (closed.code, "closed 20" in closed.out) == (0, True)
    for words in (("--close",), ()):
        again = command("review", record, *words)
        assert (again.code, "was closed at" in again.err) == (2, True)


def test_an_answered_review_changes_nothing_in_the_run(tmp_path):
    record = undecided_record(tmp_path, 2)
    before = json.loads(command("report", record, "--json").out)
    with served(record, "--port", 0) as page:
        page.browser().answer("1")
    after = json.loads(command("report", record, "--json").out)
    assert after.pop("review")["reviewers"] == [{"name": "reviewer", "tasks": 2, "answered": 1}]
    assert before.pop("review") is None
    assert after == before
    assert command("run", tmp_path / "protocol.toml").code == 0
    assert command("record", "verify", record).code == 0


def test_nothing_to_review(tmp_path):
    rows = [row(n, reference=None) for n in range(2)]
    run(write_study(tmp_path, rows=rows))
    ended = command("review", tmp_path / "protocol.record.sqlite", "--audit", 0)
    assert (ended.code, ended.out[:18]) == (0, "Nothing to review:")
    with open_record(str(tmp_path / "protocol.record.sqlite"), create=False, exclusive=False) as s:
        assert s.reviews.all() == ()


def test_a_taken_port_is_one_line(tmp_path):
    record = undecided_record(tmp_path, 2)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ended = command("review", record, "--port", taken.getsockname()[1])
    assert ended.code == 2
    assert "is in use; choose another with --port" in ended.err
    ended = command("review", record, "--host", "192.0.2.1", "--port", 0)
    assert (ended.code, ended.err.count("\n")) == (2, 1)


def test_a_record_that_is_being_run_is_not_reviewed(tmp_path):
    record = undecided_record(tmp_path, 2)
    with open_record(str(record), create=False, exclusive=True):
        ended = command("review", record, "--port", 0)
    assert (ended.code, "in use by another run" in ended.err) == (2, True)
    with served(record, "--port", 0), pytest.raises(RecordBusyError):
        open_record(str(record), create=False, exclusive=True)


WITHOUT_RIGHTS = """
import os, sys
sys.path[:0] = sys.argv[2:]
from commands import command_here
import counterbalance.review.opening, counterbalance.review.serving, counterbalance.review.session
record = sys.argv[1]
assert command_here("review", record, "--status").code == 0
if os.geteuid() == 0:
    os.setgroups([]); os.setresgid(65534, 65534, 65534); os.setresuid(65534, 65534, 65534)
for words in (("--status",), ("--port", "0"), ("--close",)):
    ended = command_here("review", record, *words)
    print(ended.code, (ended.out + ended.err).strip())
"""


def test_a_record_that_nobody_may_write(tmp_path):
    record = undecided_record(tmp_path, 2)
    for folder in (tmp_path, *tmp_path.parents):
        if folder.name.startswith(("pytest-", "popen-")):
            folder.chmod(0o755)
    tmp_path.chmod(0o555)
    try:
        words = [sys.executable, "-c", WITHOUT_RIGHTS, str(record), *sys.path]
        done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=120)
    finally:
        tmp_path.chmod(0o755)
    status, served_, closed = done.stdout.splitlines()
    assert status == "0 There is no review of the newest revision yet."
    for refused in (served_, closed):
        assert refused.startswith("2 ")
        assert "cannot be written" in refused


def test_what_cannot_be_saved_is_said_and_sent_again(tmp_path, postgres):
    place = postgres.place()
    rows = [row(n, reference=None) for n in range(3)]
    run(write_study(tmp_path, rows=rows, judge="slot_rate = 1.0"), place)
    port = free_port()
    with served(place, "--port", port) as page:
        tab = page.browser()
        shown = tab.get()
        postgres.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            " AND backend_type = 'client backend'"
        )
        failed = tab.post("/answer", ticket=shown.field("ticket"), choice="1")
        assert (failed.status, "was not saved" in failed.text) == (503, True)
        assert "Traceback" not in failed.text
    with served(place, "--port", port):
        saved = tab.post("/answer", ticket=shown.field("ticket"), choice="1")
        assert saved.headers["location"] == "/?said=saved"
    assert len(answered(place)) == 1


def test_an_imported_log_has_no_texts_to_review(tmp_path):
    log = jsonl(tmp_path / "log.jsonl", [fastchat_row(n, "model_1", "model_2") for n in range(3)])
    record = tmp_path / "log.record.sqlite"
    assert command("import", log, "--record", record).code == 0
    ended = command("review", record, "--port", 0)
    assert (ended.code, "holds an imported log" in ended.err) == (2, True)


def test_what_is_fixed_is_fixed(tmp_path):
    record = undecided_record(tmp_path, 2)
    with served(record, "--port", 0, "--audit", 4):
        pass
    ended = command("review", record, "--audit", 5)
    assert (ended.code, "was opened with 4" in ended.err) == (2, True)


@pytest.mark.parametrize("name", ["", "  ", "x" * 41, "a\x1b[31m", "a\nb"])
def test_names_that_no_terminal_should_print(tmp_path, name):
    ended = command("review", tmp_path / "absent", "--reviewer", name)
    assert (ended.code, "printable characters" in ended.err) == (2, True)


def test_a_megabyte_is_shown_whole(tmp_path):
    long = "A line of a long answer, و שלום 🙂\n" * 30_000
    record = undecided_record(tmp_path, 1, a={"system": "old", "text": long})
    with served(record, "--port", 0) as page:
        tab = page.browser()
        tab.post("/switch", diff="on")
        shown = tab.get()
        assert shown.text.count("A line of a long answer") == 30_000
        assert "too long to mark their differences" in shown.text
        assert tab.answer("2").headers["location"] == "/?said=saved"


def test_a_team_store_keeps_a_review(tmp_path, postgres):
    place = postgres.place()
    rows = [row(n, reference=None) for n in range(3)]
    run(write_study(tmp_path, rows=rows, judge="slot_rate = 1.0"), place)
    with served(place, "--port", 0) as page:
        tab = page.browser()
        tab.answer("1")
        ticket = tab.get().field("ticket")
        with ThreadPoolExecutor(4) as tabs:
            sent = [tabs.submit(tab.post, "/answer", ticket=ticket, choice=c) for c in "1212"]
        assert [s.result().headers["location"] for s in sent].count("/?said=saved") == 1
        page.kill()
    assert len(answered(place)) == 2


def test_an_export_is_only_read(tmp_path):
    record = undecided_record(tmp_path, 2)
    assert command("record", "export", record, tmp_path / "copy.jsonl").code == 0
    ended = command("review", tmp_path / "copy.jsonl", "--port", 0)
    assert (ended.code, "an export is only read" in ended.err) == (2, True)
