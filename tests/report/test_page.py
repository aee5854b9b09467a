"""The page says what the data say, is whole in itself, and lets no foreign text act."""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbalance.importers.loading import read_logs
from counterbalance.record import open_record
from counterbalance.report.as_json import report_value
from counterbalance.report.build import build_report
from counterbalance.report.evidence import read_evidence
from counterbalance.report.html.foreign import LONGEST_PASSAGE, passage
from counterbalance.report.html.page import render_html
from counterbalance.report.html.page_cases import run_cases
from counterbalance.report.layout import percent
from counterbalance.report.log_report import build_log_report
from counterbalance.run.study import load_study
from foreign_logs import fastchat_row, jsonl
from page_reading import outline, read_page
from studies import row, run, write_study

MORE = """
[[labellings]]
first = "B"
second = "A"

[repetitions.subset]
pairs = 3
per_order = 3

[analysis]
measures = ["position_consistency", "kappa_orders"]
family = ["primacy_recency"]
margins = {bias_position = 0.2}
"""
HOSTILE = (
    '<script>alert(1)</script><img src=x onerror=alert(1)>" onload="x\' {{ 7*7 }} {% raw %}'
    "</style></title><!-- &lt;b&gt; \x1b[31mred \x00 \u202etxet\u202c \u2066x \u200b \ud800 =1+1"
)
HIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff]"
)
TAGS = frozenset(
    re.findall(
        r"\w+",
        "html head meta title style body a svg defs pattern rect circle line text header p h1 h2 h3"
        " dl div dt dd code bdi main section nav ul li table caption strong thead tbody tr th td"
        " small span data figure figcaption details summary footer mark i ins del",
    )
)


def page_of(record):
    with open_record(record, create=False, exclusive=False) as store:
        evidence = read_evidence(store)
    report = build_report(evidence)
    return report, render_html(report, run_cases(evidence))


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    rows = [row(n) for n in range(11)] + [row(11, a="same", b="same")]
    judge = "slot_rate = 0.5\nrefusal_rate = 0.1\nunparsed_rate = 0.1\nnoise = 0.1\ntie_rate = 0.1"
    protocol = write_study(folder, rows=rows, judge=judge, more=MORE)
    run(protocol)
    return page_of(load_study(protocol).default_record)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    text = HOSTILE.replace("\ud800", "").replace("\x00", "")
    name = text.partition(" \x1b")[0]
    side = {"system": name, "version": name, "text": text}
    other = {**side, "text": "x"}
    rows = [
        row(n, id=f"{n} {name}", prompt=text, category=name, context=text, a=other, b=side)
        for n in range(3)
    ]
    rows += [row(3, b={"system": "new", "text": "A long line. " * 80_000})]
    protocol = write_study(folder, rows=rows, judge="slot_rate = 1.0")
    title = 'title = "A <script>alert(1)</script> study \\u202e"'
    protocol.write_text(
        protocol.read_text("utf-8").replace('title = "A small study"', title), "utf-8"
    )
    run(protocol)
    return page_of(load_study(protocol).default_record)


def log_page(path, **options):
    report = build_log_report(read_logs([path]), **options)
    return report, render_html(report)


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    path = tmp_path_factory.mktemp("log") / "gpt-4_pair.jsonl"
    long = f"{HOSTILE} [[A]] {'x' * 1_000_000} the end"
    rows = [
        fastchat_row(81, "model_1", "model_1"),
        fastchat_row(82, "tie", "model_1"),
        fastchat_row(83, "error", "model_1"),
        fastchat_row(84, "model_1", "model_2", g1_judgment=long, judge=[HOSTILE, "pair-v2"]),
        fastchat_row(85, "model_1", "model_2", model_1=HOSTILE),
        HOSTILE,
    ]
    return log_page(jsonl(path, rows))


@pytest.fixture(scope="module", params=["study", "hostile", "log"])
def page(request):
    return request.getfixturevalue(request.param)[1]


def test_the_structure_is_as_it_was(study, snapshot):
    assert outline(read_page(study[1])) == snapshot


def test_the_structure_of_an_audit_is_as_it_was(tmp_path, snapshot):
    rows = [fastchat_row(n, "model_1", ("model_1", "model_2", "tie")[n % 3]) for n in range(6)]
    page = log_page(jsonl(tmp_path / "gpt-4_pair.jsonl", rows))[1]
    assert outline(read_page(page)) == snapshot


