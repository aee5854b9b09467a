"""Records and logs as sides of a comparison: what each judge said, and how it was asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.compare.comparison import Plan, pairs_of_judges
from counterbalance.compare.side import Side
from counterbalance.dispositions.from_attempts import pairs_from_attempts
from counterbalance.errors import InputError, UsageError
from counterbalance.importers.collecting import ALL, SOURCE
from counterbalance.items.hashing import canonical_json
from counterbalance.measures.from_judged import pairs_from_judged
from counterbalance.protocol.sections import COMPARED
from counterbalance.report.layout import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from counterbalance.compare.matching import MatchedBy
    from counterbalance.dispositions.attempt_columns import ClusterKind
    from counterbalance.dispositions.evidence import GroupId
    from counterbalance.importers.loading import ImportedLog
    from counterbalance.measures.group import JudgedPair
    from counterbalance.protocol.sections import Compare, ComparedMeasure
    from counterbalance.report.evidence import Evidence

__all__ = ["chosen", "paired_runs", "plan_of", "sides_of_log", "sides_of_record"]

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


def sides_of_log(log: ImportedLog, cluster: ClusterKind = "cluster") -> list[Side]:
    """Return what each judge of foreign logs said, by the source's own verdicts.

    Parameters
    ----------
    log : ImportedLog
        From `read_logs`.
    cluster : ClusterKind
        Unit of uncertainty.

    Returns
    -------
    list[Side]
        By judge, strategy and subset. How they were asked is not known.
    """
    columns = pairs_from_attempts(log.collected.columns, cluster)
    sides = []
    for group, pairs in zip(log.collected.groups, columns, strict=True):
        if group.verdict_by != SOURCE or not pairs.n_pairs:
            continue
        how = ", ".join(part for part in (group.strategy, group.subset) if part not in {ALL, ""})
        name = f"{group.judge}, {how}" if how else group.judge
        # A log has one table of pairs: its place there is what a pair of two groups shares.
        keys = [str(code) for code in pairs.pair.tolist()]
        sides.append(Side(name, group.judge, how, pairs, keys))
    return sorted(sides, key=lambda side: side.name)


def paired_runs(
    first: Sequence[Side], second: Sequence[Side], judges: tuple[str, str] | None
) -> list[tuple[Side, Side]]:
    """Pair the sides of two records: the same judge and labelling, or the judges that are named.

    Parameters
    ----------
    first : Sequence[Side]
        Sides of the first record.
    second : Sequence[Side]
        Sides of the second record.
    judges : tuple[str, str] | None
        Judge of the first and of the second record; None for those of one name, or the only ones.

    Returns
    -------
    list[tuple[Side, Side]]
        First and second of each comparison.

    Raises
    ------
    InputError
        If there is nothing to pair.
    UsageError
        If a named judge is in neither.
    """
    names = [list(dict.fromkeys(side.judge for side in sides)) for sides in (first, second)]
    if judges is not None:
        for name, known in zip(judges, names, strict=True):
            _check_known(name, known)
        wanted = [judges]
    elif len(names[0]) == len(names[1]) == 1:
        wanted = [(names[0][0], names[1][0])]
    else:
        wanted = [(name, name) for name in names[0] if name in names[1]]
    found = [
        (a, b)
        for left, right in wanted
        for a in first
        for b in second
        if (a.judge, b.judge) == (left, right) and a.labelling == b.labelling
    ]
    if found:
        return found
    if len(first) == len(second) == 1:
        return [(first[0], second[0])]
    msg = (
        f"nothing to compare: the first record has {_listed(first)}, the second"
        f" {_listed(second)}; name two judges with --judges FIRST SECOND"
    )
    raise InputError(msg)


def chosen(
    sides: Sequence[Side], judges: tuple[str, str] | None, against: str | None
) -> list[tuple[Side, Side]]:
    """Pair the sides of one record or log.

    Parameters
    ----------
    sides : Sequence[Side]
        All of them.
    judges : tuple[str, str] | None
        The two judges that are compared; None for all.
    against : str | None
        The judge that all others are compared with; None for each with each.

    Returns
    -------
    list[tuple[Side, Side]]
        First and second of each comparison.

    Raises
    ------
    InputError
        If there is nothing to compare with.
    UsageError
        If a named judge is not there.
    """
    known = list(dict.fromkeys(side.judge for side in sides))
    for name in (*(judges or ()), *([against] if against else ())):
        _check_known(name, known)
    if judges is not None:
        sides = [side for side in sides if side.judge in judges]
        against = judges[0]
    found = pairs_of_judges(sides, against)
    if found:
        return found
    msg = (
        f"there is nothing to compare in it: it holds {_listed(sides)}; name a second record, or"
        " judge the same pairs with a second judge"
    )
    raise InputError(msg)


def _check_known(name: str, known: Sequence[str]) -> None:
    if name not in known:
        msg = f"no judge is called {name!r}; the judges are {', '.join(known)}"
        raise UsageError(msg)


def _listed(sides: Sequence[Side]) -> str:
    return "; ".join(side.name for side in sides) or "no judge"


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
