"""Which pairs of a run people are to judge, and why; what is left is the frame of an audit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.dispositions.disposition import STABLE, Disposition
from counterbalance.dispositions.requirements import requirement_results

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from counterbalance.dispositions.disposition import PairDisposition
    from counterbalance.dispositions.evidence import GroupId
    from counterbalance.items.item import Pair, PairId
    from counterbalance.measures.group import JudgedPair

__all__ = [
    "AUDIT",
    "CONTRADICTS",
    "REQUIREMENT_FAILED",
    "REQUIREMENT_UNKNOWN",
    "CaseReason",
    "ReviewFrame",
    "review_frame",
]

REQUIREMENT_FAILED = "requirement_failed"
"""Reason of a pair whose stable winner breaks a mandatory requirement."""
REQUIREMENT_UNKNOWN = "requirement_unknown"
"""Reason of a pair of whose stable winner it is not known whether it meets a mandatory one."""
CONTRADICTS = "contradicts_reference"
"""Reason of a pair whose stable verdict is none that its reference accepts."""
AUDIT = "audit"
"""Reason of a pair that is in the random sample of those without any other reason."""

_UNDECIDED = frozenset(
    {
        Disposition.ORDER_DISAGREEMENT,
        Disposition.TIE_TRANSITION,
        Disposition.ABSTENTION_TRANSITION,
        Disposition.INCOMPLETE,
        Disposition.REFUSED,
        Disposition.UNSTABLE,
    }
)


@dataclass(frozen=True, slots=True)
class CaseReason:
    """Why people are to judge a pair.

    Attributes
    ----------
    reason : str
        Name of the undecided disposition, or one of the constants here.
    group : str
        Judge and labelling whose result it is.
    disposition : str
        Disposition of the pair in that group.
    detail : str
        Its detail; empty where it has none.
    """

    reason: str
    group: str
    disposition: str
    detail: str

    @property
    def content(self) -> dict[str, str]:
        """The reason as a record keeps it."""
        return {
            "reason": self.reason,
            "group": self.group,
            "disposition": self.disposition,
            "detail": self.detail,
        }


@dataclass(frozen=True, slots=True)
class ReviewFrame:
    """Every pair of a run, by what a review makes of it.

    Attributes
    ----------
    selected : Mapping[PairId, tuple[CaseReason, ...]]
        Pairs that are selected for a reason, with every reason of every group.
    stable : tuple[PairId, ...]
        Pairs that are stable in every group and have no reason: what an audit is drawn from.
    outside : tuple[PairId, ...]
        All others: identical texts, and pairs that were planned in one order only.
    pairs : Mapping[PairId, Pair]
        The pairs themselves.
    """

    selected: Mapping[PairId, tuple[CaseReason, ...]]
    stable: tuple[PairId, ...]
    outside: tuple[PairId, ...]
    pairs: Mapping[PairId, Pair]


def review_frame(groups: Mapping[GroupId, Iterable[JudgedPair]]) -> ReviewFrame:
    """Tell the pairs that people are to judge from those that an audit is drawn from.

    Parameters
    ----------
    groups : Mapping[GroupId, Iterable[JudgedPair]]
        The pairs of each judge and labelling, with their dispositions.

    Returns
    -------
    ReviewFrame
        Every pair in exactly one of its three parts.

    Notes
    -----
    **Unit of analysis**: the pair, over all groups: one reason in one group selects it.
    **Denominator**: selected, stable and outside add up to the pairs of the groups.
    **Undefined** never; without a pair, all parts are empty.
    """
    pairs: dict[PairId, Pair] = {}
    reasons: dict[PairId, list[CaseReason]] = {}
    stable: dict[PairId, bool] = {}
    for group, judged_pairs in groups.items():
        name = f"{group.judge}, labels {group.labelling}"
        for judged in judged_pairs:
            pair_id = judged.pair.id
            pairs[pair_id] = judged.pair
            is_stable = judged.result.disposition in STABLE
            stable[pair_id] = stable.get(pair_id, True) and is_stable
            for reason in _reasons(judged):
                found = CaseReason(
                    reason, name, judged.result.disposition.value, judged.result.detail
                )
                reasons.setdefault(pair_id, []).append(found)
    left = [pair_id for pair_id in pairs if pair_id not in reasons]
    return ReviewFrame(
        selected={pair_id: tuple(found) for pair_id, found in reasons.items()},
        stable=tuple(pair_id for pair_id in left if stable[pair_id]),
        outside=tuple(pair_id for pair_id in left if not stable[pair_id]),
        pairs=pairs,
    )


def _reasons(judged: JudgedPair) -> Iterable[str]:
    result = judged.result
    if result.disposition in _UNDECIDED:
        yield result.disposition.value
    if result.disposition in STABLE and _contradicts(result):
        yield CONTRADICTS
    if result.winner is not None:
        met = {
            found.is_met
            for found in requirement_results(judged.pair, judged.evidence)
            if found.side is result.winner and found.requirement.mandatory
        }
        if False in met:
            yield REQUIREMENT_FAILED
        elif None in met:
            yield REQUIREMENT_UNKNOWN


def _contradicts(result: PairDisposition) -> bool:
    reference = result.pair.reference
    if reference is None:
        return False
    verdicts = {cell.cell.verdict for cell in result.cells.values()}
    return not verdicts & reference.accepted
