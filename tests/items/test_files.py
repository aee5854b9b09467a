import csv
import hashlib
import io
import json
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings

from counterbalance.errors import PairFileError
from counterbalance.items.files import PairRow, load_pairs, read_pairs
from strategies_items import row_lists, visible_texts

ROW = {"prompt": "2 + 2?", "a": "4", "b": "5"}
LINE = json.dumps(ROW).encode()
quickly = settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write_bytes(content, name="pairs.jsonl"):
        (tmp_path / name).write_bytes(content)
        return name

    return write_bytes


def jsonl(rows, *, ascii_only=False):
    return "".join(json.dumps(row, ensure_ascii=ascii_only) + "\n" for row in rows).encode()


def problem(name):
    with pytest.raises(PairFileError) as caught:
        load_pairs(name)
    assert str(caught.value).isprintable()
    return str(caught.value)


def test_rows_have_their_physical_lines(write):
    other = jsonl([ROW | {"b": "6"}])
    content = b"\xef\xbb\xbf" + LINE + b"\r\n\n \t\r\n" + other
    name = write(content)
    rows = list(read_pairs(name))
    assert [row.line for row in rows] == [1, 4]
    assert isinstance(rows[0], PairRow)
    loaded = load_pairs(name)
    assert loaded.pairs == tuple(row.pair for row in rows)
    assert loaded.pairs[0].item is loaded.pairs[1].item
    assert (loaded.name, loaded.n_rows, loaded.notes) == ("pairs.jsonl", 2, ())
    assert loaded.sha256 == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize("name", ["p.jsonl", "p.ndjson", "p.json", "P.JSONL"])
def test_names_of_jsonl(write, name):
    assert load_pairs(write(LINE, name)).n_rows == 1


def test_name_for_messages(write):
    name = write(b"{}")
    with pytest.raises(PairFileError, match=r'^demo pairs:1: "prompt" is missing'):
        next(read_pairs(name, name="demo pairs"))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "p.jsonl: the file is empty; write one pair per row"),
        (b"\n \n\r\n", ("p.jsonl: the file holds no pairs, only blank lines or a header; write one "
         "pair per row")),
        (LINE + b"\n{\n", ("p.jsonl:2: the line is not JSON: Expecting property name enclosed in "
         "double quotes at character 3 (write one object per line, without brackets around them)")),
        (LINE + b"\n\n{'a': 1}", ("p.jsonl:3: the line is not JSON: Expecting property name "
         "enclosed in double quotes at column 2")),
        (b"[" + LINE + b"]", ("p.jsonl:1: the line is a list; each line must be one object (write "
         "one object per line, without brackets around them)")),
        (b"7", "p.jsonl:1: the line is the number 7; each line must be one object"),
        (b'{"a": 1, "a": 2}', 'p.jsonl:1: the line has the key "a" twice in one object; keep one'),
        (b'{"x": NaN}', ("p.jsonl:1: the line holds NaN, which is no JSON number; write null or "
         "leave the key out")),
        (b"[" * 100_000, ("p.jsonl:1: the line nests too deeply to be read (write one object per "
         "line, without brackets around them)")),
        (LINE + b"\n" + b'{"prompt": "caf\xe9"}', ("p.jsonl:2: is not UTF-8: byte 0xe9 at position "
         "16 of the line; save the file as UTF-8")),
        ("{}".encode("utf-16"), "p.jsonl: is UTF-16; save it as UTF-8"),
        (LINE + b"\n" + LINE, "p.jsonl:2: repeats line 1; remove one of them"),
        (b'{"prompt": "x", "a": "\\ud800", "b": "y"}', ('p.jsonl:1: "a" holds half of a surrogate '
         "pair (U+D800 at character 1), which is no character; write the whole character")),
    ],
)  # fmt: skip
def test_refused_jsonl(write, content, expected):
    assert problem(write(content, "p.jsonl")) == expected


ALLOWED = "(allowed: .jsonl, .ndjson, .json, .csv, .tsv, .parquet)"


def test_refused_files(write, tmp_path):
    (tmp_path / "folder.jsonl").mkdir()
    assert problem("folder.jsonl") == (
        "folder.jsonl: is a folder without a pair file "
        "(looked for: .jsonl, .ndjson, .json, .csv, .tsv, .parquet)"
    )
    assert problem("none.jsonl") == "none.jsonl: there is no such file"
    assert problem(write(b"", "p.feather")) == (
        'p.feather: the format is told by the extension, and its extension is ".feather" ' + ALLOWED
    )
    assert problem(write(b"", "pairs")).endswith(f"by the extension, and it has none {ALLOWED}")
    assert problem("odd\nname.jsonl") == "odd\\nname.jsonl: there is no such file"
    assert problem("pairs/x.jsonl").startswith("pairs/x.jsonl: cannot be read: Not a directory")


