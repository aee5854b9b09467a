import math
import tomllib

import jsonschema
import pytest

from counterbalance.errors import ProtocolError
from counterbalance.protocol.loading import (
    protocol_from_canonical,
    protocol_from_toml,
    protocol_schema,
)
from counterbalance.protocol.protocol import Protocol
from counterbalance.protocol.sections import RETRYABLE
from protocol.examples import SMALL, protocol


def refusal(text: str) -> ProtocolError:
    with pytest.raises(ProtocolError) as caught:
        protocol_from_toml(text, "study.toml")
    message = str(caught.value)
    assert message.startswith("study.toml: ")
    assert message.isprintable()
    assert len(message) < 800
    return caught.value


LOCAL = ('kind = "scripted"', 'kind = "local"')
CHANGES = [
    # what is replaced, by what, where it is wrong, words of the message
    ("seed = 7", "sead = 7", "sead", "unknown key; did you mean 'seed'?"),
    ("seed = 7", 'seed = "7"', "seed", "found '7'; it must be a valid integer"),
    ("seed = 7", "seed = true", "seed", "found True; it must be a valid integer"),
    ("seed = 7", "seed = 7.5", "seed", "found 7.5"),
    ("seed = 7", "seed = -1", "seed", "found -1; it must be greater than or equal to 0"),
    ("seed = 7", "seed = 9223372036854775808", "seed", "it must be less than"),
    ("seed = 7\n", "", "seed", "needed and missing; `counterbalance init`"),
    ("protocol/1", "protocol/2", "schema", "must be 'counterbalance.protocol/1'"),
    ('"A small study"', '"  "', "title", "at least 1 character"),
    ('"A small study"', "2026-11-30", "title", "2026-11-30"),
    ("[question]", "[questions]", "questions", "did you mean 'question'?"),
    ("[question]", "[question]\nseed = 7", "question.seed", "belongs at the top of the file"),
    ("[question]", "[question]\nmax_calls = 7", "question.max_calls", "belongs in [budget]"),
    ("[question]", "[question]\nzzz = 7", "question.zzz", "known here are kind, length, decision"),
    ("overall_preference", "overall_preferences", "question.kind", "did you mean"),
    ("[[judges]]", "[judges]", "judges", "it must be a list, a table [[judges]] for each"),
    ('kind = "scripted"\n', "", "judges[1]", "kind is needed and missing; known kinds are local"),
    ('"scripted"', '"gpt-9"', "judges[1]", "kind is 'gpt-9'; known kinds are local, http"),
    ('"scripted"', '"scripted"\nnoize = 0.1', "judges[1].noize", "did you mean 'noise'?"),
    ('"scripted"', '"scripted"\nnoise = 1.1', "judges[1].noise", "less than or equal to 1"),
    ('"scripted"', '"scripted"\nnoise = nan', "judges[1].noise", "it must be a finite number"),
    ('"scripted"', '"scripted"\nnoise = "no"', "judges[1].noise", "it must be a valid number"),
    ('"scripted"', '"scripted"\nquality_rate = 0.5', "judges[1]", "needs quality_marker"),
    ('"scripted"', '"scripted"\ntie_rate = 0.5', "judges[1].tie_rate", "set verdict.tie"),
    (
        '"scripted"',
        '"scripted"\nlabel_rate = 0.5\nfavoured_label = "A"',
        "judges[1].favoured_label",
        "found 'A'; the labels are 1, 2",
    ),
    (
        'name = "rule"',
        'name = "the rule"',
        "judges[1].name",
        "found 'the rule'; it must be letters",
    ),
    (
        '"scripted"',
        '"replay"\nrecord = ""\njudge = "x"',
        "judges[1].record",
        "at least 1 character",
    ),
    ('"scripted"', '"local"\nconstrained = "yes"', "judges[1].constrained", "valid boolean"),
    ('"scripted"', '"local"\ntemperature = 3', "judges[1].temperature", "found 3; it must be"),
    (
        '"scripted"',
        '"local"\nconstrained = false\nmax_tokens = 2048',
        "judges[1]",
        "leaves no room for the request; lower max_tokens",
    ),
    ('"choice"', '"choise"', "verdict.format", "did you mean 'choice'? It must be 'bracket'"),
    ('"choice"', '"choice"\nversion = 2', "verdict.version", "found 2; it must be 1"),
    ('"choice"', '"choice"\ntie = "1"', "labellings[1].first", "the label of verdict.tie"),
    ('"choice"', '"choice"\ntie = "T"\nneither = "t"', "verdict", "labels of their own"),
    ('"choice"', '"choice"\nmass_floor = 0.5', "verdict.mass_floor", "'logprob' does"),
    ('"choice"', '"choice"\nnonce = true', "verdict.nonce", "'tag' does"),
    ('"choice"', '"choice"\nnonce = true\nfallback = ["tag"]', "verdict.nonce", "'tag' only"),
    ('"choice"', '"choice"\nfields = ["ok"]', "verdict", "format 'json' only"),
    ('"choice"', '"json"\nfields = ["winner"]', "verdict", "the key of the verdict itself"),
    (
        '"choice"',
        '"json"\nfields = ["a b"]',
        "verdict.fields[1]",
        "found 'a b'; it must be letters",
    ),
    ('"choice"', '"tag"\ntag = "Think"', "verdict.tag", "cut as reasoning"),
    ('"choice"', '"regex"', "verdict", "format 'regex', which needs it"),
    ('"choice"', '"regex"\npattern = "[12]"', "verdict.pattern", "a group named label"),
    ('"choice"', '"regex"\npattern = "(?P<label>["', "verdict.pattern", "no RE2 pattern"),
    (
        '"choice"',
        '"regex"\npattern = "Winner: (?P<label>[12])"',
        "verdict.pattern",
        "say in verdict.form how the verdict is written",
    ),
    ('first = "1"', 'first = "[[1]]"', "labellings[1].first", "a label is 1 to 40 letters"),
    ('first = "1"', 'first = "\\u2460"', "labellings[1].first", "a label is 1 to 40 letters"),
    ('first = "1"', 'first = ""', "labellings[1].first", "at least 1 character"),
    ('first = "1"', 'first = "2"', "labellings[1]", "both slots are called '2'"),
    ('"choice"', '"choice"\nfallback = ["choice"]', "verdict", "other formats than the declared"),
    ('first = "1"', "first = 1", "labellings[1].first", "found 1; it must be a valid string"),
    (
        '"choice"\n\n[[labellings]]\nfirst = "1"',
        '"number"\n\n[[labellings]]\nfirst = "A"',
        "labellings[1].first",
        "needs digits as labels",
    ),
]


