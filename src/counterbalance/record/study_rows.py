"""Pairs and plan to rows and back.

Their identifiers hash their texts, so a text that cannot be hashed (a lone surrogate) never gets
here: the readers of pair files refuse it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from counterbalance.items.frames import Order, Verdict
from counterbalance.items.hashing import canonical_json, tagged_hash
from counterbalance.items.item import (
    Candidate,
    CandidateId,
    Item,
    ItemId,
    Message,
    Pair,
    PairId,
    Reference,
)
from counterbalance.items.requirements import Requirement, RequirementRule
from counterbalance.presentations.presentation import PlanEntry, Presentation, Purpose
from counterbalance.record.encoding import TextRow, text_row
from counterbalance.record.store import Opening, RecordHeader

__all__ = [
    "candidate_row",
    "entry_from_row",
    "entry_line",
    "header_from_row",
    "header_row",
    "item_digest",
    "item_row",
    "opening_digest",
    "opening_from_row",
    "opening_row",
    "pair_from_rows",
    "pair_row",
    "presentation_row",
    "revision_digest",
    "text_digests",
]

Row = tuple[Any, ...]
Texts = Mapping[str | None, str]


def header_row(header: RecordHeader) -> Row:
    """Return a header as in ``revisions``, without number, counts and digests."""
    return (
        canonical_json(header.protocol),
        header.protocol_digest,
        header.protocol_text,
        header.pairs_file,
        header.pairs_sha256,
        header.secret,
        header.created_at,
        header.program,
        canonical_json(header.notes),
        header.reason,
        None if header.held_out is None else canonical_json(header.held_out),
    )


def header_from_row(row: Row) -> RecordHeader:
    """Return the header of a row of ``revisions`` up to its counts."""
    number, protocol, *plain, notes, reason, held_out, calls_before, openings_before = row
    digest, text, pairs_file, pairs_sha256, secret, created_at, program = plain
    return RecordHeader(
        protocol=json.loads(protocol),
        protocol_digest=digest,
        protocol_text=text,
        pairs_file=pairs_file,
        pairs_sha256=pairs_sha256,
        secret=secret,
        created_at=created_at,
        program=program,
        notes=tuple(json.loads(notes)),
        reason=reason,
        held_out=None if held_out is None else tuple(json.loads(held_out)),
        number=number,
        calls_before=calls_before,
        openings_before=openings_before,
    )


def revision_digest(row: Row) -> str:
    """Return the tagged hash of a row of ``revisions``: every column before its digest."""
    return tagged_hash("revision/1", list(row))


def opening_row(opening: Opening, plan_digest: str) -> Row:
    """Return an opening as in ``openings``, its digest last."""
    row = (
        opening.revision,
        opening.opened_at,
        opening.program,
        canonical_json(opening.pairs),
        canonical_json(opening.revisions),
        opening.calls_before,
        plan_digest,
    )
    return (*row, opening_digest(row))


def opening_from_row(row: Row) -> Opening:
    """Return the opening of a row of ``openings`` up to its count of calls."""
    revision, opened_at, program, pairs, revisions, calls_before = row
    return Opening(
        opened_at=opened_at,
        program=program,
        pairs=tuple(map(PairId, json.loads(pairs))),
        revision=revision,
        revisions=tuple(json.loads(revisions)),
        calls_before=calls_before,
    )


def opening_digest(row: Row) -> str:
    """Return the tagged hash of a row of ``openings``: every column before its digest."""
    return tagged_hash("opening/1", list(row))


def item_row(item: Item) -> tuple[Row, list[TextRow]]:
    """Return an item as in ``items``, and its texts."""
    texts: list[TextRow] = []

    def kept(text: str) -> str | None:
        if not text:
            return None
        texts.append(text_row(text))
        return texts[-1][0]

    content = canonical_json(
        {
            "messages": [[m.role, kept(m.content)] for m in item.messages],
            "context": kept(item.context),
            "reference_answer": kept(item.reference_answer),
            "requirements": [r.content for r in item.requirements],
            "consequence": item.consequence,
            **({"rubric": item.rubric} if item.rubric else {}),
        }
    )
    shown = (item.id, item.category, item.cluster, content)
    return (item_digest(shown), *shown), texts


def item_digest(shown: Row) -> str:
    """Return the tagged hash of an item's row: id, category, cluster and content."""
    return tagged_hash("item-row/1", list(shown))


def candidate_row(candidate: Candidate, item: ItemId) -> tuple[Row, list[TextRow]]:
    """Return a candidate as in ``candidates``, and its text."""
    texts = [text_row(candidate.text)] if candidate.text else []
    digest = texts[0][0] if texts else None
    row = (
        candidate.id,
        item,
        candidate.system,
        candidate.version,
        candidate.supplied_id,
        digest,
    )
    return row, texts


