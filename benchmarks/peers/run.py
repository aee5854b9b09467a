"""The same log read by counterbalance, judgecal, judgekit and peereval, each with intervals.

Outside CI and `make bench`: installs the three into a throw-away environment from PyPI, at pinned
versions. Every program reads 100,000 calls in its own format; counterbalance reads each of the
three files with the preset of that program. Time is CPU seconds of the whole process; a program
that has not finished within the limit is stopped, and its line says so.
"""

from __future__ import annotations

import argparse
import json
import resource
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from environments import install
from formats import judgecal_rows, judgekit_rows, peereval_rows

KEPT = 0.7
"""Share of pairs whose second verdict simply repeats the first."""
STOPPED = (-signal.SIGXCPU, -signal.SIGKILL)
INSTALLING = 900
"""Seconds that pip may take."""
PINNED = ("judgecal==0.1.0", "judgekit==0.2.1", "peereval==0.1.0")


def rows(n_pairs: int) -> list[tuple[int, str, str]]:
    """Return item and winner in each order, in candidates."""
    rng = np.random.default_rng(20261130)
    names = np.array(["a", "b", "tie"])
    first = rng.choice(3, n_pairs, p=[0.45, 0.4, 0.15])
    second = np.where(rng.random(n_pairs) < KEPT, first, rng.choice(3, n_pairs))
    return [
        (i, str(x), str(y))
        for i, x, y in zip(range(n_pairs), names[first], names[second], strict=True)
    ]


def cpu_seconds(words: list[str], folder: Path, limit: int) -> tuple[float, int]:
    """Return the CPU seconds of a process and its exit code; it is stopped at the limit."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    prlimit = ["prlimit", f"--cpu={limit}"]
    done = subprocess.run(
        [*prlimit, *words], cwd=folder, capture_output=True, text=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        print(done.stderr[-500:], file=sys.stderr)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, done.returncode


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--limit", type=int, default=300, help="CPU seconds for each program.")
    parser.add_argument("--env", type=Path, help="Use (or make) this environment.")
    parser.add_argument("--only", nargs="+", help="Only these programs.")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        env = given.env or folder / "env"
        if why := install(env, PINNED, INSTALLING):
            sys.exit(f"the environment could not be made: {why}")
        log = rows(given.calls // 2)
        peers = {
            "judgekit": (judgekit_rows, ["report", "judgekit.jsonl", "--out", "jk"]),
            "judgecal": (
                judgecal_rows,
                ["analyze", "--judgments", "judgecal.jsonl", "--judge", "judge", "-o", "jc"],
            ),
            "peereval": (peereval_rows, ["score", "peereval.jsonl", "--bootstrap", "1000"]),
        }
        print(f"{given.calls} calls                CPU s   counterbalance CPU s   times")
        for name, (make, words) in peers.items():
            if given.only and name not in given.only:
                continue
            with (folder / f"{name}.jsonl").open("w", encoding="utf-8") as file:
                for item, *winners in log:
                    for swapped, winner in zip((False, True), winners, strict=True):
                        file.write(json.dumps(make(item, swapped, winner)) + "\n")
            theirs, code = cpu_seconds([str(env / "bin" / name), *words], folder, given.limit)
            audit = [sys.executable, "-m", "counterbalance", "audit", f"{name}.jsonl"]
            own_words = [*audit, "--map", name, "--cases", "0"]
            ours, own_code = cpu_seconds(own_words, folder, given.limit)
            failed = f"   exit codes {code}, {own_code}" if code or own_code else ""
            if code in STOPPED:
                failed = f"   {name} was stopped: not done after {given.limit} s"
            print(f"{name:<24} {theirs:>9.2f} {ours:>22.2f} {theirs / ours:>7.1f}{failed}")


if __name__ == "__main__":
    main()
