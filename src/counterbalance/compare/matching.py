"""Which pairs two sides share: joined by content or by id, never by position; the rest counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from counterbalance.compare.side import Side

__all__ = ["Matched", "MatchedBy", "match"]

MatchedBy = Literal["content", "id"]


@dataclass(frozen=True, slots=True, eq=False)
class Matched:
    """The pairs that two sides share, and where those are that they do not.

    ``n_first = shared + other_texts + only_first`` and the same for the second side, always.

    Attributes
    ----------
    by : MatchedBy
        What makes two pairs the same.
    first : NDArray[np.intp]
        Row of each shared pair on the first side.
    second : NDArray[np.intp]
        Row of the same pair on the second side.
    n_first : int
        Pairs of the first side.
    n_second : int
        Pairs of the second side.
    n_other_texts : int
        Pairs whose id is on both sides with another content: left out when matched by content.
    n_changed : int
        Shared pairs whose content differs: none when matched by content.
    """

    by: MatchedBy
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    n_first: int
    n_second: int
    n_other_texts: int
    n_changed: int

    @property
    def n_shared(self) -> int:
        """Pairs on both sides."""
        return self.first.size

    @property
    def n_only_first(self) -> int:
        """Pairs that the second side does not have."""
        return self.n_first - self.n_shared - self.n_other_texts

    @property
    def n_only_second(self) -> int:
        """Pairs that the first side does not have."""
        return self.n_second - self.n_shared - self.n_other_texts


def match(first: Side, second: Side, by: MatchedBy = "content") -> Matched:
    """Find the pairs that two sides share.

    Parameters
    ----------
    first : Side
        The first side.
    second : Side
        The second side.
    by : MatchedBy
        ``content``: the same prompt, context, reference, requirements and texts. ``id``: the same
        id in the pair file, whatever the texts.

    Returns
    -------
    Matched
        Rows of both sides, in the sequence of the first one.
    """
    ids = first.ids, second.ids
    names = (first.keys, second.keys) if by == "content" else ids
    left, right = (_numbered(side) for side in names)
    places = {name: row for row, name in enumerate(right)}
    rows = [(row, places[name]) for row, name in enumerate(left) if name in places]
    here, there = np.array(rows, dtype=np.intp).reshape(-1, 2).T
    unmatched = [_without(named, taken) for named, taken in zip(ids, (here, there), strict=True)]
    return Matched(
        by=by,
        first=here,
        second=there,
        n_first=len(left),
        n_second=len(right),
        n_other_texts=len(unmatched[0] & unmatched[1]),
        n_changed=sum(first.keys[a] != second.keys[b] for a, b in rows),
    )


def _numbered(names: Iterable[str]) -> list[tuple[str, int]]:
    """Tell equal names of one side apart by their sequence: a pair may stand in a file twice."""
    seen = Counter[str]()
    numbered = []
    for name in names:
        numbered.append((name, seen[name]))
        seen[name] += 1
    return numbered


def _without(ids: Sequence[str], rows: NDArray[np.intp]) -> set[tuple[str, int]]:
    """Return the ids of the rows that found no partner."""
    taken = set(rows.tolist())
    return {name for row, name in enumerate(_numbered(ids)) if row not in taken}
