"""Data sets through the datasets library: a small stand-in for it, never the network."""

import hashlib
import sys
from types import ModuleType, SimpleNamespace

import pytest

from counterbalance.errors import MissingExtraError, PairFileError
from counterbalance.items.files import load_pairs


class Table:
    """What is used of ``datasets.Dataset``."""

    def __init__(self, rows):
        self.rows = rows
        self.column_names = list(rows[0])

    def select_columns(self, names):
        return [{name: row[name] for name in names} for row in self.rows]


class DatasetsError(Exception):
    pass


TURNS = {
    side: [{"role": "user", "content": "q"}, {"role": "assistant", "content": text}]
    for side, text in (("chosen", "4"), ("rejected", "5"))
}
PLAIN = [{"prompt": "q", "a": "1", "b": "2", "category": None}]


@pytest.fixture
def library(monkeypatch):
    module = ModuleType("datasets")
    module.exceptions = SimpleNamespace(DatasetsError=DatasetsError)
    module.asked = []

    def load_dataset(*names, **options):
        module.asked.append((names, options))
        if names[0] == "nobody/none":
            text = "Dataset 'nobody/none' doesn't exist on the Hub\nor cannot be accessed"
            raise module.failure(text)
        return Table([TURNS | {"score": 1.0}])

    module.load_dataset = load_dataset
    module.load_from_disk = lambda _: module.saved
    monkeypatch.setitem(sys.modules, "datasets", module)
    return module


def problem(name):
    with pytest.raises(PairFileError) as caught:
        load_pairs(name)
    assert str(caught.value).isprintable()
    return str(caught.value)


def test_a_data_set_on_the_hub(library, tmp_path):
    loaded = load_pairs("hf:owner/name:test", folder=tmp_path)
    (pair,) = loaded.pairs
    assert {pair.a.text, pair.b.text} == {"4", "5"}
    assert loaded.name == "hf:owner/name:test"
    assert loaded.sha256 == hashlib.sha256(f"{pair.digest}\n".encode()).hexdigest()
    assert loaded.notes == ("keys of preference rows that are not read: score",)
    load_pairs("hf:owner/name/config@v1.0:test")
    assert library.asked == [
        (("owner/name", None), {"split": "test", "revision": None}),
        (("owner/name", "config"), {"split": "test", "revision": "v1.0"}),
    ]


@pytest.mark.parametrize(
    "name", ["hf:owner/name", "hf:name:test", "hf:owner/name:", "hf:../x:test:y", "hf:a/b/c/d:e"]
)
def test_refused_names(library, name):
    expected = f"{name}: is not hf:owner/name:split (with /config or @revision behind the name)"
    assert problem(name) == expected
    assert not library.asked


@pytest.mark.parametrize("failure", [FileNotFoundError, ConnectionError, ValueError, DatasetsError])
def test_a_data_set_that_cannot_be_loaded(library, failure):
    library.failure = failure
    assert problem("hf:nobody/none:test") == (
        "hf:nobody/none:test: cannot be loaded: Dataset 'nobody/none' doesn't exist on the Hub"
    )


def test_a_saved_data_set(library, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "saved").mkdir()
    (tmp_path / "saved" / "state.json").touch()
    library.saved = Table(PLAIN)
    assert load_pairs("saved").pairs[0].a.text == "1"
    assert problem("saved:x") == 'saved: has no split "x" (there: one without a name)'
    library.saved = {"train": Table(PLAIN), "test": Table([TURNS])}
    assert load_pairs("saved:train").n_rows == 1
    assert problem("saved") == (
        "saved: is a folder with several splits (train, test); name one behind a colon"
    )
    assert problem("saved:x") == 'saved: has no split "x" (there: train, test)'
    library.saved = Table([PLAIN[0] | {"b": 7}])
    assert problem("saved") == (
        'saved:row 1: "b" is the number 7; it must be text; store the column as text'
    )
    library.saved = Table([{"text": "x"}])
    assert problem("saved").startswith('saved: "text" is not a known column')


def test_without_the_library(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "datasets", None)
    (tmp_path / "dataset_dict.json").touch()
    for name in ("hf:owner/name:test", tmp_path):
        with pytest.raises(MissingExtraError, match=r"pip install 'counterbalance\[hub\]'$"):
            load_pairs(name)
