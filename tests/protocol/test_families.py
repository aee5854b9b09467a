"""Which family a model's name says it is of, whatever stands before it."""

from __future__ import annotations

import pytest

from counterbalance.protocol.families import families_of

ONE = {
    "Claude (Anthropic)": [
        "claude-sonnet-4-5-20250929", "openrouter/anthropic/claude-sonnet-4.5",
        "us.anthropic.claude-3-5-sonnet-20241022-v2:0", "vertex_ai/claude-opus-4@20250514",
        "arn:aws:bedrock:us-east-1:1:inference-profile/eu.anthropic.claude-haiku-4-5-v1:0",
        "Claude 3 Opus", "anthropic/latest", "anthropic.base-v1",
    ],
    "GPT (OpenAI)": [
        "gpt-4.1-2025-04-14", "openai/gpt-5", "azure/gpt-35-turbo", "gpt4_1106_preview", "o3-mini",
        "openrouter/openai/o1", "chatgpt-4o-latest", "text-davinci-003", "openai/gpt-oss-120b",
    ],
    "Gemini (Google)": ["models/gemini-2.5-flash", "google/gemma-3-27b-it", "PaLM-2"],
    "Llama (Meta)": [
        "meta-llama/Llama-3.3-70B-Instruct", "accounts/fireworks/models/llama-v3p1-405b-instruct",
        "meta.llama3-70b-instruct-v1:0", "llama3.1:8b", "openai/my-llama-server",
        "vicuna-13b", "alpaca-7b",
    ],
    "Mistral": ["mistral.mixtral-8x7b-instruct-v0:1", "open-mistral-nemo", "mistralai/x"],
    "Qwen (Alibaba)": ["Qwen/Qwen2.5-7B-Instruct", "together_ai/qwen3-235b", "QwQ-32B"],
    "Phi (Microsoft)": ["microsoft/phi-4", "Phi-3-mini-128k"],
    "Command (Cohere)": ["command-r-plus", "cohere.command-a-03-2025"],
    "Nova (Amazon)": ["amazon.nova-pro-v1:0", "bedrock/us.amazon.nova-lite-v1:0"],
    "SmolLM (Hugging Face)": ["SmolLM2-135M-Instruct"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "family"), [(name, family) for family, names in ONE.items() for name in names]
)
def test_one_family(name, family):
    assert families_of(name) == {family}


@pytest.mark.parametrize("name", ["DeepSeek-R1-Distill-Llama-70B", "deepseek_r1_llama"])
def test_a_distilled_model_is_of_both_families(name):
    assert families_of(name) == {"DeepSeek", "Llama (Meta)"}


@pytest.mark.parametrize(
    "name",
    ["", "old", "new", "baseline", "system-1", "myphilosophy", "bistralm", "human", "dolphin",
     "commander", "supernova", "yield", "foo3", "model_o11"],
)  # fmt: skip
def test_a_name_that_says_nothing_is_of_no_known_family(name):
    assert families_of(name) == set()
