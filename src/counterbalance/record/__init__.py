"""The append-only record of attempts, and the contract that every store keeps."""

from counterbalance.record.attempt import Attempt, StartedCall
from counterbalance.record.sqlite import SqliteStore, open_record
from counterbalance.record.store import RecordHeader, Store

__all__ = ["Attempt", "RecordHeader", "SqliteStore", "StartedCall", "Store", "open_record"]
