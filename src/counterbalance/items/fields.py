"""Typed values out of one decoded row; each refusal names the file, the line and the key.

In comes a mapping of names to JSON values, out come texts, names, lists and nested mappings. A null
is a key that was left out. Nothing is converted: a number is never taken for a text.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from counterbalance.errors import PairFileError, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["LONGEST_NAME", "Fields", "Place", "found", "name_problem", "nearest", "text_problem"]

LONGEST_NAME = 200
"""Most characters of an id, system, version, category, cluster or source."""

_NOT_IN_NAMES = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a row stands, for messages.

    Attributes
    ----------
    file : str
        Name of the file as the user gave it.
    line : int
        Physical line on which the row begins, or number of the row; counted from 1.
    columns : Mapping[str, str] | None
        Column that each key was read from; None when the file has keys and no columns.
    unit : str
        What is counted: ``line``, or ``row`` where a file has no lines.
    """

    file: str
    line: int
    columns: Mapping[str, str] | None = None
    unit: str = "line"

    @property
    def words(self) -> str:
        """Where it is inside its file, in words."""
        return f"{self.unit} {self.line}"

    def refuse(self, key: str, problem: str) -> NoReturn:
        """Refuse the row for what is wrong with one key.

        Parameters
        ----------
        key : str
            Path of the key, such as ``a.text``.
        problem : str
            What was found and what is allowed, to stand after the key.

        Raises
        ------
        PairFileError
            Always.
        """
        shown = key if self.columns is None else self.columns.get(key, key)
        raise PairFileError(self.file, self.line, f'"{shown}" {problem}', self.unit) from None

    def refuse_row(self, problem: str) -> NoReturn:
        """Refuse the row for what is wrong with it as a whole.

        Parameters
        ----------
        problem : str
            What was found and what is allowed.

        Raises
        ------
        PairFileError
            Always.
        """
        raise PairFileError(self.file, self.line, problem, self.unit) from None


