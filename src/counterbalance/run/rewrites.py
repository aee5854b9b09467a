"""What a rewriting stage brought: the pairs of its texts, and what was asked and failed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from counterbalance.probes.rewriting import Rewritten

__all__ = ["ProbeRewrites", "Rewrites"]


@dataclass(frozen=True, slots=True)
class ProbeRewrites:
    """What was asked for one probe, and what came of it.

    Attributes
    ----------
    probe : str
        Name of the probe.
    prompt_digest : str
        Tagged hash of the prompt that its texts are asked for with.
    asked : int
        Texts that the model was to write.
    written : int
        Texts that it wrote; whether they pass the checks is the battery's to say.
    failed : tuple[tuple[str, int], ...]
        Requests without a text, by reason.
    """

    probe: str
    prompt_digest: str
    asked: int
    written: int
    failed: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Rewrites:
    """The rewriting stage of one battery, as far as it has come.

    Attributes
    ----------
    model : str
        Name of the rewriting model, as the protocol has it.
    kind : str
        Its kind.
    digest : str
        Tagged hash of its settings.
    probes : tuple[ProbeRewrites, ...]
        In the order declared.
    rewritten : Mapping[str, Rewritten]
        What the battery is made of, by probe; without a rubric that was written.
    paraphrase : str
        The rubric that it wrote; empty where none was asked for, or it failed.
    calls : int
        Calls of all runs.
    calls_now : int
        Calls of this run.
    tokens : tuple[int, int]
        Of prompts and of replies, over all runs.
    cost_usd : float | None
        Over all runs; None where no call is priced.
    stopped : str
        Why the stage ended before its plan did; empty when it did not.
    outstanding : int
        Requests that still need a call.
    warnings : tuple[str, ...]
        What limits what it wrote, in sentences.
    """

    model: str
    kind: str
    digest: str
    probes: tuple[ProbeRewrites, ...]
    rewritten: Mapping[str, Rewritten]
    paraphrase: str
    calls: int
    calls_now: int
    tokens: tuple[int, int]
    cost_usd: float | None
    stopped: str
    outstanding: int
    warnings: tuple[str, ...]
