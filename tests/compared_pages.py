"""Pages of every verb that compares, over small records with planted judges."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from commands import command_here
from studies import row, run, write_study

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = "<script>alert(1)</script> \u202e"
OTHER = """
[[judges]]
name = "other"
kind = "scripted"
seed = 2
slot_rate = 0.5
refusal_rate = 0.1
"""
MARGINS = """
[compare]
measures = ["agreement_both", "position_consistency", "bias_position", "tie_rate", "win_rate_a"]
margins = { agreement_both = 0.05, tie_rate = 0.1 }
"""
PRICES = """
[prices.script]
prompt_usd_per_million = 1.0
completion_usd_per_million = 4.0
"""
REPEATED = "\n[repetitions.subset]\npairs = 10\nper_order = 3\n"
_RECORD = "protocol.record.sqlite"


def _rows(n: int = 24) -> list[dict[str, object]]:
    return [row(i, id=f"{HOSTILE}{i}" if i < 2 else f"p{i}") for i in range(n)]


def _judged(folder: Path, judge: str, more: str = "", named: str = "") -> Path:
    protocol = write_study(folder, judge=judge, more=more, rows=_rows())
    text = protocol.read_text("utf-8")
    protocol.write_text(text.replace("[question]", f"{named}\n[question]", 1), "utf-8")
    run(protocol)
    return folder / _RECORD


def written(folder: Path) -> dict[str, tuple[dict[str, Any], Path]]:
    """Write a page for each kind of comparison; return its data and its path, by kind."""
    two = _judged(folder / "two", "noise = 0.05", OTHER + MARGINS)
    later = _judged(folder / "later", "slot_rate = 0.5\nnoise = 0.05", REPEATED + MARGINS)
    earlier = _judged(folder / "earlier", "noise = 0.05", REPEATED)
    named = 'strategies = ["B0", "S1", "S5", "S8"]'
    many = _judged(folder / "many", "slot_rate = 0.4\nnoise = 0.1", PRICES, named)
    prior = ("--prior", "judging-the-judges")
    found = {}
    for kind, words in (
        ("compare", ("compare", two, "--full", "--odds")),
        ("runs", ("compare", earlier, later)),
        ("drift", ("drift", earlier, later)),
        ("strategies", ("compare", many, "--strategies", "--margin",
                        "strategy_agreement=0.05", *prior)),
    ):  # fmt: skip
        path = folder / f"{kind}.html"
        ended = command_here(*words, "--json", "--html", path)
        assert ended.code == 0, ended.err
        found[kind] = json.loads(ended.out), path
    return found
