"""What is simulated: laws with a known truth, and what is looked at in each replicate.

A replicate goes from drawn judgments through dispositions, measures and comparisons. It answers
each question with yes, no, or nothing where the product gave no interval or p-value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.compare.comparison import Plan, compare
from counterbalance.compare.side import Side
from counterbalance.compare.verdict import Verdict
from counterbalance.measures.agreement import agreement_both
from counterbalance.measures.catalogue import group_tests
from counterbalance.measures.position import (
    bias_position,
    first_slot_rate,
    position_consistency,
    preference_fairness,
)
from counterbalance.measures.probe_scores import probe_score
from counterbalance.measures.repetition import (
    order_excess_disagreement,
    repetition_disagreement,
)
from counterbalance.measures.win_rates import tie_rate, win_rate_a
from counterbalance.probes.catalogue import PROBES
from counterbalance.selftest.drawn import BASELINE, clusters_of, columns_of, joined
from counterbalance.selftest.laws import CoinLaw, SlotLaw, TwoJudgesLaw
from counterbalance.selftest.probe_laws import ProbeLaw

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from counterbalance.compare.comparison import Comparisons
    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.measures.estimate import Estimate
    from counterbalance.protocol.sections import ComparedMeasure

__all__ = ["LEVEL", "SCENARIOS", "Asked", "Band", "Scenario"]

LEVEL = 0.95
_ERROR_RATE = 0.05
_N_CLUSTERS = 40
_N_APART = 150
_MARGIN = 0.1


@dataclass(frozen=True, slots=True)
class Band:
    """Between which shares the answer yes must lie in the long run.

    Attributes
    ----------
    kind : str
        ``coverage`` or ``false alarms``.
    least : float
        Smallest share allowed.
    most : float
        Largest share allowed.
    """

    kind: str
    least: float
    most: float


COVERAGE = Band("coverage", 0.94, 0.96)
FALSE_ALARMS = Band("false alarms", 0.0, 0.06)

Asked = Iterator[tuple[str, bool | None]]
"""Name of a question, and its answer in one replicate."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """One kind of data.

    Attributes
    ----------
    name : str
        What it is.
    replicate : Callable[[np.random.Generator], Asked]
        Draws once and answers every question.
    bands : Mapping[str, Band]
        What is asked, and between which shares yes must lie.
    """

    name: str
    replicate: Callable[[np.random.Generator], Asked]
    bands: Mapping[str, Band]


def _measured(
    pairs: PairColumns, measures: tuple[Callable[[PairColumns, float], Estimate], ...]
) -> dict[str, Estimate]:
    return {e.name: e for e in (measure(pairs, LEVEL) for measure in measures)}


def _covers(low: float | None, high: float | None, truth: float) -> bool | None:
    return None if low is None or high is None else low <= truth <= high


def _is_alarm(p_value: float | None) -> bool | None:
    return None if p_value is None else p_value <= _ERROR_RATE


_BIASED = SlotLaw(tie=0.1, content=(0.9, 0.5), wins=(0.8, 0.4), first=0.7)
_FAIR = SlotLaw(tie=0.1, content=(0.9, 0.5), wins=(0.8, 0.4), first=0.5)
_RATES = (
    position_consistency,
    preference_fairness,
    bias_position,
    first_slot_rate,
    tie_rate,
    agreement_both,
    win_rate_a,
)


def _slots(generator: np.random.Generator) -> Asked:
    clusters = clusters_of(generator, _N_CLUSTERS)
    found = _measured(columns_of(_BIASED.draw(generator, clusters), clusters), _RATES)
    for name, truth in _BIASED.truth.items():
        yield name, _covers(found[name].low, found[name].high, truth)


def _no_slots(generator: np.random.Generator) -> Asked:
    clusters = clusters_of(generator, _N_CLUSTERS)
    pairs = columns_of(_FAIR.draw(generator, clusters), clusters)
    found = _measured(pairs, (bias_position, preference_fairness))
    for name in ("bias_position", "preference_fairness"):
        holds_zero = _covers(found[name].low, found[name].high, 0.0)
        yield f"{name} excludes 0", None if holds_zero is None else not holds_zero
    (sign,) = (test for test in group_tests(pairs) if test.name == "primacy_recency")
    # Where nothing leans either way there is no test, and nobody is alarmed.
    yield "primacy_recency", bool(_is_alarm(sign.p_value))


_NOISY = CoinLaw(forward=(0.9, 0.4), reversed_=(0.9, 0.4))
_SENSITIVE = CoinLaw(forward=(0.9, 0.4), reversed_=(0.5, 0.3))
_REPEATED = (repetition_disagreement, order_excess_disagreement)


def _noise(generator: np.random.Generator) -> Asked:
    clusters = clusters_of(generator, _N_CLUSTERS)
    for law, word in ((_NOISY, "noise alone"), (_SENSITIVE, "order-sensitive")):
        found = _measured(columns_of(law.draw(generator, clusters), clusters), _REPEATED)
        for name, truth in law.truth.items():
            yield f"{name}, {word}", _covers(found[name].low, found[name].high, truth)
        excess = found["order_excess_disagreement"]
        if law is _NOISY and excess.low is not None and excess.high is not None:
            yield "order_excess_disagreement excludes 0", not excess.low <= 0 <= excess.high


_ALIKE = TwoJudgesLaw(shared=0.5, first=(0.8, 0.5), second=(0.5, 0.8))
_UNLIKE = TwoJudgesLaw(shared=0.5, first=(0.7, 0.5), second=(0.9, 0.7))
_AT_MARGIN = TwoJudgesLaw(shared=0.8, first=(0.2, 0.2), second=(0.7, 0.7))
"""Its difference is the margin: whoever calls the two equivalent is in error."""
_COMPARED: tuple[ComparedMeasure, ...] = ("agreement_both", "win_rate_a")


def _sides(columns: tuple[PairColumns, ...]) -> list[Side]:
    return [
        Side(
            name=f"judge {n}",
            judge=f"judge {n}",
            labelling="",
            pairs=pairs,
            keys=[str(code) for code in pairs.pair.tolist()],
            baseline=BASELINE,
        )
        for n, pairs in enumerate(columns)
    ]


def _compared(
    law: TwoJudgesLaw,
    generator: np.random.Generator,
    clusters: NDArray[np.int32],
    measures: tuple[ComparedMeasure, ...],
) -> Comparisons:
    first, second = _sides(joined(list(law.draw(generator, clusters)), clusters))
    margins = dict.fromkeys(measures, _MARGIN)
    return compare([(first, second)], Plan(measures, margins, level=LEVEL))


def _two_judges(generator: np.random.Generator, clusters: NDArray[np.int32]) -> Asked:
    found = _compared(_UNLIKE, generator, clusters, _COMPARED)
    for difference, _ in found.comparisons[0].differences:
        yield (
            f"difference of {difference.measure}",
            _covers(difference.low, difference.high, _UNLIKE.difference),
        )
    found = _compared(_ALIKE, generator, clusters, ("agreement_both",))
    ((difference, conclusion),) = found.comparisons[0].differences
    yield "difference of agreement_both", _is_alarm(difference.p_value)
    yield "better or worse", conclusion.verdict in {Verdict.BETTER, Verdict.WORSE}
    found = _compared(_AT_MARGIN, generator, clusters, ("agreement_both",))
    ((_, conclusion),) = found.comparisons[0].differences
    yield "equivalent", conclusion.verdict is Verdict.EQUIVALENT


def _renamed(asked: Asked) -> Asked:
    """Tell the question of coverage from that of false alarms where both are about one number."""
    seen = set[str]()
    for name, answer in asked:
        yield (f"{name}, no difference" if name in seen else name), answer
        seen.add(name)


def _apart(generator: np.random.Generator) -> Asked:
    yield from _renamed(_two_judges(generator, np.arange(_N_APART, dtype=np.int32)))


def _clustered(generator: np.random.Generator) -> Asked:
    yield from _renamed(_two_judges(generator, clusters_of(generator, _N_CLUSTERS)))


def _family(generator: np.random.Generator) -> Asked:
    clusters = clusters_of(generator, _N_CLUSTERS)
    drawn = [_ALIKE.draw(generator, clusters)[0] for _ in range(4)]
    first, *others = _sides(joined(drawn, clusters))
    found = compare([(first, other) for other in others], Plan(_COMPARED, level=LEVEL))
    yield "any of 6 tests rejects (Holm)", found.family.n_rejected > 0


_SENSITIVE_TO_PROBE = ProbeLaw(tie=0.2, first=(0.9, 0.6), second=(0.7, 0.4))
_INSENSITIVE = ProbeLaw(tie=0.2, first=(0.7, 0.5), second=(0.5, 0.3))
"""With a slot, and without any effect of the intervention."""


def _probes(generator: np.random.Generator) -> Asked:
    values = _SENSITIVE_TO_PROBE.draw(generator, _N_CLUSTERS)
    scores = probe_score(PROBES["expanded"], values, LEVEL)
    for name, found, truth in (
        ("b", scores.score, _SENSITIVE_TO_PROBE.effect),
        ("slot effect", scores.slot, _SENSITIVE_TO_PROBE.slot),
    ):
        yield name, _covers(found.low, found.high, truth)
    fair = probe_score(PROBES["expanded"], _INSENSITIVE.draw(generator, _N_CLUSTERS), LEVEL)
    yield "b is 0", _is_alarm(fair.p_value)


_OF_TWO = {
    "difference of agreement_both": COVERAGE,
    "difference of win_rate_a": COVERAGE,
    "difference of agreement_both, no difference": FALSE_ALARMS,
    "better or worse": FALSE_ALARMS,
    "equivalent": FALSE_ALARMS,
}
SCENARIOS = (
    Scenario(
        "a judge with a slot, pairs in clusters", _slots, dict.fromkeys(_BIASED.truth, COVERAGE)
    ),
    Scenario(
        "a judge without a slot, pairs in clusters",
        _no_slots,
        dict.fromkeys(
            ("bias_position excludes 0", "preference_fairness excludes 0", "primacy_recency"),
            FALSE_ALARMS,
        ),
    ),
    Scenario(
        "three repetitions of each order, pairs in clusters",
        _noise,
        {
            "repeat_disagreement, noise alone": COVERAGE,
            "order_excess_disagreement, noise alone": COVERAGE,
            "order_excess_disagreement excludes 0": FALSE_ALARMS,
            "repeat_disagreement, order-sensitive": COVERAGE,
            "order_excess_disagreement, order-sensitive": COVERAGE,
        },
    ),
    Scenario("two judges, pairs apart (Tango, mid-p)", _apart, _OF_TWO),
    Scenario("two judges, pairs in clusters (cluster-robust t)", _clustered, _OF_TWO),
    Scenario(
        "a probe, pairs in clusters",
        _probes,
        {"b": COVERAGE, "slot effect": COVERAGE, "b is 0": FALSE_ALARMS},
    ),
    Scenario("four judges of one law", _family, {"any of 6 tests rejects (Holm)": FALSE_ALARMS}),
)
"""Everything that is simulated."""
