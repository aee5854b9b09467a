"""A batch that needs no mapping: custom ids of our own scheme, verdicts in double brackets.

A batch keeps raw replies and no verdicts, so our parser reads them. Which format was asked for is
told by marks that stand in every prompt, and by nothing else.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from counterbalance.errors import InputError
from counterbalance.importers.batch_calls import joined, read_requests
from counterbalance.importers.judgment import Judgment, Reject
from counterbalance.items.frames import Order
from counterbalance.judges.batch_lines import place_of_id
from counterbalance.parsing.outcome import Outcome, OutcomeKind
from counterbalance.parsing.parser import parse_reply
from counterbalance.protocol.labelling import Labelling
from counterbalance.protocol.verdict_format import VerdictFormat

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.importers.batch_calls import BatchKind, Call
    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_file import LogFile
    from counterbalance.importers.log_format import Notes

__all__ = ["OUR_SCHEME", "OurId", "bracket_marks", "our_id", "read_batch"]

OUR_SCHEME = "pair|order|judge|repetition|hash"
_MARK = re.compile(r"\[\[([^\[\]\n]{1,40})\]\]")
_N_PARTS = 5
_FOREIGN = (
    f"the custom_id is not {OUR_SCHEME}; describe it in a mapping: counterbalance import --map-help"
)
_OF_A_RUN = (
    "the batch was written by `counterbalance run PROTOCOL --write-batch`, and only the record of"
    " that run knows what each call shows: read it into that record, with `counterbalance run"
    " PROTOCOL --read-batch FILE`"
)
_READ = (
    "A batch holds replies and no verdicts: our parser read them, in the format that every prompt"
    " asks for."
)
_COMPARED = (
    "Prompts of both orders were compared by model, parameters and the characters they hold: an"
    " exchange of the answers changes none of these."
)
_NO_FORMAT = (
    "no format of verdicts is known: every prompt must ask for [[A]] and [[B]] (name the request"
    " file beside the results), or a mapping must declare the format"
    " (`counterbalance import --map-help`)"
)


class OurId(NamedTuple):
    """What a custom id of our own scheme says."""

    pair: str
    order: Order
    judge: str
    repetition: int


def our_id(custom_id: str) -> OurId | None:
    """Return the parts of a custom id of our own scheme; the pair's id may hold the separator.

    Parameters
    ----------
    custom_id : str
        As the batch has it.

    Returns
    -------
    OurId | None
        None for any other scheme.

    Examples
    --------
    >>> our_id("pair|7|reversed|gpt-4o|0|9f2c")
    OurId(pair='pair|7', order=<Order.REVERSED: 'reversed'>, judge='gpt-4o', repetition=0)
    """
    parts = custom_id.rsplit("|", _N_PARTS - 1)
    if len(parts) != _N_PARTS or parts[1] not in set(Order) or not all(parts):
        return None
    if not (parts[3].isascii() and parts[3].isdecimal()):
        return None
    return OurId(parts[0], Order(parts[1]), parts[2], int(parts[3]))


def bracket_marks(prompt: str) -> frozenset[str]:
    """Return what stands in double brackets in a prompt."""
    return frozenset(_MARK.findall(prompt))


def read_batch(
    kind: BatchKind, files: Sequence[LogFile], notes: Notes
) -> Iterator[tuple[int, Row]]:
    """Yield a judgment for each call of a batch whose ids are of our own scheme.

    Parameters
    ----------
    kind : BatchKind
        How the provider writes it.
    files : Sequence[LogFile]
        Requests, results and errors, in any order.
    notes : Notes
        Takes what a reader of the results must know.

    Yields
    ------
    tuple[int, Row]
        File and row.

    Raises
    ------
    InputError
        If there are replies, and no format to read them in; or the batch is one of our own runs.
    """
    batch = read_requests(kind, files, bracket_marks)
    reading = _format_in(batch.marks)
    for sentence in (_READ, _COMPARED):
        notes.add(sentence)
    for place, line, call in joined(kind, files, batch):
        if isinstance(call, Reject):
            yield place, call
            continue
        if place_of_id(call.custom_id) is not None:
            msg = f"{files[place].name}, line {line}: {_OF_A_RUN}"
            raise InputError(msg)
        ours = our_id(call.custom_id)
        if ours is None:
            yield place, Reject(line, _FOREIGN, call.custom_id)
        elif reading is None and call.outcome is None:
            msg = f"{files[place].name}: {_NO_FORMAT}"
            raise InputError(msg)
        else:
            yield place, _judgment(line, call, ours, reading)


def _format_in(marks: frozenset[str]) -> tuple[VerdictFormat, Labelling] | None:
    labels = Labelling(first="A", second="B")
    if {"A>>B", "B>>A"} <= marks:
        return VerdictFormat(format="bracket5", tie="C" if "A=B" in marks else None), labels
    if {"A", "B"} <= marks:
        return VerdictFormat(format="bracket", tie="C" if "C" in marks else None), labels
    return None


def _judgment(
    line: int, call: Call, ours: OurId, reading: tuple[VerdictFormat, Labelling] | None
) -> Judgment:
    return Judgment(
        line=line,
        item=ours.pair,
        a="a",
        b="b",
        order=ours.order,
        outcome=_outcome(call, reading),
        judge=ours.judge,
        repetition=ours.repetition,
        setting=call.setting,
        reply=call.reply.text if call.reply else "",
        finish=call.reply.finish if call.reply else "",
    )


def _outcome(call: Call, reading: tuple[VerdictFormat, Labelling] | None) -> Outcome:
    if call.outcome is not None:
        return call.outcome
    if call.reply is None or reading is None:
        return Outcome(OutcomeKind.UNPARSED, "source")
    return parse_reply(*reading, call.reply)
