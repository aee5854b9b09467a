"""``counterbalance gate``: the rules of a protocol, held to its record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from counterbalance.cli.places import record_place

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from counterbalance.protocol.protocol import Protocol
    from counterbalance.record.place import Place
    from counterbalance.report.gate.result import GateResult

__all__ = ["command"]

_EXITS = {"pass": 0, "fail": 1, "not enough evidence": 3}


@click.command("gate")
@click.argument("record", type=record_place)
@click.option("--json", "as_json", is_flag=True, help="Print schema counterbalance.gate/1.")
@click.option(
    "--html",
    type=click.Path(path_type=Path),
    help="Write one page that needs no network and no script.",
)
@click.option("--junit", type=click.Path(path_type=Path), help="Write JUnit XML.")
@click.option("--sarif", type=click.Path(path_type=Path), help="Write SARIF 2.1.0.")
@click.option(
    "--protocol",
    type=click.Path(path_type=Path),
    help="The protocol file that findings in --sarif point at; default: beside the record.",
)
@click.option(
    "--summary",
    type=click.Path(path_type=Path),
    help='Append Markdown, such as to "$GITHUB_STEP_SUMMARY".',
)
@click.option(
    "--simulate",
    type=int,
    is_flag=False,
    flag_value=2000,
    metavar="[DRAWS]",
    help="Instead: how often these rules pass and fail judges whose true rates are known.",
)
@click.option(
    "--correlation",
    default=0.0,
    show_default=True,
    help="Likeness of the pairs of a cluster in --simulate, from 0 to 1.",
)
def command(
    *,
    record: Place,
    as_json: bool,
    html: Path | None,
    junit: Path | None,
    sarif: Path | None,
    protocol: Path | None,
    summary: Path | None,
    simulate: int | None,
    correlation: float,
) -> int:
    """Hold RECORD to the [[gate]] rules of its protocol: pass, fail, or not enough evidence.

    Exit code 0 when every rule passes, 1 when one fails or the record does not fit its plan and
    its hashes, 3 when the evidence does not suffice, with the number of pairs that would. There
    are no default rules: without any, exit code 2. --simulate also takes a protocol that is not
    run yet.
    """
    from counterbalance.cli.output import json_text, refuse_to_replace, written_text
    from counterbalance.record import open_record
    from counterbalance.report.evidence import read_evidence
    from counterbalance.report.gate.as_json import gate_json
    from counterbalance.report.gate.evaluating import evaluate_gate
    from counterbalance.report.gate.text import gate_lines

    if simulate is not None:
        return _simulate(record, simulate, correlation, as_json)
    kept = [record] if isinstance(record, Path) else []
    outputs = (html, junit, sarif, summary)
    refuse_to_replace([path for path in outputs if path is not None], kept)
    with open_record(record, create=False, exclusive=False) as store:
        evidence = read_evidence(store)
        result = evaluate_gate(evidence, store.verify())
    if html is not None:
        from counterbalance.report.html.gate_page import render_gate_html

        written_text(html, render_gate_html(result))
        click.echo(f"{html}: the gate as a page", err=True)
    if junit is not None:
        from counterbalance.report.gate.junit import gate_junit

        written_text(junit, gate_junit(result))
    if sarif is not None:
        _write_sarif(sarif, result, protocol or _protocol_beside(record))
    if summary is not None:
        _append(summary, result)
    click.echo(json_text(gate_json(result)) if as_json else "\n".join(gate_lines(result)))
    return _EXITS[result.verdict.value]


def _simulate(place: Place, draws: int, correlation: float, as_json: bool) -> int:
    """Simulate the rules over the pairs of a record, or of a protocol that is not run yet."""
    from counterbalance.cli.output import json_text
    from counterbalance.report.gate.simulating import simulate_gate
    from counterbalance.report.gate.simulation_text import simulation_lines

    protocol, clusters = _pairs_of(place)
    found = simulate_gate(protocol, clusters, draws=draws, correlation=correlation)
    click.echo(json_text(found.as_json) if as_json else "\n".join(simulation_lines(found)))
    return 0


def _pairs_of(place: Place) -> tuple[Protocol, NDArray[np.int32]]:
    """Return a protocol and the cluster of each pair that it has judged in two orders."""
    from counterbalance.measures.from_judged import pair_table
    from counterbalance.presentations.assignment import excluded_reasons, held_out_ids
    from counterbalance.record import open_record
    from counterbalance.report.evidence import read_evidence
    from counterbalance.run.study import load_study

    if isinstance(place, Path) and place.suffix == ".toml":
        study = load_study(place)
        protocol, pairs = study.protocol, study.pairs.pairs
        left_out = {*excluded_reasons(pairs, protocol), *held_out_ids(pairs, protocol)}
        judged = [pair for pair in pairs if pair.id not in left_out]
    else:
        with open_record(place, create=False, exclusive=False) as store:
            evidence = read_evidence(store)
        protocol = evidence.protocol
        judged = [each.pair for each in next(iter(evidence.groups.values()), ())]
    table = pair_table([pair for pair in judged if not pair.is_identical])
    return protocol, table.units(protocol.analysis.cluster)


def _protocol_beside(record: Place) -> Path:
    """Return where a run finds the protocol of a record that has the usual name."""
    if not isinstance(record, Path):
        return Path("protocol.toml")
    return record.with_name(record.name.removesuffix(".sqlite").removesuffix(".record") + ".toml")


def _write_sarif(path: Path, result: GateResult, protocol: Path) -> None:
    from counterbalance.cli.output import json_text, written_text
    from counterbalance.report.gate.sarif import gate_sarif

    text = ""
    if protocol.is_file():
        text = protocol.read_text(encoding="utf-8", errors="replace")
    name = protocol.as_posix()
    if protocol.is_absolute() and protocol.is_relative_to(Path.cwd()):
        name = protocol.relative_to(Path.cwd()).as_posix()
    written_text(path, json_text(gate_sarif(result, name, text)) + "\n")


def _append(path: Path, result: GateResult) -> None:
    """Append to a summary that other steps write to as well."""
    from counterbalance.errors import InputError
    from counterbalance.report.gate.summary import summary_lines

    try:
        with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.writelines(f"{line}\n" for line in summary_lines(result))
    except OSError as error:
        msg = f"{path}: cannot be written: {error.strerror}; choose another place"
        raise InputError(msg) from None
