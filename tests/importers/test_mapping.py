"""Mappings: any table is read as it is described, and what is not described is not guessed."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from counterbalance.errors import InputError
from counterbalance.importers.loading import read_logs
from counterbalance.importers.mapped_log import mapped_format
from counterbalance.importers.mapping_file import mapping_named, mapping_of, preset_names
from counterbalance.items.frames import Order, Verdict
from extras import require
from foreign_logs import NASTY, dispositions, jsonl, reasons, verdicts
from joined_logs import read_mapped

if TYPE_CHECKING:
    from pathlib import Path

SHOWN = """
[columns]
item = "q"
first = "shown.0"
second = "shown.1"
verdict = "won"
judge = "by"
[verdict]
first = ["A"]
second = ["B"]
tie = ["=", 0]
neither = ["none"]
refused = ["declined"]
"""
PLAIN = '[columns]\nitem = "q"\na = "x"\nb = "y"\n[x]\n'
READ = 'labels = { first = "A", second = "B" }\nverdict = { format = "bracket" }\n'
ORDERED = """
[columns]
item = "q"
a = "m1"
b = "m2"
order = "swapped"
verdict = "won"
[order]
forward = [false]
reversed = [true]
"""


def shown(q: object, first: str, second: str, won: object, **more: Any) -> dict[str, Any]:
    return {"q": q, "shown": [first, second], "won": won, "by": "gpt-4o", **more}


PAIRS = [
    shown("1", "zephyr", "alpaca", "A"), shown("1", "alpaca", "zephyr", "B"),
    shown("2", "zephyr", "alpaca", "A"), shown("2", "alpaca", "zephyr", "A"),
    shown("3", "zephyr", "alpaca", "="), shown("3", "alpaca", "zephyr", 0),
    shown("4", "zephyr", "alpaca", "="), shown("4", "alpaca", "zephyr", "A"),
    shown("5", "zephyr", "alpaca", None), shown("5", "alpaca", "zephyr", "A"),
]  # fmt: skip
COUNTED = {
    "stable_2": 1, "order_disagreement_primacy": 1, "explicit_tie": 1, "tie_transition": 1,
    "incomplete": 1,
}  # fmt: skip


def as_candidates(row: dict[str, Any]) -> dict[str, Any]:
    """Say the same in candidates: m1 is zephyr, whichever place it had."""
    swapped = row["shown"][0] != "zephyr"
    won = {"A": row["shown"][0], "B": row["shown"][1]}.get(row["won"], row["won"])
    return {"q": row["q"], "m1": "zephyr", "m2": "alpaca", "swapped": swapped, "won": won}


def test_slots_candidates_and_names_say_the_same(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "slots.jsonl", PAIRS)
    rows = [as_candidates(row) for row in PAIRS]
    in_slots = read_mapped(path, SHOWN)
    named = read_mapped(
        jsonl(tmp_path / "names.jsonl", rows),
        ORDERED + '[verdict]\nnames = true\ntie = ["=", 0]\n',
    )
    letters = [{**row, "won": {"zephyr": "x", "alpaca": "y"}.get(row["won"], row["won"])}
               for row in rows]  # fmt: skip
    lettered = read_mapped(
        jsonl(tmp_path / "letters.jsonl", letters),
        ORDERED + '[verdict]\na = ["x"]\nb = ["y"]\ntie = ["=", 0]\n',
    )
    for log in (in_slots, named, lettered):
        assert dispositions(log.judgments) == COUNTED
        assert verdicts(log.judgments) == verdicts(in_slots.judgments)
        assert {(row.a, row.b) for row in log.judgments} == {("alpaca", "zephyr")}
        assert {(row.system_a, row.system_b) for row in log.judgments} == {("alpaca", "zephyr")}


def test_a_wrong_mapping_does_not_give_the_same(tmp_path: Path) -> None:
    """Reading words of candidates as words of places turns stable pairs into order effects."""
    letters = [
        {**row, "won": {"zephyr": "x", "alpaca": "y"}.get(row["won"], row["won"])}
        for row in map(as_candidates, PAIRS)
    ]
    wrong = read_mapped(
        jsonl(tmp_path / "x.jsonl", letters),
        ORDERED + '[verdict]\nfirst = ["x"]\nsecond = ["y"]\ntie = ["=", 0]\n',
    )
    right = read_mapped(jsonl(tmp_path / "y.jsonl", PAIRS), SHOWN)
    assert verdicts(wrong.judgments) != verdicts(right.judgments)


@pytest.mark.parametrize("form", ["jsonl", "json", "csv", "tsv", "parquet"])
def test_every_table_gives_the_same(tmp_path: Path, form: str) -> None:
    mapping = SHOWN.replace("shown.0", "x").replace("shown.1", "y")
    rows = [
        {"q": int(row["q"]), "x": row["shown"][0], "y": row["shown"][1],
         "won": "" if row["won"] is None else str(row["won"]), "by": NASTY}
        for row in PAIRS
    ]  # fmt: skip
    path = tmp_path / f"log.{form}"
    if form == "parquet":
        require("frames")
        import polars as pl  # noqa: PLC0415 (an extra)

        pl.DataFrame(rows).write_parquet(path)
    elif form in {"csv", "tsv"}:
        mark = "," if form == "csv" else "\t"
        lines = [mark.join(map(str, line)) for line in (rows[0], *(r.values() for r in rows))]
        path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode() + b"\r\n")
    elif form == "json":
        path.write_text(json.dumps(rows), "utf-8")
    else:
        jsonl(path, rows)
    log = read_mapped(path, mapping)
    assert dispositions(log.judgments) == COUNTED
    assert {row.judge for row in log.judgments} == {NASTY.strip()}
    assert {row.item for row in log.judgments} == set("12345")


def test_rows_inside_an_object_and_a_choice_of_rows(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    rows = [*PAIRS, shown("9", "a", "b", "A", by="human"), "no row"]
    path.write_text(json.dumps({"meta": 1, "runs": {"rows": rows}}))
    log = read_mapped(path, '[rows]\nat = "runs.rows"\nwhere = { by = ["gpt-4o"] }\n' + SHOWN)
    assert dispositions(log.judgments) == COUNTED
    assert reasons(log.rejects) == {"the mapping leaves the row out": 1, "the row is no object": 1}
    with pytest.raises(InputError, match="no list of rows at runs"):
        read_mapped(path, '[rows]\nat = "runs"\n' + SHOWN)
    jsonl(path, [])
    path.write_text("[1]")
    with pytest.raises(InputError, match=r"rows\.at names a list inside one JSON object"):
        read_mapped(path, '[rows]\nat = "runs"\n' + SHOWN)


def test_what_does_not_fit_is_a_counted_reject_with_what_stood_there(tmp_path: Path) -> None:
    rows = [
        shown("1", "x", "y", "C"), shown("1", "x", "y", ["A"]), shown("1", "x", "x", "A"),
        shown(None, "x", "y", "A"), shown("1", "", "y", "A"), {"q": "1", "won": "A"}, "broken",
        shown("1", "x", "y", "A", rep="two"), shown("1", "x", "y", "A", rep=1.5),
        shown("1", "x", "y", "A", rep="3"),
    ]  # fmt: skip
    mapping = SHOWN.replace('judge = "by"', 'judge = "by"\nrepetition = "rep"')
    log = read_mapped(jsonl(tmp_path / "x.jsonl", rows), mapping)
    assert [row.repetition for row in log.judgments] == [3]
    assert reasons(log.rejects) == {
        "the verdict is none of those that the mapping lists": 2,
        "two different candidates cannot be told": 3,
        "the item has no id": 1,
        "the repetition is no whole number": 2,
        "the line is not JSON": 1,
    }
    assert log.rejects[0].found == "'C'"


def test_a_missing_verdict_means_what_the_mapping_says(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "x.jsonl", [shown("1", "x", "y", None), {"q": 1, "shown": ["x", "y"]}])
    assert verdicts(read_mapped(path, SHOWN).judgments) == ["unparsed"] * 2
    failed = read_mapped(path, SHOWN + 'missing = "failed"\n')
    assert [row.outcome.failure for row in failed.judgments] == ["lost"] * 2
    rejected = read_mapped(path, SHOWN + 'missing = "reject"\n')
    assert reasons(rejected.rejects) == {"the row has no verdict": 2}


def test_an_unlisted_order_is_rejected(tmp_path: Path) -> None:
    rows = [{"q": 1, "m1": "x", "m2": "y", "swapped": s, "won": "x"}
            for s in (True, False, "True", "false", None, "AB", [])]  # fmt: skip
    log = read_mapped(jsonl(tmp_path / "x.jsonl", rows), ORDERED + "[verdict]\nnames = true\n")
    assert [row.order for row in log.judgments] == ["reversed", "forward", "reversed", "forward"]
    assert reasons(log.rejects) == {"the order is none of those that the mapping lists": 3}


def test_without_an_order_only_candidates_are_known(tmp_path: Path) -> None:
    mapping = ORDERED.replace('order = "swapped"\n', "") + "[verdict]\nnames = true\n"
    rows = [{"q": 1, "m1": "x", "m2": "w", "won": won} for won in ("x", "w")]
    log = read_mapped(jsonl(tmp_path / "x.jsonl", rows), mapping)
    assert [row.order for row in log.judgments] == [None, None]
    assert verdicts(log.judgments) == ["b", "a"]


GAMES = """
baseline = "zephyr"
[columns]
item = "q"
a = "m1"
b = "m2"
reference = "human"
consequence = "weight"
[verdict]
first = ["A"]
first_much = ["A>>B"]
second = ["B"]
tie = ["C"]
[reference]
names = true
[[games]]
order = "forward"
verdict = "games.0.score"
reply = "games.0.text"
margin = "games.0.margin"
flags = [{ column = "games.0.error", outcome = "failed" }]
[[games]]
order = "reversed"
verdict = "games.1.score"
reply = "games.1.text"
flags = [{ column = "games.1.finish", values = ["length"], outcome = "truncated" }]
[reading]
labels = { first = "A", second = "B" }
verdict = { format = "bracket", tie = "C" }
"""


def test_one_row_tells_of_two_games(tmp_path: Path) -> None:
    games = [{"score": "A>>B", "text": "[[A]]", "margin": "2.5"}, {"score": "B", "text": "[[B]]"}]
    odd = [{"score": "A", "error": "boom"}, {"score": "A", "finish": "length"}]
    rows = [
        {"q": 1, "m1": "alpaca", "m2": "zephyr", "games": games, "human": "zephyr", "weight": 3},
        {"q": 2, "m1": "alpaca", "m2": "zephyr", "games": odd, "human": "?"},
        {"q": 3, "m1": "alpaca", "m2": "zephyr", "games": None},
    ]
    log = read_mapped(jsonl(tmp_path / "x.jsonl", rows), GAMES)
    assert (log.judgments[0].a, log.judgments[0].b) == ("zephyr", "alpaca")  # the baseline is a
    assert [row.order for row in log.judgments[:2]] == [Order.REVERSED, Order.FORWARD]
    assert verdicts(log.judgments) == [
        "b", "b", "failed", "truncated", "unparsed", "unparsed"
    ]  # fmt: skip
    assert [row.reference for row in log.judgments[:3]] == [(Verdict.A,), (Verdict.A,), ()]
    assert log.judgments[0].outcome.strength == "much"
    assert [row.margin for row in log.judgments[:2]] == [2.5, None]
    assert [row.consequence for row in log.judgments[1:3]] == [3.0, 1.0]
    assert log.judgments[0].reading is not None
    assert any("none of the words of the mapping" in note for note in log.notes)


@pytest.mark.parametrize(("frame", "swapped"), [*product(("slots", "candidates"), (False, True))])
def test_scores_decide_by_the_higher_one(tmp_path: Path, frame: str, *, swapped: bool) -> None:
    one, other = ("score_first", "score_second") if frame == "slots" else ("score_a", "score_b")
    mapping = ORDERED.replace('verdict = "won"', f'{one} = "s1"\n{other} = "s2"')
    mapping += "[verdict]\nfrom_scores = true\n"
    rows = [{"q": 1, "m1": "zephyr", "m2": "alpaca", "swapped": swapped, "s1": s, "s2": "5"}
            for s in (7, "5", 2, None)]  # fmt: skip
    log = read_mapped(jsonl(tmp_path / "x.jsonl", rows), mapping)
    # In slots, 7 is that of the answer shown first; in candidates, that of m1, zephyr: our b.
    turned = frame == "slots" and swapped
    assert verdicts(log.judgments) == [
        *(["a", "tie", "b"] if turned else ["b", "tie", "a"]), "unparsed",
    ]  # fmt: skip
    sign = -1 if frame == "candidates" and swapped else 1
    assert [row.margin for row in log.judgments] == [2 * sign, 0, -3 * sign, None]


def test_replies_decide_where_there_is_no_verdict(tmp_path: Path) -> None:
    mapping = SHOWN.split("[verdict]", maxsplit=1)[0].replace('verdict = "won"', 'reply = "won"')
    mapping += f"[reading]\n{READ}"
    rows = [
        shown("1", "x", "y", "so [[A]]"),
        shown("1", "y", "x", "[[A]]"),
        shown("2", "x", "y", 7),
    ]
    log = read_mapped(jsonl(tmp_path / "x.jsonl", rows), mapping)
    assert verdicts(log.judgments) == ["a", "b", "empty"]
    assert {row.reading for row in log.judgments} == {None}
    assert any("read by our parser" in note for note in log.notes)


def test_what_must_be_the_same_in_both_orders_is_compared(tmp_path: Path) -> None:
    rows = [
        shown("1", "x", "y", "A", model="m", t=0), shown("1", "y", "x", "A", model="m", t=0),
        shown("2", "x", "y", "A", model="m", t=0), shown("2", "y", "x", "A", model="m", t=1),
    ]  # fmt: skip
    path = jsonl(tmp_path / "x.jsonl", rows)
    mapping = mapping_of('[rows]\nsame = ["model", "t"]\n' + SHOWN, "m.toml")
    setting = read_logs([path], log_format=mapped_format(mapping, "m")).collected.columns.setting
    assert len(set(setting[:2].tolist())) == 1
    assert len(set(setting[2:].tolist())) == 2
    assert (
        "cannot show whether anything but the order differed" in read_mapped(path, SHOWN).notes[0]
    )


def test_scores_of_single_answers_are_ratings(tmp_path: Path) -> None:
    mapping = '[columns]\nitem = "q"\nscore = "s"\nsystem = "m"\n[fixed]\njudge = "j"\n'
    rows = [{"q": 1, "s": "3.5", "m": "x"}, {"q": 1, "s": "n/a", "m": "x"}, {"s": 1}]
    log = read_mapped(jsonl(tmp_path / "x.jsonl", rows), mapping)
    assert [(r.value, r.system, r.judge) for r in log.ratings] == [
        (3.5, "x", "j"), (None, "x", "j"),
    ]  # fmt: skip
    assert log.ratings[1].reason == "the score is no number"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("columns", "not TOML"),
        ("a = " + "[" * 5000, "not"),
        ('[columns]\nverdict = "v"', r"\[columns.item\] is needed and missing"),
        ('[columns]\nitem = "q"\nverdct = "v"', "did you mean 'verdict'"),
        ('[columns]\nitem = "q"\n[rows]\nxyz = 1', "known here: source, at, where, same"),
        ('[columns]\nitem = "q"', "columns.verdict is needed and missing"),
        ('[columns]\nitem = "q"\nfirst = "x"', "first and second go together"),
        ('[columns]\nitem = "q"\nfirst = "x"\nsecond = "y"\norder = "o"', "already tell the order"),
        ('[columns]\nitem = "q"\na = "x"\nb = "y"\nverdict = "v"', "lists no words for the winner"),
        ('[columns]\nitem = "q"\na = "x"\nb = "y"\nverdict = "v"\n[verdict]\nfirst = ["A"]',
         "nothing tells which answer was shown first"),
        ('[columns]\nitem = "q"\nfirst = "x"\nsecond = "y"\nverdict = "v"\n[verdict]\na = ["A"]',
         "list the words under first and second"),
        (SHOWN + 'a = ["A"]', "keep to one of these"),
        (SHOWN + 'failed = ["A"]', "'A' stands under first and failed"),
        (SHOWN + 'missing = "tie"', "missing"),
        (SHOWN + "unparsed = 7", "must be a list"),
        (SHOWN + '[[games]]\norder = "forward"', r"\[\[games\]\] tell the order"),
        (SHOWN + '[[split]]\ncolumn = "q"\npattern = "x"', "needs named groups"),
        (SHOWN + '[[split]]\ncolumn = "q"\npattern = "(?P<x>"', "no RE2 pattern"),
        ('[columns]\nitem = "q"\n[verdict]\nfrom_scores = true', "from_scores needs columns"),
        (PLAIN + '[columns]\nscore_first = "s"\nscore_second = "t"\n', "not TOML"),
        (PLAIN.replace("[x]", 'score_first="s"\nscore_second="t"\n[verdict]\nfrom_scores=true'),
         "need an order"),
        (PLAIN.replace("[x]", 'reply = "r"\n[reading]\n' + READ), "nothing tells which answer"),
    ],
)  # fmt: skip
def test_a_mapping_that_cannot_be_read_says_where_and_what(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as caught:
        mapping_of(text, "map.toml")
    assert str(caught.value).startswith("map.toml: ")
    assert "\n" not in str(caught.value)


def test_a_mapping_is_a_file_or_a_bundled_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no such mapping file \(bundled: judgecal, judgekit"):
        mapping_named("judgekitt")
    with pytest.raises(InputError, match="cannot be read as a mapping"):
        mapping_named(str(tmp_path))
    (tmp_path / "m.toml").write_text(SHOWN)
    assert mapping_named(str(tmp_path / "m.toml")).columns.item == "q"


def author(row: dict[str, Any]) -> dict[str, Any]:
    return {"first_author": "x" if row["first_is_a"] else None, **row}


PEERS = {
    "judgekit": [
        {"kind": "pairwise", "item_id": i, "judge_id": "j", "sample_index": 0, "choice": choice,
         "swapped": swapped, "meta": {}}
        for i, (one, other) in enumerate([("a", "a"), ("a", "b"), ("tie", "tie"), ("tie", "b")])
        for choice, swapped in ((one, False), (other, True))
    ] + [{"kind": "graded", "item_id": "g", "score": 3.0}],
    "judgecal": [
        {"custom_id": "c", "verdict": verdict, "raw_text": "", "meta": author({
            "probe": probe, "condition": "orig", "item_id": i, "repeat": 0, "first_is_a": is_a,
            "label_first": "first" if is_a else "second"})}
        for i, (one, other, probe) in enumerate([
            ("first", "second", "position"), ("first", "first", "position"),
            ("tie", "tie", "position"), ("tie", "first", "position"),
            ("first", "invalid", "template")])
        for verdict, is_a in ((one, True), (other, False))
    ],
    "peereval": [
        {"dataset": "d", "question_id": i, "judge_model": "j", "response_a_model": first,
         "response_b_model": second, "judgment": {"winner": winner}, "raw_response": "",
         "error": "boom" if i == 4 else None}
        for i, (one, other) in enumerate(
            [("A", "B"), ("a", "A"), ("tie", "TIE"), ("tie", "A"), ("A", None)])
        for winner, first, second in ((one, "m1", "m2"), (other, "m2", "m1"))
    ],
    "judgemetry": [
        {"schema": "judgemetry/judged@1", "judge": "j",
         "record": {"pair_id": i, "model_a": "x", "model_b": "y", "human_winner": "A"},
         "forward": {"winner": one, "raw": "", "refused": False},
         "backward": {"winner": other, "raw": "", "refused": refused}}
        for i, (one, other, refused) in enumerate([
            ("A", "A", False), ("A", "B", False), ("tie", "tie", False), ("tie", "B", False),
            ("A", "tie", True)])
    ] + [{"schema": "judgemetry/pair@1"}],
}  # fmt: skip
EXPECTED = Counter(
    {"stable_1": 1, "order_disagreement_primacy": 1, "explicit_tie": 1, "tie_transition": 1}
)


@pytest.mark.parametrize("name", preset_names())
def test_bundled_mappings_read_what_their_programs_write(tmp_path: Path, name: str) -> None:
    log = read_mapped(jsonl(tmp_path / "x.jsonl", PEERS[name]), name)
    found = dispositions(log.judgments)
    assert found - Counter({"incomplete": 1}) == EXPECTED
    assert found["incomplete"] == (name in {"peereval", "judgemetry"})
    left_out = {"judgekit": 1, "judgemetry": 1, "judgecal": 2}
    assert len(log.rejects) == left_out.get(name, 0)
    if name in {"judgecal", "judgemetry"}:
        assert {row.reference for row in log.judgments} == {(Verdict.A,)}
    if name == "judgemetry":
        assert [row.outcome.kind for row in log.judgments][-1] == "refused"
