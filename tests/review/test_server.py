"""The page over a real socket: who gets in, what is told, and what two tabs can do."""

from __future__ import annotations

import html
import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

import extras
from counterbalance.parsing.outcome import OutcomeKind
from counterbalance.record import open_record
from counterbalance.review.choices import answered_at
from review_process import Browser, served, undecided_record

HOSTILE = (
    '<script>alert(1)</script><img src=x onerror="alert(2)"> \u202eאבג\x1b[31m =1+1 {{ 7*7 }} \'"&'
)


@pytest.fixture(scope="module", autouse=True)
def _installed():
    extras.require("review")


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    record = undecided_record(tmp_path_factory.mktemp("review"), 40, prompt=HOSTILE)
    with served(record, "--port", 0, "--audit", 0, "--repeats", 0) as found:
        found.record = record
        found.tab = found.browser()
        yield found


def calls_of(record):
    with open_record(str(record), create=False, exclusive=False) as store:
        (review,) = store.reviews.all()
        return store.reviews.calls(review)


def answers_of(record):
    answered = [call for call in calls_of(record) if call.attempt is not None]
    return sorted(answered, key=lambda call: answered_at(call.attempt))


def test_nobody_gets_in_without_a_link(page):
    stranger = Browser(page.port)
    for answer in (
        stranger.get(),
        stranger.get("/enter/guess"),
        stranger.post("/enter", link="guess"),
        stranger.post("/answer", ticket=page.tab.get().field("ticket"), choice="1"),
        stranger.post("/undo", last="x"),
        stranger.post("/flag", ticket="x"),
        stranger.post("/evidence", last="x"),
    ):
        assert answer.status == 403
        assert "Response 1" not in answer.text


def test_a_link_lets_one_browser_in(page):
    path = page.links["reviewer"].removeprefix(page.root)
    other = Browser(page.port)
    assert other.get(path).status == 403
    assert other.post("/enter", link=path.rpartition("/")[2]).status == 403
    assert page.tab.get(path).status == 303


def test_the_cookie_is_for_this_page_only(page):
    path = page.links["reviewer"].removeprefix(page.root)
    came = page.tab.post("/enter", link=path.rpartition("/")[2])
    (cookie,) = came.headers.get_all("set-cookie")
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://evil.example", "Sec-Fetch-Site": "same-origin"},
    ],
)
def test_a_form_of_another_page_is_refused(page, headers):
    before = len(answers_of(page.record))
    ticket = page.tab.get().field("ticket")
    assert page.tab.post("/answer", headers=headers, ticket=ticket, choice="1").status == 403
    assert len(answers_of(page.record)) == before


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", ""])
def test_another_name_for_this_machine_is_refused(page, host):
    answer = page.tab.get("/", Host=host)
    assert answer.status in {400, 421}
    assert "Response" not in answer.text


def test_every_answer_says_what_a_page_may_do(page):
    for path in ("/", "/static/review.js", "/static/absent", "/absent", "/enter/guess"):
        headers = page.tab.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "same-origin"
        assert "etag" not in headers
        assert "server" not in headers


def test_a_large_form_is_refused(page):
    ticket = page.tab.get().field("ticket")
    answer = page.tab.post("/answer", ticket=ticket, choice="1", more="x" * 100_000)
    assert answer.status == 413


def test_a_form_that_is_none_changes_nothing(page):
    before = len(answers_of(page.record))
    ticket = page.tab.get().field("ticket")
    for fields in ({}, {"ticket": ticket}, {"ticket": ticket, "choice": "9"}, {"choice": "1"}):
        assert page.tab.post("/answer", **fields).status == 303
    assert len(answers_of(page.record)) == before


def test_hostile_texts_are_shown_as_texts(page):
    text = page.tab.get().text
    assert "<script>alert" not in text
    assert "<img" not in text
    assert (
        html.escape(HOSTILE, quote=True).replace("&#x27;", "&#39;").replace("&quot;", "&#34;")
        in text
    )
    assert HOSTILE in html.unescape(text)


def test_nothing_tells_who_wrote_what_or_why(page):
    told = page.tab.get().text
    told += page.tab.get("/static/review.js").text + page.tab.get("/static/review.css").text
    for hint in (
        "old",
        "new",
        "p1",
        "p0",
        "script-judge",
        "primacy",
        "disagree",
        "forward",
        "reversed",
        "b2:",
    ):
        # The texts themselves hold the words old and new; what is around them must not.
        around = re.sub(
            r"(The old answer to \d+\.|A new and somewhat longer answer to \d+\.)", "", told
        )
        assert hint not in around.replace("unfold", ""), hint


