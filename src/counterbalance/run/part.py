"""What one run is to ask: the plan of a new or known revision, or of the opened held-out pairs."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance import __version__
from counterbalance.presentations.assignment import drawn_clusters, order_plan
from counterbalance.presentations.rendering import Renderer
from counterbalance.record.store import RecordHeader
from counterbalance.run.clock import now
from counterbalance.run.fitting import judged_by_kin, panels_of_kin, unshown_parts
from counterbalance.run.matching import check_same_study
from counterbalance.run.opening import replayed_secret

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from counterbalance.presentations.presentation import PlanEntry
    from counterbalance.record.store import Store
    from counterbalance.run.study import Study

__all__ = ["PROGRAM", "Part", "declared_secret", "header_of", "known_part", "new_part"]

PROGRAM = f"counterbalance {__version__}"
"""Name and version of the program, as records have them."""

_SECRET_BYTES = 16


@dataclass(frozen=True, slots=True)
class Part:
    """What one run is to ask, and what must stand in the record before its first call.

    Attributes
    ----------
    secret : str
        What fences and nonces are derived from.
    plan : Sequence[PlanEntry]
        What is to be asked.
    planned_by : str
        Name and version of the program that planned it.
    begin : Callable[[Iterable[str]], None]
        Writes what the record does not hold yet; takes what the open judges have to note.
    renderer : Renderer | None
        What this very run planned all of it with, so that the prompts need no second look; None for
        a plan that was recorded before.
    """

    secret: str
    plan: Sequence[PlanEntry]
    planned_by: str
    begin: Callable[[Iterable[str]], None]
    renderer: Renderer | None = None


def new_part(store: Store, study: Study) -> Part:
    """Return what the first run over a record asks.

    Parameters
    ----------
    store : Store
        An empty record.
    study : Study
        Protocol and pairs.

    Returns
    -------
    Part
        The plan of the first revision.
    """
    secret = declared_secret(study) or secrets.token_hex(_SECRET_BYTES)
    clusters = drawn_clusters(study.pairs.pairs, study.protocol)
    renderer = Renderer(study.protocol, secret)
    plan = list(order_plan(study.pairs.pairs, study.protocol, secret, clusters, renderer))

    def begin(notes: Iterable[str]) -> None:
        store.begin(header_of(study, secret, notes, clusters), study.pairs.pairs, plan)

    return Part(secret, plan, PROGRAM, begin, renderer)


def known_part(store: Store, header: RecordHeader, study: Study) -> Part:
    """Return what a further run under the newest revision asks.

    Parameters
    ----------
    store : Store
        The record.
    header : RecordHeader
        What its newest revision is of.
    study : Study
        Protocol and pairs; refused when they are not that revision's.

    Returns
    -------
    Part
        The recorded plan.
    """
    check_same_study(store, header, study.protocol, study.pairs.pairs)
    return Part(header.secret, list(store.plan()), header.program, lambda _: None)


def declared_secret(study: Study) -> str | None:
    """Return the secret that a study's prompts must be written under, where it says one."""
    return study.protocol.delimiter_secret or replayed_secret(study.protocol, study.folder)


def header_of(
    study: Study,
    secret: str,
    notes: Iterable[str],
    clusters: Collection[str] | None,
    reason: str = "",
) -> RecordHeader:
    """Return the header of a revision that is made now.

    Parameters
    ----------
    study : Study
        Protocol and pairs.
    secret : str
        What fences and nonces are derived from.
    notes : Iterable[str]
        What the open judges have to note.
    clusters : Collection[str] | None
        The clusters that are held out; None where nothing is.
    reason : str
        Why the revision is made; empty for the first.

    Returns
    -------
    RecordHeader
        Its number and counts are left to the store.
    """
    unshown = unshown_parts(study.protocol, study.pairs.pairs)
    kin = judged_by_kin(study.protocol, study.pairs.pairs) + panels_of_kin(study.protocol)
    return RecordHeader(
        protocol=study.protocol.canonical,
        protocol_digest=study.protocol.digest,
        protocol_text=study.text,
        pairs_file=study.protocol.pairs,
        pairs_sha256=study.pairs.sha256,
        secret=secret,
        created_at=now(),
        program=PROGRAM,
        notes=tuple(dict.fromkeys([*notes, *unshown, *kin, *study.pairs.notes])),
        reason=reason,
        held_out=None if clusters is None else tuple(sorted(clusters)),
    )
