"""One suite over every store: what `record.aside.Asides` promises."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from commands import command_here
from counterbalance.errors import RecordError, RecordIntegrityError
from counterbalance.items.item import Message
from counterbalance.parsing.outcome import FailureKind
from counterbalance.presentations.reply import Reply, Usage
from counterbalance.record import open_record
from counterbalance.record.aside import Aside, AsideKind, AsideReply
from record.studies import HEADER, STARTED_AT, study

if TYPE_CHECKING:
    from pathlib import Path

ONE = Aside(AsideKind.REWRITE, '{"pair":"p1"}', "writer", "b2:x", (Message("user", "Say é."),))
OTHER = replace(ONE, subject='{"pair":"p2"}')
SAID = AsideReply(
    STARTED_AT,
    0.25,
    None,
    Reply(
        "Nul \0 and \ud800 half.", "stop", reasoning="hm", refusal="no", sent={"seed": 3},
        usage=Usage(7, 9, is_measured=True), model="m", fingerprint="f",
    ),
    cost_usd=0.5,
)  # fmt: skip
FAILED = AsideReply(STARTED_AT, None, FailureKind.NETWORK, None, "cannot reach it \ud800")


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgres":
        return request.getfixturevalue("postgres").place()
    return str(tmp_path / "record.sqlite")


def filled(place: str) -> None:
    with open_record(place, create=True, exclusive=True) as store:
        store.asides.plan([ONE, OTHER])
        store.asides.plan([ONE])
        store.asides.start(ONE.key, 1, STARTED_AT)
        store.asides.append(ONE.key, 1, FAILED)
        store.asides.start(ONE.key, 2, STARTED_AT)
        store.asides.append(ONE.key, 2, SAID)
        store.asides.start(OTHER.key, 1, STARTED_AT)


def test_what_is_recorded_comes_back_before_and_after_a_study_is_begun(place: str) -> None:
    filled(place)
    with open_record(place, create=False, exclusive=True) as store:
        assert store.header() is None
        one, other = store.asides.all()
        assert (one.key, one.kind, one.subject, one.model) == (
            ONE.key, AsideKind.REWRITE, ONE.subject, "writer",
        )  # fmt: skip
        assert [call.reply for call in one.calls] == [FAILED, SAID]
        assert [(call.number, call.reply) for call in other.calls] == [(1, None)]
        pairs, plan = study()
        store.begin(HEADER, pairs, plan)
        assert store.verify() == []
        assert list(store.attempts()) == []
        assert list(store.unfinished()) == []
        assert store.asides.all() == (one, other)


def test_only_what_is_planned_and_started_is_recorded(place: str) -> None:
    with open_record(place, create=True, exclusive=True) as store:
        store.asides.plan([ONE])
        with pytest.raises(RecordIntegrityError, match="is not planned"):
            store.asides.start(OTHER.key, 1, STARTED_AT)
        with pytest.raises(RecordIntegrityError, match="was never started"):
            store.asides.append(ONE.key, 1, SAID)
        store.asides.start(ONE.key, 1, STARTED_AT)
        store.asides.append(ONE.key, 1, SAID)
        with pytest.raises(RecordError):
            store.asides.append(ONE.key, 1, FAILED)
        with pytest.raises(RecordError):
            store.asides.start(ONE.key, 1, STARTED_AT)
        ((call,),) = [one.calls for one in store.asides.all()]
        assert call.reply == SAID
    with (
        open_record(place, create=False, exclusive=False) as store,
        pytest.raises(RecordError, match="reading only"),
    ):
        store.asides.plan([OTHER])


def test_exports_and_copies_carry_them(place: str, tmp_path: Path) -> None:
    filled(place)
    with open_record(place, create=False, exclusive=True) as store:
        store.begin(HEADER, *study())
        asked = store.asides.all()
    export, copy = tmp_path / "export.jsonl", tmp_path / "copy.sqlite"
    for words in (("export", place, export), ("migrate", export, copy), ("verify", copy)):
        ended = command_here("record", *words)
        assert ended.code == 0, ended.err
    with open_record(str(copy), create=False, exclusive=False) as store:
        assert store.asides.all() == asked
