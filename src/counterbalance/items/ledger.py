"""What earlier rows of a pair file said, kept as hashes, so that no row contradicts another."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from counterbalance.errors import one_line
from counterbalance.items.hashing import canonical_json
from counterbalance.items.requirements import RequirementRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.items.fields import Place
    from counterbalance.items.item import CandidateId, Item, ItemId, Pair, PairId

__all__ = ["Ledger"]

_SAID = (
    "prompt",
    "context",
    "reference_answer",
    "requirements",
    "category",
    "cluster",
    "consequence",
)
_CONTROL = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


class Ledger:
    """The ids of a pair file and the first place of each; texts are not kept."""

    def __init__(self) -> None:
        self._pairs: dict[PairId, tuple[Place, int]] = {}
        self._items: dict[ItemId, tuple[Place, tuple[object, ...]]] = {}
        self._candidates: dict[tuple[ItemId, str], tuple[Place, CandidateId]] = {}
        self._couples: dict[tuple[CandidateId, ...], Place] = {}
        self._repeated: list[tuple[Place, Place]] = []
        self._with_control: list[Place] = []

    def admit(self, place: Place, pair: Pair) -> None:
        """Take a pair in, or refuse one that repeats an earlier one or contradicts it.

        Parameters
        ----------
        place : Place
            Where it stands.
        pair : Pair
            The pair.
        """
        said = _said(pair.item)
        problem = (
            self._pair_problem(place, pair, said)
            or self._item_problem(place, pair.item, said)
            or self._candidate_problem(place, pair)
        )
        if problem:
            place.refuse_row(problem)
        self._observe(place, pair)

    def notes(self) -> tuple[str, ...]:
        """Return what a reader of the results should know of the file, one sentence each."""
        notes = []
        if self._with_control:
            count, place = len(self._with_control), self._with_control[0]
            notes.append(
                f"{_pairs(count)} with control characters in a text (first in {place.words}); "
                "they are kept and shown to the judge"
            )
        if self._repeated:
            count, (place, earlier) = len(self._repeated), self._repeated[0]
            notes.append(
                f"{_pairs(count)} with the two candidates of an earlier pair (first: {place.words},"
                f" as {_at(earlier, place)}); the same comparison counts again"
            )
        return tuple(notes)

    def _pair_problem(self, place: Place, pair: Pair, said: tuple[object, ...]) -> str | None:
        stated = [r.value for r in pair.item.requirements if r.rule is RequirementRule.STATED]
        parts = (*said, str(stated), pair.item.id, pair.a.id, pair.b.id, pair.reference, pair.probe)
        digest = hash(parts)
        if pair.id not in self._pairs:
            self._pairs[pair.id] = (place, digest)
            return None
        earlier, known = self._pairs[pair.id]
        if known == digest:
            return f"repeats {_at(earlier, place)}; remove one of them"
        return (
            f'pair id "{one_line(pair.id)}" is that of {_at(earlier, place)}, whose content '
            "differs; give each pair an id of its own"
        )

    def _item_problem(self, place: Place, item: Item, said: tuple[object, ...]) -> str | None:
        earlier, known = self._items.setdefault(item.id, (place, said))
        if said == known:
            return None
        differing = [
            name for name, one, other in zip(_SAID, said, known, strict=True) if one != other
        ]
        return (
            f'item "{one_line(item.id)}" has another {differing[0]} than in '
            f"{_at(earlier, place)}; rows of one item must agree on it"
        )

    def _candidate_problem(self, place: Place, pair: Pair) -> str | None:
        for candidate in (pair.a, pair.b):
            if not candidate.supplied_id:
                continue
            key = (pair.item.id, candidate.supplied_id)
            earlier, known = self._candidates.setdefault(key, (place, candidate.id))
            if known != candidate.id:
                is_here = earlier == place
                where = "by the other candidate" if is_here else f"in {_at(earlier, place)}"
                return (
                    f'candidate id "{one_line(candidate.supplied_id)}" is used {where} for another '
                    "text, system or version of the same item; give each candidate an id of its own"
                )
        return None

    def _observe(self, place: Place, pair: Pair) -> None:
        couple = tuple(sorted((pair.a.id, pair.b.id)))
        if couple in self._couples:
            self._repeated.append((place, self._couples[couple]))
        else:
            self._couples[couple] = place
        if any(_CONTROL.search(text) for text in _texts(pair)):
            self._with_control.append(place)


def _at(earlier: Place, place: Place) -> str:
    if earlier == place:
        return f"another pair of {place.words}"
    return earlier.words if earlier.file == place.file else f"{earlier.file}, {earlier.words}"


def _said(item: Item) -> tuple[object, ...]:
    # Which side breaks a stated requirement is said of the pair, so it may differ within an item.
    requirements = [
        r.content | {"value": None} if r.rule is RequirementRule.STATED else r.content
        for r in item.requirements
    ]
    return (
        hash(item.messages),
        hash(item.context),
        hash(item.reference_answer),
        hash(canonical_json(requirements)) if requirements else 0,
        item.category,
        item.cluster,
        item.consequence,
    )


def _texts(pair: Pair) -> Iterator[str]:
    yield pair.a.text
    yield pair.b.text
    yield pair.item.context
    yield pair.item.reference_answer
    yield from (message.content for message in pair.item.messages)


def _pairs(count: int) -> str:
    return "1 pair" if count == 1 else f"{count} pairs"
