"""``audit`` with nothing but a path answers for every file of the real data."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from commands import command_here, is_one_clear_line
from counterbalance.importers.detection import detect
from counterbalance.importers.log_file import log_files
from counterbalance.importers.log_format import Holds
from extras import reference_folder

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.reference

ABOUT = ("README.md", "SOURCE.md", "FILES.tsv", "LICENSE", "expected/expected.json")
"""What describes the data: no file of any benchmark."""
WHOLE = re.compile(r"^Rows: (\d+) = \1 read whole \+ 0 rejected", re.MULTILINE)


def data_files() -> list[Path]:
    return sorted(path for path in reference_folder().rglob("*") if path.is_file())


def is_about(path: Path) -> bool:
    return str(path).endswith(ABOUT) or path.parent.name == "expected"


def test_every_file_is_audited_or_named_in_one_line() -> None:
    n_audited = 0
    for path in data_files():
        ended = command_here("audit", path)
        (file,) = log_files([path])
        known = detect(file)
        if known is not None and known.holds in {Holds.JUDGMENTS, Holds.RATINGS}:
            n_audited += 1
            assert (ended.code, ended.err) == (0, ""), path
            title, read = ended.out.splitlines()[:2]
            assert title == f"counterbalance audit: {known.title} ({known.name})", path
            # A long path is cut in front: a reader sees which file it was.
            assert path.name[-60:] in read, path
            assert "Traceback" not in ended.out, path
            assert WHOLE.search(ended.out), path
            assert "≠" not in ended.out, path
            continue
        assert ended.code == 2, path
        assert is_one_clear_line(ended), path
        if is_about(path):
            assert "of no known" in ended.err, path
            assert "nearest" not in ended.err, path
        else:
            assert known is not None, f"{path} is of no known format"
            assert f"recognised as {known.title}: it holds {known.holds}. " in ended.err, path
    assert n_audited > 100
