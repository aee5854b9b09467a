"""When a reply is a refusal: the provider's own signal first, then patterns.

Patterns are asked only where no verdict was given, and the built-in ones only of the words a reply
begins with, so that a refusal quoted from a candidate is not the judge's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from counterbalance.protocol.verdict_format import compiled_pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.presentations.reply import Reply

__all__ = ["provider_refusal", "refusal_span"]

_FILTERS = frozenset(
    {
        "content_filter", "content_filtered", "safety", "refusal", "blocklist",
        "prohibited_content", "spii", "recitation",
    }
)  # fmt: skip
"""Reasons to stop, lower case, that say the provider declined."""

_REGRET = (
    r"(?:(?:I['’]?m|I am)\s{1,3}(?:(?:very|so|really|truly)\s{1,3})?sorry|sorry|my apologies"
    r"|I (?:do )?apologi[sz]e|unfortunately|as an AI\b[\w -]{0,40})[,.;:!—-]{0,2}\s{1,3}"
    r"(?:but\s{1,3})?"
)
_UNABLE = (
    r"(?:I\s{1,3}(?:can(?:no|['’])?t|can not|won['’]?t|will not|am (?:not able|unable) to)"
    r"|I['’]m (?:not able|unable) to)"
)
_DECLINED = (
    r"(?:help(?! but\b)|assist|comply|fulfil?l|engage|participate|take part|discuss|respond to"
    r"|provide (?:an? |any |this |that |the )?"
    r"(?:comparison|evaluation|judge?ment|verdict|assessment|response|help|assistance)"
    r"|(?:continue|proceed) with|process (?:this|that|your)|answer (?:this|that|your))"
)
_BUILT_IN = re.compile(
    rf"\W{{0,20}}(?:{_REGRET})?"
    rf"(?:{_UNABLE}\s{{1,3}}{_DECLINED}\b"
    r"|I (?:must |have to )?(?:respectfully )?(?:decline|refuse)\b)",
    re.IGNORECASE,
)


def provider_refusal(reply: Reply) -> str:
    """Return the name of the provider's own signal of a refusal.

    Parameters
    ----------
    reply : Reply
        The raw reply.

    Returns
    -------
    str
        ``refusal_field`` or ``content_filter``; empty when there is no such signal.
    """
    if reply.refusal.strip():
        return "refusal_field"
    return "content_filter" if reply.finish.strip().lower() in _FILTERS else ""


def refusal_span(region: str, patterns: Sequence[str]) -> tuple[int, int] | None:
    """Return where a text that holds no verdict declines.

    Parameters
    ----------
    region : str
        The final region.
    patterns : Sequence[str]
        Declared RE2 patterns, tried before the built-in ones; case is ignored.

    Returns
    -------
    tuple[int, int] | None
        Start and end in the region; None when nothing declines.
    """
    for pattern in patterns:
        match = compiled_pattern(pattern, case_sensitive=False).search(region)
        if match is not None and match.end() > match.start():
            return match.start(), match.end()
    begin = len(region) - len(region.lstrip())
    built_in = _BUILT_IN.match(region, begin)
    return built_in.span() if built_in else None
