"""A probe battery that is run from Python, where functions of the user's may judge or rewrite."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from counterbalance.errors import OutstandingError
from counterbalance.protocol.judge_settings import CallableJudge
from counterbalance.record import open_record
from counterbalance.record.place import place_of
from counterbalance.report.build_bias import build_bias_report
from counterbalance.report.evidence import read_evidence
from counterbalance.run.battery import load_battery, load_sources
from counterbalance.run.from_python import beside_any_loop
from counterbalance.run.likelihoods import ask_likelihoods
from counterbalance.run.rewriting import rewrite
from counterbalance.run.session import run_study

if TYPE_CHECKING:
    from collections.abc import Mapping

    from counterbalance.judges.callable import JudgeFunction
    from counterbalance.record.place import Place
    from counterbalance.report.bias import BiasReport
    from counterbalance.run.battery import BatterySources, BatteryStudy
    from counterbalance.run.likelihoods import JudgeLikelihoods

__all__ = ["run_bias"]


def run_bias(
    path: Path | str,
    *,
    judges: Mapping[str, JudgeFunction] | None = None,
    record: Path | str | None = None,
) -> BiasReport:
    """Send the judges of a protocol through its probes, as ``counterbalance bias`` does.

    Parameters
    ----------
    path : Path | str
        The protocol, with a table ``[bias]``.
    judges : Mapping[str, JudgeFunction] | None
        A function for each judge, and for the rewriting model, of kind ``callable``, by its name.
    record : Path | str | None
        Where evidence goes; None for the protocol's name with ``.bias.record.sqlite``.

    Returns
    -------
    BiasReport
        The same data that the verb prints; ``outstanding`` is 0 when nothing is left to ask.

    Raises
    ------
    CounterbalanceError
        As the verb fails: its text is the line that the verb prints.
    """
    sources = load_sources(Path(path))
    place = sources.default_record if record is None else place_of(str(record))
    whole, asked = beside_any_loop(lambda: asyncio.run(_run(sources, place, dict(judges or {}))))
    with open_record(place, create=False, exclusive=False) as store:
        evidence = read_evidence(store)
    return build_bias_report(
        evidence,
        whole.battery,
        whole.declared,
        whole.families,
        rewrites=whole.rewrites,
        asked=asked,
    )


async def _run(
    sources: BatterySources, place: Place, functions: dict[str, JudgeFunction]
) -> tuple[BatteryStudy, list[JudgeLikelihoods]]:
    protocol, rewrites = sources.study.protocol, None
    if protocol.rewriting is not None:
        rewrites = await rewrite(
            sources,
            protocol.rewriting,
            place,
            functions=functions,
            announce=lambda *_: None,
            said=lambda *_: None,
        )
        if rewrites.outstanding or rewrites.stopped:
            why = rewrites.stopped or "calls are left"
            msg = f"{place}: not every text is rewritten yet ({why}); run it again to go on"
            raise OutstandingError(msg)
        names = {judge.name for judge in protocol.judges if isinstance(judge, CallableJudge)}
        if protocol.rewriting.model.name not in names:
            functions.pop(protocol.rewriting.model.name, None)
    whole = load_battery(sources.study.path, rewrites)
    summary = await run_study(
        whole.study,
        place,
        functions=functions,
        announce=lambda *_: None,
        finished=lambda _: None,
    )
    if protocol.likelihoods is None or summary.stopped:
        return whole, []
    return whole, await ask_likelihoods(
        protocol,
        protocol.likelihoods,
        whole.battery.pairs,
        place,
        announce=lambda *_: None,
        said=lambda *_: None,
    )
