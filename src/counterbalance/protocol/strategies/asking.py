"""How a strategy asks: the protocol's own prompt with an instruction before the verdict.

Nothing else differs, so that what differs in the results is the instruction's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, PositiveInt

from counterbalance.protocol.judge_settings import HttpJudge, LocalJudge
from counterbalance.protocol.prompt import Prompt
from counterbalance.protocol.raising import limits_of
from counterbalance.protocol.section import LISTED_ONCE, UNIQUE, Section
from counterbalance.protocol.verdict_format import ONE_LABEL, VerdictFormat

if TYPE_CHECKING:
    from collections.abc import Mapping

    from counterbalance.protocol.judge_settings import JudgeSettings

__all__ = ["Asking", "fitted_to", "prompt_of"]

_VERDICT = "{{verdict}}"

Part = Literal["context", "reference_answer"]


class Asking(Section):
    """One prompt of a strategy: what it adds to the protocol's own, and how its verdict is read."""

    version: str = "1"
    """Version of the instruction; raise it when the wording changes."""
    instruction: Annotated[str, Field(min_length=1)]
    """Put before the words that say how the verdict is written; placeholders as in [prompt]."""
    needs: Annotated[tuple[Part, ...], LISTED_ONCE, UNIQUE] = ()
    """Parts of the items that it cannot do without; shown even where [prompt] hides them."""
    verdict: VerdictFormat
    """How the reply states the verdict."""
    reply_tokens: PositiveInt | None = None
    """Room that a reply needs: a judge with a lower limit is asked with this one."""


def prompt_of(name: str, asking: Asking, own: Prompt) -> Prompt:
    """Return the whole prompt of a strategy.

    Parameters
    ----------
    name : str
        Name of the prompt.
    asking : Asking
        What the strategy adds.
    own : Prompt
        The protocol's own.

    Returns
    -------
    Prompt
        The same templates, with the instruction on lines of its own before the verdict's words.
    """
    before, _, after = own.user.rpartition(_VERDICT)
    return Prompt(
        id=f"{own.id}+{name}",
        version=f"{own.version}+{asking.version}",
        system=own.system,
        user=f"{before.rstrip(' ')}\n{asking.instruction}\n{_VERDICT}{after}",
        rubric=own.rubric,
        rubric_version=own.rubric_version,
        hides=tuple(part for part in own.hides if part not in asking.needs),
    )


def fitted_to(judge: JudgeSettings, asking: Asking) -> JudgeSettings:
    """Return a judge as it is asked under a prompt: not held to a label where words are wanted.

    Parameters
    ----------
    judge : JudgeSettings
        As the protocol declares it.
    asking : Asking
        What the prompt asks for.

    Returns
    -------
    JudgeSettings
        The same judge where nothing has to give way; a limit is raised and never lowered.
    """
    if isinstance(judge, LocalJudge) and asking.verdict.format not in ONE_LABEL:
        judge = _changed(judge, {"constrained": False})
    room = asking.reply_tokens or 0
    low = {name: room for name, limit in limits_of(judge).items() if limit < room}
    if not low:
        return judge
    own = {name: limit for name, limit in low.items() if getattr(judge, name, None) is not None}
    further = {name: limit for name, limit in low.items() if name not in own}
    changes: dict[str, object] = dict(own)
    if further and isinstance(judge, HttpJudge):
        changes["parameters"] = {**judge.parameters, **further}
    return _changed(judge, changes)


def _changed(judge: JudgeSettings, changes: Mapping[str, object]) -> JudgeSettings:
    changed = judge.model_copy(update=changes)
    # A copy takes along what was derived from the settings before.
    changed.__dict__.pop("digest", None)
    return changed
