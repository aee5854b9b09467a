"""Data sets in folders, read through `load_pairs`."""

import hashlib
import json

import pytest

from counterbalance.errors import PairFileError
from counterbalance.items.files import load_pairs, read_pairs
from extras import require


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "set").mkdir()
    return tmp_path / "set"


def write(path, *numbers):
    path.parent.mkdir(exist_ok=True)
    rows = [{"prompt": f"q{n}", "a": "1", "b": "2"} for n in numbers]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def prompts(loaded):
    return [pair.item.messages[0].content for pair in loaded.pairs]


def problem(name):
    with pytest.raises(PairFileError) as caught:
        load_pairs(name)
    assert str(caught.value).isprintable()
    return str(caught.value)


def test_the_only_split_needs_no_name(folder):
    write(folder / "test.jsonl", 1, 2)
    write(folder / "README.md", 3)
    write(folder / "dataset_infos.json", 4)
    write(folder / ".hidden.jsonl", 5)
    for name in ("set", "set:test"):
        loaded = load_pairs(name)
        assert (loaded.name, prompts(loaded), loaded.n_rows) == (name, ["q1", "q2"], 2)
    assert loaded.sha256 == hashlib.sha256((folder / "test.jsonl").read_bytes()).hexdigest()


def test_shards_in_their_order_with_the_digest_of_their_list(folder):
    files = [f"data/train-0000{n}-of-00002.jsonl" for n in (1, 0)]
    for n, file in enumerate(files):
        write(folder / file, n)
    write(folder / "train.jsonl", 7)
    loaded = load_pairs("set:train")
    assert prompts(loaded) == ["q1", "q0"]
    assert loaded.n_rows == 2
    lines = [
        f"{hashlib.sha256((folder / file).read_bytes()).hexdigest()}  {file}\n"
        for file in sorted(files)
    ]
    assert loaded.sha256 == hashlib.sha256("".join(lines).encode()).hexdigest()
    assert [row.line for row in read_pairs("set:train")] == [1, 1]


def test_a_split_in_parquet(folder):
    require("frames")
    import polars as pl  # noqa: PLC0415

    (folder / "data").mkdir()
    frame = pl.DataFrame({"prompt": ["q"], "chosen": ["4"], "rejected": ["5"], "id": [3]})
    frame.write_parquet(folder / "data" / "raw-00000-of-00001.parquet")
    write(folder / "data" / "filtered.jsonl", 1)
    (pair,) = load_pairs("set:raw").pairs
    assert pair.id == "3"
    assert prompts(load_pairs("set:filtered")) == ["q1"]


def test_places_name_the_file(folder):
    write(folder / "data" / "x-00000-of-00002.jsonl", 1, 2)
    write(folder / "data" / "x-00001-of-00002.jsonl", 3, 2)
    assert problem("set") == (
        "set/data/x-00001-of-00002.jsonl:2: repeats set/data/x-00000-of-00002.jsonl, line 2; "
        "remove one of them"
    )
    (folder / "data" / "x-00001-of-00002.jsonl").write_text("{}", "utf-8")
    assert problem("set:x").startswith('set/data/x-00001-of-00002.jsonl:1: "prompt" is missing')


LOOKED_FOR = "(looked for: .jsonl, .ndjson, .json, .csv, .tsv, .parquet)"


def test_refused_folders(folder):
    assert problem("set") == f"set: is a folder without a pair file {LOOKED_FOR}"
    write(folder / "test.jsonl", 1)
    assert problem("set:train") == 'set: has no split "train" (there: test)'
    write(folder / "test.json", 1)
    assert problem("set") == (
        "set: holds one split in several formats (.json, .jsonl); name one file"
    )
    write(folder / "train.jsonl", 2)
    assert problem("set") == (
        "set: is a folder with several splits (test, train); name one behind a colon"
    )
    assert problem("none:train") == (
        "none:train: the format is told by the extension, and it has none "
        "(allowed: .jsonl, .ndjson, .json, .csv, .tsv, .parquet)"
    )


def test_a_file_with_a_colon_in_its_name(folder):
    write(folder / "x:y.jsonl", 1)
    assert prompts(load_pairs("set/x:y.jsonl")) == ["q1"]


def test_relative_to_a_folder(folder):
    write(folder / "test.jsonl", 1)
    assert load_pairs("test.jsonl", folder=folder).name == str(folder / "test.jsonl")
    assert prompts(load_pairs("set:test", folder=folder.parent)) == ["q1"]
