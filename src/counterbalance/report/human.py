"""What a blind review adds to a report: nothing while it is open, everything once it is closed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from counterbalance.dispositions.disposition import STABLE
from counterbalance.items.frames import Slot, Verdict
from counterbalance.measures.corrected_win_rate import CorrectedPart, corrected_win_rate
from counterbalance.measures.estimate import undefined
from counterbalance.measures.human import (
    SPLIT,
    credit,
    human_alpha,
    judge_human_agreement,
    judge_human_kappa,
    majority,
    panel,
)
from counterbalance.measures.review_cases import AUDIT, review_frame
from counterbalance.measures.win_rates import why_no_win_rate
from counterbalance.presentations.order import side_in
from counterbalance.record.review import NoteKind
from counterbalance.report.reviewed import (
    HumanReport,
    JudgeAgainstPeople,
    ReviewedCase,
    ReviewerRow,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from counterbalance.dispositions.evidence import GroupId
    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.items.item import Pair, PairId
    from counterbalance.measures.estimate import Estimate
    from counterbalance.measures.group import JudgedPair
    from counterbalance.measures.human import HumanAnswer
    from counterbalance.measures.review_cases import ReviewFrame
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.report.human_reading import CaseNote, ReviewReading

__all__ = ["human_report"]

_CHANGED = (
    "The judge's results are not those that the review was opened on, so its sample is no random"
    " part of them."
)


def human_report(
    reading: ReviewReading,
    groups: Mapping[GroupId, Sequence[JudgedPair]],
    columns: Mapping[GroupId, PairColumns],
    protocol: Protocol,
) -> HumanReport:
    """Measure a review.

    Parameters
    ----------
    reading : ReviewReading
        What the record holds of it.
    groups : Mapping[GroupId, Sequence[JudgedPair]]
        The judges' results, which it was opened on.
    columns : Mapping[GroupId, PairColumns]
        The same in columns.
    protocol : Protocol
        Says confidence level, baseline and clusters.

    Returns
    -------
    HumanReport
        While the review is open, with counts only.
    """
    review = reading.review
    reasons = Counter(
        name for case in review.cases for name in {reason["reason"] for reason in case.reasons}
    )
    shared = HumanReport(
        number=review.number,
        opened_at=review.opened_at,
        closed_at=review.closed_at,
        n_cases=len(review.cases),
        settings=review.settings,
        by_reason=dict(sorted(reasons.items())),
        reviewers=tuple(_reviewer(name, reading) for name in reading.tasks),
    )
    return _revealed(shared, reading, groups, columns, protocol) if review.closed_at else shared


def _reviewer(name: str, reading: ReviewReading) -> ReviewerRow:
    own = [answer for answer in reading.answers if answer.reviewer == name]
    first = {answer.pair_id: answer.verdict for answer in own if not answer.is_repeat}
    again = {answer.pair_id: answer.verdict for answer in own if answer.is_repeat}
    both = first.keys() & again.keys()
    return ReviewerRow(
        name=name,
        tasks=reading.tasks[name],
        answered=reading.n_answered[name],
        withdrawn=reading.n_withdrawn[name],
        chose_first=sum(a.verdict.side is side_in(Slot.FIRST, a.order) for a in own),
        chose=sum(a.verdict.side is not None for a in own),
        repeated=len(both),
        same=sum(first[pair] is again[pair] for pair in both),
        flagged=sum(n.reviewer == name and n.kind is NoteKind.FLAG for n in reading.notes),
    )


def _revealed(
    shared: HumanReport,
    reading: ReviewReading,
    groups: Mapping[GroupId, Sequence[JudgedPair]],
    columns: Mapping[GroupId, PairColumns],
    protocol: Protocol,
) -> HumanReport:
    frame = review_frame(groups)
    level = protocol.analysis.confidence_level
    clusters: dict[PairId, Hashable] = {
        pair.id: _cluster(pair, protocol) for pair in frame.pairs.values()
    }
    first = [a for a in reading.answers if not a.is_repeat and a.pair_id in clusters]
    names = list(reading.tasks)
    found = panel(first, names, clusters, level) if first else None
    people = _People(reading, frame, clusters, first, level)
    return replace(
        shared,
        pairs_of_reviewers=()
        if found is None
        else tuple((names[p.first], names[p.second], p.kappa) for p in found.pairs),
        alpha=None if found is None else human_alpha(found),
        judges=tuple(
            people.against(group, judged, why_no_win_rate(columns[group], protocol.baseline))
            for group, judged in groups.items()
        ),
        cases=tuple(people.cases()),
    )


def _cluster(pair: Pair, protocol: Protocol) -> str:
    named = {"cluster": pair.item.cluster, "item": pair.item.id, "pair": pair.id}
    return named[protocol.analysis.cluster]


class _People:
    """What people said of each case, ready to be held against every judge."""

    def __init__(
        self,
        reading: ReviewReading,
        frame: ReviewFrame,
        clusters: Mapping[PairId, Hashable],
        answers: Sequence[HumanAnswer],
        level: float,
    ) -> None:
        self._reading = reading
        self._frame = frame
        self._clusters = clusters
        self._level = level
        self._said: dict[PairId, list[HumanAnswer]] = {}
        for answer in answers:
            self._said.setdefault(answer.pair_id, []).append(answer)
        self._drawn = {
            case.pair_id
            for case in reading.review.cases
            if any(reason["reason"] == AUDIT for reason in case.reasons)
        }
        self._chosen = {case.pair_id for case in reading.review.cases} - self._drawn

    @property
    def _is_as_opened(self) -> bool:
        """Whether the results are those that the cases were chosen from."""
        return self._chosen == set(self._frame.selected) and self._drawn <= set(self._frame.stable)

    def against(
        self, group: GroupId, judged: Sequence[JudgedPair], no_win_rate: str | None
    ) -> JudgeAgainstPeople:
        """Hold one judge against most reviewers."""
        said: dict[str, Counter[str]] = {}
        sample: list[tuple[Verdict, Verdict | None]] = []
        selected: list[tuple[Verdict, Verdict | None]] = []
        clusters: dict[bool, list[Hashable]] = {True: [], False: []}
        for one in judged:
            pair_id, disposition = one.pair.id, one.result.disposition
            if pair_id not in self._said:
                continue
            verdict = majority(self._said[pair_id])
            counts = said.setdefault(disposition.value, Counter())
            counts[SPLIT if verdict is None else verdict.value] += 1
            own = _stable_verdict(one)
            if own is not None:
                is_drawn = pair_id in self._drawn
                (sample if is_drawn else selected).append((own, verdict))
                clusters[is_drawn].append(self._clusters[pair_id])
        return JudgeAgainstPeople(
            group=f"{group.judge}, labels {group.labelling}",
            by_disposition={name: dict(counts) for name, counts in sorted(said.items())},
            agreement=judge_human_agreement(sample, clusters[True], self._level),
            kappa=judge_human_kappa(sample, clusters[True], self._level),
            selected_agreement=judge_human_agreement(selected, clusters[False], self._level),
            win_rate=self._win_rate(judged, no_win_rate),
        )

    def _win_rate(self, judged: Sequence[JudgedPair], no_win_rate: str | None) -> Estimate:
        reason = no_win_rate or (None if self._is_as_opened else _CHANGED)
        if reason:
            means = "people prefer candidate a more often"
            return undefined("win_rate_a_corrected", "pair", means, reason, self._level)
        own = {one.pair.id: _stable_verdict(one) for one in judged}
        chosen = [pair_id for pair_id in self._frame.pairs if pair_id in self._chosen]
        drawn = [pair_id for pair_id in self._frame.stable if pair_id in self._drawn]
        rest = [pair_id for pair_id in self._frame.stable if pair_id not in self._drawn]
        selected = CorrectedPart(
            labels=tuple(map(self._label, chosen)),
            predictions=(0.0,) * len(chosen),
            unlabelled=(),
            clusters=tuple(self._clusters[pair_id] for pair_id in chosen),
        )
        stable = CorrectedPart(
            labels=tuple(map(self._label, drawn)),
            predictions=tuple(_credit(own[pair_id]) for pair_id in drawn),
            unlabelled=tuple(_credit(own[pair_id]) for pair_id in rest),
            clusters=tuple(self._clusters[pair_id] for pair_id in (*drawn, *rest)),
        )
        return corrected_win_rate(selected, stable, self._level)

    def _label(self, pair_id: PairId) -> float | None:
        said = self._said.get(pair_id)
        return None if not said else sum(credit(a.verdict) for a in said) / len(said)

    def cases(self) -> Iterable[ReviewedCase]:
        """Yield every case, the most consequential first."""
        notes: dict[PairId, list[CaseNote]] = {}
        for note in self._reading.notes:
            notes.setdefault(note.pair_id, []).append(note)
        found = []
        for case in self._reading.review.cases:
            pair = self._frame.pairs.get(case.pair_id)
            said, beside = self._said.get(case.pair_id, []), notes.get(case.pair_id, [])
            most = majority(said)
            evidence = [note for note in beside if note.kind is NoteKind.EVIDENCE]
            found.append(
                ReviewedCase(
                    pair=case.pair_id,
                    consequence=0.0 if pair is None else pair.item.consequence,
                    reasons=case.reasons,
                    answers={answer.reviewer: answer.verdict.value for answer in said},
                    majority="" if not said else SPLIT if most is None else most.value,
                    flagged_by=tuple(n.reviewer for n in beside if n.kind is NoteKind.FLAG),
                    relied_on={note.reviewer: note.relied_on for note in evidence},
                    comments={note.reviewer: note.comment for note in evidence if note.comment},
                )
            )
        return sorted(found, key=lambda case: (-case.consequence, case.pair))


def _stable_verdict(judged: JudgedPair) -> Verdict | None:
    """Return what both orders say; None where they do not say the same."""
    if judged.result.disposition not in STABLE:
        return None
    verdicts = {cell.cell.verdict for cell in judged.result.cells.values()}
    return verdicts.pop() if len(verdicts) == 1 else None


def _credit(verdict: Verdict | None) -> float:
    return 0.0 if verdict is None else credit(verdict)
