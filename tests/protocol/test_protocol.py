import pytest
from pydantic import ValidationError

from counterbalance.items.hashing import canonical_json, tagged_hash
from counterbalance.protocol.judge_settings import judge_digest
from counterbalance.protocol.protocol import MEASURES, RETRYABLE, TESTS, Protocol
from protocol.examples import protocol, protocol_value

PLAIN_PROMPT = {
    "id": "plain",
    "system": "",
    "user": (
        "{{fence}}\n{{prompt}}\n{{fence}} {{first_label}}\n{{first}}\n{{fence}} {{second_label}}\n"
        "{{second}}\n{{fence}}\n{{verdict}}"
    ),
}


def test_the_digest_is_a_contract():
    # The prompt is spelled out, so that a new wording of the built-in one changes nothing here.
    digest = protocol(prompt=PLAIN_PROMPT).digest
    assert digest == "b2:222745e391bdb8aa791e1636c3bee029c015e645"


CHANGES = {
    "title": "Another study",
    "seed": 8,
    "delimiter_secret": "another secret",
    "baseline": "old",
    "question": {
        "kind": "overall_preference",
        "length": "brevity",
        "decision": "Which version to ship.",
    },
    "judges": [{"name": "rule", "kind": "scripted", "seed": 2}],
    "prompt": {"rubric": "Prefer what is true."},
    "verdict": {"format": "choice", "tie": "3"},
    "labellings": [{"first": "2", "second": "1"}],
    "orders": {"assignment": "single_balanced"},
    "repetitions": {"per_order": 2},
    "retry": {"outcomes": ["failed"], "max_attempts": 2},
    "strategies": ["balanced_calibration"],
    "exclusions": [{"reason": "seen", "pairs": ["p1"]}],
    "analysis": {"family": ["primacy_recency"]},
    "prices": {"rule": {"prompt_usd_per_million": 1, "completion_usd_per_million": 1}},
}


def test_every_part_of_the_protocol_can_be_changed_in_this_test():
    # What is left out has one possible value, or is the pair file's path or the budget.
    rest = {"schema", "disposition", "pairs"}
    assert set(CHANGES) | rest == set(protocol().canonical) | {"pairs"}


@pytest.mark.parametrize("key", CHANGES)
def test_a_change_of_any_part_changes_the_digest(key):
    assert protocol(**{key: CHANGES[key]}).digest != protocol().digest


def test_a_budget_is_no_evidence_and_may_be_raised():
    assert protocol(budget={"max_calls": 1}).digest == protocol().digest


def test_the_path_of_the_pair_file_is_no_part_of_the_digest():
    moved = protocol(pairs="elsewhere/pairs.csv")
    assert moved.digest == protocol().digest
    assert "pairs" not in moved.canonical


def test_a_default_and_the_same_value_spelled_out_are_one_protocol():
    spelled = protocol(
        question={**protocol_value()["question"], "length": "indifferent"},
        judges=[{"name": "rule", "kind": "scripted", "noise": 0}],
        retry={"outcomes": [], "max_attempts": 1},
        baseline=None,
    )
    assert spelled.digest == protocol().digest


def test_the_canonical_form_spells_out_every_default_and_is_json():
    canonical = protocol().canonical
    assert canonical["orders"] == {"assignment": "both"}
    assert canonical["prompt"]["user"]
    assert canonical["analysis"]["margins"] == {}
    assert tagged_hash("protocol/1", canonical) == protocol().digest
    assert (
        Protocol.model_validate_json(
            canonical_json({**canonical, "pairs": "p"}), strict=True
        ).canonical
        == canonical
    )


def test_names_of_outcomes_measures_and_tests_are_listed_once():
    for names in (MEASURES, RETRYABLE, TESTS):
        assert len(set(names)) == len(names)
    verdicts = {"first", "second", "tie", "neither", "insufficient", "a", "b"}
    assert not verdicts & set(RETRYABLE)


def test_the_name_of_a_judge_is_no_part_of_its_settings():
    judges = [protocol(judges=[{"name": n, "kind": "scripted"}]).judges[0] for n in ("x", "y")]
    assert judge_digest(judges[0]) == judge_digest(judges[1])


def test_a_protocol_cannot_be_changed_after_it_was_read():
    with pytest.raises(ValidationError, match="frozen"):
        protocol().seed = 8
