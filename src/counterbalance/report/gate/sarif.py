"""A gate's result as SARIF 2.1.0, each finding at the rule's place in the protocol file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from counterbalance import __version__
from counterbalance.report.gate.result import GateVerdict
from counterbalance.report.gate.text import check_title, limit_words, why_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.report.gate.result import GateResult

__all__ = ["gate_sarif"]

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {GateVerdict.FAIL: "error", GateVerdict.NOT_ENOUGH: "warning"}
_WHOLE = "record"


def gate_sarif(result: GateResult, protocol_file: str, protocol_text: str) -> dict[str, Any]:
    """Return what did not pass as a SARIF log.

    Parameters
    ----------
    result : GateResult
        What the gate came to.
    protocol_file : str
        Path of the protocol, relative to the root of the repository.
    protocol_text : str
        What stands in it; empty where it is not at hand, and findings are at its first line.

    Returns
    -------
    dict[str, Any]
        Rules that failed as errors, open ones as warnings; nothing for those that passed.
    """
    lines = _lines_of_rules(protocol_text)
    rules = {check.rule.name: limit_words(check.rule) for check in result.checks}
    rules[_WHOLE] = "the record fits its plan and its hashes, and everything planned was run"
    found = [
        {
            "ruleId": name,
            "level": _LEVELS[verdict],
            "message": {"text": text},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": protocol_file.replace("\\", "/")},
                        "region": {"startLine": lines.get(name, 1)},
                    }
                }
            ],
        }
        for name, verdict, text in _findings(result)
    ]
    driver = {
        "name": "counterbalance",
        "version": __version__,
        "rules": [
            {"id": name, "shortDescription": {"text": words}} for name, words in rules.items()
        ],
    }
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": found}],
    }


def _findings(result: GateResult) -> Iterator[tuple[str, GateVerdict, str]]:
    for line in result.broken:
        yield _WHOLE, GateVerdict.FAIL, line
    for line in result.missing:
        yield _WHOLE, GateVerdict.NOT_ENOUGH, line
    for check in result.checks:
        if check.verdict in _LEVELS:
            text = f"{check_title(check)}: {limit_words(check.rule)}: {why_words(check)}"
            yield check.rule.name, check.verdict, text


def _lines_of_rules(text: str) -> dict[str, int]:
    """Find the line on which each rule is named; the first that names it counts."""
    found: dict[str, int] = {}
    in_gate = False
    for n, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("["):
            in_gate = "".join(line.split()).startswith("[[gate]]")
        named = re.match(r"\s*name\s*=\s*[\"'](.*?)[\"']\s*(#.*)?$", line)
        if in_gate and named:
            found.setdefault(named[1].strip(), n)
    return found
