"""The page of a gate: every check with its numbers, the record, and nothing that acts."""

from __future__ import annotations

import json
import re

import pytest

from commands import command_here, is_one_clear_line
from page_reading import read_page
from report.gate.studies_with_gates import MISSING, ORDER, judged

LEAD = """
[[gate]]
name = "not worse <script>alert(1)</script> \\u202e"
measure = "lead_of_b"
at_least = -0.03
confidence = 0.95
"""


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gate")
    judge = "slot_rate = 0.4\nunparsed_rate = 0.05\n"
    record = judged(folder, ORDER + MISSING + LEAD, 40, judge=judge)
    ended = command_here("gate", record, "--json", "--html", folder / "gate.html")
    assert ended.code == 1, ended.err
    return json.loads(ended.out), (folder / "gate.html").read_text("utf-8"), record


def rows_of(page: str):
    table = next(t for t in read_page(page).all("table") if t.has_class("forest"))
    return list(table.first("tbody").all("tr"))


def test_every_check_stands_with_verdict_value_and_count(shown):
    value, page, _ = shown
    assert len({check["verdict"] for check in value["checks"]}) > 1
    for row, check in zip(rows_of(page), value["checks"], strict=True):
        found, number = row.first("td").text, check["estimate"]
        assert found.startswith(f"{check['verdict']}: ")
        assert re.search(rf"\b{number['denominator']:g} pairs", found)
        assert row.first("th").text.startswith(check["rule"]["name"][:9])
        assert ("needed" in found) is (check["verdict"] == "not enough evidence")
        assert f"method {number['method']}" in found


def test_the_allowed_side_is_shaded_and_the_value_is_where_it_belongs(shown):
    value, page, _ = shown
    for row, check in zip(rows_of(page), value["checks"], strict=True):
        rule, bottom = check["rule"], -1.0 if check["rule"]["measure"] == "lead_of_b" else 0.0

        def place(number, bottom=bottom):
            return 100 * (number - bottom) / (1 - bottom)

        (band,) = (r for r in row.all("rect") if r.has_class("margin"))
        (dot,) = row.all("circle")
        start = 0 if "at_most" in rule else place(rule["at_least"])
        assert float(band.attributes["x"].rstrip("%")) == pytest.approx(start, abs=0.01)
        at = float(dot.attributes["cx"].rstrip("%"))
        assert at == pytest.approx(place(check["estimate"]["value"]), abs=0.01)
        assert dot.has_class("ring") is (check["verdict"] == "not enough evidence")


def test_the_record_is_reconciled_on_the_page_as_in_the_data(shown):
    value, page, _ = shown
    (run,) = value["reconciliations"]
    text = read_page(page).text
    assert f"n = {run['planned']} presentations planned" in text
    assert run["adds_up"]
    assert run["planned"] == run["with_verdict"] + sum(run["without_verdict"].values())
    assert "The parts add up." in text


def test_a_run_that_was_stopped_says_so_first(tmp_path):
    more = ORDER + "[budget]\nmax_calls = 100\n"
    record = judged(tmp_path, more, 60, judge="slot_rate = 0.0\n")
    ended = command_here("gate", record, "--html", tmp_path / "gate.html")
    assert ended.code == 3
    verdict = next(read_page((tmp_path / "gate.html").read_text("utf-8")).all("section"))
    assert "20 of 120 presentations were not run" in verdict.text


def test_the_page_is_whole_and_inert(shown):
    _, page, record = shown
    assert "<script" not in page
    assert "\u202e" not in page
    root = read_page(page)
    ids = {e.attributes["id"] for e in root.all() if "id" in e.attributes}
    assert {a.attributes["href"][1:] for a in root.all("a")} <= ids
    assert not {name for e in root.all() for name in e.attributes} & {"src", "style", "onclick"}
    ended = command_here("gate", record, "--html", record)
    assert (ended.code, is_one_clear_line(ended)) == (2, True)
