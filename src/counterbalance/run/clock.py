"""The only clock of the product; everything else is handed the time."""

from __future__ import annotations

import time
from datetime import UTC, datetime

__all__ = ["now", "stopwatch"]


def now() -> str:
    """Return the time as ISO 8601 in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")  # noqa: TID251 (this is the clock)


def stopwatch() -> float:
    """Return seconds of a clock that only ever goes forward."""
    return time.monotonic()
