"""``counterbalance compare``: judge against judge and run against run, on the pairs they share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from counterbalance.cli.compare_strategies import print_strategies, strategy_options
from counterbalance.cli.places import record_place

if TYPE_CHECKING:
    from counterbalance.cli.compare_strategies import StrategyWords
    from counterbalance.compare.comparison import Comparisons
    from counterbalance.compare.matching import MatchedBy
    from counterbalance.importers.log_format import LogFormat
    from counterbalance.protocol.sections import ComparedMeasure
    from counterbalance.record.place import Place

__all__ = ["command"]

_BOTH = 2


@click.command("compare")
@click.argument("records", nargs=-1, type=record_place, metavar="[RECORD [RECORD2]]")
@click.option(
    "--log",
    "logs",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Compare the judges of a foreign log instead of a record; may be repeated.",
)
@click.option(
    "--format", "format_name", metavar="NAME", help="Format of the log; detected when left out."
)
@click.option("--map", "mapping", metavar="FILE", help="Read the log's rows as a mapping says.")
@click.option(
    "--judges",
    nargs=2,
    type=str,
    metavar="FIRST SECOND",
    help="The two judges that are compared: of RECORD, or one of each record.",
)
@click.option("--against", metavar="JUDGE", help="Compare every other judge with this one.")
@click.option(
    "--margin",
    "margins",
    multiple=True,
    metavar="MEASURE=VALUE",
    help="Smallest difference that matters, such as agreement_both=0.05; exploratory.",
)
@click.option(
    "--match",
    type=click.Choice(["content", "id"]),
    default="content",
    show_default=True,
    help="What makes pairs of two records the same.",
)
@click.option(
    "--odds",
    "with_odds",
    is_flag=True,
    help="Conditional and marginal odds besides, from a logit with random intercepts; slow.",
)
@strategy_options
@click.option("--full", is_flag=True, help="Every table of every comparison, with cautions.")
@click.option(
    "--html",
    type=click.Path(path_type=Path),
    help="Write one page that needs no network and no script.",
)
@click.option("--json", "as_json", is_flag=True, help="Print schema counterbalance.compare/1.")
def command(
    *,
    records: tuple[Place, ...],
    logs: tuple[Path, ...],
    format_name: str | None,
    mapping: str | None,
    judges: tuple[str, str] | None,
    against: str | None,
    margins: tuple[str, ...],
    match: MatchedBy,
    with_odds: bool,
    words: StrategyWords,
    full: bool,
    html: Path | None,
    as_json: bool,
) -> int:
    """Compare the judges of RECORD, or RECORD2 with RECORD, on the pairs that both share.

    Prints for each measure the difference with its interval, the pairs gained and lost, what was
    left out and why, and how far missing verdicts could move it. Better, worse or equivalent is
    said only against a margin: that of [compare] in the protocol, or --margin. A difference between
    runs is never put down to the candidates when the judging differs. Exit code 3 when no common
    pair has a verdict.

    With --strategies the strategies of each judge are compared with a baseline instead: agreement,
    stability, ties, cost and what follows from them.
    """
    from dataclasses import replace

    from counterbalance.cli.log_options import named_format
    from counterbalance.cli.margins import given_margins
    from counterbalance.cli.output import json_text, refuse_to_replace, written_text
    from counterbalance.cli.running import EXIT_INCOMPLETE
    from counterbalance.report.comparison_json import comparisons_value
    from counterbalance.report.comparison_text import comparisons_text

    given = given_margins(margins)
    _check_words(records, logs, judges, against)
    log_format, _ = named_format(format_name, mapping)
    words.refuse_without_strategies()
    if html is not None:
        refuse_to_replace([html], [*logs, *(each for each in records if isinstance(each, Path))])
    if words.strategies:
        _refuse_judges(judges, against, with_odds=with_odds)
        return print_strategies(
            records, logs, log_format, words, given, full=full, as_json=as_json, html=html
        )
    if logs:
        found = _of_logs(logs, log_format, judges, against, given, with_panels=full or as_json)
    elif len(records) == _BOTH:
        found = _of_two((records[0], records[1]), judges, given, match)
    else:
        found = _of_one(records[0], judges, against, given, with_panels=full or as_json)
    if with_odds:
        from counterbalance.compare.odds import judge_odds

        odds = [
            judge_odds((one.first, one.second), one.matched, found.plan.measures, found.plan.level)
            for one in found.comparisons
        ]
        found = replace(found, odds=tuple(each for some in odds for each in some))
    text = comparisons_text(found, full=full).rstrip("\n")
    click.echo(json_text(comparisons_value(found)) if as_json else text)
    if html is not None:
        from counterbalance.report.html.compare_page import render_compare_html

        written_text(html, render_compare_html(found, full=full))
        click.echo(f"{html}: the comparison as a page", err=True)
    nothing = all(
        difference.value is None
        for comparison in found.comparisons
        for difference, _ in comparison.differences
    )
    return EXIT_INCOMPLETE if nothing else 0


def _check_words(
    records: tuple[Place, ...],
    logs: tuple[Path, ...],
    judges: tuple[str, str] | None,
    against: str | None,
) -> None:
    from counterbalance.errors import UsageError

    problem = ""
    if logs and records:
        problem = "records and --log do not go together; compare one or the other"
    elif not logs and not 1 <= len(records) <= _BOTH:
        problem = "give one record, two records, or --log FILE"
    elif judges and against:
        problem = "--judges and --against do not go together; give one of them"
    elif judges and judges[0] == judges[1] and len(records) < _BOTH:
        problem = f"--judges names {judges[0]} twice; name two judges"
    elif against and len(records) == _BOTH:
        problem = "--against is about the judges of one record; use --judges FIRST SECOND"
    if problem:
        raise UsageError(problem)


def _refuse_judges(judges: tuple[str, str] | None, against: str | None, *, with_odds: bool) -> None:
    from counterbalance.errors import UsageError

    if judges or against or with_odds:
        name = "--judges" if judges else "--against" if against else "--odds"
        msg = f"{name} is about judges against one another; every judge's strategies are compared"
        raise UsageError(msg)


def _of_one(
    record: Place,
    judges: tuple[str, str] | None,
    against: str | None,
    margins: dict[ComparedMeasure, float],
    *,
    with_panels: bool,
) -> Comparisons:
    from dataclasses import replace

    from counterbalance.compare.comparison import compare
    from counterbalance.compare.pairing import chosen, pairs_of_judges
    from counterbalance.compare.panel import panels
    from counterbalance.record import open_record
    from counterbalance.report.compared_records import plan_of, sides_of_record
    from counterbalance.report.evidence import read_evidence

    with open_record(record, create=False, exclusive=False) as store:
        evidence = read_evidence(store)
    sides = sides_of_record(evidence)
    declared = evidence.protocol.compare
    first = None if declared is None else declared.against
    pairs = chosen(sides, judges, against or (None if judges else first))
    n_declared = len(pairs_of_judges(sides, first))
    found = compare(pairs, plan_of(evidence, margins, n_comparisons=n_declared))
    return replace(found, panels=panels(sides, found.plan.level)) if with_panels else found


def _of_two(
    records: tuple[Place, Place],
    judges: tuple[str, str] | None,
    margins: dict[ComparedMeasure, float],
    by: MatchedBy,
) -> Comparisons:
    from counterbalance.compare.comparison import compare
    from counterbalance.compare.pairing import paired_runs
    from counterbalance.report.compared_records import plan_of, read_two

    found, sides = read_two(*records)
    pairs = paired_runs(sides[0], sides[1], judges)
    plan = plan_of(found[1], margins, n_comparisons=len(sides[1]), by=by)
    return compare(pairs, plan)


def _of_logs(
    logs: tuple[Path, ...],
    log_format: LogFormat | None,
    judges: tuple[str, str] | None,
    against: str | None,
    margins: dict[ComparedMeasure, float],
    *,
    with_panels: bool,
) -> Comparisons:
    from dataclasses import replace

    from counterbalance.compare.comparison import compare
    from counterbalance.compare.pairing import chosen
    from counterbalance.compare.panel import panels
    from counterbalance.errors import UsageError
    from counterbalance.importers.loading import read_logs
    from counterbalance.report.compared_logs import sides_of_log
    from counterbalance.report.compared_records import plan_of

    log = read_logs(logs, log_format=log_format, rereads=False)
    sides = sides_of_log(log)
    pairs = chosen(sides, judges, against)
    if len(pairs) > _MOST_COMPARISONS:
        msg = (
            f"{len(sides)} judges make {len(pairs)} comparisons; name one to compare the others"
            " with (--against JUDGE), or two (--judges FIRST SECOND)"
        )
        raise UsageError(msg)
    found = compare(pairs, plan_of(None, margins, n_comparisons=None), log.notes)
    return replace(found, panels=panels(sides, found.plan.level)) if with_panels else found


_MOST_COMPARISONS = 100
