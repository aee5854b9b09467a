"""The audit of a large log against a bare scan of the same file, and how both grow.

Writes synthetic logs of judgments (two orders of each pair, four judges, five pairs to a question),
FastChat-like JSONL and CSV with a mapping, and audits them in processes of their own: import,
dispositions and all measures with clustered intervals. Time is CPU seconds of the process, its
start left out; memory is the peak of the process. The bare scan is polars reading every column of
the same file.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

ANSWER = " ".join(f"word{i}" for i in range(40))
PROMPT = (
    "[User Question]\n{q}\n\n[The Start of Assistant A's Answer]\n{a}\n"
    "[The End of Assistant A's Answer]\n\n[The Start of Assistant B's Answer]\n{b}\n"
    "[The End of Assistant B's Answer]"
)
LEANING = 0.5
"""Share of pairs whose orders are drawn apart."""
WINNERS = ("model_1", "model_2", "tie")
LABELS = (("A", "B"), ("B", "A"), ("C", "C"))
MAP = """title = "synthetic"
[columns]
item = "question"
first = "first"
second = "second"
verdict = "verdict"
judge = "judge"
cluster = "prompt"
[verdict]
first = ["A"]
second = ["B"]
tie = ["C"]
"""

AUDIT = """
import resource, sys, time
from counterbalance.importers.loading import read_logs
from counterbalance.report.log_report import build_log_report
{extra}
start = time.process_time()
log = read_logs([sys.argv[1]], log_format=known, rereads={rereads})
report = build_log_report(log, n_listed=0)
assert report.reconciliation.planned > 0
took = time.process_time() - start
print(took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
SCAN = """
import resource, sys, time
import polars as pl
start = time.process_time()
frame = pl.scan_{kind}(sys.argv[1])
print(frame.select(pl.all().hash().sum()).collect().height, file=sys.stderr)
took = time.process_time() - start
print(took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def verdicts(n: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield question, pair, judge and both games of each row."""
    rng = np.random.default_rng(20261130)
    lean = rng.random(n)
    for row in range(n):
        games = rng.choice(3, 2, p=[0.5, 0.35, 0.15]) if lean[row] < LEANING else [row % 2] * 2
        yield row // 5, row % 5, row % 4, int(games[0]) * 3 + int(games[1])


def write_fastchat(path: Path, judgments: int) -> None:
    """Write two games in each row."""
    with path.open("w", encoding="utf-8") as file:
        for question, pair, judge, games in verdicts(judgments // 2):
            a, b = f"{ANSWER} {question}", f"{ANSWER} {pair} other"
            row = {
                "question_id": question,
                "model_1": f"model-{pair}",
                "model_2": "baseline",
                "judge": [f"judge-{judge}", "pair-v2"],
                "turn": 1,
                "tstamp": 0.0,
            }
            for game, winner in enumerate(divmod(games, 3)):
                shown = (a, b) if game == 0 else (b, a)
                row[f"g{game + 1}_winner"] = WINNERS[winner]
                row[f"g{game + 1}_user_prompt"] = PROMPT.format(q=question, a=shown[0], b=shown[1])
                reply = f"Assistant A explains {question} better than {pair}."
                row[f"g{game + 1}_judgment"] = f"{reply} [[{LABELS[winner][game]}]]"
            file.write(json.dumps(row) + "\n")


def write_csv(path: Path, judgments: int) -> None:
    """Write one call in each row."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["question", "prompt", "first", "second", "judge", "verdict", "text"])
        for question, pair, judge, games in verdicts(judgments // 2):
            for game, winner in enumerate(divmod(games, 3)):
                names = [f"model-{pair}", "baseline"][:: 1 if game == 0 else -1]
                label = LABELS[winner][game]
                item = f"{question}"
                writer.writerow([item, question, *names, f"judge-{judge}", label, ANSWER])


def measured(code: str, path: Path) -> tuple[float, float]:
    """Return CPU seconds and peak MiB of a process that runs the code on a file."""
    words = [sys.executable, "-c", code, str(path)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    seconds, peak = done.stdout.split()
    return float(seconds), float(peak)


def audit_code(mapping: Path | None, *, rereads: bool) -> str:
    """Return the program that audits, with a mapping file where one is needed."""
    extra = "known = None"
    if mapping is not None:
        extra = (
            "from counterbalance.importers.mapped_log import mapped_format\n"
            "from counterbalance.importers.mapping_file import mapping_named\n"
            f"known = mapped_format(mapping_named({str(mapping)!r}), 'map')"
        )
    return AUDIT.format(extra=extra, rereads=rereads)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--judgments", type=int, nargs="+", default=[100_000, 1_000_000])
    sizes = parser.parse_args().judgments
    print("log            judgments  audit CPU s  peak MiB  scan CPU s  over the scan  us/judgment")
    with tempfile.TemporaryDirectory() as folder:
        mapping = Path(folder) / "map.toml"
        mapping.write_text(MAP, encoding="utf-8")
        for name, kind, write, known in (
            ("fastchat.jsonl", "ndjson", write_fastchat, None),
            ("calls.csv", "csv", write_csv, mapping),
        ):
            for n in sizes:
                path = Path(folder) / name
                write(path, n)
                scan, _ = measured(SCAN.format(kind=kind), path)
                ways = (True, False) if known is None else (True,)
                for rereads in ways:
                    seconds, peak = measured(audit_code(known, rereads=rereads), path)
                    what = name.partition(".")[0] + ("" if rereads else " no-reread")
                    print(
                        f"{what:<18} {n:>9,} {seconds:>9.2f} {peak:>9.0f} {scan:>10.2f}"
                        f" {seconds / scan:>12.1f} {1e6 * seconds / n:>12.1f}",
                        flush=True,
                    )
                path.unlink()


if __name__ == "__main__":
    main()
