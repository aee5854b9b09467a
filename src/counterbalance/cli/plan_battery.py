"""What the probe battery of a protocol will take, for ``counterbalance plan``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from counterbalance.run.forecast import Forecast, JudgeForecast
    from counterbalance.run.study import Study

__all__ = ["battery_lines", "battery_of", "battery_value"]

_FREE = frozenset({"local", "scripted", "replay"})


def battery_of(study: Study, secret: str) -> Forecast | str | None:
    """Count what `bias` will ask under a protocol.

    Parameters
    ----------
    study : Study
        The protocol, with the prices that the plan is made with.
    secret : str
        Any secret of the usual length.

    Returns
    -------
    Forecast | str | None
        Why it cannot be counted, in words; None where the protocol has no table ``[bias]``.
    """
    from counterbalance.errors import InputError, ProtocolError
    from counterbalance.run.battery import load_battery
    from counterbalance.run.forecast import forecast

    if study.protocol.bias is None:
        return None
    try:
        whole = load_battery(study.path).study
    except (InputError, ProtocolError) as error:
        return str(error)  # the study itself can be run all the same
    protocol = whole.protocol.model_copy(update={"prices": study.protocol.prices})
    return forecast(replace(whole, protocol=protocol), secret)


def battery_value(battery: Forecast | str | None, protocol: Path) -> dict[str, Any] | None:
    """Return the forecast of a battery as a JSON value, or why there is none."""
    from dataclasses import asdict

    from counterbalance.cli.plan_rewriting import rewriting_plan

    if battery is None:
        return None
    value = {"problem": battery} if isinstance(battery, str) else asdict(battery)
    return {**value, "rewriting": rewriting_plan(protocol)}


def battery_lines(battery: Forecast | str | None, protocol: Path) -> Iterator[str]:
    """Yield what a battery takes, as lines: calls, tokens and price by judge and by strategy."""
    from counterbalance.cli.plan_rewriting import rewriting_plan, rewriting_plan_lines
    from counterbalance.report.cost import dollars
    from counterbalance.report.layout import columns, plural

    if battery is None:
        return
    yield from rewriting_plan_lines(rewriting_plan(protocol))
    if isinstance(battery, str):
        yield f"probe battery (counterbalance bias): {battery}"
        return
    calls = sum(judge.calls for judge in battery.judges)
    yield (
        "probe battery (counterbalance bias), a record of its own:"
        f" {plural(battery.pairs, 'probe')} of {plural(battery.items, 'item')}"
        f" in {plural(battery.clusters, 'cluster')},"
        f" {plural(calls, 'call')} without retries, which no line above counts"
    )
    rows = [["judge", "calls", "with retries", "prompt tokens", "reply tokens", "price"]]
    rows += [
        [
            judge.judge,
            str(judge.calls),
            f"at most {judge.most_calls}",
            f"about {judge.prompt_tokens}",
            f"at most {judge.completion_tokens}",
            _price(judge),
        ]
        for judge in battery.judges
    ]
    yield from columns(rows, indent=2)
    free = {judge.judge for judge in battery.judges if _price(judge) == "free"}
    rows = [["strategy", "judge", "calls", "shared", "on call", "price"]]
    rows += [
        [
            each.strategy,
            each.judge,
            str(each.calls),
            str(each.shared),
            f"at most {each.most_on_call}" if each.most_on_call else "",
            "free"
            if free.issuperset(each.by_judge)
            else "unpriced"
            if each.cost_usd is None
            else f"at most {dollars(each.cost_usd)}",
        ]
        for each in battery.strategies
    ]
    yield from columns(rows, indent=2)


def _price(judge: JudgeForecast) -> str:
    if judge.cost_usd is None:
        return "free" if judge.kind in _FREE else "unpriced"
    return f"${judge.cost_usd:.4f} without retries"
