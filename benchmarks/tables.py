"""Time of an audit of printed tables beside one of a tenth of the rows, and rows a second.

Each table holds two rows with verdicts, agreement, kappa and errors, and one comparison. Shown are
rows a second and the ratio of the times for each row: 1 means that time grows with the rows.

    python benchmarks/tables.py [ROWS] [ROUNDS]
"""

from __future__ import annotations

import statistics
import sys
import time

from counterbalance.tables.audit import audit_tables
from counterbalance.tables.description import Description

DEFAULTS = (2000, 3)
GOLD = {"A": 158, "B": 145, "tie": 97}
BASE = {
    "name": "base", "verdicts": {"A": 161, "B": 141, "tie": 98}, "agreement": "0.580",
    "kappa": "0.358", "interval": ["0.530", "0.628"], "group": "judge",
}  # fmt: skip
NEW = {
    "name": "new", "verdicts": {"A": 181, "B": 169, "tie": 50}, "agreement": "0.695",
    "kappa": "0.522", "interval": ["0.650", "0.740"], "group": "judge",
}  # fmt: skip


def described(n_rows: int) -> dict[str, object]:
    """Return a description of this many rows, two in each table."""
    names = [f"T{i}" for i in range(n_rows // 2)]
    compared = {"base": "base", "new": "new", "b": 23, "c": 69, "chi_square": "22.01"}
    return {
        "title": "many rows",
        "error_rate": 0.05,
        "power": 0.8,
        "tables": [{"name": x, "n": 400, "gold": GOLD, "rows": [BASE, NEW]} for x in names],
        "comparisons": [{"name": x, "table": x, **compared, "p": "0.0000"} for x in names],
    }


def seconds(n_rows: int) -> float:
    """Return the time to validate and audit this many rows."""
    value = described(n_rows)
    begun = time.perf_counter()
    audit = audit_tables(Description.model_validate(value))
    spent = time.perf_counter() - begun
    if audit.first_broken is not None:
        sys.exit(f"inconsistent: {audit.first_broken.found}")
    return spent


def main() -> None:
    """Print both figures as medians of the rounds."""
    n_rows, rounds = (int(x) for x in (*sys.argv[1:], *map(str, DEFAULTS[len(sys.argv) - 1 :])))
    seconds(20)
    pairs = [(seconds(n_rows // 10), seconds(n_rows)) for _ in range(rounds)]
    speed = statistics.median(n_rows / whole for _, whole in pairs)
    ratio = statistics.median(whole / (10 * part) for part, whole in pairs)
    print(f"{n_rows} rows: {speed:.0f} rows a second, {ratio:.2f} times the time of a tenth, a row")


if __name__ == "__main__":
    main()
