"""An audit of printed tables as one HTML page: the chain drawn, no script, nothing loaded."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from counterbalance.report.html.environment import policy_digest
from counterbalance.report.layout import visible
from counterbalance.report.tables_chain_svg import chain_svg
from counterbalance.report.tables_style import STYLE
from counterbalance.report.tables_text import LINK_WORDS, VERDICT_WORDS, headline
from counterbalance.tables.check import CHAIN, Audit, Check, Figure, Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["render_tables_html"]

_LONGEST = 4000
_MOST_LINES = 300
_MOST_CHECKS = 1000
_SIGNS = {Finding.CONSISTENT: "✓", Finding.INCONSISTENT: "✗", Finding.CANNOT_BE_CHECKED: "?"}


def render_tables_html(audit: Audit) -> str:
    """Return an audit as a page that works from a file, in the dark and without a network.

    Parameters
    ----------
    audit : Audit
        The audit.

    Returns
    -------
    str
        A whole HTML document; every text of the description is escaped.
    """
    digest = policy_digest(STYLE)
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    body = [
        f"<h1>{_text(audit.title)}</h1>",
        f'<p class="source">{_text(audit.source)}</p>' if audit.source else "",
        f'<p class="headline">{_text(headline(audit))}</p>',
        "<h2>The chain, from marginals to survivors</h2>",
        chain_svg(audit),
        *_lines(audit),
    ]
    for verdict in (Finding.INCONSISTENT, Finding.CANNOT_BE_CHECKED, Finding.CONSISTENT):
        body += _part(verdict, [check for check in audit.checks if check.verdict is verdict])
    body += _figures(audit.figures)
    if audit.notes:
        body += ["<h2>Notes of the description</h2>", *(f"<p>{_text(x)}</p>" for x in audit.notes)]
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{_text(audit.title)}: audit of printed tables – counterbalance tables</title>",
            f"<style>{STYLE}</style></head><body><main>",
            *(part for part in body if part),
            "</main></body></html>\n",
        ]
    )


def _text(text: object) -> str:
    """Escape foreign text; control characters become visible."""
    return escape(visible(str(text), _LONGEST))


def _lines(audit: Audit) -> Iterator[str]:
    """Yield one row for each printed line, with a sign for each link."""
    used = [link for link in CHAIN if sum(audit.counts_by_link[link].values())]
    cells: dict[tuple[str, str], dict[str, Finding]] = {}
    for check in audit.checks:
        of_line = cells.setdefault((check.table, check.subject), {})
        of_line[check.link] = _worse(of_line.get(check.link), check.verdict)
    yield "<h2>Line by line</h2>"
    yield '<div class="scroll"><table><thead><tr><th scope="col">table</th>'
    yield '<th scope="col">line</th>'
    yield "".join(f'<th scope="col">{LINK_WORDS[link]}</th>' for link in used)
    yield "</tr></thead><tbody>"
    for (table, subject), of_line in list(cells.items())[:_MOST_LINES]:
        row = "".join(_cell(of_line.get(link)) for link in used)
        yield f'<tr><td>{_text(table)}</td><th scope="row">{_text(subject)}</th>{row}</tr>'
    yield "</tbody></table></div>"
    if len(cells) > _MOST_LINES:
        yield f"<p>and {len(cells) - _MOST_LINES} more lines; the JSON output has them all</p>"


def _worse(one: Finding | None, other: Finding) -> Finding:
    order = (Finding.INCONSISTENT, Finding.CONSISTENT, Finding.CANNOT_BE_CHECKED)
    return other if one is None else min(one, other, key=order.index)


def _cell(verdict: Finding | None) -> str:
    if verdict is None:
        return "<td></td>"
    words = VERDICT_WORDS[verdict]
    return f'<td class="{verdict.value}"><span title="{words}">{_SIGNS[verdict]}</span></td>'


def _part(verdict: Finding, checks: Sequence[Check]) -> Iterator[str]:
    if not checks:
        return
    is_open = " open" if verdict is Finding.INCONSISTENT else ""
    title = VERDICT_WORDS[verdict].capitalize()
    yield f"<details{is_open}><summary><h2>{title} ({len(checks)})</h2></summary>"
    for check in checks[:_MOST_CHECKS]:
        yield from _check(check)
    if len(checks) > _MOST_CHECKS:
        yield f"<p>and {len(checks) - _MOST_CHECKS} more; the JSON output has them all</p>"
    yield "</details>"


def _check(check: Check) -> Iterator[str]:
    where = f"{_text(check.table)}, " if check.table else ""
    yield f'<section class="{check.verdict.value}">'
    yield f"<h3>{where}{_text(check.subject)}: {LINK_WORDS[check.link]}</h3>"
    yield f"<p>{_text(check.found)}</p><dl>"
    rows = [(name, value) for name, value in check.inputs.items()]
    yield _pairs([("printed", "; ".join(f"{name}: {value}" for name, value in rows))])
    yield _pairs([("rule", f"{check.rule.name}: {check.rule.says}"), ("leeway", check.tolerance)])
    yield "</dl></section>"


def _pairs(pairs: Iterable[tuple[str, str]]) -> str:
    return "".join(f"<dt>{_text(k)}</dt><dd>{_text(x)}</dd>" for k, x in pairs if x)


def _figures(figures: Sequence[Figure]) -> Iterator[str]:
    if not figures:
        return
    yield f"<details><summary><h2>What follows from the figures ({len(figures)})</h2></summary>"
    yield "<p>Nothing is printed to hold these against.</p><ul>"
    for figure in figures[:_MOST_CHECKS]:
        where = f"{_text(figure.table)}, " if figure.table else ""
        yield f"<li><b>{where}{_text(figure.subject)}</b>: {_text(figure.sentence)}</li>"
    if len(figures) > _MOST_CHECKS:
        yield f"<li>and {len(figures) - _MOST_CHECKS} more; the JSON output has them all</li>"
    yield "</ul></details>"
