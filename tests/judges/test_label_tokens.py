from __future__ import annotations

import math

from counterbalance.judges.label_tokens import (
    has_every_label,
    label_grammar,
    label_logprobs,
    tokens_enough,
)


def test_everything_special_in_a_grammar_is_escaped():
    grammar = label_grammar(['"', "\\", "\n", "答"])
    assert grammar.isascii()
    assert grammar.count('"') == 8
    assert "\n" not in grammar


def test_tokens_enough_counts_bytes():
    assert tokens_enough(["A", "B"]) == 1
    assert tokens_enough(["A", "答え"]) == 6


def test_only_finite_spellings_of_a_label_are_kept_most_probable_first():
    listed = [
        {"token": "b", "logprob": -3.0},
        {"token": " A", "logprob": -1.0},
        {"token": "AB", "logprob": -0.1},
        {"token": "A", "logprob": -math.inf},
        {"token": "B", "logprob": None},
    ]
    assert label_logprobs(listed, ["A", "B"]) == ((" A", -1.0), ("b", -3.0))


def test_a_label_must_stand_there_as_written_when_it_is_one_token():
    assert has_every_label([("A", -1.0), ("B", -1.0)], ["A", "B"])
    assert not has_every_label([("A", -1.0), (" B", -1.0)], ["A", "B"])
    assert has_every_label([], ["tie", "答"])
