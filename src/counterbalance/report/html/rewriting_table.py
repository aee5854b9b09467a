"""Who wrote texts of a battery, as a table of its page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.report.html.table import Cell, Table
from counterbalance.report.layout import plural, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.report.rewriting import RewritingReport

__all__ = ["rewriting_tables"]


def rewriting_tables(found: RewritingReport | None) -> Iterator[Table]:
    """Yield what a model was asked to write, and what became of it; nothing where none was."""
    if found is None:
        return
    flawed = dict(found.flawed)
    yield Table(
        caption=f"Texts rewritten by {visible(found.model, 60)}",
        about=(
            f"n = {plural(sum(one.asked for one in found.probes), 'text')};"
            f" {plural(found.calls, 'call')} beside those for verdicts. Flawed: a check of code"
            " fails. Failed: no text came. Neither is judged."
        ),
        head=("probe", "asked", "written", "flawed", "failed", "prompt", "why failed"),
        rows=tuple(
            (
                Cell(one.probe),
                *(
                    Cell(str(n), is_number=True)
                    for n in (one.asked, one.written, flawed[one.probe], one.asked - one.written)
                ),
                Cell(one.prompt_digest),
                Cell("; ".join(f"{visible(why, 100)}: {n}" for why, n in one.failed) or "–"),
            )
            for one in found.probes
        ),
    )