class Fields:
    """The values of one mapping in a row, read by key.

    Parameters
    ----------
    values : Mapping[str, object]
        The decoded mapping.
    place : Place
        Where it stands.
    path : str
        Keys that lead to it, with a closing dot; empty for the row itself.
    """

    __slots__ = ("_path", "_values", "place")

    def __init__(self, values: Mapping[str, object], place: Place, path: str = "") -> None:
        self._values = values
        self._path = path
        self.place = place

    def refuse(self, key: str, problem: str) -> NoReturn:
        """Refuse the row for what is wrong with one key of this mapping."""
        self.place.refuse(self._path + key, problem)

    def refuse_unknown(self, known: tuple[str, ...]) -> None:
        """Refuse any key that has no meaning, so that a misspelt one is not silently ignored.

        Parameters
        ----------
        known : tuple[str, ...]
            Keys that have one.
        """
        for key in self._values:
            if key not in known:
                problem = f"is not a known key{nearest(key, known)} (known: {', '.join(known)})"
                self.refuse(one_line(key), problem)

    def value(self, key: str) -> object:
        """Return the JSON value of a key; None when it is null or left out."""
        return self._values.get(key)

    def text(self, key: str) -> str:
        """Return a text, unchanged; refuse one that UTF-8 cannot hold, U+0000 and other types.

        Parameters
        ----------
        key : str
            Key to read.

        Returns
        -------
        str
            The text; empty when the key is left out.
        """
        value = self._values.get(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            self.refuse(key, f"is {found(value)}; it must be text{self._remedy(value)}")
        problem = text_problem(value)
        if problem:
            self.refuse(key, problem)
        return value

    def _remedy(self, value: object) -> str:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return ""
        if self.place.unit == "row":
            return "; store the column as text"
        return f': put it in quotes, "{one_line(repr(value))}"'

    def visible_text(self, key: str) -> str:
        """Return a text that has something in it; refuse one left out or only white space.

        Parameters
        ----------
        key : str
            Key to read.

        Returns
        -------
        str
            The text, unchanged.
        """
        text = self.text(key)
        if not text or text.isspace():
            what = "is missing" if self.value(key) is None else "is empty"
            what = "holds only white space" if text else what
            self.refuse(key, f"{what}; write the text")
        return text

    def name(self, key: str) -> str:
        """Return a name, a text of one line that may be empty; refuse what `name_problem` names.

        Parameters
        ----------
        key : str
            Key to read.

        Returns
        -------
        str
            The name; empty when the key is left out.
        """
        if self._values.get(key) is None:
            return ""
        name = self.text(key)
        problem = name_problem(name) if name else None
        if problem:
            self.refuse(key, f"{problem}: {one_line(name)}")
        return name

    def identifier(self, key: str) -> str:
        """Return a name that may be left out; refuse an empty one.

        Parameters
        ----------
        key : str
            Key to read.

        Returns
        -------
        str
            The name; empty when the key is left out.
        """
        name = self.name(key)
        if not name and self.value(key) is not None:
            self.refuse(key, "is empty; write a name, or leave the key out")
        return name

    def entries(self, key: str) -> list[Fields]:
        """Return the mappings in a list of mappings; refuse anything else.

        Parameters
        ----------
        key : str
            Key to read.

        Returns
        -------
        list[Fields]
            One for each mapping; empty when the key is left out.
        """
        value = self.value(key)
        if value is None:
            return []
        if not isinstance(value, list):
            self.refuse(key, f"is {found(value)}; it must be a list of objects")
        return [self.nested(f"{key}[{n}]", member) for n, member in enumerate(value)]

    def nested(self, key: str, value: object) -> Fields:
        """Return the fields of a mapping inside this one; refuse anything else.

        Parameters
        ----------
        key : str
            Key under which it stands.
        value : object
            The decoded value.

        Returns
        -------
        Fields
            Its fields.
        """
        if not isinstance(value, Mapping):
            self.refuse(key, f"is {found(value)}; it must be an object")
        return Fields(value, self.place, f"{self._path}{key}.")


def found(value: object) -> str:
    """Return what a JSON value is, in words, with the value when it is short.

    Parameters
    ----------
    value : object
        A decoded JSON value.

    Returns
    -------
    str
        Such as ``the number 7``.

    Examples
    --------
    >>> found(True), found(7), found([])
    ('true', 'the number 7', 'a list')
    """
    match value:
        case None | bool():
            return {None: "null", True: "true", False: "false"}[value]
        case int() | float():
            return f"the number {one_line(repr(value))}"
        case str():
            return f'the text "{one_line(value)}"'
        case list():
            return "a list"
        case _:
            return "an object"


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a question that offers the known word most like this one; empty when none is like it.

    Parameters
    ----------
    word : str
        What was found.
    known : Iterable[str]
        What would have been understood.

    Returns
    -------
    str
        The question, with a semicolon in front.

    Examples
    --------
    >>> nearest("promt", ["prompt", "context"])
    '; did you mean "prompt"?'
    """
    close = difflib.get_close_matches(word.strip().lower(), known, n=1)
    return f'; did you mean "{close[0]}"?' if close else ""


def text_problem(text: str) -> str | None:
    r"""Say why a text cannot be kept as it is, or return None.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    str | None
        The problem, to stand after the key's name.

    Examples
    --------
    >>> text_problem("a\0b")
    'holds U+0000 at character 2; remove it'
    """
    if "\0" in text:
        return f"holds U+0000 at character {text.index(chr(0)) + 1}; remove it"
    if text.isascii():
        return None
    try:
        text.encode()
    except UnicodeEncodeError as error:
        code = ord(text[error.start])
        return (
            f"holds half of a surrogate pair (U+{code:04X} at character {error.start + 1}), "
            "which is no character; write the whole character"
        )
    return None


def name_problem(name: str) -> str | None:
    """Say why a text is not fit for a name, or return None.

    Parameters
    ----------
    name : str
        A text that `text_problem` has nothing against.

    Returns
    -------
    str | None
        The problem, to stand after the key's name.

    Examples
    --------
    >>> name_problem(" gpt")
    'begins or ends with white space'
    """
    if not name:
        return "is empty"
    if len(name) > LONGEST_NAME:
        return f"has {len(name)} characters, at most {LONGEST_NAME} are allowed"
    if _NOT_IN_NAMES.search(name):
        return "holds a control character or line break"
    if name != name.strip():
        return "begins or ends with white space"
    return None
