"""A pair whose other game cannot be used is incomplete, whatever became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from counterbalance.importers.from_record import recorded_log
from counterbalance.importers.loading import read_logs
from counterbalance.importers.mapped_log import mapped_format
from counterbalance.importers.mapping_file import mapping_of
from counterbalance.importers.storing import store_log
from counterbalance.record import open_record
from counterbalance.record.place import place_of
from counterbalance.report.log_report import build_log_report
from foreign_logs import fastchat_row, jsonl

if TYPE_CHECKING:
    from pathlib import Path

    from counterbalance.importers.log_format import LogFormat
    from counterbalance.report.report import Report

MAP = """
[columns]
item = "id"
first = "one"
second = "two"
verdict = "won"
repetition = "time"
[verdict]
first = ["A"]
second = ["B"]
missing = "reject"
"""


def known() -> LogFormat:
    return mapped_format(mapping_of(MAP, "map"), "map")


def call(item: int, won: object, *, swapped: bool = False, **more: Any) -> dict[str, Any]:
    names = ["m1", "m2"][:: -1 if swapped else 1]
    return {"id": item, "one": names[0], "two": names[1], "won": won, **more}


def report_of(path: Path, log_format: LogFormat | None = None) -> Report:
    return build_log_report(read_logs([path], log_format=log_format), n_listed=0)


@pytest.mark.parametrize(
    ("partner", "reason"),
    [
        ([call(3, "maybe", swapped=True)], "rejected"),
        ([call(3, None, swapped=True)], "rejected"),
        ([call(3, ["A"], swapped=True)], "rejected"),
        (['{"id": 3, "one": "m2", "tw'], "not_run"),
        ([], "not_run"),
        ([call(3, "A", swapped=True), call(3, "B", swapped=True)], "contradictory"),
    ],
)
def test_whatever_became_of_the_partner(tmp_path: Path, partner: list[Any], reason: str) -> None:
    both = [call(i, won, swapped=won == "B") for i in range(3) for won in "AB"]
    report = report_of(jsonl(tmp_path / "log.jsonl", [*both, call(3, "A"), *partner]), known())
    (group,) = report.groups
    assert (group.dispositions["stable_a"], group.dispositions["single_order"]) == (3, 0)
    assert group.dispositions["incomplete"] == 1
    assert group.incomplete_reasons == {reason: 1}
    assert report.reconciliation.adds_up
    assert report.log is not None
    assert report.log.totals.adds_up
    assert report.log.totals.presentations == 8
    assert sum(map(sum, group.transition.cells)) == 4


def test_a_log_of_one_order_misses_nobody_but_whom_it_rejects(tmp_path: Path) -> None:
    rows = [call(i, "A") for i in range(5)] + [call(0, "?", swapped=True)]
    (group,) = report_of(jsonl(tmp_path / "log.jsonl", rows), known()).groups
    assert (group.dispositions["single_order"], group.dispositions["incomplete"]) == (4, 1)


def test_a_rejected_row_beside_a_good_one_of_its_presentation_changes_nothing(
    tmp_path: Path,
) -> None:
    rows = [call(0, "A"), call(0, "B", swapped=True), call(0, "?"), call(1, "A", time="x")]
    (group,) = report_of(jsonl(tmp_path / "log.jsonl", rows), known()).groups
    assert (group.counts.pairs, group.dispositions["stable_a"]) == (1, 1)


def test_games_of_fastchat_whose_winner_nobody_knows(tmp_path: Path) -> None:
    rows = [fastchat_row(i, "model_1", "model_1") for i in range(3)]
    rows.append(fastchat_row(3, "model_1", "model_1") | {"g2_winner": "model_3"})
    rows.append(fastchat_row(4, "model_1", "model_1") | {"g1_winner": 1, "g2_winner": None})
    path = jsonl(tmp_path / "gpt-4_pair.jsonl", rows)
    report = report_of(path)
    for group in report.groups:
        assert group.dispositions["incomplete"] == 2
        assert group.incomplete_reasons == {"rejected": 3}
    assert report.log is not None
    # What a record holds says the same.
    place = place_of(str(tmp_path / "kept.sqlite"))
    store_log([path], place, created_at="t")
    with open_record(place, create=False, exclusive=False) as store:
        header = store.header()
        assert header is not None
        again = build_log_report(recorded_log(store, header), n_listed=0)
    assert [g.dispositions for g in again.groups] == [g.dispositions for g in report.groups]
    assert again.log is not None
    assert again.log.totals == report.log.totals
