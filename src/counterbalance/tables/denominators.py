"""Printed shares are possible counts over the denominators that the source names."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from counterbalance.tables.check import Check, Ground, Link, Rule
from counterbalance.tables.counts import counts_over, joint_denominators
from counterbalance.tables.wording import inputs_of, listed, rounding, span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from counterbalance.tables.check import Value
    from counterbalance.tables.lines import Line
    from counterbalance.tables.printed import Printed

__all__ = ["JOINT", "POSSIBLE", "VERDICT_SHARES", "denominator_checks", "joint_checks"]

POSSIBLE = Rule(
    "possible_count",
    Link.DENOMINATORS,
    "some whole number over the denominator prints as the agreement",
)
JOINT = Rule(
    "joint_denominator",
    Link.DENOMINATORS,
    "one denominator makes every agreement of a group a possible count",
)
VERDICT_SHARES = Rule(
    "possible_verdicts",
    Link.DENOMINATORS,
    "whole numbers that add up to the row print as its shares of verdicts",
)

# Beyond this every share with the usual three decimals is possible anyway.
_LARGEST_TRIED = 1000
_MOST_KEPT = 50


def denominator_checks(line: Line) -> Iterator[Check]:
    """Yield whether the shares of a row are possible."""
    if line.row.agreement is not None:
        yield _agreement(line, line.row.agreement)
    shares = {k: x for k, x in line.row.verdicts.items() if not isinstance(x, int)}
    if shares and line.n:
        yield _verdicts(line, shares, line.n)


def joint_checks(lines: Iterable[Line]) -> Iterator[Check]:
    """Yield, for each group of rows that judge the same items, which denominators fit all."""
    groups: dict[tuple[str, str], list[Line]] = {}
    for line in lines:
        if line.row.group and line.row.agreement is not None:
            groups.setdefault((line.table.name, line.row.group), []).append(line)
    for (table, group), members in groups.items():
        if len(members) > 1:
            yield _joint(table, group, members)


def _agreement(line: Line, share: Printed) -> Check:
    over = _denominators(line)
    inputs = inputs_of(agreement=share, **over)
    ground = Ground(table=line.table.name, inputs=inputs, tolerance=rounding(share))
    if not over:
        found = "no n and no verdicts are printed, so there is no denominator to try; give n"
        return POSSIBLE.check(line.name, None, found, ground=ground)
    fitting = {name: counts_over(share, n) for name, n in over.items() if counts_over(share, n)}
    stated = line.row.agreement_over
    # Ties left out without a word are no denominator that a reader could know of.
    fits = stated in fitting if stated in over else bool(set(fitting) - {"decided"})
    values: dict[str, Value] = {name: [k[0], k[-1], over[name]] for name, k in fitting.items()}
    found = _found(over, fitting, stated)
    if not fitting and (cut := _cut_off(share, over)):
        found += f"; cut off instead of rounded it would be {cut}"
    return POSSIBLE.check(line.name, fits, found, values=values, ground=ground)


def _cut_off(share: Printed, over: dict[str, int]) -> str:
    """Return what a share is if its further decimals were dropped; empty when nothing."""
    last = replace(share, low=share.value, high=share.value + 2 * share.half_unit)
    found = ((counts_over(last, n), n) for name, n in over.items() if name != "decided")
    return " or ".join(f"{span(k)} of {n}" for k, n in found if k)


def _denominators(line: Line) -> dict[str, int]:
    named = {"n": line.n, "verdicts": line.n_verdicts, "decided": line.decided}
    kept: dict[str, int] = {}
    for name, n in named.items():
        if n and n not in kept.values():
            kept[name] = n
    stated = line.row.agreement_over
    if stated and named.get(stated):
        kept[stated] = named[stated] or 0
    return kept


_WORDS = {"n": "the printed n", "verdicts": "the verdicts", "decided": "verdicts without ties"}


def _found(over: dict[str, int], fitting: dict[str, range], stated: str | None) -> str:
    hits = [f"{span(k)} of {over[name]} ({_WORDS[name]})" for name, k in fitting.items()]
    misses = [f"{n} ({_WORDS[name]})" for name, n in over.items() if name not in fitting]
    if not hits:
        return f"no whole number of {listed(misses)} prints so"
    said = f"it is {' or '.join(hits)}"
    if misses:
        said += f"; not possible over {listed(misses)}"
    if stated is None and set(fitting) == {"decided"}:
        said += "; if ties are excluded, the source does not say so"
    return said


def _verdicts(line: Line, shares: dict[str, Printed], n: int) -> Check:
    possible = {label: counts_over(share, n) for label, share in shares.items()}
    none = [label for label, k in possible.items() if not k]
    low = sum(k[0] for k in possible.values() if k)
    high = sum(k[-1] for k in possible.values() if k)
    fits = not none and low <= n <= high
    found = f"{low} to {high} of {n}" if low != high else f"{low} of {n}"
    if none:
        found = f"no whole number of {n} prints as the share of {listed(none)}"
    elif not fits:
        found = f"the possible counts add up to {span([low, high])}, not to {n}"
    return VERDICT_SHARES.check(
        line.name,
        fits,
        found,
        ground=Ground(line.table.name, inputs_of(n=n, verdicts=shares), rounding(*shares.values())),
    )


def _joint(table: str, group: str, members: list[Line]) -> Check:
    shares = [line.row.agreement for line in members if line.row.agreement is not None]
    sizes = {line.n for line in members if line.n}
    printed = max(sizes, default=None)
    largest = printed or _LARGEST_TRIED
    feasible = joint_denominators(shares, largest)
    if printed is not None and printed not in feasible:
        largest = max(printed, _LARGEST_TRIED)
        feasible = joint_denominators(shares, largest)
    known = {line.n_verdicts for line in members if line.n_verdicts}
    inputs = inputs_of(n=printed, agreement={line.name: line.row.agreement for line in members})
    ground = Ground(table=table, inputs=inputs, tolerance=rounding(*shares))
    values: dict[str, Value] = {
        "n_denominators": len(feasible),
        "denominators": [*feasible[:_MOST_KEPT]],
        "largest": largest,
    }
    if printed is None:
        found = f"possible denominators up to {largest}: {listed(feasible)}; no n is printed"
        return JOINT.check(group, None, found, values=values, ground=ground)
    if len(sizes) > 1 or known - {printed}:
        found = f"the rows are of different numbers of units; up to {printed} all are possible over"
        found += f" {listed(n for n in feasible if n <= printed)}"
        return JOINT.check(group, None, found, values=values, ground=ground)
    below = [n for n in feasible if n <= printed]
    found = f"possible denominators up to {printed}: {listed(below)}"
    if printed not in feasible:
        found += f"; the printed {printed} is none of them"
        above = [n for n in feasible if n > printed]
        found += f", larger ones begin at {above[0]}" if above else ""
    return JOINT.check(group, printed in feasible, found, values=values, ground=ground)
