"""Every figure that LLMBar published beside its verdicts follows from the rows we read."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from counterbalance.importers.judgment import Judgment, Rating
from counterbalance.items.frames import Order, Verdict
from counterbalance.parsing.outcome import OutcomeKind
from foreign_logs import rows_of
from reference_data import expected_figures

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.reference

WINNERS = {
    (OutcomeKind.FIRST, Order.FORWARD): "1",
    (OutcomeKind.SECOND, Order.FORWARD): "2",
    (OutcomeKind.FIRST, Order.REVERSED): "2",
    (OutcomeKind.SECOND, Order.REVERSED): "1",
}
LABELS = {(Verdict.A,): "1", (Verdict.B,): "2"}


class Pair(NamedTuple):
    """Winners of the order that shows output_1 first and of the other, and the label."""

    forward: str | None
    backward: str | None
    label: str


def pairs_of(rows: Sequence[object]) -> list[Pair]:
    """Pairs of a file's final verdicts; ratings become winners in the program's own way."""
    lines: defaultdict[int, list[Any]] = defaultdict(list)
    for row in rows:
        assert isinstance(row, Judgment | Rating)
        if not row.strategy.endswith("(first round)"):
            lines[row.line].append(row)
    return [
        judged(*found) if isinstance(found[0], Judgment) else rated(*found)
        for found in lines.values()
    ]


def judged(one: Judgment, other: Judgment) -> Pair:
    assert (one.order, other.order) == (Order.FORWARD, Order.REVERSED)
    winners = [WINNERS.get((row.outcome.kind, row.order)) for row in (one, other)]
    return Pair(*winners, LABELS[one.reference])


def rated(one: Rating, other: Rating) -> Pair:
    label = "1" if one.preferred else "2"
    if one.value is None or other.value is None:
        return Pair("1", "2", label)
    return Pair(
        "1" if one.value > other.value else "2", "2" if other.value > one.value else "1", label
    )


def kappa(one: list[int], other: list[int]) -> float:
    n = len(one)
    observed = sum(a == b for a, b in zip(one, other, strict=True)) / n
    first, second = Counter(one), Counter(other)
    chance = sum(first[key] * second[key] for key in first) / n**2
    return (observed - chance) / (1 - chance)


def published(pairs: list[Pair]) -> dict[str, Any]:
    n = len(pairs)

    def share(count: int) -> str:
        return f"{count} / {n} = {count / n * 100}%"

    right = [sum(p.forward == p.label for p in pairs), sum(p.backward == p.label for p in pairs)]
    codes = [[int(p[order] == "1") for p in pairs] for order in (0, 1)]
    labels = [int(p.label) for p in pairs]
    return {
        "correct_False": share(right[0]),
        "correct_True": share(right[1]),
        "correct_average": f"{sum(right) / 2 / n * 100}%",
        "correct_both": share(sum(p.forward == p.backward == p.label for p in pairs)),
        "equal": share(sum(p.forward == p.backward for p in pairs)),
        "kappa_False": kappa(codes[0], labels),
        "kappa_True": kappa(codes[1], labels),
        "kappa_agreement": kappa(*codes),
        "correct_kappa_human_vs_judge": {
            "swap=False": kappa([int(p.forward or 0) for p in pairs], labels),
            "swap=True": kappa([int(p.backward or 0) for p in pairs], labels),
        },
    }


def dispositions(pairs: list[Pair]) -> dict[str, int]:
    cells = Counter((pair.forward, pair.backward) for pair in pairs)
    complete = [("1", "1"), ("2", "2"), ("1", "2"), ("2", "1")]
    return {
        "pairs": len(pairs),
        "stable_1": cells["1", "1"],
        "stable_2": cells["2", "2"],
        "explicit_tie": 0,
        "order_disagreement_primacy": cells["1", "2"],
        "order_disagreement_recency": cells["2", "1"],
        "tie_transition": 0,
        "incomplete": len(pairs) - sum(cells[cell] for cell in complete),
    }


def test_every_published_figure_follows_from_the_rows() -> None:
    n_compared = 0
    for file, figures in expected_figures("llmbar").items():
        if not file.name.startswith("result.json"):
            continue
        pairs = pairs_of(rows_of(file))
        ours = {**published(pairs), "dispositions": dispositions(pairs)}
        for name, value in figures.items():
            n_compared += 1
            assert ours[name] == pytest.approx(value, abs=1e-9), (file, name)
    assert n_compared == 8 * 136 + 136 + 136


def test_verdicts_that_are_turned_back_twice_do_not_give_the_published_figures() -> None:
    found = Counter[bool]()
    for file, figures in expected_figures("llmbar").items():
        if not file.name.startswith("result.json") or "Rating" in file.parts:
            continue
        pairs = [
            pair._replace(backward={"1": "2", "2": "1"}.get(pair.backward or ""))
            for pair in pairs_of(rows_of(file))
        ]
        found[published(pairs)["correct_True"] == figures["correct_True"]] += 1
    assert found[True] <= 1
    assert found[False] >= 127