def test_an_answer_is_on_disk_before_the_next_case(page):
    before = len(answers_of(page.record))
    ticket = page.tab.get().field("ticket")
    came = page.tab.post(
        "/answer", ticket=ticket, choice="3", scrolled_1="1", left_page="2", milliseconds="900"
    )
    assert (came.status, came.headers["location"]) == (303, "/?said=saved")
    latest = answers_of(page.record)[-1].attempt
    assert len(answers_of(page.record)) == before + 1
    assert latest.outcome.kind is OutcomeKind.TIE
    assert json.loads(latest.reply.text) == {
        "choice": "3",
        "answered_at": answered_at(latest),
        "seen": {"scrolled_1": True, "scrolled_2": False, "left_page": 2, "milliseconds": 900},
    }
    assert latest.seconds is not None
    assert page.tab.get("/?said=saved").text.count("Your answer is saved.") == 1


def test_two_tabs_give_one_answer(page):
    before = len(answers_of(page.record))
    ticket = page.tab.get().field("ticket")
    assert page.tab.get().field("ticket") == ticket
    with ThreadPoolExecutor(8) as tabs:
        sent = [
            tabs.submit(page.tab.post, "/answer", ticket=ticket, choice=str(1 + n % 2))
            for n in range(16)
        ]
    places = [one.result().headers["location"] for one in sent]
    assert places.count("/?said=saved") == 1
    assert places.count("/?said=stale") == 15
    assert len(answers_of(page.record)) == before + 1


def test_an_undo_is_a_new_row_and_happens_once(page):
    page.tab.answer("1")
    before = calls_of(page.record)
    last = page.tab.get().field("last")
    assert page.tab.post("/undo", last=last).headers["location"] == "/?said=undone"
    assert page.tab.post("/undo", last=last).headers["location"] == "/?said=stale"
    after = calls_of(page.record)
    assert after[: len(before)] == before
    (again,) = [call for call in after if call.number == 2]
    assert again.attempt is None
    page.tab.answer("2")
    kept = [call for call in calls_of(page.record) if call.key == again.key]
    assert [call.attempt.outcome.kind for call in kept] == [OutcomeKind.FIRST, OutcomeKind.SECOND]


def test_what_an_answer_relied_on_is_asked_after_it(page):
    page.tab.answer("1")
    last = page.tab.get().field("last")
    fields = {"last": last, "on_source": "on", "on_absent": "on", "comment": " é\u202e<b> "}
    assert page.tab.post("/evidence", **fields).headers["location"] == "/?said=noted"
    assert page.tab.post("/evidence", last=last).headers["location"] == "/?said=nothing"
    page.tab.answer("1")
    assert page.tab.post("/evidence", **fields).headers["location"] == "/?said=stale"
    with open_record(str(page.record), create=False, exclusive=False) as store:
        notes = store.reviews.notes(store.reviews.all()[0])
    content = [note.content for note in notes if note.kind == "evidence"]
    assert content == [{"relied_on": ["source"], "comment": "é\u202e<b>"}]


def test_a_flag_is_recorded_and_taken_back(page):
    ticket = page.tab.get().field("ticket")
    assert page.tab.post("/flag", ticket=ticket).headers["location"] == "/?said=flagged"
    assert "Flagged: gives away" in page.tab.get().text
    assert page.tab.post("/flag", ticket=ticket).headers["location"] == "/?said=unflagged"
    assert page.tab.post("/flag", ticket="x").headers["location"] == "/?said=stale"


def test_keys_and_marks_can_be_switched(page):
    assert 'data-keys="on"' in page.tab.get().text
    page.tab.post("/switch", keys="off")
    assert 'data-keys="off"' in page.tab.get().text
    page.tab.post("/switch", keys="on", diff="on")
    marked = page.tab.get().text
    assert "<mark>" in marked
    page.tab.post("/switch", diff="off")
    assert "<mark>" not in page.tab.get().text


def test_unknown_words_in_the_address_are_not_repeated(page):
    assert "bogus" not in page.tab.get("/?said=bogus").text
