"""The text that a model was asked to write, taken out of its reply: between its tags, or none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from counterbalance.parsing.reasoning import final_region
from counterbalance.parsing.refusal import provider_refusal, refusal_span
from counterbalance.parsing.task import CUT_SHORT
from counterbalance.protocol.rewriting_section import REWRITE_TAG

if TYPE_CHECKING:
    from counterbalance.presentations.reply import Reply

__all__ = ["written_text"]

_TAGGED = re.compile(rf"<{REWRITE_TAG}>(.*?)</{REWRITE_TAG}>", re.DOTALL)
_TAG = re.compile(rf"</?{REWRITE_TAG}>")
_A_COUPLE = 2


def written_text(reply: Reply) -> tuple[str, str]:
    """Return the text of a rewrite, or why there is none.

    Parameters
    ----------
    reply : Reply
        What the model said.

    Returns
    -------
    tuple[str, str]
        Text and an empty reason; or an empty text and the reason.

    Examples
    --------
    >>> from counterbalance.presentations.reply import Reply
    >>> written_text(Reply("Sure! <rewrite>It rains.</rewrite>"))
    ('It rains.', '')
    >>> written_text(Reply("It rains."))
    ('', 'the reply holds no text between <rewrite> and </rewrite>')
    """
    reason = _why_none(reply)
    if reason:
        return "", reason
    region = final_region(reply.text).text
    found = _TAGGED.findall(region)
    text = found[0].strip() if found else ""
    if not found and refusal_span(region, ()):
        reason = "the model refused"
    elif not found:
        reason = f"the reply holds no text between <{REWRITE_TAG}> and </{REWRITE_TAG}>"
    elif len(_TAG.findall(region)) > _A_COUPLE:
        reason = f"the reply holds more than one <{REWRITE_TAG}>"
    elif not text:
        reason = "the text between the tags is empty"
    elif not _is_unicode(text):
        reason = "the text holds half of a surrogate pair"
    return ("", reason) if reason else (text, "")


def _why_none(reply: Reply) -> str:
    """Say why a reply cannot hold a whole text; empty where it can."""
    region = final_region(reply.text)
    reason = ""
    if provider_refusal(reply):
        reason = "the model refused"
    elif reply.finish.strip().casefold() in CUT_SHORT:
        reason = "the reply was cut at its limit"
    elif region.is_unclosed:
        reason = "the reply ends within its reasoning"
    elif region.is_blank:
        reason = "the reply is empty"
    return reason


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
