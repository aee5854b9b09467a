"""Evidence quotes through a whole run: counted beside the verdicts, and changing none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from counterbalance.record import open_record
from counterbalance.report.build import build_report
from counterbalance.report.cases import case_values
from counterbalance.report.evidence import read_evidence
from counterbalance.report.html.explorer import explorer_pages
from counterbalance.report.html.page import render_html
from counterbalance.report.html.page_cases import run_cases
from counterbalance.report.markdown import render_markdown
from counterbalance.report.text import render_text
from counterbalance.run.from_python import run_protocol
from counterbalance.run.study import load_study
from page_reading import read_page
from studies import row, run, write_study

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = 'The courier noted: "left with a neighbour" on Monday.'
WORDS = {"p0": "“Left with a neighbour”", "p1": "left on Tuesday", "p2": ""}


def judged(folder: Path, words: dict[str, str] = WORDS) -> Path:
    rows = [row(n, context=SOURCE if n < 3 else "") for n in range(4)]
    path = write_study(folder, rows=rows)
    text = path.read_text("utf-8").replace('kind = "scripted"', 'kind = "callable"\nversion = "1"')
    text = text.replace('format = "bracket"', 'format = "json"\nquote = "evidence"')
    path.write_text(text, "utf-8")

    def judge(request):
        asked = request.messages[-1].content
        number = asked.partition("Question number ")[2][0]
        quote = words.get(f"p{number}", "left with a neighbour")
        return json.dumps({"winner": "A", "evidence": quote})

    run_protocol(path, judges={"script": judge})
    return path


def test_quotes_are_looked_for_in_the_source_and_reported_beside_the_verdicts(tmp_path):
    path = judged(tmp_path)
    with open_record(load_study(path).default_record, create=False, exclusive=False) as store:
        evidence = read_evidence(store)
    report = build_report(evidence)
    (quotes,) = report.quotes
    assert (quotes.quoted, quotes.not_found, quotes.none, quotes.without_context) == (2, 2, 2, 2)
    assert report.groups[0].dispositions["order_disagreement"] == 4
    assert "Evidence quotes" in render_text(report)
    cases = {case["pair"]: case["quotes"] for case in case_values(evidence)}
    assert {each["state"] for each in cases["p0"]} == {"quoted"}
    assert {each["quote"] for each in cases["p1"]} == {"left on Tuesday"}
    assert {each["state"] for each in cases["p3"]} == {"without_context"}


HOSTILE = "<script>alert(1)</script> \u202e & left"


@pytest.fixture(scope="module")
def evidence(tmp_path_factory):
    path = judged(tmp_path_factory.mktemp("pages"), WORDS | {"p1": HOSTILE})
    with open_record(load_study(path).default_record, create=False, exclusive=False) as store:
        return read_evidence(store)


def test_the_page_counts_quotes_out_of_the_verdicts_that_could_have_one(evidence):
    page = render_html(build_report(evidence), run_cases(evidence))
    section = next(
        s for s in read_page(page).all("section") if s.attributes["id"] == "evidence-quotes"
    )
    head, row = section.first("table").all("tr")
    assert [cell.text for cell in head.all("th")][1:6] == [
        "n", "quoted", "not found", "none", "no context"
    ]  # fmt: skip
    assert [cell.text for cell in row.all("td")][:5] == ["8", "2", "2", "2", "2"]
    assert "2 of 6" in row.text
    assert "changes none" in section.text


def test_pages_of_cases_show_the_quote_beside_the_verdict(evidence):
    page = render_html(build_report(evidence), run_cases(evidence))
    pages = dict(explorer_pages(evidence, "report.html"))
    for shown in (page, pages["cases-00001.html"]):
        cases = {
            case.first("summary").text.split()[1]: case
            for case in read_page(shown).all("details")
            if case.attributes.get("class") == "case"
        }
        for pair, state in (
            ("p0", "quoted"),
            ("p1", "not found"),
            ("p2", "none"),
            ("p3", "no context"),
        ):
            text = " ".join(cases[pair].text.split())
            # Beside the verdict of each order, and never in its place.
            assert text.count(f"Evidence quote, beside the verdict: {state}") == 2
            assert text.count("verdict a, the first slot") == 1
            assert text.count("verdict b, the first slot") == 1
        assert "<script>" not in shown
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown
        assert "\u202e" not in shown


def test_markdown_has_the_counts_as_well(evidence):
    text = render_markdown(build_report(evidence))
    assert "## Evidence quotes" in text
    assert "the protocol's own       2          2     2           2" in text


def test_without_a_quote_asked_for_nothing_is_said_of_quotes(tmp_path):
    path = write_study(tmp_path, 3, judge="slot_rate = 1.0")
    run(path)
    with open_record(load_study(path).default_record, create=False, exclusive=False) as store:
        evidence = read_evidence(store)
    page = render_html(build_report(evidence), run_cases(evidence))
    assert "vidence quote" not in page


def test_the_prompt_asks_for_the_quote(tmp_path):
    path = judged(tmp_path)
    with open_record(load_study(path).default_record, create=False, exclusive=False) as store:
        planned = next(iter(store.plan())).presentation
        said = store.prompt(planned.prompt_digest)[-1].content
    assert 'write for "evidence" the words of the source' in said
