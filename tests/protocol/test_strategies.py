"""Strategies as data: what names stand for, what is refused, and who votes."""

from __future__ import annotations

from typing import get_args

import pytest

from counterbalance.errors import ProtocolError
from counterbalance.protocol.loading import protocol_from_canonical, protocol_from_toml
from counterbalance.protocol.strategies.catalogue import (
    CALIBRATED,
    CATALOGUE,
    NINE,
    StrategyName,
)
from counterbalance.protocol.strategies.instructions import INSTRUCTIONS
from studies import PROTOCOL

JUDGES = """
[[judges]]
name = "other"
kind = "scripted"
seed = 2

[[judges]]
name = "third"
kind = "scripted"
seed = 3
"""


def protocol(strategies: str, more: str = JUDGES, *, top: str = "", judge: str = ""):
    text = PROTOCOL.format(judge=judge, more=more)
    head = f"strategies = {strategies}\n{top}"
    text = text.replace('baseline = "old"\n', f'baseline = "old"\n{head}\n')
    return protocol_from_toml(f'{text}\n[prompt]\nhides = ["reference_answer"]\n', "protocol.toml")


def problem(strategies: str, more: str = JUDGES, **rest: str) -> str:
    with pytest.raises(ProtocolError) as refused:
        protocol(strategies, more, **rest)
    return str(refused.value)


def test_every_name_that_an_editor_offers_is_in_the_catalogue():
    assert set(get_args(StrategyName)) == {*CATALOGUE, CALIBRATED}
    assert set(NINE) <= CATALOGUE.keys()


def test_all_nine_and_the_further_ones_fit_one_protocol():
    named = [name for name in CATALOGUE if name != "escalation"]
    listed = ", ".join(f'"{name}"' for name in named)
    whole = protocol(f'[{listed}, {{ id = "escalation", stronger = "third" }}]')
    assert [s.id for s in whole.asked_strategies] == [*named, "escalation"]
    assert set(whole.prompts) == set(INSTRUCTIONS)


def test_what_is_recorded_is_written_out_and_read_back_the_same():
    whole = protocol('["B0", "S7", "S8"]')
    again = protocol_from_canonical(whole.canonical, whole.pairs)
    assert again.digest == whole.digest
    assert again.asked_strategies == whole.asked_strategies
    recorded = whole.canonical["strategies"][1]
    assert recorded["panel"] == ["script", "other", "third"]
    assert (
        whole.canonical["prompts"]["rubric"]["instruction"] == INSTRUCTIONS["rubric"]["instruction"]
    )


def test_a_protocol_without_strategies_says_nothing_of_them():
    whole = protocol(f'["{CALIBRATED}"]')
    assert whole.canonical["strategies"] == [CALIBRATED]
    assert not {"prompts", "on_call"} & whole.canonical.keys()


def test_the_verdict_is_never_the_sum_of_scores():
    whole = protocol('["S4"]')
    asked = whole.under("rubric")
    assert asked.verdict.format == "json"
    assert asked.verdict.key == "winner"
    assert asked.verdict.tie == "C"
    assert "not the sum of the scores" in " ".join(asked.prompt.user.split())


def test_only_the_instruction_differs():
    whole = protocol('["S5"]')
    before, after = whole.prompt.user.rsplit("{{verdict}}", 1)
    asked = whole.under("reasoning").prompt
    assert asked.user.startswith(before.rstrip())
    assert asked.user.endswith("{{verdict}}" + after)
    assert asked.system == whole.prompt.system


def test_a_format_of_one_label_leaves_room_for_reasons():
    text = PROTOCOL.format(judge="", more="").replace('"bracket"\ntie = "C"', '"choice"')
    text = text.replace("[question]", 'strategies = ["S5", "S6"]\n[question]')
    whole = protocol_from_toml(text + '[prompt]\nhides = ["reference_answer"]\n', "p.toml")
    assert whole.under("reasoning").verdict.format == "bracket"
    assert whole.under("reference").verdict.format == "choice"


def test_a_named_strategy_can_be_changed_and_one_of_your_own_added():
    whole = protocol(
        '[{ id = "S2", temperatures = [0.2, 0.8] },'
        ' { id = "mine", prompts = ["plain", "reasoning"], rule = "majority" }]'
    )
    second, mine = whole.asked_strategies
    assert second.temperatures == (0.2, 0.8)
    assert second.rule == "majority"
    votes = {row.judge: row.n_votes for row in whole.strategy_rows if row.strategy is mine}
    assert votes == {"script": 2, "other": 2, "third": 2}


def test_rows_are_one_for_each_judge_or_one_for_the_panel():
    rows = protocol('["S1", "S3"]').strategy_rows
    assert [(row.strategy.id, row.judge) for row in rows] == [
        ("S1", "script"),
        ("S1", "other"),
        ("S1", "third"),
        ("S3", "script + other + third"),
    ]
    assert rows[-1].quorum == 2


