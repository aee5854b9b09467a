"""Foreign logs in tests: written by hand, or the real ones, read as ``audit`` reads them."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from counterbalance.importers.detection import detect
from counterbalance.importers.judgment import Judgment, Rating, Reject
from counterbalance.importers.log_file import log_files
from counterbalance.importers.log_format import LogFormat, Notes
from counterbalance.items.frames import Order, Slot
from counterbalance.presentations.order import side_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_file import LogFile

NASTY = "“ünï” 🜁\u2028\u2029\x85 \ufffd"
"""Text with an astral character and with what str.splitlines would take for ends of lines."""


class ReadLog(NamedTuple):
    """What a file was taken for, and what it held."""

    log_format: LogFormat
    judgments: list[Judgment]
    ratings: list[Rating]
    rejects: list[Reject]
    notes: list[str]


def jsonl(path: Path, rows: Iterable[object], end: str = "\n", start: bytes = b"") -> Path:
    """Write rows as JSONL; text goes in as it is, so that a broken line can be among them."""
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    content = start + "".join(line + end for line in lines).encode("utf-8", "surrogatepass")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(content) if path.name.endswith(".gz") else content)
    return path


def read(path: Path, known: LogFormat | None = None) -> ReadLog:
    """Read a file, with no more than its path unless its format is named."""
    (file,) = log_files([path])
    log_format = known or detect(file)
    assert log_format is not None, f"{path} is of no known format"
    assert log_format.read is not None
    notes = Notes()
    rows = list(log_format.read(file, notes))
    kinds: dict[type, list[Any]] = {Judgment: [], Rating: [], Reject: []}
    for row in rows:
        kinds[type(row)].append(row)
    sentences = list(notes.sentences)
    return ReadLog(log_format, kinds[Judgment], kinds[Rating], kinds[Reject], sentences)


def rows_of(*paths: Path, notes: Notes | None = None) -> list[Row]:
    """Read files of one format as they come, also where they are read together."""
    files = log_files(paths)
    (known,) = {found.name: found for file in files if (found := detect(file))}.values()
    return rows_by(known, files, Notes() if notes is None else notes)


def rows_by(known: LogFormat, files: Sequence[LogFile], notes: Notes) -> list[Row]:
    """Read files with a format that is named."""
    if known.read_together is not None:
        return [row for _, row in known.read_together(files, notes)]
    assert known.read is not None
    return [row for file in files for row in known.read(file, notes)]


def fastchat_row(question: int, first: str, second: str, **changes: Any) -> dict[str, Any]:
    """Return a row of FastChat's pair judgments: winners of game 1 and game 2."""
    texts = {"model_1": "phi", "model_2": "alpaca"}
    label = {"model_1": "AB", "model_2": "BA", "tie": "CC", "error": "??"}
    prompt = (
        "[User Question]\nq\n\n[The Start of Assistant A's Answer]\n{}\n"
        "[The End of Assistant A's Answer]\n\n[The Start of Assistant B's Answer]\n{}\n"
        "[The End of Assistant B's Answer]"
    )
    answers = f"answer of {texts['model_1']}", f"answer of {texts['model_2']}"
    return {
        "question_id": question,
        **texts,
        "g1_winner": first,
        "g2_winner": second,
        "judge": ["gpt-4", "pair-v2"],
        "g1_user_prompt": prompt.format(*answers),
        "g1_judgment": f"So: [[{label[first][0]}]]",
        "g2_user_prompt": prompt.format(*answers[::-1]),
        "g2_judgment": f"So: [[{label[second][1]}]]",
        "turn": 1,
        "tstamp": 1.0,
    } | changes


def format_of(path: Path) -> str | None:
    """Return the name of the format that a file is taken for."""
    (file,) = log_files([path])
    known = detect(file)
    return None if known is None else known.name


def verdicts(judgments: Iterable[Judgment]) -> list[str]:
    """Return each outcome in candidate terms, read through the product's one map."""
    return [verdict(judgment) for judgment in judgments]


def verdict(judgment: Judgment) -> str:
    """Return one outcome in candidate terms: a, b, or the outcome's own name."""
    kind = judgment.outcome.kind.value
    slots = {slot.value for slot in Slot}
    if kind not in slots:
        return kind
    return side_in(Slot(kind), judgment.order or Order.FORWARD).value


def dispositions(judgments: Iterable[Judgment]) -> Counter[str]:
    """Count pairs of two calls as SOURCE.md does: ``a`` is its candidate 1."""
    pairs: dict[tuple[str, str, str], dict[Order | None, Judgment]] = {}
    for judgment in judgments:
        orders = pairs.setdefault((judgment.item, judgment.a, judgment.b), {})
        assert judgment.order not in orders
        orders[judgment.order] = judgment
    return Counter(_disposition(orders) for orders in pairs.values())


def _disposition(orders: dict[Order | None, Judgment]) -> str:
    forward, backward = verdict(orders[Order.FORWARD]), verdict(orders[Order.REVERSED])
    known = {"a", "b", "tie"}
    if not {forward, backward} <= known:
        return "incomplete"
    if forward == backward:
        return {"a": "stable_1", "b": "stable_2", "tie": "explicit_tie"}[forward]
    if "tie" in {forward, backward}:
        return "tie_transition"
    lean = "primacy" if forward == "a" else "recency"
    return f"order_disagreement_{lean}"


def reasons(rejects: Iterable[Reject]) -> dict[str, int]:
    """Return how many rows were rejected for each reason."""
    return dict(Counter(reject.reason for reject in rejects))
