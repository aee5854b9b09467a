"""``plan --cap``: what a pilot says about spending the rest of the money."""

from __future__ import annotations

import json

import pytest

from commands import command_here, is_one_clear_line
from fault_server import FaultServer, completion, response, verdict
from studies import run, write_http_study, write_study

PRICES = "".join(
    f"[prices.{judge}]\nprompt_usd_per_million = {prompt}\ncompletion_usd_per_million = {reply}\n"
    for judge, prompt, reply in (
        ("script", 100.0, 400.0),
        ("other", 50.0, 200.0),
        ("strong", 300.0, 900.0),
    )
)
PRICE = PRICES.partition("[prices.other]")[0]
SUBSET = "[repetitions.subset]\npairs = 12\nper_order = 3\n"
JUDGES = """
[prompt]
hides = ["reference_answer"]
[[judges]]
name = "other"
kind = "scripted"
seed = 2
tie_rate = 0.2
[[judges]]
name = "strong"
kind = "scripted"
seed = 4
"""
SCRIPT = "slot_rate = 0.7\nnoise = 0.2"
ESCALATION = '{ id = "escalation", stronger = "strong" }'
MINE = '{ id = "mine", prompts = ["reasoning"], orders = "both", rule = "agree_or_tie" }'
PLANNED = (
    '["B0", "S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "calibrated_scores",'
    f' "multiple_evidence", {ESCALATION}, {MINE}]'
)
ASKED = (
    '["B0", "S1", "S2", "S3", { id = "S4", tie_break = "none" }, "S6", "S7", "S8",'
    ' { id = "S5thrice", prompts = ["reasoning"], repetitions = 3, rule = "majority" },'
    f' "calibrated_scores", {ESCALATION}]'
)


def with_strategies(folder, strategies, n_pairs, more=""):
    path = write_study(folder, n_pairs, judge=SCRIPT, more=JUDGES + more)
    head = f'on_call = ["strong"]\nstrategies = {strategies}\n\n[question]'
    path.write_text(path.read_text("utf-8").replace("[question]", head, 1), "utf-8")
    rows = (folder / "pairs.jsonl").read_text("utf-8").splitlines()
    known = [json.loads(row) | {"reference_answer": "What is known."} for row in rows]
    (folder / "pairs.jsonl").write_text("".join(json.dumps(x) + "\n" for x in known), "utf-8")
    return path


def cap_of(study, pilot, *more):
    ended = command_here("plan", study, "--pilot", pilot, "--cap", "2", "--json", *more)
    assert ended.code == 0, ended.err
    return json.loads(ended.out)["cap"]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    pilot = write_study(tmp_path_factory.mktemp("pilot"), 20, judge=SCRIPT, more=SUBSET)
    run(pilot)
    study = write_study(tmp_path_factory.mktemp("study"), 200, judge=SCRIPT, more=PRICE)
    return study, pilot.with_suffix(".record.sqlite")


@pytest.fixture(scope="module")
def of_all(tmp_path_factory):
    pilot = with_strategies(tmp_path_factory.mktemp("pilot"), ASKED, 20, SUBSET)
    assert run(pilot).outstanding == 0
    study = with_strategies(tmp_path_factory.mktemp("study"), PLANNED, 120, PRICES)
    return study, pilot.with_suffix(".record.sqlite")


@pytest.fixture(scope="module")
def grid(of_all):
    return cap_of(*of_all)


@pytest.fixture(scope="module")
def offers(grid):
    return {(offer["judge"], offer["strategy"]): offer for offer in grid["offers"]}


def test_a_protocol_without_strategies_is_planned_with_one_call_and_with_both_orders(folders):
    study, pilot = folders
    ended = command_here("plan", study, "--pilot", pilot, "--cap", "1.0")
    assert ended.code == 0, ended.err
    text = " ".join(ended.out.split())
    assert "under a cap of $1.0000, by the pilot" in text
    assert "is selection" in text
    assert "run --confirm" in text
    value = json.loads(command_here("plan", study, "--pilot", pilot, "--cap", "1", "--json").out)
    offers = {offer["strategy"]: offer for offer in value["cap"]["offers"]}
    assert set(offers) == {"B0", "S1"}
    for offer in offers.values():
        assert offer["n_pilot"] == 20
        assert max(cell["n_repeats"] for cell in offer["grid"]) == 9
        assert all(cell["fits"] == (cell["dollars"] <= 1.0) for cell in offer["grid"])
        assert offer["best"]["fits"]
    # What the orders bring is told from what repetitions bring, and S1 leaves none of the former.
    assert offers["B0"]["spread"]["order"]["variance"] > 0
    assert offers["B0"]["spread"]["repetition"]["variance"] > 0
    assert offers["S1"]["spread"]["order"]["variance"] is None
    assert "both orders" in offers["S1"]["spread"]["order"]["undefined"]


