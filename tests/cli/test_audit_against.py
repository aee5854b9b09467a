"""``audit --against``: what was printed about a log, held against the log."""

from __future__ import annotations

import json
import sys

import pytest

from cli.test_audit import ROWS, written
from commands import Ended
from counterbalance.cli.main import main
from extras import reference_folder

PRINTED = 'title = "p"\n[[tables]]\nname = "T"\n'


@pytest.fixture
def against(capsys, monkeypatch, tmp_path):
    """Audit a log against a description; several judges where several are asked for."""

    def run(text, *words, judges=("gpt-4",)):
        rows = [r | {"judge": [judge, "pair-v2"]} for judge in judges for r in ROWS]
        log = written(tmp_path / "log.jsonl", rows)
        (tmp_path / "p.toml").write_text(PRINTED + text, "utf-8")
        argv = ["counterbalance", "audit", str(log), "--against", str(tmp_path / "p.toml")]
        monkeypatch.setattr(sys, "argv", [*argv, *words])
        with pytest.raises(SystemExit) as ended:
            main()
        return Ended(ended.value.code, *capsys.readouterr())

    return run


def checks(ended):
    found = json.loads(ended.out)["against"]["checks"]
    return {(c["rule"], c["subject"], *c["inputs"]): c for c in found}


@pytest.mark.parametrize(
    ("cell", "code", "fitting"),
    [
        # 3 of 6 pairs with two verdicts are stable; 3 of 7 pairs.
        ('measures = {position_consistency = "50.0%"}', 0, ["position_consistency"]),
        ('measures = {position_consistency_all = "42.9%"}', 0, ["position_consistency_all"]),
        ('measures = {position_consistency = "42.9%"}', 1, []),
        ("n = 7", 0, ["items", "pairs"]),
        ("n = 6", 0, ["pairs with two verdicts"]),
        ("n = 8", 1, []),
        ('tie_rate = "23.1%"', 0, ["tie_rate"]),
        ('tie_rate = "25.0%"', 1, []),
    ],
)
def test_a_printed_figure_is_the_logs_or_not(against, cell, code, fitting):
    ended = against(f'[[tables.rows]]\nname = "r"\n{cell}\n', "--json")
    assert ended.code == code, ended
    (found,) = checks(ended).values()
    assert found["values"]["fitting"] == fitting
    assert found["verdict"] == ("inconsistent" if code else "consistent")


def test_the_comparison_stands_under_the_report(against):
    ended = against('[[tables.rows]]\nname = "r"\ntie_rate = "25.0%"\n')
    report, _, comparison = ended.out.partition("counterbalance tables: p, against the log")
    assert "position_consistency" in report
    assert "The first broken link is the log: T, r (figure_in_log)." in comparison
    assert "tie_rate 0.2308 (3 / 13); printed 25.0% is none" in " ".join(comparison.split())


def test_rows_find_their_group(against):
    rows = """
[[tables.rows]]
name = "gpt-4"
n = 7
[[tables.rows]]
name = "the other one"
log = {judge = "claude"}
n = 7
[[tables.rows]]
name = "nobody"
n = 7
"""
    ended = against(rows, "--json", judges=("gpt-4", "claude"))
    found = checks(ended)
    assert ended.code == 0
    assert found["count_in_log", "gpt-4", "n"]["verdict"] == "consistent"
    assert found["count_in_log", "the other one", "n"]["verdict"] == "consistent"
    absent = next(c for c in found.values() if c["rule"] == "row_in_log")
    assert absent["subject"] == "nobody"
    assert absent["verdict"] == "cannot_be_checked"
    assert "gpt-4" in absent["found"]


def test_nothing_to_compare_is_no_pass(against):
    # The log has no reference, so no agreement.
    ended = against('[[tables.rows]]\nname = "r"\nagreement = 0.5\n', "--json")
    assert ended.code == 3
    (found,) = checks(ended).values()
    assert found["verdict"] == "cannot_be_checked"


def test_an_unknown_measure_is_told_the_known_ones(against):
    ended = against('[[tables.rows]]\nname = "r"\nmeasures = {consistency = 0.5}\n', "--json")
    assert ended.code == 3
    assert "position_consistency" in next(iter(checks(ended).values()))["found"]


def test_a_wrong_description_stops_before_the_log_is_read(against):
    ended = against('[[tables.rows]]\nname = "r"\nagreement = 66.5\n')
    assert (ended.code, ended.out) == (2, "")
    assert 'write "66.5%"' in ended.err


@pytest.mark.reference
def test_llmbars_printed_kappa_is_not_that_of_its_log(tmp_path, monkeypatch, capsys):
    folder = reference_folder() / "llmbar" / "Dataset" / "LLMBar" / "Natural" / "evaluators"
    log = next((folder / "GPT-4" / "Vanilla").glob("result.json*"))
    text = '[[tables.rows]]\nname = "r"\nn = 100\nagreement = "95.0%"\nkappa = 0.2678\n'
    (tmp_path / "p.toml").write_text(PRINTED + text)
    words = ["audit", str(log), "--against", str(tmp_path / "p.toml"), "--json"]
    monkeypatch.setattr(sys, "argv", ["counterbalance", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    found = checks(Ended(1, *capsys.readouterr()))
    assert ended.value.code == 1
    kappa = found["figure_in_log", "r", "kappa"]
    assert kappa["verdict"] == "inconsistent"
    assert kappa["values"]["kappa_forward"] == pytest.approx(0.8977086743044189)
    assert found["figure_in_log", "r", "agreement"]["values"]["fitting"][0] == "agreement_forward"


@pytest.mark.reference
def test_judgebenchs_score_is_no_agreement_of_its_log(tmp_path, monkeypatch, capsys):
    log = next((reference_folder() / "judgebench" / "outputs").glob("*claude-3-haiku*"))
    text = '[[tables.rows]]\nname = "r"\nn = 270\nscore = "32.22%"\n'
    (tmp_path / "p.toml").write_text(PRINTED + text)
    words = ["audit", str(log), "--against", str(tmp_path / "p.toml"), "--json"]
    monkeypatch.setattr(sys, "argv", ["counterbalance", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    score = checks(Ended(1, *capsys.readouterr()))["figure_in_log", "r", "score"]
    assert ended.value.code == 1
    assert score["values"]["agreement_both_all"] == pytest.approx(38 / 270)


def test_the_page_never_replaces_what_was_printed(against, tmp_path):
    path = tmp_path / "p.toml"
    ended = against('[[tables.rows]]\nname = "r"\nn = 7\n', "--html", str(path))
    assert ended.code == 2
    assert path.read_text("utf-8").startswith("title")
