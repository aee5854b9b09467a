"""``plan --cap``: what a pilot says about spending the rest of the money."""

from __future__ import annotations

import json

import pytest

from commands import command_here, is_one_clear_line
from fault_server import FaultServer, completion, response, verdict
from studies import run, write_http_study, write_study

PRICES = "[prices.script]\nprompt_usd_per_million = 100.0\ncompletion_usd_per_million = 400.0\n"
SUBSET = "[repetitions.subset]\npairs = 12\nper_order = 3\n"


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    pilot = write_study(
        tmp_path_factory.mktemp("pilot"), 20, judge="slot_rate = 0.3\nnoise = 0.2", more=SUBSET
    )
    run(pilot)
    study = write_study(tmp_path_factory.mktemp("study"), 200, more=PRICES)
    return study, pilot.with_suffix(".record.sqlite")


def test_every_strategy_is_tried_and_choosing_is_called_selection(folders):
    study, pilot = folders
    ended = command_here("plan", study, "--pilot", pilot, "--cap", "1.0")
    assert ended.code == 0, ended.err
    text = " ".join(ended.out.split())
    assert "under a cap of $1.0000, by the pilot" in text
    assert "is selection" in text
    assert "run --confirm" in text
    value = json.loads(command_here("plan", study, "--pilot", pilot, "--cap", "1", "--json").out)
    offers = value["cap"]["offers"]
    assert {offer["strategy"] for offer in offers} == {"B0", "S1"}
    for offer in offers:
        assert offer["n_pilot"] == 20
        assert max(bought["n_repeats"] for bought in offer["grid"]) > 1
        assert all(bought["dollars"] <= 1.0 for bought in offer["grid"])


def test_a_cap_without_a_pilot_or_with_a_stranger_is_refused(folders, tmp_path):
    study, pilot = folders
    for words, said in (
        (("--cap", "1"), "--pilot RECORD"),
        (("--cap", "-1", "--pilot", pilot), "--cap"),
    ):
        ended = command_here("plan", study, *words)
        assert ended.code == 2
        assert said in ended.err
    other = write_study(tmp_path, 4)
    other.write_text(other.read_text("utf-8").replace('"script"', '"another"'), "utf-8")
    ended = command_here("plan", other, "--cap", "1", "--pilot", pilot)
    assert ended.code == 2
    assert is_one_clear_line(ended)
    assert "no judge of the pilot (script)" in ended.err


def test_without_a_price_nothing_is_bought_for_nothing(folders, tmp_path):
    _, pilot = folders
    study = write_study(tmp_path, 30)
    ended = command_here("plan", study, "--pilot", pilot, "--cap", "1")
    assert ended.code == 0
    assert "Unpriced: [prices] has no price of this judge." in ended.out


def test_a_pilot_gives_tokens_that_are_marked_as_measured_or_not(tmp_path):
    usage = {"prompt_tokens": 30, "completion_tokens": 7, "total_tokens": 37}

    def answers(_, seen):
        return [response(body=completion(verdict(seen), usage=usage))]

    with FaultServer(answers) as server:
        pilot = write_http_study(tmp_path / "pilot", server.url, 3)
        run(pilot)
        study = write_http_study(tmp_path / "study", server.url, 50, more=PRICES)
    record = pilot.with_suffix(".record.sqlite")
    text = command_here("plan", study, "--pilot", record).out
    assert "30.0 prompt and 7.0 reply tokens a call (measured over 6 calls)" in text
    (found,) = json.loads(command_here("plan", study, "--pilot", record, "--json").out)["by_pilot"]
    assert found["is_measured"] is True
    assert found["cost_usd"] == pytest.approx(100 * (30 * 100 + 7 * 400) / 1e6)


def test_tokens_of_a_scripted_pilot_are_an_estimate(folders):
    study, pilot = folders
    assert "(estimated over 40 calls)" in command_here("plan", study, "--pilot", pilot).out