def test_a_judge_on_call_votes_only_where_it_is_named():
    whole = protocol(
        '["S3", "B0", { id = "escalation", stronger = "third" }]', top='on_call = ["third"]'
    )
    assert whole.standing_judges == ("script", "other")
    rows = {(row.strategy.id, row.judge): row for row in whole.strategy_rows}
    assert ("B0", "third") not in rows
    assert rows["S3", "script + other"].n_votes == 2
    assert [v.judge for v in rows["escalation", "script"].voters if v.is_on_call] == ["third"]


@pytest.mark.parametrize(
    ("strategies", "said"),
    [
        ('["S9"]', "[strategies[1]] found 'S9'; did you mean 'S8'?"),
        ('["balanced"]', "did you mean 'balanced_calibration'?"),
        ('["S1", "S1"]', "[strategies] 'S1' is listed twice; list it once"),
        (
            '[{ id = "escalation", stronger = "script", judges = ["script"] }]',
            "is the first judge itself",
        ),
        ('["S1", { id = "S1", tie_break = "none" }]', "two strategies have the id 'S1'"),
        ('[{ id = "S3", panel = ["script"] }]', "a panel of one (script) is that judge alone"),
        ('[{ id = "S3", panel = ["script", "gpt"] }]', "no judge is called 'gpt'"),
        ('[{ id = "S5", judges = ["gpt"] }]', "no judge is called 'gpt'; the judges are script"),
        ('[{ id = "S5", prompts = ["unknown"] }]', "no prompt is called 'unknown'"),
        ('["escalation"]', "escalate needs the judge that is asked then"),
        ('[{ id = "escalation", stronger = "gpt" }]', "no judge is called 'gpt'"),
        ('[{ id = "mine", rule = "majority" }]', "one vote has no majority"),
        ('[{ id = "mine", orders = "both" }]', "two orders can disagree"),
        ('[{ id = "S3", quorum = 4 }]', "quorum] strategy S3: is 4, and 3 votes are cast"),
        ('[{ id = "mine", rule = "agree_or_tie" }]', "compares both orders"),
        ('[{ id = "S1", temperatures = [0.0, 1.0] }]', "2 votes are cast"),
        ('[{ id = "mine", rule = "mean_scores" }]', "'plain' asks for no scores to average"),
        ('[{ id = "S2", temperatures = [3.0] }]', "less than or equal to 2"),
        ('[{ id = "mine", rul = "majority" }]', "unknown key; did you mean 'rule'?"),
        ('[{ id = "mine", rule = "majorty" }]', "did you mean 'majority'?"),
        ("[3]", "strategies"),
        ('"S1"', "it must be a list"),
    ],
)
def test_what_cannot_be_is_refused_with_what_can(strategies, said):
    assert said in problem(strategies)


def test_the_only_judge_cannot_be_the_stronger_one():
    said = problem('[{ id = "escalation", stronger = "script" }]', more="")
    assert "strategies[1].stronger] strategy escalation: is the first judge itself" in said


def test_a_panel_needs_two_judges():
    assert "a panel of one (script) is that judge alone" in problem('["S3"]', more="")


def test_a_reference_that_every_strategy_sees_is_refused():
    text = PROTOCOL.format(judge="", more="").replace("[question]", 'strategies=["S6"]\n[question]')
    with pytest.raises(ProtocolError, match="shows that to every other strategy"):
        protocol_from_toml(text, "p.toml")


def test_temperatures_that_the_judge_rejects_are_refused():
    judge = 'api = "messages"\nmodel = "m-20261130"\nmax_tokens = 64'
    text = PROTOCOL.format(judge=judge, more="").replace('kind = "scripted"', 'kind = "http"')
    given = '[{ id = "S2", temperatures = [0.0, 0.7, 1.5] }]'
    text = text.replace("[question]", f"strategies = {given}\n[question]")
    with pytest.raises(ProtocolError, match=r"1\.5 is asked for, and judge 'script' takes 0 to 1"):
        protocol_from_toml(text, "p.toml")


def test_votes_at_several_temperatures_need_a_temperature_that_is_kept():
    judge = 'model = "m"\ntemperature = 0.0\ndroppable = ["temperature"]'
    text = PROTOCOL.format(judge=judge, more="").replace('kind = "scripted"', 'kind = "http"')
    text = text.replace("[question]", 'strategies = ["S2"]\n[question]')
    with pytest.raises(ProtocolError, match="may drop its temperature"):
        protocol_from_toml(text, "p.toml")


def test_a_prompt_gets_the_room_it_needs_and_never_less():
    whole = protocol('["S5"]', judge="max_tokens = 40\n")
    (low,) = (j for j in whole.judges if j.name == "script")
    assert whole.reply_limit("script", "reasoning") == INSTRUCTIONS["reasoning"]["reply_tokens"]
    assert whole.reply_limit("script", "") is None
    assert whole.reply_limit("other", "reasoning") is None
    assert whole.settings_under(low, "reasoning").digest != low.digest
