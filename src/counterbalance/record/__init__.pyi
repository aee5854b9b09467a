from .attempt import Attempt, StartedCall
from .opening import open_record
from .store import Opening, RecordHeader, Store

__all__ = [
    "Attempt",
    "Opening",
    "RecordHeader",
    "StartedCall",
    "Store",
    "open_record",
]
