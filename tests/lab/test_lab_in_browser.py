"""The lab in a real browser: offline, by keys alone, with and without scripts."""

from __future__ import annotations

import pytest

import extras
from counterbalance.lab.assignment import independent_counts
from counterbalance.lab.page import render_lab


@pytest.fixture(scope="module")
def chromium():
    with extras.chromium() as started:
        yield started


@pytest.fixture
def opened(chromium, tmp_path):
    page = tmp_path / "lab.html"
    page.write_text(render_lab(), "utf-8")
    contexts = []

    def open_page(width=1200, **settings):
        context, shown, heard = extras.opened(chromium, page.as_uri(), width=width, **settings)
        contexts.append(context)
        assert heard == [page.as_uri()]
        return shown

    yield open_page
    for context in contexts:
        context.close()


def predict(shown, n="20", p="0.5", guess="10"):
    for name, value in (("n", n), ("p", p), ("guess", guess)):
        shown.fill(f"#{name}", value)
    shown.press("#guess", "Enter")


def test_nothing_is_shown_before_the_prediction(opened):
    shown = opened()
    assert not shown.is_visible("#inspection")
    predict(shown)
    assert shown.is_visible("#inspection")
    reading = shown.inner_text("#reading")
    assert "mean 10 and variance 5" in reading
    assert "exactly 10 with probability 0.1762" in reading
    assert shown.is_disabled("#guess")
    shown.click("#start-over")
    assert not shown.is_visible("#inspection")
    assert shown.is_enabled("#guess")
    assert shown.input_value("#guess") == ""


@pytest.mark.parametrize(
    ("n", "p"), [("20", "0.5"), ("1", "0.3"), ("500", "0.97"), ("9", "0"), ("9", "1")]
)
def test_the_page_counts_as_the_command_does(opened, n, p):
    shown = opened()
    predict(shown, n, p, "1")
    cells = shown.eval_on_selector_all(
        "#values tr", "rows => rows.map(row => [...row.children].map(cell => cell.textContent))"
    )
    counts = independent_counts(int(n), float(p))
    assert [int(k) for k, *_ in cells] == list(range(int(n) + 1))
    for k, alone, far, _ in cells:
        # Four decimals, or three digits where that would be nothing.
        assert float(alone) == pytest.approx(counts.probabilities[int(k)], rel=6e-3, abs=5.1e-5)
        assert float(far) == pytest.approx(counts.at_least_as_far(int(k)), rel=6e-3, abs=5.1e-5)
    assert shown.locator("#bars rect").count() == int(n) + 1


def test_what_cannot_be_predicted_is_said(opened):
    shown = opened()
    predict(shown, n="5", guess="6")
    assert "0 to 5" in shown.inner_text("#said")
    assert not shown.is_visible("#inspection")


def test_keys_are_enough_and_playback_goes_one_by_one(opened):
    shown = opened()
    shown.focus("#n")
    for key in ("Tab", "Tab", "7", "Enter"):
        shown.keyboard.press(key)
    assert shown.evaluate("document.activeElement.id") == "inspect-title"
    shown.focus("#forth")
    shown.keyboard.press("Enter")
    assert shown.inner_text("#outcome").startswith("0 in the first slot, 20 in the second")
    shown.keyboard.press("Enter")
    assert shown.inner_text("#outcome").startswith("1 in the first slot")
    assert shown.locator("#bars rect.shown").count() == 1
    shown.keyboard.press("Shift+Tab")
    shown.keyboard.press("Enter")
    assert shown.inner_text("#outcome").startswith("0 in the first slot")
    assert shown.is_disabled("#back")


def test_play_runs_to_the_end(opened):
    shown = opened()
    predict(shown, n="3", guess="2")
    shown.select_option("#speed", "250")
    shown.click("#play")
    shown.locator("#outcome", has_text="3 in the first slot").wait_for()
    shown.locator("#play", has_text="Play").wait_for()
    assert shown.is_disabled("#forth")


def test_play_pauses_on_request(opened):
    shown = opened()
    predict(shown, n="500", guess="2")
    shown.select_option("#speed", "250")
    shown.click("#play")
    shown.locator("#outcome", has_text="in the first slot").wait_for()
    shown.click("#play")
    stood = shown.inner_text("#outcome")
    assert shown.get_attribute("#play", "aria-pressed") == "false"
    shown.wait_for_timeout(600)
    assert shown.inner_text("#outcome") == stood


def test_nothing_moves_for_who_wants_no_motion(opened):
    shown = opened(reduced_motion="reduce")
    predict(shown)
    shown.click("#play")
    assert shown.inner_text("#outcome").startswith("0 in the first slot")
    shown.wait_for_timeout(900)
    assert shown.inner_text("#outcome").startswith("0 in the first slot")


def test_without_scripts_the_exact_values_stand(opened):
    shown = opened(java_script_enabled=False)
    text = shown.inner_text("main")
    assert "0.176197" in text
    assert "No judge is run" in text


@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("light", 320), ("dark", 1200)])
def test_no_rule_of_accessibility_is_broken(opened, scheme, width):
    shown = opened(width, scheme=scheme, bypass_csp=True)
    for step in (lambda: None, lambda: predict(shown), lambda: shown.click("#forth")):
        step()
        shown.evaluate("document.querySelector('details').open = true")
        assert extras.broken_rules(shown) == []
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
