"""Parquet files say the same as JSONL files, and damaged ones say what is wrong."""

import hashlib
import json
import sys

import pytest
from hypothesis import given

from counterbalance.errors import MissingExtraError, PairFileError
from counterbalance.items.files import load_pairs, read_pairs
from extras import require
from items.test_preferences import CONVERSATIONS, TIES
from strategies_items import row_lists

ROW = {"prompt": "2 + 2?", "a": "4", "b": "5"}


@pytest.fixture(scope="module")
def pl():
    require("frames")
    import polars as pl  # noqa: PLC0415

    return pl


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("parquet")


@pytest.fixture
def written(pl, folder):
    def write(columns, **options):
        path = folder / "p.parquet"
        pl.DataFrame(columns).write_parquet(path, **options)
        return path

    return write


def problem(path):
    with pytest.raises(PairFileError) as caught:
        load_pairs(path, name="p.parquet")
    assert str(caught.value).isprintable()
    return str(caught.value)


def as_jsonl(folder, rows):
    path = folder / "p.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return load_pairs(path).pairs


def flat(row):
    cells = {}
    for key, value in row.items():
        if key in {"a", "b"}:
            cells |= {key: value["text"], f"{key}_system": value["system"]}
            cells[f"{key}_version"] = value["version"]
        elif key == "reference":
            cells |= {key: "|".join(value["accept"]), "reference_source": value["source"]}
        else:
            cells[key] = value
    return cells


@given(rows=row_lists)
def test_round_trip_of_nested_and_of_flat_columns(pl, folder, rows):
    expected = as_jsonl(folder, rows)
    for table in (rows, [flat(row) for row in rows]):
        path = folder / "round.parquet"
        pl.DataFrame(table).write_parquet(path)
        assert load_pairs(path).pairs == expected


def test_every_nested_column(written, folder):
    turns = [{"role": "user", "content": "Why?"}, {"role": "assistant", "content": "Because."}]
    requirement = {"id": "n", "rule": "absent", "value": ["x"], "mandatory": False, "text": "No x."}
    row = {
        "messages": turns[:1],
        "a": {"id": "a1", "system": "s", "version": "1", "messages": turns},
        "b": "B",
        "requirements": [requirement],
        "reference": ["a", "tie"],
        "consequence": 3,
        "metadata_x": 5.0,
    }
    path = written({key: [value] for key, value in row.items()})
    (pair,) = load_pairs(path).pairs
    assert (pair,) == as_jsonl(folder, [{k: v for k, v in row.items() if k != "metadata_x"}])


def test_json_in_text_columns(written):
    messages = json.dumps([{"role": "user", "content": "Why?"}])
    (pair,) = load_pairs(written(ROW | {"prompt": None, "messages": [messages]})).pairs
    assert pair.item.messages[0].content == "Why?"


def test_nulls_are_left_out(written, folder):
    columns = {
        "prompt": ["q", "r"],
        "a": [{"text": "1", "system": "s"}, {"text": "2", "system": None}],
        "b": ["3", "4"],
        "category": [None, "k"],
        "consequence": [None, 2.5],
        "metadata": [None, "x"],
    }
    rows = [
        {"prompt": "q", "a": {"text": "1", "system": "s"}, "b": "3"},
        {"prompt": "r", "a": "2", "b": "4", "category": "k", "consequence": 2.5},
    ]
    assert load_pairs(written(columns)).pairs == as_jsonl(folder, rows)


def test_rows_are_numbered_across_batches_and_hashed(written, monkeypatch):
    monkeypatch.setattr("counterbalance.items.parquet._BATCH_ROWS", 3)
    path = written({"prompt": [f"q{n}" for n in range(10)], "a": ["1"] * 10, "b": ["2"] * 10},
                   row_group_size=4)  # fmt: skip
    rows = list(read_pairs(path))
    assert [row.line for row in rows] == list(range(1, 11))
    assert [row.pair.item.messages[0].content for row in rows] == [f"q{n}" for n in range(10)]
    loaded = load_pairs(path)
    assert (loaded.n_rows, loaded.sha256) == (10, hashlib.sha256(path.read_bytes()).hexdigest())


def test_categories_and_the_index_of_pandas(pl, written):
    columns = {"prompt": ["q"], "a": ["1"], "b": ["2"], "__index_level_0__": [7]}
    columns["category"] = pl.Series(["k"], dtype=pl.Categorical)
    assert load_pairs(written(columns)).pairs[0].item.category == "k"


