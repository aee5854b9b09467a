"""Sentences about what limits the evidence; shown in every rendering."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from counterbalance.report.layout import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from counterbalance.items.item import PairId
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.report.reconciliation import Reconciliation
    from counterbalance.report.report import GroupReport

__all__ = ["warnings_for"]

_FEW_PAIRS = 10


def warnings_for(
    notes: Sequence[str],
    protocol: Protocol,
    groups: Sequence[GroupReport],
    reconciliation: Reconciliation,
    excluded: Mapping[PairId, str],
    *,
    is_exploratory: bool,
) -> tuple[str, ...]:
    """Collect what a reader must know beside the numbers.

    Parameters
    ----------
    notes : Sequence[str]
        What the record noted when it was begun.
    protocol : Protocol
        The protocol.
    groups : Sequence[GroupReport]
        The groups of the report.
    reconciliation : Reconciliation
        Planned against recorded.
    excluded : Mapping[PairId, str]
        Pairs left out, with reasons.
    is_exploratory : bool
        Whether calls beyond the retry rule are counted.

    Returns
    -------
    tuple[str, ...]
        Sentences, each once.
    """
    found = [
        *_about_retries(reconciliation, protocol, is_exploratory=is_exploratory),
        *_about_the_run(reconciliation, excluded),
        *_about_the_design(protocol),
        *(sentence for group in groups for sentence in _about_a_group(group)),
        *notes,
    ]
    return tuple(dict.fromkeys(found))


def _about_the_run(reconciliation: Reconciliation, excluded: Mapping[PairId, str]) -> Iterator[str]:
    if not reconciliation.adds_up:
        yield (
            "Planned and recorded presentations do not add up"
            f" ({reconciliation.unplanned} calls are for presentations that no plan"
            " holds): run `counterbalance record verify` before anything is concluded."
        )
    if reconciliation.not_run:
        yield (
            f"Partial: {reconciliation.not_run} of {reconciliation.planned} presentations were not"
            " run. Pairs were asked in a seeded random order. Measures named ..._all count what was"
            " not run as missing; every other number is about what was."
        )
    if reconciliation.under_way:
        yield (
            f"{reconciliation.under_way} calls were started and have not come back: a run is going"
            " on, or was killed. The next run counts them as lost and asks again."
        )
    for reason, n in Counter(excluded.values()).items():
        yield f"{n} pairs are left out by the protocol: {reason}"


def _about_retries(
    reconciliation: Reconciliation, protocol: Protocol, *, is_exploratory: bool
) -> Iterator[str]:
    beyond = reconciliation.beyond_rule
    asked = (
        f"{plural(beyond.presentations, 'presentation')} asked beyond the retry rule that was"
        f" fixed before the first call; {beyond.with_verdict} of them then gave a verdict"
    )
    if is_exploratory:
        yield (
            f"Exploratory: {asked}, and their last calls are counted. No number of this report was"
            " decided on beforehand. Without --exploratory the rule that was fixed counts."
        )
    elif beyond.presentations:
        yield (
            f"{asked}. None of that is counted: the last outcome inside the rule stands."
            " `counterbalance report --exploratory` counts them."
        )
    if reconciliation.raised:
        yield (
            f"{plural(reconciliation.raised, 'presentation')} asked again with a limit of"
            f" {protocol.retry.raise_max_tokens_to} tokens because one order of their pair was cut:"
            " only what was said under it counts, in both orders."
        )


def _about_the_design(protocol: Protocol) -> Iterator[str]:
    if protocol.orders.assignment == "single_balanced":
        yield (
            "Each pair was shown in one order only: nothing here says whether a verdict survives"
            " the exchange, and no pair is called stable."
        )
    if len(protocol.labellings) == 1:
        yield (
            "One labelling: a preference for a slot cannot be told from one for the label that the"
            " slot always has. Plan the exchanged labels as a second labelling."
        )
    if (
        protocol.orders.assignment == "both"
        and protocol.repetitions.per_order == 1
        and protocol.repetitions.subset is None
    ):
        yield (
            "Nothing was repeated: a disagreement between orders may be ordinary variability of"
            " the judge. Plan repetitions to tell them apart."
        )


def _about_a_group(group: GroupReport) -> Iterator[str]:
    if 0 < group.counts.pairs < _FEW_PAIRS:
        yield f"Only {plural(group.counts.pairs, 'pair')}: inspect every one instead of the rates."
    if group.label_mass is not None and group.label_mass < 0.5:  # noqa: PLR2004 (less than half)
        yield (
            f"{group.name}: the offered labels hold {group.label_mass:.0%} of the judge's"
            f" probability on average over {group.n_label_masses} presentations; mostly it wanted"
            " to say something else."
        )
