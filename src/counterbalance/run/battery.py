"""The study that ``bias`` runs: the probe pairs of a protocol, judged as its own pairs would be."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from counterbalance.errors import InputError, ProtocolError, one_line
from counterbalance.presentations.assignment import excluded_reasons, held_out_ids
from counterbalance.probes.battery import Battery, built
from counterbalance.probes.catalogue import PROBES
from counterbalance.probes.probe import Wanted
from counterbalance.probes.rewriting import Rewritten
from counterbalance.protocol.families import families_of
from counterbalance.protocol.strategies.catalogue import CALIBRATED, CATALOGUE
from counterbalance.protocol.strategies.strategy import Strategy
from counterbalance.run.fitting import check_fit, judge_model
from counterbalance.run.study import Study, read_study

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from counterbalance.items.item import Pair
    from counterbalance.protocol.bias_section import Bias
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.protocol.strategies.catalogue import StrategyName
    from counterbalance.run.rewrites import Rewrites

__all__ = ["BatterySources", "BatteryStudy", "battery_sentences", "load_battery", "load_sources"]

_ALWAYS = ("B0", "S1")
"""Strategies that the probes' own calls are enough for."""
_NOT_WRITTEN = "the rewriting model was not asked yet"
_TABLE = (
    "there is no table [bias]; add one, such as\n[bias]\nprobes = ["
    '"identical", "expanded", "truncated", "markdown", "injection"]\nmargin = 0.1'
)


@dataclass(frozen=True, slots=True)
class BatteryStudy:
    """The battery of a protocol as a study.

    Attributes
    ----------
    study : Study
        The protocol over the probe pairs, for the run machinery.
    battery : Battery
        The pairs, and what became of the sources that made none.
    declared : Bias
        The protocol's table.
    families : dict[str, frozenset[str]]
        Families of each judge, by its model's name; empty sets where the name tells none.
    rewrites : Rewrites | None
        What a model wrote for it; None where none was asked.
    """

    study: Study
    battery: Battery
    declared: Bias
    families: dict[str, frozenset[str]]
    rewrites: Rewrites | None = None

    @property
    def default_record(self) -> Path:
        """Where the record of the battery goes when no other place is named."""
        return self.study.path.with_suffix(".bias.record.sqlite")


@dataclass(frozen=True, slots=True)
class BatterySources:
    """What a battery is made from.

    Attributes
    ----------
    study : Study
        The protocol and every pair of its file.
    declared : Bias
        The protocol's table.
    pairs : tuple[Pair, ...]
        Pairs that probes are made from, and probes written by hand: none excluded or held out.
    """

    study: Study
    declared: Bias
    pairs: tuple[Pair, ...]

    @property
    def default_record(self) -> Path:
        """Where the record of the battery goes when no other place is named."""
        return self.study.path.with_suffix(".bias.record.sqlite")


def load_sources(path: Path) -> BatterySources:
    """Read a protocol and what its battery is made from.

    Parameters
    ----------
    path : Path
        The protocol file, with a table ``[bias]``.

    Returns
    -------
    BatterySources
        Checked against each other.

    Raises
    ------
    ProtocolError
        If there is no table ``[bias]``.
    InputError
        If a pair names an unknown probe, or one whose texts a model is to write.
    """
    whole = read_study(path)
    protocol, pairs = whole.protocol, whole.pairs.pairs
    if protocol.bias is None:
        raise ProtocolError(str(path), "bias", _TABLE)
    written = () if protocol.rewriting is None else protocol.rewriting.probes
    for pair in pairs:
        if pair.probe and pair.probe not in PROBES:
            msg = (
                f"{whole.pairs.name}: pair {one_line(pair.id)} is a probe"
                f" {one_line(repr(pair.probe))}; known are {', '.join(PROBES)}"
            )
            raise InputError(msg)
        if pair.probe in written:
            msg = (
                f"{whole.pairs.name}: pair {one_line(pair.id)} is a probe {pair.probe} written by"
                " hand, and rewriting.probes has a model write them; leave one of the two out"
            )
            raise InputError(msg)
    check_fit(protocol, [pair for pair in pairs if not pair.probe], str(path))
    return BatterySources(whole, protocol.bias, tuple(_sources(pairs, protocol)))


