"""Case files, as ``report`` and ``demo`` write them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counterbalance.record.store import Store

__all__ = ["write_cases"]


def write_cases(
    store: Store, *, csv_path: Path | None = None, jsonl_path: Path | None = None
) -> Iterator[str]:
    """Write the case files that are asked for; yield one line for each."""
    from counterbalance.cli.output import written
    from counterbalance.report.build import read_evidence
    from counterbalance.report.cases import case_values, write_cases_csv, write_cases_jsonl

    evidence = read_evidence(store)
    for path, write in ((csv_path, write_cases_csv), (jsonl_path, write_cases_jsonl)):
        if path is not None:
            with written(path) as file:
                n = write(case_values(evidence), file)
            yield f"{path}: {n} cases"
