"""Rows of an imported log, as a record takes and gives them.

A judgment is an attempt of a presentation, like any other; what the log says of it besides, and
rows that tell of no call, stand beside in a table of their own, so that nothing of a log vanishes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from counterbalance.items.frames import Order
    from counterbalance.items.item import Pair
    from counterbalance.parsing.outcome import Outcome
    from counterbalance.presentations.presentation import Presentation
    from counterbalance.record.attempt import Attempt
    from counterbalance.record.encoding import TextRow

__all__ = [
    "LogRow",
    "LoggedCall",
    "RowKind",
    "StoredCall",
    "StoredRow",
]


class RowKind(StrEnum):
    """What became of a row of a log."""

    JUDGMENT = "judgment"
    """A call of a judge on a pair: an attempt."""
    RATING = "rating"
    """A score of a single answer."""
    REJECT = "reject"
    """Tells of no call, or could not be read."""


@dataclass(frozen=True, slots=True)
class LoggedCall:
    """The call that a row tells of.

    Attributes
    ----------
    new_pair : Pair | None
        The pair, with the first row that shows it; None with every later one.
    presentation : Presentation
        What was asked; its first attempt brings it into the record.
    prompt : TextRow
        The prompt, or what says that the log keeps none.
    attempt : Attempt
        What came of it.
    """

    new_pair: Pair | None
    presentation: Presentation
    prompt: TextRow
    attempt: Attempt


@dataclass(frozen=True, slots=True)
class LogRow:
    """A row of a log on its way into a record.

    Attributes
    ----------
    file : int
        Place of its file among those of the import, counted from 0.
    line : int
        Line or element of the file, counted from 1; 0 where the whole file is meant.
    kind : RowKind
        What became of it.
    content : dict[str, Any]
        What stands nowhere else, as a JSON value.
    text : str
        A long text of the row, such as the reply that a rating was read from; may be empty.
    call : LoggedCall | None
        The call of a judgment; None for any other row.
    """

    file: int
    line: int
    kind: RowKind
    content: dict[str, Any]
    text: str = ""
    call: LoggedCall | None = None


class StoredCall(NamedTuple):
    """What a record holds of the call of a row.

    Attributes
    ----------
    item : str
        Id of the item.
    cluster : str
        Its cluster.
    category : str
        Its category.
    consequence : float
        How much an error would matter.
    a : str
        Supplied id of candidate a.
    b : str
        Supplied id of candidate b.
    system_a : str
        System of candidate a.
    system_b : str
        System of candidate b.
    is_identical : bool
        Whether both candidates have one text.
    accepted : tuple[str, ...]
        Accepted verdicts, sorted; empty where there is no reference.
    order : Order
        Display order.
    labelling : str
        What the slots were called.
    repetition : int
        Counted from 0.
    outcome : Outcome
        What came of it.
    finish : str
        Why the judge stopped.
    reply : str
        The raw reply.
    prompt : str
        The prompt's one message; empty unless prompts were asked for.
    """

    item: str
    cluster: str
    category: str
    consequence: float
    a: str
    b: str
    system_a: str
    system_b: str
    is_identical: bool
    accepted: tuple[str, ...]
    order: Order
    labelling: str
    repetition: int
    outcome: Outcome
    finish: str
    reply: str
    prompt: str


class StoredRow(NamedTuple):
    """A row of a log as a record gives it back.

    Attributes
    ----------
    file : int
        As in `LogRow`.
    line : int
        As in `LogRow`.
    kind : RowKind
        As in `LogRow`.
    content : dict[str, Any]
        As in `LogRow`.
    text : str
        As in `LogRow`.
    call : StoredCall | None
        The call of a judgment; None for any other row.
    """

    file: int
    line: int
    kind: RowKind
    content: dict[str, Any]
    text: str
    call: StoredCall | None
