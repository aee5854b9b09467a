"""Rows of a data set that the datasets library of Hugging Face reads, from its hub or from disk.

In comes a name such as ``hf:owner/name:test``, out come rows in the shape that a JSONL row has.
This is the only module that knows the library, and loads it at the first row; only the library goes
over the network. Refused are names without a split, and columns that are not those of a pair file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from counterbalance.errors import MissingExtraError, PairFileError, one_line
from counterbalance.items.columns import header_problem, key_columns, row_from_cells, unread_columns
from counterbalance.items.fields import Place

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["HUB_MARK", "INSTALL_HUB", "hub_rows", "saved_rows"]

HUB_MARK = "hf:"
"""What the name of a data set on the hub begins with."""

INSTALL_HUB = "python -m pip install 'counterbalance[hub]'"
"""The command that installs what reads data sets."""

_NAME = re.compile(
    r"hf:(?P<path>[\w.-]+/[\w.-]+)(/(?P<config>[\w.-]+))?(@(?P<revision>[\w./-]+))?:(?P<split>[\w.-]+)"
)
_LONGEST_REASON = 200


def hub_rows(name: str) -> Iterator[tuple[Place, dict[str, object]]]:
    """Yield the rows of one split of a data set on the hub.

    Parameters
    ----------
    name : str
        ``hf:owner/name:split``, with ``/config`` or ``@revision`` behind the name where needed.

    Yields
    ------
    tuple[Place, dict[str, object]]
        Number of the row from 1, and its values under the keys of a JSONL row.

    Raises
    ------
    PairFileError
        If the name is not of this form, or the library cannot load the data set.
    """
    shown = one_line(name, _LONGEST_REASON)
    match = _NAME.fullmatch(name)
    if match is None:
        problem = "is not hf:owner/name:split (with /config or @revision behind the name)"
        raise PairFileError(shown, None, problem)
    datasets = _library()
    try:
        table = datasets.load_dataset(
            match["path"], match["config"], split=match["split"], revision=match["revision"]
        )
    except (OSError, ValueError, datasets.exceptions.DatasetsError) as error:
        raise PairFileError(shown, None, _words(error)) from None
    yield from _table_rows(table, shown)


def saved_rows(
    folder: str, split: str | None, file: str
) -> Iterator[tuple[Place, dict[str, object]]]:
    """Yield the rows of a data set that ``save_to_disk`` has written.

    Parameters
    ----------
    folder : str
        The folder.
    split : str | None
        Name of the split; None when the folder holds a single one.
    file : str
        What messages call it.

    Yields
    ------
    tuple[Place, dict[str, object]]
        As in `hub_rows`.

    Raises
    ------
    PairFileError
        If the folder cannot be loaded, or it is open which split is meant.
    """
    datasets = _library()
    try:
        table = datasets.load_from_disk(folder)
    except (OSError, ValueError, datasets.exceptions.DatasetsError) as error:
        raise PairFileError(file, None, _words(error)) from None
    yield from _table_rows(_of_split(table, split, file), file)


def _of_split(table: Any, split: str | None, file: str) -> Any:  # noqa: ANN401 (an untyped table)
    splits: dict[str | None, Any] = table if isinstance(table, dict) else {None: table}
    names = one_line(", ".join(name or "one without a name" for name in splits), _LONGEST_REASON)
    if split is None and len(splits) > 1:
        problem = f"is a folder with several splits ({names}); name one behind a colon"
        raise PairFileError(file, None, problem)
    chosen = next(iter(splits), None) if split is None else split
    if chosen not in splits:
        raise PairFileError(file, None, f'has no split "{one_line(split)}" (there: {names})')
    return splits[chosen]


def _library() -> Any:  # noqa: ANN401 (a module without types)
    try:
        import datasets  # noqa: PLC0415 (large, and needed by few)
    except ImportError:
        part = "the reader of Hugging Face data sets (datasets)"
        raise MissingExtraError(part, INSTALL_HUB) from None
    return datasets


def _table_rows(table: Any, file: str) -> Iterator[tuple[Place, dict[str, object]]]:  # noqa: ANN401
    names = list(table.column_names)
    problem = header_problem(names)
    if problem:
        raise PairFileError(file, None, problem)
    columns = key_columns(names)
    unread = dict.fromkeys(unread_columns(names), 1)
    read = table.select_columns([name for name in names if name not in unread])
    for number, cells in enumerate(read, 1):
        place = Place(file, number, columns, "row")
        yield place, row_from_cells({**cells, **unread}, place)


def _words(error: Exception) -> str:
    first = next(iter(str(error).splitlines()), "") or type(error).__name__
    return f"cannot be loaded: {one_line(first, _LONGEST_REASON)}"
