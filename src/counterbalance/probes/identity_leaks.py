"""Answers that say who wrote them: a judge that reads so prefers a name, not a style."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["identity_leaks"]

_MODELS = (
    "chatgpt", "gpt", "claude", "gemini", "bard", "llama", "mistral", "mixtral", "qwen", "deepseek",
    "grok", "copilot", "kimi", "phi", "command r", "gemma", "smollm",
)  # fmt: skip
_MAKERS = (
    "openai", "anthropic", "google", "deepmind", "meta", "mistral ai", "alibaba", "deepseek", "xai",
    "microsoft", "cohere", "amazon", "ibm", "zhipu", "moonshot",
)  # fmt: skip
_NAMES = "|".join(map(re.escape, (*_MODELS, *_MAKERS)))
# A name alone may be the subject of an answer; it tells the author where the answer says "I".
_SELF = re.compile(
    r"\b(?:i am|i'm|i’m|as|my name is|this is|ich bin|je suis|soy|sono)\b[^.!?\n]{0,40}"
    rf"\b(?:{_NAMES})\b"
    rf"|\b(?:made|trained|developed|created|built|designed|powered) by (?:{_NAMES})\b",
    re.IGNORECASE,
)
_SHORTEST = 4


def identity_leaks(text: str, systems: Iterable[str]) -> tuple[str, ...]:
    """Return what in a text tells who wrote it.

    Parameters
    ----------
    text : str
        An answer.
    systems : Iterable[str]
        Names of the systems that are compared; a name of fewer than four characters may be any
        word and is not searched for.

    Returns
    -------
    tuple[str, ...]
        The places as they stand, each once; empty where nothing was found, which proves nothing.

    Examples
    --------
    >>> identity_leaks("As a model trained by OpenAI, I cannot say.", ["gpt-4o"])
    ('As a model trained by OpenAI',)
    >>> identity_leaks("Claude Monet painted it.", ["gpt-4o"])
    ()
    """
    found = [match.group() for match in _SELF.finditer(text)]
    for system in systems:
        if len(system) >= _SHORTEST:
            named = rf"(?<!\w){re.escape(system)}(?!\w)"
            found += [match.group() for match in re.finditer(named, text, re.IGNORECASE)]
    return tuple(dict.fromkeys(found))
