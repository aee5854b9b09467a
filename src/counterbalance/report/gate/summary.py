"""A gate's result as Markdown, such as the step summary of a CI run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.report.gate.text import check_title, limit_words, verdict_sentence, why_words
from counterbalance.report.markdown_text import inert

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.report.gate.result import GateResult

__all__ = ["summary_lines"]


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
    yield f"## {inert(verdict_sentence(result))}"
    yield ""
    yield f"{inert(result.title, 200)}, protocol `{result.protocol_digest[:16]}`"
    yield ""
    yield "| verdict | rule | declared | measured |"
    yield "|---|---|---|---|"
    for line in result.broken:
        yield f"| **fail** | record | | {inert(line, 400)} |"
    for line in result.missing:
        yield f"| **not enough evidence** | record | | {inert(line, 400)} |"
    for check in result.checks:
        cells = (check_title(check), limit_words(check.rule), why_words(check))
        yield f"| **{check.verdict.value}** | {' | '.join(map(inert, cells))} |"
    yield ""
    for line in result.cautions:
        yield f"{inert(line)}\n"
