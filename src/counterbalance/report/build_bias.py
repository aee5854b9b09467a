"""Evidence of a probe battery to its report: everything is scored and decided here."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from counterbalance.measures.estimate import Estimate, undefined
from counterbalance.measures.length_quality import length_quality
from counterbalance.measures.likelihood import (
    Reduction,
    has_likelihood_target,
    likelihood_score,
)
from counterbalance.measures.probe_decision import margin_place, probe_decision
from counterbalance.measures.probe_scores import probe_score
from counterbalance.measures.probe_values import probe_values
from counterbalance.measures.self_preference import NOT_SEPARATED, self_preference
from counterbalance.probes.catalogue import PROBES
from counterbalance.report.bias import (
    BiasReport,
    CheckCount,
    JudgePlane,
    LikelihoodCell,
    ProbeResult,
    SameFormat,
)
from counterbalance.report.build_cross import cross_table
from counterbalance.report.layout import plural
from counterbalance.report.people_on_probes import (
    closed_answers,
    means_of_people,
    people_beside,
)
from counterbalance.report.probe_measures import judged_by_probe
from counterbalance.report.rewriting import rewriting_report
from counterbalance.run.battery import battery_sentences
from counterbalance.statistics.multiplicity import holm

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from counterbalance.measures.group import JudgedPair
    from counterbalance.measures.human import HumanAnswer
    from counterbalance.measures.likelihood import AnswerLikelihoods
    from counterbalance.measures.probe_scores import ProbeScore
    from counterbalance.probes.battery import Battery
    from counterbalance.probes.probe import Probe
    from counterbalance.protocol.bias_section import Bias
    from counterbalance.protocol.labelling import Labelling
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.report.evidence import Evidence
    from counterbalance.run.likelihoods import JudgeLikelihoods
    from counterbalance.run.rewrites import Rewrites
    from counterbalance.statistics.multiplicity import FamilyTest

__all__ = ["build_bias_report"]

_Groups = dict[str, dict[str, list[tuple["Labelling", list["JudgedPair"]]]]]
_FORMS = frozenset({"markdown", "plain", "headings"})


def build_bias_report(
    evidence: Evidence,
    battery: Battery,
    declared: Bias,
    families: Mapping[str, frozenset[str]],
    likelihoods: Mapping[str, AnswerLikelihoods] | None = None,
    rewrites: Rewrites | None = None,
    asked: Sequence[JudgeLikelihoods] = (),
) -> BiasReport:
    """Make the report of a probe battery.

    Parameters
    ----------
    evidence : Evidence
        What the record of the battery holds.
    battery : Battery
        The probe pairs, and what became of the sources that made none.
    declared : Bias
        The protocol's table.
    families : Mapping[str, frozenset[str]]
        Families of each judge.
    likelihoods : Mapping[str, AnswerLikelihoods] | None
        Log-probabilities of whole answers, by probe pair; None where no file was given.
    rewrites : Rewrites | None
        What a model wrote for the battery; None where none was asked.
    asked : Sequence[JudgeLikelihoods]
        Log-probabilities that judges told themselves.

    Returns
    -------
    BiasReport
        The same data for every rendering.
    """
    protocol = evidence.protocol
    groups: _Groups = {
        judge: judged_by_probe(evidence, judge) for judge in protocol.standing_judges
    }
    level = protocol.analysis.confidence_level
    scored = {
        (judge, name): _scored(PROBES[name], found[name], protocol, families[judge])
        for judge, found in groups.items()
        for name in declared.probes
    }
    size = len(scored)
    family = holm(
        {_key(*which): None if s is None else s.p_value for which, s in scored.items()},
        size,
        round(1 - level, 12),
    )
    results = [
        _result(judge, PROBES[name], scores, groups[judge][name], family, declared.margin)
        for (judge, name), scores in scored.items()
    ]
    answers = closed_answers(evidence)
    results = [_with_people(r, groups, answers, families, level) for r in results]
    results = [_with_contrasts(r, results, groups, families, level, answers) for r in results]
    outstanding = _outstanding(evidence, groups)
    told = {"": likelihoods or {}} | {judge.judge: judge.pairs for judge in asked}
    return BiasReport(
        title=protocol.title,
        protocol_digest=evidence.header.protocol_digest,
        pairs_file=evidence.header.pairs_file,
        level=level,
        margin=declared.margin,
        family_size=size,
        results=tuple(results),
        planes=tuple(_planes(results, declared.margin)),
        cross=cross_table(evidence, declared, families, _by_labelling(groups)),
        likelihoods=tuple(_likelihoods(battery, declared, told, level)),
        left_out=battery.left_out,
        flaws=battery.flaws,
        not_drawn=tuple(battery.not_drawn.items()),
        outstanding=outstanding,
        warnings=tuple(
            dict.fromkeys((*_warnings(evidence, battery, results, outstanding), *_untold(asked)))
        ),
        rewriting=None if rewrites is None else rewriting_report(rewrites, battery),
    )


def _by_labelling(groups: _Groups) -> dict[str, dict[str, list[list[JudgedPair]]]]:
    return {
        judge: {name: [judged for _, judged in held] for name, held in found.items()}
        for judge, found in groups.items()
    }


def _outstanding(evidence: Evidence, groups: _Groups) -> int:
    """Count planned presentations without an attempt, each once, whatever it serves."""
    shown = [
        shown
        for found in groups.values()
        for held in found.values()
        for _, judged in held
        for each in judged
        for _, shown in each.main()
    ]
    shown += [each for found in evidence.on_probes for each in found.presentations()]
    return len({each.presentation.key for each in shown if each.decisive is None})


def _scored(
    probe: Probe,
    groups: Sequence[tuple[Labelling, list[JudgedPair]]],
    protocol: Protocol,
    families: frozenset[str],
) -> ProbeScore | None:
    values = probe_values(probe, groups, protocol.labellings[0].first, families)
    return probe_score(probe, values, protocol.analysis.confidence_level) if values else None


def _key(judge: str, probe: str) -> str:
    return f"{probe} [{judge}]"


def _result(
    judge: str,
    probe: Probe,
    scores: ProbeScore | None,
    groups: Sequence[tuple[Labelling, list[JudgedPair]]],
    family: FamilyTest,
    margin: float | None,
) -> ProbeResult:
    step = next(step for step in family.steps if step.name == _key(judge, probe.name))
    is_rejected = None if step.p_value is None else step.is_rejected
    place = None if scores is None else margin_place(scores.score, margin)
    pairs = {each.pair.id: each.pair for _, judged in groups for each in judged}.values()
    checked: dict[str, list[bool]] = {}
    for pair in pairs:
        for check in probe.checks(pair):
            checked.setdefault(check.name, []).append(check.is_passed)
    return ProbeResult(
        judge=judge,
        probe=probe,
        scores=scores,
        checks=tuple(CheckCount(name, sum(c), len(c)) for name, c in checked.items()),
        place=place,
        adjusted_p_value=step.adjusted,
        is_rejected=is_rejected,
        decision=probe_decision(
            probe.expects,
            _no_score(probe, family) if scores is None else scores.score,
            is_rejected=is_rejected,
            place=place,
        ),
    )


def _no_score(probe: Probe, family: FamilyTest) -> Estimate:
    reason = "no pair of this probe could be judged"
    return undefined(probe.measure, "pair", probe.target, reason, 1 - family.error_rate)


def _with_people(
    result: ProbeResult,
    groups: _Groups,
    answers: Sequence[HumanAnswer],
    families: Mapping[str, frozenset[str]],
    level: float,
) -> ProbeResult:
    if result.scores is None:
        return result
    own = groups[result.judge][result.probe.name]
    beside = people_beside(result.probe, own, answers, families[result.judge], level)
    return replace(result, people=beside)


def _with_contrasts(
    result: ProbeResult,
    results: Sequence[ProbeResult],
    groups: _Groups,
    families: Mapping[str, frozenset[str]],
    level: float,
    answers: Sequence[HumanAnswer],
) -> ProbeResult:
    """Add what others say of the same pairs, and what pairs of one format say of the slot."""
    name = result.probe.name
    if result.scores is None:
        return result
    if name == "same_family":
        held = {judge: found[name] for judge, found in groups.items()}
        people = means_of_people(result.probe, held[result.judge], answers, families[result.judge])
        found = self_preference(result.judge, held, families, level, people)
        return replace(result, self_preference=found)
    if name in _FORMS:
        same = _score_of(results, result.judge, "same_format")
        if same is not None:
            slot = result.scores.slot.value
            apart = None if slot is None or same.score.value is None else slot - same.score.value
            return replace(result, same_format=SameFormat(same.score, apart))
    return result


def _score_of(results: Sequence[ProbeResult], judge: str, probe: str) -> ProbeScore | None:
    return next((r.scores for r in results if r.judge == judge and r.probe.name == probe), None)


def _planes(results: Sequence[ProbeResult], margin: float | None) -> Iterator[JudgePlane]:
    if margin is None:
        return
    for judge in dict.fromkeys(result.judge for result in results):
        expanded = _score_of(results, judge, "expanded")
        truncated = _score_of(results, judge, "truncated")
        if expanded is not None and truncated is not None:
            yield JudgePlane(judge, length_quality(expanded.score, truncated.score, margin))


def _likelihoods(
    battery: Battery,
    declared: Bias,
    likelihoods: Mapping[str, Mapping[str, AnswerLikelihoods]],
    level: float,
) -> Iterator[LikelihoodCell]:
    for source, told in likelihoods.items():
        for name in declared.probes:
            pairs = [pair for pair in battery.pairs if pair.probe == name]
            is_listed = any(pair.id in told for pair in pairs)
            if is_listed and has_likelihood_target(PROBES[name]):
                for reduction in Reduction:
                    found = likelihood_score(PROBES[name], pairs, told, reduction, level)
                    yield LikelihoodCell(source, name, reduction, *found)


def _untold(asked: Sequence[JudgeLikelihoods]) -> Iterator[str]:
    """Say of which answers a judge told no likelihood, and why."""
    for judge in asked:
        for reason, count in judge.unknown:
            yield (
                f"Judge {judge.judge}: {plural(count, 'answer')} without log-probabilities, whose"
                f" pairs are missing there: {reason}."
            )


def _labels_of_slots(evidence: Evidence) -> tuple[str, ...]:
    """Return the labellings that the probes of slots were shown under."""
    protocol = evidence.protocol
    is_one = protocol.bias is None or not protocol.bias.every_labelling
    names = tuple(labelling.name for labelling in protocol.labellings)
    return names[:1] if is_one else names


def _warnings(
    evidence: Evidence, battery: Battery, results: Sequence[ProbeResult], outstanding: int
) -> Iterator[str]:
    if outstanding:
        yield f"{plural(outstanding, 'planned presentation')} are not asked yet; scores may move."
    for result in results:
        contrast = result.self_preference
        if contrast is not None and contrast.against == NOT_SEPARATED:
            yield (
                f"Judge {result.judge}: a preference for its own family is {NOT_SEPARATED}; add a"
                " judge of another family, or references that people set."
            )
    if len(_labels_of_slots(evidence)) == 1:
        (name,) = _labels_of_slots(evidence)
        yield (
            f"Slots had the labels {name} throughout: what is preferred in the first slot may be"
            " its label. The probe labels tells them apart; every_labelling takes the label out."
        )
    forms = [r.probe.name for r in results if r.probe.name in _FORMS | {"whitespace"} and r.scores]
    if alone := [r.probe.name for r in results if r.probe.name in forms and r.people is None]:
        named = ", ".join(dict.fromkeys(alone))
        yield (
            f"A preference for a form ({named}) is an error only where people do not share it: have"
            " people judge the same pairs (`counterbalance review` of this record) before it is"
            " called one."
        )
    if len({pair.item.id for pair in battery.pairs}) < len(battery.pairs):
        yield "Probes of one item share its text; scores of different probes are not independent."
    # What made no probe has a table of its own.
    listed = set(battery_sentences(battery))
    yield from (note for note in evidence.header.notes if note not in listed)
