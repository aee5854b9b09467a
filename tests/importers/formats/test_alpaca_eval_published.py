"""AlpacaEval's real annotations: the order is proved, and preferences survive being turned."""

from __future__ import annotations

import json
from gzip import decompress
from typing import TYPE_CHECKING

import pytest

from counterbalance.importers.formats.alpaca_eval_order import is_exchanged, preferred_slot
from counterbalance.importers.judgment import Judgment
from counterbalance.importers.loading import read_logs
from counterbalance.importers.log_format import Notes
from counterbalance.importers.source_rows import source_rows
from counterbalance.items.frames import Order, Slot
from counterbalance.measures.upstream.alpaca_eval import preferences
from counterbalance.parsing.outcome import OutcomeKind
from foreign_logs import rows_of
from reference_data import expected_figures

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.reference


def judgments(*files: Path, notes: Notes | None = None) -> list[Judgment]:
    rows = rows_of(*files, notes=notes)
    assert all(isinstance(row, Judgment) for row in rows)
    return [row for row in rows if isinstance(row, Judgment)]


def test_a_preference_survives_the_turn_into_a_margin_to_the_last_bit() -> None:
    for file in annotation_files()[:3]:
        logged = [row["preference"] for row in json.loads(decompress(file.read_bytes()))]
        rows = source_rows(read_logs([file], rereads=False).collected)
        assert preferences(rows).tolist() == [preference - 1 for preference in logged]


def annotation_files() -> list[Path]:
    return [f for f in expected_figures("alpaca_eval") if f.name == "annotations.json.gz"]


def test_the_rebuilt_order_is_proved_by_every_reply_that_names_a_winner() -> None:
    notes = Notes()
    expected = expected_figures("alpaca_eval")
    files = annotation_files()
    rows = iter(judgments(*files, notes=notes))
    n_checked = 0
    for file in files:
        slots = expected[file]["slots"]
        mine = [next(rows) for _ in range(slots["rows"])]
        kinds = [row.outcome.kind for row in mine if not row.identical]
        assert sum(row.order is Order.REVERSED for row in mine) == shown_second(slots, mine)
        assert kinds.count(OutcomeKind.FIRST) == slots["first_shown_preferred"]
        assert kinds.count(OutcomeKind.SECOND) == slots["second_shown_preferred"]
        agreeing, _, checked = expected[file][
            "rows_whose_logprobs_confirm_the_seed_rule"
        ].partition("/")
        assert agreeing == checked
        n_checked += int(checked)
    assert any(f"fits all {n_checked} replies" in sentence for sentence in notes.sentences)


def shown_second(slots: dict[str, int], rows: list[Judgment]) -> int:
    """Rows that show output_2 first; a system against itself has only one order."""
    return 0 if rows[0].a == rows[0].b else slots["output_2_shown_first"]


def test_another_seed_or_no_exchange_would_have_been_refused() -> None:
    for file in annotation_files():
        agreeing = checked = 0
        for row in json.loads(decompress(file.read_bytes())):
            slot = preferred_slot(row.get("raw_completion"))
            if slot is not None and row["preference"] != 1.5:
                checked += 1
                exchanged = is_exchanged("another seed " + row["instruction"])
                agreeing += ((slot is Slot.FIRST) != exchanged) == (row["preference"] < 1.5)
        assert agreeing < 0.7 * checked or not checked


def test_a_file_without_replies_is_proved_by_others_of_its_judge_only() -> None:
    bare, other = (
        next(file for file in annotation_files() if name in file.parts)
        for name in ("FuseChat-Gemma-2-9B-Instruct", "alpaca-7b")
    )
    notes = Notes()
    assert {row.order for row in judgments(bare, notes=notes)} == {None}
    assert any("0 replies name a winner" in sentence for sentence in notes.sentences)
    together = judgments(bare, other)
    assert {row.order for row in together} == set(Order)
