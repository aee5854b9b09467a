"""What verdicts cost: shared out among all that came of the money, and never 0 for unknown."""

import json

import pytest

from commands import command_here
from counterbalance.report.cost import dollars
from fault_server import FaultServer, completion, error, response
from studies import attempts_of, run, write_http_study, write_study

PRICES = "[prices.script]\nprompt_usd_per_million = 100.0\ncompletion_usd_per_million = 400.0\n"
DATED = PRICES + 'as_of = "2026-11-30"\nsource = "a list"\n'


def group_cost(protocol):
    ended = command_here("report", protocol.with_suffix(".record.sqlite"), "--json")
    assert ended.code == 0, ended.err
    return json.loads(ended.out)["groups"][0]["cost"]


def replying(text, **changes):
    return lambda _, __: [response(body=completion(text, **changes))]


def test_costs_are_shared_out_among_pairs_stable_and_correct_verdicts(tmp_path):
    usage = {"prompt_tokens": 30, "completion_tokens": 10, "total_tokens": 40}
    with FaultServer(replying("[[C]]", usage=usage)) as server:
        protocol = write_http_study(tmp_path, server.url, 6, more=DATED)
        run(protocol)
    cost = group_cost(protocol)
    total = 12 * (30 * 100 + 10 * 400) / 1e6
    assert cost["calls"] == cost["priced_calls"] == 12
    assert cost["tokens"] == {
        "prompt": 360, "completion": 120, "calls": 12, "estimated_calls": 0
    }  # fmt: skip
    assert cost["cost_usd"] == pytest.approx(total)
    assert cost["price"] == "of 2026-11-30 from a list"
    # Two of six references accept a tie.
    assert [cost["per"][k]["denominator"] for k in cost["per"]] == [6, 6, 2]
    assert cost["per"]["correct_verdict"]["value"] == pytest.approx(total / 2)
    text = command_here("report", protocol.with_suffix(".record.sqlite")).out
    assert "Cost: 12 calls, 360 prompt and 120 reply tokens (counted by the engine)" in text
    assert "at the price of 2026-11-30 from a list" in text


def test_a_call_of_unknown_cost_makes_a_lower_bound(tmp_path):
    usage = {"prompt_tokens": 30, "completion_tokens": 10, "total_tokens": 40}

    def answers(position, _):
        body = completion("[[A]]", usage=usage)
        return [error(400) if position == 0 else response(body=body)]

    with FaultServer(answers) as server:
        protocol = write_http_study(tmp_path, server.url, 3, judge="concurrency = 1", more=PRICES)
        run(protocol)
    cost = group_cost(protocol)
    assert (cost["calls"], cost["priced_calls"]) == (6, 5)
    assert cost["per"]["pair"]["lower_bound"] is True
    assert cost["per"]["stable_verdict"]["value"] is None
    assert cost["per"]["stable_verdict"]["undefined"] == "There is no stable verdict."
    text = command_here("report", protocol.with_suffix(".record.sqlite")).out
    assert "1 call of unknown cost" in text
    assert "a pair: at least $" in text


def test_without_a_price_nothing_is_free(tmp_path):
    protocol = write_study(tmp_path, 4)
    run(protocol)
    cost = group_cost(protocol)
    assert cost["cost_usd"] is None
    assert {unit["value"] for unit in cost["per"].values()} == {None}
    assert "Unpriced" in cost["per"]["pair"]["undefined"]
    assert "unpriced" in command_here("report", protocol.with_suffix(".record.sqlite")).out


def test_a_price_is_frozen_in_the_record(tmp_path):
    protocol = write_study(tmp_path, 4, more=PRICES)
    run(protocol)
    recorded = [attempt.cost_usd for attempt in attempts_of(protocol.with_suffix(".record.sqlite"))]
    assert all(recorded)
    text = protocol.read_text("utf-8").replace("100.0", "900.0")
    protocol.write_text(text, "utf-8")
    ended = command_here("run", protocol)
    assert ended.code == 2
    assert "protocol" in ended.err
    kept = [attempt.cost_usd for attempt in attempts_of(protocol.with_suffix(".record.sqlite"))]
    assert kept == recorded


def test_small_amounts_are_told_from_nothing():
    assert dollars(0.0) == "$0.0000"
    assert dollars(3e-7) == "$0.0000003"
    assert dollars(0.00123) == "$0.00123"
    assert dollars(12.3) == "$12.3000"


def test_the_page_shows_it(tmp_path):
    protocol = write_study(tmp_path, 4, more=DATED)
    run(protocol)
    page = tmp_path / "page.html"
    ended = command_here("report", protocol.with_suffix(".record.sqlite"), "--html", page)
    assert ended.code == 0, ended.err
    text = page.read_text("utf-8")
    assert "Cost by group" in text
    assert "of 2026-11-30 from a list" in text
