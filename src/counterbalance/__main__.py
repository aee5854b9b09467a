"""Where a process begins: ``counterbalance`` and ``python -m counterbalance``."""

from __future__ import annotations

import signal

__all__ = ["run"]


def run() -> None:
    """Load the command line and run it.

    Who interrupts while modules are being loaded ends the process as any other program ends,
    without a traceback of Python's; from then on `main` says what became of the evidence.
    """
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from counterbalance.cli.main import main  # noqa: PLC0415 (behind the handler)

    signal.signal(signal.SIGINT, handler)
    main()


if __name__ == "__main__":
    run()
