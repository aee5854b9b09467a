"""Whether a protocol fits the pairs it names: checked before anything is spent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.errors import ProtocolError, one_line
from counterbalance.items.requirements import RequirementRule
from counterbalance.presentations.assignment import excluded_reasons, judged_pairs
from counterbalance.protocol.families import families_of
from counterbalance.protocol.judge_settings import HttpJudge, LocalJudge, ScriptedJudge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.items.item import Pair
    from counterbalance.protocol.judge_settings import JudgeSettings
    from counterbalance.protocol.protocol import Protocol

__all__ = ["check_fit", "judge_model", "judged_by_kin", "panels_of_kin", "unshown_parts"]

_EMBEDDED = "SmolLM2-135M-Instruct"
_MOST_LISTED = 5
_FEWEST_CLUSTERS = 2


def check_fit(protocol: Protocol, pairs: Sequence[Pair], file: str) -> None:
    """Refuse a protocol that speaks of what the pairs do not have.

    Parameters
    ----------
    protocol : Protocol
        The protocol.
    pairs : Sequence[Pair]
        The pairs it names.
    file : str
        Name of the protocol file, for messages.

    Raises
    ------
    ProtocolError
        At the first exclusion, held-out share, baseline, verdict field or label that does not fit.
    """
    for check in (_exclusions, _held_out, _baseline, _verdict_fields, _labels, _needed_parts):
        for key, problem in check(protocol, pairs):
            raise ProtocolError(file, key, problem)


def unshown_parts(protocol: Protocol, pairs: Sequence[Pair]) -> tuple[str, ...]:
    """Return a sentence for each part of the items that the prompt template does not show.

    Parameters
    ----------
    protocol : Protocol
        Holds the template.
    pairs : Sequence[Pair]
        The pairs.

    Returns
    -------
    tuple[str, ...]
        For the report's limits; empty when everything is shown.
    """
    template = protocol.prompt.system + protocol.prompt.user
    counts = {
        "context": sum(bool(pair.item.context) for pair in pairs),
        "reference_answer": sum(bool(pair.item.reference_answer) for pair in pairs),
        "requirements": sum(any(r.text for r in pair.item.requirements) for pair in pairs),
    }
    return tuple(
        f"The prompt template does not show {{{{{name}}}}}, which {n} pairs have."
        for name, n in counts.items()
        if n and (f"{{{{{name}}}}}" not in template or name in protocol.prompt.hides)
    )


def judged_by_kin(protocol: Protocol, pairs: Sequence[Pair]) -> tuple[str, ...]:
    """Return a sentence for each judge of the same family as a system it judges.

    Parameters
    ----------
    protocol : Protocol
        Names the judges and their models.
    pairs : Sequence[Pair]
        The pairs with their systems.

    Returns
    -------
    tuple[str, ...]
        For the plan and the report's limits; empty where no name says so. A family is read from
        names only, so silence proves nothing.
    """
    systems = sorted({s for pair in pairs for s in (pair.a.system, pair.b.system) if s})
    sentences = []
    for judge in protocol.judges:
        model = judge_model(judge)
        kin = {s: shared for s in systems if (shared := families_of(s) & families_of(model))}
        if kin:
            families = " and ".join(sorted(frozenset().union(*kin.values())))
            listed = ", ".join(one_line(repr(s), 60) for s in list(kin)[:_MOST_LISTED])
            more = f" and {len(kin) - _MOST_LISTED} more" if len(kin) > _MOST_LISTED else ""
            sentences.append(
                f"Judge {judge.name} ({one_line(model, 100)}) is of the family {families}, like the"
                f" judged {listed}{more}: judges may favour answers of their own family."
            )
    return tuple(sentences)


def judge_model(judge: JudgeSettings) -> str:
    """Return the name of the model behind a judge; empty where nothing tells it.

    Parameters
    ----------
    judge : JudgeSettings
        The judge as the protocol declares it.

    Returns
    -------
    str
        The name, from which families are read.
    """
    if isinstance(judge, HttpJudge):
        return judge.model
    if isinstance(judge, ScriptedJudge):
        return judge.model or ""
    return _EMBEDDED if isinstance(judge, LocalJudge) else ""


def panels_of_kin(protocol: Protocol) -> tuple[str, ...]:
    """Return a sentence for each panel with judges of one family, as far as names say.

    Parameters
    ----------
    protocol : Protocol
        Names the panels.

    Returns
    -------
    tuple[str, ...]
        Judges of one family tend to the same mistakes, so that their votes are not apart.
    """
    models = {judge.name: judge_model(judge) for judge in protocol.judges}
    sentences = []
    for strategy in protocol.asked_strategies:
        by_family: dict[str, list[str]] = {}
        for name in strategy.panel:
            for family in families_of(models[name]):
                by_family.setdefault(family, []).append(name)
        for family, names in sorted(by_family.items()):
            if len(names) > 1:
                sentences.append(
                    f"Strategy {strategy.id}: {' and '.join(names)} of its panel are of one family"
                    f" ({family}), so that their majority may be one mistake made together."
                )
    return tuple(sentences)


def _needed_parts(protocol: Protocol, pairs: Sequence[Pair]) -> Iterator[tuple[str, str]]:
    """Refuse a strategy that is guided by what some of the pairs do not have."""
    excluded = excluded_reasons(pairs, protocol)
    judged = [pair for pair in pairs if not pair.is_identical and pair.id not in excluded]
    asked = protocol.prompts or {}
    for place, strategy in enumerate(protocol.strategies, start=1):
        if isinstance(strategy, str):
            continue
        for name in strategy.prompts:
            for part in asked[name].needs if name in asked else ():
                without = [pair for pair in judged if not getattr(pair.item, part)]
                if without:
                    said = part.replace("_", " ")
                    problem = (
                        f"strategy {strategy.id} is guided by the {said}, and {len(without)} of"
                        f" the {len(judged)} pairs have none ({one_line(without[0].id, 60)}, for"
                        " one); add it, exclude those pairs, or leave the strategy out"
                    )
                    yield f"strategies[{place}]", problem


def _exclusions(protocol: Protocol, pairs: Sequence[Pair]) -> Iterator[tuple[str, str]]:
    ids = {pair.id for pair in pairs}
    categories = {pair.item.category for pair in pairs}
    for i, exclusion in enumerate(protocol.exclusions, start=1):
        for pair_id in exclusion.pairs:
            if pair_id not in ids:
                yield f"exclusions[{i}].pairs", f"no pair has the id {one_line(repr(pair_id))}"
        if exclusion.category is not None and exclusion.category not in categories:
            found = one_line(repr(exclusion.category))
            yield f"exclusions[{i}].category", f"no pair has the category {found}"


def _held_out(protocol: Protocol, pairs: Sequence[Pair]) -> Iterator[tuple[str, str]]:
    if protocol.held_out is None:
        return
    clusters = {pair.item.cluster for pair in pairs}
    if len(clusters) < _FEWEST_CLUSTERS:
        problem = "all pairs are of one cluster, and a cluster is never split; leave the table out"
        yield "held_out", problem
    elif not judged_pairs(pairs, protocol):
        yield "held_out.share", "leaves no pair to judge beside the excluded and identical ones"


def _baseline(protocol: Protocol, pairs: Sequence[Pair]) -> Iterator[tuple[str, str]]:
    systems = sorted({s for pair in pairs for s in (pair.a.system, pair.b.system) if s})
    if protocol.baseline is not None and protocol.baseline not in systems:
        listed = ", ".join(repr(name) for name in systems[:_MOST_LISTED]) or "none at all"
        found = one_line(repr(protocol.baseline))
        yield "baseline", f"no candidate is by {found}; the pairs name {one_line(listed, 200)}"


def _verdict_fields(protocol: Protocol, pairs: Sequence[Pair]) -> Iterator[tuple[str, str]]:
    for pair in pairs:
        for requirement in pair.item.requirements:
            is_asked = requirement.rule is RequirementRule.VERDICT_FIELD
            if is_asked and requirement.value not in protocol.verdict.fields:
                name = one_line(repr(requirement.value))
                yield (
                    "verdict.fields",
                    f"pair {pair.id} has a requirement that field {name} answers; declare it there",
                )


def _labels(protocol: Protocol, pairs: Sequence[Pair]) -> Iterator[tuple[str, str]]:
    systems = {s.casefold() for pair in pairs for s in (pair.a.system, pair.b.system) if s}
    for i, labelling in enumerate(protocol.labellings, start=1):
        for label in (labelling.first, labelling.second):
            if label.casefold() in systems:
                problem = (
                    f"label {label!r} is a system's name, which no judge may see; choose another"
                )
                yield f"labellings[{i}]", problem