@pytest.mark.parametrize(("old", "new", "place", "words"), CHANGES)
def test_a_wrong_value_is_named_with_its_place_and_what_is_allowed(old, new, place, words):
    assert SMALL.count(old) == 1
    error = refusal(SMALL.replace(old, new))
    assert error.key == place
    assert words in error.problem


ADDITIONS = [
    ("[[judges]]\nname = 'rule'\nkind = 'scripted'\nseed = 2", "judges", "two judges are called"),
    ("[[judges]]\nname = 'other'\nkind = 'scripted'", "judges", "have the same settings"),
    ("[[labellings]]\nfirst = '1'\nsecond = '2'", "labellings[1]", "'1/2' is listed twice"),
    ("[retry]\noutcomes = ['tie']\nmax_attempts = 2", "retry.outcomes[1]", "'tie' is a verdict"),
    ("[retry]\noutcomes = ['a']\nmax_attempts = 2", "retry.outcomes[1]", "until a verdict pleases"),
    (
        "[retry]\noutcomes = ['first']\nmax_attempts = 2",
        "retry.outcomes[1]",
        "'first' is a verdict",
    ),
    ("[retry]\noutcomes = ['too_long']\nmax_attempts = 2", "retry.outcomes[1]", "found 'too_long'"),
    ("[retry]\noutcomes = [['tie']]\nmax_attempts = 2", "retry.outcomes[1]", "found ['tie']"),
    ("[retry]\noutcomes = 'failed'\nmax_attempts = 2", "retry.outcomes", "a list in [brackets]"),
    ("[retry]\noutcomes = ['failed', 'failed']\nmax_attempts = 2", "retry.outcomes", "once"),
    ("[retry]\noutcomes = ['failed']", "retry", "go together"),
    ("[retry]\nmax_attempts = 2", "retry", "go together"),
    ("[retry]\nmax_attempts = {}", "retry.max_attempts", "found {}"),
    ("[repetitions]\nper_order = 0", "repetitions.per_order", "found 0"),
    ("[repetitions]\nsubset = 5", "repetitions.subset", "found 5; it must be a table"),
    ("[repetitions.subset]\npairs = 5", "repetitions.subset.per_order", "needed and missing"),
    ("[repetitions.subset]\npairs = 5\nper_order = 1", "repetitions.subset.per_order", "found 1"),
    ("[repetitions.subset]\npair = 5", "repetitions.subset.pair", "did you mean 'pairs'?"),
    ("[orders]\nassignment = 'random'", "orders.assignment", "'both' or 'single_balanced'"),
    ("[disposition]\nrule = 'majority'", "disposition.rule", "'more_than_half'"),
    ("[[exclusions]]\nreason = 'x'", "exclusions[1]", "name pairs or a category"),
    ("[[exclusions]]\nreason = 'x'\ncategory = ''", "exclusions[1].category", "at least 1"),
    ("[[exclusions]]\nreason = 'x'\npairs = ['p', 'p']", "exclusions[1].pairs", "twice"),
    ("[analysis]\nmeasures = ['accuracy']", "analysis.measures[1]", "found 'accuracy'"),
    ("[analysis]\nfamily = ['first_slot', 'first_slot']", "analysis.family", "twice"),
    ("[analysis]\nconfidence_level = 95", "analysis.confidence_level", "less than 1"),
    ("[analysis.margins]\ntie_rate = 0.1", "analysis.margins.tie_rate", "'bias_position'"),
    ("[analysis.margins]\nbias_position = 0", "analysis.margins.bias_position", "greater than 0"),
    ("[budget]\nmax_calls = 0", "budget.max_calls", "found 0; it must be greater than 0"),
    ("[budget]\nmax_cost_usd = inf", "budget.max_cost_usd", "finite"),
    ("[budget]\nmax_cost_usd = 1", "budget.max_cost_usd", "[prices.NAME]"),
    (
        "[prices.rulr]\nprompt_usd_per_million = 1\ncompletion_usd_per_million = 1",
        "prices.rulr",
        "the judges are rule",
    ),
    ("[prices.rule]\nprompt_usd = 1", "prices.rule.prompt_usd", "'prompt_usd_per_million'"),
    ("[prices]\nrule = 1", "prices.rule", "it must be a table"),
    ("[prompt]\nuser = 'Which?'", "prompt.user", "{{prompt}} is missing"),
    ("[prompt]\nsystem = '{{rubrik}}'", "prompt.system", "did you mean 'rubric'?"),
    ("[prompt]\nsystem = 'Mine.'", "prompt", "give it one in prompt.id"),
]


