"""Rows of a log as a record holds them, and back: equal in everything.

What identifies a judgment and what came of it goes where every record has it: item, candidates,
pair, presentation, attempt. A log seldom keeps texts apart from its prompts; in their place stand
texts that say so and name what they stand for.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, NamedTuple

from counterbalance.errors import RecordIntegrityError
from counterbalance.importers.collected import SOURCE
from counterbalance.importers.judgment import NOTHING, Judgment, Rating, Reject, rejected
from counterbalance.importers.pair_properties import pair_id
from counterbalance.items.frames import Order, Verdict
from counterbalance.items.hashing import tagged_hash
from counterbalance.items.item import Candidate, Item, ItemId, Message, Pair, PairId, Reference
from counterbalance.items.rows import candidate_id
from counterbalance.presentations.presentation import Presentation
from counterbalance.presentations.reply import Reply
from counterbalance.record.attempt import Attempt
from counterbalance.record.encoding import prompt_row
from counterbalance.record.log_row import LoggedCall, LogRow, RowKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.reading import Reading
    from counterbalance.presentations.presentation import PresentationKey
    from counterbalance.record.log_row import StoredCall, StoredRow

__all__ = ["ORDER_UNKNOWN", "RowEncoder", "decoded_row", "storable"]

_LABELLING = "log"
ORDER_UNKNOWN = "log, order not told"
"""Labelling of a presentation whose order the log does not tell; it stands as if forward."""

_NOT_HELD = "Not held by the log"
_PROMPT_NOT_HELD = f"{_NOT_HELD}: the prompt."
_NO_PROMPT = prompt_row((Message("user", _PROMPT_NOT_HELD),))
_FACTS = (
    "item", "a", "b", "cluster", "category", "system_a", "system_b",
    "reference", "consequence", "identical",
)  # fmt: skip
"""What a pair in the record says of a judgment; a row that says otherwise keeps its own word."""
_CALL = (
    "item", "a", "b", "order", "judge", "strategy", "subset", "repetition", "cluster", "category",
    "system_a", "system_b", "reference", "setting", "identical",
)  # fmt: skip
"""What a record keeps of a call whose row was rejected, where it says anything."""


class _Known(NamedTuple):
    pair_id: PairId
    key: str
    facts: tuple[Any, ...]


def storable(text: str) -> str:
    """Return text that every database can hold: a lone surrogate becomes a backslash escape."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()
    return text


