"""A folder of pages: every case once, every link leads somewhere, no text acts."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

import extras
from commands import command, is_one_clear_line
from counterbalance.report.html import explorer
from counterbalance.report.html.word_diff import word_diff
from page_reading import read_page
from studies import row, run, write_study

MORE = '[[labellings]]\nfirst = "B"\nsecond = "A"\n'
HOSTILE = "<script>alert(1)</script> \x1b[31m \u202e =1+1 </details>"


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    folder = tmp_path_factory.mktemp("explorer")
    rows = [row(n) for n in range(28)]
    named = HOSTILE.replace("\x1b", "").replace("\u202e", "")
    rows += [row(28, id=named, prompt=HOSTILE, category=named), row(29, a="same", b="same")]
    rows.append(row(30, a="It costs 5 euros today.", b=f"It costs 7 euros {HOSTILE[:8]} today."))
    judge = "slot_rate = 0.5\ntie_rate = 0.2\nrefusal_rate = 0.1"
    protocol = write_study(folder, rows=rows, judge=judge, more=MORE)
    run(protocol)
    return folder / "protocol.record.sqlite"


@pytest.fixture(scope="module")
def pages(record):
    folder = record.parent / "pages"
    ended = command("report", record, "--pages", folder)
    assert ended.code == 0, ended.err
    return {path.name: path.read_text("utf-8") for path in folder.iterdir()}


def test_every_case_stands_on_one_page(pages):
    found = [
        int(number)
        for name, text in pages.items()
        if name.startswith("cases-")
        for number in re.findall(r'<details class="case" id="case-(\d+)" open>', text)
    ]
    assert sorted(found) == list(range(1, 2 * 31 + 1))
    assert sum(name.startswith("cases-") for name in pages) == 3


def test_counts_lead_to_lists_of_that_length(pages):
    choices = re.findall(r'<a href="(list-[jc]\d+\.html)"[^>]*>(\d+)</a>', pages["cases.html"])
    assert sum(int(n) for name, n in choices if name.startswith("list-j")) == 62
    assert sum(int(n) for name, n in choices if name.startswith("list-c")) == 62
    for name, n in choices:
        assert pages[name].count('<tr><td><a href="cases-') == int(n)


def test_every_link_leads_somewhere(pages):
    for text in pages.values():
        for target in re.findall(r'href="([^"]*)"', text):
            name, _, anchor = unquote(target).partition("#")
            page = pages[name] if name else text
            assert not anchor or f'id="{anchor}"' in page


def test_long_lists_are_turned_over(record, monkeypatch):
    from counterbalance.record import open_record  # noqa: PLC0415
    from counterbalance.report.evidence import read_evidence  # noqa: PLC0415

    monkeypatch.setattr(explorer, "ROWS_A_LIST", 4)
    with open_record(record, create=False, exclusive=False) as store:
        written = dict(explorer.explorer_pages(read_evidence(store), "index.html"))
    assert all(explorer.is_page(name) for name in written)
    name = next(name for name in written if re.fullmatch(r"list-j\d+-2\.html", name))
    first = name.replace("-2.html", ".html")
    assert f'rel="next" href="{name}"' in written[first]
    assert f'rel="prev" href="{first}"' in written[name]
    assert written[first].count('<tr><td><a href="cases-') == 4


def test_nothing_foreign_acts(pages):
    for text in pages.values():
        assert "script" not in {element.tag for element in read_page(text).all()}
        assert "\x1b" not in text
        assert "\u202e" not in text


def test_a_second_writing_replaces_pages_and_nothing_else(record, tmp_path):
    folder = tmp_path / "pages"
    for _ in range(2):
        assert command("report", record, "--pages", folder).code == 0
    (folder / "cases-99999.html").write_text("an older, longer run", "utf-8")
    assert command("report", record, "--pages", folder).code == 0
    assert not (folder / "cases-99999.html").exists()
    (folder / "mine.txt").write_text("x", "utf-8")
    ended = command("report", record, "--pages", folder)
    assert (ended.code, is_one_clear_line(ended)) == (2, True)
    assert (folder / "mine.txt").exists()


# ---------------------------------------------------------------- word by word


def test_what_a_leaves_and_b_adds_is_marked():
    marked = word_diff("Bring <b> 5 of them", "Bring <b> 7 of them")
    assert marked == "Bring &lt;b&gt; <del>5</del><ins>7</ins> of them"
    assert word_diff("one two three", "four five six") is None
    assert word_diff("same", "same") is None
    assert word_diff("x " * 4000, "x " * 4001) is None


@given(
    st.lists(st.sampled_from(["a", "b", " ", "<", "&", "\u202e", "\n"]), max_size=12),
    st.text(max_size=4),
)
def test_both_texts_can_be_read_back(words, added):
    a, b = "shared words here " + "".join(words), "shared words here " + added
    marked = word_diff(a, b)
    if marked is None:
        return
    for dropped, kept in (("ins", a), ("del", b)):
        text = re.sub(f"<{dropped}>.*?</{dropped}>", "", str(marked), flags=re.DOTALL)
        shown = read_page(f"<p>{text}</p>").text
        for word in re.findall(r"[ab]+", kept):
            assert word in shown


# ---------------------------------------------------------------- in a browser


def test_it_is_accessible_and_needs_no_script(record, pages):
    assert pages
    folder = record.parent / "pages"
    with extras.chromium() as started:
        for name in ("cases.html", "list-j0001.html", "cases-00001.html"):
            page = (folder / name).as_uri()
            context, shown, _ = extras.opened(started, page, width=360, bypass_csp=True)
            assert shown.evaluate("document.documentElement.scrollWidth") <= 360
            assert extras.broken_rules(shown, at_least=15) == []
            context.close()
        page = (folder / "index.html").as_uri()
        context, shown, _ = extras.opened(started, page, java_script_enabled=False)
        shown.click("text=All cases of every class")
        shown.click("td a >> nth=0")
        shown.click("td a >> nth=0")
        assert "#case-" in shown.url
        assert shown.locator(":target .foreign").first.is_visible()
        context.close()
