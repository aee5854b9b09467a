"""Formats with a word or a marker: every case of the specification, and more of each kind."""

from __future__ import annotations

import pytest

from counterbalance.protocol.labelling import Labelling

DIGITS = Labelling(first="1", second="2")
FROM_ZERO = Labelling(first="0", second="1")
OUTPUTS = Labelling(first="Output (a)", second="Output (b)")
GRADE = r"(?i)(?:answer|grade):\s*(?P<label>\w+)"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("[RESULT] B.", "second"),
        ("[RESULT] B", "second"),
        ("Feedback: good. [RESULT] A [RESULT] B", "second"),
        ("**[RESULT]** B", "second"),
        ("[result]: **B**", "second"),
        ("[RESULT]\nB", "second"),
        ("[RESULT] [[B]]", "second"),
        ("[RESULT] B is better", "unparsed"),
        ("[RESULT] D", "off_scale"),
        ("[RESULT] A. On reflection [RESULT] both are fine", "unparsed"),
        ("[RESULT]", "unparsed"),
        ("RESULT: B", "unparsed"),
        ("Result B", "unparsed"),
    ],
)
def test_result(read, text, kind):
    assert read(text, format="result").kind.value == kind


@pytest.mark.parametrize("text", ["RESULT: B", "Final result: **B**", "**Result:** B"])
def test_result_lenient(read, text):
    assert read(text, format="result", lenient=True).kind.value == "second"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (r"\boxed{B}", "second"),
        (r"$\boxed{\text{B}}$", "second"),
        (r"\boxed{\mathbf{\text{B}}}", "second"),
        (r"\boxed{A} no: \boxed{B}", "second"),
        (r"\boxed{[[B]]}", "second"),
        (r"\boxed{x + 1 = 2}", "unparsed"),
        (r"\boxed{42}", "off_scale"),
        (r"\boxed{B", "unparsed"),
        ("boxed{B}", "unparsed"),
        (r"\fbox{B}", "unparsed"),
    ],
)
def test_boxed(read, text, kind):
    assert read(text, format="boxed").kind.value == kind


@pytest.mark.parametrize("text", ["boxed{B}", "\x08oxed{B}", r"\fbox{B}", r"\fboxed{B}"])
def test_boxed_lenient(read, text):
    assert read(text, format="boxed", lenient=True).kind.value == "second"


@pytest.mark.parametrize(
    ("text", "labels", "kind"),
    [
        ("I compared the 2 outputs. The best one is 1", DIGITS, "first"),
        ("I compared the 2 outputs. The best one is 1", FROM_ZERO, "second"),
        ("I compared the 2 outputs. The best one is 1.", DIGITS, "first"),
        ("I compared the 2 outputs.", DIGITS, "unparsed"),
        ("2", DIGITS, "second"),
        ("**2**", DIGITS, "second"),
        ("２", DIGITS, "second"),
        ("(2).", DIGITS, "second"),
        ("Reasons.\n\n2\n", DIGITS, "second"),
        ("Answer: 2", DIGITS, "second"),
        ("I choose output 2.", DIGITS, "second"),
        ("The winner is **Output 2**.", DIGITS, "second"),
        ("Output 1 is better than output 2.", DIGITS, "unparsed"),
        ("The first clearly beats 2", DIGITS, "unparsed"),
        ("The winner is not 2", DIGITS, "unparsed"),
        ("The worse one is 2", DIGITS, "unparsed"),
        ("It isn't 2", DIGITS, "unparsed"),
        ("1 or 2", DIGITS, "unparsed"),
        ("1.5", DIGITS, "off_scale"),
        ("3", DIGITS, "off_scale"),
        ("01", DIGITS, "off_scale"),
        ("-1", DIGITS, "off_scale"),
        ("12", DIGITS, "off_scale"),
        ("The best one is 12", DIGITS, "off_scale"),
        ("The best one is 1.2", DIGITS, "off_scale"),
        ("1 is my choice", DIGITS, "unparsed"),
        ("tie", DIGITS, "tie"),
        ("<think>2</think>1", DIGITS, "first"),
    ],
)
def test_number(read, text, labels, kind):
    assert read(text, labels, format="number", tie="tie").kind.value == kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("A", "first"),
        ("A.", "first"),
        (" a\n", "first"),
        ("**A**", "first"),
        ("[[A]]", "first"),
        (r"\boxed{A}", "first"),
        ('"A"', "first"),
        ("<think>B</think>A", "first"),
        ("C", "tie"),
        ("D", "off_scale"),
        ("Draw", "off_scale"),
        ("CI", "unparsed"),
        ("GRADE: CI", "unparsed"),
        ("Answer: C.", "unparsed"),
        ("Yes, it is wrong", "unparsed"),
        ("NOT A", "unparsed"),
        ("A B", "unparsed"),
        ("A\nB", "unparsed"),
        ("A?", "unparsed"),
        ("Answer", "unparsed"),
    ],
)
def test_choice(read, text, kind):
    assert read(text, format="choice", tie="C").kind.value == kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Answer: C.", "tie"),
        ("GRADE: CI", "unparsed"),
        ("no reason to downgrade: it is. GRADE: C", "tie"),
        ("Reasons first.\n\n**Final verdict:** B", "second"),
        ("The better one is: A", "unparsed"),
        ("My choice is: A", "first"),
        ("Because.\nA", "first"),
        ("A\nbecause it is good", "unparsed"),
        ("no reason to downgrade: C", "unparsed"),
        ("Verdict: D", "off_scale"),
        ("Verdict: A or B", "unparsed"),
    ],
)
def test_choice_lenient(read, text, kind):
    assert read(text, format="choice", tie="C", lenient=True).kind.value == kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Answer: C.", "tie"),
        ("GRADE: CI", "unparsed"),
        ("no reason to downgrade: it is. GRADE: C", "tie"),
        ("GRADE: A ... GRADE: B", "second"),
        ("GRADE: A ... GRADE: unclear", "unparsed"),
        ("GRADE: D", "off_scale"),
        ("GRADE: \u200bＢ", "second"),
        ("Yes, it is wrong", "unparsed"),
    ],
)
def test_regex(read, text, kind):
    assert read(text, format="regex", pattern=GRADE, tie="C").kind.value == kind


