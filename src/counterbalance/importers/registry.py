"""Every log format that can be read, in the order that detection tries them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.importers.formats import (
    arena_hard,
    arena_hard_files,
    faireval,
    faireval_review,
    fastchat_files,
    fastchat_pair,
    fastchat_single,
    judgebench,
    lmarena,
    mt_bench_votes,
)

if TYPE_CHECKING:
    from counterbalance.importers.log_format import LogFormat

__all__ = ["FORMATS"]

FORMATS: tuple[LogFormat, ...] = (
    fastchat_pair.FORMAT,
    fastchat_single.FORMAT,
    lmarena.FORMAT,
    lmarena.VOTES,
    mt_bench_votes.FORMAT,
    arena_hard.FORMAT,
    judgebench.FORMAT,
    judgebench.PAIRS,
    faireval.FORMAT,
    faireval_review.FORMAT,
    faireval_review.ANSWERS,
    faireval_review.QUESTIONS,
    fastchat_files.REFERENCES,
    fastchat_files.ANSWERS,
    fastchat_files.QUESTIONS,
    fastchat_files.PROMPTS,
    arena_hard_files.ANSWERS,
    arena_hard_files.QUESTIONS,
    arena_hard_files.SETTINGS,
    arena_hard_files.LEADERBOARD,
)
"""More particular formats stand before more general ones."""
