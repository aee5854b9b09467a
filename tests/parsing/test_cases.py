"""Every case of the specification, and more of each kind."""

from __future__ import annotations

import pytest

from counterbalance.parsing.outcome import Outcome
from counterbalance.parsing.parser import parse_reply
from counterbalance.presentations.reply import Reply, Usage
from counterbalance.protocol.labelling import Labelling
from counterbalance.protocol.verdict_format import VerdictFormat

LABELS = Labelling(first="A", second="B")
DIGITS = Labelling(first="1", second="2")
FROM_ZERO = Labelling(first="0", second="1")
OUTPUTS = Labelling(first="Output (a)", second="Output (b)")

GRADE = r"(?i)(?:answer|grade):\s*(?P<label>\w+)"


def read(text: str, labels: Labelling = LABELS, finish: str = "stop", **declared) -> Outcome:
    declared.setdefault("format", "bracket")
    echoes = declared.pop("echoes", ())
    nonce = declared.pop("secret", "")
    reply = Reply(text, finish=finish)
    return parse_reply(VerdictFormat(**declared), labels, reply, echoes=echoes, nonce=nonce)


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
    ("<|channel|>analysis<|message|>[[B]]<|end|><|start|>assistant<|channel|>final<|message|>[[A]]", "first"),
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
def test_bracket(text, kind):
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
def test_bracket_lenient(text, kind):
    assert read(text, tie="C", lenient=True).kind.value == kind


def test_cannot_help_but_is_no_refusal_when_a_verdict_is_there():
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
def test_bracket5(text, kind, strength):
    outcome = read(text, format="bracket5", tie="tie")
    assert (outcome.kind.value, outcome.strength) == (kind, strength)


def test_bracket5_without_a_tie_on_offer():
    assert read("[[A=B]]", format="bracket5").kind.value == "off_scale"


def test_bracket5_with_labels_of_several_words():
    outcome = read("[[Output (b)>>Output (a)]]", OUTPUTS, format="bracket5")
    assert (outcome.kind.value, outcome.strength) == ("second", "much")


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
def test_result(text, kind):
    assert read(text, format="result").kind.value == kind


@pytest.mark.parametrize("text", ["RESULT: B", "Final result: **B**", "**Result:** B"])
def test_result_lenient(text):
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
def test_boxed(text, kind):
    assert read(text, format="boxed").kind.value == kind


@pytest.mark.parametrize("text", ["boxed{B}", "\x08oxed{B}", r"\fbox{B}", r"\fboxed{B}"])
def test_boxed_lenient(text):
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
def test_number(text, labels, kind):
    assert read(text, labels, format="number", tie="tie").kind.value == kind


JSON = [
    ('```json {"winner":"B"} ```', "second"),
    ('Here it is:\n```json\n{"winner":"B"}\n```', "second"),
    ('{"winner":"B"} I hope that helps.', "second"),
    ('{"reason":"use ```x``` here","winner":"A"}', "first"),
    ('{"winner":"A","winner":"B"}', "conflicting"),
    ('{"winner":null}', "unparsed"),
    ('{"winner":"A or B"}', "unparsed"),
    ('{"winner":"C"}', "off_scale"),
    ('<think>{"winner":"A"}</think>{"winner":"B"}', "second"),
    # extended
    ('{"winner":"A","winner":"A"}', "first"),
    ('{"winner":"A","winner":"a"}', "first"),
    ('{"winner":"A","winner":null}', "conflicting"),
    ('{"winner":"A","w\\u0069nner":"B"}', "conflicting"),
    ('{"winner":["A"]}', "unparsed"),
    ('{"winner":{"winner":"A"}}', "unparsed"),
    ('{"result":{"winner":"A"}}', "unparsed"),
    ('{"winner":true}', "unparsed"),
    ('{"winner":1}', "unparsed"),
    ('{"winner":""}', "unparsed"),
    ('{"winner":"Assistant A"}', "unparsed"),
    ('{"winner":"**B**"}', "second"),
    ('{"winner":"\\u0042"}', "second"),
    ('{"winner":"b"}', "second"),
    ('{"winner":"&#66;"}', "second"),
    ('{"winner":"Ｂ"}', "second"),
    ('\ufeff{"winner":"B"}', "second"),
    ('{"Winner":"B"}', "unparsed"),
    ("{'winner':'B'}", "unparsed"),
    ('{"winner":"B",}', "unparsed"),
    ('{"winner":B}', "unparsed"),
    ('{winner:"B"}', "unparsed"),
    ('{"winner":"B"', "unparsed"),
    ('{"winner":"B","x":NaN}', "unparsed"),
    ('{"winner":"B","x":01}', "unparsed"),
    ('[{"winner":"B"}]', "unparsed"),
    ('"{\\"winner\\":\\"B\\"}"', "unparsed"),
    ('{"note":"全角＂引号＂","winner":"B"}', "second"),
    ('{"reason":"an open <think> tag","winner":"B"}', "second"),
    ('{"reason":"multi\nline","winner":"B"}', "second"),
    ('{"reason":"\\frac \\(x\\)","winner":"B"}', "unparsed"),
    ('The set {x} and {"a", "b"} then {"winner":"B"}', "second"),
    ('{"winner":"A"} is wrong, so {"winner":"B"}', "second"),
    ('{"winner":"A"} and {"sure":true}', "first"),
    ('```json\n{"winner":"B"}\n``` as in {"winner":"A"}', "conflicting"),
    ('{"winner":"A"} becomes ```json\n{"winner":"B"}\n```', "second"),
    ('```{"winner":"A"}``` ```{"winner":"B"}```', "second"),
    ('{"a": "x" {"winner":"B"}', "second"),
    ('{"list":[{"winner":"A"}, oops], "winner":"B"}', "unparsed"),
    ('{"quote":"he wrote {"winner": "A"}", "winner":"B"}', "unparsed"),
    ('{"x":{"winner":"A"},"winner":"B"}', "second"),
    ('{"winner":"B"}{', "second"),
    ('{}{"winner":"B"}', "second"),
    ("{}", "unparsed"),
    ("no object", "unparsed"),
]


