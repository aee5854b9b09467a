from __future__ import annotations

import json

import pytest

from commands import command, is_one_clear_line
from studies import row, run, write_study

TWO = """noise = 0.05

[[judges]]
name = "other"
kind = "scripted"
slot_rate = 0.5
refusal_rate = 0.1
"""
DECLARED = """
[compare]
measures = ["agreement_both", "position_consistency"]
margins = { agreement_both = 0.05 }
"""
RECORD = "protocol.record.sqlite"


def other_texts(n):
    return row(n, b={"system": "newer", "text": f"Quite another answer to {n}."})


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """Two judges of one study; the same pairs judged by another; other texts of the same ids."""
    root = tmp_path_factory.mktemp("compare")
    rows = [other_texts(n) for n in range(40)]
    for name, judge, more, pairs in (
        ("two", TWO, DECLARED, None),
        ("biased", "slot_rate = 0.4", "", None),
        ("texts", "slot_rate = 0.4", "", rows),
        ("reworded", "slot_rate = 0.4", '[prompt]\nrubric = "Look at the facts."\n', rows),
    ):
        run(write_study(root / name, 40, judge=judge, more=more, rows=pairs))
    return root


def compared(records, *words, code=0):
    ended = command("compare", *words, "--json", cwd=records)
    assert ended.code == code, ended.err
    return json.loads(ended.out)


def test_the_judges_of_a_record_are_compared_as_the_protocol_declared(records):
    found = compared(records, f"two/{RECORD}")
    assert (found["schema"], found["declared"]) == ("counterbalance.compare/1", True)
    (comparison,) = found["comparisons"]
    assert comparison["attribution"]["cause"] == "judging"
    agreement = comparison["measures"]["agreement_both"]
    assert (agreement["verdict"], agreement["margin_declared"]) == ("worse", True)
    assert comparison["measures"]["position_consistency"]["verdict"] == "no_margin"
    assert found["family"]["family_size"] == 2
    missing = agreement["left_out"]
    assert agreement["common"] + sum(missing.values()) == comparison["pairs"]["shared"] == 40
    assert sum(map(sum, comparison["dispositions"]["cells"])) == 40
    (panel,) = found["panels"]
    assert (panel["judges"], panel["pairs"]) == (["script", "other"], 40)
    assert -1 <= panel["gwet_ac1"]["value"] <= 1


def test_the_text_says_the_verdict_and_every_count(records):
    out = " ".join(command("compare", f"two/{RECORD}", "--full", cwd=records).out.split())
    for words in (
        "declared before the data", "WORSE (declared margin 5 points)",
        "What differs: judge.refusal_rate, judge.slot_rate, judge.noise",
        "without a verdict on the second side", "if all had come", "corrected together by Holm",
        "No verdict: no margin", "Agreement of 2 judges under labels A/B", "Gwet's AC1",
        "Dispositions, first (rows) by second (columns)",
    ):  # fmt: skip
        assert words in out


def test_two_runs_are_compared_on_the_pairs_they_share(records):
    words = f"biased/{RECORD}", f"two/{RECORD}", "--judges", "script", "other"
    found = compared(records, *words)
    (comparison,) = found["comparisons"]
    assert comparison["first"]["name"] == f"script, labels A/B, biased/{RECORD}"
    assert comparison["second"]["judge"] == "other"
    assert comparison["pairs"]["shared"] == 40


def test_candidates_are_compared_where_the_judging_is_the_same(records):
    words = f"biased/{RECORD}", f"texts/{RECORD}", "--match", "id", "--margin", "win_rate_a=0.1"
    (comparison,) = compared(records, *words)["comparisons"]
    assert comparison["attribution"]["cause"] == "candidates"
    assert comparison["attribution"]["systems"] == ["old against new", "old against newer"]
    found = comparison["measures"]["win_rate_a"]
    assert found["verdict"] in {"higher", "lower", "equivalent", "cannot_tell"}
    assert (found["margin"], found["margin_declared"]) == (0.1, False)


