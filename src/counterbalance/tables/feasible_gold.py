"""Which references could stand behind the kappas of a table that does not print its reference."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.tables.check import Check, Ground, Link, Rule
from counterbalance.tables.wording import inputs_of, listed, rounding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from counterbalance.tables.check import Value
    from counterbalance.tables.lines import Line

__all__ = ["FEASIBLE_GOLD", "gold_checks"]

FEASIBLE_GOLD = Rule(
    "feasible_gold",
    Link.KAPPA,
    "one reference, the same for all rows over the same units, gives every kappa of the table",
)

_MOST_REFERENCES = 1_000_000
_FEW = 3


def gold_checks(lines: Sequence[Line]) -> Iterator[Check]:
    """Yield, for each table without a reference, whether one reference fits all its rows."""
    tables: dict[str, list[Line]] = {}
    for line in lines:
        is_whole = line.n_verdicts and line.n_verdicts == (line.n or line.n_verdicts)
        if not line.gold and is_whole and line.row.kappa is not None and line.agreeing:
            tables.setdefault(line.table.name, []).append(line)
    for table, members in tables.items():
        n = members[0].n_verdicts or 0
        same = [line for line in members if line.n_verdicts == n]
        labels = list(dict.fromkeys(label for line in same for label in line.counts or {}))
        yield _check(table, same, labels, n)


def _check(table: str, members: list[Line], labels: list[str], n: int) -> Check:
    printed = [x for line in members for x in (line.row.agreement, line.row.kappa)]
    ground = Ground(
        table=table,
        inputs=inputs_of(n=n, kappa={line.name: line.row.kappa for line in members}),
        tolerance=rounding(*printed),
    )
    if math.comb(n + len(labels) - 1, len(labels) - 1) > _MOST_REFERENCES:
        found = f"{len(labels)} labels over {n} units leave too many references to try; print it"
        return FEASIBLE_GOLD.check(table, None, found, ground=ground)
    left = _references(len(labels), n)
    for line in members:
        left = left[_fits(line, left, labels, n)]
    values: dict[str, Value] = {"n_references": len(left), "labels": list(labels), "units": n}
    if not len(left):
        found = f"no reference of {n} units gives all {len(members)} kappas"
        return FEASIBLE_GOLD.check(table, False, found, values=values, ground=ground)  # noqa: FBT003
    values |= {"low": left.min(axis=0).tolist(), "high": left.max(axis=0).tolist()}
    return FEASIBLE_GOLD.check(table, True, _found(left, labels), values=values, ground=ground)  # noqa: FBT003


def _found(left: NDArray[np.int64], labels: list[str]) -> str:
    if len(left) <= _FEW:
        shown = [", ".join(f"{x} {k}" for x, k in zip(labels, row, strict=True)) for row in left]
        return f"the reference is {' or '.join(shown)}"
    ranges = [
        f"{label} {low} to {high}"
        for label, low, high in zip(labels, left.min(axis=0), left.max(axis=0), strict=True)
    ]
    return f"{len(left)} references fit: {listed(ranges)}"


def _references(n_labels: int, n: int) -> NDArray[np.int64]:
    """Return every way to split `n` units over the labels, one in each row."""
    grid = np.zeros((1, 0), dtype=np.int64)
    for _ in range(n_labels - 1):
        left = n - grid.sum(axis=1)
        repeated = np.repeat(grid, left + 1, axis=0)
        added = np.concatenate([np.arange(k + 1) for k in left])
        grid = np.column_stack([repeated, added])
    return np.column_stack([grid, n - grid.sum(axis=1)])


def _fits(
    line: Line, references: NDArray[np.int64], labels: list[str], n: int
) -> NDArray[np.bool_]:
    verdicts = np.array([(line.counts or {}).get(label, 0) for label in labels])
    products = references @ verdicts
    most = np.minimum(references, verdicts).sum(axis=1)
    least = np.maximum(0, (references + verdicts - n).max(axis=1))
    fits = np.zeros(len(references), dtype=bool)
    kappa = line.row.kappa
    for k in line.agreeing or ():
        if kappa is None:
            break
        low, high = (_product(Fraction(k, n), x, n) for x in (kappa.high, kappa.low))
        in_range = (products >= math.ceil(low)) & (products <= math.floor(high))
        fits |= in_range & (least <= k) & (k <= most)
    return fits


def _product(observed: Fraction, kappa: Fraction, n: int) -> Fraction:
    """Return the sum of products of both marginals with which kappa has this value."""
    return (observed - kappa) / (1 - kappa) * n * n if kappa != 1 else Fraction(n * n)
