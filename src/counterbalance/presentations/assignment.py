"""The order plan: every presentation that will be asked, decided from the seed before any call."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.items.frames import Order
from counterbalance.presentations.held_out import held_out_clusters
from counterbalance.presentations.presentation import PlanEntry, Presentation, Purpose
from counterbalance.presentations.rendering import Renderer
from counterbalance.presentations.seeding import rank
from counterbalance.protocol.judge_settings import judge_digest
from counterbalance.protocol.strategies.on_probes import COMPARED_PROBES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from counterbalance.items.item import Pair, PairId
    from counterbalance.protocol.judge_settings import JudgeSettings
    from counterbalance.protocol.labelling import Labelling
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.protocol.strategies.strategy import Strategy

__all__ = [
    "confirmation_plan",
    "drawn_clusters",
    "excluded_reasons",
    "held_out_ids",
    "is_shown_under",
    "judged_pairs",
    "order_plan",
    "orders_of",
    "work_order",
]


def excluded_reasons(pairs: Sequence[Pair], protocol: Protocol) -> dict[PairId, str]:
    """Return why each excluded pair is left out: by the first exclusion that names it."""
    reasons: dict[PairId, str] = {}
    for exclusion in protocol.exclusions:
        named = frozenset(exclusion.pairs)
        for pair in pairs:
            is_category = (
                exclusion.category is not None and pair.item.category == exclusion.category
            )
            if pair.id in named or is_category:
                reasons.setdefault(pair.id, exclusion.reason)
    return reasons


def drawn_clusters(pairs: Sequence[Pair], protocol: Protocol) -> frozenset[str] | None:
    """Return the clusters that a first draw keeps back; None when the protocol holds out nothing.

    The draw is over every pair of the file, so that exclusions do not change it.

    Parameters
    ----------
    pairs : Sequence[Pair]
        Every pair of the file.
    protocol : Protocol
        Says how many, and the seed of the draw.

    Returns
    -------
    frozenset[str] | None
        Names of the clusters.
    """
    if protocol.held_out is None:
        return None
    sizes = Counter(pair.item.cluster for pair in pairs)
    return held_out_clusters(sizes, protocol.held_out.share, protocol.held_out.seed)


def held_out_ids(
    pairs: Sequence[Pair], protocol: Protocol, clusters: Collection[str] | None = None
) -> frozenset[PairId]:
    """Return the pairs that are kept back; one that is excluded counts as that only.

    Parameters
    ----------
    pairs : Sequence[Pair]
        Every pair of the file.
    protocol : Protocol
        Says what is excluded, and how many are kept back.
    clusters : Collection[str] | None
        The clusters that a record keeps back; None for a first draw by the protocol.

    Returns
    -------
    frozenset[PairId]
        Their ids; empty when nothing is held out.
    """
    drawn = drawn_clusters(pairs, protocol) if clusters is None else clusters
    if not drawn:
        return frozenset()
    excluded = excluded_reasons(pairs, protocol)
    return frozenset(p.id for p in pairs if p.item.cluster in drawn and p.id not in excluded)


def judged_pairs(
    pairs: Sequence[Pair], protocol: Protocol, clusters: Collection[str] | None = None
) -> list[Pair]:
    """Return the pairs that calls are spent on: not excluded, held out or identical."""
    apart = excluded_reasons(pairs, protocol).keys() | held_out_ids(pairs, protocol, clusters)
    return [pair for pair in pairs if not pair.is_identical and pair.id not in apart]


def orders_of(judged: Sequence[Pair], protocol: Protocol) -> dict[PairId, tuple[Order, ...]]:
    """Return the display orders of each judged pair.

    With ``single_balanced`` half of the pairs (the larger half by chance of the seed) get each
    order; which ones depends on the seed and their ids, never on their place in the file.

    Parameters
    ----------
    judged : Sequence[Pair]
        The pairs that calls are spent on.
    protocol : Protocol
        Says which assignment, and the seed.

    Returns
    -------
    dict[PairId, tuple[Order, ...]]
        One or both orders for each pair.
    """
    return _orders(judged, protocol.seed, both=protocol.orders.assignment == "both")


def _orders(judged: Sequence[Pair], seed: int, *, both: bool) -> dict[PairId, tuple[Order, ...]]:
    if both:
        return {pair.id: (Order.FORWARD, Order.REVERSED) for pair in judged}
    orders: dict[PairId, tuple[Order, ...]] = {}
    for probe in dict.fromkeys(pair.probe for pair in judged):
        orders |= _in_turns([pair for pair in judged if pair.probe == probe], seed, probe)
    return orders


def _in_turns(judged: Sequence[Pair], seed: int, probe: str) -> dict[PairId, tuple[Order, ...]]:
    # Each probe is halved by itself, so that a preference for a slot is in none of their scores;
    # pairs that are one comparison get the same order.
    units = dict.fromkeys(map(_comparison, judged))
    shuffled = sorted(units, key=lambda unit: rank(seed, "order", unit))
    named = ("which order begins", probe) if probe else ("which order begins",)
    offset = rank(seed, *named) % 2
    turns = (Order.FORWARD, Order.REVERSED)
    order = {unit: turns[(i + offset) % 2] for i, unit in enumerate(shuffled)}
    return {pair.id: (order[_comparison(pair)],) for pair in judged}


def _comparison(pair: Pair) -> str:
    return pair.id.rpartition("~")[0] if pair.probe in COMPARED_PROBES else pair.id


@dataclass(frozen=True, slots=True)
class _Round:
    """One set of calls over some pairs: what they are for, how often, and at which temperature."""

    purpose: Purpose
    pairs: Sequence[Pair]
    per_order: int
    temperature: float | None
    strategy: str = ""
    prompt: str = ""


def order_plan(
    pairs: Sequence[Pair],
    protocol: Protocol,
    secret: str,
    clusters: Collection[str] | None = None,
) -> Iterator[PlanEntry]:
    """Yield every presentation that is planned for the pairs that are not held out.

    Parameters
    ----------
    pairs : Sequence[Pair]
        Every pair of the file.
    protocol : Protocol
        What is planned.
    secret : str
        The record's secret, which the prompts depend on.
    clusters : Collection[str] | None
        The clusters that a record keeps back; None for a first draw by the protocol.

    Yields
    ------
    PlanEntry
        By judge and labelling, main presentations before the repetition subset's, then those of
        each strategy; one that serves several of them is yielded for each and has one key.
    """
    yield from _plan_over(judged_pairs(pairs, protocol, clusters), protocol, secret)


def confirmation_plan(
    pairs: Sequence[Pair],
    protocol: Protocol,
    secret: str,
    clusters: Collection[str] | None = None,
) -> Iterator[PlanEntry]:
    """Yield every presentation that a confirmation asks: the same plan over the held-out pairs.

    Parameters
    ----------
    pairs : Sequence[Pair]
        Every pair of the file.
    protocol : Protocol
        What is planned.
    secret : str
        The record's secret, which the prompts depend on.
    clusters : Collection[str] | None
        The clusters that a record keeps back; None for a first draw by the protocol.

    Yields
    ------
    PlanEntry
        As `order_plan`.
    """
    kept_back = held_out_ids(pairs, protocol, clusters)
    judged = [pair for pair in pairs if pair.id in kept_back and not pair.is_identical]
    yield from _plan_over(judged, protocol, secret)


def _plan_over(judged: Sequence[Pair], protocol: Protocol, secret: str) -> Iterator[PlanEntry]:
    orders = orders_of(judged, protocol)
    renderer = Renderer(protocol, secret)
    judges = {judge.name: judge for judge in protocol.judges}
    for name in protocol.standing_judges:
        for place, labelling in enumerate(protocol.labellings):
            shown = [pair for pair in judged if is_shown_under(pair, protocol, place)]
            for step in _rounds(shown, protocol):
                for pair in step.pairs:
                    for order in orders[pair.id]:
                        yield from _entries(step, renderer, judges[name], labelling, pair, order)
    for strategy in protocol.asked_strategies:
        yield from _of_strategy(strategy, judged, renderer)


def _of_strategy(
    strategy: Strategy, judged: Sequence[Pair], renderer: Renderer
) -> Iterator[PlanEntry]:
    """Yield what every voter is shown; what voters of several judges have in common, once."""
    protocol = renderer.protocol
    judges = {judge.name: judge for judge in protocol.judges}
    orders = _orders(judged, protocol.seed, both=strategy.orders == "both")
    rows = (row for row in protocol.strategy_rows if row.strategy.id == strategy.id)
    for voter in dict.fromkeys(voter for row in rows for voter in row.voters):
        own = renderer.under(voter.prompt)
        settings = protocol.settings_under(judges[voter.judge], voter.prompt)
        step = _Round(
            Purpose.STRATEGY,
            judged,
            strategy.repetitions,
            voter.temperature,
            strategy.id,
            voter.prompt,
        )
        labelling = own.labelling(voter.labelling)
        for pair in judged:
            if pair.probe and protocol.why_no_score(strategy, pair.probe) is not None:
                continue
            for order in orders[pair.id]:
                yield from _entries(step, own, settings, labelling, pair, order)


def is_shown_under(pair: Pair, protocol: Protocol, labelling: int) -> bool:
    """Return whether a pair is shown under a labelling, by its place: probes are under the first.

    Parameters
    ----------
    pair : Pair
        The pair.
    protocol : Protocol
        Says what else probes are shown under.
    labelling : int
        Counted from 0, as declared.

    Returns
    -------
    bool
        Always for a pair that is no probe.
    """
    if not pair.probe or protocol.bias is None:
        return True
    return protocol.bias.is_under(pair.probe, labelling)


def _rounds(judged: Sequence[Pair], protocol: Protocol) -> Iterator[_Round]:
    repetitions = protocol.repetitions
    yield _Round(Purpose.MAIN, judged, repetitions.per_order, None)
    if subset := repetitions.subset:
        shuffled = sorted(judged, key=lambda pair: rank(protocol.seed, "subset", pair.id))
        drawn = shuffled[: subset.pairs]
        yield _Round(Purpose.STABILITY, drawn, subset.per_order, subset.temperature)


def _entries(
    step: _Round,
    renderer: Renderer,
    judge: JudgeSettings,
    labelling: Labelling,
    pair: Pair,
    order: Order,
) -> Iterator[PlanEntry]:
    prompt_digest = renderer.render(pair, order, labelling).digest
    settings_digest = judge_digest(judge, step.temperature)
    for repetition in range(step.per_order):
        yield PlanEntry(
            step.purpose,
            Presentation(
                pair_id=pair.id,
                pair_key=pair.key,
                order=order,
                labelling=labelling.name,
                judge=judge.name,
                judge_digest=settings_digest,
                temperature=step.temperature,
                prompt_digest=prompt_digest,
                repetition=repetition,
                prompt=step.prompt,
            ),
            step.strategy,
        )


def work_order(plan: Iterable[PlanEntry], seed: int) -> list[Presentation]:
    """Return each planned presentation once, in the seeded order of work.

    Pairs are shuffled, and the presentations of one pair stay together in an order of their own:
    a run that is stopped early has judged a random sample of pairs, most of them completely.

    Parameters
    ----------
    plan : Iterable[PlanEntry]
        The order plan.
    seed : int
        Seed of the protocol.

    Returns
    -------
    list[Presentation]
        Unique presentations.
    """
    unique = {entry.presentation.key: entry.presentation for entry in plan}
    return sorted(
        unique.values(),
        key=lambda p: (rank(seed, "work", p.pair_id), rank(seed, "work", p.key)),
    )
