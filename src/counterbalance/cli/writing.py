"""Case files, as ``report`` and ``demo`` write them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counterbalance.importers.loading import ImportedLog
    from counterbalance.record.place import Place
    from counterbalance.report.evidence import Evidence

__all__ = ["write_cases", "write_log_cases"]


def write_cases(
    evidence: Evidence,
    record: Place,
    *,
    csv_path: Path | None = None,
    jsonl_path: Path | None = None,
) -> Iterator[str]:
    """Write the case files that are asked for; yield one line for each."""
    from counterbalance.cli.output import refuse_to_replace, written
    from counterbalance.report.cases import case_values, write_cases_csv, write_cases_jsonl

    targets = [path for path in (csv_path, jsonl_path) if path is not None]
    kept = [record, record.parent / evidence.header.pairs_file] if isinstance(record, Path) else []
    refuse_to_replace(targets, kept)
    for path, write in ((csv_path, write_cases_csv), (jsonl_path, write_cases_jsonl)):
        if path is not None:
            with written(path) as file:
                n = write(case_values(evidence), file)
            yield f"{path}: {n} cases"


def write_log_cases(
    log: ImportedLog,
    record: Place,
    *,
    csv_path: Path | None = None,
    jsonl_path: Path | None = None,
) -> Iterator[str]:
    """Write the case files of an imported log that are asked for; yield one line for each."""
    from counterbalance.cli.output import refuse_to_replace, written
    from counterbalance.report.cases import write_cases_csv, write_cases_jsonl
    from counterbalance.report.log_case_files import flat_log_case, log_case_values

    targets = [path for path in (csv_path, jsonl_path) if path is not None]
    refuse_to_replace(targets, [record] if isinstance(record, Path) else [])
    if csv_path is not None:
        with written(csv_path) as file:
            n = write_cases_csv(log_case_values(log), file, flat_log_case)
        yield f"{csv_path}: {n} cases"
    if jsonl_path is not None:
        with written(jsonl_path) as file:
            n = write_cases_jsonl(log_case_values(log), file)
        yield f"{jsonl_path}: {n} cases"
