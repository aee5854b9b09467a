"""Marks add up to the texts, and are where the texts differ."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from counterbalance.review.word_diff import MOST_WORDS, word_diff


@given(st.text(max_size=60), st.text(max_size=60))
def test_marks_add_up_to_the_texts(first, second):
    found = word_diff(first, second)
    for text, runs in zip((first, second), found, strict=True):
        assert "".join(run.text for run in runs) == text
    assert "".join(r.text for r in found[0] if not r.is_own) == "".join(
        r.text for r in found[1] if not r.is_own
    )


def test_equal_texts_have_no_mark():
    for runs in word_diff("the same\ntext", "the same\ntext"):
        assert not any(run.is_own for run in runs)


def test_long_texts_are_not_compared():
    assert word_diff("word " * (MOST_WORDS + 1), "word") is None
