"""Where a process begins: ``counterbalance`` and ``python -m counterbalance``."""

from __future__ import annotations

import gc
import os
import signal
import sys

__all__ = ["run"]

_READERS = frozenset(
    {"audit", "compare", "drift", "gate", "import", "lab", "parse", "record", "report", "tables"}
)
"""Verbs that start no program, which would inherit what is set for them."""
_UNUSED = {"OPENBLAS_NUM_THREADS": "1", "PYDANTIC_DISABLE_PLUGINS": "__all__"}
"""No matrix here is large enough for threads, which cost a tenth of a second when they start; and
looking for plugins reads what every installed package says of itself."""
_YOUNG = 200_000
"""Objects between two collections: modules make many, and nearly all of them stay."""


def run() -> None:
    """Load the command line and run it.

    Who interrupts while modules are being loaded ends the process as any other program ends,
    without a traceback of Python's; from then on `main` says what became of the evidence.
    """
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    _spare()
    from counterbalance.cli.main import main  # noqa: PLC0415 (behind the handler)

    signal.signal(signal.SIGINT, handler)
    main()


def _spare() -> None:
    """Spare a small task what only large ones need; what the user has set holds."""
    gc.set_threshold(_YOUNG)
    if _READERS & set(sys.argv[1:2]):
        for name, value in _UNUSED.items():
            os.environ.setdefault(name, value)


if __name__ == "__main__":
    run()
