"""The report of a probe battery as one HTML page: no network, no script, no second file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.measures.probe_decision import ProbeDecision
from counterbalance.report.bias_text import (
    BIAS_LIMITS,
    DECISION_WORDS,
    contrast_lines,
    plane_lines,
)
from counterbalance.report.html.cross_section import cross_section
from counterbalance.report.html.figures import Forest, ForestRow
from counterbalance.report.html.plot import Plot
from counterbalance.report.html.rewriting_table import rewriting_tables
from counterbalance.report.html.sections import Block, Fold, Part, Section, Words
from counterbalance.report.html.table import Cell, Table
from counterbalance.report.html.verdict_page import (
    Fact,
    SaidVerdict,
    VerdictPage,
    method_words,
    render_verdict_page,
)
from counterbalance.report.layout import number, p_value, percent, plural, visible
from counterbalance.report.measure_text import score_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.measures.estimate import Estimate
    from counterbalance.report.bias import BiasReport, ProbeResult

__all__ = ["render_bias_html"]

_MOST = 60
_HOLM = "✱"


def render_bias_html(report: BiasReport) -> str:
    """Return the report of a battery as one HTML page.

    Parameters
    ----------
    report : BiasReport
        The report.

    Returns
    -------
    str
        The same text for the same report. It loads nothing, runs nothing and sends nothing.
    """
    sections = (_forests(report), _counts(report), cross_section(report.cross), *_others(report))
    used = {r.scores.score.method for r in report.results if r.scores is not None}
    waits = f"{report.outstanding} planned presentations were not asked yet."
    return render_verdict_page(
        "bias.html",
        VerdictPage(
            kind="counterbalance bias",
            banner="Probe battery of counterbalance",
            title=visible(report.title, 200),
            facts=(Fact("Protocol", report.protocol_digest), Fact("Pairs", text=report.pairs_file)),
            verdicts=tuple(
                SaidVerdict(visible(judge), (_verdict(held),)) for judge, held in _by_judge(report)
            ),
            sections=tuple(section for section in sections if section is not None),
            warnings=tuple(visible(sentence, 2000) for sentence in report.warnings),
            not_said=BIAS_LIMITS,
            methods=method_words(used),
            more=waits if report.outstanding else "",
        ),
    )


def _by_judge(report: BiasReport) -> list[tuple[str, list[ProbeResult]]]:
    judges = dict.fromkeys(result.judge for result in report.results)
    return [(judge, [r for r in report.results if r.judge == judge]) for judge in judges]


def _verdict(results: Sequence[ProbeResult]) -> str:
    """Say in a sentence how many probes ended how, and which moved the judge."""
    named: dict[ProbeDecision, list[str]] = {}
    for result in results:
        named.setdefault(result.decision, []).append(result.probe.name)
    parts = [
        f"{DECISION_WORDS[decision]}: {len(named[decision])} ({', '.join(named[decision])})"
        for decision in ProbeDecision
        if decision in named
    ]
    return f"Of {plural(len(results), 'probe')}, {'; '.join(parts)}."


def _forests(report: BiasReport) -> Section:
    about = (
        "b = P(target) − P(other) over all valid verdicts; 0 is the dashed line."
        f" {_HOLM} and a full dot: Holm's correction over the whole battery rejects that b is 0."
        " A ring: it does not."
    )
    parts = tuple(
        Part(visible(judge), (_forest(judge, held, report), *_said(judge, held, report)))
        for judge, held in _by_judge(report)
    )
    return Section("sensitivity", "Signed sensitivities", about, parts)


def _forest(judge: str, results: Sequence[ProbeResult], report: BiasReport) -> Forest:
    margin = "no margin declared"
    if report.margin is not None:
        margin = f"the shaded band is the declared margin ±{report.margin:g}"
    pairs = sum(r.scores.counts.pairs for r in results if r.scores is not None)
    undefined = [
        f"{r.probe.name}: {r.scores.score.undefined or r.scores.p_undefined}"
        for r in results
        if r.scores is not None and (r.scores.score.undefined or r.scores.p_undefined)
    ]
    return Forest(
        caption=f"Signed sensitivity to each probe: {visible(judge)}",
        about=(
            f"n = {plural(pairs, 'probe pair')}; {percent(report.level)} intervals over clusters"
            f" of sources; {margin}; {plural(report.family_size, 'test')} under Holm. Each row"
            " has its own count and method."
        ),
        axis=("−1", "0", "+1"),
        rows=tuple(_row(result, report) for result in results),
        notes=(*undefined, *dict.fromkeys(_cautions(results))),
    )


def _cautions(results: Sequence[ProbeResult]) -> Iterator[str]:
    for result in results:
        if result.scores is not None:
            yield from result.scores.score.cautions


def _row(result: ProbeResult, report: BiasReport) -> ForestRow:
    scores = result.scores
    mark = f"{_HOLM} " if result.is_rejected else ""
    told = f"{mark}{DECISION_WORDS[result.decision]}; Holm {p_value(result.adjusted_p_value)}"
    if scores is None:
        none = (None, None, None)
        return ForestRow(
            result.probe.name, True, result.probe.target, "–", "", "", "no pairs", none, told, None  # noqa: FBT003 (declared)
        )  # fmt: skip
    score = scores.score
    place = "" if result.place is None else f"margin ±{report.margin:g}: {result.place.value}; "
    n = scores.counts
    counts = (
        f"({n.target} − {n.other}) of {plural(n.verdicts, 'verdict')}"
        f" on {plural(n.pairs, 'pair')} of {plural(n.clusters, 'cluster')}"
        f"; method {score.method}"
    )
    return ForestRow(
        name=result.probe.name,
        is_planned=True,
        means=result.probe.target,
        value=_signed(score.value),
        low=_signed(score.low),
        high=_signed(score.high),
        counts=counts,
        exact=(score.value, score.low, score.high),
        margin=f"{place}{told}",
        plot=_plot(score, report.margin, is_ring=not result.is_rejected),
    )


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{value:+.2f}"


def _plot(score: Estimate, margin: float | None, *, is_ring: bool) -> Plot | None:
    if score.value is None:
        return None

    def place(value: float) -> float:
        return round(50 * (min(max(value, -1.0), 1.0) + 1), 2)

    return Plot(
        value=place(score.value),
        low=None if score.low is None else place(score.low),
        high=None if score.high is None else place(score.high),
        margin=None if margin is None else (place(-margin), place(margin)),
        is_ring=is_ring,
    )


def _said(judge: str, results: Sequence[ProbeResult], report: BiasReport) -> Iterator[Block]:
    lines = (*contrast_lines(results), *plane_lines(report, judge))
    said = tuple(line.strip() for line in lines if line)
    if said:
        yield Words(said)


def _counts(report: BiasReport) -> Section:
    parts = tuple(
        Part(visible(judge), (_count_table(judge, held), _checks(judge, held)))
        for judge, held in _by_judge(report)
    )
    about = "A tie and an abstention are in the denominator; a missing verdict is counted apart."
    return Section("counts", "What the scores rest on", about, parts)


def _count_table(judge: str, results: Sequence[ProbeResult]) -> Table:
    rows = []
    for result in results:
        scores = result.scores
        if scores is None:
            rows.append((Cell(result.probe.name), *(Cell("–", is_number=True) for _ in range(8))))
            continue
        counts = scores.counts
        whole = (counts.pairs, counts.verdicts, counts.target, counts.other)
        texts = (*map(str, (*whole, counts.undirected, counts.missing)),
                 score_text(scores.effect), score_text(scores.slot))  # fmt: skip
        rows.append((Cell(result.probe.name), *(Cell(text, is_number=True) for text in texts)))
    return Table(
        caption=f"Counts of each probe: {visible(judge)}",
        about=(
            "Verdicts of every presentation of a probe. f is the effect of the intervention over"
            " both orders, s that of the slot, over pairs with verdicts in both."
        ),
        head=("probe", "pairs", "verdicts", "target", "other", "no side", "missing", "f", "s"),
        rows=tuple(rows),
    )


def _checks(judge: str, results: Sequence[ProbeResult]) -> Fold:
    rows = tuple(
        (
            Cell(result.probe.name, (result.probe.intervention,)),
            Cell(
                "; ".join(f"{c.name} ({c.passed} of {c.pairs})" for c in result.checks) or "–",
                (f"not checked: {result.probe.unchecked}",),
            ),
        )
        for result in results
    )
    table = Table(
        caption=f"What was changed, and what code checked of it: {visible(judge)}",
        about="Probe pairs of which each check holds, of those that were judged.",
        head=("probe", "checked"),
        rows=rows,
    )
    return Fold("What was changed and checked", (table,))


def _others(report: BiasReport) -> Iterator[Section]:
    tables = (*_likelihoods(report), *rewriting_tables(report.rewriting), *_left_out(report))
    if tables:
        title = "Likelihoods, rewrites, and pairs that are no probe"
        yield Section("others", title, "", (Part("", tables),))


def _likelihoods(report: BiasReport) -> Iterator[Table]:
    if not report.likelihoods:
        return
    yield Table(
        caption="By the likelihood of whole answers",
        about=(
            "A changed objective: the more likely answer counts as preferred. The sum falls with"
            " every token, so it favours short answers; the mean need not."
        ),
        head=("by", "probe", "reduction", "b", "missing"),
        rows=tuple(
            (
                Cell(visible(cell.source, 60) or "the file"),
                Cell(cell.probe),
                Cell(cell.reduction.value),
                Cell(score_text(cell.score), (f"n = {number(cell.score.denominator)}",)),
                Cell(str(cell.missing), is_number=True),
            )
            for cell in report.likelihoods
        ),
    )


def _left_out(report: BiasReport) -> Iterator[Table]:
    rows = [(x.probe, visible(x.reason, 200), x.count) for x in report.left_out]
    rows += [(probe, "not drawn", n) for probe, n in report.not_drawn]
    rows += [(visible(f.pair, 80), f"flawed: {'; '.join(f.failed)}", 1) for f in report.flaws]
    if not rows:
        return
    more = len(rows) - _MOST
    yield Table(
        caption="Pairs that are no probe",
        about=f"n = {plural(sum(n for *_, n in rows), 'pair')}, each with why it was not judged.",
        head=("probe or pair", "why", "pairs"),
        rows=tuple((Cell(a), Cell(b), Cell(str(n), is_number=True)) for a, b, n in rows[:_MOST]),
        more=f"{plural(more, 'more line')}: --json lists all." if more > 0 else "",
    )
