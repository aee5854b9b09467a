"""Rows that say the same as others share what was read, and nothing that is their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.importers.judgment import Judgment, Reject
from counterbalance.importers.loading import choose_log, rows_of
from counterbalance.importers.log_format import Notes
from counterbalance.importers.mapped_log import mapped_format
from counterbalance.importers.mapping_file import mapping_of
from foreign_logs import jsonl

if TYPE_CHECKING:
    from pathlib import Path

OWN = ("item", "cluster", "consequence", "reply", "margin", "setting")


def test_rows_that_say_the_same_keep_what_is_their_own(tmp_path: Path) -> None:
    text = """
[columns]
item = "id"
first = "one"
second = "two"
verdict = "won"
cluster = "group"
consequence = "cost"
reply = "text"
margin = "by"
[rows]
same = ["model"]
[verdict]
first = [1]
second = [true]
"""
    told = {"one": "m1", "two": "m2"}
    rows: list[dict[str, Any]] = [
        {"id": 1, "won": 1, "group": "g", "cost": 2, "text": "r1", "by": 3, "model": "k", **told},
        {"id": 2, "won": 1, "group": "h", "cost": 5, "text": "r2", "by": 4, "model": "l", **told},
        {"id": 3, "won": True, "model": "k", **told},
        {"id": "", "won": 1, **told},
        {"id": 4, "won": 7, **told},
        {"id": 5, "won": 7, **told},
    ]
    known = mapped_format(mapping_of(text, "map"), "map")
    chosen = choose_log([jsonl(tmp_path / "log.jsonl", rows)], known)
    read = [row for _, row in rows_of(chosen, Notes())]
    judgments = [row for row in read if isinstance(row, Judgment)]
    one, two, other = judgments
    assert [getattr(one, name) for name in OWN] == ["1", "g", 2.0, "r1", 3.0, "'k'"]
    assert [getattr(two, name) for name in OWN] == ["2", "h", 5.0, "r2", 4.0, "'l'"]
    assert (one.outcome.kind, other.outcome.kind) == ("first", "second")
    assert [getattr(other, name) for name in OWN] == ["3", "", 1.0, "", None, "'k'"]
    assert [(r.line, r.reason.split()[0]) for r in read if isinstance(r, Reject)] == [
        (4, "the"),
        (5, "the"),
        (6, "the"),
    ]
