"""What every store of a record promises, whichever engine is under it.

A store is append-only: attempts are never changed or removed. Everything that a method was awaited
for, or that returned, is on disk and survives a kill of the process or a loss of power.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from types import TracebackType

    from counterbalance.items.item import Message, Pair, PairId
    from counterbalance.presentations.presentation import PlanEntry, PresentationKey
    from counterbalance.record.aside import Asides
    from counterbalance.record.attempt import Attempt, StartedCall
    from counterbalance.record.log_row import LogRow, StoredRow
    from counterbalance.record.review import Reviews

__all__ = ["Opening", "RecordHeader", "Store"]


@dataclass(frozen=True, slots=True)
class RecordHeader:
    """What a record is of, one for each revision; written before its plan and its first call.

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
    reason : str
        Why the protocol or the pairs were revised; empty for the first revision.
    held_out : tuple[str, ...] | None
        Clusters that are held out in this and every later revision, sorted; None where no revision
        so far declared a held-out share.
    number : int
        Counted from 1; the store gives it.
    calls_before : int
        Calls that the record held when the revision was made; the store counts them.
    openings_before : int
        How often the held-out pairs had been opened by then; the store counts that, too.
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
    reason: str = ""
    held_out: tuple[str, ...] | None = None
    number: int = 1
    calls_before: int = 0
    openings_before: int = 0


@dataclass(frozen=True, slots=True)
class Opening:
    """That the held-out pairs were opened under a revision; written before they are asked.

    Attributes
    ----------
    opened_at : str
        ISO 8601 time, UTC.
    program : str
        Name and version of the program that opened them.
    pairs : tuple[PairId, ...]
        The held-out pairs of the revision, in the order of its pair file.
    revision : int
        The revision they were opened under, the newest then; the store gives it.
    revisions : tuple[str, ...]
        Digests of this revision and of all before it, in their order; the store gives them.
    calls_before : int
        Calls that the record held by then; the store counts them.
    """

    opened_at: str
    program: str
    pairs: tuple[PairId, ...]
    revision: int = 0
    revisions: tuple[str, ...] = ()
    calls_before: int = 0


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
        """Return what the newest revision is of, or None when nothing was begun."""
        ...

    def headers(self) -> tuple[RecordHeader, ...]:
        """Return what each revision is of, the newest last."""
        ...

    def openings(self) -> tuple[Opening, ...]:
        """Return when the held-out pairs were opened, the newest last."""
        ...

    @property
    def reviews(self) -> Reviews:
        """Blind reviews: what people were to be shown, and what they said."""
        ...

    @property
    def asides(self) -> Asides:
        """Calls that ask for no verdict, such as for a rewrite."""
        ...

    def begin(self, header: RecordHeader, pairs: Sequence[Pair], plan: Iterable[PlanEntry]) -> None:
        """Write header, pairs and order plan in one transaction; refuse when one is there.

        Two different candidates of one id, and a presentation that shows a pair which is not among
        the pairs, are refused.
        """
        ...

    def revise(
        self, header: RecordHeader, pairs: Sequence[Pair], plan: Iterable[PlanEntry]
    ) -> None:
        """Write a further revision as `begin` writes the first; refuse when there is none.

        What is recorded stays, and a presentation with a key that was planned before is the same.
        """
        ...

    def open_held_out(self, opening: Opening, plan: Iterable[PlanEntry]) -> None:
        """Write that held-out pairs are opened, and what will be asked of them, in one transaction.

        Refused when they were opened under the newest revision before, and for a presentation that
        shows another pair than those.
        """
        ...

    def import_log(self, rows: Iterable[LogRow], header: Callable[[str], RecordHeader]) -> None:
        """Write a foreign log as the first revision, in one transaction: all of it, or nothing.

        The header is asked for after the last row, with the digest over all of them.
        """
        ...

    def log_rows(self, lines: Mapping[int, Collection[int]] | None = None) -> Iterator[StoredRow]:
        """Yield the rows of an imported log in its order; none of a study.

        Where lines are named (by place of the file), only those rows, with their prompts.
        """
        ...

    def pairs(self, revision: int | None = None) -> Iterator[Pair]:
        """Yield the pairs of a revision, the newest by default, in the order of its pair file."""
        ...

    def pair(self, pair_id: PairId) -> Pair:
        """Return one pair by its id, as the newest revision that is of it has it."""
        ...

    def plan(self, revision: int | None = None, *, opened: bool = False) -> Iterator[PlanEntry]:
        """Yield the order plan of a revision, the newest by default, in the order it was written.

        It is the plan over the pairs that are not held out; that over the others, once they were
        opened, is yielded instead where ``opened`` says so.
        """
        ...

    def attempts(self) -> Iterator[Attempt]:
        """Yield every finished attempt under any revision; answers of reviewers are not among them.

        They come by presentation, in the order in which those were first planned, and by number.
        """
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
