"""What random assignment does by itself, against exact fractions."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import pytest

from commands import command_here, is_one_clear_line
from counterbalance.lab.assignment import LARGEST_N, balanced_counts, independent_counts


@pytest.mark.parametrize(
    ("n", "p"),
    [(20, 0.5), (1, 0.3), (200, 0.5), (200, 0.01), (LARGEST_N, 0.97), (7, 0.0), (7, 1.0)],
)
def test_it_is_the_exact_distribution(n, p):
    counts = independent_counts(n, p)
    chance = Fraction(p)
    exact = [math.comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(n + 1)]
    assert counts.probabilities == pytest.approx([float(each) for each in exact], rel=1e-9)
    assert math.fsum(counts.probabilities) == pytest.approx(1)
    mean = sum(k * each for k, each in enumerate(exact))
    assert counts.mean == pytest.approx(float(mean))
    variance = sum(k * k * each for k, each in enumerate(exact)) - mean**2
    assert counts.variance == pytest.approx(float(variance), abs=1e-12)


def test_twenty_draws_need_not_give_ten():
    counts = independent_counts(20, 0.5)
    assert (counts.mean, counts.variance) == (10, 5)
    assert round(counts.probabilities[10], 4) == 0.1762
    assert counts.at_least_as_far(10) == 1
    # Both tails count, and the count itself.
    assert counts.at_least_as_far(13) == pytest.approx(2 * sum(counts.probabilities[13:]))


@pytest.mark.parametrize(("n", "variance"), [(20, 0), (21, 0.25), (1, 0.25)])
def test_balance_leaves_only_the_odd_one_to_chance(n, variance):
    counts = balanced_counts(n)
    assert counts.variance == variance
    assert math.fsum(counts.probabilities) == 1
    assert sum(k * each for k, each in enumerate(counts.probabilities)) == counts.mean == n / 2


def test_json_says_what_the_page_says():
    ended = command_here("lab", "--json", "--n", 20, "--p", 0.5)
    told = json.loads(ended.out)
    assert ended.code == 0
    assert told["schema"] == "counterbalance.lab/1"
    assert round(told["independent"]["counts"][10]["probability"], 4) == 0.1762
    assert told["balanced"]["counts"][10]["probability"] == 1
    assert len(told["not_modelled"]) == 3


@pytest.mark.parametrize(
    "words", [("--n", 0), ("--n", LARGEST_N + 1), ("--p", 1.5), ("--p", "nan")]
)
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_what_is_no_number_of_draws_is_one_clear_line(words, form, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ended = command_here("lab", *words, *form)
    assert ended.code == 2
    assert is_one_clear_line(ended)
    assert list(tmp_path.iterdir()) == []


def test_the_page_is_written_where_it_is_wanted(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ended = command_here("lab")
    assert "exactly 10 in the first slot: 0.1762" in ended.out
    assert (tmp_path / "counterbalance-lab.html").exists()
    once = (tmp_path / "counterbalance-lab.html").read_bytes()
    assert command_here("lab").code == 0
    assert (tmp_path / "counterbalance-lab.html").read_bytes() == once
    missing = command_here("lab", "--html", tmp_path / "no" / "lab.html")
    assert missing.code == 2
    assert is_one_clear_line(missing)
