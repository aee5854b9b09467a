"""What a model wrote for a battery, as data for every rendering of its report."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from counterbalance.report.layout import columns, plural, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.probes.battery import Battery
    from counterbalance.run.rewrites import ProbeRewrites, Rewrites

__all__ = ["RewritingReport", "rewriting_lines", "rewriting_report", "rewriting_value"]


@dataclass(frozen=True, slots=True)
class RewritingReport:
    """The rewriting stage of a battery.

    Attributes
    ----------
    model : str
        Name of the rewriting model.
    kind : str
        Its kind.
    digest : str
        Tagged hash of its settings.
    probes : tuple[ProbeRewrites, ...]
        What was asked, written, and failed, by probe.
    flawed : tuple[tuple[str, int], ...]
        Texts that were written and failed a check, by probe.
    calls : int
        Calls, apart from every count of verdicts.
    prompt_tokens : int
        Tokens of their prompts.
    completion_tokens : int
        Tokens of their replies.
    cost_usd : float | None
        What they cost; None where none is priced.
    """

    model: str
    kind: str
    digest: str
    probes: tuple[ProbeRewrites, ...]
    flawed: tuple[tuple[str, int], ...]
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None


def rewriting_report(rewrites: Rewrites, battery: Battery) -> RewritingReport:
    """Return what a report shows of a rewriting stage.

    Parameters
    ----------
    rewrites : Rewrites
        The stage.
    battery : Battery
        What was made of it.

    Returns
    -------
    RewritingReport
        Counts add up: asked = written + failed; of those written, some are flawed.
    """
    return RewritingReport(
        model=rewrites.model,
        kind=rewrites.kind,
        digest=rewrites.digest,
        probes=rewrites.probes,
        flawed=tuple(
            (one.probe, sum(flaw.probe == one.probe for flaw in battery.flaws))
            for one in rewrites.probes
        ),
        calls=rewrites.calls,
        prompt_tokens=rewrites.tokens[0],
        completion_tokens=rewrites.tokens[1],
        cost_usd=rewrites.cost_usd,
    )


def rewriting_lines(found: RewritingReport) -> Iterator[str]:
    """Yield who wrote texts, how many, and why others are missing, as lines."""
    spent = "" if found.cost_usd is None else f", ${found.cost_usd:.4f}"
    yield ""
    yield (
        f"Rewritten by {visible(found.model, 60)} ({found.kind}):"
        f" {plural(found.calls, 'call')} beside those for verdicts,"
        f" {found.prompt_tokens + found.completion_tokens} tokens{spent}"
    )
    rows = [["probe", "asked", "written", "flawed", "failed", "prompt"]]
    flawed = dict(found.flawed)
    rows += [
        [
            one.probe,
            str(one.asked),
            str(one.written),
            str(flawed[one.probe]),
            str(one.asked - one.written),
            one.prompt_digest[:15],
        ]
        for one in found.probes
    ]
    yield from columns(rows, indent=2, right=(1, 2, 3, 4))
    for one in found.probes:
        for reason, count in one.failed:
            yield f"    {one.probe}: {count} failed: {visible(reason, 80)}"


def rewriting_value(found: RewritingReport | None) -> dict[str, Any] | None:
    """Return the same as a JSON value; None where no model wrote any text."""
    if found is None:
        return None
    flawed = dict(found.flawed)
    return {
        "model": found.model,
        "kind": found.kind,
        "digest": found.digest,
        "calls": found.calls,
        "prompt_tokens": found.prompt_tokens,
        "completion_tokens": found.completion_tokens,
        "cost_usd": found.cost_usd,
        "probes": [
            {**asdict(one), "failed": dict(one.failed), "flawed": flawed[one.probe]}
            for one in found.probes
        ],
    }
