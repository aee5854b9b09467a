"""Sides of comparisons from words, through the real types."""

from __future__ import annotations

from builders import in_columns, judged, pair
from counterbalance.compare.side import Side


def side(
    said: dict[str, tuple[str, str]],
    judge: str = "one",
    *,
    accepted: tuple[str, ...] = ("a",),
    clusters: dict[str, str] | None = None,
    texts: str = "text",
    baseline: str | None = "old",
    **judging: str,
) -> Side:
    """A judge that said of each pair a word in forward and one in reversed order."""
    pairs = [
        judged(
            pair(
                name,
                f"{texts} a of {name}",
                f"{texts} b of {name}",
                accepted=accepted,
                cluster=(clusters or {}).get(name, ""),
            ),
            *words,
        )
        for name, words in said.items()
    ]
    return Side(
        name=judge,
        judge=judge,
        labelling="1/2",
        pairs=in_columns(pairs, "cluster"),
        keys=[each.pair.key for each in pairs],
        judging=judging,
        baseline=baseline,
    )


def repeated(*parts: tuple[int, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """So many pairs that say these words, then so many others, named from p0 up."""
    words = [word for n, word in parts for _ in range(n)]
    return {f"p{n}": word for n, word in enumerate(words)}
