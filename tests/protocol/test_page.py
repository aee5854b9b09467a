"""The reference page, the schema file and the example that ``init`` writes name every key."""

import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from counterbalance.errors import ProtocolError
from counterbalance.protocol.loading import protocol_from_toml, protocol_schema
from counterbalance.protocol.prompt import PLACEHOLDERS

DOCS = Path(__file__).parents[2] / "docs" / "reference"
EXAMPLE = files("counterbalance.cli").joinpath("init_protocol.toml").read_text(encoding="utf-8")
REFRESH = """refresh it with
.venv/bin/python -c "import json; from counterbalance.protocol.loading import protocol_schema; \
print(json.dumps(protocol_schema(), indent=1, ensure_ascii=False))" \
> docs/reference/protocol.schema.json"""

ON_THE_PAGE_ONLY = {"judges": {"api", "command", "version"}, "strategies": ..., "prompts": ...,
                     "rewriting": ..., "likelihoods": ...}  # fmt: skip
"""What the example leaves to the page: it is one study, and not every kind of judge."""

LINE = re.compile(r"(?:# )?(?:(\[\[?[a-z_.0-9]+\]?\])|([a-z_]+) = )")


def tables():
    """Every table with the keys it may have, by the name that TOML gives it."""
    schema = protocol_schema()
    names = {
        "Question": "question", "LocalJudge": "judges", "HttpJudge": "judges",
        "ScriptedJudge": "judges", "ReplayJudge": "judges", "CommandJudge": "judges",
        "CallableJudge": "judges", "Prompt": "prompt",
        "VerdictFormat": "verdict",
        "Labelling": "labellings", "Orders": "orders", "Repetitions": "repetitions",
        "Subset": "repetitions.subset", "Retry": "retry", "Disposition": "disposition",
        "Exclusion": "exclusions", "HeldOut": "held_out", "Analysis": "analysis",
        "Bias": "bias", "Rewriting": "rewriting",
        "Likelihoods": "likelihoods",
        "LengthControl": "length_control",
        "Compare": "compare",
        "Budget": "budget", "Price": "prices", "GateRule": "gate",
        "Strategy": "strategies", "Asking": "prompts",
    }  # fmt: skip
    assert set(names) == set(schema["$defs"])
    yield "", set(schema["properties"])
    for definition, name in names.items():
        yield name, set(schema["$defs"][definition]["properties"])


def test_the_schema_file_is_current():
    text = json.dumps(protocol_schema(), indent=1, ensure_ascii=False) + "\n"
    assert (DOCS / "protocol.schema.json").read_text(encoding="utf-8") == text, REFRESH


def test_the_page_names_every_key_in_the_section_of_its_table():
    page = (DOCS / "protocol.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (.*)$", page, flags=re.MULTILINE)
    sections = {
        title.strip("`[]"): text for title, text in zip(parts[1::2], parts[2::2], strict=True)
    }
    for table, keys in tables():
        section = sections[table or "Top of the file"]
        named = set(re.findall(r"^\| `([a-z_]+)` \|", section, re.MULTILINE))
        assert keys <= named, (table, keys - named)


def test_the_page_names_every_allowed_word_and_placeholder():
    page = (DOCS / "protocol.md").read_text(encoding="utf-8")
    words = set()

    def collect(node):
        if isinstance(node, dict):
            words.update(x for x in node.get("enum", ()) if isinstance(x, str))
            words.update({node["const"]} if isinstance(node.get("const"), str) else ())
            node = list(node.values())
        for x in node if isinstance(node, list) else ():
            collect(x)

    collect(protocol_schema())
    for word in words:
        assert f"`{word}`" in page, word
    for name in PLACEHOLDERS:
        assert f"`{{{{{name}}}}}`" in page, name


def test_the_example_is_a_valid_protocol_for_reader_and_editor():
    assert protocol_from_toml(EXAMPLE, "protocol.toml").title
    jsonschema.validate(tomllib.loads(EXAMPLE), protocol_schema())


def test_the_example_names_every_key_under_its_table():
    named, table = {}, ""
    for line in EXAMPLE.splitlines():
        match = LINE.match(line)
        if match and match[1]:
            table = match[1].strip("[]").replace("prices.smollm2", "prices")
        elif match:
            named.setdefault(table, set()).add(match[2])
    inner_tables = {name for name, _ in tables()} | {"subset"}
    for table, keys in tables():
        left_out = ON_THE_PAGE_ONLY.get(table, set())
        own = set() if left_out is ... else keys - inner_tables - left_out
        if not own:
            continue
        assert own <= named[table], (table, own - named[table])


def blocks():
    """Commented tables, each with all its lines; and single commented keys of other tables."""
    lines = EXAMPLE.splitlines()
    i = 0
    while i < len(lines):
        if re.match(r"# \[", lines[i]):
            end = next(k for k in range(i, len(lines) + 1) if k == len(lines) or not lines[k])
            yield range(i, end)
            i = end
        elif re.match(r"# [a-z_]+ = ", lines[i]):
            yield range(i, i + 1)
            i += 1
        else:
            i += 1


def test_there_are_optional_lines():
    assert len(list(blocks())) > 20


@pytest.mark.parametrize("block", list(blocks()), ids=lambda b: EXAMPLE.splitlines()[b[0]][2:30])
def test_an_optional_line_without_its_mark_is_toml_with_known_keys_and_possible_values(block):
    lines = [
        line.removeprefix("# ") if i in block else line
        for i, line in enumerate(EXAMPLE.splitlines())
    ]
    text = "\n".join(lines)
    jsonschema.validate(tomllib.loads(text), protocol_schema())
    # Some keys belong to another format or need a second key, and the message says which.
    assert re.fullmatch(NEEDS_MORE, problem_of(text))


NEEDS_MORE = (
    r"|.* never reads it; .* does|pattern belongs to format 'regex'.*|needs the price of a judge.*"
    r"|replaces the rubric of the prompt, which has none.*|family_rate needs family_marker.*"
    r"|fields are read from format 'json' only|scores and quote are read from format 'json' only"
    r"|no judge is called 'strong'.*|raise_max_tokens_to is about truncated replies.*"
    r"|needs one limit; .*"
)


def problem_of(text):
    try:
        protocol_from_toml(text, "protocol.toml")
    except ProtocolError as error:
        return error.problem
    return ""
