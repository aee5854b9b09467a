"""Figures that Position-Bias-Analyzer wrote beside its records follow from the rows we read."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from counterbalance.importers.judgment import Judgment
from counterbalance.items.frames import Order
from counterbalance.parsing.outcome import OutcomeKind
from foreign_logs import rows_of
from reference_data import expected_figures

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.reference

LETTERS = {OutcomeKind.FIRST: "A", OutcomeKind.SECOND: "B", OutcomeKind.TIE: "C"}
CONSISTENT = {"AB", "BA", "CC"}
PRIMACY = {"AA", "AC", "CA"}
RECENCY = {"BB", "BC", "CB"}
REFERENCES = {"human", "vicuna-13b-v1.3"}


class Shown(NamedTuple):
    """One row of the log: question, systems in display order, letter (N for none) and task."""

    question: str
    first: str
    second: str
    letter: str
    task: str
    is_failure: bool

    @property
    def key(self) -> tuple[str, str, str]:
        return self.question, self.first, self.second

    @property
    def other_key(self) -> tuple[str, str, str]:
        return self.question, self.second, self.first

    @property
    def model(self) -> str:
        return self.first if self.second in REFERENCES else self.second


def shown_rows(file: Path) -> list[Shown]:
    found = []
    for row in rows_of(file):
        assert isinstance(row, Judgment)
        first, second = (row.a, row.b) if row.order is Order.FORWARD else (row.b, row.a)
        kind = row.outcome.kind
        letter = LETTERS.get(kind, "N")
        is_failure = kind is OutcomeKind.FAILED
        found.append(Shown(row.item, first, second, letter, row.category, is_failure))
    return found


def pairs_of(rows: list[Shown]) -> list[tuple[Shown, str]]:
    """First row of each pair, and the letters of both its rows."""
    letters = {row.key: row.letter for row in rows}
    seen: set[tuple[str, str, str]] = set()
    pairs = []
    for row in rows:
        if row.key not in seen:
            seen.add(row.other_key)
            pairs.append((row, row.letter + letters[row.other_key]))
    return pairs


def called_consistent(rows: list[Shown]) -> list[Shown]:
    """Rows that the program's log counts as consistent."""
    letters = {row.key: row.letter for row in rows if row.letter != "N"}
    return [
        row
        for row in rows
        if row.letter != "N"
        and row.letter + letters.get(row.other_key, "?") in CONSISTENT | {"A?", "B?", "C?"}
    ]


def preference_score(pairs: list[tuple[Shown, str]]) -> float:
    counts: Counter[tuple[str, str, str]] = Counter()
    for row, letters in pairs:
        counts[row.model, row.task, "primacy"] += letters in PRIMACY
        counts[row.model, row.task, "recency"] += letters in RECENCY
    models, tasks = ({row[place] for row in counts} for place in (0, 1))
    per_task = Counter(row.task for row, _ in pairs)
    scores = []
    for task in tasks:
        for model in models:
            primacy, recency = (counts[model, task, kind] for kind in ("primacy", "recency"))
            raw = (recency**2 - primacy**2) / (primacy + recency) if primacy + recency else 0.0
            scores.append(raw / (per_task[task] / len(models)))
    return sum(scores) / len(scores)


def win_rates(rows: list[Shown]) -> dict[str, float]:
    points: defaultdict[str, list[float]] = defaultdict(list)
    for row in called_consistent(rows):
        won = {"A": row.first, "B": row.second}.get(row.letter)
        points[row.model].append(0.5 if won is None else float(won == row.model))
    return {f"win+halfdraw[{model}]": sum(won) / len(won) for model, won in points.items()}


def published(rows: list[Shown]) -> dict[str, Any]:
    pairs = pairs_of(rows)
    choices = Counter(letters for _, letters in pairs)
    complete = sum(count for letters, count in choices.items() if "N" not in letters)
    missing = sum(letters.count("N") * count for letters, count in choices.items())
    return {
        "log_consistent_rows": len(called_consistent(rows)),
        "log_extracted_rows": sum(row.letter != "N" for row in rows),
        "log_failed_to_respond": sum(row.is_failure for row in rows),
        "positional_consistency": sum(choices[letters] for letters in CONSISTENT) / complete,
        "positional_preference_score": preference_score(pairs),
        "extraction_successful_rate": 2 * complete / (2 * complete + missing),
        "choice_pairs": dict(choices),
        "dispositions": {
            "pairs": len(pairs),
            "stable_1": choices["AB"],
            "stable_2": choices["BA"],
            "explicit_tie": choices["CC"],
            "order_disagreement_primacy": choices["AA"],
            "order_disagreement_recency": choices["BB"],
            "tie_transition": sum(choices[letters] for letters in ("AC", "CA", "BC", "CB")),
            "incomplete": len(pairs) - complete,
        },
        **win_rates(rows),
    }


def repeated(files: list[Path]) -> dict[str, Any]:
    letters: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
    for file in files:
        for row in shown_rows(file):
            letters[row.key].append(row.letter)
    most = [
        max(Counter(letter for letter in each if letter != "N").values(), default=0)
        for each in letters.values()
    ]
    return {
        "repetition_consistency": sum(most) / 3 / len(most),
        "rows_identical_in_all_3_repetitions": sum(count == 3 for count in most),
    }


def test_every_published_figure_follows_from_the_rows() -> None:
    n_compared = 0
    for file, figures in expected_figures("position_bias_analyzer").items():
        if file.name == "log.txt":  # a run whose rows are lost
            continue
        if "{" in file.name:
            pattern = file.name.replace("{1,2,3}", "[123]") + "/record*"
            ours = repeated(sorted(file.parent.glob(pattern)))
        else:
            ours = published(shown_rows(file))
        for name, value in figures.items():
            n_compared += 1
            tolerance = 6e-4 if name.startswith("win+") else 1e-9
            assert ours[name] == pytest.approx(value, abs=tolerance), (file, name)
    assert n_compared == 8 * 41 + 234 + 2 * 12


def test_exchanged_slots_do_not_give_the_published_win_rates() -> None:
    found: Counter[bool] = Counter()
    for file, figures in expected_figures("position_bias_analyzer").items():
        if not file.name.startswith("record_"):
            continue
        rows = [row._replace(first=row.second, second=row.first) for row in shown_rows(file)]
        ours = win_rates(rows)
        for name, value in figures.items():
            if name in ours:
                found[ours[name] == pytest.approx(value, abs=6e-4)] += 1
    assert (found[True], found[False]) == (7, 137)  # what is equal is equal either way: a half
