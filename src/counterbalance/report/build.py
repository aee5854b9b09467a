"""Evidence to a report: everything is counted and measured here, and renderings only show it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from counterbalance.dispositions.evidence import GroupId
from counterbalance.dispositions.strategy_columns import plain_results, strategy_columns
from counterbalance.items.frames import Slot
from counterbalance.measures.from_judged import pairs_from_judged
from counterbalance.measures.strategies import strategy_agreement
from counterbalance.probes.catalogue import PROBES
from counterbalance.report.answered_models import answered_otherwise
from counterbalance.report.controlling import declared_controls
from counterbalance.report.groups import group_report
from counterbalance.report.history import history_warnings
from counterbalance.report.human import human_report
from counterbalance.report.quotes import quote_reports
from counterbalance.report.reconciling import reconciliation_of
from counterbalance.report.report import GroupReport, LabelReport, Report
from counterbalance.report.silent_voters import silent_voters
from counterbalance.report.strategy_rows import (
    StrategyReport,
    declared_strategies,
    swap_identities,
)
from counterbalance.report.warning import warnings_for
from counterbalance.statistics.multiplicity import FamilyTest, holm

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.dispositions.strategy_columns import StrategyColumns
    from counterbalance.measures.controls import Controls
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.report.evidence import Evidence

__all__ = ["build_report"]


def build_report(evidence: Evidence, kind: str = "run", controls: Controls | None = None) -> Report:
    """Make the report of a record.

    Parameters
    ----------
    evidence : Evidence
        What the record holds, from `read_evidence`.
    kind : str
        ``run`` or ``demo``.
    controls : Controls | None
        What is kept apart from quality besides what the protocol declares.

    Returns
    -------
    Report
        The same data for every rendering.
    """
    header, protocol = evidence.header, evidence.protocol
    is_exploratory = evidence.counts_beyond_rule
    columns = {
        group: pairs_from_judged(pairs, protocol.analysis.cluster)
        for group, pairs in evidence.groups.items()
    }
    groups = tuple(
        group_report(group, pairs, evidence, controls or declared_controls(protocol))
        for group, pairs in columns.items()
    )
    reconciliation = reconciliation_of(evidence)
    first, part = evidence.history.revisions[0], evidence.confirmation
    return Report(
        kind=kind,
        title=protocol.title,
        protocol=header.protocol,
        protocol_digest=header.protocol_digest,
        begun_at=first.created_at,
        program=first.program,
        pairs_file=header.pairs_file,
        pairs_sha256=header.pairs_sha256,
        rows=evidence.rows,
        reconciliation=reconciliation,
        groups=groups,
        strategies=tuple(_strategies(evidence, columns)),
        labels=tuple(_labels(protocol, columns)),
        swap_identities=swap_identities(evidence),
        quotes=quote_reports(evidence),
        planned=frozenset() if is_exploratory else _planned(evidence),
        family=None if is_exploratory else _family(groups, protocol),
        is_exploratory=is_exploratory,
        warnings=(
            *_about_probes(evidence),
            *history_warnings(evidence.history),
            *answered_otherwise(evidence),
            *silent_voters(evidence),
            *warnings_for(
                header.notes,
                protocol,
                groups,
                reconciliation,
                evidence.excluded,
                is_exploratory=is_exploratory,
            ),
        ),
        history=evidence.history,
        confirmation=None if part is None else build_report(part, kind, controls),
        is_held_out=evidence.is_held_out,
        human=None
        if evidence.review is None
        else human_report(evidence.review, evidence.groups, columns, protocol),
    )


def _about_probes(evidence: Evidence) -> Iterator[str]:
    """Say where pairs are probes: their dispositions pool what is not to be pooled."""
    n_probes = max(
        (sum(bool(j.pair.probe) for j in g) for g in evidence.groups.values()), default=0
    )
    if n_probes:
        yield (
            f"{n_probes} of the pairs are probes, most of them shown under the first labelling"
            " only: except for the scores of probes, the numbers above pool different interventions"
            " and say nothing of answers. `counterbalance bias PROTOCOL` prints each with its"
            " decision."
        )


def _planned(evidence: Evidence) -> frozenset[str]:
    """Return what was decided before the data it is about were seen."""
    history, analysis = evidence.history, evidence.protocol.analysis
    if history.seen_before is not None if evidence.is_held_out else history.is_after_data:
        return frozenset()
    probes = () if evidence.protocol.bias is None else evidence.protocol.bias.probes
    scores = (PROBES[name].measure for name in probes)
    return frozenset((*analysis.measures, *analysis.family, *scores))


def _labels(protocol: Protocol, columns: Mapping[GroupId, PairColumns]) -> Iterable[LabelReport]:
    """Count choices by label and by slot, where exchanged labels can tell them apart."""
    if len(protocol.labellings) == 1:
        return
    for judge in protocol.standing_judges:
        by_label, by_slot = Counter[str](), Counter[str]()
        for labelling in protocol.labellings:
            counts = columns[GroupId(judge, labelling.name)].slot_counts()
            for slot, by_pair in zip(Slot, counts[: len(Slot)], strict=True):
                by_slot[slot.value] += int(by_pair.sum())
                by_label[labelling.label(slot)] += int(by_pair.sum())
        names = tuple(labelling.name for labelling in protocol.labellings)
        yield LabelReport(judge, names, dict(sorted(by_label.items())), dict(by_slot))


def _strategies(
    evidence: Evidence, columns: Mapping[GroupId, PairColumns]
) -> Iterable[StrategyReport]:
    level = evidence.protocol.analysis.confidence_level
    declared = {found.row.strategy.id for found in evidence.strategies}
    for group, pairs in columns.items():
        plain = plain_results(pairs)
        if plain.strategy not in declared:
            yield _strategy(group.judge, (group.labelling,), pairs, plain, level)
    yield from declared_strategies(evidence)
    for judge in evidence.protocol.standing_judges:
        calibrated = evidence.calibrated(judge)
        if not calibrated:
            continue
        groups = [group for group in evidence.groups if group.judge == judge]
        results = [calibrated[judged.pair.id] for judged in evidence.groups[groups[0]]]
        names = tuple(group.labelling for group in groups)
        pairs = columns[groups[0]]
        yield _strategy(judge, names, pairs, strategy_columns(results), level)


def _strategy(
    judge: str,
    labellings: tuple[str, ...],
    pairs: PairColumns,
    results: StrategyColumns,
    level: float,
) -> StrategyReport:
    agreement, agreement_all = (
        strategy_agreement(pairs, results, level, missing_is_wrong=missing)
        for missing in (False, True)
    )
    return StrategyReport(
        judge=judge,
        strategy=results.strategy,
        labellings=labellings,
        results=results.counts,
        from_disagreement=int(results.from_disagreement.sum()),
        agreement=agreement,
        agreement_all=agreement_all,
    )


def _family(groups: Sequence[GroupReport], protocol: Protocol) -> FamilyTest | None:
    planned = protocol.analysis.family
    if not planned:
        return None
    p_values = {
        f"{test.name} [{group.name}]": test.p_value
        for group in groups
        for test in group.tests
        if test.name in planned
    }
    size = len(planned) * len(protocol.standing_judges) * len(protocol.labellings)
    return holm(p_values, size, round(1 - protocol.analysis.confidence_level, 12))
