"""What is printed about a judge, held against the judge's log.

A report of the log and a description of the printed figures come in, an audit goes out. A printed
figure may stand for several of our measures; all are tried, and the one that fits is named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.tables.check import Audit, Check, Figure, Ground, Link, Rule
from counterbalance.tables.wording import inputs_of, listed, rounding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from counterbalance.measures.estimate import Estimate
    from counterbalance.report.report import GroupReport, Report
    from counterbalance.tables.check import Value
    from counterbalance.tables.description import Description, Row, Table
    from counterbalance.tables.printed import Printed

__all__ = ["LOG_RULES", "audit_against"]

IN_LOG = Rule(
    "row_in_log",
    Link.LOG,
    "the log has a group that is called like the row, or that the row names, or only one",
)
COUNT = Rule(
    "count_in_log",
    Link.LOG,
    "the printed n is what the log has of items, pairs, presentations, or of either with a verdict",
)
FIGURE = Rule(
    "figure_in_log",
    Link.LOG,
    "the printed figure is what the log gives for the measure that is named, or else for one that"
    " the figure can stand for",
)
LOG_RULES = (IN_LOG, COUNT, FIGURE)
"""Rules that hold printed figures against a log."""

_MEANT = {
    "agreement": (
        "agreement_forward", "agreement_reversed", "agreement_both", "agreement_forward_all",
        "agreement_reversed_all", "agreement_both_all",
    ),
    "score": ("agreement_both", "agreement_both_all"),
    "kappa": ("kappa_forward", "kappa_reversed"),
    "tie_rate": ("tie_rate",),
    "win_rate": ("win_rate_a", "win_rate_a_forward", "win_rate_a_reversed", "win_rate_a_stable"),
}  # fmt: skip
"""Measures that a figure under a common name may stand for."""

# A computed value and an end of a printed interval this close are equal but for rounding.
_ROUNDING = 1e-12


def audit_against(report: Report, description: Description) -> Audit:
    """Hold every row of a description against the group of the log that it is about.

    Parameters
    ----------
    report : Report
        The report of the log.
    description : Description
        What is printed about it.

    Returns
    -------
    Audit
        One check for each printed figure that a log can show.
    """
    groups = [group for group in report.groups if group.verdict_by in {"", "source"}]
    checks: list[Check] = []
    figures: list[Figure] = []
    for table in description.tables:
        for row in table.rows:
            group = _group(row, groups)
            if group is None:
                checks.append(_absent(table, row, groups))
                continue
            checks += _of_row(table, row, group)
            figures += _intervals(table, row, group)
    return Audit(
        title=f"{description.title}, against the log",
        source=description.source,
        design=description.design,
        checks=tuple(checks),
        figures=tuple(figures),
        notes=(description.note,) if description.note else (),
    )


def _group(row: Row, groups: list[GroupReport]) -> GroupReport | None:
    """Return the one group that a row is about; None where there is none, or several."""
    if row.log:
        named = [g for g in groups if all(getattr(g, k) == x for k, x in row.log.items())]
        return named[0] if len(named) == 1 else None
    if len(groups) == 1:
        return groups[0]
    called = [g for g in groups if row.name in {g.name, g.judge, f"{g.judge} {g.strategy}"}]
    return called[0] if len(called) == 1 else None


def _absent(table: Table, row: Row, groups: list[GroupReport]) -> Check:
    wanted = ", ".join(f"{key} {x}" for key, x in row.log.items()) or row.name
    found = (
        f"no one group of the log is {wanted}; its groups are {listed(g.name for g in groups)}:"
        " name the row so, or give it log = {judge, strategy, subset}"
    )
    return IN_LOG.check(row.name, None, found, ground=Ground(table.name, inputs_of(log=row.log)))


def _of_row(table: Table, row: Row, group: GroupReport) -> Iterator[Check]:
    n = table.n if row.n is None else row.n
    if n is not None:
        yield _count(table, row, group, n)
    for name, measures in _MEANT.items():
        printed: Printed | None = getattr(row, name)
        if printed is not None:
            yield _figure(table, row, name, printed, [group.measure(m) for m in measures])
    known = {estimate.name: estimate for estimate in group.measures}
    for name, printed in row.measures.items():
        if name in known:
            yield _figure(table, row, name, printed, [known[name]])
        else:
            found = f"there is no measure of this name; there are {listed(known, len(known))}"
            ground = Ground(table.name, inputs_of(**{name: printed}))
            yield FIGURE.check(row.name, None, found, ground=ground)


def _count(table: Table, row: Row, group: GroupReport, n: int) -> Check:
    counts = {
        "items": group.counts.items,
        "pairs": group.counts.pairs,
        "presentations": group.counts.presentations,
        "pairs with two verdicts": _denominator(group.measure("position_consistency")),
        "verdicts": _denominator(group.measure("tie_rate")),
    }
    fitting = [name for name, count in counts.items() if count == n]
    shown = ", ".join(f"{count} {name}" for name, count in counts.items() if count is not None)
    found = f"the log has {shown}; printed is {listed(fitting)}"
    values: dict[str, Value] = {"fitting": [*fitting], **counts}
    ground = Ground(table.name, inputs_of(n=n))
    return COUNT.check(row.name, bool(fitting), found, ground=ground, values=values)


def _denominator(estimate: Estimate) -> int | None:
    return None if not estimate.denominator else int(estimate.denominator)


def _figure(
    table: Table, row: Row, name: str, printed: Printed, estimates: list[Estimate]
) -> Check:
    known = [estimate for estimate in estimates if estimate.value is not None]
    ground = Ground(table.name, inputs_of(**{name: printed}), rounding(printed))
    if not known:
        reasons = dict.fromkeys(str(estimate.undefined) for estimate in estimates)
        found = f"the log gives no {listed(e.name for e in estimates)}: {listed(reasons)}"
        return FIGURE.check(row.name, None, found, ground=ground)
    fitting = [e.name for e in known if _holds(printed, e.value or 0.0)]
    found = f"{listed(map(_shown, known), len(known))}; printed {printed.text} is {listed(fitting)}"
    values: dict[str, Value] = {"fitting": [*fitting], **{e.name: e.value for e in known}}
    return FIGURE.check(row.name, bool(fitting), found, ground=ground, values=values)


def _holds(printed: Printed, value: float) -> bool:
    return printed.holds(value - _ROUNDING, value + _ROUNDING)


def _shown(estimate: Estimate) -> str:
    counts = ""
    if estimate.numerator is not None:
        counts = f" ({estimate.numerator:g} / {estimate.denominator:g})"
    return f"{estimate.name} {estimate.value or 0.0:.4f}{counts}"


def _intervals(table: Table, row: Row, group: GroupReport) -> Iterator[Figure]:
    """Yield, beside a printed interval, those that the log gives over its clusters."""
    if row.interval is None:
        return
    first, last = row.interval
    share = row.agreement or row.win_rate
    names = _MEANT["agreement" if row.agreement is not None else "win_rate"]
    for estimate in map(group.measure, names):
        low, high, value = estimate.low, estimate.high, estimate.value
        if share is None or low is None or high is None or value is None:
            continue
        if not _holds(share, value):
            continue
        yield _interval(table, row, (first, last), (low, high), estimate.name)


def _interval(
    table: Table,
    row: Row,
    printed: tuple[Printed, Printed],
    ends: tuple[float, float],
    measure: str,
) -> Figure:
    low, high = ends
    width = float(printed[1].value - printed[0].value)
    ratio = (high - low) / width if width > 0 else None
    sentence = (
        f"{measure} over the log's clusters: {low:.4f} to {high:.4f}, printed is"
        f" {printed[0].text} to {printed[1].text}"
    )
    if ratio is not None:
        sentence += f"; the log's is {ratio:.2f} times as wide"
    values: Mapping[str, Value] = {"low": low, "high": high, "ratio": ratio}
    return Figure(Link.LOG, "log_interval", row.name, sentence, table.name, values)
