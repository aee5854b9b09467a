"""Inspect logs: archives packed in any way, runs that failed, attachments, pairs by metadata."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from counterbalance.errors import InputError, MissingExtraError
from counterbalance.importers.loading import read_logs
from counterbalance.items.frames import Verdict
from extras import require
from foreign_logs import NASTY, format_of, reasons, verdicts
from joined_logs import read_all

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

ZSTANDARD = 93
HEAD = {
    "version": 2,
    "status": "success",
    "eval": {
        "task": "pairwise",
        "model": "openai/judge",
        "model_roles": {"grader": {"model": "openai/grader"}},
        "scorers": [{"name": "verdict", "options": {}}],
        "dataset": {"samples": 2},
        "config": {"epochs": 1},
    },
}


def sample(name: object, value: object = "A", **changes: Any) -> dict[str, Any]:
    return {
        "id": name,
        "epoch": 1,
        "input": "attachment://k1",
        "target": "A",
        "output": {"choices": [{"stop_reason": "stop"}], "completion": "attachment://k2"},
        "scores": {"verdict": {"value": value, "answer": None, "explanation": NASTY}},
        "metadata": {},
        "attachments": {"k1": f"Which? {NASTY}", "k2": "[[A]]"},
        **changes,
    }


def pair(pair_id: object, order: object, value: object, **changes: Any) -> dict[str, Any]:
    about = {"pair_id": pair_id, "order": order, "a": "zephyr", "b": "alpaca"}
    return sample(f"{pair_id} {order}", value, **{"metadata": about, **changes})


def packed(
    path: Path, members: Iterable[tuple[str, object]], kind: int = zipfile.ZIP_DEFLATED
) -> Path:
    module: Any = zipfile
    if kind == ZSTANDARD:
        require("inspect")
        from backports.zstd import zipfile as module  # noqa: PLC0415 (an extra)
    with module.ZipFile(path, "w", kind) as archive:
        for name, value in members:
            text = value if isinstance(value, str) else json.dumps(value)
            if name in archive.namelist():
                with pytest.warns(UserWarning, match="Duplicate name"):
                    archive.writestr(name, text)
            else:
                archive.writestr(name, text)
    return path


def eval_log(
    path: Path,
    samples: Iterable[dict[str, Any]],
    head: object = HEAD,
    kind: int = zipfile.ZIP_DEFLATED,
) -> Path:
    members = [(f"samples/{i:03}_epoch_1.json", value) for i, value in enumerate(samples)]
    return packed(path, [("_journal/start.json", HEAD), *members, ("header.json", head)], kind)


PAIRS = [
    pair("p1", "forward", "A"), pair("p1", "reversed", "B"),
    pair("p2", "forward", "A", target="B"), pair("p2", "reversed", "A", target="A"),
]  # fmt: skip


@pytest.mark.parametrize("kind", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, ZSTANDARD])
def test_pairs_are_read_however_the_members_are_packed(tmp_path: Path, kind: int) -> None:
    log = read_all(eval_log(tmp_path / "x.eval", PAIRS, kind=kind))
    assert log.log_format.name == "inspect"
    # The log's own a is zephyr; ours is the name that sorts first.
    assert {(row.a, row.b) for row in log.judgments} == {("alpaca", "zephyr")}
    assert verdicts(log.judgments) == ["b", "b", "b", "a"]
    assert [row.order for row in log.judgments] == ["reversed", "forward"] * 2
    assert [row.reference for row in log.judgments] == [
        (Verdict.B,), (Verdict.A,), (Verdict.A,), (Verdict.A,),
    ]  # fmt: skip
    first = log.judgments[0]
    assert (first.judge, first.strategy, first.subset) == ("openai/judge", "verdict", "pairwise")
    assert (first.reply, first.prompt, first.finish) == ("[[A]]", f"Which? {NASTY}", "stop")
    assert not log.rejects


def test_a_mapping_turned_once_too_often_would_be_seen(tmp_path: Path) -> None:
    """An always-first judge names the other candidate in the other order, and only then."""
    rows = [pair(f"p{i}", order, "A") for i in range(4) for order in ("forward", "reversed")]
    log = read_all(eval_log(tmp_path / "x.eval", rows))
    assert {row.outcome.kind for row in log.judgments} == {"first"}
    assert sorted(verdicts(log.judgments)) == ["a"] * 4 + ["b"] * 4
    wrong = [pair(f"p{i}", order, "AB"[order == "reversed"]) for i in range(4)
             for order in ("forward", "reversed")]  # fmt: skip
    assert set(verdicts(read_all(eval_log(tmp_path / "y.eval", wrong)).judgments)) == {"b"}


def test_json_logs_hold_the_same(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("\ufeff" + json.dumps(HEAD | {"samples": PAIRS}, indent=1), "utf-8")
    assert verdicts(read_all(path).judgments) == ["b", "b", "b", "a"]


def test_the_last_of_two_members_with_one_name_counts(tmp_path: Path) -> None:
    members = [
        ("header.json", HEAD),
        ("samples/p_epoch_1.json", pair("p", "forward", "A")),
        ("samples/p_epoch_1.json", pair("p", "forward", "B")),
    ]
    log = read_all(packed(tmp_path / "x.eval", members))
    assert verdicts(log.judgments) == ["a"]


@pytest.mark.parametrize("has_samples", [True, False])
def test_a_run_that_failed_is_read_as_far_as_it_went(tmp_path: Path, *, has_samples: bool) -> None:
    start = {**HEAD, "status": "started"}
    start["eval"] = HEAD["eval"] | {"dataset": {"samples": 3}, "config": {"epochs": 2}}
    members = [("_journal/start.json", start)]
    if has_samples:
        members += [(f"samples/{i}.json", row) for i, row in enumerate(PAIRS[:2])]
    else:
        members += [(f"_journal/summaries/{n}.json", [PAIRS[n - 1]]) for n in (1, 2)]
    log = read_all(packed(tmp_path / "x.eval", members))
    assert len(log.judgments) == 2
    assert any("holds 2 of 6 planned samples" in note for note in log.notes)


def test_scores_are_ratings_and_unscored_ones_say_why(tmp_path: Path) -> None:
    nan = float("nan")
    rows = [
        sample("s1", "C"), sample("s2", "I"), sample("s3", "P"), sample("s4", "N"),
        sample("s5", 0.25), sample("s6", value=True), sample("s7", {"tone": 4, "facts": "I"}),
        sample("s8", scores={"verdict": {"value": nan, "reason": "grader_failed"}}),
        sample("s9", scores={"verdict": {"value": nan, "metadata": {"unscored_reason": "late"}}}),
        sample("s10", [1, 2]), sample(11, scores={}, error={"message": "x"}),
        sample("s12", scores={}), sample(None), sample("s13", epoch=0), sample("s14", 10**400),
    ]  # fmt: skip
    log = read_all(eval_log(tmp_path / "x.eval", rows))
    assert [(r.strategy, r.value, r.reason) for r in log.ratings] == [
        ("verdict", 1.0, ""), ("verdict", 0.0, ""), ("verdict", 0.5, ""),
        ("verdict", None, "no answer"), ("verdict", 0.25, ""), ("verdict", 1.0, ""),
        ("verdict tone", 4.0, ""), ("verdict facts", 0.0, ""),
        ("verdict", None, "grader_failed"), ("verdict", None, "late"),
        ("verdict", None, "the score is no number"),
        ("verdict", None, "the sample ended in an error"),
        ("verdict", None, "the score is no number"),
    ]  # fmt: skip
    assert {r.judge for r in log.ratings} == {"openai/grader"}
    assert reasons(log.rejects) == {
        "the sample was not scored": 1, "the sample has no id or epoch": 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("row", "kind", "reason"),
    [
        (pair("p", "forward", "tie"), "tie", ""),
        (pair("p", "forward", "A>>B"), "first", ""),
        (pair("p", "forward", None), "unparsed", ""),
        (pair("p", "forward", float("nan")), "unparsed", ""),
        (pair("p", "forward", 0, scores={}, error={"message": "x"}), "failed", ""),
        (pair("p", "forward", 0, scores={"v": {"value": "I", "answer": "B"}}), "second", ""),
        (pair("p", "forward", 0, scores={"v": {"value": "C"}}), "unparsed", ""),
        (pair("p", "forward", "maybe"), "", "the score is no verdict"),
        (pair("p", "forward", 7), "", "the score is no verdict"),
        (pair("p", "ab", "A"), "", "order is neither forward nor reversed"),
        (pair("p", ["forward"], "A"), "", "order is neither forward nor reversed"),
        (pair([], "forward", "A"), "", "pair_id is no id"),
        (pair("p", "forward", "A", metadata={"pair_id": 1, "order": "forward", "a": "x"}), "",
         "two different candidates cannot be told"),
    ],
)  # fmt: skip
def test_every_score_of_a_pair_is_a_verdict_a_reason_or_a_reject(
    tmp_path: Path, row, kind, reason
) -> None:
    log = read_all(eval_log(tmp_path / "x.eval", [row]))
    if kind:
        assert [judgment.outcome.kind for judgment in log.judgments] == [kind]
    else:
        assert reason in log.rejects[0].reason


def test_broken_parts_do_not_end_the_reading(tmp_path: Path) -> None:
    members = [
        ("header.json", "{"), ("samples/1.json", "{"), ("samples/2.json", [1]),
        ("samples/3.json", {"id": 1}), ("samples/4.json", pair("p", "forward", "A")),
    ]  # fmt: skip
    log = read_all(packed(tmp_path / "x.eval", members))
    assert verdicts(log.judgments) == ["b"]
    assert len(log.rejects) == 3


def test_archives_that_cannot_be_trusted_are_refused(tmp_path: Path) -> None:
    path = packed(tmp_path / "x.eval", [("../samples/1.json", PAIRS[0])])
    with pytest.raises(InputError, match="points outside the archive"):
        read_all(path)
    path.write_bytes(b"PK\x03\x04 and nothing else")
    with pytest.raises(InputError, match="is no readable archive"):
        read_all(path)


def test_a_log_inside_an_archive_is_read(tmp_path: Path) -> None:
    inner = eval_log(tmp_path / "x.eval", PAIRS).read_bytes()
    outer = tmp_path / "logs.zip"
    with zipfile.ZipFile(outer, "w") as archive:
        archive.writestr("run/x.eval", inner)
    assert verdicts(read_all(outer).judgments) == ["b", "b", "b", "a"]


def test_without_the_reader_the_command_is_named(tmp_path: Path, monkeypatch) -> None:
    path = eval_log(tmp_path / "x.eval", PAIRS, kind=ZSTANDARD)
    monkeypatch.setitem(sys.modules, "backports.zstd", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'counterbalance\[inspect\]'"):
        read_all(path)


def test_other_archives_are_not_taken_for_logs(tmp_path: Path) -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("word/document.xml", "<x/>")
    (tmp_path / "x.xlsx").write_bytes(content.getvalue())
    assert format_of(tmp_path / "x.xlsx") is None


def test_an_audit_counts_repetitions_of_epochs(tmp_path: Path) -> None:
    rows = [row | {"epoch": epoch} for row in PAIRS for epoch in (1, 2)]
    log = read_logs([eval_log(tmp_path / "x.eval", rows)])
    assert sorted(log.collected.columns.repetition.tolist()) == [0] * 4 + [1] * 4
