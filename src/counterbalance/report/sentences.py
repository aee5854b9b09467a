"""Plain words for what the numbers say and do not say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.dispositions.disposition import STABLE, TWO_VERDICTS
from counterbalance.measures.quadrant import QuadrantCell
from counterbalance.report.layout import percent, plural

if TYPE_CHECKING:
    from counterbalance.measures.margins import MarginVerdict
    from counterbalance.report.report import GroupReport, Report

__all__ = ["group_sentence", "what_it_does_not_say"]


def group_sentence(group: GroupReport, *, has_several_labellings: bool) -> str:
    """Say in words how many verdicts kept their candidate when the order changed.

    Parameters
    ----------
    group : GroupReport
        One judge under one labelling.
    has_several_labellings : bool
        Whether exchanged labels can tell a slot from the label it has.

    Returns
    -------
    str
        A few sentences, every count with its denominator.
    """
    found = group.dispositions
    both = sum(found[d.value] for d in TWO_VERDICTS)
    stable = sum(found[d.value] for d in STABLE)
    said = []
    if found["single_order"]:
        how = "in an order that is not recorded" if group.is_unordered else "in one order only"
        said.append(
            f"{plural(found['single_order'], 'pair')} shown {how}: nothing can be said of what the"
            " exchange would change."
        )
    elif not both:
        said.append("No pair has a verdict in both orders, so there is nothing to compare.")
    if both:
        said.append(
            f"{stable} of {both} pairs with two verdicts kept their verdict when the answers"
            f" changed places ({percent(stable / both)})."
        )
        said += _about_disagreements(group)
        said += _about_slots(group, has_several_labellings=has_several_labellings)
    return " ".join([*said, *_about_margins(group), *_about_the_quadrant(group)])


def _about_disagreements(group: GroupReport) -> list[str]:
    n = group.dispositions["order_disagreement"]
    if not n:
        return []
    primacy, recency = group.details["primacy"], group.details["recency"]
    if primacy and recency:
        split = f"{primacy} took the answer shown first both times, {recency} the one shown second"
    else:
        split = f"each took the answer shown {'first' if primacy else 'second'} both times"
    return [f"In {n} the two orders gave different winners: {split}."]


def _about_slots(group: GroupReport, *, has_several_labellings: bool) -> list[str]:
    bias = group.measure("bias_position")
    if bias.low is None or bias.high is None:
        return []
    if bias.low <= 0 <= bias.high:
        return ["These pairs cannot tell whether one slot is favoured overall."]
    slot = "first" if bias.low > 0 else "second"
    whose = (
        f"Under this labelling the {slot} slot is favoured"
        if has_several_labellings
        else f"The {slot} slot, or the label it always has, is favoured"
    )
    return [f"{whose}: the {bias.level:.0%} interval of bias_position excludes 0."]


def _about_margins(group: GroupReport) -> list[str]:
    return [_MARGIN[m.verdict].format(name=m.measure, margin=m.margin) for m in group.margins]


_MARGIN: dict[MarginVerdict, str] = {
    "inside": (
        "{name} is too small to matter: the protocol says that it matters from {margin:g} on, and"
        " its whole interval is nearer to 0."
    ),
    "outside": (
        "{name} is large enough to matter: the protocol says that it matters from {margin:g} on,"
        " and its whole interval is beyond that."
    ),
    "undetermined": (
        "Whether {name} is large enough to matter, which the protocol says it is from {margin:g}"
        " on, these pairs cannot tell."
    ),
}


def _about_the_quadrant(group: GroupReport) -> list[str]:
    return [] if group.quadrant is None else [_QUADRANT[group.quadrant.cell]]


_QUADRANT: dict[QuadrantCell, str] = {
    QuadrantCell.NEUTRAL_STABLE: (
        "Neutral and stable within the declared margins: no slot is favoured, and the order adds"
        " little to the judge's own noise."
    ),
    QuadrantCell.NEUTRAL_SENSITIVE: (
        "Neutral and sensitive: no slot is favoured within the declared margin, and yet the order"
        " moves verdicts beyond the judge's own noise, either way alike."
    ),
    QuadrantCell.BIASED_STABLE: (
        "Biased and stable: a slot is favoured beyond the declared margin, while the order adds"
        " little to the judge's own noise."
    ),
    QuadrantCell.BIASED_SENSITIVE: (
        "Biased and sensitive: a slot is favoured and the order moves verdicts, both beyond the"
        " declared margins; one order alone misleads."
    ),
    QuadrantCell.UNDETERMINED: (
        "So it stays open whether a slot is favoured, or the order moves verdicts beyond the"
        " judge's own noise, by enough to matter."
    ),
}


_OF_VOTES = (
    "Votes tell what was preferred in the one showing that they come from. Whether the same answer"
    " would have won in the other place, nobody asked."
)


def what_it_does_not_say(report: Report) -> tuple[str, ...]:
    """Return the sentences that keep a reader from concluding more than was measured.

    Parameters
    ----------
    report : Report
        The report.

    Returns
    -------
    tuple[str, ...]
        One sentence each.
    """
    sentences = [
        (
            "Stable means that the verdict survives the exchange of places. It does not mean right:"
            " a judge can prefer the same unsupported answer in both orders."
        ),
        (
            "A disagreement between two single calls is not yet a position effect; repetitions show"
            " how much of it is ordinary variability."
        ),
        (
            "There is no threshold here that makes a judge good enough. What follows from these"
            " numbers depends on the decision they serve and on what an error would cost."
        ),
    ]
    if report.groups and all(group.is_unordered for group in report.groups):
        sentences[:2] = [_OF_VOTES]
    decision = report.protocol.get("question", {}).get("decision")
    if decision:
        sentences.append(f"The decision named in the protocol: {decision}")
    return tuple(sentences)
