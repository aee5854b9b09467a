"""What the self-test found, as lines and as a JSON value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.report.layout import columns, percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.selftest.planted_bias import Recovered
    from counterbalance.selftest.scenarios import Band
    from counterbalance.selftest.simulation import Simulated
    from counterbalance.selftest.whole_product import Recognised

__all__ = ["SCHEMA", "is_passed", "selftest_text", "selftest_value"]

SCHEMA = "counterbalance.selftest/1"
_ONE = 1.0


def is_passed(
    judges: Sequence[Recognised],
    simulations: Sequence[Simulated],
    probed: Sequence[Recovered] = (),
) -> bool:
    """Say whether every judge was called what was planted and every share lies in its band."""
    is_called = all(each.is_right for each in judges) and all(each.is_right for each in probed)
    return is_called and all(each.is_held for each in simulations)


def selftest_text(
    judges: Sequence[Recognised],
    simulations: Sequence[Simulated],
    probed: Sequence[Recovered] = (),
) -> str:
    """Return the result for a terminal: every judge, every share with its Monte Carlo error."""
    lines = ["counterbalance selftest", "", *_judge_lines(judges)]
    if probed:
        lines += ["", *_probed_lines(probed)]
    lines += ["", *_lines(simulations)]
    n_judges = len(judges) + len(probed)
    n_wrong = sum(not each.is_right for each in judges)
    n_wrong += sum(not each.is_right for each in probed)
    n_outside = sum(not each.is_held for each in simulations)
    lines += ["", *_limits(simulations)]
    verdict = "passed" if is_passed(judges, simulations, probed) else "FAILED"
    lines.append(
        f"{verdict}: {n_judges - n_wrong} of {n_judges} judges called what was planted,"
        f" {len(simulations) - n_outside} of {len(simulations)} shares within what is allowed"
    )
    return "\n".join(lines) + "\n"


def _judge_lines(judges: Sequence[Recognised]) -> list[str]:
    rows = [["judge", "what is planted", "must be called", "was called", ""]]
    rows += [
        [
            each.judge.name,
            each.judge.planted,
            ", ".join(sorted(each.judge.names)) or "nothing",
            ", ".join(sorted(each.called)) or "nothing",
            "" if each.is_right else "WRONG" if each.adds_up else "DOES NOT ADD UP",
        ]
        for each in judges
    ]
    title = "Scripted judges through the whole product: protocol, run, record, report"
    return [title, *columns(rows)]


def _probed_lines(probed: Sequence[Recovered]) -> list[str]:
    rows = [["judge", "probe", "planted b", "found", "fired", ""]]
    for each in probed:
        score = each.score
        is_found = score is not None and score.low is not None and score.high is not None
        rows.append(
            [
                each.judge.name,
                each.judge.probe or "none",
                f"{each.judge.b:+.2f}" if each.judge.probe else "",
                f"{score.value:+.2f} [{score.low:+.2f}, {score.high:+.2f}]"
                if score is not None and is_found
                else "",
                ", ".join(each.fired) or "nothing",
                "" if each.is_right else "WRONG",
            ]
        )
    title = "Scripted judges through a probe battery: pairs, run, record, report"
    return [title, *columns(rows)]


def _lines(simulations: Sequence[Simulated]) -> Iterator[str]:
    n = simulations[0].n_replicates if simulations else 0
    yield f"Intervals and tests where the truth is known: {n} replicates of each, fixed seeds"
    rows = [["", "share", "error", "of", "allowed", ""]]
    scenario = ""
    for each in simulations:
        if each.scenario != scenario:
            scenario = each.scenario
            rows.append([scenario, "", "", "", "", ""])
        rows.append(
            [
                f"  {each.band.kind}: {each.question}",
                percent(each.share),
                percent(each.error),
                str(each.n_answered),
                _allowed(each.band),
                "" if each.is_held else "OUTSIDE",
            ]
        )
    yield from columns(rows, right=[1, 2, 3])


def _allowed(band: Band) -> str:
    if band.most >= _ONE:
        return f"at least {band.least:.0%}"
    return f"{band.least:.0%} to {band.most:.0%}" if band.least else f"at most {band.most:.0%}"


def _limits(simulations: Sequence[Simulated]) -> Iterator[str]:
    if any(each.is_short for each in simulations):
        yield (
            "A short run: a share counts as outside only beyond three Monte Carlo errors."
            " --thorough asks for the bands themselves."
        )
    yield (
        "This shows that the instrument finds what was planted, and nothing about any judge, model"
        " or product."
    )


def selftest_value(
    judges: Sequence[Recognised],
    simulations: Sequence[Simulated],
    probed: Sequence[Recovered] = (),
) -> dict[str, Any]:
    """Return the result in schema ``counterbalance.selftest/1``."""
    return {
        "schema": SCHEMA,
        "passed": is_passed(judges, simulations, probed),
        "probed": [
            {
                "name": each.judge.name,
                "probe": each.judge.probe or None,
                "planted_b": each.judge.b,
                "found": None if each.score is None else each.score.value,
                "low": None if each.score is None else each.score.low,
                "high": None if each.score is None else each.score.high,
                "fired": list(each.fired),
                "is_right": each.is_right,
            }
            for each in probed
        ],
        "judges": [
            {
                "name": each.judge.name,
                "planted": each.judge.planted,
                "must_be_called": sorted(each.judge.names),
                "called": sorted(each.called),
                "adds_up": each.adds_up,
                "is_right": each.is_right,
            }
            for each in judges
        ],
        "simulations": [
            {
                "scenario": each.scenario,
                "question": each.question,
                "kind": each.band.kind,
                "share": each.share,
                "error": each.error,
                "yes": each.n_yes,
                "answered": each.n_answered,
                "replicates": each.n_replicates,
                "least": each.band.least,
                "most": each.band.most,
                "is_held": each.is_held,
            }
            for each in simulations
        ],
    }