def load_battery(path: Path, rewrites: Rewrites | None = None) -> BatteryStudy:
    """Read a protocol and make its battery.

    Parameters
    ----------
    path : Path
        The protocol file, with a table ``[bias]``.
    rewrites : Rewrites | None
        What a model wrote for it; None where none was asked yet, or is to be.

    Returns
    -------
    BatteryStudy
        Excluded and held-out pairs are no sources of probes.

    Raises
    ------
    InputError
        If no probe pair could be made.
    """
    sources = load_sources(path)
    whole, declared = sources.study, sources.declared
    protocol = whole.protocol
    families = {judge.name: families_of(judge_model(judge)) for judge in protocol.judges}
    battery = built(
        sources.pairs,
        declared.probes,
        Wanted(
            declared.inverted_rubric or "",
            declared.paraphrased_rubric or ("" if rewrites is None else rewrites.paraphrase),
            frozenset().union(*families.values()),
        ),
        seed=protocol.seed,
        pairs_per_probe=declared.pairs_per_probe,
        rewritten=_unwritten(protocol) if rewrites is None else rewrites.rewritten,
    )
    if not battery.pairs:
        reasons = "; ".join(battery_sentences(battery)) or "the file holds no pair to make one from"
        msg = f"{whole.pairs.name}: no probe pair could be made: {one_line(reasons, 1000)}"
        raise InputError(msg)
    written = () if rewrites is None else rewrites.warnings
    notes = (*whole.pairs.notes, *written, *battery_sentences(battery))
    as_judged = _of_battery(protocol)
    check_fit(as_judged, battery.pairs, str(path))
    study = replace(
        whole,
        protocol=as_judged,
        pairs=replace(whole.pairs, pairs=battery.pairs, notes=notes),
    )
    return BatteryStudy(study, battery, declared, families, rewrites)


def _unwritten(protocol: Protocol) -> dict[str, Rewritten]:
    """Return what there is of rewrites while nobody was asked for them: nothing."""
    names = () if protocol.rewriting is None else protocol.rewriting.probes
    return {name: Rewritten(reasons=Counter({_NOT_WRITTEN: 1})) for name in names}


def _sources(pairs: Sequence[Pair], protocol: Protocol) -> list[Pair]:
    apart = excluded_reasons(pairs, protocol).keys() | held_out_ids(pairs, protocol)
    return [pair for pair in pairs if pair.id not in apart]


def _of_battery(protocol: Protocol) -> Protocol:
    """Return the protocol as it judges probes: the same, without what is about other pairs."""
    return protocol.model_copy(
        update={
            "title": f"{protocol.title} (probe battery)",
            "baseline": None,
            "exclusions": (),
            "held_out": None,
            "repetitions": protocol.repetitions.model_copy(update={"subset": None}),
            "strategies": tuple(_strategies(protocol)),
        }
    )


def _strategies(protocol: Protocol) -> Iterator[Strategy | StrategyName]:
    """Yield what the probes are judged under: one call and both orders always, then the others."""
    asked = {strategy.id: strategy for strategy in protocol.asked_strategies}
    wanted = None if protocol.bias is None else protocol.bias.strategies
    for name in _ALWAYS:
        own = asked.pop(name) if name in asked else None
        yield own or Strategy.model_validate({"id": name, **CATALOGUE[name]})
    for name, strategy in asked.items():
        if wanted is None or name in wanted:
            yield strategy
    if CALIBRATED in protocol.strategies:
        yield CALIBRATED


def battery_sentences(battery: Battery) -> Iterator[str]:
    """Say of each probe what was left out, for the record."""
    for left in battery.left_out:
        yield f"Probe {left.probe}: {_pairs(left.count)} made none: {left.reason}."
    for flaw in battery.flaws:
        failed = "; ".join(flaw.failed)
        yield f"Probe {flaw.probe}: pair {one_line(flaw.pair)} is not judged; not so: {failed}."
    for probe, count in battery.not_drawn.items():
        yield f"Probe {probe}: not drawn: {_pairs(count)}."


def _pairs(count: int) -> str:
    return "1 pair" if count == 1 else f"{count} pairs"
