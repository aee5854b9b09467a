"""The garbage collector during a run: it need not look at the pairs and the plan ever again."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["rare_collection"]

_NEW_OBJECTS = 20_000


@contextmanager
def rare_collection() -> Iterator[None]:
    """Let the block run with what is loaded now left alone by the collector, and set it back after.

    A collection over the pairs and the plan of a large study stops every call for a tenth of a
    second and frees nothing, and calls leave little behind that only a collection could free.
    """
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(max(thresholds[0], _NEW_OBJECTS) if thresholds[0] else 0, *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
