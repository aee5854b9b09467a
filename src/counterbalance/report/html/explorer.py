"""Every case of a run as a folder of pages: to go through by disposition, judge and category.

One file cannot hold fifty thousand pairs. Here each page holds a few cases with all their texts,
and lists lead to them; nothing runs a script, so a list is a page for each choice.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.dispositions.codes import DISPOSITIONS
from counterbalance.report.html.case_links import CaseLinks
from counterbalance.report.html.environment import environment, style, style_hash
from counterbalance.report.html.page_cases import run_case
from counterbalance.report.layout import plural, visible
from counterbalance.report.log_cases import CASE_RANK

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from counterbalance.dispositions.evidence import GroupId
    from counterbalance.measures.group import JudgedPair
    from counterbalance.report.evidence import Evidence

__all__ = ["case_links", "explorer_pages", "is_page"]

_PAGE = re.compile(r"(index|cases(-\d+)?|list-[cj]\d+(-\d+)?)\.html")
CASES_A_PAGE = 25
ROWS_A_LIST = 500


@dataclass(frozen=True, slots=True)
class _Case:
    """One pair under one judge and labelling, and where it is shown."""

    part: Evidence
    group: GroupId
    judged: JudgedPair
    number: int

    @property
    def file(self) -> str:
        return f"cases-{(self.number - 1) // CASES_A_PAGE + 1:05}.html"

    @property
    def link(self) -> str:
        return f"{self.file}#case-{self.number}"

    @property
    def disposition(self) -> str:
        return self.judged.result.disposition.value

    @property
    def judge(self) -> str:
        held_out = ", held-out pairs" if self.part.is_held_out else ""
        return f"{self.group.judge}, labels {self.group.labelling}{held_out}"

    @property
    def category(self) -> str:
        return self.judged.pair.item.category or "(no category)"


@dataclass(frozen=True, slots=True)
class _List:
    """Cases that share a disposition and a judge, or a disposition and a category."""

    title: str
    file: str
    cases: Sequence[_Case]


def is_page(name: str) -> bool:
    """Return whether a file of this name is one that these pages may replace."""
    return _PAGE.fullmatch(name) is not None


def case_links(evidence: Evidence) -> CaseLinks:
    """Return where `explorer_pages` puts each case.

    Parameters
    ----------
    evidence : Evidence
        From `read_evidence`.

    Returns
    -------
    CaseLinks
        Addresses within the folder.
    """
    cases = _numbered(evidence)
    by_group: dict[tuple[str, str, str], str] = {
        (case.group.judge, case.group.labelling, case.judged.pair.id): case.link for case in cases
    }
    by_pair: dict[str, str] = {case.judged.pair.id: case.link for case in reversed(cases)}
    return CaseLinks(by_group, by_pair)


def explorer_pages(evidence: Evidence, report_file: str) -> Iterator[tuple[str, str]]:
    """Yield the pages of a folder in which every case of a run can be looked at.

    Parameters
    ----------
    evidence : Evidence
        From `read_evidence`.
    report_file : str
        Name of the page with the report in the same folder.

    Yields
    ------
    tuple[str, str]
        Name of a file and its content; ``cases.html`` leads to all others. Cases stand by
        consequence, then order-sensitive ones first, then by id.
    """
    cases = _numbered(evidence)
    by_judge = _lists(cases, "judge", "j")
    by_category = _lists(cases, "category", "c")
    shared = {"report_file": report_file, "style": style(), "style_hash": style_hash()}
    tables = [
        _choices("Judge and labelling", cases, "judge", by_judge),
        _choices("Category", cases, "category", by_category),
    ]
    title = visible(evidence.protocol.title, 200)
    head = {"title": f"Cases: {title}", "n": len(cases), "tables": tables}
    yield "cases.html", _page("explorer_index.html", **head, **shared)
    for listed in (*by_judge.values(), *by_category.values()):
        yield from _list_pages(listed, shared)
    for start in range(0, len(cases), CASES_A_PAGE):
        yield _case_page(cases, start, shared)


def _page(template: str, **values: object) -> str:
    return environment().get_template(template).render(**values)


def _numbered(evidence: Evidence) -> list[_Case]:
    parts = [part for part in (evidence, evidence.confirmation) if part is not None]
    found = [
        (part, group, judged)
        for part in parts
        for group, pairs in part.groups.items()
        for judged in pairs
    ]
    last = len(CASE_RANK)
    found.sort(
        key=lambda each: (
            -each[2].pair.item.consequence,
            CASE_RANK.get(each[2].result.disposition, last),
            each[2].pair.id,
        )
    )
    return [_Case(*each, number) for number, each in enumerate(found, 1)]


def _lists(cases: Sequence[_Case], by: str, letter: str) -> dict[tuple[str, str], _List]:
    """Return a list for each value and disposition that occur together."""
    found: dict[tuple[str, str], list[_Case]] = {}
    for case in cases:
        found.setdefault((getattr(case, by), case.disposition), []).append(case)
    return {
        key: _List(f"{visible(key[0], 100)}: {key[1]}", f"list-{letter}{n:04}", chosen)
        for n, (key, chosen) in enumerate(found.items(), 1)
    }


def _choices(
    title: str, cases: Iterable[_Case], by: str, lists: dict[tuple[str, str], _List]
) -> dict[str, object]:
    """Return a table of counts, each leading to its list."""
    totals = Counter(getattr(case, by) for case in cases)
    present = {disposition for _, disposition in lists}
    columns = [d.value for d in DISPOSITIONS if d.value in present]
    rows = [
        (visible(value, 100), n, [lists.get((value, column)) for column in columns])
        for value, n in sorted(totals.items())
    ]
    return {"title": title, "columns": columns, "rows": rows}


def _list_pages(listed: _List, shared: dict[str, str]) -> Iterator[tuple[str, str]]:
    n_pages = -(-len(listed.cases) // ROWS_A_LIST)
    names = [f"{listed.file}.html", *(f"{listed.file}-{n}.html" for n in range(2, n_pages + 1))]
    for place, name in enumerate(names):
        chosen = listed.cases[place * ROWS_A_LIST : (place + 1) * ROWS_A_LIST]
        yield (
            name,
            _page(
                "explorer_list.html",
                title=listed.title,
                about=f"{plural(len(listed.cases), 'case')}, by consequence and id",
                cases=chosen,
                before=names[place - 1] if place else "",
                after=names[place + 1] if place + 1 < n_pages else "",
                place=f"page {place + 1} of {n_pages}",
                **shared,
            ),
        )


def _case_page(cases: Sequence[_Case], start: int, shared: dict[str, str]) -> tuple[str, str]:
    chosen = cases[start : start + CASES_A_PAGE]
    before = cases[start - 1].file if start else ""
    after = cases[start + CASES_A_PAGE].file if start + CASES_A_PAGE < len(cases) else ""
    shown = [(case.number, run_case(case.part, case.group, case.judged)) for case in chosen]
    text = _page(
        "explorer_cases.html",
        title=f"Cases {chosen[0].number} to {chosen[-1].number} of {len(cases)}",
        cases=shown,
        before=before,
        after=after,
        **shared,
    )
    return chosen[0].file, text
