"""Every log format that can be read, in the order that detection tries them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.importers.formats import (
    anthropic_batch,
    deepeval,
    fastchat_pair,
    inspect_log,
    mlflow_assessments,
    openai_batch,
    preference_sets,
    promptfoo,
)

if TYPE_CHECKING:
    from counterbalance.importers.log_format import LogFormat

__all__ = ["FORMATS"]

FORMATS: tuple[LogFormat, ...] = (
    fastchat_pair.FORMAT,
    openai_batch.FORMAT,
    anthropic_batch.FORMAT,
    promptfoo.FORMAT,
    inspect_log.FORMAT,
    deepeval.FORMAT,
    mlflow_assessments.FORMAT,
    preference_sets.REWARDBENCH_2,
    preference_sets.REWARDBENCH,
    preference_sets.CONVERSATIONS,
    preference_sets.STANDARD,
    preference_sets.IMPLICIT,
)
"""More particular formats stand before more general ones."""