def pair_row(pair: Pair, item: str) -> Row:
    """Return a pair as in ``pairs``, without its number."""
    reference = None
    if pair.reference is not None:
        accepted = sorted(pair.reference.accepted)
        reference = canonical_json({"accepted": accepted, "source": pair.reference.source})
    return (pair.id, item, pair.a.id, pair.b.id, pair.key, pair.digest, reference)


def pair_from_rows(pair_id: str, reference: str | None, rows: Row, texts: Texts) -> Pair:
    """Return a pair.

    Parameters
    ----------
    pair_id : str
        Its id.
    reference : str | None
        JSON of its reference.
    rows : Row
        Id, category, cluster and content of the item; then id, supplied id, system, version and
        text digest of each candidate; then the name of the probe it is linked to, None for none.
    texts : Texts
        The texts that the rows name, by digest; None has the empty text.

    Returns
    -------
    Pair
        Equal to the one that was stored.
    """
    return Pair(
        id=PairId(pair_id),
        item=_item(rows[:4], texts),
        a=_candidate(rows[4:9], texts),
        b=_candidate(rows[9:14], texts),
        reference=None if reference is None else _reference(json.loads(reference)),
        probe=rows[14] or "",
    )


def text_digests(rows: Row) -> set[str]:
    """Return the digests that rows, as `pair_from_rows` takes them, name."""
    shown = json.loads(rows[3])
    named = [digest for _, digest in shown["messages"]]
    named += [shown["context"], shown["reference_answer"], rows[8], rows[13]]
    return {digest for digest in named if digest is not None}


def presentation_row(presentation: Presentation) -> Row:
    """Return what a presentation's key hashes, as in ``presentations``, the key first."""
    return (
        presentation.key,
        presentation.pair_key,
        presentation.order.value,
        presentation.labelling,
        presentation.judge_digest,
        presentation.prompt_digest,
        presentation.repetition,
    )


def entry_from_row(row: Row) -> PlanEntry:
    """Return a plan entry from purpose, pair id, judge, temperature and the hashed columns."""
    stored, pair_id, judge, temperature = row[:4]
    purpose, strategy, prompt = (*stored.split(":"), "", "")[:3]
    pair_key, order, labelling, judge_digest, prompt_digest, repetition = row[4:]
    presentation = Presentation(
        pair_id=PairId(pair_id),
        pair_key=pair_key,
        order=Order(order),
        labelling=labelling,
        judge=judge,
        judge_digest=judge_digest,
        temperature=temperature,
        prompt_digest=prompt_digest,
        repetition=repetition,
        prompt=prompt,
    )
    return PlanEntry(Purpose(purpose), presentation, strategy)


def stored_purpose(entry: PlanEntry) -> str:
    """Return what a row of the plan links its presentation to.

    Parameters
    ----------
    entry : PlanEntry
        A planned presentation.

    Returns
    -------
    str
        The purpose; for a strategy also its id and the name of its prompt, behind colons, which
        neither of them may hold.
    """
    if not entry.strategy:
        return entry.purpose.value
    return f"{entry.purpose.value}:{entry.strategy}:{entry.presentation.prompt}"


def entry_line(purpose: str, pair_id: str, judge: str, key: str) -> bytes:
    """Return what the digest of the whole plan hashes of one entry."""
    return canonical_json([purpose, pair_id, judge, key]).encode() + b"\n"


def _item(row: Row, texts: Texts) -> Item:
    item_id, category, cluster, content = row
    shown = json.loads(content)
    return Item(
        id=ItemId(item_id),
        messages=tuple(Message(role, texts[digest]) for role, digest in shown["messages"]),
        context=texts[shown["context"]],
        reference_answer=texts[shown["reference_answer"]],
        requirements=tuple(map(_requirement, shown["requirements"])),
        category=category,
        cluster=cluster,
        consequence=shown["consequence"],
        rubric=shown.get("rubric", ""),
    )


def _requirement(content: dict[str, Any]) -> Requirement:
    return Requirement(**{**content, "rule": RequirementRule(content["rule"])})


def _candidate(row: Row, texts: Texts) -> Candidate:
    candidate_id, supplied_id, system, version, digest = row
    return Candidate(CandidateId(candidate_id), supplied_id, system, version, texts[digest])


def _reference(content: dict[str, Any]) -> Reference:
    return Reference(frozenset(map(Verdict, content["accepted"])), content["source"])
