"""Comparisons as plain text: the verdict first, then every count that it rests on."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from counterbalance.compare.outcomes import OUTCOMES
from counterbalance.compare.verdict import POWER, Verdict
from counterbalance.report.family import family_lines
from counterbalance.report.layout import columns, p_value, percent, plural, visible
from counterbalance.report.measure_text import interval_text, notes, value_text
from counterbalance.report.odds_text import odds_lines
from counterbalance.report.panel_text import panel_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from counterbalance.compare.comparison import Comparison, Comparisons
    from counterbalance.compare.difference import Difference
    from counterbalance.compare.moves import Moves
    from counterbalance.compare.verdict import Conclusion

__all__ = [
    "COMPARISON_LIMITS",
    "DIFFERENCE_HEAD",
    "IN_FULL",
    "comparison_cautions",
    "comparison_notes",
    "comparisons_text",
    "conclusion_sentence",
    "difference_cells",
    "difference_words",
    "moves_lines",
    "pair_counts",
    "pair_parts",
    "side_words",
    "verdict_word",
]

_WIDTH = 98
_LISTED = 10
DIFFERENCE_HEAD = (
    "first",
    "second",
    "gained",
    "lost",
    "common",
    "p",
    "adjusted",
    "if all had come",
)
"""What `difference_cells` holds."""
IN_FULL = 3
"""Comparisons that are shown with all their tables when nobody asks for more."""
_LONGEST_NAME = 70


def comparisons_text(found: Comparisons, *, full: bool = False) -> str:
    """Return comparisons for a terminal or a text file.

    Parameters
    ----------
    found : Comparisons
        The comparisons.
    full : bool
        Show every table of every comparison, and every pair that moved.

    Returns
    -------
    str
        Lines without control characters or escape sequences.
    """
    plan = found.plan
    kind = "declared before the data" if plan.is_declared else "EXPLORATORY"
    lines = [
        f"counterbalance compare: {plural(len(found.comparisons), 'comparison')}, {kind}",
        (
            f"  {plan.level:.0%} intervals; {plural(found.family.family_size, 'test')} corrected"
            f" together by Holm; pairs are the same by their {plan.by}"
        ),
    ]
    shows_all = full or len(found.comparisons) <= IN_FULL
    for n, comparison in enumerate(found.comparisons, start=1):
        number = f"[{n}] " if len(found.comparisons) > 1 else ""
        lines += _comparison(comparison, number, full=full, with_tables=shows_all)
    for panel in found.panels:
        lines += panel_lines(panel)
    for odds in found.odds:
        lines += odds_lines(odds)
    lines += family_lines(found.family, "Declared" if plan.is_declared else "Exploratory")
    if not shows_all:
        lines += ["", "Dispositions and exclusions of each comparison with --full"]
    notes = comparison_notes(found)
    lines += ["", "What this does not say", *_wrapped(COMPARISON_LIMITS)]
    if notes:
        lines += ["", "Limits of this evidence", *_wrapped(notes)]
    return "\n".join(lines) + "\n"


COMPARISON_LIMITS = (
    (
        "Agreement with a reference is as good as the reference; a judge that agrees more need not"
        " be the better one for another question."
    ),
    (
        "A difference that was not found is not none: only an interval inside the margin says that"
        " two judges come to the same."
    ),
)
_NO_MARGIN = (
    "Where no margin says which difference would matter, nothing is called better, worse or"
    " equivalent: declare margins under [compare] in the protocol before the data are seen, or give"
    " --margin, which is exploratory."
)


def comparison_notes(found: Comparisons) -> list[str]:
    """Return what limits the evidence, and that nothing can be called better without a margin."""
    concluded = [c for x in found.comparisons for _, c in x.differences]
    has_none = any(c.verdict is Verdict.NO_MARGIN for c in concluded)
    return [*found.notes, *([_NO_MARGIN] if has_none else [])]


def verdict_word(concluded: Conclusion) -> str:
    """Return what a difference comes to, in a word or two."""
    return concluded.verdict.value.replace("_", " ")


def _comparison(
    comparison: Comparison, number: str, *, full: bool, with_tables: bool
) -> Iterator[str]:
    yield ""
    yield f"{number}{visible(comparison.second.name, _LONGEST_NAME)}"
    yield f"  against {visible(comparison.first.name, _LONGEST_NAME)} (second less first)"
    yield from _wrapped([comparison.attribution.sentence])
    yield from _wrapped(conclusion_sentence(*each) for each in comparison.differences)
    if not with_tables:
        return
    yield ""
    yield from _measure_table(comparison)
    yield ""
    yield from _corrected(comparison)
    yield from pair_counts(comparison)
    changes = comparison.attribution.changes
    if changes:
        yield ""
        yield "  Settings of judging that differ"
        rows = [["", "first", "second"]]
        rows += [
            [visible(c.name, 40), visible(c.first, 40), visible(c.second, 40)] for c in changes
        ]
        yield from columns(rows, indent=4)
    yield ""
    yield from moves_lines(comparison.moves, full=full)
    if full:
        yield from _wrapped(comparison_cautions(comparison))


def conclusion_sentence(found: Difference, concluded: Conclusion) -> str:
    """Say what one difference comes to, in words that claim no more than was found.

    Parameters
    ----------
    found : Difference
        Second side less first.
    concluded : Conclusion
        What it comes to.

    Returns
    -------
    str
        One or two sentences.
    """
    margin = concluded.margin
    if found.value is None:
        return f"{found.measure}: {found.undefined}"
    declared = "declared margin" if concluded.is_declared else "margin not declared beforehand,"
    held = "" if margin is None else f" ({declared} {100 * margin:g} points)"
    said = _VERDICT[concluded.verdict].format(held=held)
    return f"{difference_words(found)}. {said}{_more(found, concluded)}"


def difference_words(found: Difference) -> str:
    """Return one difference with its interval in words; it must have a value."""
    points = "–" if found.value is None else f"{100 * found.value:+.1f} points"
    interval = (
        f"no interval ({_lower_first(found.interval_undefined or '')})"
        if found.low is None or found.high is None
        else f"{found.level:.0%} interval [{100 * found.low:+.1f}, {100 * found.high:+.1f}]"
    )
    return f"{found.measure}: {points}, {interval}"


_VERDICT = {
    Verdict.BETTER: "BETTER{held}: the second side is better here.",
    Verdict.WORSE: "WORSE{held}: the second side is worse here.",
    Verdict.HIGHER: "HIGHER{held} on the second side.",
    Verdict.LOWER: "LOWER{held} on the second side.",
    Verdict.EQUIVALENT: "EQUIVALENT{held}: the limits for the whole family lie inside the margin.",
    Verdict.CANNOT_TELL: "CANNOT TELL{held}.",
    Verdict.NO_MARGIN: "No verdict: no margin.",
    Verdict.REFUSED: "No verdict: see REFUSED.",
}


def _more(found: Difference, concluded: Conclusion) -> str:
    if concluded.could_be_undone:
        return " The missing verdicts could undo this."
    if concluded.verdict is not Verdict.CANNOT_TELL:
        return ""
    n = concluded.pairs_needed
    if n is None:
        return " How many pairs would tell cannot be said from these."
    if n <= found.n_common:
        return (
            f" {n} pairs find a difference of the margin with {POWER:.0%} power, and"
            f" {found.n_common} were compared: the difference lies too near to the margin or to 0."
        )
    return (
        f" About {n} common pairs like these would find a difference of the margin with"
        f" {POWER:.0%} power; there are {found.n_common}."
    )


def _lower_first(sentence: str) -> str:
    return (sentence[:1].lower() + sentence[1:]).rstrip(".")


def _corrected(comparison: Comparison) -> Iterator[str]:
    """Yield the win rates as judged and by the references, where only some pairs have one."""
    rows = []
    for side, estimates in zip(
        (comparison.first, comparison.second), comparison.corrected, strict=True
    ):
        for estimate in estimates:
            value = value_text(estimate.name, estimate.value)
            n = f"n = {estimate.denominator:g}"
            name = visible(side.name, 40)
            rows.append([name, estimate.name, value, n, interval_text(estimate)])
    if not rows:
        return
    yield "  Win rates as judged, and as references of some pairs say of all (exploratory)"
    yield from columns(rows, right=[2, 3])
    yield from _wrapped(dict.fromkeys(notes([e for side in comparison.corrected for e in side])))
    yield ""


def difference_cells(found: Difference, concluded: Conclusion) -> tuple[str, ...]:
    """Return the numbers behind a difference, one for each name of `DIFFERENCE_HEAD`."""
    bounds = "–"
    if found.least is not None and found.most is not None:
        bounds = f"[{100 * found.least:+.1f}, {100 * found.most:+.1f}]"
    return (
        side_words(found.first, found),
        side_words(found.second, found),
        str(found.n_gained),
        str(found.n_lost),
        str(found.n_common),
        p_value(found.p_value),
        p_value(concluded.adjusted),
        bounds,
    )


def _measure_table(comparison: Comparison) -> list[str]:
    rows = [["", *DIFFERENCE_HEAD]]
    rows += [
        [found.measure, *difference_cells(found, told)] for found, told in comparison.differences
    ]
    notes = [
        "    gained: the second side alone gets it right, or has the larger number; lost: reversed",
        "    if all had come: the difference had each missing verdict turned out worst, and best",
        *(f"    {name}" for name in _methods(comparison)),
    ]
    return [*columns(rows, indent=4, right=range(1, len(rows[0]))), *notes]


def side_words(value: float | None, found: Difference) -> str:
    """Return the measure on one side, as a share or with a sign."""
    if value is None:
        return "–"
    return f"{value:+.3f}" if OUTCOMES[found.measure].bounds[0] < 0 else percent(value)


def _methods(comparison: Comparison) -> list[str]:
    """Say which interval and test were taken, once for all measures that share them."""
    about: dict[tuple[str, str, int], list[str]] = {}
    for found, _ in comparison.differences:
        key = found.method, found.p_method, found.n_clusters
        about.setdefault(key, []).append(found.measure)
    return [
        f"interval {method}, p {test}, {plural(n, 'cluster')}: {', '.join(names)}"
        for (method, test, n), names in about.items()
    ]


def pair_counts(comparison: Comparison) -> Iterator[str]:
    """Yield which pairs are compared and why the others are not; each measure's parts add up."""
    matched = comparison.matched
    yield (
        f"  Pairs: {matched.n_first} on the first side, {matched.n_second} on the second,"
        f" {matched.n_shared} shared"
    )
    for n, what in (
        (matched.n_only_first, "on the first side only"),
        (matched.n_only_second, "on the second side only"),
        (matched.n_other_texts, "with the same id on both sides and other texts"),
    ):
        if n:
            yield f"    left out: {n} {what}"
    for found, _ in comparison.differences:
        parts = " + ".join(pair_parts(found))
        yield f"    {found.measure}: {matched.n_shared} shared = {parts}"


