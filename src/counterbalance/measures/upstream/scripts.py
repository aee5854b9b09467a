"""Which figures belong to which format, and which rows each of them is computed over."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np

from counterbalance.dispositions.packing import first_of_runs, packed
from counterbalance.measures.upstream.source_rows import SourceRows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from counterbalance.measures.upstream.figure import SourceFigure
    from counterbalance.measures.upstream.source_rows import RatingColumns

__all__ = ["COUNT_HALF_EVIDENCE", "SCRIPTS", "FigureGroup", "source_figures"]

_Split = Literal["file", "judge", "strategy", "subset", "systems"]
_NAME_PARTS: tuple[_Split, ...] = ("judge", "strategy", "subset")


@dataclass(frozen=True, slots=True)
class _Script:
    """A program of a source: what it is run over at a time, and where its figures are computed."""

    split: tuple[_Split, ...]
    home: str

    def figures(self, rows: SourceRows) -> Iterable[SourceFigure]:
        """Return what it prints; its module is imported with the first log of its format."""
        module, name = self.home.split(".")
        home = import_module(f"counterbalance.measures.upstream.{module}")
        figures: Callable[[SourceRows], Iterable[SourceFigure]] = getattr(home, name)
        return figures(rows)


@dataclass(frozen=True, slots=True)
class FigureGroup:
    """Figures over the same rows.

    Attributes
    ----------
    file : int | None
        Which of the files; None for several.
    judge : str
        Who judged; empty for several.
    strategy : str
        How it was asked; empty for several.
    subset : str
        Part of the data set; empty for several.
    systems : tuple[str, str]
        Candidates a and b; empty for several, and where the log does not name them.
    n_rows : int
        Verdicts that they are computed from.
    figures : tuple[SourceFigure, ...]
        At least one.
    """

    file: int | None
    judge: str
    strategy: str
    subset: str
    systems: tuple[str, str]
    n_rows: int
    figures: tuple[SourceFigure, ...]


_FILE: tuple[_Split, ...] = ("file", "judge", "strategy", "subset")
SCRIPTS: Mapping[str, tuple[_Script, ...]] = {
    "alpaca-eval": (_Script(("file", "judge", "systems"), "alpaca_eval.figures"),),
    "arena-hard": (_Script(("file", "judge", "subset", "systems"), "arena_hard.figures"),),
    "faireval": (_Script(("file", "judge", "strategy"), "faireval.figures"),),
    "fastchat-pair": (_Script(("file", "judge"), "fastchat.figures"),),
    "judgebench": (_Script(_FILE, "judgebench.figures"),),
    "llmbar": (_Script(_FILE, "llmbar.figures"),),
    "mt-bench-votes": (_Script((), "mt_bench.figures"),),
    "position-bias-analyzer": (
        _Script(_FILE, "position_bias_analyzer.figures"),
        _Script(("judge", "strategy", "subset"), "position_bias_analyzer.repetition_figures"),
    ),
}
"""By format: what `LogFormat.upstream` declares is computed by one of its scripts."""

COUNT_HALF_EVIDENCE = frozenset({"judgebench"})
"""Formats whose score calls a pair correct on the strength of one order alone."""


def source_figures(format_name: str, rows: SourceRows) -> Iterator[FigureGroup]:
    """Compute the source's own figures for every group of rows that it computes them for.

    Parameters
    ----------
    format_name : str
        Name of the log format.
    rows : SourceRows
        All rows that were read.

    Yields
    ------
    FigureGroup
        In the sequence of the log; nothing for a format without figures of its own.
    """
    for script in SCRIPTS.get(format_name, ()):
        for part in _parts(rows, script.split):
            figures = tuple(script.figures(part))
            if figures:
                yield _group(part, figures, script.split)


def _parts(rows: SourceRows, split: Sequence[_Split]) -> Iterator[SourceRows]:
    """Yield the rows of each part, parts in the sequence of their keys."""
    of_rows, of_ratings = (_keys(some, rows, split) for some in (rows, rows.ratings))
    if of_rows.size and not of_ratings.size and of_rows.min() == of_rows.max():
        yield rows
        return
    empty = np.empty(0, dtype=np.int64)
    by_key = [dict(_places(keys)) for keys in (of_rows, of_ratings)]
    for key in sorted({*by_key[0], *by_key[1]}):
        yield rows.where(by_key[0].get(key, empty), by_key[1].get(key, empty))


def _keys(
    some: SourceRows | RatingColumns, rows: SourceRows, split: Sequence[_Split]
) -> NDArray[np.int64]:
    """Return one number for each row, equal within a part; ratings have no systems."""
    n_files = 1 + max(int(f.max(initial=0)) for f in (rows.file, rows.ratings.file))
    columns: list[tuple[NDArray[np.integer], int]] = [(np.zeros(some.line.size, np.int64), 1)]
    for key in split:
        if key == "file":
            columns.append((some.file, n_files))
        elif key == "systems":
            systems = rows.pairs.systems[some.pair] if isinstance(some, SourceRows) else None
            columns += [] if systems is None else [(systems, len(rows.pairs.system_pairs))]
        else:
            words = [name[_NAME_PARTS.index(key)] for name in rows.names]
            codes = {word: code for code, word in enumerate(dict.fromkeys(words))}
            places = np.array([codes[word] for word in words], dtype=np.int64)
            columns.append((places[some.name], len(codes)))
    return packed(*columns)


def _places(keys: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Yield each key with the places of its rows, in their sequence."""
    order = np.argsort(keys, kind="stable")
    begins = first_of_runs(keys[order])
    for start, end in pairwise([*begins.tolist(), keys.size]):
        yield int(keys[order[start]]), order[start:end]


def _group(
    part: SourceRows, figures: tuple[SourceFigure, ...], split: Sequence[_Split]
) -> FigureGroup:
    """Say what the figures are of, as far as all rows of the part have it in common."""
    codes = np.unique(np.concatenate([part.name, part.ratings.name]))
    names = [part.names[code] for code in codes.tolist()]
    judge, strategy, subset = (_common({name[place] for name in names}) for place in range(3))
    systems = {part.pairs.system_pairs[code] for code in np.unique(part.pairs.systems[part.pair])}
    (a, _), (b, _) = systems.pop() if len(systems) == 1 else (("", ""), ("", ""))
    files = np.concatenate([part.file, part.ratings.file])
    return FigureGroup(
        file=int(files[0]) if "file" in split else None,
        judge=judge,
        strategy=strategy,
        subset=subset,
        systems=(a, b),
        n_rows=part.n_rows,
        figures=figures,
    )


def _common(words: set[str]) -> str:
    return words.pop() if len(words) == 1 else ""
