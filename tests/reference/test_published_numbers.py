"""Every published number that somebody reproduced follows from the rows that we read."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import counterbalance
from extras import reference_folder
from reference.computing import faults, is_same, results_of
from reference.published import files_with_numbers, folders_with_numbers, numbers_of
from reference.summary import markdown_table, reasons

PAGE = Path(counterbalance.__file__).parents[2] / "docs" / "explanation" / "published-numbers.md"
FILES = files_with_numbers()


@pytest.mark.reference
def test_there_are_published_numbers() -> None:
    folder = reference_folder()
    assert FILES, f"no expected/expected.json under {folder}"


@pytest.mark.reference
@pytest.mark.parametrize(
    ("folder", "file"), FILES, ids=[f"{folder.name}/{file}" for folder, file in FILES]
)
def test_every_published_number_follows_from_the_rows(folder: Path, file: str) -> None:
    results = results_of(folder, file)
    assert results
    assert not faults(results)


@pytest.mark.reference
def test_the_page_shows_the_table_and_the_reasons() -> None:
    reference_folder()
    shown = [
        result
        for folder, file in FILES
        for result in results_of(folder, file)
        if result.number.part == "out"  # the held-out part is not everybody's
    ]
    page = PAGE.read_text("utf-8")
    assert markdown_table(shown) in page
    flat = " ".join(page.split())
    for reason in reasons(shown):
        source, name, why = reason.split(": ", 2)
        assert f"`{source}`, `{name.partition(' ')[0]}`" in flat, reason
        assert " ".join(why.split()) in flat, reason


def a_source(folder: Path, **changes: object) -> Path:
    item = {
        "file": "x.json",
        "metric": "unheard_of",
        "value": 1,
        "origin": "made up",
        "rule": "",
        "reproduced": None,
    }
    content = {"source": "llmbar", "set": "made up", "items": [item | changes]}
    (folder / "expected").mkdir(parents=True)
    (folder / "expected" / "expected.json").write_text(json.dumps(content))
    return folder


def test_a_number_that_nothing_computes_is_a_fault(tmp_path: Path) -> None:
    (result,) = results_of(a_source(tmp_path), "x.json")
    assert result.state == "not computed"
    assert faults([result])


def test_a_number_that_was_reproduced_before_cannot_be_given_up(tmp_path: Path) -> None:
    (result,) = results_of(a_source(tmp_path), "x.json")
    given_up = replace(result, state="not reproducible")
    assert not faults([given_up])
    reproduced = replace(given_up.number, reproduced=True)
    assert faults([replace(given_up, number=reproduced)])


def test_items_are_found_wherever_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = a_source(tmp_path / "deep" / "down", tolerance=0.5)
    monkeypatch.setenv("COUNTERBALANCE_REFERENCE_DATA", str(tmp_path))
    assert folders_with_numbers() == (folder,)
    assert files_with_numbers() == [(folder, "x.json")]
    (number,) = numbers_of(folder)
    assert (number.metric, number.tolerance, number.part) == ("unheard_of", 0.5, "made up")


@pytest.mark.parametrize(
    ("published", "ours", "tolerance"),
    [
        (0.5, 0.5 + 1e-12, None),
        (0.66, 0.6604, 0.00051),
        (0, 0, None),
        (True, True, None),
        ("28 / 92 = 30.5%", [28, 92, 30.5], None),
        ({"a": 1}, {"a": 1, "b": 0}, None),
    ],
)
def test_what_is_taken_for_the_same(published, ours, tolerance) -> None:
    assert is_same(published, ours, tolerance)


@pytest.mark.parametrize(
    ("published", "ours", "tolerance"),
    [
        (0.5, 0.5 + 1e-8, None),
        (0.66, 0.661, 0.00051),
        (0.5, None, None),
        (True, False, None),
        ("28 / 92 = 30.5%", [28, 92, 30.4], None),
        ("150/150", [149, 150], None),
        ("150/150", [150], None),
        ({"a": 1}, {"a": 1, "b": 1}, None),
        ({"a": 1, "b": 0}, {"a": 1}, None),
    ],
)
def test_what_is_taken_for_different(published, ours, tolerance) -> None:
    assert not is_same(published, ours, tolerance)
