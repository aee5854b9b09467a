"""Evidence quotes through a whole run: counted beside the verdicts, and changing none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from counterbalance.record import open_record
from counterbalance.report.build import build_report
from counterbalance.report.cases import case_values
from counterbalance.report.evidence import read_evidence
from counterbalance.report.text import render_text
from counterbalance.run.from_python import run_protocol
from counterbalance.run.study import load_study
from studies import row, write_study

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = 'The courier noted: "left with a neighbour" on Monday.'
WORDS = {"p0": "“Left with a neighbour”", "p1": "left on Tuesday", "p2": ""}


def judged(folder: Path) -> Path:
    rows = [row(n, context=SOURCE if n < 3 else "") for n in range(4)]
    path = write_study(folder, rows=rows)
    text = path.read_text("utf-8").replace('kind = "scripted"', 'kind = "callable"\nversion = "1"')
    text = text.replace('format = "bracket"', 'format = "json"\nquote = "evidence"')
    path.write_text(text, "utf-8")

    def judge(request):
        asked = request.messages[-1].content
        number = asked.partition("Question number ")[2][0]
        quote = WORDS.get(f"p{number}", "left with a neighbour")
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


def test_the_prompt_asks_for_the_quote(tmp_path):
    path = judged(tmp_path)
    with open_record(load_study(path).default_record, create=False, exclusive=False) as store:
        planned = next(iter(store.plan())).presentation
        said = store.prompt(planned.prompt_digest)[-1].content
    assert 'write for "evidence" the words of the source' in said