class RowEncoder:
    """Turns rows into what a record takes, one at a time and in the order of the log.

    On the way it counts rows by kind, and gives a place to each way that replies are read again.
    """

    def __init__(self) -> None:
        self.readings: dict[Reading, int] = {}
        self.counts = dict.fromkeys(RowKind, 0)
        self._pairs: dict[tuple[str, str, str, str], _Known] = {}
        self._ids: set[str] = set()
        self._judges: dict[tuple[str, str], str] = {}
        self._attempts: dict[PresentationKey, int] = {}

    @property
    def n_pairs(self) -> int:
        """Pairs so far."""
        return len(self._pairs)

    @property
    def n_presentations(self) -> int:
        """Presentations so far."""
        return len(self._attempts)

    def row(self, file: int, row: Row) -> LogRow:
        """Return one row as the record takes it.

        Parameters
        ----------
        file : int
            Place of its file.
        row : Row
            What the importer made of it.

        Returns
        -------
        LogRow
            From which `decoded_row` makes an equal row.
        """
        if isinstance(row, Judgment):
            call, content = self._judgment(row)
            made = LogRow(file, row.line, RowKind.JUDGMENT, content, call=call)
        elif isinstance(row, Rating):
            made = LogRow(file, row.line, RowKind.RATING, _rating(row), text=row.reply)
        else:
            content = {"reason": row.reason, "found": row.found}
            if row.call is not None:
                content["call"] = self._rejected_call(row.call)
            made = LogRow(file, row.line, RowKind.REJECT, content)
        self.counts[made.kind] += 1
        return made

    def _judgment(self, row: Judgment) -> tuple[LoggedCall, dict[str, Any]]:
        name = (row.subset, row.item, row.a, row.b)
        known, new = self._pairs.get(name), None
        if known is None:
            new = self._new_pair(row)
            known = self._pairs[name] = _Known(new.id, new.key, _facts_of(new))
        prompt = prompt_row((Message("user", row.prompt),)) if row.prompt else _NO_PROMPT
        shown = Presentation(
            pair_id=known.pair_id,
            pair_key=known.key,
            order=row.order or Order.FORWARD,
            labelling=ORDER_UNKNOWN if row.order is None else _LABELLING,
            judge=storable(row.judge),
            judge_digest=self._judge_digest(row.judge, row.strategy),
            temperature=None,
            prompt_digest=prompt[0],
            repetition=row.repetition,
        )
        number = self._attempts[shown.key] = self._attempts.get(shown.key, 0) + 1
        has_reply = row.reply or row.finish
        attempt = Attempt(
            key=shown.key,
            number=number,
            started_at="",
            seconds=None,
            outcome=row.outcome,
            reply=Reply(row.reply, row.finish) if has_reply else None,
            parser=SOURCE,
        )
        return LoggedCall(new, shown, prompt, attempt), self._content(row, known.facts)

    def _content(self, row: Judgment, facts: tuple[Any, ...]) -> dict[str, Any]:
        content = _said(
            judge=row.judge, strategy=row.strategy, subset=row.subset, setting=row.setting
        )
        if row.margin is not None:
            content["margin"] = _written(row.margin)
        if row.length_a is not None or row.length_b is not None:
            content["lengths"] = [row.length_a, row.length_b]
        if row.reading is not None:
            content["reading"] = self.readings.setdefault(row.reading, len(self.readings))
        said_facts = tuple(getattr(row, key) for key in _FACTS)
        if said_facts != facts:
            differing = zip(_FACTS, said_facts, facts, strict=True)
            content |= {key: _written(mine) for key, mine, pairs in differing if mine != pairs}
        return content

    def _rejected_call(self, row: Judgment) -> dict[str, Any]:
        """Return what is known of a call whose outcome is not: no attempt of the record."""
        content = {name: getattr(row, name) for name in _CALL if getattr(row, name)}
        content["consequence"] = _written(row.consequence)
        content["lengths"] = [row.length_a, row.length_b]
        if row.reading is not None:
            content["reading"] = self.readings.setdefault(row.reading, len(self.readings))
        return content

    def _judge_digest(self, judge: str, strategy: str) -> str:
        digest = self._judges.get((judge, strategy))
        if digest is None:
            digest = tagged_hash("log-judge/1", [storable(judge), storable(strategy)])
            self._judges[judge, strategy] = digest
        return digest

    def _new_pair(self, row: Judgment) -> Pair:
        item_id = ItemId(storable(row.item))
        part = _quoted(item=row.item, subset=row.subset)
        item = Item(
            id=item_id,
            messages=(Message("user", f"{_NOT_HELD}: item {part}."),),
            category=storable(row.category),
            cluster=storable(row.cluster),
            consequence=row.consequence if math.isfinite(row.consequence) else 1.0,
        )
        texts = _texts_of(row)
        a = _candidate(item_id, storable(row.a), storable(row.system_a), texts[0])
        b = _candidate(item_id, storable(row.b), storable(row.system_b), texts[1])
        reference = Reference(frozenset(row.reference), "the log") if row.reference else None
        return Pair(self._free_id(row), item, a, b, reference)

    def _free_id(self, row: Judgment) -> PairId:
        """Return an id that no other pair has: names that hold colons can read the same."""
        plain = free = storable(pair_id((row.subset, row.item, row.a, row.b)))
        n = 1
        while free in self._ids:
            n += 1
            free = f"{plain} ({n})"
        self._ids.add(free)
        return PairId(free)


def _texts_of(row: Judgment) -> tuple[str, str]:
    """Return what stands for the texts of the candidates: never the same for different ones."""
    place = {"item": row.item, "subset": row.subset}
    if row.identical:
        both = f"{_NOT_HELD}: the one text of both candidates {_quoted(a=row.a, b=row.b, **place)}."
        return both, both
    return (
        f"{_NOT_HELD}: candidate a {_quoted(name=row.a, **place)}.",
        f"{_NOT_HELD}: candidate b {_quoted(name=row.b, **place)}.",
    )


def _candidate(item: ItemId, name: str, system: str, text: str) -> Candidate:
    made = candidate_id(item, system=system, version="", supplied_id=name, text=text)
    return Candidate(made, name, system, "", text)


def _quoted(**names: str) -> str:
    """Return names so that different ones never read the same."""
    return storable(json.dumps(_said(**names), ensure_ascii=False))


