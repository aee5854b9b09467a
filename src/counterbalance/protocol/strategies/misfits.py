"""What a strategy cannot do with the judges, prompts and labels of its protocol."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from counterbalance.protocol.judge_settings import HttpJudge, LocalJudge
from counterbalance.protocol.strategies.strategy import PLAIN, Strategy

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from counterbalance.protocol.judge_settings import JudgeSettings
    from counterbalance.protocol.prompt import Prompt
    from counterbalance.protocol.strategies.asking import Asking

__all__ = ["strategy_misfits"]

_FEWEST_ON_A_PANEL = 2
_ONE_VOTE = frozenset({"as_is", "agree_or_tie", "escalate"})
_BOTH_ORDERS = frozenset({"agree_or_tie", "mean_log_odds", "escalate"})


def strategy_misfits(
    strategies: Sequence[Strategy],
    judges: Sequence[JudgeSettings],
    on_call: Sequence[str],
    own: Prompt,
    prompts: Mapping[str, Asking],
) -> Iterator[tuple[str, str]]:
    """Yield what does not go together.

    Parameters
    ----------
    strategies : Sequence[Strategy]
        Those that have calls of their own.
    judges : Sequence[JudgeSettings]
        Every judge.
    on_call : Sequence[str]
        Judges that are asked only where a strategy names them.
    own : Prompt
        The protocol's own prompt.
    prompts : Mapping[str, Asking]
        Further prompts by name.

    Yields
    ------
    tuple[str, str]
        Place in the file, and the problem.
    """
    by_name = {judge.name: judge for judge in judges}
    yield from _on_call(on_call, by_name)
    if PLAIN in prompts:
        yield f"prompts.{PLAIN}", "plain is the protocol's own [prompt]; choose another name"
    ids = Counter(strategy.id for strategy in strategies)
    standing = [name for name in by_name if name not in on_call]
    for place, strategy in enumerate(strategies, start=1):
        if ids[strategy.id] > 1:
            problem = f"two strategies have the id {strategy.id!r}; give each its own"
            yield f"strategies[{place}].id", problem
        asked = [by_name[name] for name in _asked(strategy, standing) if name in by_name]
        for key, problem in chain(
            _of_names(strategy, by_name, prompts),
            _of_votes(strategy),
            _of_stronger(strategy, standing),
            _of_rule(strategy),
            _of_prompts(strategy, own, prompts),
            *(_of_judge(strategy, judge, prompts) for judge in asked),
        ):
            yield f"strategies[{place}].{key}", f"strategy {strategy.id}: {problem}"


def _on_call(on_call: Sequence[str], known: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for name in on_call:
        if name not in known:
            yield "on_call", _no_judge(name, known)
    if not known.keys() - set(on_call):
        yield "on_call", "names every judge, so that none is left to ask; leave one out"


def _no_judge(name: str, known: Mapping[str, object]) -> str:
    return f"no judge is called {name!r}; the judges are {', '.join(known)}"


def _asked(strategy: Strategy, standing: Sequence[str]) -> list[str]:
    further = [] if strategy.stronger is None else [strategy.stronger]
    return [*(strategy.panel or strategy.judges or standing), *further]


def _of_names(
    strategy: Strategy, judges: Mapping[str, object], prompts: Mapping[str, Asking]
) -> Iterator[tuple[str, str]]:
    for key, names in (
        ("judges", strategy.judges),
        ("panel", strategy.panel),
        ("stronger", () if strategy.stronger is None else (strategy.stronger,)),
    ):
        for name in names:
            if name not in judges:
                yield key, _no_judge(name, judges)
    for name in strategy.prompts:
        if name != PLAIN and name not in prompts:
            known = ", ".join([PLAIN, *prompts])
            yield "prompts", f"no prompt is called {name!r}; known here are {known}"


def _of_votes(strategy: Strategy) -> Iterator[tuple[str, str]]:
    n_votes = _n_votes(strategy)
    if strategy.panel and strategy.judges:
        yield "judges", "a panel votes together; give judges or panel, not both"
    if len(strategy.panel) == 1:
        problem = (
            f"a panel of one ({strategy.panel[0]}) is that judge alone; name {_FEWEST_ON_A_PANEL}"
            " or more judges of different families, or leave the strategy out"
        )
        yield "panel", problem
    if strategy.rule in _ONE_VOTE and n_votes > 1:
        problem = (
            f'{n_votes} votes are cast, and {strategy.rule!r} takes one; set rule = "majority"'
        )
        yield "rule", problem
    if strategy.rule == "majority" and n_votes == 1 and not strategy.panel:
        yield "rule", "one vote has no majority; name more judges, prompts or temperatures"
    if strategy.quorum is not None and strategy.quorum > n_votes:
        yield "quorum", f"is {strategy.quorum}, and {n_votes} votes are cast; lower it"


def _of_rule(strategy: Strategy) -> Iterator[tuple[str, str]]:
    rule = strategy.rule
    if rule in _BOTH_ORDERS and strategy.orders != "both":
        yield "orders", f'rule {rule!r} compares both orders; set orders = "both"'
    if rule == "as_is" and strategy.orders == "both":
        yield "rule", "two orders can disagree; say what then: agree_or_tie, or another rule"
    if (rule == "escalate") != (strategy.stronger is not None):
        problem = "escalate needs the judge that is asked then, and no other rule has one"
        yield "stronger", problem
    if strategy.labels == "exchanged" and rule in _ONE_VOTE:
        yield "labels", f"exchanged labels are asked twice, and {rule!r} takes one vote"


def _of_stronger(strategy: Strategy, standing: Sequence[str]) -> Iterator[tuple[str, str]]:
    if strategy.stronger is None:
        return
    if set(strategy.judges or standing) == {strategy.stronger}:
        yield "stronger", "is the first judge itself; name another"


def _n_votes(strategy: Strategy) -> int:
    return (
        max(1, len(strategy.panel))
        * len(strategy.prompts)
        * max(1, len(strategy.temperatures))
        * strategy.repetitions
    )


def _of_prompts(
    strategy: Strategy, own: Prompt, prompts: Mapping[str, Asking]
) -> Iterator[tuple[str, str]]:
    shown = own.system + own.user
    for name in strategy.prompts:
        asking = prompts.get(name)
        for part in () if asking is None else asking.needs:
            if f"{{{{{part}}}}}" not in shown:
                yield "prompts", f"{name!r} needs {{{{{part}}}}}; [prompt] has no place for it"
            elif part == "reference_answer" and part not in own.hides:
                problem = (
                    f"{name!r} is guided by the reference answer, and [prompt] shows that to every"
                    ' other strategy, too; set hides = ["reference_answer"] in [prompt]'
                )
                yield "prompts", problem
        if strategy.rule == "mean_scores" and (asking is None or asking.verdict.scores is None):
            problem = (
                f"{name!r} asks for no scores to average; name a prompt whose verdict has scores,"
                " such as the built-in scores"
            )
            yield "prompts", problem


def _of_judge(
    strategy: Strategy, judge: JudgeSettings, prompts: Mapping[str, Asking]
) -> Iterator[tuple[str, str]]:
    if isinstance(judge, HttpJudge):
        yield from _of_temperatures(strategy, judge)
    if isinstance(judge, LocalJudge):
        yield from _of_local(strategy, judge, prompts)
    if strategy.rule == "mean_log_odds" and _lacks_logprobs(judge):
        problem = (
            f"averages log-probabilities of labels, and judge {judge.name!r} gives none as it is"
            " set; set top_logprobs (or constrained = true), or name other judges"
        )
        yield "rule", problem


def _of_local(
    strategy: Strategy, judge: LocalJudge, prompts: Mapping[str, Asking]
) -> Iterator[tuple[str, str]]:
    if strategy.repetitions > 1 and min(strategy.temperatures or (judge.temperature,)) == 0:
        problem = (
            f"judge {judge.name!r} repeats itself by construction at temperature 0; set"
            " temperatures above 0"
        )
        yield "repetitions", problem
    for name in strategy.prompts:
        room = prompts[name].reply_tokens if name in prompts else None
        if room is not None and room >= judge.context_tokens:
            problem = (
                f"{name!r} needs {room} tokens for the reply, and judge {judge.name!r} has"
                f" context_tokens {judge.context_tokens}, which leaves no room for the request;"
                f" lower prompts.{name}.reply_tokens"
            )
            yield "prompts", problem


def _of_temperatures(strategy: Strategy, judge: HttpJudge) -> Iterator[tuple[str, str]]:
    warmest = judge.terms.highest_temperature
    for temperature in strategy.temperatures:
        if temperature > warmest:
            problem = (
                f"{temperature:g} is asked for, and judge {judge.name!r} takes 0 to {warmest:g};"
                " lower it, or name the judges that take it"
            )
            yield "temperatures", problem
    if strategy.temperatures and "temperature" in judge.droppable:
        problem = (
            f"judge {judge.name!r} may drop its temperature, so that votes at several would be one"
            " and the same; take temperature out of its droppable"
        )
        yield "temperatures", problem


def _lacks_logprobs(judge: JudgeSettings) -> bool:
    if isinstance(judge, HttpJudge):
        return judge.top_logprobs is None
    return isinstance(judge, LocalJudge) and not (judge.constrained or judge.max_tokens == 1)