@pytest.mark.parametrize(("text", "kind"), JSON)
def test_json(text, kind):
    assert read(text, format="json").kind.value == kind


def test_json_cut():
    text = '{"winner":"A","why":"it is'
    assert read(text, finish="length", format="json").kind.value == "truncated"
    outcome = read(text, finish="length", format="json", readable_when_cut=True)
    assert outcome.kind.value == "first"
    assert outcome.repairs == ("read_when_cut",)
    assert text[slice(*outcome.span)] == '"winner":"A"'


@pytest.mark.parametrize(
    "text", ['{"why":"A is', '{"winner":"A', '{"winner":', '{"why":{"winner":"A"},"a":"']
)
def test_json_cut_before_the_verdict(text):
    outcome = read(text, finish="length", format="json", readable_when_cut=True)
    assert outcome.kind.value == "truncated"


def test_json_cut_needs_the_length_limit():
    outcome = read('{"winner":"A","why":"', format="json", readable_when_cut=True)
    assert outcome.kind.value == "unparsed"


def test_json_number_that_may_be_half_of_one():
    declared = {"format": "json", "lenient": True, "readable_when_cut": True}
    assert read('{"winner":1', DIGITS, "length", **declared).kind.value == "truncated"
    assert read('{"winner":1}', DIGITS, **declared).kind.value == "first"


def test_json_repairs_are_recorded():
    assert read('{"r":"a\nb","winner":"A"}', format="json").repairs == ("control_characters",)
    lenient = read('{"r":"\\(x\\)","winner":"A"}', format="json", lenient=True)
    assert (lenient.kind.value, lenient.repairs) == ("first", ("invalid_escapes",))
    assert read('{"Winner":"A"}', format="json", lenient=True).kind.value == "first"


@pytest.mark.parametrize(
    ("value", "slots"),
    [
        ('"A"', ["first"]),
        ('["B","A"]', ["first", "second"]),
        ('["B"]', ["second"]),
        ('"both"', ["first", "second"]),
        ('"None"', []),
        ("null", []),
        ("[]", []),
        ('"C"', None),
        ('"neither of these"', None),
        ('["A","C"]', None),
        ("[1]", None),
        ("false", None),
        ("{}", None),
    ],
)
def test_json_fields(value, slots):
    text = f'{{"winner":"B","unsafe":{value}}}'
    outcome = read(text, format="json", fields=("unsafe", "absent"))
    assert outcome.kind.value == "second"
    wanted = () if slots is None else (("unsafe", tuple(slots)),)
    assert tuple((k, tuple(x.value for x in v)) for k, v in outcome.fields) == wanted


def test_json_field_given_twice_is_unreadable():
    text = '{"unsafe":"A","unsafe":"B","winner":"A"}'
    assert read(text, format="json", fields=("unsafe",)).fields == ()


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
def test_choice(text, kind):
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
def test_choice_lenient(text, kind):
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
def test_regex(text, kind):
    assert read(text, format="regex", pattern=GRADE, tie="C").kind.value == kind


def test_labels_match_whole():
    words = Labelling(first="SUCCESS", second="FAILURE")
    assert read("NOT SUCCESS", words, format="choice").kind.value == "unparsed"
    assert read("success", words, format="choice").kind.value == "first"
    assert read("[[NOT SUCCESS]]", words).kind.value == "unparsed"


def test_an_echoed_label_in_prose_is_no_verdict():
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
def test_tag(text, kind):
    assert read(text, format="tag").kind.value == kind


