"""Plain words for what the numbers say and do not say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.dispositions.disposition import STABLE, TWO_VERDICTS
from counterbalance.measures.margins import MarginVerdict, against_margin
from counterbalance.report.layout import percent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from counterbalance.report.report import GroupReport, Report

__all__ = ["group_sentence", "what_it_does_not_say"]


def group_sentence(group: GroupReport, margins: Mapping[str, float]) -> str:
    """Say in words how many verdicts kept their candidate when the order changed.

    Parameters
    ----------
    group : GroupReport
        One judge under one labelling.
    margins : Mapping[str, float]
        Declared margins by measure.

    Returns
    -------
    str
        One to three sentences, every count with its denominator.
    """
    found = group.dispositions
    both = sum(found[d.value] for d in TWO_VERDICTS)
    stable = sum(found[d.value] for d in STABLE)
    if found["single_order"]:
        return (
            f"{found['single_order']} pairs were shown in one order only, so nothing can be said"
            " of what the exchange would change."
        )
    if not both:
        return "No pair has a verdict in both orders, so there is nothing to compare."
    first = (
        f"{stable} of {both} pairs with two verdicts kept their verdict when the answers changed"
        f" places ({percent(stable / both)})."
    )
    return " ".join([first, *_about_disagreements(group), *_about_slots(group, margins)])


def _about_disagreements(group: GroupReport) -> list[str]:
    n = group.dispositions["order_disagreement"]
    if not n:
        return []
    primacy, recency = group.details["primacy"], group.details["recency"]
    if primacy and recency:
        split = f"{primacy} took the answer shown first both times, {recency} the one shown second"
    else:
        split = f"each took the answer shown {'first' if primacy else 'second'} both times"
    return [f"In {n} the winner depends on the order: {split}."]


def _about_slots(group: GroupReport, margins: Mapping[str, float]) -> list[str]:
    bias = group.measure("bias_position")
    if bias.low is None or bias.high is None:
        return []
    level = f"{bias.level:.0%}"
    if bias.low > 0 or bias.high < 0:
        slot = "first" if bias.low > 0 else "second"
        said = f"The {slot} slot is favoured: the {level} interval of bias_position excludes 0."
    else:
        said = "These pairs cannot tell whether one slot is favoured overall."
    if "bias_position" not in margins:
        return [said]
    margin = margins["bias_position"]
    return [said, _MARGIN[against_margin(bias, margin)].format(margin=margin)]


_MARGIN: dict[MarginVerdict, str] = {
    "inside": "Any preference is smaller than the declared margin of {margin:g}.",
    "outside": "The preference is larger than the declared margin of {margin:g}.",
    "undetermined": "Whether it passes the declared margin of {margin:g} cannot be told yet.",
}


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
    decision = report.protocol.get("question", {}).get("decision")
    if decision:
        sentences.append(f"The decision named in the protocol: {decision}")
    return tuple(sentences)
