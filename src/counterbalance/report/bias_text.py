"""The report of a probe battery as plain text: the signed table first, then what it rests on."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from counterbalance.measures.probe_decision import ProbeDecision
from counterbalance.report.cross_text import cross_lines
from counterbalance.report.layout import columns, p_value, percent, plural, visible
from counterbalance.report.measure_text import score_text
from counterbalance.report.rewriting import rewriting_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from counterbalance.measures.estimate import Estimate
    from counterbalance.report.bias import BiasReport, ProbeResult

__all__ = [
    "BIAS_LIMITS",
    "DECISION_WORDS",
    "bias_text",
    "contrast_lines",
    "plane_lines",
]

_WIDTH = 98
_MOST_LISTED = 20
_ID_CELLS = 48

DECISION_WORDS = {
    ProbeDecision.SENSITIVE: "sensitive",
    ProbeDecision.DIFFERS: "differs from 0, size open",
    ProbeDecision.WITHIN_MARGIN: "within the margin",
    ProbeDecision.AS_EXPECTED: "as it should",
    ProbeDecision.OPEN: "not shown either way",
    ProbeDecision.UNTESTED: "not tested",
}
"""How a decision reads."""

BIAS_LIMITS = (
    "A probe that shows nothing says so of these pairs, not that the judge is free of it.",
    "The checks say what code verified; they cannot say that only the named thing changed.",
    "A score belongs to this judge, prompt and these pairs; another judge's is another number.",
)
"""What no battery says."""


def bias_text(report: BiasReport, *, full: bool = False) -> str:
    """Return the report of a battery for a terminal or a text file.

    Parameters
    ----------
    report : BiasReport
        The report.
    full : bool
        Whether to add both scales, categories, checks and every strategy.

    Returns
    -------
    str
        Lines without control characters or escape sequences.
    """
    lines = [f"counterbalance bias: {visible(report.title, 80)}", *_head(report)]
    for judge in dict.fromkeys(result.judge for result in report.results):
        held = [result for result in report.results if result.judge == judge]
        lines += ["", f"Judge {visible(judge)}", *_table(held)]
        if full:
            for result in held:
                lines += _in_full(result)
        lines += contrast_lines(held)
        lines += plane_lines(report, judge)
    lines += cross_lines(report.cross, full=full)
    lines += _likelihoods(report)
    if report.rewriting is not None:
        lines += rewriting_lines(report.rewriting)
    lines += _left_out(report, full=full)
    lines += ["", "What this does not say", *_wrapped(BIAS_LIMITS)]
    if report.warnings:
        shown = report.warnings if full else report.warnings[:_MOST_LISTED]
        lines += ["", "Limits of this evidence", *_wrapped(shown)]
    return "\n".join(lines) + "\n"


def _head(report: BiasReport) -> Iterator[str]:
    yield (
        f"  pairs {visible(report.pairs_file)}; b = P(target) - P(other) over all valid verdicts,"
        f" intervals of {percent(report.level)} by source"
    )
    margin = "no margin declared" if report.margin is None else f"margin {report.margin:g}"
    yield f"  {margin}; {plural(report.family_size, 'test')} corrected together by Holm"


def _table(results: Iterable[ProbeResult]) -> list[str]:
    rows = [["probe", "b", "slot", "target", "other", "no side", "missing", "Holm", "result"]]
    for result in results:
        scores = result.scores
        if scores is None:
            rows.append([result.probe.name, *["–"] * 7, "no pairs"])
            continue
        counts = scores.counts
        rows.append(
            [
                result.probe.name,
                score_text(scores.score),
                "–" if scores.slot.value is None else f"{scores.slot.value:+.2f}",
                str(counts.target),
                str(counts.other),
                str(counts.undirected),
                str(counts.missing),
                p_value(result.adjusted_p_value),
                DECISION_WORDS[result.decision],
            ]
        )
    named = {r.probe.name: r.probe.target for r in results}
    meaning = [[f"+ {name}", target] for name, target in named.items()]
    return [*columns(rows, right=(3, 4, 5, 6)), "", *columns(meaning, indent=4)]


def _in_full(result: ProbeResult) -> Iterator[str]:
    scores = result.scores
    yield ""
    yield f"  {result.probe.name}: {result.probe.intervention}"
    if scores is None:
        return
    counts = scores.counts
    yield (
        f"    {plural(counts.pairs, 'pair')} of {plural(counts.clusters, 'cluster')},"
        f" {counts.verdicts} of {plural(counts.presentations, 'presentation')} with a verdict"
    )
    yield f"    effect f {score_text(scores.effect)}, slot effect s {score_text(scores.slot)}"
    yield (
        f"    share of the target: {_share(scores.directional)} of the verdicts for a side,"
        f" {_share(scores.share)} of all verdicts"
    )
    if scores.p_undefined:
        yield f"    no test: {scores.p_undefined}"
    for caution in dict.fromkeys(scores.score.cautions):
        yield from textwrap.wrap(caution, _WIDTH, initial_indent="    ", subsequent_indent="    ")
    for name, estimate in scores.by_category:
        yield f"    category {visible(name) or '(none)'}: {score_text(estimate)}"
    for check in result.checks:
        yield f"    checked: {check.name} ({check.passed} of {check.pairs})"
    yield f"    not checked: {result.probe.unchecked}"


def _share(estimate: Estimate) -> str:
    if estimate.value is None:
        return "–"
    if estimate.low is None or estimate.high is None:
        return percent(estimate.value)
    return f"{percent(estimate.value)} [{percent(estimate.low)}, {percent(estimate.high)}]"


def contrast_lines(results: Iterable[ProbeResult]) -> Iterator[str]:
    """Yield what is left of two probes once another is taken off, as lines."""
    for result in results:
        contrast, same = result.self_preference, result.same_format
        yield from _people(result)
        if contrast is not None:
            yield ""
            if contrast.excess.value is None:
                yield f"  own family: {contrast.against} ({contrast.excess.undefined})"
            else:
                excess = score_text(contrast.excess)
                yield f"  own family: {excess} beyond {visible(contrast.against, 60)}"
        if same is not None and same.interaction is not None:
            yield (
                f"  {result.probe.name}: slot effect with one format {score_text(same.slot)};"
                f" format and slot together {same.interaction:+.2f}"
            )


def _people(result: ProbeResult) -> Iterator[str]:
    """Say what people made of the same pairs: only what goes beyond theirs can be an error."""
    people = result.people
    if people is None:
        return
    if people.people.value is None:
        yield f"  {result.probe.name}: no baseline of people ({people.people.undefined})"
        return
    excess = people.excess
    told = "a shift that people do not share" if people.is_told_apart else "not told from theirs"
    yield (
        f"  {result.probe.name}: people {score_text(people.people)},"
        f" the judge {score_text(excess)} beyond them on {plural(int(excess.denominator), 'pair')}:"
        f" {told}"
    )


def plane_lines(report: BiasReport, judge: str) -> Iterator[str]:
    """Yield where a judge stands between length and quality, as lines."""
    for plane in report.planes:
        if plane.judge == judge:
            yield ""
            yield (
                f"  length and quality: {plane.place.region.value}"
                f" (expanded {score_text(plane.place.expanded)},"
                f" complete {score_text(plane.place.truncated)}, margin {plane.place.margin:g})"
            )


def _likelihoods(report: BiasReport) -> Iterator[str]:
    if not report.likelihoods:
        return
    yield ""
    yield "By the likelihood of whole answers: a changed objective, under each of its reductions"
    rows = [["by", "probe", "reduction", "b", "missing"]]
    rows += [
        [
            visible(cell.source, 40) or "the file",
            cell.probe,
            cell.reduction.value,
            score_text(cell.score),
            str(cell.missing),
        ]
        for cell in report.likelihoods
    ]
    yield from columns(rows, right=(4,))
    yield "  the sum falls with every token, so it favours short answers; the mean need not"


def _left_out(report: BiasReport, *, full: bool) -> Iterator[str]:
    if not (report.left_out or report.flaws or report.not_drawn):
        return
    yield ""
    yield "Pairs that are no probe"
    rows = [[str(x.count), x.probe, visible(x.reason, 80)] for x in report.left_out]
    rows += [[str(n), probe, "not drawn"] for probe, n in report.not_drawn]
    yield from columns(rows, right=(0,))
    flaws = report.flaws if full else report.flaws[:_MOST_LISTED]
    for flaw in flaws:
        yield f"  flawed: {visible(flaw.pair, _ID_CELLS)}, of which it does not hold that"
        yield from textwrap.wrap(
            "; ".join(flaw.failed), _WIDTH, initial_indent="    ", subsequent_indent="    "
        )
    if len(flaws) < len(report.flaws):
        yield f"  and {len(report.flaws) - len(flaws)} more; see --full or --json"


def _wrapped(sentences: Iterable[str]) -> Iterator[str]:
    for sentence in sentences:
        yield from textwrap.wrap(
            visible(sentence, 2000), _WIDTH, initial_indent="  - ", subsequent_indent="    "
        )
