"""Records as sides of a comparison: what each judge said, how it was asked, what was declared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.compare.comparison import Plan
from counterbalance.compare.side import Side
from counterbalance.errors import UsageError
from counterbalance.items.hashing import canonical_json
from counterbalance.measures.from_judged import pairs_from_judged
from counterbalance.protocol.sections import COMPARED
from counterbalance.record import open_record
from counterbalance.report.evidence import read_evidence
from counterbalance.report.layout import plural
from counterbalance.report.probe_measures import has_probes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from counterbalance.compare.matching import MatchedBy
    from counterbalance.dispositions.attempt_columns import ClusterKind
    from counterbalance.dispositions.evidence import GroupId
    from counterbalance.measures.group import JudgedPair
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.protocol.sections import Compare, ComparedMeasure
    from counterbalance.record.place import Place
    from counterbalance.report.evidence import Evidence

__all__ = ["n_declared", "plan_of", "read_two", "sides_of_record"]

_JUDGING = ("prompt", "verdict", "question", "orders", "repetitions", "retry", "disposition")
"""Tables of a protocol that say how a pair is judged, beside the judge itself."""
_NO_SETTING_OF_JUDGING = frozenset({"decision"})


def sides_of_record(
    evidence: Evidence, record: str = "", cluster: ClusterKind | None = None
) -> list[Side]:
    """Return what each judge of a record said under each labelling.

    Parameters
    ----------
    evidence : Evidence
        What the record holds; its held-out pairs are left out.
    record : str
        What to call the record, where several are compared; empty where there is one.
    cluster : ClusterKind | None
        Unit of uncertainty; None for the one that the protocol declares.

    Returns
    -------
    list[Side]
        By judge and labelling.
    """
    unit = cluster or evidence.protocol.analysis.cluster
    notes = tuple(_notes(evidence, record))
    return [
        Side(
            name=_name(group.judge, group.labelling, record),
            judge=group.judge,
            labelling=group.labelling,
            pairs=pairs_from_judged(pairs, unit),
            keys=[judged.pair.key for judged in pairs],
            judging=_judging(evidence, group, pairs),
            baseline=evidence.protocol.baseline,
            notes=notes,
        )
        for group, pairs in evidence.groups.items()
    ]


def _name(judge: str, labelling: str, record: str) -> str:
    name = f"{judge}, labels {labelling}" if labelling else judge
    return f"{name}, {record}" if record else name


def _notes(evidence: Evidence, record: str) -> Iterator[str]:
    where = f"{record}: " if record else ""
    outstanding = sum(
        shown.decisive is None
        for pairs in evidence.groups.values()
        for judged in pairs
        for _, shown in judged.main()
    )
    if outstanding:
        yield f"{where}{plural(outstanding, 'presentation')} not run: they have no verdict."
    if has_probes(evidence):
        yield f"{where}pairs are probes of several kinds, which these numbers pool; see `bias`."
    if evidence.held_out:
        n = plural(len(evidence.held_out), "held-out pair")
        yield f"{where}{n} not compared, whether or not they were opened."
    if evidence.excluded:
        n = plural(len(evidence.excluded), "pair")
        yield f"{where}{n} left out by the protocol."
    if evidence.history.is_after_data:
        yield f"{where}the newest revision was made after data were seen: all of it is exploratory."


def _judging(evidence: Evidence, group: GroupId, pairs: Sequence[JudgedPair]) -> dict[str, str]:
    """Return every setting that a verdict may depend on, as declared and as answered."""
    protocol = evidence.protocol
    canonical = protocol.canonical
    judge = next(x for x in canonical["judges"] if x["name"] == group.judge)
    found = dict(_leaves("judge", {k: v for k, v in judge.items() if k != "name"}))
    for table in _JUDGING:
        found |= dict(_leaves(table, canonical[table]))
    found["labels"] = group.labelling
    answered = {
        (shown.decisive.reply.model, shown.decisive.reply.fingerprint)
        for judged in pairs
        for _, shown in judged.main()
        if shown.decisive is not None and shown.decisive.reply is not None
    }
    found["model that answered"] = ", ".join(sorted({model for model, _ in answered if model}))
    found["fingerprint of the model"] = ", ".join(sorted({mark for _, mark in answered if mark}))
    return found


def _leaves(name: str, value: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401 (a JSON value)
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in _NO_SETTING_OF_JUDGING:
                yield from _leaves(f"{name}.{key}", inner)
    else:
        yield name, value if isinstance(value, str) else canonical_json(value)


def read_two(
    first: Place, second: Place
) -> tuple[tuple[Evidence, Evidence], tuple[list[Side], list[Side]]]:
    """Read two records as sides that can be compared.

    Parameters
    ----------
    first : Place
        The earlier record, or the one that is compared with.
    second : Place
        The later one, whose protocol governs: it was fixed before the later of the two was judged.

    Returns
    -------
    tuple[tuple[Evidence, Evidence], tuple[list[Side], list[Side]]]
        What each holds, and its sides, with the unit of uncertainty that the second declares.
    """
    found = _read(first), _read(second)
    unit = found[1].protocol.analysis.cluster
    return found, (
        sides_of_record(found[0], str(first), unit),
        sides_of_record(found[1], str(second), unit),
    )


def _read(place: Place) -> Evidence:
    with open_record(place, create=False, exclusive=False) as store:
        return read_evidence(store)


def n_declared(protocol: Protocol) -> int:
    """Return the size of the family that a protocol declares: measures times comparisons."""
    if protocol.compare is None:
        return 0
    n = len(protocol.standing_judges)
    # Of one judge the comparison is with another run; each labelling is one of its own.
    pairs = n - 1 if protocol.compare.against is not None else n * (n - 1) // 2
    return len(protocol.compare.measures) * max(1, pairs) * len(protocol.labellings)


def plan_of(
    evidence: Evidence | None,
    margins: Mapping[ComparedMeasure, float],
    *,
    n_comparisons: int | None,
    by: MatchedBy = "content",
    level: float = 0.95,
) -> Plan:
    """Return what the protocol declared, and what is given beside it.

    Parameters
    ----------
    evidence : Evidence | None
        The record whose protocol governs; None for logs.
    margins : Mapping[ComparedMeasure, float]
        Margins that were given on the command line: exploratory, and never in place of a declared
        one.
    n_comparisons : int | None
        Comparisons that the protocol declares; None for as many as are made.
    by : MatchedBy
        What makes two pairs the same.
    level : float
        Nominal coverage where no protocol declares one.

    Returns
    -------
    Plan
        Declared only where the protocol has a table ``[compare]`` that came before the data.

    Raises
    ------
    UsageError
        If a margin is given that the protocol declares.
    """
    declared: Compare | None = None if evidence is None else evidence.protocol.compare
    if evidence is None or declared is None:
        if evidence is not None:
            level = evidence.protocol.analysis.confidence_level
        return Plan(COMPARED, dict(margins), level=level, by=by)
    for name in margins:
        if name in declared.margins:
            msg = (
                f"--margin {name}: the protocol declares {declared.margins[name]:g}, and a margin"
                " is not changed once it is declared"
            )
            raise UsageError(msg)
    is_before = not (evidence.history.is_after_data or evidence.counts_beyond_rule)
    measures = (*declared.measures, *(name for name in margins if name not in declared.measures))
    return Plan(
        measures=measures,
        margins={**margins, **declared.margins},
        declared_margins=frozenset(declared.margins) if is_before else frozenset(),
        is_declared=is_before and measures == declared.measures,
        family_size=None if n_comparisons is None else n_comparisons * len(measures),
        level=evidence.protocol.analysis.confidence_level,
        by=by,
    )