@pytest.mark.parametrize("text", ["<verdict>A", '<verdict x="1">A</verdict>', "< verdict >A</ verdict >"])
def test_tag_lenient(text):
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
def test_tag_nonce(text, secret, kind):
    assert read(text, format="tag", nonce=True, secret=secret, lenient=True).kind.value == kind


# ------------------------------------------------------------------ position, cut, provider


def test_only_makes_two_verdicts_conflicting():
    assert read("[[A]] or [[B]]", position="only").kind.value == "conflicting"
    assert read("[[A]], yes [[A]]", position="only").kind.value == "first"
    assert read("[[A]] or [[D]]", position="only").kind.value == "conflicting"
    both = read("[[A>>B]] or [[A>B]]", position="only", format="bracket5")
    assert both.kind.value == "conflicting"
    assert both.strength is None
    assert read("1\n2", DIGITS, format="number", position="only").kind.value == "conflicting"
    assert read("1\n2", DIGITS, format="number").kind.value == "second"


@pytest.mark.parametrize(
    ("text", "declared", "kind"),
    [
        ("At first [[A]] looked right, but", {}, "truncated"),
        ("So the verdict is [[A]]", {}, "first"),
        ("So the verdict is **[[A]]**.", {}, "first"),
        ("So the verdict is [[A", {}, "truncated"),
        ("A", {"format": "choice"}, "first"),
        ("A", {"format": "choice", "tie": "A=B"}, "truncated"),
        ("[RESULT] A", {"format": "result"}, "truncated"),
        ("[RESULT] A.", {"format": "result"}, "first"),
        ("I can't help with", {}, "truncated"),
        ('{"winner":"A"} be', {"format": "json"}, "truncated"),
        ('{"winner":"A"}', {"format": "json"}, "first"),
        ("<verdict>A", {"format": "tag", "lenient": True}, "truncated"),
        ("GRADE: C", {"format": "regex", "pattern": GRADE, "tie": "C"}, "truncated"),
    ],
)
@pytest.mark.parametrize("finish", ["length", "MAX_TOKENS"])
def test_cut(text, declared, kind, finish):
    assert read(text, finish=finish, **declared).kind.value == kind


def test_cut_number():
    assert read("The best one is 1", DIGITS, "length", format="number").kind.value == "truncated"
    assert read("1", DIGITS, "length", format="number").kind.value == "first"


def _whole(**reply) -> str:
    return parse_reply(VerdictFormat(format="bracket"), LABELS, Reply(**reply)).kind.value


def test_no_text():
    assert _whole(text="", finish="length", reasoning="so [[A]]") == "truncated"
    assert _whole(text="", finish="length", usage=Usage(9, 100, is_measured=True)) == "truncated"
    assert _whole(text="", finish="length") == "empty"
    assert _whole(text="", finish="stop", reasoning="so [[A]]") == "empty"
    assert _whole(text="<think>x</think> ", finish="length") == "truncated"
    assert _whole(text="\u200b\ufeff") == "empty"


def test_the_provider_is_asked_first():
    assert _whole(text="[[A]]", refusal="No.") == "refused"
    assert _whole(text="[[A]]", finish="content_filter") == "refused"
    assert _whole(text="", finish="SAFETY") == "refused"
    assert _whole(text="[[A]]", refusal="  ") == "first"


def test_declared_refusal_patterns():
    assert read("POLICY: no.", refusal_patterns=(r"policy:",)).kind.value == "refused"
    assert read("POLICY: no. [[A]]", refusal_patterns=(r"policy:",)).kind.value == "first"
    assert read("anything", refusal_patterns=("",)).kind.value == "unparsed"


def test_fallback_is_declared_and_recorded():
    outcome = read("So: [RESULT] B", fallback=("json", "result"))
    assert (outcome.kind.value, outcome.fallback) == ("second", "result")
    assert outcome.rule == "result/1:last"
    assert read("[[A]] [RESULT] B", fallback=("result",)).fallback == ""
    assert read("[[D]] [RESULT] B", fallback=("result",)).kind.value == "off_scale"
    assert read("nothing", fallback=("result",)).fallback == ""


def test_neither_and_insufficient():
    declared = {"tie": "C", "neither": "N", "insufficient": "not sure"}
    assert read("[[N]]", **declared).kind.value == "neither"
    assert read("[[Not  sure]]", **declared).kind.value == "insufficient"


def test_a_label_with_two_meanings_is_no_verdict():
    assert read("[[A]]", tie="A").kind.value == "conflicting"
    assert read("[[B]]", tie="A").kind.value == "second"


def test_spans_count_in_the_text_received():
    text = "\u200bＡ\u200b ﬁ said: \u200b【【\u200bＢ】】\u200b end"
    outcome = read(text)
    assert text[slice(*outcome.span)] == "【【\u200bＢ】】"