def _facts_of(pair: Pair) -> tuple[Any, ...]:
    """Return what `_facts_of_call` will return once the pair was stored."""
    accepted = () if pair.reference is None else tuple(sorted(pair.reference.accepted))
    item, a, b = pair.item, pair.a, pair.b
    return (
        item.id, a.supplied_id, b.supplied_id, item.cluster, item.category, a.system, b.system,
        accepted, item.consequence, pair.is_identical,
    )  # fmt: skip


def _facts_of_call(call: StoredCall) -> tuple[Any, ...]:
    return (
        call.item, call.a, call.b, call.cluster, call.category, call.system_a, call.system_b,
        tuple(map(Verdict, call.accepted)), call.consequence, call.is_identical,
    )  # fmt: skip


def _rating(row: Rating) -> dict[str, Any]:
    content: dict[str, Any] = {"item": row.item, "system": row.system, "judge": row.judge}
    content |= _said(strategy=row.strategy, subset=row.subset, reason=row.reason)
    if row.value is not None:
        content["value"] = _written(row.value)
    if row.preferred is not None:
        content["preferred"] = row.preferred
    return content


def _said(**texts: str) -> dict[str, Any]:
    """Return the texts that are not empty."""
    return {key: text for key, text in texts.items() if text}


def _written(value: Any) -> Any:  # noqa: ANN401 (any JSON value)
    """Return a value as JSON can hold it: a float that is no number as its word."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _number(value: Any) -> Any:  # noqa: ANN401 (a number, its word or None)
    return float(value) if isinstance(value, str) else value


def decoded_row(stored: StoredRow, readings: Sequence[Reading]) -> Row:
    """Return a row of a log as its importer made it.

    Parameters
    ----------
    stored : StoredRow
        The row as the record holds it.
    readings : Sequence[Reading]
        How our parser reads replies again, by the place that rows name.

    Returns
    -------
    Row
        A judgment without its prompt, unless the record was asked for prompts.

    Raises
    ------
    RecordIntegrityError
        If a judgment has no call.
    """
    content = stored.content
    if stored.kind is RowKind.REJECT:
        call = content.get("call")
        made = Reject(stored.line, content["reason"], content["found"])
        return made if call is None else _with_call(made, call, readings)
    if stored.kind is RowKind.RATING:
        value = _number(content.pop("value", None))
        return Rating(line=stored.line, value=value, reply=stored.text, **content)
    if stored.call is None:
        msg = f"line {stored.line} of file {stored.file + 1}: the judgment has no recorded call"
        raise RecordIntegrityError(msg)
    return _decoded_judgment(stored.line, content, stored.call, readings)


def _with_call(reject: Reject, content: dict[str, Any], readings: Sequence[Reading]) -> Reject:
    order, reading = content.pop("order", None), content.pop("reading", None)
    content["length_a"], content["length_b"] = content.pop("lengths")
    content["reference"] = tuple(map(Verdict, content.get("reference", ())))
    content["consequence"] = _number(content["consequence"])
    call = Judgment(
        line=reject.line,
        **dict.fromkeys(("item", "a", "b", "judge"), "") | content,
        order=None if order is None else Order(order),
        outcome=NOTHING,
        reading=None if reading is None else readings[reading],
    )
    return rejected(call, reject.reason, reject.found)


def _decoded_judgment(
    line: int, content: dict[str, Any], call: StoredCall, readings: Sequence[Reading]
) -> Judgment:
    facts = dict(zip(_FACTS, _facts_of_call(call), strict=True))
    facts |= {key: content[key] for key in _FACTS if key in content}
    length_a, length_b = content.get("lengths", (None, None))
    reading = content.get("reading")
    return Judgment(
        line=line,
        order=None if call.labelling == ORDER_UNKNOWN else call.order,
        outcome=call.outcome,
        judge=content.get("judge", ""),
        strategy=content.get("strategy", ""),
        subset=content.get("subset", ""),
        repetition=call.repetition,
        setting=content.get("setting", ""),
        margin=_number(content.get("margin")),
        reply=call.reply,
        finish=call.finish,
        prompt="" if call.prompt == _PROMPT_NOT_HELD else call.prompt,
        reading=None if reading is None else readings[reading],
        length_a=length_a,
        length_b=length_b,
        **facts
        | {
            "reference": tuple(map(Verdict, facts["reference"])),
            "consequence": _number(facts["consequence"]),
        },
    )