@pytest.mark.parametrize(("lines", "place", "words"), ADDITIONS)
def test_a_wrong_table_is_named_with_its_place_and_what_is_allowed(lines, place, words):
    error = refusal(f"{SMALL}\n{lines}\n")
    assert error.key == place
    assert words in error.problem


GREEDY = [
    ("temperature = 0\n", "[repetitions]\nper_order = 3", "judges[1].temperature"),
    ("", "[repetitions.subset]\npairs = 2\nper_order = 3", "repetitions.subset.temperature"),
    (
        "temperature = 1.0\n",
        "[repetitions.subset]\npairs = 2\nper_order = 3\ntemperature = 0",
        "repetitions.subset.temperature",
    ),
]


@pytest.mark.parametrize(("judge", "repetitions", "place"), GREEDY)
def test_greedy_repetitions_are_refused(judge, repetitions, place):
    text = SMALL.replace(LOCAL[0], f"{LOCAL[1]}\n{judge}")
    error = refusal(f"{text}\n{repetitions}\n")
    assert error.key == place
    assert "by construction" in error.problem


LOCAL_ONLY = [
    ("bracket", "", "judges[1].constrained", "set constrained = false"),
    ("logprob", "constrained = false\n", "judges[1].max_tokens", "max_tokens = 1"),
]


@pytest.mark.parametrize(("format_id", "judge", "place", "words"), LOCAL_ONLY)
def test_an_embedded_judge_must_be_able_to_write_the_format(format_id, judge, place, words):
    text = SMALL.replace(LOCAL[0], f"{LOCAL[1]}\n{judge}").replace('"choice"', f'"{format_id}"')
    error = refusal(text)
    assert error.key == place
    assert words in error.problem


def test_a_strategy_on_log_odds_needs_both_orders_and_log_probabilities():
    strategy = 'seed = 7\nstrategies = ["balanced_calibration"]'
    text = SMALL.replace("seed = 7", strategy)
    error = refusal(f"{text}\n[orders]\nassignment = 'single_balanced'\n")
    assert error.key == "strategies"
    error = refusal(text.replace(LOCAL[0], f"{LOCAL[1]}\nconstrained = false"))
    assert error.key == "judges[1].max_tokens"


HTTP = ('kind = "scripted"', 'kind = "http"\nmodel = "m"\nbase_url = "http://127.0.0.1:1/v1"')


