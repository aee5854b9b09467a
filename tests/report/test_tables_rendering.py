"""An audit as text, page and JSON: nothing foreign is let through, and nothing is loaded."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest

from counterbalance.report.tables_html import render_tables_html
from counterbalance.report.tables_json import tables_json
from counterbalance.report.tables_text import LINK_WORDS, render_tables_text
from counterbalance.tables.audit import audit_tables
from counterbalance.tables.check import CHAIN
from counterbalance.tables.reading import CASES, case_text, description_from_text
from tables.printing import audit_of, one_table

HOSTILE = "</title><script>alert(1)</script><img src=x onerror=alert(1)>\x1b[31m'\"&"
VOID = {"meta", "line", "rect", "br"}


class Page(HTMLParser):
    """Notes every element, and that each one is closed where it should be."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.attributes, self.texts = [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def audit_case(name):
    return audit_tables(description_from_text(case_text(name), name, ".toml"))


@pytest.mark.parametrize("name", CASES)
def test_the_page_is_whole_and_loads_nothing(name):
    text = render_tables_html(audit_case(name))
    page = Page(text)
    assert not {"script", "img", "iframe", "link", "object", "form"} & set(page.tags)
    names = {key for key, _ in page.attributes}
    assert not {key for key in names if key.startswith("on") or key in {"href", "src", "style"}}
    assert "http" not in re.sub(r'http-equiv="', "", text)
    assert "svg" in page.tags


def test_the_policy_allows_this_style_sheet_and_nothing_else():
    text = render_tables_html(audit_case("judgebench"))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy.replace("&#x27;", "'") == (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    assert "prefers-color-scheme: dark" in style


def test_foreign_text_is_escaped_everywhere():
    row = {"name": HOSTILE, "verdicts": {HOSTILE: 3, "B": 4}, "group": HOSTILE}
    study = one_table(row, n=9, tie=HOSTILE, gold={HOSTILE: 5, "B": 4})
    study |= {"title": HOSTILE, "source": HOSTILE, "note": HOSTILE, "error_rate": 0.05}
    study["tables"][0]["name"] = HOSTILE
    study["comparisons"] = [{"name": HOSTILE, "gained": 3, "lost": 1, "n": 9, "p": "0.9"}]
    study["families"] = [{"name": HOSTILE, "m": 1, "comparisons": [HOSTILE]}]
    study["claims"] = [
        {"kind": "survivors", "where": HOSTILE, "families": [HOSTILE], "count": 1,
         "names": [HOSTILE]}
    ]  # fmt: skip
    audit = audit_of(study)
    page = Page(render_tables_html(audit))
    assert not {"script", "img"} & set(page.tags)
    assert "<script>alert(1)</script>" in "".join(page.texts)
    assert "\x1b" not in render_tables_html(audit) + render_tables_text(audit, full=True)
    assert json.loads(tables_json(audit))["title"] == HOSTILE


def test_the_drawing_joins_what_holds_and_breaks_where_it_does_not():
    text = render_tables_html(audit_case("mitigation-study"))
    n_links = len(re.findall(r'<rect class="link', text))
    joints = re.findall(r'class="joint (\w+)"', text)
    assert len(joints) == n_links - 1
    assert joints[0] == "broken"
    assert "whole" in joints
    assert "rows add up: 3 inconsistent" in text


def test_every_link_has_words():
    assert set(LINK_WORDS) == {link.value for link in CHAIN}


def test_long_audits_are_cut_with_a_count_in_text_and_page():
    rows = [{"name": f"r{i}", "agreement": "0.5"} for i in range(1200)]
    audit = audit_of(one_table(*rows))
    text = render_tables_text(audit)
    assert "and 1170 more; --full lists all" in text
    assert len(render_tables_text(audit, full=True)) > len(text)
    page = render_tables_html(audit)
    assert "and 900 more lines" in page
    assert "and 200 more; the JSON output has them all" in page
    assert len(json.loads(tables_json(audit))["checks"]) == 1200
