"""counterbalance: whether an LLM judge's verdict survives an exchange of display order.

From Python, ``counterbalance.run_protocol(path)`` runs a protocol, ``run_bias(path)`` its
probes; ``read_report(path)`` returns the `Report` of a record, and ``audit_log(path)`` that of a
judge log: the same data that the command line prints.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = [  # noqa: F822 (all but the version come when asked for)
    "JudgeError",
    "Reply",
    "Report",
    "Request",
    "__version__",
    "audit_log",
    "read_report",
    "run_bias",
    "run_protocol",
]

__version__ = "0.1.0"

_HOMES = {
    "JudgeError": "counterbalance.errors",
    "Reply": "counterbalance.presentations.reply",
    "Request": "counterbalance.judges.judge",
    "run_protocol": "counterbalance.run.from_python",
    "Report": "counterbalance.report.report",
    "audit_log": "counterbalance.report.auditing",
    "read_report": "counterbalance.report.reading",
    "run_bias": "counterbalance.report.probing",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 (whatever the name stands for)
    # Imported when asked for, so that `--help` and `import counterbalance` stay quick.
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
