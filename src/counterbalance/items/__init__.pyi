from .files import PairRow, PairSet, load_pairs, read_pairs
from .frames import Order, Side, Slot, Verdict
from .hashing import canonical_json, tagged_hash
from .item import (
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
from .requirements import Requirement, RequirementRule, is_fulfilled
from .rows import candidate_id

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
