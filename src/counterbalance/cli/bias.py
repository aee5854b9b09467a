"""``counterbalance bias``: the probe battery of a judge, run and scored."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from counterbalance.cli.places import record_place

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from counterbalance.measures.likelihood import AnswerLikelihoods
    from counterbalance.record.place import Place
    from counterbalance.report.bias import BiasReport
    from counterbalance.run.battery import BatteryStudy
    from counterbalance.run.likelihoods import JudgeLikelihoods
    from counterbalance.run.study import Study

__all__ = ["command"]

_DEFAULT_FOLDER = Path("counterbalance-bias")


@click.command("bias")
@click.argument("protocol", type=click.Path(path_type=Path), required=False)
@click.option(
    "--record",
    type=record_place,
    metavar="RECORD",
    help=(
        "Where evidence goes: a file, or postgresql://USER@HOST/DATABASE#NAME."
        " Default: PROTOCOL's name with .bias.record.sqlite."
    ),
)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    help="Threads of the embedded model. Default: all cores. Changes no result.",
)
@click.option(
    "--likelihoods",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help=(
        "JSON lines with the log-probabilities of whole answers (pair, a, b): score the probes by"
        " sum and by mean per token as well."
    ),
)
@click.option(
    "--published",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help=(
        "Ask nobody: check the controlled pairs of the study judging-the-judges"
        " (controlled_pairs.jsonl, plain or gzipped, or its folder) and list the flawed ones."
    ),
)
@click.option(
    "--write",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="With --published: write the sound pairs as a pair file.",
)
@click.option(
    "--html",
    "html_path",
    type=click.Path(path_type=Path),
    help="Write one page that needs no network and no script.",
)
@click.option("--full", is_flag=True, help="Add both scales, categories, checks and all flaws.")
@click.option("--quiet", is_flag=True, help="No progress.")
@click.option("--json", "as_json", is_flag=True, help="Print schema counterbalance.bias/1.")
def command(
    protocol: Path | None,
    *,
    record: Place | None,
    threads: int | None,
    likelihoods: Path | None,
    published: Path | None,
    write: Path | None,
    html_path: Path | None,
    full: bool,
    quiet: bool,
    as_json: bool,
) -> int:
    """Send the judges of PROTOCOL through its probes and print their signed sensitivities.

    The table [bias] of the protocol names the probes. Their pairs are made from the protocol's own,
    or written by hand under the key probe of the pair file. What is recorded is not asked again.
    Without PROTOCOL, the embedded model judges a bundled battery in ./counterbalance-bias. Exit
    code 3 when presentations are left.
    """
    if published is not None or write is not None:
        _refuse_page(html_path)
        return _checked(published, write, protocol, full=full, as_json=as_json)
    from counterbalance.cli.bundle import copy_bias
    from counterbalance.cli.rewriting import unfinished_lines, written_rewrites
    from counterbalance.cli.running import EXIT_INCOMPLETE, run_watched
    from counterbalance.run.battery import load_battery, load_sources

    path = protocol or copy_bias(_DEFAULT_FOLDER)
    sources = load_sources(path)
    place = record or sources.default_record
    if html_path is not None:
        _check_page(html_path, sources.study, place, path)
    rewrites = written_rewrites(sources, place, threads=threads, quiet=quiet)
    if rewrites is not None and (rewrites.outstanding or rewrites.stopped):
        for line in unfinished_lines(rewrites):
            click.echo(line, err=True)
        return EXIT_INCOMPLETE
    whole = load_battery(path, rewrites)
    told = _told(likelihoods, whole)
    summary = run_watched(whole.study, place, threads=threads, quiet=quiet)
    asked = _asked(whole, place, quiet=quiet, is_stopped=bool(summary.stopped))
    _show(_report(whole, place, told, asked), html_path, full=full, as_json=as_json)
    click.echo(f"{place}: the record", err=True)
    stopped = [summary.stopped, *(judge.stopped for judge in asked)]
    for reason in filter(None, stopped):
        click.echo(f"stopped: {reason}", err=True)
    is_whole = not summary.outstanding and not any(judge.outstanding for judge in asked)
    return 0 if is_whole and not any(stopped) else EXIT_INCOMPLETE


def _show(report: BiasReport, html_path: Path | None, *, full: bool, as_json: bool) -> None:
    from counterbalance.cli.output import json_text, written_text
    from counterbalance.report.bias_json import bias_value
    from counterbalance.report.bias_text import bias_text
    from counterbalance.report.html.bias_page import render_bias_html

    if as_json:
        click.echo(json_text(bias_value(report)))
    else:
        click.echo(bias_text(report, full=full).rstrip("\n"))
    if html_path is not None:
        written_text(html_path, render_bias_html(report))
        click.echo(f"{html_path}: the report as a page", err=True)


def _asked(
    whole: BatteryStudy, place: Place, *, quiet: bool, is_stopped: bool
) -> list[JudgeLikelihoods]:
    """Ask how likely whole answers are, where the protocol declares it."""
    import asyncio

    from counterbalance.cli.progress import RunProgress
    from counterbalance.run.likelihoods import ask_likelihoods

    protocol = whole.study.protocol
    if protocol.likelihoods is None or is_stopped:
        return []
    with RunProgress(quiet=quiet, things="answers to weigh", doing="weighing") as progress:
        return asyncio.run(
            ask_likelihoods(
                protocol,
                protocol.likelihoods,
                whole.battery.pairs,
                place,
                announce=progress.announce,
                said=lambda _, reply: progress.counted(reply.failure or "told"),
            )
        )


def _told(path: Path | None, whole: BatteryStudy) -> Mapping[str, AnswerLikelihoods] | None:
    """Read a file of log-probabilities, where one is named."""
    from counterbalance.importers.likelihoods import answer_likelihoods

    if path is None:
        return None
    return answer_likelihoods(path, {pair.id for pair in whole.battery.pairs})


def _refuse_page(html_path: Path | None) -> None:
    """Refuse a page where no judge is asked."""
    from counterbalance.errors import UsageError

    if html_path is not None:
        msg = "--html: is of judges; --published asks none. Leave one of the two out"
        raise UsageError(msg)


def _check_page(html_path: Path, study: Study, place: Place, protocol: Path) -> None:
    """Refuse to replace the record or its study, before anything is asked."""
    from counterbalance.cli.output import refuse_to_replace

    kept = [protocol, protocol.parent / study.protocol.pairs]
    refuse_to_replace([html_path], [*kept, place] if isinstance(place, Path) else kept)


def _checked(
    published: Path | None,
    write: Path | None,
    protocol: Path | None,
    *,
    full: bool,
    as_json: bool,
) -> int:
    """Check the pairs that others published, and write the sound ones where that is asked for."""
    import json

    from counterbalance.cli.output import json_text, refuse_to_replace, written
    from counterbalance.errors import UsageError
    from counterbalance.importers.controlled_pairs import controlled_pairs
    from counterbalance.probes.battery import flaws_of
    from counterbalance.report.controlled import checked_pairs, controlled_text, controlled_value

    if published is None or protocol is not None:
        msg = "--published checks a file of its own; leave PROTOCOL out, and --write goes with it"
        raise UsageError(msg)
    held = controlled_pairs(published)
    pairs = [each.pair for each in held]
    checked = checked_pairs(published.name, pairs, flaws_of(pairs))
    if as_json:
        click.echo(json_text(controlled_value(checked)))
    else:
        click.echo(controlled_text(checked, full=full).rstrip("\n"))
    if write is not None:
        refuse_to_replace([write], [published])
        flawed = {flaw.pair for flaw in checked.flaws}
        with written(write) as file:
            for each in held:
                if each.pair.id not in flawed:
                    file.write(json.dumps(each.row, ensure_ascii=False) + "\n")
        click.echo(f"{write}: {len(held) - len(flawed)} pairs", err=True)
    return 0


def _report(
    whole: BatteryStudy,
    place: Place,
    likelihoods: Mapping[str, AnswerLikelihoods] | None,
    asked: Sequence[JudgeLikelihoods],
) -> BiasReport:
    from counterbalance.record import open_record
    from counterbalance.report.build_bias import build_bias_report
    from counterbalance.report.evidence import read_evidence

    with open_record(place, create=False, exclusive=False) as store:
        evidence = read_evidence(store)
    return build_bias_report(
        evidence,
        whole.battery,
        whole.declared,
        whole.families,
        likelihoods,
        whole.rewrites,
        asked,
    )