def test_labels_match_whole(read):
    words = Labelling(first="SUCCESS", second="FAILURE")
    assert read("NOT SUCCESS", words, format="choice").kind.value == "unparsed"
    assert read("success", words, format="choice").kind.value == "first"
    assert read("[[NOT SUCCESS]]", words).kind.value == "unparsed"


def test_an_echoed_label_in_prose_is_no_verdict(read):
    text = "The text says that Output (b) is the winner"
    for format_id in ("bracket", "choice", "tag", "json", "result", "boxed"):
        outcome = read(text, OUTPUTS, format=format_id, echoes=("Output (b) is the winner", ""))
        assert outcome.kind.value == "unparsed"
    assert read("Output (b)", OUTPUTS, format="choice").kind.value == "second"
    assert read("**Output (b)**.", OUTPUTS, format="choice").kind.value == "second"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("<verdict>A</verdict>", "first"),
        ("<Verdict> **a** </VERDICT>", "first"),
        ("<verdict>\nA\n</verdict>", "first"),
        ("<verdict>A</verdict> no, <verdict>B</verdict>", "second"),
        ("<verdict><verdict>A</verdict>", "first"),
        ("<verdict>A or B</verdict>", "unparsed"),
        ("<verdict>D</verdict>", "off_scale"),
        ("<verdict>A", "unparsed"),
        ('<verdict x="1">A</verdict>', "unparsed"),
        ("&lt;verdict&gt;A&lt;/verdict&gt;", "unparsed"),
        ("<verdicts>A</verdicts>", "unparsed"),
        ("<verdict><b>A</b></verdict>", "first"),
    ],
)
def test_tag(read, text, kind):
    assert read(text, format="tag").kind.value == kind


@pytest.mark.parametrize(
    "text", ["<verdict>A", '<verdict x="1">A</verdict>', "< verdict >A</ verdict >"]
)
def test_tag_lenient(read, text):
    assert read(text, format="tag", lenient=True).kind.value == "first"


@pytest.mark.parametrize(
    ("text", "secret", "kind"),
    [
        ('<verdict id="k7">A</verdict> B says <verdict>B</verdict>', "k7", "first"),
        ('<verdict id="k8">A</verdict>', "k7", "unparsed"),
        ("<verdict id=k7>A</verdict>", "k7", "first"),
        ("<verdict>A</verdict>", "k7", "unparsed"),
        ('<verdict id="">A</verdict>', "", "unparsed"),
        ("<verdict>A</verdict>", "", "unparsed"),
        ('<verdict id="xk7">A</verdict>', "k7", "unparsed"),
    ],
)
def test_tag_nonce(read, text, secret, kind):
    assert read(text, format="tag", nonce=True, secret=secret, lenient=True).kind.value == kind
