"""Evidence of a probe battery to the table of strategies by probes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from counterbalance.measures.estimate import undefined
from counterbalance.measures.strategy_bias import (
    CrossScore,
    Moved,
    calibrated_results,
    cross_score,
    moved,
    results_of,
)
from counterbalance.probes.catalogue import PROBES
from counterbalance.protocol.strategies.catalogue import CALIBRATED
from counterbalance.protocol.strategies.on_probes import SLOT_PROBES
from counterbalance.report.cross import CrossCell, CrossTable
from counterbalance.statistics.multiplicity import holm

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from counterbalance.dispositions.strategy_evidence import StrategyEvidence
    from counterbalance.measures.group import JudgedPair
    from counterbalance.protocol.bias_section import Bias
    from counterbalance.report.evidence import Evidence

__all__ = ["cross_table"]

_BASELINE = "B0"
_CALIBRATED_TITLE = "label log-odds averaged over both orders and all labellings"
_MERGED = (
    "both orders and all labellings are averaged, which leaves no slot and no label: 0 by"
    " construction, no finding"
)
_NO_NEITHER = "log-odds of two labels cannot say that neither answer is acceptable"
_ONE_LABELLING = (
    "it averages over all labellings, and the probe was shown under the first only; set"
    " every_labelling = true in [bias]"
)


@dataclass(frozen=True, slots=True)
class _Scored:
    """A cell before it is compared."""

    judge: str
    strategy: str
    probe: str
    score: CrossScore
    by_construction: str | None
    baseline_judge: str

    @property
    def name(self) -> str:
        return f"{self.judge}: {self.strategy} on {self.probe}"


def cross_table(
    evidence: Evidence,
    declared: Bias,
    families: Mapping[str, frozenset[str]],
    by_labelling: Mapping[str, Mapping[str, Sequence[Sequence[JudgedPair]]]],
) -> CrossTable:
    """Score every declared probe under every strategy, and compare with one call.

    Parameters
    ----------
    evidence : Evidence
        What the record of the battery holds.
    declared : Bias
        The protocol's table.
    families : Mapping[str, frozenset[str]]
        Families of each judge.
    by_labelling : Mapping[str, Mapping[str, Sequence[Sequence[JudgedPair]]]]
        Judged pairs by judge and probe, for each labelling; empty where it was not shown.

    Returns
    -------
    CrossTable
        Every cell, undefined ones with their reasons.
    """
    level = evidence.protocol.analysis.confidence_level
    scored = [
        *_declared(evidence, declared, families),
        *_calibrated(evidence, declared, families, by_labelling),
    ]
    baselines = {(s.judge, s.probe): s for s in scored if s.strategy == _BASELINE}
    cells = [_compared(each, baselines, level) for each in scored]
    compared = [
        (each, cell)
        for each, cell in zip(scored, cells, strict=True)
        if each.strategy != _BASELINE and each.by_construction is None
    ]
    titles = {f.row.strategy.id: f.row.strategy.title for f in evidence.on_probes}
    if CALIBRATED in evidence.protocol.strategies:
        titles[CALIBRATED] = _CALIBRATED_TITLE
    if compared:
        p_values = {e.name: c.moved.p_value if c.moved else None for e, c in compared}
        family = holm(p_values, len(compared), round(1 - level, 12))
        steps = {step.name: step for step in family.steps}
        cells = [
            cell
            if (step := steps.get(each.name)) is None
            else replace(
                cell,
                adjusted_p_value=step.adjusted,
                is_rejected=None if step.p_value is None else step.is_rejected,
            )
            for each, cell in zip(scored, cells, strict=True)
        ]
    return CrossTable(tuple(cells), tuple(titles.items()), len(compared))


def _declared(
    evidence: Evidence, declared: Bias, families: Mapping[str, frozenset[str]]
) -> Iterator[_Scored]:
    level = evidence.protocol.analysis.confidence_level
    for found in evidence.on_probes:
        row = found.row
        for name in declared.probes:
            reason = evidence.protocol.why_no_score(row.strategy, name)
            yield _Scored(
                judge=row.judge,
                strategy=row.strategy.id,
                probe=name,
                score=_none(name, reason, level)
                if reason
                else _score(found, name, families.get(row.judge, frozenset()), level),
                by_construction=reason,
                baseline_judge=row.voters[0].judge,
            )


def _score(
    found: StrategyEvidence, probe: str, families: frozenset[str], level: float
) -> CrossScore:
    return cross_score(PROBES[probe], results_of(found, probe), families, level)


def _calibrated(
    evidence: Evidence,
    declared: Bias,
    families: Mapping[str, frozenset[str]],
    by_labelling: Mapping[str, Mapping[str, Sequence[Sequence[JudgedPair]]]],
) -> Iterator[_Scored]:
    if CALIBRATED not in evidence.protocol.strategies:
        return
    level = evidence.protocol.analysis.confidence_level
    n_labellings = len(evidence.protocol.labellings)
    for judge, by_probe in by_labelling.items():
        for name in declared.probes:
            reason = None
            if name in SLOT_PROBES or name == "labels":
                reason = _MERGED
            elif name == "neither":
                reason = _NO_NEITHER
            elif not all(declared.is_under(name, n) for n in range(n_labellings)):
                reason = _ONE_LABELLING
            score = (
                _none(name, reason, level)
                if reason
                else cross_score(
                    PROBES[name], calibrated_results(by_probe[name]), families[judge], level
                )
            )
            yield _Scored(judge, CALIBRATED, name, score, reason, judge)


def _none(probe: str, reason: str, level: float) -> CrossScore:
    named = PROBES[probe]
    return CrossScore(undefined(named.measure, "pair", named.target, reason, level), {})


def _compared(
    each: _Scored, baselines: Mapping[tuple[str, str], _Scored], level: float
) -> CrossCell:
    cell = CrossCell(
        judge=each.judge,
        strategy=each.strategy,
        probe=each.probe,
        score=each.score.score,
        missing=each.score.missing,
        by_construction=each.by_construction,
    )
    if each.strategy == _BASELINE or each.by_construction is not None:
        return cell
    other = baselines.get((each.baseline_judge, each.probe))
    probe = PROBES[each.probe]
    if other is None:
        reason = f"{_BASELINE} was not asked of {each.baseline_judge}, whose call would be compared"
        none = undefined(probe.measure, "pair", probe.target, reason, level)
        return replace(cell, moved=Moved(none, p_undefined=reason))
    of = "" if each.judge == each.baseline_judge else f" of {each.baseline_judge}"
    return replace(
        cell,
        baseline=f"{_BASELINE}{of}",
        moved=moved(probe, each.score, other.score, level),
    )
