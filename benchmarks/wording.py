"""What the order of mention in the last line does to the embedded judge, on the demo's pairs.

Under the labelling 2/1 the same prompts are asked twice: with the labels named in one fixed order
("1 or 2", as the product does), and in display order ("2 or 1"). See docs/decisions/0001.
"""

from __future__ import annotations

import asyncio
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

from counterbalance.protocol import wording
from counterbalance.record import open_record
from counterbalance.report.build import build_report
from counterbalance.report.evidence import read_evidence
from counterbalance.run.session import run_study
from counterbalance.run.study import load_study

if TYPE_CHECKING:
    from counterbalance.protocol.labelling import Labelling

N_PAIRS = 12
PROTOCOL = """\
schema = "counterbalance.protocol/1"
title = "order of mention"
pairs = "pairs.jsonl"
seed = 1
delimiter_secret = "counterbalance demo"
[question]
kind = "overall_preference"
decision = "None."
[[judges]]
name = "smollm2"
kind = "local"
[verdict]
format = "choice"
[[labellings]]
first = "2"
second = "1"
"""


def first_slot_choices(folder: Path, name: str) -> str:
    """Judge the pairs once; return how often the first slot was chosen."""
    study = load_study(folder / "protocol.toml")
    record = folder / f"{name}.sqlite"
    silent = {"announce": lambda *_: None, "finished": lambda _: None}
    asyncio.run(run_study(study, record, **silent))
    with open_record(record, create=False, exclusive=False) as store:
        (group,) = build_report(read_evidence(store)).groups
        tokens = [a.reply.usage.prompt_tokens for a in store.attempts() if a.reply]
    rate = group.measure("first_slot_rate")
    return (
        f"first slot {rate.numerator:.0f} of {rate.denominator:.0f} verdicts, label mass"
        f" {group.label_mass:.2f}, {sum(tokens) / len(tokens):.0f} prompt tokens per call"
    )


def in_display_order(labelling: Labelling) -> list[str]:
    """Name the labels as the slots stand: what the product does not do."""
    return [labelling.first, labelling.second]


def main() -> None:
    """Print the choices under both wordings."""
    pairs = files("counterbalance.cli").joinpath("demo_pairs.jsonl").read_text("utf-8")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        kept = "".join(pairs.splitlines(keepends=True)[:N_PAIRS])
        (folder / "pairs.jsonl").write_text(kept, "utf-8")
        (folder / "protocol.toml").write_text(PROTOCOL, "utf-8")
        print("labels 2/1, one fixed order of mention:", first_slot_choices(folder, "fixed"))
        with patch.object(wording, "_named", in_display_order):
            print("labels 2/1, mentioned as displayed:    ", first_slot_choices(folder, "shown"))


if __name__ == "__main__":
    main()