def test_candidates_are_not_compared_where_the_judging_differs(records):
    words = f"biased/{RECORD}", f"reworded/{RECORD}", "--match", "id", "--margin", "tie_rate=0.1"
    (comparison,) = compared(records, *words)["comparisons"]
    assert comparison["attribution"]["cause"] == "refused"
    assert [s["name"] for s in comparison["attribution"]["settings"]] == ["prompt.rubric"]
    assert {m["verdict"] for m in comparison["measures"].values()} == {"refused"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "give one record, two records"),
        (["a", "b", "c"], "give one record, two records"),
        ([f"two/{RECORD}", "--log", "x.jsonl"], "do not go together"),
        ([f"two/{RECORD}", "--judges", "script", "script"], "names script twice"),
        ([f"two/{RECORD}", "--judges", "script", "gpt"], "no judge is called 'gpt'"),
        ([f"two/{RECORD}", "--against", "gpt"], "no judge is called 'gpt'"),
        ([f"two/{RECORD}", "--judges", "script", "other", "--against", "other"], "one of them"),
        ([f"two/{RECORD}", f"two/{RECORD}", "--against", "other"], "--judges FIRST SECOND"),
        ([f"two/{RECORD}", "--margin", "agreement_both=0.2"], "the protocol declares 0.05"),
        ([f"two/{RECORD}", "--margin", "agreement=0.2"], "a measure of agreement_both"),
        ([f"two/{RECORD}", "--margin", "tie_rate=nan"], "above 0 and below 1"),
        ([f"two/{RECORD}", "--margin", "tie_rate"], "above 0 and below 1"),
        ([f"biased/{RECORD}"], "there is nothing to compare in it"),
        ([f"biased/{RECORD}", f"texts/{RECORD}"], "40 have the same id and other texts"),
        (["gone.sqlite"], "there is no such record"),
    ],
)
def test_what_cannot_be_compared_is_one_clear_line(records, words, said):
    ended = command("compare", *words, cwd=records)
    assert ended.code == 2
    assert is_one_clear_line(ended)
    assert said in ended.err


def test_no_verdict_on_any_common_pair_is_not_enough_evidence(records, tmp_path):
    run(write_study(tmp_path, 40, judge="refusal_rate = 1.0"))
    words = f"biased/{RECORD}", tmp_path / RECORD
    (comparison,) = compared(records, *words, code=3)["comparisons"]
    for found in comparison["measures"].values():
        assert found["value"] is None
        assert found["undefined"]
    found = comparison["measures"]["agreement_both"]
    assert found["left_out"]["no_verdict_second"] == 40
    assert found["if_all_had_come"]["least"] < 0 < found["if_all_had_come"]["most"]


def logged(question, judge, winners):
    return {
        "question_id": question, "model_1": "phi", "model_2": "alpaca",
        "g1_winner": winners[0], "g2_winner": winners[1], "judge": [judge, "pair-v2"],
        "g1_user_prompt": "", "g1_judgment": "", "g2_user_prompt": "", "g2_judgment": "",
        "turn": 1, "tstamp": 1.0,
    }  # fmt: skip


def test_judges_of_a_log_are_compared(tmp_path):
    same, torn = ("model_1", "model_1"), ("model_1", "model_2")
    rows = [logged(n, "one", same) for n in range(30)]
    rows += [logged(n, "two", torn if n < 12 else same) for n in range(40)]
    path = tmp_path / "games_pair.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    (comparison,) = compared(tmp_path, "--log", path, "--margin", "position_consistency=0.1")[
        "comparisons"
    ]
    assert comparison["attribution"]["cause"] == "unknown"
    assert comparison["pairs"] == {
        "first": 30, "second": 40, "shared": 30, "only_first": 0, "only_second": 10,
        "other_texts": 0, "changed": 0,
    }  # fmt: skip
    found = comparison["measures"]["position_consistency"]
    assert (found["gained"], found["lost"], found["verdict"]) == (0, 12, "worse")
    alone = command("compare", "--log", path, "--against", "three")
    assert (alone.code, "the judges are one, two" in alone.err) == (2, True)
