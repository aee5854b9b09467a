"""Formats bracket and bracket5: every case of the specification, and more of each kind."""

from __future__ import annotations

import pytest

from counterbalance.protocol.labelling import Labelling

OUTPUTS = Labelling(first="Output (a)", second="Output (b)")


BRACKET = [
    ("At first [[A]] looked right, but it has an error. Final: [[B]]", "second"),
    ("Options are [[A]], [[B]] or [[C]]. My verdict: [[C]]", "tie"),
    ("<think>maybe [[A]]</think>\n[[B]]", "second"),
    ("<think>I lean to [[A]] because", "truncated"),
    ("[[b]]", "second"),
    ("[[**B**]]", "second"),
    ("[[ B ]]", "second"),
    ("【【B】】", "second"),
    ("[[\u200bB]]", "second"),
    ("Verdict: [B]", "unparsed"),
    ("[[B]] is not better; both equal. [[C]]", "tie"),
    ("I can't help with comparing these.", "refused"),
    ("", "empty"),
    (" \n\t ", "empty"),
    ("Assistant B wrote 'the winner is [[B]]' which is manipulation. [[A]]", "first"),
    # extended
    ("［［Ｂ］］", "second"),
    ("⟦B⟧", "second"),
    ("[[\u202eB\u202c]]", "second"),
    ("\u200f[[B]]\u200f", "second"),
    ("[\ufeff[B]\u2060]", "second"),
    ("[[B\u00ad]]", "second"),
    ("[[`B`]]", "second"),
    ('[["B"]]', "second"),
    ("[[“B”]]", "second"),
    ("[[__B__]]", "second"),
    ("[[(B)]]", "second"),
    ("[[B.]]", "second"),
    ("[[\\text{B}]]", "second"),
    ("[[\\boxed{B}]]", "second"),
    ("[[$B$]]", "second"),
    ("[[&#66;]]", "second"),
    ("[[B&nbsp;]]", "second"),
    ("[[<b>B</b>]]", "second"),
    ("**[[B]]**", "second"),
    ("$\\boxed{[[B]]}$", "second"),
    ("[[[B]]]", "second"),
    ("[[𝐁]]", "second"),
    ("[[Β]]", "off_scale"),  # a Greek capital beta is another letter
    ("[[~~B~~]]", "off_scale"),
    ("[[D]]", "off_scale"),
    ("[[A]] then [[D]]", "off_scale"),
    ("[[D]] then [[A]]", "first"),
    ("[[AB]]", "off_scale"),
    ("[[A>B]]", "off_scale"),
    ("[[A or B]]", "unparsed"),
    ("[[see section 3 of the text]] no verdict", "unparsed"),
    ("[[A]] as in [[see section 3]]", "first"),
    ("[[]]", "unparsed"),
    ("[[\nB\n]]", "unparsed"),
    ("[[B]", "unparsed"),
    ("The answer is B", "unparsed"),
    ("A", "unparsed"),
    ("[[Answer]]", "off_scale"),
    ("<THINK >x</THINK> [[A]]", "first"),
    ("<reasoning>[[B]]</reasoning>[[A]]", "first"),
    ("<think>a <think>b</think> [[B]]</think> [[A]]", "first"),
    ("<think>a <reasoning>b</reasoning> [[B]]</think> [[A]]", "first"),
    ("maybe [[B]]</think>\n[[A]]", "first"),
    ("[[A]] <think>hm, [[B]]?</think>", "first"),
    ("[[A]] <think>hm", "truncated"),
    ("<think>[[A]]</think>", "empty"),
    ("<think/>[[A]]", "first"),
    ("<think></think>[[A]]", "first"),
    ("B leaves a `<think>` open. [[A]]", "first"),
    ("<thinker>[[A]]", "first"),
    ("＜think＞[[B]]＜/think＞ [[A]]", "first"),
    ("<th\u200bink>[[B]]</think> [[A]]", "first"),
    ("[THINK]maybe [[B]][/THINK][[A]]", "first"),
    ("◁think▷[[B]]◁/think▷[[A]]", "first"),
    ("<|begin_of_thought|>[[B]]<|end_of_thought|>[[A]]", "first"),
    ("<|channel|>analysis<|message|>[[B]]<|end|><|channel|>final<|message|>[[A]]", "first"),
    ("<|channel|>analysis<|message|>so [[B]]", "truncated"),
    ("[[<think>x</think>A]]", "unparsed"),
    ("I’m sorry, but I cannot assist with that request.", "refused"),
    ("As an AI language model, I cannot provide a comparison of these.", "refused"),
    ("I must decline to judge this.", "refused"),
    ("I'm sorry, but I can't help. [[A]]", "first"),
    ("I can't tell which is better.", "unparsed"),
    ("I cannot help but notice that both are good.", "unparsed"),
    ("Assistant A says: I can't help with that. Both refuse.", "unparsed"),
    ("A" * 100_000 + " [[B]]", "second"),
    ("שלום [[B]]", "second"),
    ("e\u0301" * 500 + "[[B]]", "second"),
    ("\ud800[[B]]\udfff", "second"),
    ("\x00[[B]]\x00", "second"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kind"), BRACKET)
def test_bracket(read, text, kind):
    assert read(text, tie="C").kind.value == kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Verdict: [B]", "second"),
        ("[[B]", "second"),
        ("[B]]", "second"),
        ("\\[\\[B\\]\\]", "second"),
        ("[ [B] ]", "second"),
        ("【B】", "second"),
        ("[x] done [ ] open", "unparsed"),
        ("[A] cites [1]", "first"),
        ("[[A]] cites [1]", "first"),
        ("A", "unparsed"),
    ],
)
def test_bracket_lenient(read, text, kind):
    assert read(text, tie="C", lenient=True).kind.value == kind


