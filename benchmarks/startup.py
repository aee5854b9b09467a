"""What ``counterbalance --help`` loads and costs, beside bare Python and bare click, in one run."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys

ROUNDS = 7
PROGRAMS = {
    "python alone": "pass",
    "python + click": "import click",
    "counterbalance --help": (
        "from counterbalance.cli.main import cli\n"
        "try: cli.main(['--help'], standalone_mode=False)\n"
        "finally: pass"
    ),
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
    """Print modules, CPU time and the ratio to bare click."""
    seconds: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for _ in range(ROUNDS):
        for name, program in PROGRAMS.items():
            seconds[name].append(cpu_seconds(program))
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    bare = medians["python + click"]
    for name, program in PROGRAMS.items():
        print(
            f"{name:24} {modules(program):4} modules  {1000 * medians[name]:6.1f} ms CPU"
            f"  {medians[name] / bare:5.2f} x click"
        )


if __name__ == "__main__":
    main()
