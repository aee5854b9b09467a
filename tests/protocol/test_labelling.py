import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from counterbalance.items.frames import Slot
from counterbalance.parsing.normalise import label_key
from counterbalance.protocol.labelling import LABEL_PATTERN, Label, Labelling, spoken

LABEL = TypeAdapter(Label)


@pytest.mark.parametrize(
    "label",
    [
        "1",
        "A",
        "Output (a)",
        "(a)",
        "answer_1",
        "Assistant A",
        "Antwort 1",
        "Ä",
        "答1",
        "v1.2",
        "A+B",
    ],
)
def test_labels_that_judges_are_shown_elsewhere_are_allowed(label):
    assert LABEL.validate_python(label) == label


@pytest.mark.parametrize(
    "label",
    [
        "", " A", "A ", "A  B", "A\n", "A\tB", "[A]", "{A}", "<A>", '"A"', "'A'", "A|B", "A/B",
        "A&B", "A=B", "A>B", "A:B", "*A*", "`A`", "$A$", "\\A", "-1", "A.", "_", "①", "Ａ", "“A”",
        "A\u200b", "A\u00a0B", "()", "+", "A" * 41, "A\x00",
    ],
)  # fmt: skip
def test_a_label_that_a_verdict_could_not_be_read_from_is_refused(label):
    with pytest.raises(ValidationError):
        LABEL.validate_python(label)


def test_editors_can_compile_the_pattern():
    # With the u flag, which JSON schema asks for, ECMAScript allows these escapes and no others.
    assert set(re.findall(r"\\(.)", LABEL_PATTERN)) <= set("s[]\\")


@given(st.text(max_size=12) | st.text("aZ19Äßıſﬁ²Ⅳ(). -_+#%@ϒéé़ᅟ", max_size=6))
def test_labels_are_the_same_where_a_reader_takes_them_for_the_same(text):
    try:
        label = LABEL.validate_python(text)
    except ValidationError:
        return
    assert spoken(label) == label_key(label)


@pytest.mark.parametrize(("first", "second"), [("A", "a"), ("ß", "SS"), ("1", "1")])
def test_two_slots_need_two_labels(first, second):
    with pytest.raises(ValidationError, match="both slots are called"):
        Labelling(first=first, second=second)


def test_a_labelling_names_both_slots_in_display_order():
    labelling = Labelling(first="2", second="1")
    assert labelling.name == "2/1"
    assert labelling.label(Slot.FIRST) == "2"
    assert labelling.label(Slot.SECOND) == "1"
