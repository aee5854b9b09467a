"""What the parts of a protocol must agree on; each part alone is checked where it is declared."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from counterbalance.protocol.judge_settings import (
    HttpJudge,
    LocalJudge,
    ScriptedJudge,
    judge_digest,
)
from counterbalance.protocol.labelling import Labelling, spoken
from counterbalance.protocol.raising import raising_misfits
from counterbalance.protocol.verdict_format import (
    ONE_LABEL,
    REASONING_TAGS,
    FormatId,
    VerdictFormat,
    compiled_pattern,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.protocol.judge_settings import JudgeSettings
    from counterbalance.protocol.sections import Compare, Repetitions, Retry

__all__ = ["misfits"]

Misfit = tuple[str, str]
"""The place in the file, empty for the whole, and what is wrong there."""

_NO_LENGTH_CONTROL = (
    "length_controlled_win_rate needs a unit of length; add the table [length_control] with"
    ' unit = "characters" or "tokens"'
)
_OF_BOTH_ORDERS = frozenset({"agreement_both", "position_consistency", "win_rate_a"})
_FIELD_WORDS = ("both", "none", "neither", "null")
_OWNERS: dict[str, FormatId] = {
    "key": "json",
    "readable_when_cut": "json",
    "tag": "tag",
    "nonce": "tag",
    "form": "regex",
    "mass_floor": "logprob",
    "tie_margin": "logprob",
}
"""Keys of the verdict format that one format alone reads."""


def misfits(
    *,
    judges: Sequence[JudgeSettings],
    labellings: Sequence[Labelling],
    verdict: VerdictFormat,
    repetitions: Repetitions,
    retry: Retry,
    takes_log_odds: bool,
    has_both_orders: bool,
    family: Sequence[str],
    compare: Compare | None,
    baseline: str | None,
    priced: Sequence[str],
    has_cost_cap: bool,
    measures: Sequence[str],
    has_length_control: bool,
) -> Iterator[Misfit]:
    """Yield what does not go together.

    Parameters
    ----------
    judges : Sequence[JudgeSettings]
        Who is asked.
    labellings : Sequence[Labelling]
        What the slots are called.
    verdict : VerdictFormat
        How a reply states the verdict.
    repetitions : Repetitions
        How often each presentation is asked.
    retry : Retry
        When a call is made again.
    takes_log_odds : bool
        Whether a strategy averages the log-odds of labels over both orders.
    has_both_orders : bool
        Whether every pair is shown in both orders.
    family : Sequence[str]
        Tests that are planned.
    compare : Compare | None
        How judges or runs will be compared.
    baseline : str | None
        System that is candidate a throughout.
    priced : Sequence[str]
        Names in the price table.
    has_cost_cap : bool
        Whether the budget limits money.
    measures : Sequence[str]
        Measures that are planned.
    has_length_control : bool
        Whether it is declared how length is held equal.

    Yields
    ------
    Misfit
        Place and problem.
    """
    yield from _of_names(judges)
    yield from _of_labels(labellings, verdict)
    yield from _of_verdict(labellings, verdict)
    for i, judge in enumerate(judges, start=1):
        if isinstance(judge, LocalJudge):
            yield from _of_local(f"judges[{i}]", judge, verdict, repetitions)
            if takes_log_odds and not _has_logprobs(judge):
                yield f"judges[{i}].max_tokens", _NO_LOGPROBS
        elif isinstance(judge, HttpJudge):
            is_needed = takes_log_odds or verdict.format == "logprob"
            if is_needed and judge.top_logprobs is None:
                yield f"judges[{i}].top_logprobs", _no_alternatives(judge)
            yield from _of_subset(judge, repetitions)
        elif isinstance(judge, ScriptedJudge):
            yield from _of_scripted(f"judges[{i}]", judge, verdict, labellings)
    if takes_log_odds and not has_both_orders:
        problem = 'balanced_calibration averages over both orders; set orders.assignment = "both"'
        yield "strategies", problem
    yield from _of_family(family, repetitions, has_both_orders=has_both_orders)
    yield from _of_compare(compare, judges, baseline, has_both_orders=has_both_orders)
    yield from raising_misfits(judges, retry)
    yield from _of_measures(measures, has_length_control=has_length_control)
    yield from _of_money(judges, priced, has_cost_cap=has_cost_cap)


def _of_measures(measures: Sequence[str], *, has_length_control: bool) -> Iterator[Misfit]:
    if "length_controlled_win_rate" in measures and not has_length_control:
        yield "analysis.measures", _NO_LENGTH_CONTROL


def _of_family(
    family: Sequence[str], repetitions: Repetitions, *, has_both_orders: bool
) -> Iterator[Misfit]:
    is_once = not has_both_orders and repetitions.per_order == 1
    if "first_slot" in family and not is_once:
        yield (
            "analysis.family",
            (
                "first_slot needs pairs that are shown once and could never be computed here; plan"
                ' primacy_recency, or orders.assignment = "single_balanced"'
            ),
        )
    if "primacy_recency" in family and not has_both_orders:
        problem = 'primacy_recency compares both orders; set orders.assignment = "both"'
        yield "analysis.family", problem


def _of_compare(
    compare: Compare | None,
    judges: Sequence[JudgeSettings],
    baseline: str | None,
    *,
    has_both_orders: bool,
) -> Iterator[Misfit]:
    if compare is None:
        return
    names = [judge.name for judge in judges]
    if compare.against is not None and compare.against not in names:
        problem = f"no judge is called {compare.against!r}; the judges are {', '.join(names)}"
        yield "compare.against", problem
    if not has_both_orders:
        needed = [name for name in compare.measures if name in _OF_BOTH_ORDERS]
        for name in needed:
            problem = f'{name} takes both orders; name strategy_agreement, or plan "both"'
            yield "compare.measures", problem
    if "win_rate_a" in compare.measures and baseline is None:
        problem = "win_rate_a needs baseline, the system that is candidate a throughout"
        yield "compare.measures", problem
    for name in compare.margins:
        if name not in compare.measures:
            yield f"compare.margins.{name}", "this measure is not compared; name it in measures"


def _of_names(judges: Sequence[JudgeSettings]) -> Iterator[Misfit]:
    names = Counter(judge.name for judge in judges)
    for name, n in names.items():
        if n > 1:
            yield "judges", f"two judges are called {name!r}; give each its own name"
    settings: dict[str, str] = {}
    for judge in judges:
        same = settings.setdefault(judge_digest(judge), judge.name)
        if same != judge.name:
            problem = (
                f"{same!r} and {judge.name!r} have the same settings, so that one call would count"
                " as the evidence of two judges; remove one, or change a setting"
            )
            yield "judges", problem


def _of_labels(labellings: Sequence[Labelling], verdict: VerdictFormat) -> Iterator[Misfit]:
    names = Counter((spoken(x.first), spoken(x.second)) for x in labellings)
    for i, labelling in enumerate(labellings, start=1):
        if names[spoken(labelling.first), spoken(labelling.second)] > 1:
            yield f"labellings[{i}]", f"{labelling.name!r} is listed twice; list it once"
    verdicts = {
        spoken(label): name
        for name in ("tie", "neither", "insufficient")
        if (label := getattr(verdict, name)) is not None
    }
    for place, label in _slot_labels(labellings):
        if (name := verdicts.get(spoken(label))) is not None:
            yield place, f"{label!r} is the label of verdict.{name}, too; give each its own"


def _of_verdict(labellings: Sequence[Labelling], verdict: VerdictFormat) -> Iterator[Misfit]:
    formats = (verdict.format, *verdict.fallback)
    for key, owner in _OWNERS.items():
        default = VerdictFormat.model_fields[key].default
        if owner not in formats and getattr(verdict, key) != default:
            yield f"verdict.{key}", f"format {verdict.format!r} never reads it; {owner!r} does"
    if verdict.nonce and verdict.format != "tag":
        yield "verdict.nonce", "the prompt shows it for verdict.format = 'tag' only"
    if "tag" in formats and verdict.tag.lower() in REASONING_TAGS:
        problem = f"<{verdict.tag}> is cut as reasoning before it is read; choose another name"
        yield "verdict.tag", problem
    for place, label in _slot_labels(labellings):
        if problem := _label_problem(label, verdict, formats):
            yield place, problem
    if verdict.format == "regex":
        yield from _of_pattern(labellings, verdict)


def _label_problem(label: str, verdict: VerdictFormat, formats: Sequence[FormatId]) -> str:
    if "number" in formats and not (label.isascii() and label.isdigit()):
        return f"found {label!r}; format 'number' needs digits as labels"
    if verdict.fields and spoken(label) in _FIELD_WORDS:
        return f"{label!r} means something else in verdict.fields; choose another label"
    return ""


def _of_pattern(labellings: Sequence[Labelling], verdict: VerdictFormat) -> Iterator[Misfit]:
    """Check that what the prompt asks for is what the pattern reads."""
    compiled = compiled_pattern(verdict.pattern or "")
    others = (verdict.tie, verdict.neither, verdict.insufficient)
    labels = [label for _, label in _slot_labels(labellings)]
    for label in [*labels, *(label for label in others if label is not None)]:
        written = verdict.form.replace("{{label}}", label)
        match = compiled.search(written)
        if match is None or match.group("label") != label:
            problem = (
                f"verdict.pattern does not read {label!r} from {written!r}, which the prompt asks"
                " for; say in verdict.form how the verdict is written, such as 'Winner: {{label}}'"
            )
            yield "verdict.pattern", problem
            return


_NO_LOGPROBS = (
    "log-probabilities of labels come with a single token only; set constrained = true, or"
    " max_tokens = 1"
)
_NO_ALTERNATIVES = (
    "log-probabilities of labels are read, and none are asked for; set top_logprobs (20, say) and"
    " max_tokens = 1, so that the one token of the reply is the verdict"
)


def _no_alternatives(judge: HttpJudge) -> str:
    if not judge.terms.most_logprobs:
        return f"log-probabilities of labels are read, and {judge.terms.title} gives none"
    return _NO_ALTERNATIVES


def _of_subset(judge: HttpJudge, repetitions: Repetitions) -> Iterator[Misfit]:
    warmest = judge.terms.highest_temperature
    asked = None if repetitions.subset is None else repetitions.subset.temperature
    if asked is not None and asked > warmest:
        problem = (
            f"is {asked:g}, and judge {judge.name!r} takes 0 to {warmest:g}"
            f" ({judge.terms.title}); lower it"
        )
        yield "repetitions.subset.temperature", problem


def _has_logprobs(judge: LocalJudge) -> bool:
    return judge.constrained or judge.max_tokens == 1


def _of_local(
    place: str, judge: LocalJudge, verdict: VerdictFormat, repetitions: Repetitions
) -> Iterator[Misfit]:
    if judge.constrained and verdict.format not in ONE_LABEL:
        problem = (
            f"replies are held to one label, which verdict.format {verdict.format!r} does not"
            " read; use choice, number or logprob, or set constrained = false"
        )
        yield f"{place}.constrained", problem
    if verdict.format == "logprob" and not _has_logprobs(judge):
        yield f"{place}.max_tokens", _NO_LOGPROBS
    if repetitions.per_order > 1 and judge.temperature == 0:
        problem = (
            f"judge {judge.name!r} has temperature 0, so its repetitions are identical by"
            " construction and prove nothing; set a temperature or repetitions.per_order = 1"
        )
        yield f"{place}.temperature", problem
    subset = repetitions.subset
    if subset is not None and not (
        judge.temperature if subset.temperature is None else subset.temperature
    ):
        problem = (
            f"judge {judge.name!r} would be asked at temperature 0, which repeats itself by"
            " construction and proves nothing; set it above 0"
        )
        yield "repetitions.subset.temperature", problem


def _of_scripted(
    place: str, judge: ScriptedJudge, verdict: VerdictFormat, labellings: Sequence[Labelling]
) -> Iterator[Misfit]:
    if judge.tie_rate > 0 and verdict.tie is None:
        yield f"{place}.tie_rate", "no tie is offered; set verdict.tie to its label"
    known = {spoken(label): label for _, label in _slot_labels(labellings)}
    if judge.label_rate > 0 and spoken(judge.favoured_label) not in known:
        problem = f"found {judge.favoured_label!r}; the labels are {', '.join(known.values())}"
        yield f"{place}.favoured_label", problem


def _of_money(
    judges: Sequence[JudgeSettings], priced: Sequence[str], *, has_cost_cap: bool
) -> Iterator[Misfit]:
    names = [judge.name for judge in judges]
    for name in priced:
        if name not in names:
            yield f"prices.{name}", f"no judge is called so; the judges are {', '.join(names)}"
    if has_cost_cap and not priced:
        yield "budget.max_cost_usd", "needs the price of a judge, in [prices.NAME]"


def _slot_labels(labellings: Sequence[Labelling]) -> Iterator[tuple[str, str]]:
    for i, labelling in enumerate(labellings, start=1):
        yield f"labellings[{i}].first", labelling.first
        yield f"labellings[{i}].second", labelling.second
