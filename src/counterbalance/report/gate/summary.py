"""A gate's result as Markdown, such as the step summary of a CI run."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from counterbalance.report.gate.text import check_title, limit_words, verdict_sentence, why_words
from counterbalance.report.layout import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.report.gate.result import GateResult

__all__ = ["summary_lines"]

_MARKS = re.compile(r"([\\`*_\[\]#|~!])")
_INERT = {"://": ":&#47;&#47;", "www.": "www&#46;", "@": "@&#8203;"}
"""What would become a link or call somebody, and what reads the same and does not."""


def summary_lines(result: GateResult) -> Iterator[str]:
    """Yield a Markdown section.

    Parameters
    ----------
    result : GateResult
        What the gate came to.

    Yields
    ------
    str
        One line each; foreign names are text in it, and never markup, links or mentions.
    """
    yield f"## {_text(verdict_sentence(result))}"
    yield ""
    yield f"{_text(visible(result.title, 200))}, protocol `{result.protocol_digest[:16]}`"
    yield ""
    yield "| verdict | rule | declared | measured |"
    yield "|---|---|---|---|"
    for line in result.broken:
        yield f"| **fail** | record | | {_text(visible(line, 400))} |"
    for line in result.missing:
        yield f"| **not enough evidence** | record | | {_text(visible(line, 400))} |"
    for check in result.checks:
        cells = (check_title(check), limit_words(check.rule), why_words(check))
        yield f"| **{check.verdict.value}** | {' | '.join(map(_text, cells))} |"
    yield ""
    for line in result.cautions:
        yield f"{_text(line)}\n"


def _text(words: str) -> str:
    """Return words in which nothing is Markdown, HTML, a link or a mention."""
    safe = _MARKS.sub(r"\\\1", html.escape(words, quote=False))
    for found, inert in _INERT.items():
        safe = safe.replace(found, inert)
    return safe
