"""The table ``[rewriting]``: which probes a model writes the texts of, and how it is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from counterbalance.protocol.judge_settings import JudgeSettings, ReplayJudge
from counterbalance.protocol.prices_section import Price
from counterbalance.protocol.section import LISTED_ONCE, UNIQUE, Section
from counterbalance.protocol.sections import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.protocol.bias_section import Bias

__all__ = ["REWRITE_TAG", "REWRITTEN_NAMES", "Rewriting", "RewrittenName", "rewriting_misfits"]

RewrittenName = Literal["expanded", "markdown", "unsupported", "rubric_paraphrase"]
REWRITTEN_NAMES: tuple[RewrittenName, ...] = RewrittenName.__args__  # type: ignore[attr-defined]
"""Every probe whose texts a model can write."""

REWRITE_TAG = "rewrite"
"""Name of the tag that a rewrite stands in, so that nothing said around it becomes part of it."""

_TEXT = "{{text}}"


class Rewriting(Section):
    """A model that writes the texts of probes, asked and recorded before any verdict."""

    probes: Annotated[tuple[RewrittenName, ...], LISTED_ONCE, UNIQUE, Field(min_length=1)]
    """Probes whose texts the model writes: of expanded, markdown and unsupported the changed
    answer, of rubric_paraphrase the rubric. The same checks hold for them as for any other."""
    model: JudgeSettings
    """Who writes: a table with the keys of a judge of any kind but replay, its limit, temperature
    and pace among them. It need be no judge of the study, and better is none."""
    prompts: dict[RewrittenName, Text] = Field(default_factory=dict)
    """Prompts in place of the built-in ones, by probe. {{text}} is what is to be rewritten and
    {{question}} the question; the rewrite is asked for between <rewrite> and </rewrite>."""
    price: Price | None = None
    """Price of the model, for the budget; leave out where nothing is known."""


def rewriting_misfits(rewriting: Rewriting, bias: Bias | None) -> Iterator[tuple[str, str]]:
    """Yield what does not fit between a rewriting model and the battery.

    Parameters
    ----------
    rewriting : Rewriting
        The table.
    bias : Bias | None
        The battery; None where none is declared.

    Yields
    ------
    tuple[str, str]
        Place and problem.
    """
    if isinstance(rewriting.model, ReplayJudge):
        yield "rewriting.model.kind", "replays verdicts, and a rewrite is none; name another kind"
    if bias is None:
        yield "rewriting", "writes the texts of probes, and there is no table [bias]; add one"
        return
    for name in rewriting.probes:
        if name not in bias.probes:
            problem = f"names {name}, which is not among bias.probes; name it there, too"
            yield "rewriting.probes", problem
    yield from _prompt_misfits(rewriting)


def _prompt_misfits(rewriting: Rewriting) -> Iterator[tuple[str, str]]:
    for name, prompt in rewriting.prompts.items():
        place = f"rewriting.prompts.{name}"
        if name not in rewriting.probes:
            yield place, f"is of {name}, which rewriting.probes does not name"
        for needed in (_TEXT, f"<{REWRITE_TAG}>", f"</{REWRITE_TAG}>"):
            if needed not in prompt:
                yield place, f"lacks {needed}"
