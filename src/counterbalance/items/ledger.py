"""What earlier rows of a pair file said, kept as hashes, so that no row contradicts another."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from counterbalance.errors import PairFileError, one_line
from counterbalance.items.hashing import canonical_json
from counterbalance.items.requirements import RequirementRule

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    """The ids of a pair file and the first line of each; texts are not kept.

    Parameters
    ----------
    file : str
        Name of the file, for messages.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self._pairs: dict[PairId, tuple[int, int]] = {}
        self._items: dict[ItemId, tuple[int, tuple[object, ...]]] = {}
        self._candidates: dict[tuple[ItemId, str], tuple[int, CandidateId]] = {}
        self._couples: dict[tuple[CandidateId, ...], int] = {}
        self._repeated: list[tuple[int, int]] = []
        self._with_control: list[int] = []

    def admit(self, line: int, pair: Pair) -> None:
        """Take a pair in, or refuse it.

        Parameters
        ----------
        line : int
            Where it stands.
        pair : Pair
            The pair.

        Raises
        ------
        PairFileError
            If the row repeats an earlier one, or uses an id for something else than before.
        """
        said = _said(pair.item)
        problem = (
            self._pair_problem(line, pair, said)
            or self._item_problem(line, pair.item, said)
            or self._candidate_problem(line, pair)
        )
        if problem:
            raise PairFileError(self._file, line, problem)
        self._observe(line, pair)

    def notes(self) -> tuple[str, ...]:
        """Return what a reader of the results should know of the file, one sentence each."""
        notes = []
        if self._with_control:
            count, line = len(self._with_control), self._with_control[0]
            notes.append(
                f"{_pairs(count)} with control characters in a text (first in line {line}); "
                "they are kept and shown to the judge"
            )
        if self._repeated:
            count, (line, earlier) = len(self._repeated), self._repeated[0]
            notes.append(
                f"{_pairs(count)} with the two candidates of an earlier pair "
                f"(first: line {line}, as line {earlier}); the same comparison counts again"
            )
        return tuple(notes)

    def _pair_problem(self, line: int, pair: Pair, said: tuple[object, ...]) -> str | None:
        stated = [r.value for r in pair.item.requirements if r.rule is RequirementRule.STATED]
        parts = (*said, str(stated), pair.item.id, pair.a.id, pair.b.id, pair.reference)
        digest = hash(parts)
        earlier, known = self._pairs.setdefault(pair.id, (line, digest))
        if earlier == line:
            return None
        if known == digest:
            return f"repeats line {earlier}; remove one of them"
        return (
            f'pair id "{one_line(pair.id)}" is that of line {earlier}, whose content differs; '
            "give each pair an id of its own"
        )

    def _item_problem(self, line: int, item: Item, said: tuple[object, ...]) -> str | None:
        earlier, known = self._items.setdefault(item.id, (line, said))
        if said == known:
            return None
        differing = [
            name for name, one, other in zip(_SAID, said, known, strict=True) if one != other
        ]
        return (
            f'item "{one_line(item.id)}" has another {differing[0]} than in line {earlier}; '
            "rows of one item must agree on it"
        )

    def _candidate_problem(self, line: int, pair: Pair) -> str | None:
        for candidate in (pair.a, pair.b):
            if not candidate.supplied_id:
                continue
            key = (pair.item.id, candidate.supplied_id)
            earlier, known = self._candidates.setdefault(key, (line, candidate.id))
            if known != candidate.id:
                where = "by the other candidate" if earlier == line else f"in line {earlier}"
                return (
                    f'candidate id "{one_line(candidate.supplied_id)}" is used {where} for another '
                    "text, system or version of the same item; give each candidate an id of its own"
                )
        return None

    def _observe(self, line: int, pair: Pair) -> None:
        couple = tuple(sorted((pair.a.id, pair.b.id)))
        earlier = self._couples.setdefault(couple, line)
        if earlier != line:
            self._repeated.append((line, earlier))
        if any(_CONTROL.search(text) for text in _texts(pair)):
            self._with_control.append(line)


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
