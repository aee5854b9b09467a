"""Programs that audit judges: how it is run on a log and how it is read."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from formats import (
    in_slots,
    judge_audit_rows,
    judgecal_rows,
    judgekit_rows,
    judgemetry_row,
    peereval_rows,
)

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["OTHERS", "PROGRAMS", "Found", "Pair", "Program"]

Pair: TypeAlias = tuple[str, str | None, str | None]
"""Item and the winner in each order, in candidates; None where there is no verdict."""
REPLAY = str(Path(__file__).with_name("replay.py"))
LOG = "log.jsonl"


@dataclass(frozen=True)
class Found:
    """What a program found: a share, of how many where it says so, and its verdict."""

    share: float
    n: int | None
    verdict: str
    of_what: str = ""


@dataclass(frozen=True)
class Program:
    """A program, how its input is written, the command, and how its output is read."""

    name: str
    version: str
    write: Callable[[list[Pair], Path], None]
    command: tuple[str, ...]
    read: Callable[[str, Path], Found]
    word: str = "flip"


def write_calls(
    row: Callable[[object, bool, str | None], dict[str, object]], pairs: list[Pair], folder: Path
) -> None:
    """Write one row for each call."""
    rows = [
        row(item, swapped, winner)
        for item, *winners in pairs
        for swapped, winner in zip((False, True), winners, strict=True)
    ]
    write_lines(rows, folder)


def write_pairs(pairs: list[Pair], folder: Path) -> None:
    """Write one row for each pair, as judgemetry reads it."""
    write_lines([judgemetry_row(*pair) for pair in pairs], folder)


def write_lines(rows: list[dict[str, object]], folder: Path) -> None:
    """Write rows as JSON lines."""
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / LOG).write_text(text, encoding="utf-8")


def write_replay(pairs: list[Pair], folder: Path) -> None:
    """Write the slots that won, for a judge that says them again."""
    rows = [
        [item]
        + [
            None if winner is None else in_slots(winner, is_swapped=swapped)
            for swapped, winner in zip((False, True), winners, strict=True)
        ]
        for item, *winners in pairs
    ]
    (folder / LOG).write_text(json.dumps(rows), encoding="utf-8")


def write_cases(pairs: list[Pair], folder: Path) -> None:
    """Write one case for each call, as mistrial reads it, and the judge that says it again."""
    write_replay(pairs, folder)
    shutil.copy(REPLAY, folder)
    rows: list[dict[str, object]] = [
        {"id": f"{item}-{order}", "inputs": f"question {item}", "outputs": slot}
        for item, *slots in json.loads((folder / LOG).read_text(encoding="utf-8"))
        for order, slot in zip(("forward", "reversed"), slots, strict=True)
    ]
    write_lines(rows, folder)


def read_replay(text: str, folder: Path, of_what: str = "") -> Found:  # noqa: ARG001
    """Return what `replay` printed."""
    found = json.loads(text)
    return Found(found["share"], found["n"], found["verdict"], of_what)


def read_judgecal(text: str, folder: Path) -> Found:  # noqa: ARG001
    """Return the flip rate of the card, and its flags."""
    card = json.loads((folder / "out" / "card.json").read_text(encoding="utf-8"))
    (probe,) = card["probes"]
    flips = next(m for m in probe["metrics"] if m["name"] == "flip_rate_decisive")
    verdict = ", ".join(card["overall_flags"]) or "no flag"
    return Found(flips["estimate"], flips["n"], f"{verdict}; invalid {probe['invalid_rate']:.1%}")


def read_judgekit(text: str, folder: Path) -> Found:
    """Return the flip rate of the report, and the flags that the program printed."""
    report = json.loads((folder / "out" / "report.json").read_text(encoding="utf-8"))
    probe = next(probe for probe in report["probes"] if probe["name"] == "swap flip rate")
    flags = re.findall(r"^FLAG (.+?):", text, re.MULTILINE)
    return Found(probe["value"], probe["n"], "flags: " + ", ".join(flags) if flags else "0 flags")


def read_judgemetry(text: str, folder: Path) -> Found:  # noqa: ARG001
    """Return the line on consistency of the card, and its grade."""
    line = re.search(r"^Consistency +(\S+) +flip rate ([\d.]+)%", text, re.MULTILINE)
    if line is None:
        msg = "no line on consistency"
        raise ValueError(msg)
    return Found(float(line[2]) / 100, None, f"grade {line[1]}")


def read_peereval(text: str, folder: Path) -> Found:  # noqa: ARG001
    """Return how often the orders are inconsistent; peereval prints how often they are not."""
    board = json.loads((folder / "out.json").read_text(encoding="utf-8"))
    consistent = board["overall"]["position_bias"]["judge"]["order_consistency"]
    return Found(1 - consistent, None, "", f"(as consistency {consistent:.3f})")


def read_mistrial(text: str, folder: Path) -> Found:  # noqa: ARG001
    """Return the flip rate between runs, of calls, and how mistrial reads it."""
    report = json.loads((folder / "out.json").read_text(encoding="utf-8"))["report"]
    (judge,) = report["judges"]
    verdict = f"{judge['reading']}; errors {judge['errors']}"
    return Found(judge["flip_rate"], judge["cases"], verdict, "between runs")


PROGRAMS = (
    Program("judgebias", "0.1.1", write_replay, ("python", REPLAY, "judgebias", LOG), read_replay),
    Program(
        "judgecal",
        "0.1.0",
        partial(write_calls, judgecal_rows),
        ("judgecal", "analyze", "--judgments", LOG, "--judge", "judge", "-o", "out"),
        read_judgecal,
    ),
    Program(
        "judgekit",
        "0.2.1",
        partial(write_calls, judgekit_rows),
        ("judgekit", "report", LOG, "--out", "out"),
        read_judgekit,
    ),
    Program(
        "judge-audit",
        "0.1.0",
        partial(write_calls, judge_audit_rows),
        ("python", REPLAY, "judge-audit", LOG),
        read_replay,
    ),
    Program("juryrig", "0.3.1", write_replay, ("python", REPLAY, "juryrig", LOG), read_replay),
    Program(
        "judgemetry",
        "0.1.0",
        write_pairs,
        ("judgemetry", "report", LOG, "-o", "out.html"),
        read_judgemetry,
    ),
    Program(
        "peereval",
        "0.1.0",
        partial(write_calls, peereval_rows),
        ("peereval", "score", LOG, "--json", "out.json"),
        read_peereval,
    ),
    Program(
        "mistrial",
        "0.2.2",
        write_cases,
        (
            *("mistrial", "run", LOG, "-j", "replay:said_again", "-n", "2"),
            *("--html", "none", "--json", "out.json", "--quiet"),
        ),
        read_mistrial,
    ),
    Program(
        "judgeswap",
        "0.1.0",
        write_replay,
        ("python", REPLAY, "judgeswap", LOG),
        partial(read_replay, of_what="ties"),
        word="tie",
    ),
)
OTHERS = (("judge-kappa", "0.4.0", (3, 12)), ("konkord", "1.1.2", (3, 12)))
"""Programs that this command knows of and does not run, and the Python that they need."""
