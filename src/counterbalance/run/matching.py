"""Whether a record and the files at hand are of the same study, and what changed if not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from counterbalance import __version__
from counterbalance.errors import RecordMismatchError, one_line

if TYPE_CHECKING:
    from counterbalance.items.frames import Order
    from counterbalance.items.item import Pair, PairId
    from counterbalance.presentations.presentation import Presentation
    from counterbalance.presentations.rendering import Renderer
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.record.store import RecordHeader, Store

__all__ = ["changes_since", "check_same_prompts", "check_same_study"]

_MOST_LISTED = 5
_ABSENT = object()
_NEVER_SHOWN = "delimiter_secret"


def changes_since(
    store: Store, header: RecordHeader, protocol: Protocol, pairs: Sequence[Pair]
) -> tuple[str, list[str]]:
    """Return what changed since a revision of the record.

    Parameters
    ----------
    store : Store
        The record.
    header : RecordHeader
        What the revision is of.
    protocol : Protocol
        The protocol at hand.
    pairs : Sequence[Pair]
        The pairs at hand.

    Returns
    -------
    tuple[str, list[str]]
        ``protocol`` or, where that is the same, ``pairs``; and each key or pair that changed, none
        where nothing did.
    """
    if changes := list(_changed_keys(header.protocol, protocol.canonical)):
        return "protocol", changes
    return "pairs", list(_changed_pairs(store.pairs(header.number), pairs))


def check_same_study(
    store: Store, header: RecordHeader, protocol: Protocol, pairs: Sequence[Pair]
) -> None:
    """Refuse to go on when the protocol or a pair is not that of the newest revision.

    Parameters
    ----------
    store : Store
        The record.
    header : RecordHeader
        What its newest revision is of.
    protocol : Protocol
        The protocol at hand.
    pairs : Sequence[Pair]
        The pairs at hand.

    Raises
    ------
    RecordMismatchError
        Naming each key of the protocol or id of a pair that changed, or the earlier revision that
        the files at hand are of.
    """
    what, changes = changes_since(store, header, protocol, pairs)
    if not changes:
        return
    for earlier in reversed(store.headers()[:-1]):
        if not changes_since(store, earlier, protocol, pairs)[1]:
            msg = (
                f"these are the protocol and pairs of revision {earlier.number}; the newest is"
                f" {header.number}: {one_line(header.reason)}. Nothing was asked. Run the newest"
                " protocol, or go back to this one as a further revision with --revise REASON"
            )
            raise RecordMismatchError(msg)
    since = f"revision {header.number}" if header.number > 1 else "this record was begun"
    raise RecordMismatchError(_sentence(f"the {what} changed since {since}", changes))


def check_same_prompts(
    planned_by: str,
    due: Sequence[Presentation],
    pairs: Mapping[PairId, Pair],
    renderer: Renderer,
) -> None:
    """Refuse to go on when this program would write a planned prompt otherwise.

    Parameters
    ----------
    planned_by : str
        Name and version of the program that planned them.
    due : Sequence[Presentation]
        What is still to be asked; each prompt has its recorded digest.
    pairs : Mapping[PairId, Pair]
        The pairs by id.
    renderer : Renderer
        Renders under the record's secret.

    Raises
    ------
    RecordMismatchError
        Naming how many prompts differ, and the program that planned them.
    """
    rendered: dict[tuple[PairId, Order, str, str], str] = {}
    n_changed = 0
    for shown in due:
        place = (shown.pair_id, shown.order, shown.labelling, shown.prompt)
        if place not in rendered:
            own = renderer.under(shown.prompt)
            labelling = own.labelling(shown.labelling)
            rendered[place] = own.render(pairs[shown.pair_id], shown.order, labelling).digest
        n_changed += rendered[place] != shown.prompt_digest
    if n_changed:
        msg = (
            f"{n_changed} of the {len(due)} prompts still to be asked are written otherwise by this"
            f" version ({__version__}) than by {planned_by}, which planned them. Nothing was"
            " asked. Finish the record with that version, or begin a new one with --record"
        )
        raise RecordMismatchError(msg)


def _sentence(what: str, changes: Sequence[str]) -> str:
    listed = "; ".join(changes[:_MOST_LISTED])
    more = len(changes) - _MOST_LISTED
    rest = f"; and {more} more" if more > 0 else ""
    return (
        f"{what}: {listed}{rest}. Nothing was asked. Undo the change, open a revision of this"
        " record with --revise REASON, or begin a new record with --record"
    )


def _changed_keys(
    recorded: Any,  # noqa: ANN401 (any JSON value)
    present: Any,  # noqa: ANN401
    place: str = "",
) -> Iterator[str]:
    if isinstance(recorded, Mapping) and isinstance(present, Mapping):
        for key in sorted({*recorded, *present}):
            inside = f"{place}.{key}" if place else str(key)
            yield from _changed_keys(recorded.get(key, _ABSENT), present.get(key, _ABSENT), inside)
    elif isinstance(recorded, list) and isinstance(present, list) and len(recorded) == len(present):
        for i, (old, new) in enumerate(zip(recorded, present, strict=True), start=1):
            yield from _changed_keys(old, new, f"{place}[{i}]")
    elif recorded != present:
        if place == _NEVER_SHOWN:
            yield f"{place} is another (not shown)"
        else:
            yield f"{place} was {_shown(recorded)}, is {_shown(present)}"


def _shown(value: object) -> str:
    return "absent" if value is _ABSENT else one_line(repr(value), 60)


def _changed_pairs(recorded: Iterable[Pair], pairs: Sequence[Pair]) -> Iterator[str]:
    present = {pair.id: pair for pair in pairs}
    for pair in recorded:
        new = present.pop(pair.id, None)
        if new is None:
            yield f"pair {pair.id} is gone"
        elif new.digest != pair.digest:
            yield f"pair {pair.id} has another {_changed_part(pair, new)}"
    for pair_id in present:
        yield f"pair {pair_id} is new"


def _changed_part(old: Pair, new: Pair) -> str:
    for name, before, after in (
        ("text of candidate a", old.a.text, new.a.text),
        ("text of candidate b", old.b.text, new.b.text),
        ("item", old.item, new.item),
        ("reference", old.reference, new.reference),
    ):
        if before != after:
            return name
    return "candidate name"