def pair_parts(found: Difference) -> list[str]:
    """Return the parts of the shared pairs for one measure, in words; their counts add up."""
    left = found.left_out
    parts = [f"{found.n_common} common"]
    parts += [f"{left.not_eligible} {left.why_not_eligible}"] if left.not_eligible else []
    for n, who in (
        (left.no_verdict_first, "on the first side"),
        (left.no_verdict_second, "on the second side"),
        (left.no_verdict_both, "on both"),
    ):
        parts += [f"{n} without a verdict {who}"] if n else []
    return parts


def moves_lines(found: Moves, *, full: bool = False) -> Iterator[str]:
    """Yield the table of dispositions, first side by second, and the pairs that moved."""
    share = percent(found.n_moved / found.n_pairs if found.n_pairs else None)
    yield f"  Dispositions, first (rows) by second (columns): {found.n_moved} moved ({share})"
    rows = [["", *found.labels]]
    rows += [
        [label, *map(str, cells)] for label, cells in zip(found.labels, found.cells, strict=True)
    ]
    yield from columns(rows, indent=4, right=range(1, len(found.labels) + 1))
    ids = [visible(name, 40) for name in (found.moved if full else found.moved[:_LISTED])]
    if ids:
        more = found.n_moved - len(ids)
        rest = f" and {more} more" if more else ""
        text = f"Moved: {', '.join(ids)}{rest}"
        yield from textwrap.wrap(text, _WIDTH, initial_indent="    ", subsequent_indent="      ")


def comparison_cautions(comparison: Comparison) -> Iterator[str]:
    """Yield what the intervals lean on and why tests are missing, with the measures, each once."""
    about: dict[str, list[str]] = {}
    for found, _ in comparison.differences:
        reasons = [found.p_undefined] if found.p_undefined and found.value is not None else []
        for note in (*found.cautions, *reasons):
            about.setdefault(note, []).append(found.measure)
    for note, names in about.items():
        yield f"{', '.join(names)}: {note}"


def _wrapped(sentences: Iterable[str]) -> Iterator[str]:
    for sentence in sentences:
        yield from textwrap.wrap(
            visible(sentence, 2000), _WIDTH, initial_indent="  - ", subsequent_indent="    "
        )
