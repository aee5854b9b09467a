"""What batches cost: their declared price beside the full price of calls, and never a guess."""

from __future__ import annotations

import json

import pytest

from batch_provider import answered, entries, give_back
from commands import command_here
from counterbalance.protocol.prices_section import Price
from counterbalance.run.batch_reading import ReadBatch
from counterbalance.run.batch_writing import WriteBatch
from fault_server import FaultServer, completion, response, verdict
from studies import attempts_of, run, write_http_study

PRICE = "[prices.script]\nprompt_usd_per_million = 100.0\ncompletion_usd_per_million = 400.0\n"
USAGE = {"prompt_tokens": 30, "completion_tokens": 10, "total_tokens": 40}
A_CALL = (30 * 100 + 10 * 400) / 1e6
"""Dollars, at the full price."""


def replied(entry):
    return answered(entry, usage=USAGE)


def half_by_batches(folder, prices):
    """Judge four pairs: three of the eight calls come back in a file, five are asked."""
    with FaultServer(
        lambda _, seen: [response(body=completion(verdict(seen), usage=USAGE))]
    ) as server:
        path = write_http_study(folder, server.url, 4, more=prices)
        run(path, batch=WriteBatch(folder / "out"))
        back = give_back(folder / "results.jsonl", entries(folder / "out")[:3], replied)
        run(path, batch=ReadBatch((back,)))
        run(path)
    return path


def cost_of(path):
    report = command_here("report", path.with_suffix(".record.sqlite"), "--json")
    return json.loads(report.out)["groups"][0]["cost"]


def test_each_call_is_charged_as_it_was_asked(tmp_path):
    path = half_by_batches(tmp_path, PRICE + "batch_discount = 0.5\n")
    costs = [
        (attempt.reply.sent.get("batch", False), attempt.cost_usd)
        for attempt in attempts_of(path.with_suffix(".record.sqlite"))
    ]
    assert sorted(costs) == [
        *[(False, pytest.approx(A_CALL))] * 5,
        *[(True, pytest.approx(A_CALL / 2))] * 3,
    ]
    cost = cost_of(path)
    assert (cost["calls"], cost["batch_calls"], cost["priced_calls"]) == (8, 3, 8)
    assert cost["cost_usd"] == pytest.approx(6.5 * A_CALL)
    assert cost["price"] == "without a date, 0.5 of it off in batches"
    text = command_here("report", path.with_suffix(".record.sqlite")).out
    assert "Cost: 8 calls (3 in batches)" in text


def test_without_a_declared_price_of_batches_they_are_unpriced(tmp_path):
    cost = cost_of(half_by_batches(tmp_path, PRICE))
    assert (cost["calls"], cost["batch_calls"], cost["priced_calls"]) == (8, 3, 5)
    assert cost["cost_usd"] == pytest.approx(5 * A_CALL)
    assert cost["per"]["pair"]["lower_bound"] is True


def test_a_plan_shows_both_prices(tmp_path):
    for name, discount, said in (
        ("half", "batch_discount = 0.5\n", "at the declared discount"),
        ("none", "", "unpriced: [prices.script] has no batch_discount"),
    ):
        path = write_http_study(tmp_path / name, "http://127.0.0.1:9/v1", 4, more=PRICE + discount)
        assert said in command_here("plan", path).out
        (judge,) = json.loads(command_here("plan", path, "--json").out)["judges"]
        full = judge["prompt_tokens"] * 100 / 1e6 + judge["completion_tokens"] * 400 / 1e6
        assert judge["cost_usd"] == pytest.approx(full)
        assert judge["batch_cost_usd"] == (pytest.approx(full / 2) if discount else None)


STRATEGIES = 'strategies = ["B0", "S1"]\n\n[question]'


def test_a_plan_shows_both_prices_of_each_strategy_and_of_what_a_cap_buys(tmp_path):
    found = {}
    for name, discount in (("half", "batch_discount = 0.5\n"), ("none", "")):
        path = half_by_batches(tmp_path / name, PRICE + discount)
        text = path.read_text("utf-8").replace("[question]", STRATEGIES, 1)
        planned = tmp_path / name / "planned.toml"
        planned.write_text(text, "utf-8")
        rows = json.loads(command_here("plan", planned, "--json").out)["strategies"]
        for row in rows:
            half = row["cost_usd"] / 2
            assert row["batch_cost_usd"] == (pytest.approx(half) if discount else None)
        table = (
            command_here("plan", planned).out.partition("strategies:")[2].partition("budget:")[0]
        )
        assert ("as batches" in table) == bool(discount)
        words = ("plan", planned, "--pilot", path.with_suffix(".record.sqlite"), "--cap", "1")
        found[name] = [
            json.loads(command_here(*words, "--json", *more).out)["cap"]
            for more in ((), ("--as-batches",))
        ]
    (full, half), (_, none) = found["half"], found["none"]
    for one, other in zip(full["offers"], half["offers"], strict=True):
        assert other["dollars_per_decision"] == pytest.approx(one["dollars_per_decision"] / 2)
    assert all("no batch_discount of script" in offer["undefined"] for offer in none["offers"])


def test_a_budget_reaches_as_far_as_batches_cost(tmp_path):
    written = {}
    for name, discount in (("full", ""), ("half", "batch_discount = 0.5\n")):
        path = write_http_study(tmp_path / name, "http://127.0.0.1:9/v1", 20, more=PRICE + discount)
        one = json.loads(command_here("plan", path, "--json").out)["judges"][0]
        budget = f"\n[budget]\nmax_cost_usd = {10.5 * one['prompt_tokens'] / 40 * 100 / 1e6:.9f}\n"
        path.write_text(path.read_text("utf-8") + budget, "utf-8")
        run(path, batch=WriteBatch(tmp_path / name / "out"))
        written[name] = len(entries(tmp_path / name / "out"))
    assert written == {"full": 10, "half": 21}


def test_a_discount_is_a_part_of_the_price_and_in_the_hash_only_where_it_is_said(tmp_path):
    price = Price(prompt_usd_per_million=3.0, completion_usd_per_million=5.0)
    assert price.of_batches is None
    assert "batch_discount" not in price.model_dump()
    quarter = price.model_copy(update={"batch_discount": 0.25})
    assert quarter.of_batches.prompt_usd_per_million == pytest.approx(2.25)
    assert quarter.of_batches.completion_usd_per_million == pytest.approx(3.75)
    path = write_http_study(
        tmp_path, "http://127.0.0.1:9/v1", 2, more=PRICE + "batch_discount = 50\n"
    )
    ended = command_here("plan", path)
    assert ended.code == 2
    assert "prices.script.batch_discount" in ended.err
