"""What was decided before the first call, as the protocol holds it; nothing, for a log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.report.history import fixed_when, revision_lines, star_line
from counterbalance.report.html.sections import Part, Section, Words
from counterbalance.report.html.table import Cell, Table
from counterbalance.report.layout import plural, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from counterbalance.report.history import History
    from counterbalance.report.report import Report

__all__ = ["decided"]

_LONGEST = 600
_TITLE = "What was decided before the verdicts were seen"
_NOTHING = (
    "Nothing was decided before: these verdicts were there when the analysis was chosen. Every"
    " number on this page is exploratory. It says what is in the log, and confirms no hypothesis."
)
_EXPLORATORY = (
    "Calls beyond the retry rule are counted on this page, so that none of its numbers is the one"
    " that was decided on beforehand: everything is exploratory."
)


def decided(report: Report) -> Section:
    """Show what was fixed in advance.

    Parameters
    ----------
    report : Report
        The report.

    Returns
    -------
    Section
        A table of the protocol's decisions, or the sentence that there were none.
    """
    if report.log is not None:
        return Section("decided", _TITLE, "", (Part("", (Words((_NOTHING,)),)),))
    rows = tuple(
        (Cell(name), Cell(visible(said, _LONGEST))) for name, said in _rows(report.protocol) if said
    )
    table = Table(
        caption="The protocol, in short",
        about=(
            f"Protocol {report.protocol_digest}, {fixed_when(report.history)}. The whole protocol"
            " is in the report's JSON."
        ),
        head=("decision", "as fixed"),
        rows=rows,
    )
    said = [line.strip() for line in revision_lines(report.history)]
    said.append(_EXPLORATORY if report.is_exploratory else _planned(report.history))
    return Section("decided", _TITLE, "", (Part("", (Words(tuple(said)), table)),))


def _planned(history: History) -> str:
    if history.is_after_data:
        return f"{star_line(history, is_held_out=False).capitalize()}."
    return "The measures and tests named here are planned; every other number is exploratory."


def _rows(protocol: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    question, analysis = protocol["question"], protocol["analysis"]
    yield "decision it serves", question["decision"]
    yield "question", f"{question['kind']}; length: {question['length']}"
    yield "judges", ", ".join(_judge(judge) for judge in protocol["judges"])
    yield "orders", _orders(protocol)
    yield "repetitions", _repetitions(protocol["repetitions"])
    yield "retry rule", _retry(protocol["retry"])
    yield "planned measures", ", ".join(analysis["measures"])
    yield "family of tests", _family(protocol)
    margins = ", ".join(f"{name} ±{margin:g}" for name, margin in analysis["margins"].items())
    yield "margins", margins or "none declared"
    yield "intervals", f"{analysis['confidence_level']:.0%}, over each {analysis['cluster']}"
    named = protocol.get("strategies", ())
    yield "strategies", ", ".join(x if isinstance(x, str) else x["id"] for x in named)
    yield "baseline (candidate a)", protocol.get("baseline") or ""
    yield "left out", ", ".join(each["reason"] for each in protocol.get("exclusions", ()))
    held_out = protocol.get("held_out")
    yield "held out", f"{held_out['share']:.0%} of the pairs" if held_out else ""


def _judge(judge: Mapping[str, Any]) -> str:
    model = judge.get("model")
    kind = f"{judge['kind']}, {model}" if model else judge["kind"]
    return f"{judge['name']} ({kind})"


def _orders(protocol: Mapping[str, Any]) -> str:
    both = protocol["orders"]["assignment"] == "both"
    shown = "each pair in both orders" if both else "each pair in one order, balanced by seed"
    labels = " and ".join(f"{x['first']}/{x['second']}" for x in protocol["labellings"])
    return f"{shown}; labels {labels}; seed {protocol['seed']}"


def _repetitions(repetitions: Mapping[str, Any]) -> str:
    said = f"{plural(repetitions['per_order'], 'presentation')} of each order"
    subset = repetitions.get("subset")
    if not subset:
        return said
    pairs = plural(subset["pairs"], "pair")
    return (
        f"{said}; {pairs} asked {subset['per_order']} times more in each order to measure stability"
    )


def _retry(retry: Mapping[str, Any]) -> str:
    if not retry["outcomes"]:
        return "nothing is asked again"
    outcomes = ", ".join(retry["outcomes"])
    return f"{outcomes}: at most {plural(retry['max_attempts'], 'attempt')}"


def _family(protocol: Mapping[str, Any]) -> str:
    planned = protocol["analysis"]["family"]
    if not planned:
        return "none planned"
    n = len(planned) * len(protocol["judges"]) * len(protocol["labellings"])
    return f"{', '.join(planned)}; corrected by Holm over {plural(n, 'test')}"
