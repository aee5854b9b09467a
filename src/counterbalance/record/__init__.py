"""The append-only record of attempts, and the contract that every store keeps."""

from counterbalance.record.attempt import Attempt, StartedCall
from counterbalance.record.opening import open_record
from counterbalance.record.store import Opening, RecordHeader, Store

__all__ = ["Attempt", "Opening", "RecordHeader", "StartedCall", "Store", "open_record"]
