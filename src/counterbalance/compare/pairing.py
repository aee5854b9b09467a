"""Which side is compared with which: judges of one record, or the same judge of two."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from counterbalance.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.compare.side import Side

__all__ = ["chosen", "paired_runs", "pairs_of_judges"]


def pairs_of_judges(sides: Sequence[Side], against: str | None = None) -> list[tuple[Side, Side]]:
    """Pair the sides of one record or log: judge with judge under the same labelling.

    Parameters
    ----------
    sides : Sequence[Side]
        All of them.
    against : str | None
        The judge that every other one is compared with; None for each with each.

    Returns
    -------
    list[tuple[Side, Side]]
        First and second of each comparison; of one judge alone, labelling with labelling.
    """
    found = [
        (a, b)
        for a, b in combinations(sides, 2)
        if a.labelling == b.labelling and a.judge != b.judge
    ]
    if len({side.judge for side in sides}) == 1:
        found = list(combinations(sides, 2))
    if against is None:
        return found
    return [
        (a, b) if a.judge == against else (b, a) for a, b in found if against in {a.judge, b.judge}
    ]


def paired_runs(
    first: Sequence[Side], second: Sequence[Side], judges: tuple[str, str] | None
) -> list[tuple[Side, Side]]:
    """Pair the sides of two records: the same judge and labelling, or the judges that are named.

    Parameters
    ----------
    first : Sequence[Side]
        Sides of the first record.
    second : Sequence[Side]
        Sides of the second record.
    judges : tuple[str, str] | None
        Judge of the first and of the second record; None for those of one name, or the only ones.

    Returns
    -------
    list[tuple[Side, Side]]
        First and second of each comparison.

    Raises
    ------
    InputError
        If there is nothing to pair.
    UsageError
        If a named judge is in neither.
    """
    names = [list(dict.fromkeys(side.judge for side in sides)) for sides in (first, second)]
    if judges is not None:
        for name, known in zip(judges, names, strict=True):
            _check_known(name, known)
        wanted = [judges]
    elif len(names[0]) == len(names[1]) == 1:
        wanted = [(names[0][0], names[1][0])]
    else:
        wanted = [(name, name) for name in names[0] if name in names[1]]
    found = [
        (a, b)
        for left, right in wanted
        for a in first
        for b in second
        if (a.judge, b.judge) == (left, right) and a.labelling == b.labelling
    ]
    if found:
        return found
    if len(first) == len(second) == 1:
        return [(first[0], second[0])]
    msg = (
        f"nothing to compare: the first record has {_listed(first)}, the second"
        f" {_listed(second)}; name two judges with --judges FIRST SECOND"
    )
    raise InputError(msg)


def chosen(
    sides: Sequence[Side], judges: tuple[str, str] | None, against: str | None
) -> list[tuple[Side, Side]]:
    """Pair the sides of one record or log.

    Parameters
    ----------
    sides : Sequence[Side]
        All of them.
    judges : tuple[str, str] | None
        The two judges that are compared; None for all.
    against : str | None
        The judge that all others are compared with; None for each with each.

    Returns
    -------
    list[tuple[Side, Side]]
        First and second of each comparison.

    Raises
    ------
    InputError
        If there is nothing to compare with.
    UsageError
        If a named judge is not there.
    """
    known = list(dict.fromkeys(side.judge for side in sides))
    for name in (*(judges or ()), *([against] if against else ())):
        _check_known(name, known)
    if judges is not None:
        sides = [side for side in sides if side.judge in judges]
        against = judges[0]
    found = pairs_of_judges(sides, against)
    if found:
        return found
    msg = (
        f"there is nothing to compare in it: it holds {_listed(sides)}; name a second record, or"
        " judge the same pairs with a second judge"
    )
    raise InputError(msg)


def _check_known(name: str, known: Sequence[str]) -> None:
    if name not in known:
        msg = f"no judge is called {name!r}; the judges are {', '.join(known)}"
        raise UsageError(msg)


def _listed(sides: Sequence[Side]) -> str:
    return "; ".join(side.name for side in sides) or "no judge"
