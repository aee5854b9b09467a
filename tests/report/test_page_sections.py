"""What a page shows beside the measures: the second quadrant, length held equal, cost."""

from __future__ import annotations

import json
import re

import pytest

from commands import command_here
from compared_logs import battle_rows, written
from counterbalance.record import open_record
from counterbalance.report.build import build_report
from counterbalance.report.controlling import declared_controls
from counterbalance.report.evidence import read_evidence
from counterbalance.report.html.page import render_html
from counterbalance.report.layout import percent
from page_reading import read_page
from studies import run, systems_rows, write_study

REPEATED = "[repetitions.subset]\npairs = 12\nper_order = 2\n"
MARGINS = "[analysis]\nmargins = {bias_position = 0.4, order_excess_disagreement = 0.1}\n"
LENGTH = '[length_control]\nunit = "characters"\n'
PRICES = "[prices.script]\nprompt_usd_per_million = 100.0\ncompletion_usd_per_million = 400.0\n"
JUDGE = "slot_rate = 0.4\nnoise = 0.3\ntie_rate = 0.1"


def shown(folder, more=""):
    protocol = write_study(folder, judge=JUDGE, more=more, rows=[*systems_rows(12)])
    run(protocol)
    with open_record(protocol.with_suffix(".record.sqlite"), create=False, exclusive=False) as it:
        evidence = read_evidence(it)
    report = build_report(evidence, controls=declared_controls(evidence.protocol))
    return report, sections_of(render_html(report))


def sections_of(page):
    return {s.attributes["id"]: s for s in read_page(page).all("section")}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return shown(tmp_path_factory.mktemp("whole"), REPEATED + MARGINS + LENGTH + PRICES)


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    return shown(tmp_path_factory.mktemp("plain"))


def test_the_second_quadrant_holds_its_margins_and_its_cell(whole):
    report, sections = whole
    (group,) = report.groups
    section = sections["slot-sensitivity"]
    text = section.first("table").text
    assert group.quadrant.cell == "undetermined"
    assert "undetermined: an interval lies across its margin" in text
    assert f"margin ±0.4: {group.quadrant.slot_place.value}" in text
    assert f"margin 0.1: {group.quadrant.excess_place.value}" in text
    drawing = section.first("svg")
    assert [circle.attributes["class"] for circle in drawing.all("circle")] == ["open"]
    band, below = (dict(rect.attributes) for rect in drawing.all("rect"))
    assert float(band["width"]) > float(below["width"]) > 0
    assert float(below["height"]) > float(band["height"]) > 0


def test_the_point_lies_where_its_numbers_are(whole):
    report, sections = whole
    (group,) = report.groups
    drawing = sections["slot-sensitivity"].first("svg")
    circle = drawing.first("circle")
    ends = [float(re.sub("[^0-9.]", "", t.text) or 0) for t in drawing.all("text")][2:5]
    assert ends[0] == ends[2] > ends[1] == 0
    across = group.measure("order_excess_disagreement").value
    upright = group.measure("bias_position").value
    assert float(circle.attributes["cx"]) == pytest.approx(180 + 132 * across / ends[0], abs=0.1)
    assert float(circle.attributes["cy"]) == pytest.approx(126 - 102 * upright / ends[0], abs=0.1)


def test_without_margins_no_cell_is_named(tmp_path):
    _, sections = shown(tmp_path, REPEATED)
    text = sections["slot-sensitivity"].text
    assert "no margins declared" in text
    assert "there is no default for what matters" in text


def test_raw_and_adjusted_rates_are_never_apart(whole):
    report, sections = whole
    (group,) = report.groups
    table = sections["held-equal"].first("table")
    lines = list(table.first("tbody").all("tr"))
    for line, one in zip(lines, group.length_control.systems, strict=True):
        assert line.first("th").text.startswith(one.system)
        assert f"raw: {percent(one.raw.value)}" in line.text
        (ring,) = line.all("circle")
        assert float(ring.attributes["cx"][:-1]) == pytest.approx(100 * one.raw.value, abs=0.01)
        squares = [r.attributes["class"] for r in line.all("rect")]
        if one.adjusted.value is None:
            assert f"length held equal: none: {one.adjusted.undefined}" in line.text
            assert squares == []
        else:
            assert f"length held equal: {percent(one.adjusted.value)}" in line.text
            assert squares == ["adjusted"]
    assert any(one.adjusted.value is not None for one in group.length_control.systems)


def test_strengths_with_style_held_equal_stand_beside_raw_ones(tmp_path):
    rows = battle_rows(200, {"ada": 0.5, "bob": 0.0, "cyd": -0.5}, effect=1.0)
    page = tmp_path / "page.html"
    ended = command_here(
        "audit", written(tmp_path / "battles.json", rows), "--style", "--html", page
    )
    assert ended.code == 0, ended.err
    section = sections_of(page.read_text("utf-8"))["held-equal"]
    table = section.first("table")
    for line in table.first("tbody").all("tr"):
        assert re.search(r"raw: [+-]\d.*style held equal: [+-]\d", line.text)
        assert len(list(line.all("circle"))) == 1


def test_costs_are_those_of_the_data_and_never_nothing(whole, plain):
    (group,) = whole[0].groups
    text = whole[1]["cost"].text
    for unit in group.cost.units:
        words = f"over {unit.denominator}" if unit.undefined is None else unit.undefined
        assert words in text
    assert "$" in text
    unpriced = plain[1]["cost"].text
    assert "unpriced" in unpriced
    assert "$" not in unpriced


def test_the_frontier_has_every_strategy_and_what_beats_it(tmp_path):
    rows = [{**row, "reference": "ab"[n % 2]} for n, row in enumerate(systems_rows(8))]
    for name, more, unit in (("priced", PRICES, "dollars"), ("plain", "", "calls")):
        protocol = write_study(tmp_path / name, judge=JUDGE, more=more, rows=rows)
        run(protocol)
        page = tmp_path / f"{name}.html"
        record = protocol.with_suffix(".record.sqlite")
        assert command_here("report", record, "--html", page).code == 0
        section = sections_of(page.read_text("utf-8"))["cost-agreement"]
        asked = command_here("compare", "--strategies", record, "--json")
        points = json.loads(asked.out)["frontier"]["points"]
        lines = list(section.first("tbody").all("tr"))
        looks = [circle.attributes["class"] for circle in section.first("svg").all("circle")]
        assert f"{unit} a pair" in section.text
        for line, point, look in zip(lines, points, looks, strict=True):
            beaten = point["beaten_by"]
            assert point["name"] in line.first("th").text
            assert percent(point["agreement"]) in line.text
            assert (f"beaten by {beaten}" if beaten else "on the frontier") in line.text
            assert look == ("open" if beaten else "stable")


def test_what_nobody_asked_for_has_no_section(plain):
    assert not plain[1].keys() & {"slot-sensitivity", "held-equal", "cost-agreement"}
