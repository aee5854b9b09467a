"""Likelihood scores under both reductions, and files that are refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from builders import pair
from commands import command_here
from counterbalance.errors import InputError
from counterbalance.importers.likelihoods import answer_likelihoods
from counterbalance.measures.likelihood import (
    AnswerLikelihoods,
    Reduction,
    has_likelihood_target,
    likelihood_score,
)
from counterbalance.probes.catalogue import PROBES
from probes.planted import source, write_battery

if TYPE_CHECKING:
    from pathlib import Path


def test_the_sum_favours_short_answers_and_the_mean_need_not() -> None:
    pairs = [pair(f"p{i}") for i in range(12)]
    longer = AnswerLikelihoods(a=(-0.5,) * 9, b=(-1.0,) * 3)
    told = {p.id: longer for p in pairs[:10]}
    by_sum, missing = likelihood_score(PROBES["expanded"], pairs, told, Reduction.SUM)
    by_mean, _ = likelihood_score(PROBES["expanded"], pairs, told, Reduction.MEAN)
    assert (by_sum.value, by_mean.value, missing) == (-1, 1, 2)
    assert by_sum.denominator == 10


def test_equal_likelihoods_prefer_neither_and_slots_have_none() -> None:
    equal = {"p1": AnswerLikelihoods((-1.0,), (-1.0,))}
    found, _ = likelihood_score(PROBES["markdown"], [pair()], equal, Reduction.SUM)
    assert found.value == 0
    nothing, missing = likelihood_score(PROBES["markdown"], [pair()], {}, Reduction.SUM)
    assert (nothing.value, missing) == (None, 1)
    assert not has_likelihood_target(PROBES["identical"])


def test_the_verb_shows_both_reductions_by_name(tmp_path: Path) -> None:
    path = write_battery(tmp_path, ["expanded", "identical"], rows=[source(i) for i in range(10)])
    file = tmp_path / "l.jsonl"
    rows = [{"pair": f"p{i}~expanded", "a": [-0.5] * 9, "b": [-1.0] * 3} for i in range(10)]
    file.write_text("\n".join(map(json.dumps, rows)))
    shown = command_here("bias", path, "--likelihoods", file, "--quiet")
    assert shown.code == 0, shown.err
    assert "expanded  sum             -1.00" in shown.out
    assert "expanded  mean per token  +1.00" in shown.out
    value = json.loads(command_here("bias", path, "--likelihoods", file, "--quiet", "--json").out)
    assert [cell["reduction"] for cell in value["likelihoods"]] == ["sum", "mean per token"]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('{"pair": "q", "a": [-1], "b": [-1]}', "which is no pair of the battery"),
        ('{"pair": "p", "a": [-1]}', "needs the keys"),
        ('{"pair": "p", "a": [], "b": [-1]}', "no list of log-probabilities"),
        ('{"pair": "p", "a": [0.5], "b": [-1]}', "0 or less"),
        ('{"pair": "p", "a": [true], "b": [-1]}', "0 or less"),
        ('{"pair": "p", "a": ["x"], "b": [-1]}', "0 or less"),
        ("{", "line 1"),
        ("[]", "needs the keys"),
        ('{"pair": "p", "a": [-1], "b": [-1]}\n' * 2, "line 2 repeats"),
    ],
)
def test_a_bad_line_is_refused(tmp_path: Path, line: str, found: str) -> None:
    file = tmp_path / "l.jsonl"
    file.write_text(line)
    with pytest.raises(InputError, match=found):
        answer_likelihoods(file, {"p"})