def test_preferences(pl, folder):
    path = folder / "preferences.parquet"
    for rows in (CONVERSATIONS[:1], CONVERSATIONS[3:4], [TIES]):
        pl.DataFrame(rows).write_parquet(path)
        assert load_pairs(path).pairs == as_jsonl(folder, rows)
    frame = pl.DataFrame({"prompt": ["q"], "chosen": ["4"], "rejected": ["5"], "image": [b"\xff"]})
    frame.write_parquet(path)
    assert load_pairs(path).notes == ("keys of preference rows that are not read: image",)


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ({"a": 4}, ('p.parquet:row 1: "a" is the number 4; it must be text; store the column as '
         "text")),
        ({"b": None}, 'p.parquet:row 1: "b" is empty; write the text'),
        ({"b": " "}, 'p.parquet:row 1: "b" holds only white space; write the text'),
        ({"b": "x\0"}, 'p.parquet:row 1: "b" holds U+0000 at character 2; remove it'),
        ({"b": b"x"}, 'p.parquet: the column "b" is of type Binary; store it as text'),
        ({"promt": "x"}, 'p.parquet: "promt" is not a known column; did you mean "prompt"?'),
        ({"a_text": "x"}, 'p.parquet: the columns "a" and "a_text" mean the same; keep one'),
        ({"a": {"text": "x"}, "a_system": "s"}, ('p.parquet:row 1: "a_system" stands beside an '
         'object in "a"; keep one of them')),
        ({"a": {"text": "x", "extra": "y"}}, 'p.parquet:row 1: "a.extra" is not a known key'),
        ({"reference": {"accept": "a"}, "reference_source": "me"}, ('p.parquet:row 1: '
         '"reference_source" stands beside an object in "reference"; keep one of them')),
        ({"reference": ["a", None]}, 'p.parquet:row 1: "reference" is missing (allowed: a, b, tie'),
        ({"messages": "[", "prompt": None}, 'p.parquet:row 1: "messages" is not JSON: '),
        ({"consequence": float("nan")}, 'p.parquet:row 1: "consequence" is the number nan; '),
    ],
)  # fmt: skip
def test_refused(written, edit, expected):
    path = written({key: [value] for key, value in (ROW | edit).items()})
    assert problem(path).startswith(expected)


def test_repeated_rows_and_notes_speak_of_rows(written):
    columns = {"id": ["x", "y", "x"], "prompt": ["q"] * 3, "a": ["1"] * 3, "b": ["2"] * 3}
    assert problem(written(columns)) == "p.parquet:row 3: repeats row 1; remove one of them"
    loaded = load_pairs(written({key: values[:2] for key, values in columns.items()}))
    assert loaded.notes[0].endswith("(first: row 2, as row 1); the same comparison counts again")


def test_no_rows(written):
    path = written({"prompt": [], "a": [], "b": []})
    assert problem(path).startswith("p.parquet: the file holds no pairs, only blank lines or a")


DAMAGED = "p.parquet: is damaged, or no Parquet file that can be read"


def test_damaged_files(written, folder):
    whole = written({"prompt": ["q"] * 5, "id": list("12345"), "a": ["1"] * 5, "b": ["2"] * 5})
    content, path = whole.read_bytes(), folder / "damaged.parquet"
    for damaged, expected in (
        (b"", "p.parquet: the file is empty; write one pair per row"),
        (b'{"prompt": "q"}', "p.parquet: is no Parquet file, whatever its name says; a Parquet"),
        (content[:-1], "p.parquet: is cut: a Parquet file ends with PAR1; copy or write it again"),
        (content[: len(content) // 2], "p.parquet: is cut: "),
        (b"PAR1", "p.parquet: is cut: "),
        (content[:4] + b"\xff" * 40 + content[44:], DAMAGED),
        (b"PAR1" + b"\0" * 40 + b"PAR1", DAMAGED),
    ):
        path.write_bytes(damaged)
        assert problem(path).startswith(expected), damaged[:20]


def test_no_file_and_brackets_in_a_name(written, folder):
    assert problem(folder / "none.parquet") == "p.parquet: there is no such file"
    odd = folder / "p[1]*.parquet"
    odd.write_bytes(written({key: [value] for key, value in ROW.items()}).read_bytes())
    assert load_pairs(odd).n_rows == 1


def test_without_polars(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    path = tmp_path / "p.parquet"
    path.write_bytes(b"PAR1PAR1")
    with pytest.raises(MissingExtraError, match=r"pip install 'counterbalance\[frames\]'$"):
        load_pairs(path)
