"""Real judge logs, read where they are: nothing of them is kept in this project."""

from __future__ import annotations

import csv
import gzip
import json
import re
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

from extras import reference_folder

if TYPE_CHECKING:
    from pathlib import Path

LETTER = {"MTBench": re.compile(r"\[\[([ABCD])\]\]"), "DevBench": re.compile(r"Choice: ([ABCD])")}
SWAPPED = {"A": "B", "B": "A", "C": "C"}
JUDGE = re.compile(r"record_(.+)_[23]\.tsv\.gz")


@cache
def repeated_letters() -> dict[str, list[tuple[str, str, str]]]:
    """Question, forward letters and reversed letters of each pair, by ``benchmark|judge``.

    From the repetition runs of Position-Bias-Analyzer: three repeats in each order, letters in the
    frame of the first order, ``-`` where none could be read.
    """
    found: dict[str, list[tuple[str, str, str]]] = {}
    source = reference_folder() / "position_bias_analyzer" / "judgment_data"
    for benchmark in LETTER:
        runs: dict[str, list[dict[str, str]]] = {}
        folder = source / f"data_{benchmark}_repetition"
        for file in sorted(folder.glob("Repetition*/record_*.tsv.gz")):
            judge, letters = _letters_of(file, benchmark)
            runs.setdefault(judge, []).append(letters)
        found |= {f"{benchmark}|{judge}": _rows_of(repeats) for judge, repeats in runs.items()}
    return found


def _letters_of(file: Path, benchmark: str) -> tuple[str, dict[str, str]]:
    judge = JUDGE.fullmatch(file.name)[1]
    csv.field_size_limit(sys.maxsize)
    with gzip.open(file, "rt", encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    found = {row["cmp_index"]: LETTER[benchmark].search(row[judge]) for row in rows}
    return judge, {key: match[1] if match else "-" for key, match in found.items()}


def _rows_of(runs: list[dict[str, str]]) -> list[tuple[str, str, str]]:
    rows, seen = [], set()
    for key in runs[0]:
        question, first, second = key.split(";")
        other = f"{question};{second};{first}"
        if key in seen or other not in runs[0]:
            continue
        seen |= {key, other}
        forward = "".join(run[key] if run[key] in SWAPPED else "-" for run in runs)
        reverse = "".join(SWAPPED.get(run[other], "-") for run in runs)
        rows.append((question, forward, reverse))
    return rows


def expected_figures(source: str) -> dict[Path, dict[str, Any]]:
    """Expected figures of a source, by file (or pattern of files) and name."""
    folder = reference_folder() / source
    content = json.loads((folder / "expected" / "expected.json").read_text(encoding="utf-8"))
    found: dict[Path, dict[str, Any]] = {}
    for item in content["items"]:
        found.setdefault(folder / item["file"], {})[item["metric"]] = item["value"]
    return found


def expected(source: str, file: str) -> dict[str, Any]:
    """Return the expected numbers of one file of a source, by metric."""
    return expected_figures(source)[stored(source, file)]


def stored(source: str, file: str) -> Path:
    """Return where a file of a source stands."""
    return reference_folder() / source / file


@cache
def preferences_over_a_baseline() -> dict[str, list[tuple[str, int, float]]]:
    """Instruction, baseline's length less the system's, and preference, by system.

    From AlpacaEval 2: 1 is a sure preference for the system, 0 one for the baseline.
    """
    found = {}
    for file in sorted((reference_folder() / "alpaca_eval" / "results").glob("*/*/*.json.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            rows = json.load(lines)
        found[file.parts[-3]] = [
            (
                row["instruction"],
                len(row["output_1"]) - len(row["output_2"]),
                row["preference"] - 1,
            )
            for row in rows
        ]
    return found
