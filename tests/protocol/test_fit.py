import pytest
from pydantic import ValidationError

from counterbalance.parsing.offer import offer_problem
from counterbalance.protocol.labelling import Labelling
from counterbalance.protocol.verdict_format import VerdictFormat
from protocol.examples import protocol

UNREADABLE = [
    ({"format": "number"}, ("A", "B")),
    ({"format": "number"}, ("1", "٢")),
    ({"format": "choice", "tie": "a"}, ("A", "B")),
    ({"format": "choice", "tie": "SS"}, ("ß", "B")),
    ({"format": "tag", "tag": "Reasoning"}, ("A", "B")),
]


@pytest.mark.parametrize(("verdict", "slots"), UNREADABLE)
def test_what_a_reader_could_not_tell_apart_is_refused_before_the_first_call(verdict, slots):
    first, second = slots
    assert offer_problem(VerdictFormat(**verdict), Labelling(first=first, second=second))
    with pytest.raises(ValidationError):
        protocol(verdict=verdict, labellings=[{"first": first, "second": second}])


def test_a_fallback_brings_its_own_demands():
    letters = [{"first": "A", "second": "B"}]
    with pytest.raises(ValidationError, match="needs digits"):
        protocol(verdict={"format": "choice", "fallback": ["number"]}, labellings=letters)
    assert protocol(verdict={"format": "choice", "fallback": ["json"], "key": "best"})


@pytest.mark.parametrize("word", ["both", "None", "neither"])
def test_labels_do_not_take_the_words_of_the_fields(word):
    labels = [{"first": word, "second": "B"}]
    assert protocol(verdict={"format": "json"}, labellings=labels)
    with pytest.raises(ValidationError, match="means something else"):
        protocol(verdict={"format": "json", "fields": ["f"]}, labellings=labels)


def test_a_pattern_must_read_every_label_as_the_prompt_asks_for_it():
    verdict = {"format": "regex", "pattern": "(?P<label>[12])$", "form": "I say {{label}}"}
    assert protocol(verdict=verdict)
    with pytest.raises(ValidationError, match="does not read '3' from 'I say 3'"):
        protocol(verdict={**verdict, "tie": "3"})
    with pytest.raises(ValidationError, match="does not read '1' from 'I say so'"):
        protocol(verdict={**verdict, "form": "I say so"})


def test_two_judges_may_differ_in_any_setting():
    judges = [{"name": f"rule{n}", "kind": "scripted", "seed": n} for n in (1, 2)]
    assert len(protocol(judges=judges).judges) == 2


def test_scripted_biases_must_be_able_to_show():
    judge = {"name": "rule", "kind": "scripted", "label_rate": 1, "favoured_label": "b"}
    assert protocol(judges=[judge], labellings=[{"first": "A", "second": "B"}])
    with pytest.raises(ValidationError, match="the labels are 1, 2"):
        protocol(judges=[judge])


def test_exchanged_labellings_are_two():
    both = [{"first": "1", "second": "2"}, {"first": "2", "second": "1"}]
    assert len(protocol(labellings=both).labellings) == 2
    with pytest.raises(ValidationError, match="listed twice"):
        protocol(labellings=[*both, {"first": "1", "second": "2"}])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"analysis": {"family": ["first_slot"]}}, "first_slot needs pairs that are shown once"),
        (
            {
                "analysis": {"family": ["primacy_recency"]},
                "orders": {"assignment": "single_balanced"},
            },
            "primacy_recency compares both orders",
        ),
    ],
)
def test_a_test_that_could_never_be_computed_is_not_planned(changes, words):
    with pytest.raises(ValidationError, match=words):
        protocol(**changes)


def test_a_test_that_can_be_computed_is_planned():
    once = {"analysis": {"family": ["first_slot"]}, "orders": {"assignment": "single_balanced"}}
    assert protocol(**once).analysis.family == ("first_slot",)


def test_what_the_judges_api_has_not_is_refused_wherever_it_is_asked_for():
    far = {"name": "h", "kind": "http", "model": "m", "api": "messages", "max_tokens": 9}
    warm = {"per_order": 1, "subset": {"pairs": 1, "per_order": 2, "temperature": 1.5}}
    with pytest.raises(ValidationError, match="takes 0 to 1"):
        protocol(judges=[far], repetitions=warm)
    assert protocol(judges=[far | {"api": "chat"}], repetitions=warm)
    letters = [{"first": "A", "second": "B"}]
    with pytest.raises(ValidationError, match="the Anthropic messages API gives none"):
        protocol(judges=[far], verdict={"format": "logprob"}, labellings=letters)
