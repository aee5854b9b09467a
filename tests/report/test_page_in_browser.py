"""The page in a real browser: offline, without a script, in light, dark, narrow and print."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import compared_pages
import extras
from commands import command
from foreign_logs import fastchat_row, jsonl
from probes.planted import EXCHANGED, write_battery
from report.gate.studies_with_gates import MISSING, ORDER, judged
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
COLOURS = "{runOnly: ['color-contrast', 'link-in-text-block']}"
SCREENS = [
    ("light", 1200, extras.ALL_RULES),
    ("light", 360, extras.ALL_RULES),
    ("dark", 1200, COLOURS),
]
"""Colours, width and what axe is to look for: only colours change in the dark."""
OTHER_PAGES = ("bias", "gate", "compare", "drift", "strategies")
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


def gate_page(folder: Path) -> Path:
    record = judged(folder, ORDER + MISSING, 30, judge="slot_rate = 0.4\nunparsed_rate = 0.1")
    ended = command("gate", record, "--html", folder / "gate.html")
    assert ended.code == 1, ended.err
    return folder / "gate.html"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    extras.browser()
    compared = compared_pages.written(tmp_path_factory.mktemp("compared"))
    return {
        **{kind: path for kind, (_, path) in compared.items()},
        "gate": gate_page(tmp_path_factory.mktemp("gate")),
        "run": run_page(tmp_path_factory.mktemp("run")),
        "log": log_page(tmp_path_factory.mktemp("log")),
        "bias": bias_page(tmp_path_factory.mktemp("bias")),
    }


@pytest.fixture(scope="module")
def chromium(pages):
    # After the pages, which need an event loop of their own.
    assert pages
    with extras.chromium() as started:
        yield started


@pytest.mark.parametrize("name", ["run", "log"])
def test_it_asks_for_nothing_and_complains_of_nothing(chromium, pages, name):
    context, shown, heard = extras.opened(chromium, pages[name].as_uri(), java_script_enabled=False)
    assert heard == [pages[name].as_uri()]
    assert "The verdict" in shown.inner_text("main")
    background = shown.locator(".verdict").first
    assert background.evaluate("each => getComputedStyle(each).borderLeftWidth") == "5px"
    context.close()


@pytest.mark.parametrize("name", ["run", "log"])
@pytest.mark.parametrize(("scheme", "width", "rules"), SCREENS)
def test_no_rule_of_accessibility_is_broken(chromium, pages, name, scheme, width, rules):
    context, shown, _ = extras.opened(
        chromium, pages[name].as_uri(), scheme, width, bypass_csp=True
    )
    shown.evaluate(OPEN_ALL)
    assert extras.broken_rules(shown, rules, 30 if scheme == "light" else 0) == []
    context.close()


@pytest.mark.parametrize("name", ["run", "log"])
@pytest.mark.parametrize("width", [320, 360, 1200])
def test_the_page_never_scrolls_sideways(chromium, pages, name, width):
    context, shown, _ = extras.opened(chromium, pages[name].as_uri(), width=width)
    shown.evaluate(OPEN_ALL)
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    context.close()


def test_dark_is_dark_and_paper_is_white(chromium, pages):
    context, shown, _ = extras.opened(chromium, pages["run"].as_uri(), "dark")
    colour = "getComputedStyle(document.body).backgroundColor"
    assert shown.evaluate(colour) == "rgb(20, 24, 29)"
    shown.emulate_media(media="print", color_scheme="dark")
    assert shown.evaluate(colour) == "rgb(255, 255, 255)"
    context.close()


def test_print_holds_what_is_folded(chromium, pages):
    context, shown, _ = extras.opened(chromium, pages["run"].as_uri())
    text = shown.locator(".case .foreign").first
    assert not text.is_visible()
    shown.emulate_media(media="print")
    assert text.evaluate("each => each.checkVisibility({contentVisibilityAuto: true})")
    assert text.bounding_box()["height"] > 10
    assert not shown.locator("nav").is_visible()
    context.close()


def test_keys_are_enough(chromium, pages):
    context, shown, _ = extras.opened(chromium, pages["run"].as_uri())
    shown.keyboard.press("Tab")
    assert shown.evaluate("document.activeElement.className") == "skip"
    shown.keyboard.press("Enter")
    assert shown.evaluate("document.activeElement.id") == "verdict"
    summary = shown.locator(".case summary").first
    summary.focus()
    shown.keyboard.press("Enter")
    assert shown.locator(".case .foreign").first.is_visible()
    context.close()


@pytest.mark.parametrize("name", OTHER_PAGES)
def test_pages_of_other_verbs_keep_the_same_rules(chromium, pages, name):
    page = pages[name].as_uri()
    context, shown, heard = extras.opened(chromium, page, "dark", 320, bypass_csp=True)
    assert heard == [page]
    shown.evaluate(OPEN_ALL)
    assert shown.evaluate("document.documentElement.scrollWidth") <= 320
    assert extras.broken_rules(shown, COLOURS, 0) == []
    shown.emulate_media(color_scheme="light")
    assert extras.broken_rules(shown) == []
    context.close()