def test_unreadable_file(write, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    name = write(LINE)
    monkeypatch.setattr("pathlib.Path.open", refuse)
    assert problem(name) == "pairs.jsonl: may not be read (permission denied)"


@quickly
@given(row_lists)
def test_jsonl_round_trip(write, rows):
    for ascii_only in (True, False):
        pairs = load_pairs(write(jsonl(rows, ascii_only=ascii_only))).pairs
        assert [as_row(pair) for pair in pairs] == [normal(row) for row in rows]


@quickly
@given(row_lists)
def test_csv_says_the_same_as_jsonl(write, rows):
    expected = load_pairs(write(jsonl(rows))).pairs
    for delimiter, name in ((",", "p.csv"), ("\t", "p.tsv")):
        for line_end in ("\n", "\r\n"):
            assert load_pairs(write(as_csv(rows, delimiter, line_end), name)).pairs == expected


@quickly
@given(row_lists)
def test_ids_do_not_depend_on_the_order_of_rows(write, rows):
    without = [{k: v for k, v in row.items() if k not in {"id", "item", "cluster"}} for row in rows]
    forward = {row.pair.digest for row in read_pairs(write(jsonl(without)))}
    backward = {row.pair.digest for row in read_pairs(write(jsonl(reversed(without))))}
    assert forward == backward


@quickly
@given(visible_texts)
def test_conversation_round_trip(write, text):
    turns = [{"role": "user", "content": text}, {"role": "assistant", "content": text}]
    (pair,) = load_pairs(write(jsonl([{"messages": turns, "a": text, "b": text}]))).pairs
    assert [m.content for m in pair.item.messages] == [text, text]
    assert pair.is_identical


def test_five_megabytes(write):
    long = 'é"\n,' * 1_250_000
    row = {"id": "p1", "item": "i1", "cluster": "c"} | ROW | {"a": {"text": long}}
    (from_jsonl,) = load_pairs(write(jsonl([row]))).pairs
    limit = csv.field_size_limit()
    (from_csv,) = load_pairs(write(as_csv([row], ",", "\n"), "p.csv")).pairs
    assert from_csv == from_jsonl
    assert from_csv.a.text == long
    assert csv.field_size_limit() == limit


def test_reading_holds_one_row_at_a_time(write):
    texts = ("x" * 20_000 + str(n) for n in range(400))
    name = write(jsonl(ROW | {"a": text} for text in texts))
    sum(1 for _ in read_pairs(name))
    tracemalloc.start()
    try:
        assert sum(1 for _ in read_pairs(name)) == 400
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000


def as_csv(rows, delimiter, line_end):
    # Everything is quoted, since Python's writer leaves a lone carriage return unquoted.
    stream = io.StringIO(newline="")
    flat = [flattened(row) for row in rows]
    columns = list(dict.fromkeys(key for row in flat for key in row))
    writer = csv.DictWriter(
        stream, columns, delimiter=delimiter, lineterminator=line_end, quoting=csv.QUOTE_ALL
    )
    writer.writeheader()
    writer.writerows(flat)
    return stream.getvalue().encode()


def flattened(row):
    flat = {}
    for key, value in row.items():
        if key == "reference":
            flat |= {"reference": "|".join(value["accept"]), "reference_source": value["source"]}
        elif isinstance(value, dict):
            flat |= {f"{key}_{part}": text for part, text in value.items()}
        else:
            flat[key] = value
    return flat


def normal(row):
    accepted = {"accept": sorted(set(row["reference"]["accept"]))}
    return row | {"reference": row["reference"] | accepted}


def as_row(pair):
    return {
        "id": pair.id,
        "item": pair.item.id,
        "cluster": pair.item.cluster,
        "prompt": pair.item.messages[0].content,
        "context": pair.item.context,
        "reference_answer": pair.item.reference_answer,
        "category": pair.item.category,
        "consequence": pair.item.consequence,
        "a": {"system": pair.a.system, "version": pair.a.version, "text": pair.a.text},
        "b": {"system": pair.b.system, "version": pair.b.version, "text": pair.b.text},
        "reference": {"accept": sorted(pair.reference.accepted), "source": pair.reference.source},
    }
