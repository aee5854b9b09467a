"""The pair files of one split in the folder of a data set; it is listed here, and read elsewhere.

In comes a folder, out come its files in order. A split is named by its files, as data sets on the
Hugging Face hub do it: ``test.jsonl`` or ``data/test-00000-of-00002.parquet``. Refused are folders
that leave open which files are meant.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from counterbalance.errors import PairFileError, one_line

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

__all__ = ["is_saved_dataset", "split_files"]

_PLACES = ("data", ".")
_SHARD = re.compile("-[0-9]{5}-of-[0-9]{5}$")
_SAVED = ("dataset_dict.json", "state.json")
_NO_PAIRS = {*_SAVED, "dataset_info.json", "dataset_infos.json"}


def is_saved_dataset(folder: Path) -> bool:
    """Say whether a folder was written by ``save_to_disk`` of the datasets library."""
    return any((folder / name).is_file() for name in _SAVED)


def split_files(
    folder: Path, split: str | None, extensions: Collection[str], name: str
) -> list[Path]:
    """Return the files of a split, in the order of their names.

    Parameters
    ----------
    folder : Path
        Folder of the data set; files in its subfolder ``data`` come before those beside it.
    split : str | None
        Name of the split; None when there is only one.
    extensions : Collection[str]
        Extensions of pair files.
    name : str
        What messages call the folder.

    Returns
    -------
    list[Path]
        One file or more, all of one format.

    Raises
    ------
    PairFileError
        If there is no such file, or it is open which ones are meant.
    """
    splits: dict[str, list[Path]] = {}
    for place in _PLACES:
        inside = folder / place
        listed = sorted(inside.iterdir()) if inside.is_dir() else []
        for path in listed:
            if _is_pair_file(path, extensions):
                splits.setdefault(_SHARD.sub("", path.stem), []).append(path)
        if splits:
            break
    problem = _problem(splits, split, extensions)
    if problem:
        raise PairFileError(name, None, problem)
    return splits[next(iter(splits)) if split is None else split]


def _is_pair_file(path: Path, extensions: Collection[str]) -> bool:
    is_known = path.suffix.lower() in extensions and path.name not in _NO_PAIRS
    return is_known and not path.name.startswith((".", "_")) and path.is_file()


def _problem(
    splits: dict[str, list[Path]], split: str | None, extensions: Collection[str]
) -> str | None:
    if not splits:
        return f"is a folder without a pair file (looked for: {', '.join(extensions)})"
    names = one_line(", ".join(sorted(splits)), 200)
    if split is None and len(splits) > 1:
        return f"is a folder with several splits ({names}); name one behind a colon"
    if split is not None and split not in splits:
        return f'has no split "{one_line(split)}" (there: {names})'
    chosen = next(iter(splits)) if split is None else split
    formats = sorted({path.suffix.lower() for path in splits[chosen]})
    if len(formats) > 1:
        return f"holds one split in several formats ({', '.join(formats)}); name one file"
    return None
