import pytest

from counterbalance.errors import PairFileError
from counterbalance.items.fields import Fields, Place
from counterbalance.items.requirement_rows import DEEPEST_SCHEMA, requirements_from
from counterbalance.items.requirements import Requirement, RequirementRule


def requirements(*entries):
    return requirements_from(Fields({"requirements": list(entries)}, Place("p.jsonl", 3)))


def nested(depth):
    return {"not": nested(depth - 1)} if depth > 1 else {}


@pytest.mark.parametrize(
    ("rule", "value", "kept"),
    [
        ("regex", "order [0-9]+", "order [0-9]+"),
        ("contains", "17", ["17"]),
        ("contains", ["17", "x"], ["17", "x"]),
        ("absent", "tomorrow", ["tomorrow"]),
        ("json_schema", {"type": "object"}, {"type": "object"}),
        ("json_schema", nested(DEEPEST_SCHEMA), nested(DEEPEST_SCHEMA)),
        ("stated", "a", ["a"]),
        ("stated", ["b", "a", "b"], ["a", "b"]),
        ("stated", [], []),
        ("verdict_field", "policy", "policy"),
    ],
)
def test_values(rule, value, kept):
    (got,) = requirements({"id": "r", "rule": rule, "value": value})
    assert got == Requirement("r", RequirementRule(rule), kept)


def test_mandatory_and_text():
    (got,) = requirements(
        {"id": "r", "rule": "stated", "value": "a", "mandatory": False, "text": "Be kind.\n"}
    )
    assert not got.mandatory
    assert got.text == "Be kind.\n"


RULES = "(allowed: regex, contains, absent, json_schema, stated, verdict_field)"
PARTS = "must be a text that is not empty, or a list of such texts"
SIDES = 'must list the candidates that break the requirement: "a", "b", both, or []'


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ({"id": None}, ".id\" is missing; every requirement has a name of its own"),
        ({"id": 4}, '.id" is the number 4; it must be text: put it in quotes, "4"'),
        ({"rule": None}, f'.rule" is missing {RULES}'),
        ({"rule": "contain"}, f'.rule" is the text "contain"; did you mean "contains"? {RULES}'),
        ({"value": None}, '.value" is missing; rule contains needs one'),
        ({"value": ""}, f'.value" {PARTS}'),
        ({"value": []}, f'.value" {PARTS}'),
        ({"value": ["a", 1]}, f'.value" {PARTS}'),
        ({"value": ["a\ud800"]}, ('.value" holds half of a surrogate pair (U+D800 at character 2), '
         "which is no character; write the whole character")),
        ({"mandatory": "yes"}, '.mandatory" is the text "yes"; it must be true or false'),
        ({"text": 1}, '.text" is the number 1; it must be text: put it in quotes, "1"'),
        ({"weight": 1}, '.weight" is not a known key (known: id, rule, value, mandatory, text)'),
        ({"rule": "regex"}, '.value" is a list; it must be text'),
        ({"rule": "regex", "value": ""}, '.value" is empty; write a pattern'),
        ({"rule": "regex", "value": "(a"},
         '.value" holds a pattern that RE2 does not accept (missing ): (a)'),
        ({"rule": "json_schema"}, '.value" is a list; it must be a JSON schema, an object'),
        ({"rule": "json_schema", "value": {"$ref": "https://example.org/s"}},
         ('.value" refers to https://example.org/s, which is not inside the schema; '
         "nothing is fetched")),
        ({"rule": "json_schema", "value": {"const": ["a\0"]}},
         '.value" holds U+0000 at character 2; remove it'),
        ({"rule": "json_schema", "value": nested(DEEPEST_SCHEMA + 1)},
         '.value" nests deeper than 32 levels'),
        ({"rule": "stated", "value": [1]}, f'.value" {SIDES}'),
        ({"rule": "stated", "value": "c"}, f'.value" {SIDES}'),
        ({"rule": "verdict_field", "value": "a\nb"},
         ('.value" holds a control character or line break; it must name a field of the verdict '
         "format")),
    ],
)  # fmt: skip
def test_refused(edit, expected):
    good = {"id": "r", "rule": "contains", "value": ["a"]}
    with pytest.raises(PairFileError) as caught:
        requirements(good, good | {"id": "s"} | edit)
    assert str(caught.value) == 'p.jsonl:3: "requirements[1]' + expected


def test_one_id_twice():
    good = {"id": "r", "rule": "contains", "value": "a"}
    with pytest.raises(
        PairFileError, match=r'"requirements\[1\].id" "r" is used twice in one item'
    ):
        requirements(good, good)
