"""Families of models, read from the names that providers, routers and clouds give them.

The one table of families: who judges whom, and whether a panel is of different families, is
answered from here.
"""

from __future__ import annotations

import re

__all__ = ["families_of"]

_MODELS = {
    "Claude (Anthropic)": r"claude",
    "GPT (OpenAI)": r"(?:chat)?gpt|o[134](?![a-z0-9.])|davinci|codex",
    "Gemini (Google)": r"gemini|gemma|palm(?:-?2)?(?![a-z])|bard",
    "Llama (Meta)": r"(?:meta-?)?llama|vicuna|alpaca|tulu",
    "Mistral": r"mistral|mixtral|ministral|magistral|codestral|devstral|pixtral|zephyr",
    "Qwen (Alibaba)": r"qwen|qwq|qvq",
    "DeepSeek": r"deepseek",
    "Phi (Microsoft)": r"phi(?![a-z])|wizardlm",
    "Command (Cohere)": r"command(?:-?[ra])?(?![a-z])|aya(?![a-z])|c4ai",
    "Grok (xAI)": r"grok",
    "GLM (Zhipu)": r"(?:chat)?glm",
    "Kimi (Moonshot)": r"kimi|moonlight",
    "Nova (Amazon)": r"nova-(?:micro|lite|pro|premier|\d)|titan-text",
    "Granite (IBM)": r"granite",
    "Nemotron (NVIDIA)": r"nemotron",
    "MiniMax": r"minimax|abab",
    "Yi (01.AI)": r"yi-(?=\d|large|lightning|medium|spark)",
    "Falcon (TII)": r"falcon",
    "OLMo (Ai2)": r"olmo",
    "Jamba (AI21)": r"jamba|jurassic",
    "SmolLM (Hugging Face)": r"smollm",
    "ERNIE (Baidu)": r"ernie",
    "Hunyuan (Tencent)": r"hunyuan",
    "Solar (Upstage)": r"solar(?![a-z])",
}
# A name says the family wherever it stands, but not inside another word (`myphilosophy`).
_PATTERNS = {
    family: re.compile(rf"(?<![a-z0-9])(?:{pattern})") for family, pattern in _MODELS.items()
}
_MAKERS = {
    "anthropic": "Claude (Anthropic)", "openai": "GPT (OpenAI)", "google": "Gemini (Google)",
    "mistralai": "Mistral", "cohere": "Command (Cohere)", "x-ai": "Grok (xAI)", "xai": "Grok (xAI)",
    "moonshotai": "Kimi (Moonshot)", "zhipu": "GLM (Zhipu)", "z-ai": "GLM (Zhipu)",
}  # fmt: skip


def families_of(name: str) -> frozenset[str]:
    """Return the families that a model's name says it belongs to.

    Prefixes of routers and clouds (``openrouter/anthropic/...``, ``us.anthropic....-v1:0``,
    ``accounts/fireworks/models/...``) are no part of a family; a model distilled from one family
    into another belongs to both. Without a model's name the maker's decides, as in ``openai/base``.

    Parameters
    ----------
    name : str
        A model id, or what a pair file calls a system.

    Returns
    -------
    frozenset[str]
        Empty where the name says nothing; that is no sign that it is of no family.

    Examples
    --------
    >>> sorted(families_of("openrouter/anthropic/claude-sonnet-4.5"))
    ['Claude (Anthropic)']
    >>> sorted(families_of("deepseek-r1-distill-llama-70b"))
    ['DeepSeek', 'Llama (Meta)']
    >>> sorted(families_of("our-new-model"))
    []
    """
    spoken = name.lower().replace("_", "-")
    found = {family for family, pattern in _PATTERNS.items() if pattern.search(spoken)}
    if not found:
        parts = re.split(r"[/.:]", spoken)
        found = {_MAKERS[part] for part in parts if part in _MAKERS}
    return frozenset(found)
