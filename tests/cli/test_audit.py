"""``audit`` answers with no flag but the path, and says in one line what it cannot read."""

from __future__ import annotations

import gzip
import json
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from commands import command, is_one_clear_line
from foreign_logs import fastchat_row as row
from measures.benchmark_logs import judgebench_log, llmbar_log

if TYPE_CHECKING:
    from pathlib import Path


ROWS = [
    row(81, "model_1", "model_1"),
    row(82, "model_2", "model_2"),
    row(83, "tie", "tie"),
    row(84, "model_1", "model_2"),
    row(85, "model_2", "model_1"),
    row(86, "tie", "model_1"),
    row(87, "error", "model_1"),
]


def written(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def audited(*words: object) -> dict[str, Any]:
    done = command("audit", *words, "--json")
    assert done.code == 0, done.err
    value: dict[str, Any] = json.loads(done.out)
    return value


def rounded(value: Any) -> Any:
    """Leave the last digits out: sums are taken in the sequence of the clusters."""
    return json.loads(json.dumps(value), parse_float=lambda digits: round(float(digits), 12))


def group_of(value: dict[str, Any]) -> dict[str, Any]:
    (group,) = [g for g in value["groups"] if g["verdict_by"] == "source"]
    return group


def test_every_disposition_is_counted_from_the_rows(tmp_path: Path) -> None:
    value = audited(written(tmp_path / "gpt-4_pair.jsonl", ROWS))
    group = group_of(value)
    found = group["dispositions"]
    assert found["stable_a"] == found["stable_b"] == found["tie"] == 1
    assert found["order_disagreement"] == {"primacy": 1, "recency": 1}
    assert found["tie_transition"] == found["incomplete"] == 1
    assert group["incomplete_reasons"] == {"unparsed": 1}
    assert (group["judge"], group["strategy"], group["subset"]) == ("gpt-4", "pair-v2", "")
    assert value["source"]["kind"] == "import"
    assert value["source"]["files"][0]["rows"] == len(ROWS)
    assert value["rows"]["adds_up"] is True
    assert value["reading_differences"][0]["different"] == []


def test_a_plain_a_packed_and_a_zipped_log_say_the_same(tmp_path: Path) -> None:
    plain = written(tmp_path / "log.jsonl", ROWS)
    packed = tmp_path / "log.jsonl.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    zipped = tmp_path / "log.zip"
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.write(plain, "logs/gpt-4_pair.jsonl")
    groups = [audited(path)["groups"] for path in (plain, packed, zipped)]
    assert groups[0] == groups[1] == groups[2]


def test_the_sequence_of_rows_changes_nothing_but_the_lines(tmp_path: Path) -> None:
    forward = audited(written(tmp_path / "a.jsonl", ROWS))
    backward = audited(written(tmp_path / "b.jsonl", ROWS[::-1]))
    assert rounded(forward["groups"]) == rounded(backward["groups"])
    assert [c["item"] for c in forward["cases"]] == [c["item"] for c in backward["cases"]]


def test_cases_are_listed_with_both_replies_and_their_lines(tmp_path: Path) -> None:
    done = command("audit", written(tmp_path / "log.jsonl", ROWS), "--cases", 2)
    assert done.code == 0
    assert (
        "Order-sensitive cases, by consequence, then by how clearly they flip: 2 of 3" in done.out
    )
    assert "84: order_disagreement" in done.out
    assert "line 4, b shown first" in done.out
    assert "| So: [[A]]" in done.out


def test_contradictory_rows_have_no_verdict_whichever_came_last(tmp_path: Path) -> None:
    again = row(81, "model_2", "model_1")
    for name, rows in (("a", [*ROWS, again]), ("b", [again, *ROWS])):
        value = audited(written(tmp_path / f"{name}.jsonl", rows))
        group = group_of(value)
        assert group["dispositions"]["stable_b"] == 0
        assert group["incomplete_reasons"] == {"contradictory": 1, "unparsed": 1}
        assert value["rows"]["contradicting"] == 2
        assert value["rows"]["exact_duplicates"] == 1
        assert value["rows"]["adds_up"] is True
        assert any("whichever row came last" in sentence for sentence in value["warnings"])


def test_a_differing_prompt_makes_the_pair_confounded(tmp_path: Path) -> None:
    changed = row(81, "model_1", "model_1")
    changed["g2_user_prompt"] += " Be strict."
    group = group_of(audited(written(tmp_path / "log.jsonl", [changed, *ROWS[1:]])))
    assert group["incomplete_reasons"] == {"confounded": 2, "unparsed": 1}
    assert group["measures"]["position_consistency"]["denominator"] == 5


def test_a_broken_line_is_a_counted_reject(tmp_path: Path) -> None:
    path = written(tmp_path / "log.jsonl", ROWS)
    lines = path.read_text().split("\n")
    lines[3] = lines[3][:40]
    path.write_text("\n".join(lines))
    value = audited(path)
    assert [(r["line"], r["reason"], r["count"]) for r in value["rejects"]] == [
        (4, "the line is not JSON", 1)
    ]
    assert value["source"]["files"][0]["rejected"] == 1
    assert group_of(value)["counts"]["pairs"] == len(ROWS) - 1


def test_text_says_what_was_read_and_what_was_not(tmp_path: Path) -> None:
    written(tmp_path / "log.jsonl", ROWS)
    (tmp_path / "notes.txt").write_text("hello")
    done = command("audit", tmp_path)
    assert done.code == 0
    assert "Rows: 7 = 7 read whole + 0 rejected or in part" in done.out
    assert "Presentations: 14 = 13 with a verdict + 1 unparsed" in done.out
    assert "not read: 1 other file" in done.out
    assert "every number is exploratory" in done.out


def test_hostile_text_stays_inert_in_the_terminal(tmp_path: Path) -> None:
    rows = [
        row(84, "model_1", "model_2", model_2="\x1b[31mred\x07\u202e", g1_judgment="\x1b]0;x\x07")
    ]
    done = command("audit", written(tmp_path / "log.jsonl", rows), "--full")
    assert done.code == 0
    assert not set(done.out) & {"\x1b", "\x07", "\u202e"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--by", "judge,length"], "--by length: groups are split by judge, strategy, subset"),
        (["--format", "nope"], 'there is no log format "nope" (known:'),
    ],
)
def test_wrong_words_get_one_line(tmp_path: Path, words: list[str], message: str) -> None:
    done = command("audit", written(tmp_path / "log.jsonl", ROWS), *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_an_unknown_file_gets_one_line(tmp_path: Path) -> None:
    done = command("audit", written(tmp_path / "x.jsonl", [{"hello": 1}]))
    assert (done.code, done.out) == (2, "")
    assert "is of no known format" in done.err
    assert done.err.count("\n") == 1


def test_groups_are_split_as_asked(tmp_path: Path) -> None:
    rows = [*ROWS, row(88, "tie", "tie", judge=["gpt-4", "pair-math-v1"])]
    path = written(tmp_path / "log.jsonl", rows)
    split = [g for g in audited(path)["groups"] if g["verdict_by"] == "source"]
    assert [g["strategy"] for g in split] == ["pair-math-v1", "pair-v2"]
    assert group_of(audited(path, "--by", "judge"))["counts"]["pairs"] == len(rows)
    assert "Groups side by side" in command("audit", path).out


def test_the_sources_own_figures_stand_beside_ours(tmp_path: Path) -> None:
    path = written(tmp_path / "gpt-4_pair.jsonl", ROWS)
    value = audited(path)
    (group,) = value["upstream"]
    assert (group["judge"], group["strategy"]) == ("gpt-4", "pair-v2")
    assert group["systems"] == {"a": "alpaca", "b": "phi"}
    found = {figure["name"]: figure for figure in group["figures"]}
    # Of six complete rows one is won by each; four tie there, though two are order disagreements.
    assert found["win_rate[phi]"]["value"] == pytest.approx(1 / 6)
    assert found["win_rate_adjusted[phi]"]["numerator"] == 3
    assert {figure["rule"] for figure in group["figures"]} == set(value["upstream_rules"])
    text = command("audit", path).out
    assert "The source's own figures, by its own rules" in text
    assert "win_rate_adjusted[phi]     50.0 %  3 / 6" in text
    assert "- loss_rate: the same for rows that name the other model." in text


def test_a_score_that_counts_half_the_evidence_is_said_to(tmp_path: Path) -> None:
    decisions = [("A>B", "A=B"), ("A>B", None), ("A>B", "B>A")]
    path = judgebench_log(tmp_path, [(*each, "mmlu-pro-law") for each in decisions])
    value = audited(path)
    (group,) = value["upstream"]
    overall = group["figures"][-1]
    assert (overall["numerator"], overall["denominator"]) == (3, 3)
    assert overall["ours"] == pytest.approx({"agreement_both": 1 / 2, "agreement_both_all": 1 / 3})
    score = "counts as correct in this benchmark's score though one order"
    said = [sentence for sentence in value["warnings"] if score in sentence]
    assert [sentence.rpartition(" order ")[2] for sentence in said] == [
        "is a tie.",
        "has no verdict.",
    ]


def test_our_measures_stand_beside_figures_of_the_same_verdicts_only(tmp_path: Path) -> None:
    cells = [("1", "1", 1), ("1", "2", 1), ("2", "2", 2)]
    alone = audited(llmbar_log(tmp_path, cells))["upstream"]
    llmbar_log(tmp_path, cells, strategy="CoT")
    together = audited(tmp_path, "--by", "judge")["upstream"]
    ours = [[f["ours"] for f in group["figures"] if f["ours"]] for group in (*alone, *together)]
    assert [len(found) for found in ours] == [7, 0, 0]


def test_a_page_is_written_and_replaces_no_log(tmp_path: Path) -> None:
    log = written(tmp_path / "gpt-4_pair.jsonl", ROWS)
    before = log.read_bytes()
    page = tmp_path / "audit.html"
    for path in (log, tmp_path, log):
        done = command("audit", path, "--html", page)
        assert done.code == 0, done.err
        assert f"{page}: the report as a page" in done.err
    assert "Nothing was decided before" in page.read_text("utf-8")
    for path in (log, tmp_path):
        refused = command("audit", path, "--html", log)
        assert refused.code == 2
        assert is_one_clear_line(refused)
        assert log.read_bytes() == before
