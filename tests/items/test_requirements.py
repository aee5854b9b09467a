import socket
import time

import pytest

from counterbalance.items.frames import Side
from counterbalance.items.json_schema import is_valid_json, schema_problem
from counterbalance.items.patterns import is_found, pattern_problem
from counterbalance.items.requirements import Requirement, RequirementRule, is_fulfilled

ORDER = {
    "type": "object",
    "properties": {"order": {"$ref": "#/$defs/number"}},
    "required": ["order"],
    "patternProperties": {"^note_": {"type": "string", "pattern": "^[a-z]+$"}},
    "additionalProperties": False,
    "$defs": {"number": {"type": "integer"}},
}


@pytest.mark.parametrize(
    ("rule", "value", "text", "expected"),
    [
        ("regex", "(?i)order [0-9]+", "Your ORDER 17.", True),
        ("regex", "^order", "Your order 17.", False),
        ("regex", "^.$", "é", True),
        ("contains", ["17", "transit"], "Order 17 is in transit", True),
        ("contains", ["17", "transit"], "Order 17 is lost", False),
        ("absent", ["tomorrow", "today"], "It is in transit", True),
        ("absent", ["tomorrow", "today"], "It comes today", False),
        ("json_schema", ORDER, '{"order": 17, "note_a": "ok"}', True),
        ("json_schema", ORDER, ' {"order": 17}\n', True),
        ("json_schema", ORDER, '{"order": "17"}', False),
        ("json_schema", ORDER, '{"order": 17, "note_a": "OK"}', False),
        ("json_schema", ORDER, '{"order": 17, "more": 1}', False),
        ("json_schema", ORDER, '{"order": 17} I hope this helps', False),
        ("json_schema", ORDER, '[{"order": 17}]', False),
        ("json_schema", {}, "NaN", False),
        ("json_schema", {}, "[" * 100_000, False),
        ("json_schema", {"additionalProperties": {"type": "null"}}, "[1]", True),
        ("json_schema", {"patternProperties": {"a": False}}, "3", True),
        ("stated", ["b"], "anything", True),
        ("stated", ["a"], "anything", False),
        ("stated", [], "anything", True),
        ("verdict_field", "policy_a", "anything", None),
    ],
)
def test_rules(rule, value, text, expected):
    assert is_fulfilled(Requirement("r", RequirementRule(rule), value), Side.A, text) is expected


def test_stated_breach_is_of_one_side():
    requirement = Requirement("r", RequirementRule.STATED, ["a"])
    assert is_fulfilled(requirement, Side.B, "x")


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (
            {"type": "number?"},
            "is not a JSON schema (2020-12): 'number?' is not valid under any of",
        ),
        ({"$ref": "http://127.0.0.1:9/x"}, "refers to http://127.0.0.1:9/x, which is not inside"),
        ({"properties": {"a": {"$ref": "b.json"}}}, "refers to b.json, which is not inside"),
        ({"$ref": "#/$defs/none"}, "refers to #/$defs/none, which is not inside"),
        ({"$ref": "#/allOf/x", "allOf": [{}]}, "refers to #/allOf/x, which is not inside"),
        ({"$ref": "#/required", "required": ["a"]}, "refers to #/required, which is no schema"),
        ({"$dynamicRef": "https://example.org/#n"}, "refers to https://example.org/#n, which is"),
        ({"$ref": "#"}, "is a JSON schema that refers to itself without end"),
        (
            {"items": {"pattern": "a(?=b)"}},
            "holds a pattern that RE2 does not accept (invalid perl",
        ),
        ({"patternProperties": {"a(?!b)": {}}}, "holds a pattern that RE2 does not accept"),
    ],
)
def test_refused_schemas(schema, expected, monkeypatch):
    monkeypatch.setattr(socket, "socket", None)
    problem = schema_problem(schema)
    assert problem is not None
    assert problem.startswith(expected)


@pytest.mark.parametrize(
    "schema",
    [
        ORDER,
        {"properties": {"pattern": {"type": "string"}, "$ref": {"type": "string"}}},
        {"const": {"pattern": "a(?=b)", "$ref": "https://example.org/"}},
        {"$id": "http://example.org/b.json", "$defs": {"q": {"$anchor": "z"}}, "$ref": "b.json#z"},
        {"type": ["object", "null"], "properties": {"next": {"$ref": "#"}}},
    ],
)
def test_usable_schemas(schema):
    assert schema_problem(schema) is None


def test_text_too_deep_for_a_recursive_schema_does_not_fulfil_it():
    schema = {"items": {"$ref": "#"}}
    assert is_valid_json(schema, "[[]]")
    assert not is_valid_json(schema, "[" * 900 + "]" * 900)


def test_no_pattern_can_hold_up_the_run():
    begin = time.process_time()
    text = "a" * 50_000 + "b"
    assert not is_found("^(a+)+$", text)
    assert not is_valid_json({"pattern": "^(a+)+$"}, f'"{text}"')
    assert not is_valid_json(
        {"patternProperties": {"^(a+)+$": {}}, "additionalProperties": False}, f'{{"{text}": 1}}'
    )
    assert time.process_time() - begin < 5


@pytest.mark.parametrize("pattern", ["(open", r"a(?=b)", r"(a)\1", "(a{1000}){1000}"])
def test_refused_patterns(pattern, capfd):
    problem = pattern_problem(pattern)
    assert problem is not None
    assert problem.startswith("holds a pattern that RE2 does not accept (")
    assert capfd.readouterr() == ("", "")


def test_half_a_surrogate_pair_cannot_stop_a_search():
    assert is_found("^a.$", "a\ud800")
