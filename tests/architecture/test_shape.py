"""The house rules that no linter has: sizes, names, and exports that are true."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from pathlib import Path

import pytest

import counterbalance

ROOT = Path(counterbalance.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
BANNED = {
    "utils",
    "helpers",
    "common",
    "misc",
    "base",
    "core",
    "manager",
    "handler",
    "data",
    "info",
}
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages([str(ROOT)], "counterbalance.")
    if not module.name.endswith("__main__")
)


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_files_stay_short(path):
    assert len(path.read_text("utf-8").splitlines()) <= 400


def test_no_file_has_a_name_that_says_nothing():
    assert not [path for path in FILES if path.stem in BANNED]


@pytest.mark.parametrize("name", MODULES)
def test_exports_are_sorted_and_exist(name):
    module = importlib.import_module(name)
    exported = getattr(module, "__all__", None)
    if exported is None:
        assert Path(module.__file__ or "").name == "__init__.py"
        return
    assert list(exported) == sorted(
        exported, key=lambda n: (not n.isupper(), not n[0].isupper(), n)
    )
    assert not [n for n in exported if not hasattr(module, n)]


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_module_says_what_it_is_for(path):
    assert ast.get_docstring(ast.parse(path.read_text("utf-8")))


def test_only_one_function_maps_a_slot_to_a_candidate():
    """Whoever compares an order with FORWARD or REVERSED could be a second map."""
    maps = set()
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                source = ast.unparse(node)
                if "Slot." in source and "Order." in source and "Side." in source:
                    maps.add(f"{path.relative_to(ROOT)}:{node.name}")
    assert maps == {"presentations/order.py:side_in"}
