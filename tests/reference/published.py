"""Published numbers beside real logs: found wherever they are, never listed here."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

__all__ = [
    "PublishedNumber",
    "files_of",
    "files_with_numbers",
    "folders_with_numbers",
    "numbers_of",
]


@dataclass(frozen=True)
class PublishedNumber:
    """One item of an ``expected.json``.

    ``reproduced`` is True where whoever collected the data reproduced a published number, None
    where it is a number of their own or could not be reproduced.
    """

    source: str
    part: str
    folder: Path
    file: str
    metric: str
    value: Any
    rule: str
    reproduced: bool | None
    tolerance: float | None
    details: tuple[tuple[str, Any], ...]

    @property
    def path(self) -> Path:
        """The file on disk, packed or not; may be a pattern."""
        plain = self.folder / self.file
        packed = plain.with_name(plain.name + ".gz")
        return packed if packed.exists() and not plain.exists() else plain

    def detail(self, name: str) -> Any:
        """Return another field of the item."""
        return dict(self.details)[name]


_OWN = ("file", "metric", "value", "rule", "reproduced", "tolerance", "origin")


def folders_with_numbers() -> tuple[Path, ...]:
    """Return every folder that holds ``expected/expected.json``; none where no data is named."""
    named = os.environ.get("COUNTERBALANCE_REFERENCE_DATA")
    if not named or not Path(named).is_dir():
        return ()
    return tuple(sorted(file.parents[1] for file in Path(named).rglob("expected/expected.json")))


@cache
def numbers_of(folder: Path) -> tuple[PublishedNumber, ...]:
    """Return every item of a folder's ``expected.json``."""
    content = json.loads((folder / "expected" / "expected.json").read_text("utf-8"))
    return tuple(
        PublishedNumber(
            source=content["source"],
            part=content["set"],
            folder=folder,
            file=item["file"],
            metric=item["metric"],
            value=item["value"],
            rule=item.get("rule", ""),
            reproduced=item["reproduced"],
            tolerance=item.get("tolerance"),
            details=tuple((k, v) for k, v in item.items() if k not in _OWN),
        )
        for item in content["items"]
    )


def files_of(source: str, pattern: str) -> list[Path]:
    """Return the files of a source that match a pattern, in whichever of its folders they are."""
    folders = [
        folder
        for folder in folders_with_numbers()
        if any(number.source == source for number in numbers_of(folder)[:1])
    ]
    return [path for folder in folders for path in sorted(folder.glob(pattern))]


def files_with_numbers() -> list[tuple[Path, str]]:
    """Return every folder and file (or pattern of files) that has a number."""
    return [
        (folder, file)
        for folder in folders_with_numbers()
        for file in dict.fromkeys(number.file for number in numbers_of(folder))
    ]
