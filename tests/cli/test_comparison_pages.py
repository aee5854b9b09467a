"""Pages of comparisons say what their data say, in one file that loads and runs nothing."""

from __future__ import annotations

import re

import pytest

import compared_pages
from commands import command_here, is_one_clear_line
from page_reading import read_page

KINDS = ("compare", "runs", "drift", "strategies")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    return compared_pages.written(tmp_path_factory.mktemp("pages"))


def page_of(written, kind):
    return read_page(written[kind][1].read_text("utf-8"))


def section(page, name):
    return next(s for s in page.all("section") if s.attributes["id"] == name)


@pytest.mark.parametrize("kind", ["compare", "runs", "drift"])
def test_every_difference_is_drawn_with_the_numbers_of_the_data(written, kind):
    (comparison,) = written[kind][0]["comparisons"]
    rows = list(section(page_of(written, kind), "differences").first("tbody").all("tr"))
    assert len(rows) == len(comparison["measures"]) == 5
    for row, (name, found) in zip(rows, comparison["measures"].items(), strict=True):
        assert row.first("code").text == name
        shown = {d.attributes["class"]: float(d.attributes["value"]) for d in row.all("data")}
        wanted = {key: found[key] for key in ("value", "low", "high") if found[key] is not None}
        assert shown == wanted
        assert f"of {found['common']} common pairs" in row.text
        margin = [r for r in row.all("rect") if r.has_class("margin")]
        assert bool(margin) is (found["margin"] is not None)
        (dot,) = row.all("circle")
        told = found["adjusted"] is not None and found["adjusted"] <= 0.05
        assert dot.has_class("ring") is not told


@pytest.mark.parametrize("kind", ["compare", "runs", "drift"])
def test_verdict_pairs_and_moves_are_those_of_the_data(written, kind):
    (comparison,) = written[kind][0]["comparisons"]
    page = page_of(written, kind)
    said = section(page, "verdict").text
    assert comparison["attribution"]["sentence"] in said
    for found in comparison["measures"].values():
        assert " ".join(found["sentence"].split()) in said
    moved = comparison["dispositions"]
    cells = [
        [int(cell.children[0]) for cell in row.all("td")]
        for row in section(page, "dispositions").first("tbody").all("tr")
    ]
    assert cells == moved["cells"]
    assert f"{len(moved['moved'])} moved" in section(page, "dispositions").text
    shared = f"n = {comparison['pairs']['shared']} shared pairs"
    assert shared in section(page, "pairs").text
    assert [s["name"] for s in comparison["attribution"]["settings"]] == [
        row.first("th").text for row in section(page, "settings").first("tbody").all("tr")
    ]


def test_panel_odds_and_drift_beyond_noise_have_sections(written):
    page = page_of(written, "compare")
    assert "Krippendorff's alpha" in section(page, "panel").text
    assert "averaged over pairs" in section(page, "odds").text
    (part,) = written["drift"][0]["comparisons"]
    row = section(page_of(written, "drift"), "noise").first("tbody").first("tr")
    verdicts = part["verdicts"]
    assert f"{verdicts['changed']} of {verdicts['compared']} verdicts changed" in row.text
    assert f"{100 * verdicts['excess']:+.1f} points" in row.text


def test_strategies_stand_with_cost_frontier_and_advice(written):
    value, _ = written["strategies"]
    page = page_of(written, "strategies")
    rows = list(section(page, "strategies").first("tbody").all("tr"))
    for row, one in zip(rows, value["strategies"], strict=True):
        assert row.first("th").text.startswith(one["strategy"])
        found = one["agreement"]
        assert f"{found['numerator']:g} / {found['denominator']:g}" in row.text
    marks = list(section(page, "cost-agreement").all("circle"))
    on_frontier = [each["beaten_by"] is None for each in value["frontier"]["points"]]
    assert [mark.has_class("stable") for mark in marks] == on_frontier
    said = section(page, "verdict").text
    for each in value["advice"]:
        assert " ".join(each["sentence"].split()) in said
    assert "Somebody else's judges and data" in section(page, "prior").text
    drawn = list(section(page, "agreement").first("tbody").all("tr"))
    assert len(drawn) == len(value["differences"])


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_whole_and_inert(written, kind):
    text = written[kind][1].read_text("utf-8")
    assert "<script" not in text
    assert "\u202e" not in text
    root = read_page(text)
    ids = [e.attributes["id"] for e in root.all() if "id" in e.attributes]
    assert len(ids) == len(set(ids))
    assert {a.attributes["href"][1:] for a in root.all("a")} <= set(ids)
    assert not {name for e in root.all() for name in e.attributes} & {"src", "style", "onclick"}
    assert "http" not in re.sub(r'http-equiv="', "", text)
    for table in root.all("table"):
        assert len(table.first("caption").text) > len(table.first("strong").text) > 0


@pytest.mark.parametrize("verb", ["compare", "drift"])
def test_no_page_replaces_a_record(written, verb):
    folder = written["drift"][1].parent
    records = [folder / name / "protocol.record.sqlite" for name in ("earlier", "later")]
    ended = command_here(verb, *records, "--html", records[1])
    assert (ended.code, is_one_clear_line(ended)) == (2, True)
    assert "not overwritten" in ended.err
