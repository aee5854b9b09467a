"""Small studies on disk for tests of runs, reports and verbs."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from counterbalance.record import open_record
from counterbalance.record.place import place_of
from counterbalance.run.session import Task, run_study
from counterbalance.run.study import load_study

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from counterbalance.run.batching import Batch
    from counterbalance.run.execution import RunSummary

PROTOCOL = """\
schema = "counterbalance.protocol/1"
title = "A small study"
pairs = "pairs.jsonl"
seed = 7
baseline = "old"
delimiter_secret = "a fixed secret for tests"

[question]
kind = "overall_preference"
decision = "None; a test."

[[judges]]
name = "script"
kind = "scripted"
{judge}

[verdict]
format = "bracket"
tie = "C"

[[labellings]]
first = "A"
second = "B"
{more}
"""


def row(n: int, **more: object) -> dict[str, object]:
    return {
        "id": f"p{n}",
        "prompt": f"Question number {n}?",
        "category": ("facts", "tone")[n % 2],
        "a": {"system": "old", "text": f"The old answer to {n}."},
        "b": {"system": "new", "text": f"A new and somewhat longer answer to {n}."},
        "reference": "a" if n % 3 else ["b", "tie"],
        **more,
    }


def systems_rows(n_items: int = 14) -> Iterator[dict[str, object]]:
    """Yield three systems against one baseline on the same items, of different lengths."""
    texts = {
        "new": "A good deal longer than the other. ",
        "next": "Short. ",
        "last": "Middling, I. ",
    }
    for n in range(n_items):
        for system, text in texts.items():
            yield {
                "id": f"{system}{n}",
                "item": f"q{n}",
                "cluster": f"q{n}",
                "prompt": f"Question {n}?",
                "a": {"system": "old", "text": f"Old answer {n}. " + "More. " * (n % 5)},
                "b": {"system": system, "text": text * (1 + (n * 7) % 4) + str(n)},
            }


def write_study(
    folder: Path, n_pairs: int = 6, *, judge: str = "", more: str = "", rows: list | None = None
) -> Path:
    """Write a protocol and its pairs; return the protocol's path."""
    folder.mkdir(parents=True, exist_ok=True)
    pairs = [row(n) for n in range(n_pairs)] if rows is None else rows
    lines = "".join(json.dumps(pair, ensure_ascii=False) + "\n" for pair in pairs)
    (folder / "pairs.jsonl").write_text(lines, "utf-8")
    protocol = folder / "protocol.toml"
    protocol.write_text(PROTOCOL.format(judge=judge, more=more), "utf-8")
    return protocol


def write_http_study(folder: Path, url: str, n_pairs: int = 3, *, judge: str = "", **more) -> Path:
    """Write a study whose judge is behind an endpoint; keys of ``judge`` come first."""
    settings = f'base_url = "{url}"\nmodel = "m"\n{judge}'
    path = write_study(folder, n_pairs, judge=settings, **more)
    text = path.read_text("utf-8").replace('kind = "scripted"', 'kind = "http"')
    path.write_text(text, "utf-8")
    return path


def run(
    protocol: Path,
    record: Path | str | None = None,
    finished=lambda _: None,
    task: Task | None = None,
    *,
    retry_failed: bool = False,
    batch: Batch | None = None,
) -> RunSummary:
    """Run a study as the verb does, without progress."""
    study = load_study(protocol)
    place = place_of(str(record)) if record else study.default_record
    return asyncio.run(
        run_study(
            study,
            place,
            task=task,
            retry_failed=retry_failed,
            batch=batch,
            announce=lambda *_: None,
            finished=finished,
        )
    )


def attempts_of(record: Path | str) -> list:
    with open_record(record, create=False, exclusive=False) as store:
        return list(store.attempts())
