"""The comparison with other programs: what is written for them, and how their runs are read."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import counterbalance

PEERS = Path(__file__).parents[2] / "benchmarks" / "peers"
PAIRS = [
    *[(f"a{i}", "a", "a") for i in range(5)],
    *[(f"b{i}", "b", "b") for i in range(3)],
    *[(f"t{i}", "tie", "tie") for i in range(2)],
    *[("f0", "a", "b"), ("f1", "a", "b"), ("s0", "b", "a")],
    *[("m0", "a", "tie"), ("m1", "tie", "b"), ("m2", "tie", "a"), ("m3", "b", "tie")],
    *[("l0", None, "a"), ("l1", "tie", None)],
]
COUNTS = [5, 3, 2, 2, 1, 4, 2]
FLIPS = """
import json
rows = json.load(open("log.jsonl"))
if STRICT and any(None in row for row in rows):
    raise SystemExit("no word for null")
turned = {"first": "second", "second": "first", "tie": "tie"}
rows = [(x, turned[y]) for _, x, y in rows if x and y and not (DECISIVE and "tie" in (x, y))]
flips = sum(x != y for x, y in rows)
print(json.dumps({"share": flips / len(rows), "n": len(rows) if TOLD else None, "verdict": ""}))
"""


@pytest.fixture
def peers(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the modules of the comparison, and forget them afterwards: their names are common."""
    monkeypatch.syspath_prepend(PEERS)
    names = ("environments", "formats", "programs", "one_log")
    loaded = SimpleNamespace(**{name: import_module(name) for name in names})
    for name in names:
        monkeypatch.delitem(sys.modules, name)
    return loaded


def program(peers: Any, *, strict: bool = False, decisive: bool = False, told: bool = True) -> Any:
    head = f"STRICT, DECISIVE, TOLD = {strict}, {decisive}, {told}"
    write, read = peers.programs.write_replay, peers.programs.read_replay
    command = ("python", "-c", head + FLIPS)
    return peers.programs.Program("counting", "1", write, command, read)


def row(
    peers: Any, monkeypatch: pytest.MonkeyPatch, pairs: list[Any] = PAIRS, **kind: bool
) -> list[str]:
    monkeypatch.setattr(peers.one_log, "install", lambda *_: "")
    given = SimpleNamespace(limit=60, install_limit=60)
    made = program(peers, **kind)
    folder = Path(sys.prefix).parent
    made = type(made)(Path(sys.prefix).name, "1", made.write, made.command, made.read)
    return peers.one_log.line(made, folder, pairs, given)[2:6]


def test_pairs_are_counted_by_disposition(peers: Any) -> None:
    assert list(peers.one_log.counted(PAIRS).values()) == COUNTS


@pytest.mark.parametrize(
    ("preset", "writer"),
    [("judgecal", "judgecal_rows"), ("judgekit", "judgekit_rows"), ("peereval", "peereval_rows")],
)
def test_what_is_written_for_a_program_is_the_same_log(
    peers: Any, tmp_path: Path, preset: str, writer: str
) -> None:
    peers.programs.write_calls(getattr(peers.formats, writer), PAIRS, tmp_path)
    assert_same_log(tmp_path, preset)


def test_what_is_written_for_judgemetry_is_the_same_log(peers: Any, tmp_path: Path) -> None:
    peers.programs.write_pairs(PAIRS, tmp_path)
    assert_same_log(tmp_path, "judgemetry")


def assert_same_log(folder: Path, preset: str) -> None:
    (group,) = counterbalance.audit_log(folder / "log.jsonl", mapping=preset, rereads=False).groups
    found = group.dispositions
    lost = found["incomplete"] + found["refused"]
    stable = [found["stable_a"], found["stable_b"], found["tie"]]
    # peereval names answers by their models: which one is a is its reader's choice.
    assert sorted(stable[:2]) == sorted(COUNTS[:2])
    assert stable[2] == COUNTS[2]
    assert group.details == {"primacy": 2, "recency": 1}
    assert [found["tie_transition"], lost] == COUNTS[5:]


def test_a_program_is_seen_to_count_tie_transitions(
    peers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = ["41.2%", "17", "counted as a flip", "left out of the flip rate"]
    assert row(peers, monkeypatch) == told


def test_a_denominator_that_is_not_printed_is_worked_out(
    peers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_out = "left out of the flip rate"
    assert row(peers, monkeypatch, decisive=True, told=False) == [
        "27.3%",
        "11 *",
        left_out,
        left_out,
    ]


def test_a_program_that_stops_at_incomplete_pairs_is_shown_without_them(
    peers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = row(peers, monkeypatch, strict=True)
    assert found == ["41.2%", "17", "counted as a flip", "the run ends: no word for null"]


def test_of_pairs_that_the_log_does_not_have_nothing_is_said(
    peers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    none = "none in the log"
    assert row(peers, monkeypatch, pairs=PAIRS[:13]) == ["23.1%", "13", none, none]


def test_a_program_that_fails_or_hangs_gets_a_line(peers: Any) -> None:
    made = program(peers)
    for code, limit, problem in (
        ("raise SystemExit('broken')", 60, "broken"),
        ("while True: pass", 1, "not done after 1 s"),
    ):
        failing = type(made)("x", "1", made.write, ("python", "-c", code), made.read)
        done = peers.one_log.run(failing, Path(sys.prefix), PAIRS, limit)
        assert (done.found, done.problem) == (None, problem)


def test_a_call_without_a_verdict_is_never_a_verdict_in_a_replay(
    peers: Any, tmp_path: Path
) -> None:
    peers.programs.write_replay(PAIRS, tmp_path)
    rows = json.loads((tmp_path / "log.jsonl").read_text(encoding="utf-8"))
    assert rows[-2:] == [["l0", None, "second"], ["l1", "tie", None]]
