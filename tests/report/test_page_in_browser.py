"""The page in a real browser: offline, without a script, in light, dark, narrow and print."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

import extras
from commands import command
from foreign_logs import fastchat_row, jsonl
from probes.planted import EXCHANGED, write_battery
from studies import row, run, systems_rows, write_study

if TYPE_CHECKING:
    from pathlib import Path

MORE = """
[[labellings]]
first = "B"
second = "A"
[repetitions.subset]
pairs = 12
per_order = 2
[analysis]
measures = ["length_controlled_win_rate"]
margins = {bias_position = 0.4, order_excess_disagreement = 0.1}
[length_control]
unit = "characters"
[prices.script]
prompt_usd_per_million = 100.0
completion_usd_per_million = 400.0
"""
LONG = "A_word_without_an_end_" * 200
SCREENS = [
    ("light", 1200, "{resultTypes: ['violations']}"),
    ("light", 360, "{resultTypes: ['violations']}"),
    ("dark", 1200, "{runOnly: ['color-contrast', 'link-in-text-block']}"),
]
"""Colours, width and what axe is to look for: only colours change in the dark."""
OPEN_ALL = "document.querySelectorAll('details').forEach(each => each.open = true)"


def run_page(folder: Path) -> Path:
    rows = [
        *({**r, "reference": "ab"[n % 2]} for n, r in enumerate(systems_rows(12))),
        row(12, prompt=f"<script>x</script> {LONG}"),
    ]
    rows += [row(13, a="same", b="same")]
    protocol = write_study(
        folder,
        rows=rows,
        judge="slot_rate = 0.4\nnoise = 0.3\ntie_rate = 0.1\nrefusal_rate = 0.1",
        more=MORE,
    )
    run(protocol)
    ended = command("report", folder / "protocol.record.sqlite", "--html", folder / "run.html")
    assert ended.code == 0, ended.err
    return folder / "run.html"


def log_page(folder: Path) -> Path:
    outcomes = ("model_1", "model_2", "tie", "error")
    rows = [
        fastchat_row(n, outcomes[n % 4], outcomes[n % 3], judge=[f"judge {n % 2}", LONG])
        for n in range(12)
    ]
    path = jsonl(folder / "log.jsonl", [*rows, "broken"])
    ended = command("audit", path, "--html", folder / "log.html")
    assert ended.code == 0, ended.err
    return folder / "log.html"


def bias_page(folder: Path) -> Path:
    probes = ["identical", "labels", "expanded", "truncated", "markdown", "injection"]
    path = write_battery(
        folder, probes, judge="length_rate = 0.7\nnoise = 0.2", n=16,
        more=EXCHANGED, bias="margin = 0.2",
    )  # fmt: skip
    ended = command("bias", path, "--quiet", "--html", folder / "bias.html")
    assert ended.code == 0, ended.err
    return folder / "bias.html"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    extras.browser()
    return {
        "run": run_page(tmp_path_factory.mktemp("run")),
        "log": log_page(tmp_path_factory.mktemp("log")),
        "bias": bias_page(tmp_path_factory.mktemp("bias")),
    }


@pytest.fixture(scope="module")
def chromium(pages):
    # After the pages: while it is open, its event loop is the only one that can run.
    assert pages
    path = extras.browser()
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 (an optional part)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


def opened(chromium, page: Path, scheme: str = "light", width: int = 1200, **settings):
    """Open a page as a reader does; collect every complaint and every request."""
    context = chromium.new_context(
        color_scheme=scheme, viewport={"width": width, "height": 900}, offline=True, **settings
    )
    shown = context.new_page()
    heard: list[str] = []
    shown.on("console", lambda message: heard.append(message.text))
    shown.on("pageerror", lambda error: heard.append(str(error)))
    shown.on("request", lambda request: heard.append(request.url))
    shown.on("dialog", lambda dialog: heard.append(dialog.message))
    shown.goto(page.as_uri())
    return context, shown, heard


@pytest.mark.parametrize("name", ["run", "log"])
def test_it_asks_for_nothing_and_complains_of_nothing(chromium, pages, name):
    context, shown, heard = opened(chromium, pages[name], java_script_enabled=False)
    assert heard == [pages[name].as_uri()]
    assert "The verdict" in shown.inner_text("main")
    background = shown.locator(".verdict").first
    assert background.evaluate("each => getComputedStyle(each).borderLeftWidth") == "5px"
    context.close()


@pytest.mark.parametrize("name", ["run", "log"])
@pytest.mark.parametrize(("scheme", "width", "rules"), SCREENS)
def test_no_rule_of_accessibility_is_broken(chromium, pages, name, scheme, width, rules):
    context, shown, _ = opened(chromium, pages[name], scheme, width, bypass_csp=True)
    shown.evaluate(OPEN_ALL)
    shown.evaluate((files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))
    found = shown.evaluate(f"axe.run({rules})")
    assert len(found["passes"]) > (30 if scheme == "light" else 0)
    assert [(v["id"], v["nodes"][0]["html"][:200]) for v in found["violations"]] == []
    context.close()


@pytest.mark.parametrize("name", ["run", "log"])
@pytest.mark.parametrize("width", [320, 360, 1200])
def test_the_page_never_scrolls_sideways(chromium, pages, name, width):
    context, shown, _ = opened(chromium, pages[name], width=width)
    shown.evaluate(OPEN_ALL)
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    context.close()


def test_dark_is_dark_and_paper_is_white(chromium, pages):
    context, shown, _ = opened(chromium, pages["run"], "dark")
    colour = "getComputedStyle(document.body).backgroundColor"
    assert shown.evaluate(colour) == "rgb(20, 24, 29)"
    shown.emulate_media(media="print", color_scheme="dark")
    assert shown.evaluate(colour) == "rgb(255, 255, 255)"
    context.close()


def test_print_holds_what_is_folded(chromium, pages):
    context, shown, _ = opened(chromium, pages["run"])
    text = shown.locator(".case .foreign").first
    assert not text.is_visible()
    shown.emulate_media(media="print")
    assert text.evaluate("each => each.checkVisibility({contentVisibilityAuto: true})")
    assert text.bounding_box()["height"] > 10
    assert not shown.locator("nav").is_visible()
    context.close()


def test_keys_are_enough(chromium, pages):
    context, shown, _ = opened(chromium, pages["run"])
    shown.keyboard.press("Tab")
    assert shown.evaluate("document.activeElement.className") == "skip"
    shown.keyboard.press("Enter")
    assert shown.evaluate("document.activeElement.id") == "verdict"
    summary = shown.locator(".case summary").first
    summary.focus()
    shown.keyboard.press("Enter")
    assert shown.locator(".case .foreign").first.is_visible()
    context.close()


def test_a_page_of_probes_keeps_the_same_rules(chromium, pages):
    context, shown, heard = opened(chromium, pages["bias"], "dark", 320, bypass_csp=True)
    assert heard == [pages["bias"].as_uri()]
    shown.evaluate(OPEN_ALL)
    assert shown.evaluate("document.documentElement.scrollWidth") <= 320
    shown.evaluate((files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))
    for scheme in ("dark", "light"):
        shown.emulate_media(color_scheme=scheme)
        found = shown.evaluate("axe.run({resultTypes: ['violations']})")
        assert len(found["passes"]) > 25
        assert [(v["id"], v["nodes"][0]["html"][:200]) for v in found["violations"]] == []
    context.close()
