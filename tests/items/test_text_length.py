"""Lengths and marks of texts of any script."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterbalance.items.text_length import LENGTH_UNITS, length_in, n_characters, n_tokens
from counterbalance.items.text_style import TextStyle, style_of

FENCE = "```"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("   \n\t", 0),
        ("Yes", 1),
        ("Yes.", 2),
        ("It isn't 3.5 km!", 9),
        ("snake_case", 3),
        ("naïve café", 2),
        ("cafe\u0301", 1),
        ("Да, конечно.", 4),
        ("नमस्ते दुनिया", 2),
        ("안녕하세요 세계", 2),
        ("你好，世界。", 6),
        ("これはペンです", 7),
        ("iPhone手机", 3),
        ("สวัสดี", 4),
        ("مرحبا بالعالم", 2),
        ("a\u200bb", 2),
        ("👍🏽 ok", 3),
        ("½ x²", 2),
        ("half \ud800 pair", 3),
    ],
)
def test_tokens_of_every_script(text, tokens):
    assert n_tokens(text) == tokens


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_one_odd_sign_does_not_change_how_the_rest_is_counted(text):
    # Plain English takes a quicker way, which must count alike.
    assert n_tokens(text + " é") == n_tokens(text) + 1


@given(st.text(), st.text())
def test_texts_side_by_side_add_up(one, other):
    assert n_tokens(f"{one} {other}") <= n_tokens(one) + n_tokens(other)
    assert n_characters(one + other) == n_characters(one) + n_characters(other)


def test_a_unit_says_what_counts_it():
    assert [length_in(unit)("one two") for unit in LENGTH_UNITS] == [7, 2]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("plain words, 3 * 4, snake_case and #hashtag", TextStyle(0, 0, 0)),
        ("# One\n\ntext\n\n## Two", TextStyle(2, 0, 0)),
        ("Title\n=====\n\ntext", TextStyle(1, 0, 0)),
        ("- a\n- b\n  - c\n\n1. d", TextStyle(0, 4, 0)),
        ("**b** and __b__ and *i* and ***bi***", TextStyle(0, 0, 3)),
        (f"{FENCE}\n# no\n- no\n**no**\n{FENCE}", TextStyle(0, 0, 0)),
        (f"{FENCE}md\n# never closed\n- no", TextStyle(0, 0, 0)),
        ("    # indented code\n    - no", TextStyle(0, 0, 0)),
        ("`**no**` and \\*\\*no\\*\\*", TextStyle(0, 0, 0)),
        ("> # quoted\n> - item", TextStyle(1, 1, 0)),
        ("- **bold** item\n- # heading", TextStyle(1, 2, 1)),
        ("[**bold** link](http://x)", TextStyle(0, 0, 1)),
        ("**粗体** и **жирный**", TextStyle(0, 0, 2)),
        ("not \\# heading", TextStyle(0, 0, 0)),
    ],
)
def test_marks_are_what_markdown_reads(text, found):
    assert style_of(text) == found


@settings(max_examples=40)
@given(st.text(max_size=100))
def test_any_text_has_a_style(text):
    found = style_of(text)
    assert min(found.headers, found.lists, found.bold) >= 0
    assert style_of(f"{FENCE}\n{text.replace('`', '')}\n{FENCE}") == TextStyle(0, 0, 0)
