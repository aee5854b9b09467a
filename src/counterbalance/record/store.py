"""What every store of a record promises, whichever engine is under it.

A store is append-only: attempts are never changed or removed. Everything that a method was awaited
for, or that returned, is on disk and survives a kill of the process or a loss of power.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import TracebackType

    from counterbalance.items.item import Message, Pair, PairId
    from counterbalance.presentations.presentation import PlanEntry, PresentationKey
    from counterbalance.record.attempt import Attempt, StartedCall

__all__ = ["RecordHeader", "Store"]


@dataclass(frozen=True, slots=True)
class RecordHeader:
    """What a record is of; written once, before the plan and the first call.

    Attributes
    ----------
    protocol : dict[str, Any]
        Canonical form of the protocol.
    protocol_digest : str
        Its tagged hash.
    protocol_text : str
        The protocol file as it was read.
    pairs_file : str
        Name of the pair file as the protocol gives it.
    pairs_sha256 : str
        Digest of the pair file's bytes.
    secret : str
        What fences and nonces are derived from.
    created_at : str
        ISO 8601 time, UTC.
    program : str
        Name and version of the program that began the record.
    notes : tuple[str, ...]
        What is known to limit the evidence, such as a prompt cache that is not bit-exact.
    """

    protocol: dict[str, Any]
    protocol_digest: str
    protocol_text: str
    pairs_file: str
    pairs_sha256: str
    secret: str
    created_at: str
    program: str
    notes: tuple[str, ...] = field(default=())


class Store(Protocol):
    """An append-only record; see the module for what is promised."""

    def __enter__(self) -> Self:
        """Return the open store."""
        ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Write what is still queued, and close."""
        ...

    def header(self) -> RecordHeader | None:
        """Return what the record is of, or None when nothing was begun."""
        ...

    def begin(self, header: RecordHeader, pairs: Sequence[Pair], plan: Iterable[PlanEntry]) -> None:
        """Write header, pairs and order plan in one transaction; refuse when one is there.

        Two different candidates of one id, and a presentation that shows a pair which is not among
        the pairs, are refused.
        """
        ...

    def pairs(self) -> Iterator[Pair]:
        """Yield the recorded pairs in the order of the pair file."""
        ...

    def pair(self, pair_id: PairId) -> Pair:
        """Return one pair by its id."""
        ...

    def plan(self) -> Iterator[PlanEntry]:
        """Yield the order plan in the order it was written."""
        ...

    def attempts(self) -> Iterator[Attempt]:
        """Yield every finished attempt, by presentation in plan order, by number inside it."""
        ...

    def unfinished(self) -> Iterator[StartedCall]:
        """Yield calls that were started and have no attempt, in the same order.

        They are lost, unless the run that holds the record is still waiting for them.
        """
        ...

    def prompt(self, digest: str) -> tuple[Message, ...]:
        """Return a rendered prompt by its digest."""
        ...

    async def start(
        self,
        key: PresentationKey,
        number: int,
        started_at: str,
        prompt: tuple[Message, ...],
        *,
        patience: float = 0.0,
    ) -> None:
        """Record a call before it is sent, and its prompt where it is new; return once on disk.

        The presentation must be in the plan, with this prompt. A repeat records nothing. For
        ``patience`` seconds the commit may wait for others to share it.
        """
        ...

    async def append(self, attempt: Attempt, *, patience: float = 0.0) -> None:
        """Record what came of a started call; return once on disk.

        An exact repeat appends nothing; another content under the same key and number is refused.
        """
        ...

    def verify(self) -> list[str]:
        """Re-derive every hash; return one sentence for each that does not fit."""
        ...
