"""Length and style held equal as a user asks for it: logs, records, runs, and what is refused."""

from __future__ import annotations

import json

import pytest

from commands import command_here
from compared_logs import annotation, battle_rows, planted_annotations, written
from studies import run, systems_rows, write_study

STRENGTHS = {"ada": -1.0, "bob": 0.0, "cyd\x1b[31m\u202e": 0.8}


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    rows, _ = planted_annotations(60, STRENGTHS)
    return written(tmp_path_factory.mktemp("log") / "annotations.json", rows)


def test_raw_and_adjusted_stand_side_by_side(log):
    ended = command_here("audit", log, "--length", "characters", "--cases", "0")
    assert ended.code == 0, ended.err
    (head,) = [line for line in ended.out.splitlines() if " raw " in line and "like length" in line]
    assert head.index(" raw ") < head.index("adjusted") < head.index("without prior")
    assert "nobody saw such pairs" in ended.out
    assert "By the source's rule" in ended.out
    assert "by length alone leaves" not in ended.out
    assert "\x1b" not in ended.out
    assert "\u202e" not in ended.out
    full = command_here("audit", log, "--length", "characters", "--full", "--cases", "0").out
    assert "by length alone leaves" in full


def test_the_json_holds_the_same(log):
    ended = command_here("audit", log, "--length", "characters", "--json")
    (group,) = json.loads(ended.out)["groups"]
    found = group["length_control"]
    assert (found["unit"], found["prior"], found["baseline"]) == (
        "characters", {"mean": 0.0, "sd": 1.0}, "base",
    )  # fmt: skip
    assert found["pairs"] + sum(found["left_out"].values()) == group["counts"]["pairs"]
    for one in found["systems"]:
        raw, adjusted = one["win_rate"], one["length_controlled_win_rate"]
        assert raw["numerator"] / raw["denominator"] == pytest.approx(raw["value"])
        assert adjusted["low"] < adjusted["value"] < adjusted["high"]
        assert adjusted["exploratory"]
    assert (
        "one rate for each system" in group["measures"]["length_controlled_win_rate"]["undefined"]
    )
    assert group["style_control"] is None
    plain = json.loads(command_here("audit", log, "--json").out)["groups"][0]
    assert plain["length_control"] is None
    assert "--length" in plain["measures"]["length_controlled_win_rate"]["undefined"]


def test_a_record_of_a_log_knows_characters_only(log, tmp_path):
    record = tmp_path / "log.record.sqlite"
    assert command_here("import", log, "--record", record).code == 0
    of_files = command_here("audit", log, "--length", "characters", "--json")
    of_record = command_here("report", record, "--length", "characters", "--json")
    one, other = (json.loads(e.out)["groups"][0]["length_control"] for e in (of_files, of_record))
    assert one == other
    for words in (("--length", "tokens"), ("--style",)):
        ended = command_here("report", record, *words)
        assert ended.code == 2
        assert "`audit` the files" in ended.err


def test_many_groups_show_what_was_asked_for(tmp_path):
    rows, _ = planted_annotations(15, {"ada": -0.5, "bob": 0.0, "cyd": 0.5})
    rows = [row | {"annotator": f"judge {n}"} for n in range(5) for row in rows]
    ended = command_here("audit", written(tmp_path / "log.json", rows), "--length", "tokens")
    assert ended.out.count("Length held equal, in tokens against base") == 5


