"""How our own parser reads the raw replies of a log again, beside the source's verdict.

The source's verdict decides; the second reading is reported as a group of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from counterbalance.parsing.outcome import Outcome
    from counterbalance.presentations.reply import Reply
    from counterbalance.protocol.labelling import Labelling
    from counterbalance.protocol.verdict_format import VerdictFormat

__all__ = ["Reading", "read_again", "read_reply"]


@dataclass(frozen=True, eq=False, slots=True)
class Reading:
    """What a judge was asked to write; one object for each way, made once by its importer.

    Attributes
    ----------
    verdict_format : VerdictFormat
        The format that the judge's prompt asked for.
    labelling : Labelling
        What the prompt called the two slots.
    """

    verdict_format: VerdictFormat
    labelling: Labelling


@lru_cache(maxsize=4096)
def read_again(reading: Reading, reply: str, finish: str = "") -> Outcome:
    """Read a raw reply with our own parser.

    Parameters
    ----------
    reading : Reading
        What the judge was asked to write.
    reply : str
        The reply as received.
    finish : str
        Why the judge stopped; empty when unknown.

    Returns
    -------
    Outcome
        In slot terms.
    """
    parse, made = _parser()
    return parse(reading.verdict_format, reading.labelling, made(reply, finish))


def read_reply(reading: Reading, reply: Reply) -> Outcome:
    """Read a whole reply with our own parser.

    Parameters
    ----------
    reading : Reading
        What the judge was asked to write.
    reply : Reply
        The reply as received.

    Returns
    -------
    Outcome
        In slot terms.
    """
    parse, _ = _parser()
    return parse(reading.verdict_format, reading.labelling, reply)


@cache
def _parser() -> tuple[Callable[..., Outcome], type[Reply]]:
    """Load our parser with the first reply: many logs have none."""
    from counterbalance.parsing.parser import parse_reply  # noqa: PLC0415
    from counterbalance.presentations.reply import Reply  # noqa: PLC0415

    return parse_reply, Reply
