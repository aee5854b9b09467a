"""The report of a large run as one page and as a folder of pages, and how both grow.

Records of synthetic pairs under a scripted judge (two orders of each pair, a reference for each,
categories, answers of about 60 words, every fourth b an edited a) are reported by ``report --html``
and ``report --pages`` in processes of their own. Time is CPU seconds of the whole process, memory
its peak; the text report of the same record is what reading and measuring cost by themselves.
Growth is the time at the
larger number of pairs over that at the smaller; 10 is in proportion for ten times as many pairs.
With a Chromium, the largest page is opened in it as well.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from counterbalance.run.session import run_study
from counterbalance.run.study import load_study

PROTOCOL = """schema = "counterbalance.protocol/1"
title = "Synthetic pairs for a benchmark"
pairs = "pairs.jsonl"
seed = 7
baseline = "old"
delimiter_secret = "a fixed secret for a benchmark"

[question]
kind = "overall_preference"
decision = "None; a benchmark."

[[judges]]
name = "script"
kind = "scripted"
slot_rate = 0.3
noise = 0.1
tie_rate = 0.1
unparsed_rate = 0.02

[verdict]
format = "bracket"
tie = "C"

[[labellings]]
first = "A"
second = "B"
"""
REPORT = """
import resource, sys, time
from counterbalance.cli.main import main
sys.argv[1:] = {words!r}
try:
    main()
except SystemExit as ended:
    assert ended.code == 0, ended.code
used = resource.getrusage(resource.RUSAGE_SELF)
print("\\n", used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""
WAYS = {"text": (), "--html": ("report.html",), "--pages": ("pages",)}


class Made(NamedTuple):
    """What one report took, and what it wrote."""

    seconds: float
    megabytes: float
    files: tuple[int, ...]
    """Bytes of each file."""
    largest: Path | None


def write_record(folder: Path, n: int) -> Path:
    """Judge synthetic pairs with the scripted judge; return the record."""
    rng = np.random.default_rng(n)
    words = [f"word{i}" for i in range(400)]
    with (folder / "pairs.jsonl").open("w", encoding="utf-8") as file:
        for i in range(n):
            a, b = (" ".join(words[k] for k in rng.integers(0, 400, 60)) for _ in "ab")
            if i % 4 == 0:  # a controlled pair: the page marks what b changes and adds
                b = a.replace(" word", " another word", 3) + " One sentence more."
            pair = {
                "id": f"p{i}",
                "prompt": f"Question {i}?",
                "cluster": f"q{i // 2}",
                "category": f"category {i // 2 % 8}",
                "a": {"system": "old", "text": a},
                "b": {"system": "new", "text": b},
                "reference": "ab"[i % 3 == 0],
            }
            file.write(json.dumps(pair) + "\n")
    protocol = folder / "protocol.toml"
    protocol.write_text(PROTOCOL, encoding="utf-8")
    study = load_study(protocol)
    asyncio.run(
        run_study(
            study,
            study.default_record,
            task=None,
            retry_failed=False,
            batch=None,
            announce=lambda *_: None,
            finished=lambda _: None,
        )
    )
    return study.default_record


def made(record: Path, way: str) -> Made:
    """Report a record in a process of its own."""
    outputs = [record.parent / name for name in WAYS[way]]
    words = ["report", str(record), *(str(part) for path in outputs for part in (way, path))]
    done = subprocess.run(
        [sys.executable, "-c", REPORT.format(words=words)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    seconds, megabytes = map(float, done.stdout.split()[-2:])
    files = [f for path in outputs for f in ([path] if path.is_file() else sorted(path.iterdir()))]
    sizes = tuple(file.stat().st_size for file in files)
    largest = max(files, key=lambda file: file.stat().st_size, default=None)
    return Made(seconds, megabytes, sizes, largest)


def opened(page: Path) -> str:
    """Open a page in Chromium; say how long until it stands, and how many elements it has."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        return "no Chromium to open it in"
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 (an optional part)

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        shown = started.new_page()
        begun = time.perf_counter()
        shown.goto(page.as_uri())
        took = time.perf_counter() - begun
        n = shown.evaluate("document.querySelectorAll('*').length")
        started.close()
    return f"opens in {took:.1f} s with {n} elements"


def main() -> None:
    """Print one line for each way and number of pairs, then the growth."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, nargs=2, default=[5_000, 50_000])
    few, many = parser.parse_args().pairs
    found: dict[tuple[str, int], Made] = {}
    for n in (few, many):
        with tempfile.TemporaryDirectory() as name:
            record = write_record(Path(name), n)
            for way in WAYS:
                one = found[way, n] = made(record, way)
                line = f"{n:>6} pairs {way:<8} {one.seconds:7.1f} CPU s {one.megabytes:6.0f} MB"
                if one.largest is not None:
                    line += (
                        f"  {len(one.files)} files, {sum(one.files) / 1e6:.1f} MB, largest"
                        f" {one.largest.name} {max(one.files) / 1e6:.2f} MB;"
                        f" {opened(one.largest)}"
                    )
                print(line)
    for way in WAYS:
        growth = found[way, many].seconds / found[way, few].seconds
        beyond = found[way, many].seconds / found["text", many].seconds
        print(f"{way:<8} grows {growth:.1f} times for {many / few:g} times as many pairs", end="")
        print(f"; {beyond:.2f} times the text report")


if __name__ == "__main__":
    main()
