"""The logs of a source, each read once through the product, and everything computed from them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import DETAILS, DISPOSITIONS, ORDERS
from counterbalance.dispositions.disposition import Disposition
from counterbalance.dispositions.from_attempts import pairs_from_attempts
from counterbalance.importers.detection import detect
from counterbalance.importers.loading import ImportedLog, read_logs
from counterbalance.importers.log_file import log_files
from counterbalance.importers.log_format import Holds
from counterbalance.importers.source_rows import source_rows
from counterbalance.items.frames import Order
from counterbalance.measures.upstream.llmbar import FIRST_ROUND
from counterbalance.measures.upstream.scripts import source_figures

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.measures.upstream.figure import SourceFigure
    from counterbalance.measures.upstream.source_rows import SourceRows

__all__ = ["SourceLog", "log_with"]

REVERSED = ORDERS.index(Order.REVERSED)


@dataclass(frozen=True, eq=False)
class SourceLog:
    """All files of one format in one folder."""

    log: ImportedLog

    @cached_property
    def places(self) -> dict[Path, int]:
        """Place of each file."""
        return {file.path: place for place, file in enumerate(self.log.sources)}

    @cached_property
    def rows(self) -> SourceRows:
        """Every verdict and rating."""
        return source_rows(self.log.collected)

    def rows_of(self, *paths: Path) -> SourceRows:
        """Return the verdicts and ratings of some files."""
        places = [self.places[path] for path in paths]
        chosen, ratings = (
            np.flatnonzero(np.isin(files, places))
            for files in (self.rows.file, self.rows.ratings.file)
        )
        return self.rows.where(chosen, ratings)

    @cached_property
    def figures(self) -> dict[int, dict[str, SourceFigure]]:
        """The source's own figures by file and name."""
        found: dict[int, dict[str, SourceFigure]] = {}
        for group in source_figures(self.log.log_format.name, self.rows):
            if group.file is not None:
                known = found.setdefault(group.file, {})
                assert not known.keys() & {f.name for f in group.figures}, "a figure twice"
                known |= {figure.name: figure for figure in group.figures}
        return found

    def figure(self, path: Path, name: str) -> SourceFigure | None:
        """Return a figure of the source, or None where it computes none of this name."""
        return self.figures.get(self.places[path], {}).get(name)

    @cached_property
    def pairs(self) -> dict[int, PairColumns]:
        """Pairs with their dispositions by file; of two rounds the final one."""
        columns, names = self.log.collected.columns, self.log.collected.names
        final = [not name.strategy.endswith(FIRST_ROUND) for name in names]
        is_final = np.array(final, dtype=np.bool_)[self.log.collected.named]
        by_column = {
            name: getattr(columns, name)[is_final]
            for name in ("pair", "order", "repetition", "outcome", "strength", "setting")
        }
        file, line = columns.file[is_final], columns.line[is_final]
        n_files = len(self.log.files)
        by_file = replace(columns, n_groups=n_files, group=file, file=file, line=line, **by_column)
        return dict(enumerate(pairs_from_attempts(by_file)))

    def dispositions(self, path: Path) -> dict[str, int]:
        """Count pairs as SOURCE.md does: candidate 1 was shown first in the pair's first row."""
        pairs = self.pairs[self.places[path]]
        is_one_b = _is_one_b(self.rows_of(path), pairs.pair)
        counts = {d: int((pairs.disposition == DISPOSITIONS.index(d)).sum()) for d in Disposition}
        stable = [
            pairs.is_any_of({d}) & (is_one_b == swapped)
            for d, swapped in (
                (Disposition.STABLE_A, False),
                (Disposition.STABLE_B, True),
                (Disposition.STABLE_B, False),
                (Disposition.STABLE_A, True),
            )
        ]
        is_strict = pairs.is_any_of({Disposition.ORDER_DISAGREEMENT})
        known = ("stable_a", "stable_b", "tie", "tie_transition", "order_disagreement")
        return {
            "pairs": pairs.n_pairs,
            "stable_1": int((stable[0] | stable[1]).sum()),
            "stable_2": int((stable[2] | stable[3]).sum()),
            "explicit_tie": counts[Disposition.TIE],
            **{
                f"order_disagreement_{lean}": int(
                    (is_strict & (pairs.detail == DETAILS.index(lean))).sum()
                )
                for lean in ("primacy", "recency")
            },
            "tie_transition": counts[Disposition.TIE_TRANSITION],
            "incomplete": sum(n for d, n in counts.items() if d.value not in known),
        }


def _is_one_b(rows: SourceRows, pair: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Say of each pair whether its first row shows candidate b first."""
    pairs, first = np.unique(rows.pair, return_index=True)
    assert pairs.tolist() == pair.tolist()
    return rows.order[first] == REVERSED


@cache
def _logs(folder: Path) -> tuple[SourceLog, ...]:
    by_format: dict[str, list[Path]] = {}
    for file in log_files([folder]):
        known = detect(file)
        if known is not None and known.holds in {Holds.JUDGMENTS, Holds.RATINGS}:
            by_format.setdefault(known.name, []).append(file.path)
    by = ("judge", "strategy", "subset")
    return tuple(SourceLog(read_logs(paths, by=by, rereads=False)) for paths in by_format.values())


def log_with(folder: Path, path: Path) -> SourceLog | None:
    """Return the log that a file is part of; None where no judgment can be read from the file."""
    for log in _logs(folder):
        if path in log.places:
            return log
    return None
