"""Prompts that exchange the answers and nothing else are told from those that differ."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbalance.importers.exchange import Marks, exchanged, settings_between, settings_of

texts = st.text("abA: .", min_size=1, max_size=6)
parts = st.text("abA: .", max_size=6)


@given(texts, texts, parts, parts, parts)
def test_a_true_exchange_is_always_seen(a: str, b: str, start: str, middle: str, end: str) -> None:
    forward, backward = start + a + middle + b + end, start + b + middle + a + end
    assert exchanged(forward, backward, a, b) is True


@given(texts, texts, parts, parts)
def test_another_length_is_no_exchange(a: str, b: str, start: str, end: str) -> None:
    forward = f"{start}{a}|{b}{end}"
    assert exchanged(forward, f"{start}{b}|{a}{end}!", a, b) is False


def test_answers_that_are_not_in_the_prompts_tell_nothing() -> None:
    assert exchanged("One", "Two", "a", "b") is None
    assert settings_of(("One", "Two"), ("a", "b")) == ("", "")
    assert settings_of(("", ""), ("a", "b"), ("gpt-4", "gpt-4")) == ("gpt-4", "gpt-4")


def test_what_else_differs_is_part_of_the_setting() -> None:
    prompts, answers = ("a then b", "b then a"), ("a then", "b")
    same = settings_of(("x: 1, 2.", "x: 2, 1."), ("1", "2"))
    assert same[0] == same[1] != ""
    facts = settings_of(("x: 1, 2.", "x: 2, 1."), ("1", "2"), ("m1", "m2"))
    assert facts[0] != facts[1]
    assert settings_of(prompts, answers)[0] == ""
    differ = settings_of(("x: 1, 2.", "y: 2, 1."), ("1", "2"))
    assert differ[0] != differ[1]


MARKS = (Marks("<1>", "<2>", "<3>"), Marks("{", "|", "}", ("A:", "B:")))
plain = st.text("xyz .\n", max_size=6)


@given(plain, plain, plain, plain)
def test_an_exchange_between_marks_is_always_seen(a: str, b: str, start: str, end: str) -> None:
    one, other = settings_between(
        (f"{start}<1>{a}<2>{b}<3>{end}", f"{start}<1>{b}<2>{a}<3>{end}"), MARKS
    )
    assert one == other != ""
    same = settings_between((f"{start}{{A:{a}|B:{b}}}", f"{start}{{A:{b}|B:{a}}}"), MARKS)
    assert same[0] == same[1] != ""


@given(plain, plain, plain)
def test_other_words_around_the_answers_are_a_difference(a: str, b: str, start: str) -> None:
    one, other = settings_between((f"{start}<1>{a}<2>{b}<3>", f"{start}<1>{b}<2>{a}<3>!"), MARKS)
    assert one != other


@pytest.mark.parametrize(
    "prompts",
    [
        ("", "<1>a<2>b<3>"),
        ("<1>a<2>b", "<1>b<2>a"),
        ("<1>a<2>b<3>", "{b|a}"),
        ("<1>a<2>x<2>b<3>", "<1>b<2>a<2>x<3>"),
        ("<3>a<2>b<1>", "<3>b<2>a<1>"),
    ],
)
def test_marks_that_are_missing_or_quoted_tell_nothing(prompts: tuple[str, str]) -> None:
    assert settings_between(prompts, MARKS) == ("", "")
    assert settings_between(prompts, MARKS, ("gpt-4", "gpt-4")) == ("gpt-4", "gpt-4")
