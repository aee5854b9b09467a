"""An audit of printed tables as plain text: the first broken link, the chain, then what is off."""

from __future__ import annotations

import textwrap
from collections import Counter
from typing import TYPE_CHECKING

from counterbalance.report.layout import columns, plural, visible
from counterbalance.tables.check import CHAIN, Audit, Check, Figure, Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["LINK_WORDS", "VERDICT_WORDS", "headline", "render_tables_text"]

_WIDTH = 98
_LONGEST = 4000
_MOST_UNCHECKED = 30
_MOST_FIGURES = 6

VERDICT_WORDS = {
    Finding.CONSISTENT: "consistent",
    Finding.INCONSISTENT: "inconsistent",
    Finding.CANNOT_BE_CHECKED: "cannot be checked",
}
LINK_WORDS = {
    "rows": "rows add up",
    "denominators": "possible counts",
    "errors": "errors and limits",
    "kappa": "kappa",
    "differences": "differences",
    "tests": "tests",
    "families": "survivors",
    "power": "power",
    "ties": "ties",
    "win_rates": "win rates",
    "clusters": "clusters",
    "log": "the log",
}


def render_tables_text(audit: Audit, *, full: bool = False) -> str:
    """Return an audit for a terminal or a text file.

    Parameters
    ----------
    audit : Audit
        The audit.
    full : bool
        Also every consistent check, and every figure.

    Returns
    -------
    str
        Lines without control characters or escape sequences.
    """
    lines = [f"counterbalance tables: {visible(audit.title, 90)}"]
    if audit.source:
        lines += _wrapped(f"source: {audit.source}", "  ")
    lines += ["", *_wrapped(headline(audit), ""), "", *_chain(audit)]
    lines += _part("Inconsistent", _of(audit, Finding.INCONSISTENT), None)
    unchecked = _of(audit, Finding.CANNOT_BE_CHECKED)
    lines += _part("Cannot be checked", unchecked, None if full else _MOST_UNCHECKED)
    if full:
        lines += _part("Consistent", _of(audit, Finding.CONSISTENT), None)
    lines += _figures(audit.figures, None if full else _MOST_FIGURES)
    if audit.notes:
        lines += ["", "Notes of the description"]
        lines += [line for note in audit.notes for line in _wrapped(f"- {note}", "  ")]
    return "\n".join(lines) + "\n"


def headline(audit: Audit) -> str:
    """Return what came of an audit, in one or two sentences."""
    counts = audit.counts
    first = audit.first_broken
    total = plural(sum(counts.values()), "check")
    if not counts["consistent"] and not counts["inconsistent"]:
        return (
            f"Nothing could be checked ({total}). Each line below says what would have to be"
            " printed."
        )
    rest = f"{counts['consistent']} consistent, {counts['cannot_be_checked']} cannot be checked"
    if first is None:
        design = " The design is unpaired: McNemar's test does not apply."
        said = f"No link is broken: {total}, {rest}."
        return said + (design if audit.design == "unpaired" else "")
    where = f"{visible(first.table, 60)}, " if first.table else ""
    return (
        f"The first broken link is {LINK_WORDS[first.link]}: {where}{visible(first.subject, 80)}"
        f" ({first.rule.name}). {counts['inconsistent']} of {total} inconsistent, {rest}."
    )


def _of(audit: Audit, verdict: Finding) -> list[Check]:
    return [check for check in audit.checks if check.verdict is verdict]


def _chain(audit: Audit) -> list[str]:
    rows = [["link", *VERDICT_WORDS.values()]]
    for link in CHAIN:
        counts = audit.counts_by_link[link]
        if sum(counts.values()):
            shown = [str(counts[verdict.value] or "–") for verdict in Finding]
            rows.append([LINK_WORDS[link], *shown])
    return ["The chain, from marginals to survivors", *columns(rows, right=[1, 2, 3])]


def _part(title: str, checks: Sequence[Check], most: int | None) -> Iterator[str]:
    if not checks:
        return
    yield ""
    yield f"{title} ({len(checks)})"
    for check in checks[:most]:
        where = f"{visible(check.table, 60)}, " if check.table else ""
        yield from _wrapped(f"{where}{visible(check.subject, 80)}: {check.rule.name}", "  ")
        yield from _wrapped(check.found, "    ")
        inputs = "; ".join(f"{name}: {value}" for name, value in check.inputs.items())
        if inputs:
            yield from _wrapped(f"printed  {visible(inputs, 400)}", "    ")
        yield from _wrapped(f"rule     {check.rule.says}", "    ")
        yield from _wrapped(f"leeway   {check.tolerance}", "    ")
    if most is not None and len(checks) > most:
        yield f"  and {len(checks) - most} more; --full lists all"


def _figures(figures: Sequence[Figure], most: int | None) -> Iterator[str]:
    """Yield the figures, of each name the first few."""
    if not figures:
        return
    yield ""
    yield "What follows from the figures, with nothing printed to hold it against"
    seen: Counter[str] = Counter()
    for figure in figures:
        seen[figure.name] += 1
        if most is not None and seen[figure.name] > most:
            continue
        where = f"{visible(figure.table, 60)}, " if figure.table else ""
        yield from _wrapped(f"{where}{visible(figure.subject, 80)}: {figure.sentence}", "  ")
    if most is not None and max(seen.values()) > most:
        rest = sum(max(0, n - most) for n in seen.values())
        yield f"  and {rest} more of the same kinds; --full lists all"


def _wrapped(sentence: str, indent: str) -> Iterable[str]:
    return textwrap.wrap(
        visible(sentence, _LONGEST), _WIDTH, initial_indent=indent, subsequent_indent=indent + "  "
    )
