"""A gate's result as JUnit XML: a test case for each rule and group."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from counterbalance.report.gate.result import GateVerdict
from counterbalance.report.gate.text import check_title, limit_words, why_words
from counterbalance.report.layout import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.report.gate.result import GateResult

__all__ = ["gate_junit"]

_SUITE = "counterbalance gate"
_OUTCOMES = {GateVerdict.FAIL: "failure", GateVerdict.NOT_ENOUGH: "error"}
"""An open rule is an error: what is skipped would look like what has passed."""


def gate_junit(result: GateResult) -> str:
    """Return the result as a JUnit document.

    Parameters
    ----------
    result : GateResult
        What the gate came to.

    Returns
    -------
    str
        XML that test reporters read; names of judges and rules are escaped.
    """
    cases = list(_cases(result))
    counts = {
        "tests": len(cases),
        "failures": sum(verdict is GateVerdict.FAIL for _, verdict, _ in cases),
        "errors": sum(verdict is GateVerdict.NOT_ENOUGH for _, verdict, _ in cases),
        "skipped": 0,
    }
    sizes = {name: str(n) for name, n in counts.items()}
    root = ET.Element("testsuites", {"name": _SUITE, **sizes})
    suite = ET.SubElement(root, "testsuite", {"name": visible(result.title, 200), **sizes})
    for name, verdict, why in cases:
        case = ET.SubElement(suite, "testcase", classname=_SUITE, name=name)
        if verdict in _OUTCOMES:
            found = ET.SubElement(
                case, _OUTCOMES[verdict], type=verdict.value.replace(" ", "_"), message=why
            )
            found.text = why
        else:
            ET.SubElement(case, "system-out").text = why
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _cases(result: GateResult) -> Iterator[tuple[str, GateVerdict, str]]:
    for check in result.checks:
        yield check_title(check), check.verdict, f"{limit_words(check.rule)}: {why_words(check)}"
    for name, lines, verdict in (
        ("the record fits its plan and its hashes", result.broken, GateVerdict.FAIL),
        ("everything planned was run", result.missing, GateVerdict.NOT_ENOUGH),
    ):
        why = "; ".join(visible(line, 400) for line in lines)
        yield name, verdict if lines else GateVerdict.PASS, why
