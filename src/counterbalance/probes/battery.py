"""The battery: the probe pairs of a protocol, made from pairs or written by hand, and checked.

Source pairs come in; probe pairs go out, with every source that made none and why. The same sources
give the same battery. A pair that fails a check is never judged: it is listed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from counterbalance.presentations.seeding import rank
from counterbalance.probes.catalogue import PROBES
from counterbalance.probes.rewriting import rewrite_flaws

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from counterbalance.items.item import Pair
    from counterbalance.probes.probe import Probe, Wanted
    from counterbalance.probes.rewriting import Rewritten

__all__ = ["Battery", "Flaw", "LeftOut", "built", "flaws_of"]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Sources of which a probe could not be made.

    Attributes
    ----------
    probe : str
        Name of the probe.
    reason : str
        Why not, in words.
    count : int
        How many pairs.
    """

    probe: str
    reason: str
    count: int


@dataclass(frozen=True, slots=True)
class Flaw:
    """A probe pair that failed a check and is not judged.

    Attributes
    ----------
    probe : str
        Name of the probe.
    pair : str
        Id of the pair.
    failed : tuple[str, ...]
        What does not hold.
    """

    probe: str
    pair: str
    failed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Battery:
    """Probe pairs, and what became of the sources that made none.

    Attributes
    ----------
    pairs : tuple[Pair, ...]
        By probe, then in the order of the sources.
    left_out : tuple[LeftOut, ...]
        Sources without a probe pair.
    flaws : tuple[Flaw, ...]
        Probe pairs that failed a check.
    not_drawn : Mapping[str, int]
        Sound pairs that the declared number or the balance left out, by probe.
    """

    pairs: tuple[Pair, ...]
    left_out: tuple[LeftOut, ...]
    flaws: tuple[Flaw, ...]
    not_drawn: Mapping[str, int]


def built(
    sources: Sequence[Pair],
    names: Iterable[str],
    wanted: Wanted,
    *,
    seed: int,
    pairs_per_probe: int | None,
    rewritten: Mapping[str, Rewritten] = MappingProxyType({}),
) -> Battery:
    """Make the probe pairs of a protocol.

    Parameters
    ----------
    sources : Sequence[Pair]
        Pairs that probes are made from, and pairs that are probes already, which are checked.
    names : Iterable[str]
        The probes that are declared.
    wanted : Wanted
        Criteria and families.
    seed : int
        Seed of the protocol, for what is drawn.
    pairs_per_probe : int | None
        Most sources of each probe; None for all.
    rewritten : Mapping[str, Rewritten]
        What a model made of the sources, by probe; it takes the place of what code makes.

    Returns
    -------
    Battery
        The same for the same sources, whatever their order in the file but for that of the pairs.
    """
    pairs: list[Pair] = []
    left_out: list[LeftOut] = []
    flaws: list[Flaw] = []
    not_drawn: dict[str, int] = {}
    for name in names:
        probe = PROBES[name]
        by_model = rewritten.get(name)
        if by_model is None:
            made, reasons = _made(probe, sources, wanted)
            failed = flaws_of(made)
        else:
            made, reasons = list(by_model.pairs), by_model.reasons
            failed = [Flaw(name, pair.id, found) for pair in made if (found := rewrite_flaws(pair))]
        left_out += [LeftOut(name, reason, count) for reason, count in sorted(reasons.items())]
        flaws += failed
        unsound = {flaw.pair for flaw in failed}
        sound = [pair for pair in made if pair.id not in unsound]
        drawn = _drawn(probe, sound, seed, pairs_per_probe)
        if len(drawn) < len(sound):
            not_drawn[name] = len(sound) - len(drawn)
        pairs += drawn
    return Battery(tuple(pairs), tuple(left_out), tuple(flaws), not_drawn)


def _made(probe: Probe, sources: Sequence[Pair], wanted: Wanted) -> tuple[list[Pair], Counter[str]]:
    by_hand = [pair for pair in sources if pair.probe == probe.name]
    reasons = Counter[str]()
    made: list[Pair] = []
    for source in sources:
        if source.probe:
            continue
        found = probe.make(source, wanted)
        if isinstance(found, str):
            reasons[found] += 1
        else:
            made += found
    # Texts written for a probe are better than what code makes of any answer.
    return (by_hand, Counter()) if by_hand else (made, reasons)


def flaws_of(pairs: Iterable[Pair]) -> list[Flaw]:
    """Return every probe pair that fails a check of its probe.

    Parameters
    ----------
    pairs : Iterable[Pair]
        Probe pairs.

    Returns
    -------
    list[Flaw]
        In the same sequence.
    """
    flaws = []
    for pair in pairs:
        failed = tuple(c.name for c in PROBES[pair.probe].checks(pair) if not c.is_passed)
        if failed:
            flaws.append(Flaw(pair.probe, pair.id, failed))
    return flaws


def _drawn(probe: Probe, sound: list[Pair], seed: int, most: int | None) -> list[Pair]:
    """Return the pairs of a seeded draw of items, whole items only, balanced where asked."""
    pairs = sound if probe.draw is None else probe.draw(sound, seed)
    items = {pair.item.id for pair in pairs}
    if most is None or len(items) <= most:
        return pairs
    kept = set(sorted(items, key=lambda item: rank(seed, "probe", item))[:most])
    return [pair for pair in pairs if pair.item.id in kept]
