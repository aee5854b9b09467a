"""Normalised text, and the way back."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbalance.parsing.normalise import label_key, normalise, without_marks

ODD = st.text(
    st.sampled_from("aB[]\u200b\u0301\u0327eＢ【】ﬁ㍿\u1100\u1161\u11a8\ud800か\uff9e½ ﷺ⟦")
)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("plain", "plain"),
        ("ＡＢ", "AB"),
        ("e\u0301", "é"),
        ("\u1112\u1161\u11ab", "한"),
        ("か\uff9e", "が"),
        ("【⟦x⟧】", "[[[x]]]"),
        ("a\u2028b\u2029c\x85d", "a\nb\nc\nd"),
        ("\u202e\u2066x\u2069\u202c", "x"),
        ("x\ufe0f", "x"),
        ("\ud800", "\ufffd"),
        ("½", "1⁄2"),
        ("", ""),
    ],
)
def test_text(text, wanted):
    assert normalise(text).text == wanted


@given(ODD | st.text())
def test_every_span_is_inside(text):
    for source in (normalise(text), without_marks(text)):
        for i in range(len(source.text)):
            start, end = source.received_span(i, i + 1)
            assert 0 <= start < end <= len(text)


@given(ODD | st.text())
def test_a_span_gives_back_what_it_was_made_from(text):
    source = normalise(text)
    if source.text:
        start, end = source.received_span(0, len(source.text))
        assert normalise(text[start:end]).text == source.text


@given(st.text(), st.text())
def test_places_behind_a_change_are_right(before, after):
    needle = "[[needle]]"
    text = f"{before}\n{needle}\n{after}"
    source = normalise(text)
    place = source.text.find(needle, len(normalise(before + "\n").text) - 1)
    assert text[slice(*source.received_span(place, place + len(needle)))] == needle


@given(st.text())
def test_a_second_time_changes_no_label(text):
    assert label_key(label_key(text)) == label_key(text)


@given(st.text(st.characters(categories=["L", "N"]), max_size=6))
def test_both_forms_of_a_label_are_one(text):
    assert label_key(unicodedata.normalize("NFD", text)) == label_key(text)
    assert label_key(f"\u200b{text}\u2060") == label_key(text)


def test_marks_only():
    source = without_marks('{"a":"＂\u200b"}')
    assert source.text == '{"a":"＂"}'
    assert source.received_span(5, 8) == (5, 9)
