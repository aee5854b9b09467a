"""The collector is as it was found, however the block ends."""

from __future__ import annotations

import gc
from contextlib import suppress

import pytest

from counterbalance.run.collection import rare_collection


class EndedError(Exception):
    pass


@pytest.mark.parametrize("thresholds", [(700, 10, 10), (50_000, 5, 5), (0, 10, 10)])
def test_the_collector_is_set_back(thresholds):
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    gc.set_threshold(*thresholds)
    try:
        with suppress(EndedError), rare_collection():
            assert gc.get_freeze_count() > frozen
            most = gc.get_threshold()[0]
            assert most >= thresholds[0]
            assert (most == 0) is (thresholds[0] == 0)
            raise EndedError
        assert gc.get_threshold() == thresholds
        assert gc.get_freeze_count() == frozen == 0
    finally:
        gc.set_threshold(*before)