def test_style_of_battles(tmp_path):
    rows = battle_rows(200, {"ada": 0.5, "bob": 0.0, "cyd": -0.5}, effect=1.0)
    path = written(tmp_path / "battles.json", rows)
    ended = command_here("audit", path, "--style", "--length", "tokens", "--length-prior", "2")
    assert ended.code == 0, ended.err
    assert "Style held equal, all with all: 200 pairs of 3 systems in 200 clusters" in ended.out
    assert "standard deviation of 2 on log-odds" in ended.out
    assert "No adjusted rate: No system is in every pair" in ended.out
    value = json.loads(command_here("audit", path, "--style", "--json").out)
    found = value["groups"][0]["style_control"]
    assert [one["feature"] for one in found["features"]] == ["length", "headers", "lists", "bold"]
    assert all(one["adjusted"]["low"] < one["adjusted"]["high"] for one in found["systems"])
    assert value["groups"][0]["length_control"] is None
    assert [one["prior"]["sd"] for one in found["sensitivity"]] == [0.5, 2.0, None]
    assert found["sensitivity"][2]["features"]["bold"] == pytest.approx(
        found["features"][3]["without_prior"]["estimate"]
    )
    full = command_here("audit", path, "--style", "--full", "--cases", "0").out
    (head,) = [line for line in full.splitlines() if "prior ±0.5" in line]
    assert head.split() == ["adjusted", "prior", "±0.5", "prior", "±2", "without", "prior"]
    assert "calibration slope" in full
    page = tmp_path / "page.html"
    command_here("audit", path, "--style", "--html", page)
    assert "What the prior does" in page.read_text()


def test_a_log_without_texts_says_so(tmp_path):
    rows = battle_rows(40, {"ada": 0.5, "bob": 0.0, "cyd": -0.5})
    for row in rows:
        del row["conversation_a"], row["conversation_b"]
    path = written(tmp_path / "battles.json", rows)
    for words, unknown in ((["--length", "characters"], "a length"), (["--style"], "a text")):
        out = command_here("audit", path, *words).out
        assert f"Left out: 40 {unknown} is not known" in out
        assert "No pair names two systems" in out


def test_a_run_declares_it_or_is_asked(tmp_path):
    judge = "length_rate = 0.6\nnoise = 0.3"
    more = (
        '[analysis]\nmeasures = ["length_controlled_win_rate"]\n[length_control]\nunit = "tokens"'
    )
    declared = write_study(tmp_path / "declared", judge=judge, more=more, rows=[*systems_rows()])
    plain = write_study(tmp_path / "plain", judge=judge, rows=[*systems_rows()])
    for protocol in (declared, plain):
        run(protocol)
    record = declared.with_suffix(".record.sqlite")
    ended = command_here("report", record, "--json")
    (group,) = json.loads(ended.out)["groups"]
    asked = command_here(
        "report", plain.with_suffix(".record.sqlite"), "--length", "tokens", "--json"
    )
    (other,) = json.loads(asked.out)["groups"]
    assert group["length_control"]["baseline"] == "old"
    assert len(group["length_control"]["systems"]) == 3
    assert not group["measures"]["length_controlled_win_rate"]["exploratory"]
    assert not group["length_control"]["systems"][0]["length_controlled_win_rate"]["exploratory"]
    assert other["length_control"]["systems"][0]["length_controlled_win_rate"]["exploratory"]
    assert (
        other["length_control"]["systems"][0]["lengths"]
        == (group["length_control"]["systems"][0]["lengths"])
    )
    styled = command_here("report", record, "--style").out
    assert "Length held equal, in tokens" in styled
    assert "Style held equal, all with all" in styled
    for words in (("--length", "characters"), ("--style", "--length-prior", "3")):
        ended = command_here("report", record, *words)
        assert ended.code == 2
        assert "the protocol declares" in ended.err


def test_a_protocol_that_names_the_rate_declares_the_unit(tmp_path):
    more = '[analysis]\nmeasures = ["length_controlled_win_rate"]'
    ended = command_here("plan", write_study(tmp_path, more=more))
    assert ended.code == 2
    assert "[length_control]" in ended.err


@pytest.mark.parametrize(
    "words", [("--length", "words"), ("--length-prior", "0"), ("--length-prior", "x")]
)
def test_what_has_no_meaning_is_refused(log, words):
    ended = command_here("audit", log, *words)
    assert ended.code == 2
    assert words[0] in ended.err


def test_two_answers_of_one_word(tmp_path):
    rows = [annotation(n, "ada", "Yes", f"No{n}", float(1 + n % 2)) for n in range(12)]
    out = command_here("audit", written(tmp_path / "x.json", rows), "--length", "tokens").out
    assert "Fewer than three systems" in out
    assert "50.0 % of 12" in out
    # Nothing was adjusted, so nothing is said of how.
    assert "nobody saw such pairs" not in out
    assert "drawn to" not in out