def test_every_strategy_of_the_protocol_has_its_cells(grid, offers):
    panel = "script + other"
    own = {"B0", "S1", "S2", "S4", "S5", "S6", "S8", "calibrated_scores", "multiple_evidence",
           "escalation", "mine"}  # fmt: skip
    expected = {(judge, name) for judge in ("script", "other") for name in own}
    assert set(offers) == expected | {(panel, "S3"), (panel, "S7")}
    assert grid["family_size"] == len(offers) - 2
    calls = {name: offers["script", name]["calls_per_decision"] for name in own}
    assert {"B0": 1, "S1": 2, "S2": 3, "S5": 1, "S8": 2}.items() <= calls.items()
    assert offers[panel, "S7"]["calls_per_decision"] == 4
    # A judge on call is asked about some pairs only, in both orders.
    assert 2 < calls["escalation"] < 4
    places = [(p["judge"], p["strategy"]) for p in grid["front"]]
    assert set(places) <= set(offers)
    assert all(place["fits"] for place in grid["front"])


def test_what_the_pilot_did_not_ask_is_not_guessed(offers):
    for name, said in (
        ("multiple_evidence", "did not ask multiple_evidence of script"),
        ("mine", "did not ask mine of script"),
        ("S4", "otherwise than the one planned"),
    ):
        offer = offers["script", name]
        assert said in offer["undefined"]
        assert offer["agreement"] is offer["best"] is offer["spread"] is None
        assert offer["grid"] == []


def test_a_strategy_that_repeats_another_shows_what_repetitions_of_that_one_bring(offers):
    repeated = offers["script", "S5"]
    assert repeated["spread"]["repetition"]["variance"] > 0
    assert {cell["n_repeats"] for cell in repeated["grid"] if cell["half_width"]} == set(
        range(1, 10)
    )
    once = offers["script", "S8"]
    assert once["spread"]["repetition"]["variance"] is None
    assert {cell["n_repeats"] for cell in once["grid"] if cell["half_width"]} == {1}


def test_the_aim_decides_what_comes_first(of_all):
    study, pilot = of_all
    by_aim = {
        aim: cap_of(study, pilot, "--aim", aim)["offers"] for aim in ("agreement", "difference")
    }
    bought = [offer for offer in by_aim["agreement"] if offer["best"]]
    agreements = [offer["agreement"] for offer in bought]
    assert agreements == sorted(agreements, reverse=True)
    found = [o["best"]["difference"] for o in by_aim["difference"] if o["best"]]
    assert found == sorted(found)
    assert all(o["best"] is None for o in by_aim["difference"] if o["strategy"] == "B0")
    text = command_here("plan", study, "--pilot", pilot, "--cap", "2", "--aim", "agreement").out
    best = bought[0]
    assert f"best by the aim: {best['judge']}, {best['strategy']}" in text
    assert "did not ask mine of script" in " ".join(text.split())


def test_another_setting_of_the_same_judge_is_named(folders, tmp_path):
    _, pilot = folders
    study = write_study(tmp_path, 40, judge="slot_rate = 0.9", more=PRICE)
    text = " ".join(command_here("plan", study, "--pilot", pilot, "--cap", "1").out.split())
    assert "The pilot asked script with other settings" in text


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
    assert "its judges are script" in ended.err


def test_without_a_price_nothing_is_bought_for_nothing(folders, tmp_path):
    _, pilot = folders
    study = write_study(tmp_path, 30)
    ended = command_here("plan", study, "--pilot", pilot, "--cap", "1")
    assert ended.code == 0
    assert "Unpriced: [prices] has no price of script." in ended.out
    assert "best by the aim: nothing that the cap pays for" in ended.out


def test_a_pilot_gives_tokens_that_are_marked_as_measured_or_not(tmp_path):
    usage = {"prompt_tokens": 30, "completion_tokens": 7, "total_tokens": 37}

    def answers(_, seen):
        return [response(body=completion(verdict(seen), usage=usage))]

    with FaultServer(answers) as server:
        pilot = write_http_study(tmp_path / "pilot", server.url, 3)
        run(pilot)
        study = write_http_study(tmp_path / "study", server.url, 50, more=PRICE)
    record = pilot.with_suffix(".record.sqlite")
    text = command_here("plan", study, "--pilot", record).out
    assert "30.0 prompt and 7.0 reply tokens a call (measured over 6 calls)" in text
    (found,) = json.loads(command_here("plan", study, "--pilot", record, "--json").out)["by_pilot"]
    assert found["is_measured"] is True
    a_call = (30 * 100 + 7 * 400) / 1e6
    assert found["cost_usd"] == pytest.approx(100 * a_call)
    for offer in cap_of(study, record)["offers"]:
        calls = {"B0": 1, "S1": 2}[offer["strategy"]]
        assert offer["is_measured"] is True
        assert offer["dollars_per_decision"] == pytest.approx(calls * a_call)


def test_tokens_of_a_scripted_pilot_are_an_estimate(folders):
    study, pilot = folders
    assert "(estimated over 40 calls)" in command_here("plan", study, "--pilot", pilot).out
