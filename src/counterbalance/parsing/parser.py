"""Text to exactly one outcome: the provider's signals, the declared format, the reasons for none.

Order of the questions: did the provider decline; does the declared format give a verdict; does a
declared fallback; if none does, was the reply empty, cut, a refusal, or simply not in the format.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from counterbalance.parsing.echo import Echoes
from counterbalance.parsing.formats.logprob import label_logprobs, label_mass, log_odds_first
from counterbalance.parsing.offer import offer_of
from counterbalance.parsing.outcome import Outcome, OutcomeKind
from counterbalance.parsing.refusal import provider_refusal, refusal_span
from counterbalance.parsing.registry import READERS
from counterbalance.parsing.task import Task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.presentations.reply import Reply
    from counterbalance.protocol.labelling import Labelling
    from counterbalance.protocol.verdict_format import VerdictFormat

__all__ = ["parse_reply"]


def parse_reply(
    verdict_format: VerdictFormat,
    labelling: Labelling,
    reply: Reply,
    *,
    nonce: str = "",
    echoes: Sequence[str] = (),
) -> Outcome:
    """Read one reply.

    Parameters
    ----------
    verdict_format : VerdictFormat
        The declared format; no other is tried unless it lists a fallback.
    labelling : Labelling
        What the prompt called the two slots.
    reply : Reply
        The raw reply.
    nonce : str
        The pair's secret, for a format that requires one.
    echoes : Sequence[str]
        The texts of both candidates, in either order; what was copied from them is no verdict.

    Returns
    -------
    Outcome
        Exactly one, whatever the reply is; its span counts in ``reply.text``.

    Examples
    --------
    >>> from counterbalance.presentations.reply import Reply
    >>> from counterbalance.protocol.labelling import Labelling
    >>> from counterbalance.protocol.verdict_format import VerdictFormat
    >>> outcome = parse_reply(
    ...     VerdictFormat(format="bracket", tie="C"),
    ...     Labelling(first="A", second="B"),
    ...     Reply("At first [[A]] looked right, but it has an error. Final: [[B]]"),
    ... )
    >>> outcome.kind.value, outcome.rule, outcome.span
    ('second', 'bracket/1:last', (57, 62))
    """
    offer = offer_of(verdict_format, labelling)
    task = Task(verdict_format, offer, reply, nonce, Echoes(echoes))
    outcome = _outcome(task)
    if not reply.token_logprobs:
        return outcome
    logprobs = label_logprobs(offer, reply.token_logprobs)
    return replace(
        outcome,
        label_mass=label_mass(offer, logprobs),
        log_odds_first=log_odds_first(offer, logprobs),
    )


def _outcome(task: Task) -> Outcome:
    signal = provider_refusal(task.reply)
    if signal:
        return Outcome(OutcomeKind.REFUSED, f"reply/1:{signal}")
    found = READERS[task.verdict_format.format](task)
    if found is not None and found.kind is not OutcomeKind.UNPARSED:
        return found
    for format_id in task.verdict_format.fallback:
        fallen = READERS[format_id](task)
        if fallen is not None and fallen.kind is not OutcomeKind.UNPARSED:
            return replace(fallen, fallback=format_id)
    return _without_verdict(task, found)


def _without_verdict(task: Task, found: Outcome | None) -> Outcome:
    """Say why there is no verdict; ``found`` is a statement that could not be understood."""
    reads_text = task.verdict_format.format != "logprob"
    if found is None and (task.region.is_blank or task.region.is_unclosed):
        return _empty(task)
    if task.is_cut and reads_text:
        return Outcome(OutcomeKind.TRUNCATED, "reply/1:length")
    refused = refusal_span(task.region.text, task.verdict_format.refusal_patterns)
    if refused is not None and (reads_text or found is None):
        span = task.full.received_span(*refused)
        return Outcome(OutcomeKind.REFUSED, "reply/1:refusal_pattern", span=span)
    format_id = task.verdict_format.format
    return found or Outcome(OutcomeKind.UNPARSED, task.rule(format_id, "none"))


def _empty(task: Task) -> Outcome:
    if task.region.is_unclosed:
        return Outcome(OutcomeKind.TRUNCATED, "reply/1:unclosed_reasoning")
    usage = task.reply.usage
    has_text = not _is_blank(task.full.text)
    has_thought = bool(task.reply.reasoning.strip()) or (usage and usage.completion_tokens > 0)
    if task.is_cut and (has_text or has_thought):
        return Outcome(OutcomeKind.TRUNCATED, "reply/1:only_reasoning")
    return Outcome(OutcomeKind.EMPTY, "reply/1:only_reasoning" if has_text else "reply/1:empty")


def _is_blank(text: str) -> bool:
    return not text or text.isspace()
