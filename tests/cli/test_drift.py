from __future__ import annotations

import json

import pytest

from commands import command, is_one_clear_line
from studies import run, write_study

REPEATED = "\n[repetitions.subset]\npairs = 40\nper_order = 3\n"
DECLARED = "\n[compare]\nmeasures = ['bias_position', 'tie_rate']\nmargins = { tie_rate = 0.1 }\n"
RECORD = "protocol.record.sqlite"


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    root = tmp_path_factory.mktemp("drift")
    for name, judge, more in (
        ("earlier", "noise = 0.05", REPEATED),
        ("same", "noise = 0.050001", REPEATED + DECLARED),
        ("biased", "noise = 0.05\nslot_rate = 0.5", REPEATED + DECLARED),
        ("once", "noise = 0.05\nslot_rate = 0.5", ""),
    ):
        run(write_study(root / name, 60, judge=judge, more=more))
    return root


def drifted(records, earlier, later):
    ended = command("drift", f"{earlier}/{RECORD}", f"{later}/{RECORD}", "--json", cwd=records)
    assert ended.code == 0, ended.err
    found = json.loads(ended.out)
    assert found["schema"] == "counterbalance.drift/1"
    (part,) = found["comparisons"]
    return found, part


def test_a_planted_move_is_found_beyond_noise(records):
    found, part = drifted(records, "earlier", "biased")
    assert found["declared"]
    verdicts = part["verdicts"]
    assert verdicts["beyond_noise"] is True
    assert verdicts["low"] > 0
    assert verdicts["p_value"] < 0.001
    assert verdicts["compared"] == 120
    assert verdicts["across"] > verdicts["within_first"]
    assert "MOVED up" in part["measures"]["bias_position"]["sentence"]
    assert "HELD" in part["measures"]["tie_rate"]["sentence"]
    assert [s["name"] for s in part["attribution"]["settings"]] == [
        "judge.slot_rate",
        "fingerprint of the model",
    ]
    assert len(part["dispositions"]["moved"]) > 20


def test_noise_alone_is_not_called_drift(records):
    _, part = drifted(records, "earlier", "same")
    assert part["verdicts"]["beyond_noise"] is False
    assert not [m for m in part["measures"].values() if "MOVED" in m["sentence"]]


def test_without_repetitions_noise_and_drift_are_not_told_apart(records):
    _, part = drifted(records, "earlier", "once")
    verdicts = part["verdicts"]
    assert (verdicts["beyond_noise"], verdicts["excess"], verdicts["p_value"]) == (None, None, None)
    assert verdicts["changed"] > 0
    assert "twice or more" in verdicts["undefined"]
    assert "MOVED up" in part["measures"]["bias_position"]["sentence"]


def test_a_record_has_not_drifted_from_itself(records):
    _, part = drifted(records, "earlier", "earlier")
    assert part["attribution"]["cause"] == "repetition"
    assert part["verdicts"]["changed"] == 0
    assert part["dispositions"]["moved"] == []


def test_the_text_says_what_moved(records):
    words = f"earlier/{RECORD}", f"biased/{RECORD}"
    out = " ".join(command("drift", *words, cwd=records).out.split())
    for said in ("BEYOND repetition noise", "MOVED up", "HELD", "first (rows) by second"):
        assert said in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([f"earlier/{RECORD}", "gone.sqlite"], "there is no such record"),
        (
            [f"earlier/{RECORD}", f"same/{RECORD}", "--judges", "script", "gpt"],
            "no judge is called",
        ),
        ([f"earlier/{RECORD}", f"same/{RECORD}", "--margin", "x=1"], "a measure of"),
    ],
)
def test_what_cannot_be_compared_is_one_clear_line(records, words, said):
    ended = command("drift", *words, cwd=records)
    assert ended.code == 2
    assert is_one_clear_line(ended)
    assert said in ended.err


def test_other_temperatures_of_the_repetitions_are_said(records, tmp_path):
    cooler = REPEATED.replace("per_order = 3", "per_order = 3\ntemperature = 0.7")
    run(write_study(tmp_path, 60, judge="noise = 0.05", more=cooler))
    ended = command("drift", f"earlier/{RECORD}", tmp_path / RECORD, cwd=records)
    assert "other temperatures" in " ".join(ended.out.split())


def test_no_verdict_to_compare_is_not_enough_evidence(records, tmp_path):
    run(write_study(tmp_path, 60, judge="refusal_rate = 1.0"))
    ended = command("drift", f"earlier/{RECORD}", tmp_path / RECORD, cwd=records)
    assert ended.code == 3
