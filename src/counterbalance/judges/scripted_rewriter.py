"""A rewriting model that is a rule, for tests and for seeing what a rewriting stage does.

It has the rates of a scripted judge that are about calls: dropped, refused, and prose without what
was asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.errors import JudgeError
from counterbalance.judges.scripted_replies import PROSE, REFUSAL
from counterbalance.presentations.reply import Reply
from counterbalance.presentations.seeding import uniform
from counterbalance.probes.markdown import formatted
from counterbalance.probes.sentences import sentences
from counterbalance.protocol.judge_settings import judge_digest
from counterbalance.protocol.rewriting_section import REWRITE_TAG

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from counterbalance.judges.judge import Request
    from counterbalance.protocol.judge_settings import ScriptedJudge

__all__ = ["ScriptedRewriter"]

_NOTE = "The rewriting model is a rule; what it wrote shows only whether the instrument works."
_RULES: Mapping[str, Callable[[str], str]] = {
    "expanded": lambda text: " ".join(f"{s} To say it once more: {s}" for s in sentences(text)),
    "markdown": formatted,
    "unsupported": lambda text: f"{text} We confirmed this on 17 May 2043.",
    "rubric_paraphrase": lambda text: f"Judge by this alone: {text}",
}


class ScriptedRewriter:
    """Writes by the rule of each probe, which it is told in the place of a label.

    Parameters
    ----------
    settings : ScriptedJudge
        Seed and rates.
    """

    def __init__(self, settings: ScriptedJudge) -> None:
        self._settings = settings

    @property
    def notes(self) -> tuple[str, ...]:
        """What limits what it wrote, in sentences for the report."""
        return (_NOTE,)

    async def ask(self, request: Request) -> Reply:
        """Return the text that the rule gives.

        Parameters
        ----------
        request : Request
            What is asked; its first slot holds the probe's name and the text.

        Returns
        -------
        Reply
            The text between its tags, a refusal, or prose without it.

        Raises
        ------
        JudgeError
            For the share of calls that get no reply.
        """
        settings, call = self._settings, f"{request.key} {request.attempt}"
        if uniform(settings.seed, "drop", call) < (settings.drop_rate or 0.0):
            kind = "network"
            raise JudgeError(kind, "no reply, by rule")
        if uniform(settings.seed, "refusal", call) < settings.refusal_rate:
            return self._reply(REFUSAL)
        if uniform(settings.seed, "unparsed", call) < settings.unparsed_rate:
            return self._reply(PROSE)
        text = _RULES[request.first.label](request.first.text)
        return self._reply(f"<{REWRITE_TAG}>{text}</{REWRITE_TAG}>")

    async def close(self) -> None:
        """Give back nothing: no resource is held."""

    def _reply(self, text: str) -> Reply:
        return Reply(
            text=text,
            finish="stop",
            model="scripted",
            fingerprint=judge_digest(self._settings),
            sent={"seed": self._settings.seed},
        )
