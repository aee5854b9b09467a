"""Description files in every format, and one clear line for whatever is wrong with one."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from counterbalance.errors import MissingExtraError, TablesFileError
from counterbalance.tables import yaml_reading
from counterbalance.tables.audit import audit_tables
from counterbalance.tables.reading import description_from_text, read_description
from extras import require
from tables.printing import broken

TOML = """
title = "t"
error_rate = 0.05
[[tables]]
name = "T"
n = 400
gold = {A = 158, B = 145, tie = 97}
[[tables.rows]]
name = "B0"
verdicts = {A = 161, B = 141, tie = 98}
agreement = 0.580
kappa = 0.358
[[tables.rows]]
name = "S8"
verdicts = {A = 181, B = 169, tie = 50}
agreement = 0.695
kappa = 0.522
[[comparisons]]
name = "S8 vs B0"
base = "B0"
new = "S8"
gained = 69
lost = 23
difference = "+11.5pp"
chi_square = 22.01
p = "< 0.0001"
[[families]]
name = "all comparisons"
m = 20
comparisons = ["S8 vs B0"]
"""
YAML = """
title: t
error_rate: 0.05
tables:
  - name: T
    n: 400
    gold: {A: 158, B: 145, tie: 97}
    rows:
      - {name: B0, verdicts: {A: 161, B: 141, tie: 98}, agreement: 0.580, kappa: 0.358}
      - name: S8
        verdicts: {A: 181, B: 169, tie: 50}
        agreement: 0.695
        kappa: 0.522
comparisons:
  - {name: S8 vs B0, base: B0, new: S8, gained: 69, lost: 23, difference: +11.5pp,
     chi_square: 22.01, p: < 0.0001}
families:
  - {name: all comparisons, m: 20, comparisons: [S8 vs B0]}
