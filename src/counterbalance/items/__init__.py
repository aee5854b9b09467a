"""Items, candidates and pairs, and the one place that reads pair files."""

from __future__ import annotations

from counterbalance.items.files import PairRow, PairSet, load_pairs, read_pairs
from counterbalance.items.frames import Order, Side, Slot, Verdict
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
    conversation_text,
)
from counterbalance.items.requirements import Requirement, RequirementRule, is_fulfilled
from counterbalance.items.rows import candidate_id

__all__ = [
    "Candidate",
    "CandidateId",
    "Item",
    "ItemId",
    "Message",
    "Order",
    "Pair",
    "PairId",
    "PairRow",
    "PairSet",
    "Reference",
    "Requirement",
    "RequirementRule",
    "Side",
    "Slot",
    "Verdict",
    "candidate_id",
    "canonical_json",
    "conversation_text",
    "is_fulfilled",
    "load_pairs",
    "read_pairs",
    "tagged_hash",
]
