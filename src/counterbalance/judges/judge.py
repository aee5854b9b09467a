"""The one seam between the product and anything that answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from counterbalance.items.frames import Slot

if TYPE_CHECKING:
    from counterbalance.items.item import Message
    from counterbalance.presentations.presentation import PresentationKey
    from counterbalance.presentations.reply import Reply
    from counterbalance.protocol.verdict_format import VerdictFormat

__all__ = ["Judge", "Request", "Shown"]


@dataclass(frozen=True, slots=True)
class Shown:
    """What stands in one slot, for judges that are not language models.

    Attributes
    ----------
    label : str
        What the prompt calls the slot.
    text : str
        The text shown.
    """

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Request:
    """One fresh call; nothing of an earlier one is carried into it.

    Attributes
    ----------
    key : PresentationKey
        The presentation, for replay.
    messages : tuple[Message, ...]
        The rendered prompt.
    first : Shown
        The first slot.
    second : Shown
        The second slot.
    labels : tuple[str, ...]
        Every label that the verdict format offers, slots first.
    temperature : float | None
        Override of the judge's temperature; None keeps it.
    seed : int
        Recorded seed of this call's sampling.
    attempt : int
        Number of the attempt, from 1.
    max_tokens : int | None
        Limit of the reply in place of every limit that the judge declares: raised by the retry
        rule, or by a prompt that needs more room; None keeps them.
    verdict : VerdictFormat | None
        How this prompt wants the verdict written; None keeps what the protocol declares for all.
    """

    key: PresentationKey
    messages: tuple[Message, ...]
    first: Shown
    second: Shown
    labels: tuple[str, ...]
    temperature: float | None
    seed: int
    attempt: int
    max_tokens: int | None = None
    verdict: VerdictFormat | None = None

    def shown(self, slot: Slot) -> Shown:
        """Return what stands in a slot."""
        return self.first if slot is Slot.FIRST else self.second


class Judge(Protocol):
    """One request in, one raw reply out; a judge never reads a verdict into its reply."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What limits the evidence this judge gives, in sentences for the report."""
        ...

    async def ask(self, request: Request) -> Reply:
        """Return the raw reply to one request.

        Parameters
        ----------
        request : Request
            What is asked.

        Returns
        -------
        Reply
            What came back, unread.

        Notes
        -----
        Where no reply comes, a JudgeError says why, and nothing else is raised.
        """
        ...

    async def close(self) -> None:
        """Give back what the judge holds."""
        ...
