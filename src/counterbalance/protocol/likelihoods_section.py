"""The table ``[likelihoods]``: which judges are asked how likely whole answers are, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from counterbalance.protocol.judge_settings import HttpJudge
from counterbalance.protocol.section import LISTED_ONCE, UNIQUE, Section
from counterbalance.protocol.sections import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.protocol.bias_section import Bias
    from counterbalance.protocol.judge_settings import JudgeSettings

__all__ = ["LikelihoodWay", "Likelihoods", "likelihood_misfits"]

LikelihoodWay = Literal["echo", "prompt_logprobs"]


class Likelihoods(Section):
    """Another objective beside verdicts: the more likely answer counts as preferred."""

    judges: Annotated[tuple[Text, ...], LISTED_ONCE, UNIQUE, Field(min_length=1)]
    """Names of judges behind endpoints that give log-probabilities of what they are shown."""
    way: LikelihoodWay
    """echo: the completions API of OpenAI with echo and logprobs, which shows the model bare text.
    prompt_logprobs: the chat API of vLLM, which shows it question and answer in its own form."""
    prompt: Text = "{{question}}"
    """With echo, what stands before the answer, an empty line between them; {{question}} is the
    question."""


def likelihood_misfits(
    declared: Likelihoods, judges: Sequence[JudgeSettings], bias: Bias | None
) -> Iterator[tuple[str, str]]:
    """Yield what does not fit between asking for likelihoods and the rest of a protocol.

    Parameters
    ----------
    declared : Likelihoods
        The table.
    judges : Sequence[JudgeSettings]
        The judges.
    bias : Bias | None
        The battery; None where none is declared.

    Yields
    ------
    tuple[str, str]
        Place and problem.
    """
    if bias is None:
        yield "likelihoods", "scores the texts of probes, and there is no table [bias]; add one"
    by_name = {judge.name: judge for judge in judges}
    for name in declared.judges:
        judge = by_name.get(name)
        if judge is None:
            listed = ", ".join(by_name)
            yield "likelihoods.judges", f"names {name!r}, and the judges are {listed}"
        elif not isinstance(judge, HttpJudge) or judge.api is not None:
            problem = f"names {name}: only a judge of kind http that speaks the API chat gives them"
            yield "likelihoods.judges", problem
    if declared.way == "echo" and "{{question}}" not in declared.prompt:
        yield "likelihoods.prompt", "lacks {{question}}"
