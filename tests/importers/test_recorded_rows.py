"""A row of a log comes out of a record as it went in, whatever stands in it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from counterbalance.importers.from_record import recorded_log
from counterbalance.importers.judgment import (
    Judgment,
    Rating,
    Reject,
    rejected,
    source_outcome,
)
from counterbalance.importers.log_format import LogFormat
from counterbalance.importers.reading import Reading
from counterbalance.importers.recorded_rows import RowEncoder
from counterbalance.importers.storing import store_log
from counterbalance.items.frames import Order, Verdict
from counterbalance.parsing.outcome import FailureKind, Outcome, OutcomeKind
from counterbalance.protocol.labelling import Labelling
from counterbalance.protocol.verdict_format import VerdictFormat
from counterbalance.record import open_record
from counterbalance.record.place import place_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_file import LogFile
    from counterbalance.importers.log_format import Notes

READINGS = (
    Reading(VerdictFormat(format="bracket", tie="C"), Labelling(first="A", second="B")),
    Reading(VerdictFormat(format="number"), Labelling(first="1", second="2")),
)
NAMES = st.sampled_from(["x", "y", "x: y", "", "\ud800", "é\0", 'a" | "b', "Not held by the log"])
TEXTS = NAMES | st.text(st.characters(), max_size=6)
LINES = st.integers(1, 10**12)
NUMBERS = st.floats(allow_nan=False) | st.integers(-(10**20), 10**20)
OUTCOMES = st.one_of(
    st.builds(source_outcome, st.sampled_from(OutcomeKind)),
    st.builds(source_outcome, st.just(OutcomeKind.FIRST), st.sampled_from(["much", "slightly"])),
    st.builds(source_outcome, st.just(OutcomeKind.FAILED), st.none(), st.sampled_from(FailureKind)),
    st.builds(
        Outcome,
        kind=st.just(OutcomeKind.SECOND),
        rule=st.just("bracket/1:last"),
        span=st.tuples(st.integers(0, 9), st.integers(0, 9)),
        label=TEXTS,
    ),
)
JUDGMENTS = st.builds(
    Judgment,
    line=LINES,
    item=NAMES,
    a=NAMES,
    b=NAMES,
    order=st.sampled_from([None, *Order]),
    outcome=OUTCOMES,
    judge=NAMES,
    strategy=NAMES,
    subset=NAMES,
    repetition=st.integers(0, 3),
    cluster=NAMES,
    category=NAMES,
    system_a=NAMES,
    system_b=NAMES,
    reference=st.lists(st.sampled_from(Verdict), unique=True).map(tuple),
    consequence=NUMBERS,
    setting=TEXTS,
    margin=st.none() | NUMBERS,
    reply=TEXTS,
    finish=TEXTS,
    prompt=TEXTS,
    reading=st.sampled_from([None, *READINGS]),
    identical=st.booleans(),
    length_a=st.none() | st.integers(0, 10**9),
    length_b=st.none() | st.integers(0, 10**9),
)
RATINGS = st.builds(
    Rating,
    line=LINES,
    item=TEXTS,
    system=TEXTS,
    judge=TEXTS,
    value=st.none() | NUMBERS,
    strategy=TEXTS,
    subset=TEXTS,
    reason=TEXTS,
    reply=TEXTS,
    preferred=st.none() | st.booleans(),
)
REJECTS = st.builds(Reject, line=st.integers(0, 9), reason=TEXTS, found=TEXTS) | st.builds(
    rejected, JUDGMENTS, TEXTS, TEXTS
)
ROWS = st.lists(JUDGMENTS | RATINGS | REJECTS, max_size=12)


def made_of(rows: Sequence[Row]) -> LogFormat:
    """Return a format whose every file holds these rows."""

    def read(_: LogFile, notes: Notes) -> Iterator[Row]:
        notes.add("a note \ud800")
        yield from rows

    return LogFormat("made", "made for a test", (), read=read)


def with_names(row: Row) -> Row:
    """Return a row whose reading is told by its place: a record makes new objects of them."""
    if isinstance(row, Reject) and row.call is not None:
        return replace(row, call=with_names(row.call))
    if isinstance(row, Judgment) and row.reading is not None:
        known = row.reading.verdict_format, row.reading.labelling
        return replace(
            row, reading=[(r.verdict_format, r.labelling) for r in READINGS].index(known)
        )
    return row


def returned(place: str, rows: Sequence[Row], folder: Path) -> list[Row]:
    """Store rows, verify the record, and read every row again with its prompt."""
    (folder / "log").write_text("x")
    store_log([folder / "log"], place_of(place), created_at="t", log_format=made_of(rows))
    with open_record(place, create=False, exclusive=False) as store:
        assert store.verify() == []
        log = recorded_log(store, store.header())
        assert log.notes == ("a note \\ud800",)
        found = list(log.rows_at({0: {row.line for row in rows}}))
    assert {file for file, _ in found} <= {0}
    return [row for _, row in found]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(rows=ROWS)
def test_every_row_comes_back(tmp_path: Path, rows: list[Row]) -> None:
    place = tmp_path / "r.sqlite"
    place.unlink(missing_ok=True)
    found = returned(str(place), rows, tmp_path)
    assert list(map(with_names, found)) == list(map(with_names, rows))


@settings(
    max_examples=5,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(rows=ROWS)
def test_every_row_comes_back_from_a_database(postgres, tmp_path: Path, rows: list[Row]) -> None:
    found = returned(postgres.place(), rows, tmp_path)
    assert list(map(with_names, found)) == list(map(with_names, rows))


def judgment(**changes: object) -> Judgment:
    plain = Judgment(
        1, "81:1", "alpaca", "phi", Order.FORWARD, source_outcome(OutcomeKind.TIE), "g"
    )
    return replace(plain, **changes)


def test_repeated_rows_are_attempts_of_one_presentation() -> None:
    encoder = RowEncoder()
    rows = [judgment(), judgment(line=2), judgment(line=3, repetition=1), judgment(line=4)]
    calls = [encoder.row(0, row).call for row in rows]
    assert [call.attempt.number for call in calls] == [1, 2, 1, 3]
    assert calls[0].attempt.key == calls[1].attempt.key == calls[3].attempt.key
    assert [call.new_pair is None for call in calls] == [False, True, True, True]
    assert (encoder.n_pairs, encoder.n_presentations) == (1, 2)


@pytest.mark.parametrize(
    "change",
    [
        {"order": Order.REVERSED},
        {"order": None},
        {"judge": "h"},
        {"strategy": "s"},
        {"subset": "t"},
        {"item": "82:1"},
        {"a": "phi", "b": "alpaca"},
        {"repetition": 1},
        {"prompt": "p"},
    ],
)
def test_another_question_is_another_presentation(change: dict[str, object]) -> None:
    encoder = RowEncoder()
    first, second = (encoder.row(0, row).call for row in (judgment(), judgment(**change)))
    assert first.attempt.key != second.attempt.key


def test_what_the_log_does_not_hold_is_said_and_never_shared() -> None:
    encoder = RowEncoder()
    names = [("x", "y"), ("x: y", ""), ("", "x: y"), ('x", "y', ""), ("x", "x")]
    pairs = [
        encoder.row(0, judgment(subset=subset, item=item)).call.new_pair for subset, item in names
    ]
    texts = [text for pair in pairs for text in (pair.a.text, pair.b.text)]
    texts += [pair.item.messages[0].content for pair in pairs]
    assert all(text.startswith("Not held by the log: ") for text in texts)
    assert len(set(texts)) == len(texts)
    assert len({pair.key for pair in pairs}) == len({pair.id for pair in pairs}) == len(pairs)


def test_names_that_read_the_same_get_ids_of_their_own() -> None:
    encoder = RowEncoder()
    rows = [judgment(subset="s", item="x"), judgment(item="s: x")]
    ids = [encoder.row(0, row).call.new_pair.id for row in rows]
    assert ids == ["s: x: alpaca | phi", "s: x: alpaca | phi (2)"]


def test_identical_texts_stay_identical_in_the_record() -> None:
    pair = RowEncoder().row(0, judgment(identical=True)).call.new_pair
    assert pair.is_identical
    assert not RowEncoder().row(0, judgment()).call.new_pair.is_identical
