"""``counterbalance plan``: what a study will take, before anything is spent."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click

from counterbalance.cli.places import record_place

if TYPE_CHECKING:
    from counterbalance.compare.budget import Aim
    from counterbalance.record.place import Place
    from counterbalance.run.capabilities import Capability
    from counterbalance.run.forecast import Forecast, JudgeForecast
    from counterbalance.run.probe import Probe
    from counterbalance.run.study import Study

__all__ = ["command"]

# Prompts have the same length under every secret; a plan needs none that is kept.
_ANY_SECRET = "0" * 32


@click.command("plan")
@click.argument("protocol", type=click.Path(path_type=Path))
@click.option(
    "--pilot",
    type=record_place,
    metavar="RECORD",
    help="An earlier record, to take the spread of verdicts from instead of assuming it.",
)
@click.option(
    "--cap",
    type=click.FloatRange(min=0, min_open=True),
    metavar="DOLLARS",
    help="With --pilot: which judge, strategy, repetitions and pairs this much money buys.",
)
@click.option(
    "--as-batches",
    is_flag=True,
    help="With --cap: at the price of batches, by batch_discount in [prices.NAME].",
)
@click.option(
    "--aim",
    type=click.Choice(["interval", "difference", "agreement"]),
    default="interval",
    show_default=True,
    help=(
        "With --cap, what to seek: the narrowest interval around the agreement, the smallest"
        " difference from B0 that is detected, or what agreed most in the pilot."
    ),
)
@click.option("--threads", type=click.IntRange(min=1), help="Threads of the embedded model.")
@click.option(
    "--probe",
    is_flag=True,
    help=(
        "Ask each endpoint at most five tiny questions, which cost a few tokens: whether it answers"
        " as declared, and takes a temperature, a seed, log-probabilities and a JSON schema."
    ),
)
@click.option(
    "--prices",
    "wants_prices",
    is_flag=True,
    help="Look up missing prices in the table of genai-prices; no network.",
)
@click.option(
    "--write-prices",
    is_flag=True,
    help="Look them up and put them into PROTOCOL, with their day and source.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the plan as JSON.")
def command(
    *,
    protocol: Path,
    pilot: Place | None,
    cap: float | None,
    as_batches: bool,
    aim: Aim,
    threads: int | None,
    probe: bool,
    wants_prices: bool,
    write_prices: bool,
    as_json: bool,
) -> None:
    """Print the calls, tokens, price and time that PROTOCOL will take, and what it can detect.

    Calls are counted exactly, tokens are estimated from characters. For the embedded model, which
    costs nothing, one question is really asked to measure tokens and time; no other judge is asked,
    unless --probe says so. Differences that the pairs can detect are for the power and the
    assumptions that are printed.
    """
    from dataclasses import asdict

    from counterbalance.cli.output import json_text
    from counterbalance.cli.plan_battery import battery_lines, battery_of, battery_value
    from counterbalance.cli.plan_cap import grid_under
    from counterbalance.cli.plan_pilot import pilot_lines, tokens_by_pilot
    from counterbalance.cli.plan_power import detectable_by
    from counterbalance.report.budget_text import budget_lines, grid_value
    from counterbalance.report.power_text import power_lines
    from counterbalance.run.forecast import forecast
    from counterbalance.run.opening import replayed_secret
    from counterbalance.run.study import load_study

    study = load_study(protocol)
    replayed_secret(study.protocol, study.folder)  # a record to replay must be there
    plan = forecast(study, _ANY_SECRET)
    notes: list[str] = []
    if wants_prices or write_prices:
        study, plan, notes = _with_prices(study, plan, writes=write_prices)
    differences, rates = detectable_by(study, plan, pilot)
    by_pilot = tokens_by_pilot(study, plan, pilot)
    grid = None if cap is None else grid_under(cap, study, pilot, aim, as_batches=as_batches)
    probes = _probes(study, threads)
    battery = battery_of(study, _ANY_SECRET)
    tried = _tried(study) if probe else {}
    if as_json:
        value = asdict(plan)
        value["seconds"] = {j.judge: _seconds(j, probes.get(j.judge)) for j in plan.judges}
        value["detectable"] = {
            "differences": [asdict(row) for row in differences],
            "win_rates": [asdict(row) for row in rates],
        }
        if probe:
            value["capabilities"] = {k: [asdict(x) for x in found] for k, found in tried.items()}
        value["battery"] = battery_value(battery, protocol)
        value["prices"] = notes
        value["by_pilot"] = [asdict(each) for each in by_pilot]
        if grid is not None:
            value["cap"] = grid_value(grid)
        click.echo(json_text(value))
        return
    lines = [
        *_lines(plan, study, probes),
        *battery_lines(battery, protocol),
        *pilot_lines(by_pilot),
        *_tried_lines(tried, probe),
        *notes,
        *power_lines(plan.judged, differences, rates),
    ]
    if grid is not None:
        lines += budget_lines(grid)
    click.echo("\n".join(lines))


def _with_prices(
    study: Study, plan: Forecast, *, writes: bool
) -> tuple[Study, Forecast, list[str]]:
    """Look up missing prices; return the study and its plan with them, and what there is to say."""
    from dataclasses import replace

    from counterbalance.cli.plan_prices import looked_up, price_lines, priced, write_prices
    from counterbalance.run.forecast import forecast
    from counterbalance.run.study import load_study

    found = looked_up(study, {j.judge: j.longest_prompt_tokens for j in plan.judges})
    if writes and write_prices(study.path, found):
        study = load_study(study.path)
        return study, forecast(study, _ANY_SECRET), price_lines(found, are_written=True)
    study = replace(study, protocol=priced(study.protocol, found))
    # Until they are written the prices are in no protocol, and its hash is the one of the file.
    shown = replace(forecast(study, _ANY_SECRET), protocol_digest=plan.protocol_digest)
    return study, shown, price_lines(found, are_written=False)


def _probes(study: Study, threads: int | None) -> dict[str, Probe | None]:
    from counterbalance.errors import JudgeError, MissingExtraError
    from counterbalance.protocol.judge_settings import LocalJudge
    from counterbalance.run.probe import probe_local

    found: dict[str, Probe | None] = {}
    for judge in study.protocol.judges:
        if isinstance(judge, LocalJudge):
            try:
                found[judge.name] = asyncio.run(probe_local(study, judge, _ANY_SECRET, threads))
            except MissingExtraError as error:
                click.echo(f"no time for {judge.name}: {error}", err=True)
            except JudgeError as error:
                click.echo(f"no time for {judge.name}: its first question: {error}", err=True)
    return found


def _tried(study: Study) -> dict[str, list[Capability]]:
    import os

    from counterbalance.protocol.judge_settings import HttpJudge
    from counterbalance.run.capabilities import capabilities

    return {
        judge.name: asyncio.run(capabilities(judge, os.environ))
        for judge in study.protocol.judges
        if isinstance(judge, HttpJudge)
    }


def _tried_lines(tried: dict[str, list[Capability]], probe: bool) -> list[str]:
    from counterbalance.report.layout import columns

    lines = (
        ["probed: no judge of this protocol is behind an endpoint"] if probe and not tried else []
    )
    for judge, found in tried.items():
        asked = sum(x.state != "not offered" for x in found)
        tokens = sum(x.tokens for x in found)
        lines.append(f"judge {judge}, probed with {asked} requests of {tokens} tokens together:")
        lines += columns([[x.name, x.state, x.found] for x in found], indent=2)
    return lines


def _seconds(judge: JudgeForecast, probe: Probe | None) -> float | None:
    if probe is None:
        return None
    return probe.seconds * judge.prompt_tokens / probe.estimated_tokens


def _lines(plan: Forecast, study: Study, probes: dict[str, Probe | None]) -> list[str]:
    from counterbalance.errors import one_line

    protocol = study.protocol
    lines = [
        one_line(protocol.title, 200),
        f"protocol {plan.protocol_digest}",
        (
            f"{plan.pairs} pairs of {plan.items} items in {plan.clusters} clusters"
            f" ({plan.identical} with identical texts, {plan.excluded} excluded,"
            f" {plan.held_out} held out: no calls for them)"
        ),
        (
            f"orders: {protocol.orders.assignment}; labellings:"
            f" {', '.join(x.name for x in protocol.labellings)}; repetitions:"
            f" {protocol.repetitions.per_order} of each order"
        ),
        (
            f"presentations: {plan.purposes['main']} for dispositions,"
            f" {plan.purposes['stability']} to measure repetition noise"
        ),
    ]
    if plan.held_out:
        lines.append(
            f"a confirmation on the {plan.held_out} held-out pairs (run --confirm) takes"
            f" {plan.confirmation_calls} calls more, which no line below counts"
        )
    for judge in plan.judges:
        lines += _judge_lines(judge, probes.get(judge.judge))
    lines += _strategy_lines(plan)
    lines += [f"warning: {sentence}" for sentence in plan.warnings]
    return [*lines, *_budget_lines(plan, study)]


def _strategy_lines(plan: Forecast) -> list[str]:
    from counterbalance.report.layout import columns

    if not plan.strategies:
        return []
    free = {judge.judge for judge in plan.judges if _is_free(judge)}
    has_batches = any(s.batch_cost_usd is not None for s in plan.strategies)
    rows = [
        [
            "strategy",
            "judge",
            "calls",
            "shared",
            "on call",
            "prompt tokens",
            "reply tokens",
            "price",
            *(["as batches"] if has_batches else []),
        ]
    ]
    rows += [
        [
            s.strategy,
            s.judge,
            str(s.calls),
            str(s.shared),
            f"at most {s.most_on_call}" if s.most_on_call else "",
            f"about {s.prompt_tokens}",
            f"at most {s.completion_tokens}",
            "free" if s.cost_usd is None and free.issuperset(s.by_judge) else _at_most(s.cost_usd),
            *([_at_most(s.batch_cost_usd)] if has_batches else []),
        ]
        for s in plan.strategies
    ]
    return [
        (
            "strategies: calls that each result rests on, tokens estimated from characters; shared"
            " ones are asked and paid once, for all that need them"
        ),
        *columns(rows, indent=2),
    ]


def _at_most(cost: float | None) -> str:
    from counterbalance.report.cost import dollars

    return "unpriced" if cost is None else f"at most {dollars(cost)}"


def _budget_lines(plan: Forecast, study: Study) -> list[str]:
    budget = study.protocol.budget.model_dump(exclude_none=True)
    limits = ", ".join(f"{k} {v:g}" for k, v in budget.items()) or "none declared"
    planned = {
        "max_calls": sum(j.calls for j in plan.judges),
        "max_tokens": sum(j.prompt_tokens + j.completion_tokens for j in plan.judges),
        "max_cost_usd": sum(j.cost_usd or 0.0 for j in plan.judges),
    }
    return [
        f"budget: {limits}",
        *(
            f"  the plan needs about {planned[name]:g}, so the run will stop at {name} {most:g}"
            for name, most in budget.items()
            if planned[name] > most
        ),
    ]


def _is_free(judge: JudgeForecast) -> bool:
    """Return whether nobody is paid for this judge."""
    return judge.kind in {"local", "scripted", "replay"} and judge.cost_usd is None


def _batch_cost(judge: JudgeForecast) -> str:
    if judge.batch_cost_usd is not None:
        return f"${judge.batch_cost_usd:.4f} at the declared discount"
    if judge.cost_usd is None:
        return "unpriced"
    return f"unpriced: [prices.{judge.judge}] has no batch_discount"


def _judge_lines(judge: JudgeForecast, probe: Probe | None) -> list[str]:
    retries = f", at most {judge.most_calls} with retries" if judge.most_calls > judge.calls else ""
    cost = "unpriced" if judge.cost_usd is None else f"${judge.cost_usd:.4f} without retries"
    if _is_free(judge):
        cost = "free"
    lines = [
        (
            f"judge {judge.judge} ({judge.kind}): {judge.calls} calls{retries};"
            f" about {judge.prompt_tokens} prompt tokens (estimated from characters; longest prompt"
            f" {judge.longest_prompt_tokens}), at most {judge.completion_tokens} reply tokens;"
            f" {cost}"
        )
    ]
    if judge.price:
        lines.append(f"  priced {judge.price}: {judge.price_each} for a million tokens")
    if judge.most_calls > judge.calls:
        cost = "" if judge.most_cost_usd is None else f", ${judge.most_cost_usd:.4f}"
        lines.append(
            f"  with every retry that the rule allows: {judge.most_calls} calls,"
            f" {judge.most_prompt_tokens} prompt and {judge.most_completion_tokens} reply tokens"
            f"{cost}"
        )
    if judge.too_long:
        lines.append(f"  {judge.too_long} of them are estimated to be too_long; nothing is cut")
    if judge.kind in {"http", "command", "callable"}:
        least = judge.least_seconds
        paced = f", at least {least:.0f} s by its limits" if least else ""
        lines.append(f"  {judge.concurrency} calls at once{paced}")
    if judge.batch_files:
        megabytes = max(0.1, judge.batch_bytes / 1_000_000)
        lines.append(
            f"  as batches (run --write-batch DIR): {judge.batch_files} files, about"
            f" {megabytes:.1f} MB; retries are batches of their own; {_batch_cost(judge)}"
        )
    seconds = _seconds(judge, probe)
    if probe is not None and seconds is not None:
        measured = judge.prompt_tokens * probe.prompt_tokens // probe.estimated_tokens
        lines.append(
            f"  about {measured} tokens and {seconds:.0f} s on this machine, by one call asked"
            f" just now: {probe.prompt_tokens} tokens in {probe.seconds:.2f} s"
        )
    return lines
