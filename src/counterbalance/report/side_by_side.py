"""Groups beside one another: the same pairs under each judge and labelling, a column each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.report.layout import columns, percent, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.report.report import GroupReport, LabelReport, Report

__all__ = ["label_sentence", "side_by_side"]

_ALWAYS = ("stable_a", "stable_b", "order_disagreement", "incomplete")
_RATES = ("position_consistency", "first_slot_rate", "agreement_both")


def side_by_side(report: Report) -> list[str]:
    """Return the groups' dispositions and main rates in columns, and what the labels explain.

    Parameters
    ----------
    report : Report
        The report.

    Returns
    -------
    list[str]
        Lines; none when there is one group.
    """
    groups = report.groups
    if len(groups) == 1:
        return []
    rows = [["", *(f"{visible(g.judge, 30)}, labels {visible(g.labelling, 20)}" for g in groups)]]
    rows += _dispositions(groups)
    rows += [[name, *(_rate(group, name) for group in groups)] for name in _RATES]
    lines = ["", "Side by side: the same pairs, a column for each judge and labelling"]
    lines += columns(rows, right=range(1, len(groups) + 1))
    return [*lines, *(line for labels in report.labels for line in _label_lines(labels))]


def _dispositions(groups: tuple[GroupReport, ...]) -> Iterator[list[str]]:
    for name in groups[0].dispositions:
        counts = [group.dispositions[name] for group in groups]
        if any(counts) or name in _ALWAYS:
            yield [name, *map(str, counts)]
        if name == "order_disagreement":
            for detail in ("primacy", "recency"):
                yield [f"  by {detail}", *(str(group.details[detail]) for group in groups)]
    yield ["all pairs", *(str(group.counts.pairs) for group in groups)]


def _rate(group: GroupReport, name: str) -> str:
    estimate = group.measure(name)
    if estimate.value is None or estimate.numerator is None:
        return "–"
    return f"{estimate.numerator:.0f} / {estimate.denominator:.0f} = {percent(estimate.value)}"


def _label_lines(labels: LabelReport) -> tuple[str, str]:
    about, chosen = _label_parts(labels)
    return f"  {about}", f"    {chosen}"


def label_sentence(labels: LabelReport) -> str:
    """Say how often a judge chose each slot, and how often each label."""
    return " ".join(_label_parts(labels))


def _label_parts(labels: LabelReport) -> tuple[str, str]:
    total = sum(labels.by_slot.values())
    by_slot = ", ".join(f"{n} choose the {slot}" for slot, n in labels.by_slot.items())
    by_label = ", ".join(f"{n} the label {visible(x, 20)}" for x, n in labels.by_label.items())
    about = f"Of {total} verdicts of {visible(labels.judge, 30)} that choose a slot,"
    return about, f"{by_slot}; or, by label, {by_label}."
