"""The page of a probe battery: the numbers of its data, Holm's marks, margins, inert texts."""

from __future__ import annotations

import json

import pytest

from commands import command_here
from page_reading import read_page
from probes.planted import EXCHANGED, write_battery

PROBES = ["identical", "labels", "expanded", "truncated", "markdown", "injection"]
TITLE = 'title = "A <script>alert(1)</script> battery \\u202e"'


@pytest.fixture(scope="module")
def battery(tmp_path_factory):
    folder = tmp_path_factory.mktemp("battery")
    path = write_battery(
        folder, PROBES, judge="length_rate = 0.7\nnoise = 0.2\ntie_rate = 0.1", n=16,
        more=EXCHANGED, bias="margin = 0.2",
    )  # fmt: skip
    path.write_text(path.read_text("utf-8").replace('title = "A small study"', TITLE), "utf-8")
    ended = command_here("bias", path, "--quiet", "--json", "--html", folder / "bias.html")
    assert ended.code == 0, ended.err
    return json.loads(ended.out), (folder / "bias.html").read_text("utf-8"), path


def rows_of(page):
    (table,) = [table for table in read_page(page).all("table") if table.has_class("forest")]
    return list(table.first("tbody").all("tr"))


def test_every_probe_stands_with_the_numbers_of_the_data(battery):
    value, page, _ = battery
    for line, probe in zip(rows_of(page), value["probes"], strict=True):
        found = {d.attributes["class"]: float(d.attributes["value"]) for d in line.all("data")}
        wanted = {key: probe["scores"]["b"][key] for key in ("value", "low", "high")}
        assert line.first("code").text == probe["probe"]
        assert found == {key: number for key, number in wanted.items() if number is not None}


def test_holm_marks_and_margins_are_drawn(battery):
    value, page, _ = battery
    marks = []
    for line, probe in zip(rows_of(page), value["probes"], strict=True):
        (band,) = [rect for rect in line.all("rect") if rect.has_class("margin")]
        assert (band.attributes["x"], band.attributes["width"]) == ("40.0%", "20.0%")
        (dot,) = line.all("circle")
        assert dot.has_class("ring") is not ("✱" in line.text)
        assert ("✱" in line.text) is bool(probe["is_rejected"])
        marks.append(bool(probe["is_rejected"]))
    assert set(marks) == {True, False}


def test_the_page_is_whole_and_inert(battery):
    _, page, _ = battery
    assert "<script" not in page
    assert "\u202e" not in page
    root = read_page(page)
    assert "A <script>alert(1)</script> battery \\u202e" in root.first("h1").text
    ids = {e.attributes["id"] for e in root.all() if "id" in e.attributes}
    assert {a.attributes["href"][1:] for a in root.all("a")} <= ids
    assert not {name for e in root.all() for name in e.attributes} & {"src", "style", "onclick"}
    for table in root.all("table"):
        assert len(table.first("caption").text) > len(table.first("strong").text) > 0


def test_the_page_replaces_no_evidence(battery):
    *_, path = battery
    ended = command_here("bias", path, "--quiet", "--html", path.parent / "pairs.jsonl")
    assert ended.code == 2
    assert "not overwritten" in ended.err
    ended = command_here("bias", "--published", path, "--html", path.parent / "new.html")
    assert ended.code == 2
    assert "--html: is of judges" in ended.err