"""
CSV = """\
table,name,n,verdicts.A,verdicts.B,verdicts.tie,gold.A,gold.B,gold.tie,agreement,kappa,base,gained,lost,difference,chi_square,p,error_rate,m
T,B0,400,161,141,98,158,145,97,0.580,0.358,,,,,,,0.05,20
T,S8,400,181,169,50,158,145,97,0.695,0.522,B0,69,23,+11.5pp,22.01,< 0.0001,0.05,20
"""


def checks_of(text, suffix):
    audit = audit_tables(description_from_text(text, f"f{suffix}", suffix))
    assert broken(audit) == []
    return [(c.rule.name, c.table, c.subject, c.verdict, c.found) for c in audit.checks]


def test_every_format_says_the_same():
    require("yaml")
    checks = checks_of(TOML, ".toml")
    assert len(checks) == 16
    assert checks_of(YAML, ".yaml") == checks
    value = json.loads(json.dumps(_plain(TOML)))
    assert checks_of(json.dumps(value), ".json") == checks
    # A row of CSV has a reference of its own, so that is checked row by row.
    rest = [c for c in checks if c[0] != "reference_adds_up"]
    for text, suffix in ((CSV, ".csv"), (CSV.replace(",", "\t"), ".tsv"),
                         (CSV.replace(",", ";"), ".csv"), ("\ufeff" + CSV, ".csv")):  # fmt: skip
        read = checks_of(text.lstrip("\ufeff"), suffix)
        assert [c for c in read if c[0] != "reference_adds_up"] == rest


def _plain(text):
    import tomllib  # noqa: PLC0415

    return _texts(tomllib.loads(text, parse_float=Decimal))


def _texts(value):
    """JSON with every number as its printed text."""
    if isinstance(value, dict):
        return {k: _texts(x) for k, x in value.items()}
    if isinstance(value, list):
        return [_texts(x) for x in value]
    return str(value) if isinstance(value, Decimal) else value


def test_json_numbers_keep_their_decimals():
    text = '{"title": "t", "tables": [{"name": "T", "rows": [{"name": "r", "kappa": 0.480}]}]}'
    row = description_from_text(text, "f.json", ".json").tables[0].rows[0]
    assert row.kappa.text == "0.480"


def test_files_are_read_with_and_without_a_byte_order_mark(tmp_path):
    for name, content in (("a.toml", TOML), ("b.csv", "\ufeff" + CSV)):
        path = tmp_path / name
        path.write_text(content, "utf-8")
        assert read_description(path).tables[0].rows[1].name == "S8"


def refused(text, suffix=".toml"):
    with pytest.raises(TablesFileError) as error:
        description_from_text(text, f"f{suffix}", suffix)
    message = str(error.value)
    assert message.startswith(f"f{suffix}: ")
    assert "\n" not in message
    assert len(message) < 900
    return message


ROW = 'title = "t"\n[[tables]]\nname = "T"\n{table}\n[[tables.rows]]\nname = "r"\n{row}\n'


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("agreement = 66.5", 'tables "T", rows "r", agreement: found 66.5'),
        ("agreement = 66.5", 'write "66.5%", or unit = "percent"'),
        ('agreement = "0,665"', "write 0.665"),
        ("agreement = 0,665", "not TOML"),
        ("agreement = 0,665", "written with a point"),
        ("agreement = true", "as it is printed"),
        ("agreement = nan", "no printed number"),
        ("agremeent = 0.5", "did you mean 'agreement'?"),
        ("n = -4", "whole number from 0 up"),
        ("n = 400.5", "whole number from 0 up"),
        ("verdicts = {A = -1}", "whole number from 0 up"),
        ('verdicts = {A = "40.5"}', 'write "40.5%"'),
        ("verdicts = [1, 2]", "a table of keys and values"),
        ("interval = [0.1]", "interval"),
        ("interval = 0.1", "must be a list"),
        ('agreement_over = "all"', "it must be 'n', 'verdicts' or 'decided'"),
        ('tie_rule_of = "s"', "tie_rule_of: there is no row 's'"),
        ("two_orders = {right = 3}", "unknown key"),
        ("kappa = 1979-05-27", "as it is printed"),
    ],
)
def test_a_wrong_cell_is_named_with_its_place(row, words):
    assert words in refused(ROW.format(table="", row=row))


@pytest.mark.parametrize(
    ("table", "row", "words"),
    [
        ('unit = "percent"', "agreement = 0.665", 'unit is "percent", and no share is above 1'),
        ("decimals = {agreement = 3}", "agreement = 0.6654", "4 decimals where decimals = 3"),
        ('unit = "per cent"', "", "it must be 'share' or 'percent'"),
        ("decimals = {kappa = 99}", "", "decimals"),
    ],
)
def test_contradictions_of_a_table(table, row, words):
    assert words in refused(ROW.format(table=table, row=row))


def test_percent_of_a_whole_table():
    text = ROW.format(table='unit = "percent"', row="agreement = 66.5\nkappa = 0.48")
    row = description_from_text(text, "f.toml", ".toml").tables[0].rows[0]
    assert float(row.agreement.value) == 0.665
    assert float(row.kappa.value) == 0.48


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "title: this key is needed and missing"),
        ('title = "t"\ncomparisons = 3', "comparisons: found 3; it must be a list"),
        ('title = "t"\nerror_rate = 5', "error_rate: found 5"),
        ('title = "t"\n[[comparisons]]\nname = "c"\nb = 3', "b and c go together"),
        ('title = "t"\n[[comparisons]]\nname = "c"\nb = 3\nc = 4\ngained = 1\nlost = 2', "one pai"),
        ('title = "t"\n[[comparisons]]\nname = "c"\ngained = 1', "gained and lost go together"),
        ('title = "t"\n[[comparisons]]\nname = "c"\np = 1.2', "a p-value is from 0 to 1"),
        ('title = "t"\n[[comparisons]]\nname = "c"\n[[comparisons]]\nname = "c"', "2 times"),
        ('title = "t"\n[[families]]\nname = "f"\nm = 2\ncomparisons = ["x"]', "no comparison 'x'"),
        ('title = "t"\n[[families]]\nname = "f"\nm = 1\n[families.p_values]\na = 0.1\nb = 0.2',
         "2 p-values and comparisons in a family of m = 1"),
        ('title = "t"\n[[claims]]\nwhere = "w"\nkind = "p"', "known kinds are survivors"),
        ('title = "t"\n[[claims]]\nwhere = "w"', "known kinds are survivors"),
        ('title = "t"\n[[claims]]\nwhere = "w"\nkind = "survivors"\nfamilies = ["f"]\ncount = 1',
         "no family 'f'; there are none"),
        (('title = "t"\n[[tables]]\nname = "T"\n[[tables.rows]]\nname = "r"\n[[comparisons]]\n'
         'name = "c"\nbase = "q"'), "there is no row 'q'"),
        (('title = "t"\n[[tables]]\nname = "T"\n[[tables]]\nname = "U"\n[[comparisons]]\n'
         'name = "c"\nbase = "q"'), "no table is named"),
    ],
)  # fmt: skip
def test_a_wrong_description_is_refused_in_words(text, words):
    assert words in refused(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "it is empty"),
        ("agreement\n0.5\n", 'no column "name"'),
        ("name,agreement\nr,0.5,x\n", "line 2: 3 cells where the header names 2"),
        ("name,agrement\nr,0.5\n", "unknown column 'agrement'"),
        ("name,name\nr,r\n", "named twice"),
        ("name;agreement\nr;0,665\n", 'rows "r" (line 2), agreement: found 0,665; a comma'),
        ("name,agreement\nr,66.5\n", 'write "66.5%"'),
        ('name,agreement\n"r,0.5\n', "not CSV"),
        ("name,error_rate\nr,0.05\ns,0.01\n", "line 3: error_rate is '0.01' and '0.05'"),
        ("name,n\nr,1 200\n", "leave separators out"),
    ],
)
def test_a_wrong_csv_file_is_refused_in_words(text, words):
    said = refused(text, ".csv").replace("'0.05' and '0.01'", "'0.01' and '0.05'")
    assert words in said


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("title: t\ntitle: u", "line 2: the key 'title' is given twice"),
        ("title: &x t\nnote: *x", "anchors and aliases are not read"),
        ("title: [", "not YAML"),
        ("- 1", "not a table of keys and values"),
        ("", "not a table of keys and values"),
        ("title: t\ntables: [{name: T, rows: [{name: r, agreement: '0,5'}]}]", "write 0.5"),
        ("title: !!python/object/apply:os.system [x]", "title: found"),
    ],
)
def test_a_wrong_yaml_file_is_refused_in_words(text, words):
    require("yaml")
    assert words in refused(text, ".yaml")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "line 1: not JSON"),
        ('{"title": "t", "title": "u"}', "has the key 'title' twice"),
        ('{"title": "t", "error_rate": NaN}', "holds NaN"),
        ("[1]", "not a table of keys and values"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_wrong_json_file_is_refused_in_words(text, words):
    assert words in refused(text, ".json")


def test_yaml_without_its_reader_names_the_command(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "yaml", None)
    with pytest.raises(MissingExtraError, match=r"counterbalance\[yaml\]"):
        yaml_reading.yaml_value("title: t", "f.yaml")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.txt", b"", "unknown format '.txt'"),
        ("a.toml", b"title = '\xff'", "line 1: is not UTF-8"),
        ("missing.toml", None, "cannot be read"),
    ],
)
def test_files_that_cannot_be_read(tmp_path, name, content, words):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(TablesFileError, match=r".") as error:
        read_description(path)
    assert words in str(error.value)
