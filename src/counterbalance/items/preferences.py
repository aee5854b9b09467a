"""Rows that say which of two answers was preferred, to rows of pairs that do not show it.

In comes a decoded row with ``chosen`` and ``rejected``, out come one or more rows of pairs. Which
of the two becomes ``a`` follows from a hash of the unordered pair, so it tells nothing about the
label, which goes to the reference alone. Refused are rows whose sides do not share their prompt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from counterbalance.errors import one_line
from counterbalance.items.fields import Fields, Place, found
from counterbalance.items.hashing import tagged_hash
from counterbalance.items.item import Message, conversation_text
from counterbalance.items.json_text import JsonTextError, json_value
from counterbalance.items.rows import messages_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = ["PREFERENCE_KEYS", "SIDES", "PreferenceRows", "is_preference", "is_preference_key"]

SIDES = ("chosen", "rejected")
"""The keys that make a row a preference."""

PREFERENCE_KEYS = (
    "id",
    "item",
    "prompt",
    "chosen",
    "rejected",
    "chosen_model",
    "rejected_model",
    "subset",
    "category",
    "cluster",
    "consequence",
    "context",
    "reference_answer",
    "metadata",
)
"""Keys of a preference row that are known; any other one is counted and not read."""

_OF_PAIRS = ("a", "b", "reference", "requirements")
_AS_THEY_ARE = ("item", "context", "reference_answer", "cluster", "consequence")
_LAST_TURN = "\n\nAssistant:"
_MEMBERS = {"texts": str, "turns": dict}
_SOURCE = "preference set"
_MOST_KEYS = 8
_ID_DIGITS = 8


class _Answer(NamedTuple):
    text: str
    system: str


class _Preference(NamedTuple):
    prompt: tuple[Message, ...]
    chosen: tuple[_Answer, ...]
    rejected: tuple[_Answer, ...]


def is_preference(keys: Iterable[str]) -> bool:
    """Say whether the keys of a row, or the columns of a file, are those of a preference set."""
    return not set(SIDES).isdisjoint(keys)


def is_preference_key(key: str) -> bool:
    """Say whether a key is looked at in a preference row, be it to refuse the row."""
    return key in PREFERENCE_KEYS or key in _OF_PAIRS


class PreferenceRows:
    """Turns preference rows into rows of pairs, and counts what a reader should know of them."""

    def __init__(self) -> None:
        self._unread: dict[str, int] = {}
        self._guessed: list[Place] = []
        self._alike: list[Place] = []
        self._doubled: list[Place] = []

    def pair_rows(
        self, row: Mapping[str, object], place: Place
    ) -> Iterator[tuple[Place, dict[str, object]]]:
        """Yield the pairs of one row: each preferred answer with each rejected one.

        Parameters
        ----------
        row : Mapping[str, object]
            The decoded row.
        place : Place
            Where it stands.

        Yields
        ------
        tuple[Place, dict[str, object]]
            A place that names the row's own keys, and a row as `pair_from_row` takes it.
        """
        fields = Fields(_with_conversations(row, place), place)
        self._take_stock(fields, row)
        has_lists = any(_kind(fields, side) == "texts" for side in SIDES)
        preference = self._preference(fields)
        shared, columns = _shared(fields)
        for chosen in preference.chosen:
            for rejected in preference.rejected:
                pair = shared | self._sides(preference.prompt, chosen, rejected, place)
                digest = pair.pop("digest")
                if has_lists and "id" in pair:
                    pair["id"] = f"{pair['id']}-{str(digest)[-_ID_DIGITS:]}"
                yield Place(place.file, place.line, columns, place.unit), pair

    def notes(self) -> tuple[str, ...]:
        """Return what a reader of the results should know, one sentence each."""
        notes = []
        if self._unread:
            names = [one_line(name) for name in sorted(self._unread)]
            more = f" and {len(names) - _MOST_KEYS} more" if len(names) > _MOST_KEYS else ""
            listed = ", ".join(names[:_MOST_KEYS])
            notes.append(f"keys of preference rows that are not read: {listed}{more}")
        for places, words in (
            (
                self._guessed,
                "without a prompt: the common beginning of both texts was taken for it",
            ),
            (self._alike, "whose preferred and rejected text are the same, so without a reference"),
            (self._doubled, "with a text twice in one list: it was taken once"),
        ):
            if places:
                rows = "1 preference" if len(places) == 1 else f"{len(places)} preferences"
                notes.append(f"{rows} {words} (first in {places[0].words})")
        return tuple(notes)

    def _take_stock(self, fields: Fields, row: Mapping[str, object]) -> None:
        for key in row:
            if fields.value(key) is None:
                continue
            if key in _OF_PAIRS:
                fields.refuse(key, 'stands beside "chosen" or "rejected"; a preference has none')
            if not is_preference_key(key):
                self._unread[key] = self._unread.get(key, 0) + 1

    def _preference(self, fields: Fields) -> _Preference:
        kinds = {_kind(fields, side) for side in SIDES}
        if kinds == {"turns"}:
            return _of_turns(fields)
        if "turns" in kinds:
            fields.refuse(
                "rejected", f'is {found(fields.value("rejected"))}, unlike "chosen"; use one form'
            )
        if fields.value("prompt") is None:
            if "texts" in kinds:
                fields.refuse("prompt", 'is missing; lists of answers need "prompt"')
            return self._of_whole_texts(fields)
        return _Preference(_prompt(fields), *(self._answers(fields, side) for side in SIDES))

    def _answers(self, fields: Fields, side: str) -> tuple[_Answer, ...]:
        value, system = fields.value(side), fields.name(f"{side}_model")
        if not isinstance(value, list):
            return (_Answer(fields.visible_text(side), system),)
        numbered = {f"{side}[{n}]": text for n, text in enumerate(value)}
        members = Fields(numbered, fields.place)
        texts = dict.fromkeys(members.visible_text(key) for key in numbered)
        if len(texts) < len(value):
            self._doubled.append(fields.place)
        return tuple(_Answer(text, system) for text in texts)

    def _of_whole_texts(self, fields: Fields) -> _Preference:
        texts = [fields.visible_text(side) for side in SIDES]
        common = texts[0][: _common_length(*texts)]
        cut = common.rfind(_LAST_TURN)
        if cut >= 0:
            cut += len(_LAST_TURN)
        else:
            # The white space belongs to the answers, so that no word is cut in two.
            cut = max((i for i, c in enumerate(common) if c.isspace()), default=0)
            self._guessed.append(fields.place)
        if not common[:cut].strip():
            fields.refuse(
                "prompt", 'is missing, and "chosen" and "rejected" do not begin with a common one'
            )
        answers = []
        for side, text in zip(SIDES, texts, strict=True):
            if not text[cut:].strip():
                fields.refuse(side, "ends with the prompt; write the answer behind it")
            answers.append((_Answer(text[cut:], fields.name(f"{side}_model")),))
        return _Preference((Message("user", common[:cut]),), *answers)

    def _sides(
        self, prompt: tuple[Message, ...], chosen: _Answer, rejected: _Answer, place: Place
    ) -> dict[str, object]:
        both = sorted((chosen, rejected))
        turns = [[m.role, m.content] for m in prompt]
        digest = tagged_hash("preference-sides/1", [turns, [list(answer) for answer in both]])
        a, b = both if int(digest[-1], 16) % 2 else reversed(both)
        pair: dict[str, object] = {
            "digest": digest,
            "messages": [{"role": m.role, "content": m.content} for m in prompt],
            "a": {"text": a.text, "system": a.system},
            "b": {"text": b.text, "system": b.system},
        }
        if chosen.text == rejected.text:
            self._alike.append(place)
        else:
            pair["reference"] = {"accept": "a" if a == chosen else "b", "source": _SOURCE}
        return pair


def _kind(fields: Fields, side: str) -> str:
    value = fields.value(side)
    if value is None:
        fields.refuse(side, "is missing; a preference needs both sides")
    if isinstance(value, str):
        return "text"
    members = value if isinstance(value, list) else []
    kinds = [k for k, of in _MEMBERS.items() if members and all(isinstance(m, of) for m in members)]
    if not kinds:
        what = "an empty list" if value == [] else found(value)
        fields.refuse(side, f"is {what}; it must be a text, a list of texts, or a conversation")
    return kinds[0]


def _shared(fields: Fields) -> tuple[dict[str, object], dict[str, str]]:
    shared = {key: fields.value(key) for key in _AS_THEY_ARE}
    number = fields.value("id")
    is_number = isinstance(number, int) and not isinstance(number, bool)
    if number is not None:
        shared["id"] = str(number) if is_number else fields.identifier("id")
    category = "category" if fields.value("subset") is None else "subset"
    if category == "subset" and fields.value("category") is not None:
        fields.refuse("category", 'stands beside "subset"; keep one of them')
    return shared | {"category": fields.value(category)}, {"category": category}


def _prompt(fields: Fields) -> tuple[Message, ...]:
    if isinstance(fields.value("prompt"), list):
        return messages_from(fields, "prompt")
    return (Message("user", fields.visible_text("prompt")),)


def _of_turns(fields: Fields) -> _Preference:
    sides = [messages_from(fields, side) for side in SIDES]
    common = min(_common_length(*sides), len(sides[0]) - 1, len(sides[1]) - 1)
    if fields.value("prompt") is None:
        if not common:
            fields.refuse("rejected", 'begins with another turn than "chosen"; or write "prompt"')
        prompt = sides[0][:common]
    else:
        prompt, common = _prompt_and_length(fields, sides, common)
    answers = []
    for key, turns in zip(SIDES, sides, strict=True):
        text = conversation_text(turns[common:])
        if not text.strip():
            fields.refuse(key, "has no text behind the prompt; write the answer")
        answers.append((_Answer(text, fields.name(f"{key}_model")),))
    return _Preference(prompt, *answers)


def _prompt_and_length(
    fields: Fields, sides: list[tuple[Message, ...]], common: int
) -> tuple[tuple[Message, ...], int]:
    """Return the prompt, and how many turns of both sides repeat it."""
    prompt, beginning = _prompt(fields), sides[0][:common]
    is_text = isinstance(fields.value("prompt"), str)
    if is_text and prompt[0] in beginning:
        return beginning, common
    if prompt == beginning[: len(prompt)]:
        return prompt, len(prompt)
    for key, turns in zip(SIDES, sides, strict=True):
        if turns[0].role in {"system", "user"}:
            fields.refuse(key, 'begins with a turn that is not in "prompt" and not an answer')
    return prompt, 0


def _common_length(one: Sequence[object], other: Sequence[object]) -> int:
    shorter = min(len(one), len(other))
    return next((i for i in range(shorter) if one[i] != other[i]), shorter)


def _with_conversations(row: Mapping[str, object], place: Place) -> Mapping[str, object]:
    """Decode conversations written as JSON in cells; any other text in a cell is a text."""
    if place.columns is None:
        return row
    decoded = {key: _turns_in_cell(row.get(key)) for key in (*SIDES, "prompt")}
    if any(decoded[side] is None for side in SIDES):
        return row
    return {**row, **{key: turns for key, turns in decoded.items() if turns is not None}}


def _turns_in_cell(cell: object) -> list[object] | None:
    if not isinstance(cell, str) or not cell.lstrip().startswith("["):
        return None
    try:
        value = json_value(cell)
    except JsonTextError:
        return None
    is_conversation = isinstance(value, list) and all(
        isinstance(turn, dict) and set(turn) == {"role", "content"} for turn in value
    )
    return value if is_conversation and value else None
