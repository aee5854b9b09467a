"""The APIs that endpoints speak, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.judges.chat_api import CHAT
from counterbalance.judges.gemini_api import GEMINI
from counterbalance.judges.messages_api import MESSAGES
from counterbalance.judges.responses_api import RESPONSES

if TYPE_CHECKING:
    from counterbalance.judges.api import Api
    from counterbalance.protocol.judge_settings import HttpJudge

__all__ = ["APIS", "api_of"]

APIS = {api.name: api for api in (CHAT, RESPONSES, MESSAGES, GEMINI)}
"""Every API, by name."""


def api_of(settings: HttpJudge) -> Api:
    """Return the API that a judge's endpoint speaks."""
    return APIS[settings.api_name]
