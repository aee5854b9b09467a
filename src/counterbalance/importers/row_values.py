"""Many values of a row at once: what rows are known again by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from counterbalance.importers.word_lookup import getter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["RowValues", "values_at"]

RowValues: TypeAlias = "tuple[Any, ...]"
_PARTS = 2


def values_at(paths: Iterable[str]) -> Callable[[dict[str, Any]], RowValues]:
    """Return a function that finds the values at paths, as `word_lookup.getter` does for one.

    Parameters
    ----------
    paths : Iterable[str]
        Columns, or names and numbers with dots between.

    Returns
    -------
    Callable[[dict[str, Any]], RowValues]
        Gives one value for each different path, always in one order, which is not that of the
        paths.

    Examples
    --------
    >>> values_at(["meta.probe", "verdict", "meta.repeat"])({"meta": {"probe": "p"}, "verdict": 1})
    (1, 'p', None)
    """
    wanted = sorted(set(paths))
    plain = [path for path in wanted if "." not in path]
    dotted = frozenset(wanted).difference(plain)
    inside: dict[str, list[str]] = {}
    for path in sorted(dotted):
        if len(parts := path.split(".")) == _PARTS:
            inside.setdefault(parts[0], []).append(parts[1])
    reads = {parent: [getter(f"{parent}.{name}") for name in inside[parent]] for parent in inside}
    rest = [getter(path) for path in sorted(dotted) if path.count(".") >= _PARTS]

    def values(row: dict[str, Any]) -> RowValues:
        found = [row.get(name) for name in plain]
        if not dotted:
            return tuple(found)
        # A column whose own name has dots comes before what stands inside another.
        has_own = not dotted.isdisjoint(row)
        for parent, names in inside.items():
            holder = row.get(parent)
            if type(holder) is dict and not has_own:
                found += [holder.get(name) for name in names]
            else:
                found += [read(row) for read in reads[parent]]
        return tuple(found + [read(row) for read in rest])

    return values
