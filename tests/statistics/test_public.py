"""Every public statistic says what it counts, is tested against an oracle, and is documented."""

from __future__ import annotations

import ast
import inspect
import pkgutil
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from counterbalance import statistics

FUNCTIONS = [name for name in statistics.__all__ if inspect.isfunction(getattr(statistics, name))]
REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "statistics.md"
# Nouns of the product: a statistic that knew them could not be used for anything else.
PRODUCT = re.compile(r"\b(judges?|verdicts?|slots?|dispositions?|candidates?)\b", re.IGNORECASE)
CITED = (
    "Judging the judges: a systematic\n       study of position bias in LLM-as-a-judge",
    "Comparing the classification of subjects by two independent judges",
)


@cache
def names_in_oracle_tests():
    """Return every name that a test against a vector or an oracle uses."""
    names = set()
    for file in Path(__file__).parent.glob("test_*.py"):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and re.search("_vector|_oracle", node.name):
                names |= {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return names


def test_all_is_sorted_and_true():
    assert list(statistics.__all__) == sorted(statistics.__all__)
    assert len(FUNCTIONS) >= 14


def test_no_optimiser_is_loaded_before_a_model_is_asked_for():
    ask = "import sys, counterbalance.statistics; print('scipy.optimize' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


def test_no_module_stands_in_the_way_of_what_is_loaded_when_asked_for():
    # Importing a submodule binds its name in the package, and would hide a function of that name.
    modules = {module.name for module in pkgutil.iter_modules(statistics.__path__)}
    assert modules & set(statistics.__all__)
    ask = (
        "import importlib, inspect; from counterbalance import statistics\n"
        f"for x in {sorted(modules)}: importlib.import_module(f'{statistics.__name__}.{{x}}')\n"
        "print([x for x in statistics.__all__ if inspect.ismodule(getattr(statistics, x))])"
    )
    found = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
    assert dir(statistics) == statistics.__all__
    with pytest.raises(AttributeError):
        _ = statistics.no_such_name


@pytest.mark.parametrize("name", FUNCTIONS)
def test_docstring_says_what_is_counted(name):
    text = inspect.getdoc(getattr(statistics, name))
    for heading in ("Parameters", "Returns", "Raises", "Notes", "References", "Examples"):
        assert f"\n{heading}\n{'-' * len(heading)}\n" in text
    for line in ("**Unit of analysis**", "**Denominator**", "**Undefined**", "**Assumes**", ">>> "):
        assert line in text


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function_is_tested_against_a_vector_or_an_oracle(name):
    assert name in names_in_oracle_tests()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function_is_in_the_reference(name):
    assert f"## `{name}`" in REFERENCE.read_text(encoding="utf-8")


@pytest.mark.parametrize("reason", [*statistics.Undefined, *statistics.Caution])
def test_reason_is_in_the_reference(reason):
    assert f"| `{reason}` | {reason.sentence} |" in REFERENCE.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "file", sorted(Path(statistics.__file__).parent.glob("*.py")), ids=lambda file: file.name
)
def test_no_word_of_the_product(file):
    text = file.read_text(encoding="utf-8").replace("slots=True", "")
    for title in CITED:
        text = text.replace(title, "")
    assert not PRODUCT.findall(text)
