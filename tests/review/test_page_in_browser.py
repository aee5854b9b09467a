"""The review page in a real browser: keys, no JavaScript, accessibility, hostile texts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import extras
from counterbalance.record import open_record
from counterbalance.review.choices import answered_at
from review_process import served, undecided_record, wait_until

if TYPE_CHECKING:
    from pathlib import Path

N_CASES = 10
HOSTILE = (
    '<script>document.title = "hacked"</script><img src=x onerror="alert(1)">'
    ' <a href="javascript:alert(1)">x</a> \u202eאבג\u202c \x1b[31mred\x1b[0m =1+1 {{ 7*7 }}'
    " A_word_without_an_end_" + "x" * 4000
)
RUBRIC = '[prompt]\nid = "with a rubric"\nrubric = "Prefer what is right, then what is short."\n'


@pytest.fixture(scope="module", autouse=True)
def _installed():
    extras.require("review")
    extras.browser()


@pytest.fixture(scope="module")
def chromium():
    with extras.chromium() as started:
        yield started


class Person:
    """A reviewer with a browser, who hears every complaint and sees every request."""

    def __init__(self, chromium, page, scheme="light", width=1200, **settings) -> None:
        self.context = chromium.new_context(
            color_scheme=scheme, viewport={"width": width, "height": 900}, **settings
        )
        self.page = self.context.new_page()
        self.heard: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.heard.append(message.text))
        self.page.on("pageerror", lambda error: self.heard.append(str(error)))
        self.page.on("dialog", lambda dialog: self.heard.append(dialog.message))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(next(iter(page.links.values())))

    def begins(self) -> None:
        self.page.get_by_role("button", name="Begin").click()
        self.page.wait_for_selector("#task")

    def presses(self, key: str) -> None:
        """Press one key, once the page listens, and wait for the page that follows."""
        self.page.wait_for_timeout(300)
        with self.page.expect_navigation():
            self.page.keyboard.press(key)

    @property
    def heading(self) -> str:
        return self.page.inner_text("h1")

    @property
    def case(self) -> int:
        return int(self.heading.split()[1])


def prepared(folder: Path, n: int = N_CASES) -> Path:
    return undecided_record(folder, n, study_more=RUBRIC, prompt=HOSTILE, context="A source. שלום")


def answers(record: Path) -> list[str]:
    with open_record(str(record), create=False, exclusive=False) as store:
        (review,) = store.reviews.all()
        found = [call.attempt for call in store.reviews.calls(review) if call.attempt is not None]
    return [attempt.outcome.label for attempt in sorted(found, key=answered_at)]


def test_ten_cases_are_reviewed_with_ten_keystrokes(chromium, tmp_path):
    record = prepared(tmp_path)
    with served(record, "--port", 0, "--repeats", 0) as page:
        person = Person(chromium, page)
        person.begins()
        keys = "1234012340"
        assert len(keys) == N_CASES
        for n, key in enumerate(keys, 1):
            assert person.heading == f"Case {n} of {N_CASES}"
            assert person.page.evaluate("document.activeElement.id") == "task"
            person.presses(key)
        assert person.heading == "Everything is answered"
        assert answers(record) == list(keys)
        assert person.heard == []
        assert {url.startswith(page.root) for url in person.asked} == {True}
        person.context.close()


def test_without_javascript_everything_but_the_keys_works(chromium, tmp_path):
    record = prepared(tmp_path, 3)
    with served(record, "--port", 0) as page:
        person = Person(chromium, page, java_script_enabled=False)
        person.begins()
        shown = person.page
        shown.get_by_role("button", name="Response 2 is better").click()
        assert shown.inner_text("#said") == "Your answer is saved."
        shown.get_by_role("button", name="Undo my last answer").click()
        assert person.heading == "Case 1 of 3"
        shown.get_by_role("button", name=re.compile("^f Flag")).click()
        shown.get_by_role("button", name="Mark differences").click()
        assert shown.locator("mark").count() > 0
        shown.get_by_role("button", name="Turn single keys off").click()
        for name in ("Response 1 is better", "Equally good", "Cannot judge"):
            shown.get_by_role("button", name=name).click()
        assert person.heading == "Everything is answered"
        shown.get_by_label("My own knowledge").check()
        shown.get_by_label("In your own words").fill("I know.")
        shown.get_by_role("button", name="Save this").click()
        assert "what your last answer relied on" in shown.inner_text("#said")
        assert answers(record) == ["2", "1", "3", "0"]
        assert person.heard == []
        person.context.close()


@pytest.fixture(scope="module")
def open_page(tmp_path_factory):
    with served(prepared(tmp_path_factory.mktemp("open")), "--port", 0, "--repeats", 0) as page:
        yield page


@pytest.fixture(scope="module")
def reader(chromium, open_page):
    person = Person(chromium, open_page, bypass_csp=True)
    person.entry_faults = extras.broken_rules(person.page, at_least=15)
    person.begins()
    person.presses("1")
    yield person
    person.context.close()


def test_no_rule_of_accessibility_is_broken(reader):
    assert reader.entry_faults == []
    shown = reader.page
    shown.evaluate("document.querySelector('#help').open = true")
    for scheme in ("light", "dark"):
        shown.emulate_media(color_scheme=scheme)
        for width in (1200, 360):
            shown.set_viewport_size({"width": width, "height": 900})
            assert extras.broken_rules(shown, at_least=15) == []


@pytest.mark.parametrize("width", [320, 360, 1200])
def test_the_page_never_scrolls_sideways(reader, width):
    reader.page.set_viewport_size({"width": width, "height": 900})
    assert reader.page.evaluate("document.documentElement.scrollWidth") <= width


def test_targets_are_large_enough_for_a_thumb(reader):
    boxes = [b.bounding_box() for b in reader.page.locator("button, summary, label.box").all()]
    assert min(box["height"] for box in boxes) >= 44


def test_hostile_texts_stay_texts(reader):
    assert reader.page.title().startswith("Case ")
    assert HOSTILE.replace("\x1b", "") in reader.page.inner_text("main").replace("\x1b", "")
    assert reader.page.locator("main img, main a").count() == 0
    assert reader.heard == []


def test_keys_that_are_not_answers(reader):
    shown = reader.page
    shown.set_viewport_size({"width": 1200, "height": 900})
    heading = reader.heading
    shown.wait_for_timeout(300)
    shown.keyboard.press("?")
    is_open = shown.evaluate("document.querySelector('#help').open")
    shown.keyboard.press("?")
    assert shown.evaluate("document.querySelector('#help').open") is not is_open
    reader.presses("d")
    assert shown.locator("mark").count() > 0
    reader.presses("d")
    assert shown.locator("mark").count() == 0
    reader.presses("f")
    assert shown.locator('[data-key="f"]').get_attribute("aria-pressed") == "true"
    reader.presses("f")
    assert reader.heading == heading
    reader.presses("u")
    assert reader.case == int(heading.split()[1]) - 1
    reader.presses("2")
    assert reader.heading == heading


def test_keys_do_nothing_where_they_are_not_meant(reader):
    shown, heading = reader.page, reader.heading
    shown.wait_for_timeout(300)
    shown.get_by_label("In your own words").fill("")
    shown.keyboard.type("1234 fud?")
    for combined in ("Control+1", "Alt+2", "Meta+3"):
        shown.locator("h1").focus()
        shown.keyboard.press(combined)
    shown.wait_for_timeout(200)
    assert reader.heading == heading
    assert shown.get_by_label("In your own words").input_value() == "1234 fud?"
    shown.get_by_role("button", name="Turn single keys off").click()
    shown.wait_for_timeout(300)
    shown.keyboard.press("1")
    shown.wait_for_timeout(200)
    assert reader.heading == heading
    shown.get_by_role("button", name="Turn single keys on").click()
    shown.get_by_label("In your own words").fill("Written and sent with the keyboard.")
    with shown.expect_navigation():
        shown.keyboard.press("Control+Enter")
    assert "relied on" in shown.inner_text("#said")


def test_a_held_key_answers_one_case(reader):
    shown, before = reader.page, reader.case
    shown.wait_for_timeout(300)
    with shown.expect_navigation():
        shown.keyboard.down("3")
    shown.keyboard.down("3")
    shown.wait_for_timeout(350)
    shown.keyboard.down("3")
    shown.keyboard.up("3")
    shown.wait_for_timeout(200)
    assert reader.case == before + 1


def test_the_whole_page_can_be_reached_with_tab(reader):
    shown = reader.page
    shown.reload()
    reached = set()
    shown.locator("h1").focus()
    for _ in range(60):
        shown.keyboard.press("Tab")
        reached.add(shown.evaluate("document.activeElement.textContent").strip()[:12])
    for wanted in ("1 Response 1", "0 Cannot jud", "u Undo my la", "f Flag: give", "Turn single "):
        assert wanted in reached, reached


def test_a_reader_who_scrolled_to_the_end_is_told_apart(chromium, tmp_path):
    record = undecided_record(tmp_path, 1, a={"system": "old", "text": "line\n" * 300})
    with served(record, "--port", 0) as page:
        person = Person(chromium, page)
        person.begins()
        shown = person.page
        long = shown.locator(".response", has_text="line").first
        slot = long.get_attribute("data-slot")
        other = "2" if slot == "1" else "1"
        value = 'document.querySelector("[name=scrolled_{}]").value'
        assert shown.evaluate(value.format(slot)) == ""
        long.evaluate("each => { each.scrollIntoView(); each.scrollTop = each.scrollHeight; }")
        wait_until(lambda: shown.evaluate(value.format(slot)) == "1")
        assert shown.evaluate(value.format(other)) == "1"
        person.context.close()