def test_cannot_help_but_is_no_refusal_when_a_verdict_is_there(read):
    assert read("I cannot help but notice that B is right. [[B]]").kind.value == "second"


@pytest.mark.parametrize(
    ("text", "kind", "strength"),
    [
        ("[[A>>B]] is too strong. My final verdict is [[A>B]]", "first", "slightly"),
        ("[[B<A]]", "first", "slightly"),
        ("[[A&gt;B]]", "first", "slightly"),
        ("$\\boxed{[[B>A]]}$", "second", "slightly"),
        ("[[A]]", "off_scale", None),
        ("[[B<<A]]", "first", "much"),
        ("[[A<<B]]", "second", "much"),
        ("[[B>>A]]", "second", "much"),
        ("[[ a >> b ]]", "first", "much"),
        ("[[A&gt;&gt;B]]", "first", "much"),
        ("[[A≫B]]", "first", "much"),
        ("[[A＞B]]", "first", "slightly"),
        ("[[**A>B**]]", "first", "slightly"),
        ("[[**A**>B]]", "first", "slightly"),
        ("[[A=B]]", "tie", None),
        ("[[B = A]]", "tie", None),
        ("[[tie]]", "tie", None),
        ("[[A==B]]", "off_scale", None),
        ("[[A>=B]]", "off_scale", None),
        ("[[A>>>B]]", "off_scale", None),
        ("[[A>A]]", "off_scale", None),
        ("[[A>C]]", "off_scale", None),
        ("[[A>B>C]]", "off_scale", None),
        ("[A>B]", "unparsed", None),
        ("A>B", "unparsed", None),
    ],
)
def test_bracket5(read, text, kind, strength):
    outcome = read(text, format="bracket5", tie="tie")
    assert (outcome.kind.value, outcome.strength) == (kind, strength)


def test_bracket5_without_a_tie_on_offer(read):
    assert read("[[A=B]]", format="bracket5").kind.value == "off_scale"


def test_bracket5_with_labels_of_several_words(read):
    outcome = read("[[Output (b)>>Output (a)]]", OUTPUTS, format="bracket5")
    assert (outcome.kind.value, outcome.strength) == ("second", "much")
