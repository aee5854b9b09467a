"""Repetitions of a strategy as decisions of their own: together they make what it made of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from counterbalance.dispositions.strategy_blocks import decisions_of
from counterbalance.record import open_record
from counterbalance.report.evidence import read_evidence
from studies import run, write_study

STRATEGIES = """strategies = [
    { id = "thrice", repetitions = 3, rule = "majority" },
    { id = "warm", temperatures = [0.0, 1.0], repetitions = 2, rule = "majority" },
    { id = "both", orders = "both", repetitions = 3, rule = "majority" },
]

[question]"""


@pytest.fixture(scope="module")
def evidence(tmp_path_factory):
    path = write_study(tmp_path_factory.mktemp("blocks"), 12, judge="noise = 0.4\ntie_rate = 0.1")
    path.write_text(path.read_text("utf-8").replace("[question]", STRATEGIES, 1), "utf-8")
    run(path)
    with open_record(path.with_suffix(".record.sqlite"), create=False, exclusive=False) as store:
        return read_evidence(store)


def row_of(evidence, name, **changes):
    found = next(f for f in evidence.strategies if f.row.strategy.id == name)
    planned = found.row.strategy.model_copy(update=changes)
    return found, replace(found.row, strategy=planned)


@pytest.mark.parametrize(("name", "rule"), [("thrice", "as_is"), ("both", "agree_or_tie")])
def test_each_repetition_decides_and_most_of_them_make_the_majority(evidence, name, rule):
    found, row = row_of(evidence, name, repetitions=1, rule=rule)
    decided = decisions_of(row, found, evidence.protocol)
    assert any(len({result.value for result in each}) > 1 for each in decided)
    for each, whole in zip(decided, found.results, strict=True):
        assert len(each) == 3
        value, n = Counter(result.value for result in each).most_common(1)[0]
        assert whole.value == (value if n > 1 else "tie")


def test_a_block_holds_as_many_votes_as_the_strategy_casts(evidence):
    found, row = row_of(evidence, "warm", repetitions=1)
    decided = decisions_of(row, found, evidence.protocol)
    assert {len(each) for each in decided} == {2}
    assert {result.n_votes for each in decided for result in each} == {2}
    assert sum(result.n_votes for each in decided for result in each) == sum(
        result.n_votes for result in found.results
    )


def test_what_fills_no_block_is_left_out(evidence):
    found, row = row_of(evidence, "thrice", repetitions=2)
    decided = decisions_of(row, found, evidence.protocol)
    assert {len(each) for each in decided} == {1}
    assert {result.n_votes for each in decided for result in each} == {2}


def test_as_many_repetitions_as_planned_are_the_result_itself(evidence):
    found, row = row_of(evidence, "thrice")
    assert decisions_of(row, found, evidence.protocol) == tuple((r,) for r in found.results)