def test_nothing_is_loaded_run_or_sent(page):
    elements = list(read_page(page).all())
    assert {element.tag for element in elements} <= TAGS
    names = {name for element in elements for name in element.attributes}
    assert not {name for name in names if name.startswith("on")}
    assert not names & {"style", "src", "srcset", "action", "data", "poster", "xlink:href"}
    for element in elements:
        assert element.attributes.get("href", "#").startswith("#")
    (style,) = [element for element in elements if element.tag == "style"]
    assert "@import" not in style.text
    assert set(re.findall(r"url\((.)", style.text)) == {"#"}


def test_the_policy_allows_the_style_sheet_and_nothing_else(page):
    (policy,) = [
        element.attributes["content"]
        for element in read_page(page).all("meta")
        if element.attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    style = page[page.index("<style>") + len("<style>") : page.index("</style>")]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    assert page.index("Content-Security-Policy") < page.index("<style>")


def test_every_link_leads_to_one_place(page):
    elements = list(read_page(page).all())
    ids = [element.attributes["id"] for element in elements if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    links = {element.attributes["href"] for element in elements if "href" in element.attributes}
    named = {element.attributes.get("aria-labelledby") for element in elements} - {None}
    assert links <= {f"#{name}" for name in ids}
    assert named <= set(ids)


def test_every_table_and_figure_says_what_it_is(page):
    root = read_page(page)
    tables = list(root.all("table"))
    assert len(tables) > 10
    for table in tables:
        assert len(table.first("caption").text) > len(table.first("strong").text) > 0
        width = len(list(table.first("thead").all("th")))
        for line in table.first("tbody").all("tr"):
            cells = [cell for cell in line.all() if cell.tag in {"th", "td"}]
            assert len(cells) == width
            assert cells[0].attributes["scope"] == "row"
    for figure in root.all("figure"):
        assert figure.first("figcaption").text
    for drawing in root.all("svg"):
        is_hidden = drawing.attributes.get("aria-hidden") == "true"
        assert is_hidden or drawing.attributes["aria-label"]


def test_hostile_texts_are_inert_and_seen(hostile, log):
    for _, page in (hostile, log):
        assert "<script" not in page
        assert not HIDDEN.search(page)
        assert len(page) < 400_000
        text = read_page(page).text
        assert "<script>alert(1)</script><img src=x onerror=alert(1)>" in text
        assert r"\u202e" in text
        assert r"\x1b" in text
        assert "{{ 7*7 }}" in text
        page.encode("utf-8")


def test_a_long_text_is_cut_with_a_mark(hostile, log):
    assert "[… 1,036,000 characters left out here …]" in read_page(hostile[1]).text
    text = read_page(log[1]).text
    assert re.search(r"\[… 99\d,\d{3} characters left out here …\]", text)
    assert "the end" in text


def figures_of(part):
    """Read measures back from the tables of a page: every value and limit to the last digit."""
    for table in part.all("table"):
        if not table.has_class("forest"):
            continue
        for line in table.first("tbody").all("tr"):
            found = {d.attributes["class"]: float(d.attributes["value"]) for d in line.all("data")}
            yield line.first("code").text, line, found


def test_the_numbers_are_those_of_the_data(study):
    report, page = study
    sections = {s.attributes["id"]: s for s in read_page(page).all("section")}
    read = [*figures_of(sections["measures"]), *figures_of(sections["repetition"])]
    groups = report_value(report)["groups"]
    wanted = [(name, m) for group in groups for name, m in group["measures"].items()]
    assert len(read) == len(wanted)
    for name, measure in wanted:
        expected = {key: measure[key] for key in ("value", "low", "high")}
        if measure["low"] is None:
            expected = {"value": measure["value"]}
        expected = {key: value for key, value in expected.items() if value is not None}
        lines = [line for other, line, found in read if other == name and found == expected]
        assert lines, name
        mark = "exploratory" if measure["exploratory"] else "planned"
        assert all(mark in line.first("th").text for line in lines)
        if measure["numerator"] is not None:
            counts = (
                f"{measure['numerator']:.4g} / {measure['denominator']:.4g} {measure['counted']}"
            )
            assert any(counts in line.text for line in lines), name


def test_counts_are_those_of_the_data(study):
    report, page = study
    section = next(
        s for s in read_page(page).all("section") if s.attributes["id"] == "dispositions"
    )
    rows = {
        line.first("th").text.split()[0]: [cell.text for cell in line.all("td")]
        for line in section.first("tbody").all("tr")
    }
    groups = report_value(report)["groups"]
    for name, cells in rows.items():
        if name == "all":
            assert cells == [str(group["counts"]["pairs"]) for group in groups]
            continue
        for cell, group in zip(cells, groups, strict=True):
            found = group["dispositions"][name]
            n = sum(found.values()) if isinstance(found, dict) else found
            assert cell.startswith(f"{n} {percent(n / group['counts']['pairs'])}")
    empty = {
        name
        for g in groups
        for name, n in g["dispositions"].items()
        if n in (0, {"primacy": 0, "recency": 0})
    }
    assert set(rows) | empty >= set(groups[0]["dispositions"])


def test_the_waterfall_goes_down_to_the_stable(study):
    report, page = study
    section = next(s for s in read_page(page).all("section") if s.attributes["id"] == "flow")
    for table, group in zip(list(section.all("table"))[1:], report.groups, strict=True):
        left = None
        for line in table.first("tbody").all("tr"):
            name, n = line.first("th").text, int(line.first("td").text.split()[0])
            if name.startswith("−"):
                left -= n
            else:
                assert left in (None, n), name
                left = n
        assert left == sum(group.dispositions[name] for name in ("stable_a", "stable_b", "tie"))


def test_a_declared_margin_is_drawn_and_told(study):
    rows = [
        (line, name) for name, line, _ in figures_of(read_page(study[1])) if name == "bias_position"
    ]
    assert len(rows) == 2
    for line, _ in rows:
        (band,) = [rect for rect in line.all("rect") if rect.has_class("margin")]
        assert (band.attributes["x"], band.attributes["width"]) == ("40.0%", "20.0%")
        assert "margin ±0.2: " in line.text


def test_the_same_report_gives_the_same_page(study):
    report, _ = study
    assert render_html(report) == render_html(report)


def test_many_groups_stay_readable(study):
    report, _ = study
    many = replace(report, groups=report.groups * 20)
    page = read_page(render_html(many))
    assert "34 more groups stand in the table of groups only" in page.text
    assert sum(table.has_class("matrix") for table in page.all("table")) == 6
    whole = read_page(render_html(many, full=True))
    assert sum(table.has_class("matrix") for table in whole.all("table")) == 40


def test_long_lists_say_what_lists_the_rest(study, log):
    names = tuple(f"pair {n}" for n in range(100))
    group = replace(study[0].groups[0], stable_against_reference=names)
    text = read_page(render_html(replace(study[0], groups=(group,)))).text
    assert "100 stable pairs" in text
    assert "; and 40 more, which `counterbalance report RECORD --jsonl FILE` lists" in text
    assert "pair 59" in text
    assert "pair 60" not in text
    report = log[0]
    rejects = report.log.rejects * 70
    text = read_page(render_html(replace(report, log=replace(report.log, rejects=rejects)))).text
    assert f"{len(rejects) - 60} more reasons: --json lists all." in text
    upstream = report.log.upstream * 20
    text = read_page(render_html(replace(report, log=replace(report.log, upstream=upstream)))).text
    assert f"{len(upstream) - 12} more groups of figures: --json lists all." in text


def test_an_exploratory_report_says_so(study):
    report = replace(study[0], is_exploratory=True, planned=frozenset(), family=None)
    page = read_page(render_html(report))
    assert page.text.count("Exploratory report of counterbalance") == 1
    assert "everything is exploratory" in page.text
    assert all("exploratory" in line.text for _, line, _ in figures_of(page))


def shown_characters(marked):
    return read_page(f"<p>{marked}</p>").first("p")


@given(st.text(max_size=200), st.integers(0, 200), st.integers(0, 200))
def test_every_character_of_a_text_is_there(text, one, two):
    span = tuple(sorted((min(one, len(text)), min(two, len(text)))))
    marked = passage(text, span)
    assert not HIDDEN.search(marked)
    raw = re.sub(r"</?(?:mark|i)(?: class=\"[a-z-]+\")?>", "", str(marked))
    assert "<" not in raw
    for character in set(text):
        if unicodedata.category(character)[0] in "LNPS" and character not in "<>&'\"":
            assert raw.count(character) >= text.count(character)


@given(st.integers(0, 20_000), st.integers(0, 20_000), st.integers(0, 300))
def test_what_decided_is_never_cut_away(length, start, width):
    start = min(start, length)
    end = min(start + width, length)
    text = "".join(chr(0x4E00 + n % 5000) for n in range(length))
    marked = str(passage(text, (start, end)))
    assert f"<mark>{text[start:end]}</mark>" in marked
    assert len(marked) <= LONGEST_PASSAGE + 1200
    gone = sum(int(n.replace(",", "")) for n in re.findall(r"\[… ([\d,]+) characters", marked))
    assert gone + sum("\u4e00" <= c <= "\u9fff" for c in marked) == length