def test_probabilities_must_be_asked_for_where_they_are_read():
    far = SMALL.replace(*HTTP)
    assert protocol_from_toml(far, "p.toml").judges[0].kind == "http"
    calibrated = far.replace("seed = 7", 'seed = 7\nstrategies = ["balanced_calibration"]')
    for text in (far.replace('"choice"', '"logprob"'), calibrated):
        error = refusal(text)
        assert error.key == "judges[1].top_logprobs"
        assert "max_tokens = 1" in error.problem
        asking = text.replace('model = "m"', 'model = "m"\ntop_logprobs = 20')
        assert protocol_from_toml(asking, "p.toml").judges[0].top_logprobs == 20


def test_a_key_in_the_place_of_its_name_is_refused_and_not_repeated():
    for line in ('api_key_env = "sk-live-abcdef"', 'api_key = "sk-live-abcdef"'):
        error = refusal(SMALL.replace(HTTP[0], f"{HTTP[1]}\n{line}"))
        assert "sk-live" not in str(error)
        assert "api_key_env" in str(error)


BROKEN = [
    ("title = ", "not TOML: Invalid value (at end of document)"),
    ("title = unquoted", "texts need quotes"),
    ("a = 1\na = 2", "not TOML"),
    ("x = " + "[" * 50_000, "nested too deeply"),
    ("x" + ".x" * 5000 + " = 1", "nested too deeply"),
    ("x" + ".x" * 250 + " = 1", "nested too deeply"),
    ("seed = " + "9" * 5000, "thousands of digits"),
    ("seed = 0x" + "f" * 5000, "thousands of digits"),
    ("", "needed and missing"),
]


@pytest.mark.parametrize(("text", "words"), BROKEN)
def test_what_is_no_protocol_at_all_is_refused_in_one_line(text, words):
    assert words in str(refusal(text))


def test_a_hostile_key_cannot_break_the_line():
    error = refusal(f'"two\\nlines\\u001b[31m" = 1\n{SMALL}')
    assert error.key == "two\\nlines\\x1b[31m"


def test_further_problems_are_counted():
    error = refusal(SMALL.replace("seed = 7", "seed = -1").replace('"choice"', '"choise"'))
    assert error.problem.endswith("(and 1 more)")


def test_every_non_verdict_outcome_that_can_change_may_be_retried():
    lines = f"[retry]\noutcomes = {list(RETRYABLE)}\nmax_attempts = 3\n"
    assert protocol_from_toml(f"{SMALL}\n{lines}", "p").retry.outcomes == RETRYABLE


def test_the_canonical_form_reads_back_with_the_same_digest():
    read = protocol_from_toml(SMALL, "study.toml")
    again = protocol_from_canonical(read.canonical, "elsewhere.csv")
    assert again.digest == read.digest
    assert again.pairs == "elsewhere.csv"


def test_a_recorded_protocol_with_an_unknown_key_says_so():
    with pytest.raises(ProtocolError, match=r"the record's protocol: \[colour\] unknown key"):
        protocol_from_canonical({**protocol().canonical, "colour": 1}, "pairs.jsonl")


def test_the_schema_accepts_and_refuses_what_the_reader_does():
    schema = protocol_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    check = jsonschema.Draft202012Validator(schema)
    assert check.is_valid(tomllib.loads(SMALL))
    assert check.is_valid(protocol().canonical | {"pairs": "p.csv"})
    for old, new, _, _ in CHANGES[:9]:
        text = SMALL.replace(old, new)
        if '"  "' not in text:  # white space is stripped, which a schema cannot say
            assert not check.is_valid(tomllib.loads(text)), new


def nodes(schema, path=""):
    for key, node in schema.get("properties", {}).items():
        yield f"{path}.{key}", node
    for name, definition in schema.get("$defs", {}).items():
        yield name, definition
        yield from nodes(definition, name)


def test_every_table_and_key_of_the_schema_is_described_on_one_line():
    schema = protocol_schema()
    found = dict(nodes(schema))
    assert len(found) > 80
    for name, node in found.items():
        # Where key and table say the same, the key only refers to the table.
        meant = schema["$defs"][node["$ref"].rpartition("/")[2]] if "$ref" in node else node
        description = node.get("description") or meant.get("description")
        assert description, name
        assert description.isprintable(), name


def test_numbers_must_be_finite_in_python_too():
    with pytest.raises(ValueError, match="finite"):
        Protocol.model_validate({**protocol().canonical, "budget": {"max_cost_usd": math.inf}})
