"""A changed protocol as a further revision of its record: what it inherits, and what it may not."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from counterbalance.errors import ProtocolError, RecordMismatchError, UsageError, one_line
from counterbalance.presentations.assignment import judged_pairs, order_plan
from counterbalance.presentations.held_out import held_out_clusters
from counterbalance.run.matching import changes_since
from counterbalance.run.part import PROGRAM, Part, declared_secret, header_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from counterbalance.items.item import Pair, PairId
    from counterbalance.record.store import RecordHeader, Store
    from counterbalance.run.study import Study

__all__ = ["LONGEST_REASON", "checked_reason", "revised_part"]

LONGEST_REASON = 500
"""Most characters of the reason for a revision."""


def checked_reason(reason: str) -> str:
    """Return the reason for a revision without space around it.

    Parameters
    ----------
    reason : str
        As it was typed.

    Returns
    -------
    str
        One printable line.

    Raises
    ------
    UsageError
        If it says nothing, is longer than `LONGEST_REASON`, or has a character that cannot be
        shown.
    """
    said = reason.strip()
    if not said:
        msg = "--revise: the reason is empty; say in a few words why the protocol is revised"
        raise UsageError(msg)
    if len(said) > LONGEST_REASON:
        msg = f"--revise: the reason has {len(said)} characters; {LONGEST_REASON} are the most"
        raise UsageError(msg)
    if not said.isprintable():
        msg = f"--revise: the reason {one_line(repr(said))} must be one line of printable text"
        raise UsageError(msg)
    return said


def revised_part(store: Store, study: Study, reason: str) -> Part:
    """Return what the first run under a further revision asks.

    Parameters
    ----------
    store : Store
        The record, which was begun.
    study : Study
        The changed protocol or pairs.
    reason : str
        Why they are revised, from `checked_reason`.

    Returns
    -------
    Part
        The new plan; a presentation that was planned before has the same key.

    Raises
    ------
    RecordMismatchError
        If nothing changed, or the change cannot be a revision of this record.
    ProtocolError
        If no pair is left to judge, or the held-out split is not the inherited one.
    """
    newest = store.headers()[-1]
    protocol, pairs = study.protocol, study.pairs.pairs
    if not changes_since(store, newest, protocol, pairs)[1]:
        msg = (
            f"the protocol and the pairs are those of revision {newest.number}, so there is nothing"
            " to revise; run without --revise"
        )
        raise RecordMismatchError(msg)
    if declared_secret(study) not in {None, newest.secret}:
        msg = (
            "prompts of one record are fenced under one secret, which a revision inherits, and this"
            " protocol names another (delimiter_secret, or that of a replayed record). Take it out,"
            " or begin a new record with --record"
        )
        raise RecordMismatchError(msg)
    clusters = _inherited_clusters(store, study)
    if not judged_pairs(pairs, protocol, clusters):
        problem = "no pair is left to judge beside the held-out, excluded and identical ones"
        raise ProtocolError(str(study.path), "pairs", problem)
    plan = list(order_plan(pairs, protocol, newest.secret, clusters))

    def begin(notes: Iterable[str]) -> None:
        header = header_of(study, newest.secret, notes, clusters, reason)
        store.revise(header, pairs, plan)

    return Part(newest.secret, plan, PROGRAM, begin)


def _inherited_clusters(store: Store, study: Study) -> frozenset[str] | None:
    """Return the clusters that are held out: those that were, and of new ones as many as fit."""
    headers = store.headers()
    section = study.protocol.held_out
    declared = next((header for header in headers if header.held_out is not None), None)
    if declared is not None:
        _check_section(declared, study)
    if section is None:
        return None
    pairs = study.pairs.pairs
    known = dict(_known_clusters(_Parts(store, headers), pairs))
    sizes = Counter(pair.item.cluster for pair in pairs)
    drawn = held_out_clusters(sizes, section.share, section.seed, known)
    if declared is None and not drawn:
        problem = (
            "every cluster was asked under an earlier revision, so that none can be kept back any"
            " more; add pairs of new clusters, or leave the table out"
        )
        raise ProtocolError(str(study.path), "held_out", problem)
    return drawn | set(headers[-1].held_out or ())


def _check_section(declared: RecordHeader, study: Study) -> None:
    recorded, section = declared.protocol["held_out"], study.protocol.held_out
    if section is None or section.model_dump(mode="json") != recorded:
        problem = (
            f"the split is inherited from revision {declared.number}, and every later one keeps it:"
            f" share = {recorded['share']}, seed = {recorded['seed']}; put that back"
        )
        raise ProtocolError(str(study.path), "held_out", problem)


class _Parts:
    """Which clusters, pairs and contents a record holds out, and which may have been seen.

    Parameters
    ----------
    store : Store
        The record.
    headers : tuple[RecordHeader, ...]
        Its revisions.
    """

    def __init__(self, store: Store, headers: tuple[RecordHeader, ...]) -> None:
        self._held: dict[tuple[str, str], bool] = {}
        for header in headers:
            asked = None if header.held_out is not None else _asked_pairs(store, header.number)
            for pair in store.pairs(header.number):
                if asked is not None and pair.id not in asked:
                    continue
                is_held = pair.item.cluster in (header.held_out or ())
                for name in _names(pair):
                    self._held.setdefault(name, is_held)

    def of(self, pair: Pair) -> set[bool]:
        """Return the parts that a pair belongs to, by its cluster, its id and what it shows."""
        return {self._held[name] for name in _names(pair) if name in self._held}


def _names(pair: Pair) -> tuple[tuple[str, str], ...]:
    return ("cluster", pair.item.cluster), ("id", pair.id), ("content", pair.key)


def _asked_pairs(store: Store, revision: int) -> set[PairId]:
    """Return the pairs that a call was made for, of a revision that held nothing out."""
    asked = {attempt.key for attempt in store.attempts()}
    asked.update(call.key for call in store.unfinished())
    plan = (entry.presentation for entry in store.plan(revision))
    return {shown.pair_id for shown in plan if shown.key in asked}


def _known_clusters(parts: _Parts, pairs: Iterable[Pair]) -> Iterator[tuple[str, bool]]:
    found: dict[str, set[bool]] = {}
    for pair in pairs:
        known = found.setdefault(pair.item.cluster, set())
        known |= parts.of(pair)
        if len(known) > 1:
            msg = (
                f"pair {one_line(pair.id)} brings pairs that were judged and pairs that are held"
                f" out into one cluster, {one_line(pair.item.cluster)}; a cluster is never split:"
                " give the pair the cluster it had"
            )
            raise RecordMismatchError(msg)
    for cluster, known in found.items():
        for is_held in known:
            yield cluster, is_held
