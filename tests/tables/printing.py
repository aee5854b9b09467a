"""A study made unit by unit, and printed: whatever it says is consistent, until it is altered."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from counterbalance.statistics import mcnemar_test
from counterbalance.tables.audit import audit_tables
from counterbalance.tables.check import Audit, Check, Finding
from counterbalance.tables.description import Description

if TYPE_CHECKING:
    from collections.abc import Sequence

LABELS = ("A", "B", "tie")


def printed_study(
    seed: int, n: int = 240, places: int = 3, variant: str = "corrected", n_lost: int = 0
) -> dict[str, Any]:
    """Return the description of a study of two judges: a baseline, and the same one improved.

    Numbers are rounded as they would be printed; every one is computed from the same units. The
    improved judge may lose verdicts; then no comparison is printed.
    """
    rng = np.random.default_rng(seed)
    gold = rng.choice(LABELS, n, p=[0.4, 0.38, 0.22])
    base = np.where(rng.random(n) < 0.55, gold, rng.choice(LABELS, n))
    new = np.where(rng.random(n) < 0.35, gold, base)
    gained = int(((new == gold) & (base != gold)).sum())
    lost = int(((new != gold) & (base == gold)).sum())
    test = mcnemar_test(gained, lost, variant)
    chi = test if test.chi_square is not None else mcnemar_test(gained, lost, "corrected")
    comparison = {
        "name": "new against base",
        "base": "base",
        "new": "new",
        "gained": gained,
        "lost": lost,
        "difference": shown((gained - lost) / n, places),
        "test": variant,
    }
    if gained + lost:
        comparison |= {"chi_square": shown(chi.chi_square, 2), "p": shown(test.p_value, 4)}
    kept = np.sort(rng.permutation(n)[n_lost:])
    rows = [_row("base", base, gold, places), _row("new", new[kept], gold[kept], places)]
    tables = [{"name": "T", "n": n, "gold": counted(gold), "rows": rows}]
    return {
        "title": "a made-up study",
        "error_rate": 0.05,
        "power": 0.8,
        "tables": tables,
        "comparisons": [] if n_lost else [comparison],
    }


def _row(name: str, verdicts: Any, gold: Any, places: int) -> dict[str, Any]:
    n = len(gold)
    share = float((verdicts == gold).mean())
    ours, theirs = counted(verdicts), counted(gold)
    expected = sum(ours[x] * theirs[x] for x in LABELS) / n**2
    return {
        "name": name,
        "group": "judge",
        "verdicts": ours,
        "agreement": shown(share, places),
        "kappa": shown((share - expected) / (1 - expected), places),
        "standard_error": shown(math.sqrt(share * (1 - share) / n), places + 1),
        "standard_error_method": "binomial",
        "interval": [shown(max(0, share - 0.05), places), shown(min(1, share + 0.05), places)],
        "tie_rate": shown(ours["tie"] / n, places),
    }


def counted(labels: Sequence[str]) -> dict[str, int]:
    seen = Counter(str(label) for label in labels)
    return {label: seen[label] for label in LABELS}


def shown(value: float, places: int) -> str:
    return f"{value:.{places}f}"


def audit_of(value: dict[str, Any]) -> Audit:
    return audit_tables(Description.model_validate(value))


def broken(audit: Audit) -> list[tuple[str, str]]:
    """Rule and subject of everything inconsistent, along the chain."""
    return [(c.rule.name, c.subject) for c in audit.checks if c.verdict is Finding.INCONSISTENT]


def check(audit: Audit, rule: str, subject: str | None = None) -> Check:
    """The one check by a rule, of a subject where there are several."""
    found = [c for c in audit.checks if c.rule.name == rule and subject in {None, c.subject}]
    assert len(found) == 1, [(c.rule.name, c.subject) for c in audit.checks]
    return found[0]


def one_table(*rows: dict[str, Any], **keys: Any) -> dict[str, Any]:
    """A description of one table with these rows."""
    return {"title": "t", "tables": [{"name": "T", "rows": list(rows), **keys}]}
