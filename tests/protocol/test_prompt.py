import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from counterbalance.protocol.prompt import PLACEHOLDERS, REQUIRED, Prompt, fill

EMPTY = dict.fromkeys(PLACEHOLDERS, "")
NAMED = {name: f"<{name}>" for name in PLACEHOLDERS}
USER = """\
{{fence}}
{{prompt}}
{{fence}} {{first_label}}
{{first}}
{{fence}} {{second_label}}
{{second}}
{{fence}}
{{verdict}}"""


def custom(**changes):
    return Prompt(**{"id": "mine", "user": USER, **changes})


# What must hold of the built-in template whatever its words are.


def test_the_built_in_template_shows_everything_that_an_item_has():
    shown = fill(Prompt().system + "\n" + Prompt().user, NAMED)
    for name in PLACEHOLDERS:
        if name not in {"first", "second"}:
            assert f"<{name}>" in shown, name
    for name in ("first", "second"):
        assert shown.count(f"<{name}>") == 1
        assert shown.index(f"<{name}_label>") < shown.index(f"<{name}>")


def test_the_built_in_template_says_that_texts_are_data():
    words = f"{Prompt().system} {Prompt().user}".lower()
    assert "data" in words
    assert "instruction" in words


def test_the_built_in_template_leaves_no_trace_of_what_an_item_does_not_have():
    bare = fill(Prompt().user, EMPTY | {name: f"<{name}>" for name in REQUIRED})
    assert "{{" not in bare
    assert "\n\n\n" not in bare
    assert not re.search(r"source|reference|requirement|rubric", bare, re.IGNORECASE)


def test_the_built_in_template_has_its_own_id():
    assert (Prompt().id, Prompt().version) == ("pairwise", "1")


# Filling.


@given(
    st.text(), st.sampled_from(["{{first}}", "{{#context}}", "{0}", "{x!r}", "%s", "\\1", "\\g<0>"])
)
def test_what_is_inserted_is_never_evaluated(text, hostile):
    values = NAMED | {"prompt": text + hostile}
    assert fill("[{{prompt}}]{{context}}", values) == f"[{text}{hostile}]<context>"


def test_a_part_stays_with_its_value_and_vanishes_without():
    template = "a{{#context}} b {{context}} c{{/context}} d"
    assert fill(template, NAMED) == "a b <context> c d"
    assert fill(template, EMPTY) == "a d"


def test_lines_that_only_begin_or_end_a_part_vanish():
    template = "a\n{{#context}}\nb\n{{/context}}\n{{#rubric}}\nc\n{{/rubric}}\nd"
    assert fill(template, NAMED) == "a\nb\nc\nd"
    assert fill(template, EMPTY) == "a\nd"
    assert fill("a {{#context}}b{{/context}}\nc", EMPTY) == "a \nc"


def test_single_braces_are_text():
    assert fill('{"a": {"b": 1}} {prompt}', NAMED) == '{"a": {"b": 1}} {prompt}'


# Templates of one's own.

PROBLEMS = [
    ("{{promt}}", "did you mean 'prompt'"),
    ("{{ prompt }}", "unknown placeholder"),
    ("{{Prompt}}", "unknown placeholder"),
    ("{{}}", "unknown placeholder"),
    ("{{#zzz}}{{/zzz}}", "unknown placeholder {{#zzz}}"),
    ("{{#context}}", "is not ended by {{/context}}"),
    ("{{/context}}", "did not begin"),
    ("{{#context}}{{/rubric}}", "did not begin"),
    ("{{#context}}{{#rubric}}{{/rubric}}{{/context}}", "parts do not nest"),
]


@pytest.mark.parametrize(("marks", "words"), PROBLEMS)
def test_marks_that_would_be_left_in_the_prompt_are_refused(marks, words):
    for changes in ({"system": marks}, {"user": USER + marks}):
        with pytest.raises(ValidationError, match=re.escape(words)):
            custom(**changes)


@pytest.mark.parametrize("name", REQUIRED)
def test_a_template_needs_both_answers_with_their_labels_and_the_verdict(name):
    for user in (
        USER.replace(f"{{{{{name}}}}}", ""),
        USER.replace(f"{{{{{name}}}}}", f"{{{{#{name}}}}}{{{{{name}}}}}{{{{/{name}}}}}"),
    ):
        with pytest.raises(ValidationError, match="is missing"):
            custom(user=user)


@pytest.mark.parametrize(
    "changes",
    [
        {"user": USER + "{{first}}"},
        {"user": "{{second}}" + USER},
        {"system": "{{first}}"},
        {
            "user": USER.replace("{{first}}", "{{x}}")
            .replace("{{second}}", "{{first}}")
            .replace("{{x}}", "{{second}}")
        },
    ],
)
def test_each_answer_stands_once_and_in_its_slot(changes):
    with pytest.raises(ValidationError, match="in this order, each of them once"):
        custom(**changes)


def test_a_rubric_must_be_shown():
    with pytest.raises(ValidationError, match=r"shows \{\{rubric\}\}"):
        custom(rubric="Prefer what is true.", system="")
    assert custom(rubric="Prefer what is true.", system="{{rubric}}").rubric


def test_a_template_of_ones_own_does_not_pass_for_the_built_in_one():
    for changes in ({"user": USER}, {"system": "Mine."}):
        with pytest.raises(ValidationError, match="an id of its own"):
            Prompt(**changes)
    assert Prompt(rubric="Prefer what is true.").id == "pairwise"


@pytest.mark.parametrize(
    "user",
    [
        USER.replace("{{first}}", "{{first}} and more"),
        USER.replace("{{fence}} {{first_label}}", "Answer {{first_label}}"),
        USER.replace("{{fence}} {{first_label}}", "Answer {{first_label}} {{fence}}"),
        USER.replace("{{second}}\n{{fence}}\n", "{{second}}\n"),
        USER.replace("{{second}}\n{{fence}}\n", "{{second}}\n\n{{fence}}\n"),
        USER + "\n{{context}}",
        USER + "{{#context}}\n{{fence}}\n{{context}}\n{{/context}}\n",
        USER.replace("{{verdict}}", "{{#context}}{{context}}{{/context}}{{verdict}}"),
        # Without its part, the question would run on into a line of the template.
        USER.replace("{{prompt}}\n", "{{prompt}}\n{{#rubric}}\n{{fence}}\n{{/rubric}}\n\n"),
    ],
)
def test_a_template_that_lets_a_text_end_its_section_is_refused(user):
    with pytest.raises(ValidationError, match="must stand alone on its line"):
        custom(user=user)


def test_a_system_message_shows_foreign_text_fenced_or_not_at_all():
    with pytest.raises(ValidationError, match=r"\{\{context\}\} must stand alone"):
        custom(system="Facts: {{context}}")
    assert custom(system="{{fence}} Facts\n{{context}}\n{{fence}}").system
