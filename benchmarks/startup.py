"""What ``counterbalance --help`` and ``audit`` of ten rows cost, beside the packages they need.

Each is a fresh interpreter; the programs take turns in one run, and the medians are compared.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 7
ROWS = [
    {"kind": "pairwise", "item_id": f"q{i}", "choice": "ab"[(i + s) % 3 == 0], "swapped": s}
    for i in range(5)
    for s in (False, True)
]
VERB = (
    "import sys; from counterbalance.__main__ import run\n"
    "sys.argv = ['counterbalance', *{words}]\n"
    "try: run()\n"
    "except SystemExit as ended: assert not ended.code"
)
BARE = {"--help": "python + click", "audit": "python + what audit needs"}
"""What each verb is held against: the packages that it cannot do without, by themselves."""


def programs(log: Path) -> dict[str, str]:
    """Return what is run, by name."""
    audit = ["audit", str(log), "--map", "judgekit"]
    return {
        "python alone": "pass",
        BARE["--help"]: "import click",
        BARE["audit"]: "import click, numpy, pydantic, scipy.special",
        "counterbalance --help": VERB.format(words=["--help"]),
        "counterbalance audit": VERB.format(words=audit),
    }


def cpu_seconds(program: str) -> float:
    """Return the CPU seconds of a fresh interpreter that runs a program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", program], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def modules(program: str) -> int:
    """Return how many modules are loaded when a program ends."""
    counted = f"{program}\nimport sys; print('#', len(sys.modules))"
    done = subprocess.run([sys.executable, "-c", counted], capture_output=True, check=True)
    return int(done.stdout.rsplit(b"#", 1)[1])


def main() -> None:
    """Print modules, CPU time and the ratio to bare packages."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log.jsonl"
        log.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
        compared = programs(log)
        seconds: dict[str, list[float]] = {name: [] for name in compared}
        for _ in range(ROUNDS):
            for name, program in compared.items():
                seconds[name].append(cpu_seconds(program))
        medians = {name: statistics.median(values) for name, values in seconds.items()}
        for name, program in compared.items():
            bare = BARE.get(name.removeprefix("counterbalance "))
            ratio = "" if bare is None else f"  {medians[name] / medians[bare]:5.2f} x {bare}"
            print(
                f"{name:26} {modules(program):4} modules  {1000 * medians[name]:6.1f} ms CPU{ratio}"
            )


if __name__ == "__main__":
    main()
