"""Prices from the bundled table: by address, never by a model's name alone."""

import json
from datetime import UTC, date, datetime

import pytest

from commands import command_here
from counterbalance.protocol.judge_settings import HttpJudge
from counterbalance.protocol.loading import protocol_from_toml
from counterbalance.run.listed_prices import listed_price
from extras import require
from studies import write_http_study

AT = datetime(2026, 11, 30, tzinfo=UTC)
GEMINI = "https://generativelanguage.googleapis.com/v1beta"


def judge(**settings):
    return HttpJudge(name="j", kind="http", **{"model": "gpt-4o-mini", **settings})


@pytest.fixture(autouse=True)
def _table():
    require("prices")


@pytest.mark.parametrize(
    "settings",
    [
        {"api": "chat"},
        {"api": "responses"},
        {"api": "messages", "model": "claude-sonnet-4-20250514", "max_tokens": 9},
        {"api": "gemini", "model": "gemini-2.5-flash"},
        {"base_url": "https://openrouter.ai/api/v1", "model": "anthropic/claude-sonnet-4"},
    ],
)
def test_each_api_and_a_router_have_prices(settings):
    found = listed_price(judge(**settings), {}, 100, AT)
    assert found.completion_usd_per_million > found.prompt_usd_per_million > 0
    assert found.as_of == date(2026, 11, 30)
    assert "genai-prices" in found.source


def test_a_longer_prompt_takes_the_dearer_tier():
    gemini = judge(api="gemini", model="gemini-2.5-pro", base_url=GEMINI)
    short, long = (listed_price(gemini, {}, n, AT) for n in (10, 300_000))
    assert long.prompt_usd_per_million > short.prompt_usd_per_million


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/v1", "https://models.our-firm.example/v1"])
def test_a_known_name_at_an_unknown_address_has_no_price(url):
    for found in (
        listed_price(judge(base_url=url), {}, 10, AT),
        listed_price(judge(), {"OPENAI_BASE_URL": url}, 10, AT),
    ):
        assert isinstance(found, str)
        assert "no price of gpt-4o-mini" in found
        assert url in found


def test_an_unknown_model_has_no_price():
    assert "no price of no-such-model" in listed_price(judge(model="no-such-model"), {}, 10, AT)


def test_plan_shows_prices_and_writes_them_once(tmp_path):
    path = write_http_study(tmp_path, "https://api.openai.com/v1", judge="max_tokens = 9")
    text = path.read_text("utf-8").replace('model = "m"', 'model = "gpt-4o-mini"')
    path.write_text(text, "utf-8")
    assert "reply tokens; unpriced" in command_here("plan", path).out
    shown = command_here("plan", path, "--prices")
    assert shown.code == 0
    assert "[prices.script]" in shown.out
    assert "reply tokens; unpriced" not in shown.out
    assert path.read_text("utf-8") == text

    before = json.loads(command_here("plan", path, "--prices", "--json").out)
    written = json.loads(command_here("plan", path, "--write-prices", "--json").out)
    assert written["judges"][0]["cost_usd"] == before["judges"][0]["cost_usd"] > 0
    assert written["protocol_digest"] != before["protocol_digest"]
    price = protocol_from_toml(path.read_text("utf-8"), "p").prices["script"]
    assert price.source.startswith("genai-prices")
    again = command_here("plan", path, "--write-prices")
    assert "no judge behind an endpoint is without one" in again.out
    assert path.read_text("utf-8").count("[prices.script]") == 1


def test_prices_that_are_not_found_are_named_and_nothing_is_written(tmp_path):
    path = write_http_study(tmp_path, "http://127.0.0.1:9/v1")
    text = path.read_text("utf-8")
    ended = command_here("plan", path, "--write-prices")
    assert ended.code == 0
    assert "no price of m at http://127.0.0.1:9/v1" in ended.out
    assert "unpriced" in ended.out
    assert path.read_text("utf-8") == text
