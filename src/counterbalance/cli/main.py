"""The command line: verbs by name, and one place where errors become exit codes.

Verbs are imported when they are called, so that ``--help`` stays quick.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys

import click

from counterbalance import __version__
from counterbalance.errors import CounterbalanceError, one_line

__all__ = ["cli", "main"]

_VERBS = {
    "demo": "judge the bundled pairs with the embedded model and write a report",
    "init": "write a commented protocol and a small pair file",
    "plan": "print calls, tokens and time before anything is spent",
    "run": "judge what is planned and not yet recorded",
    "report": "print or write what a record shows",
    "bias": "send judges through controlled pairs and print their signed sensitivities",
    "compare": "judge against judge and run against run, on the pairs that they share",
    "drift": "retained pairs under two versions of a judge: what moved beyond repetition noise",
    "review": "let people judge what is undecided, without a hint, on a page of this machine",
    "gate": "hold a record to the rules of its protocol: pass, fail, or not enough evidence",
    "tables": "check published tables from what they print, link by link",
    "import": "keep a judge log in a record; list log formats; write a mapping for any other",
    "audit": "say how far the verdicts of an existing judge log hold, without a call",
    "lab": "write the probability lab: what random slot assignment does by itself",
    "parse": "read replies with a verdict format, to try it before paying for it",
    "record": "verify, export or migrate a record",
    "selftest": "send judges with planted biases through everything, and check the intervals",
    "doctor": "say what is installed, reachable and missing, with the command that mends it",
}

_MODULES = {"import": "import_"}
"""Verbs that Python has another use for."""

EXIT_OK = 0
EXIT_USAGE = 2
EXIT_INTERNAL = 70
EXIT_INTERRUPTED = 130


class _VerbGroup(click.Group):
    """A group whose verbs are files of this package, imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        return list(_VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _VERBS:
            return None
        module = importlib.import_module(f"counterbalance.cli.{_MODULES.get(cmd_name, cmd_name)}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Verbs"):
            formatter.write_dl(list(_VERBS.items()))


@click.group(
    cls=_VerbGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=(
        "Exit codes: 0 done, 1 the check failed, 2 bad usage or input, 3 incomplete or not enough"
        " evidence, 70 internal error, 130 interrupted."
    ),
)
@click.version_option(__version__, prog_name="counterbalance")
def cli() -> None:
    """Show how far the verdicts of an LLM judge can be trusted.

    A pair of answers is shown to the judge in both display orders; what survives the exchange is
    stable, and everything else is counted and named. Stable does not mean right.
    """


def main() -> None:
    """Run the command line and exit with its code."""
    _replace_closed_streams()
    sys.exit(_exit_code())


def _replace_closed_streams() -> None:
    """Give a process that was started without standard streams ones that swallow everything."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115


def _exit_code() -> int:
    try:
        # click's own `main` would turn a closed pipe into exit code 1.
        with cli.make_context("counterbalance", sys.argv[1:]) as context:
            result = cli.invoke(context)
        sys.stdout.flush()
    except (Exception, KeyboardInterrupt) as error:
        if os.environ.get("COUNTERBALANCE_DEBUG"):
            raise
        code, line = _failure(error)
        if line:
            with contextlib.suppress(OSError):
                print(f"counterbalance: {line}", file=sys.stderr, flush=True)
        return code
    return result if isinstance(result, int) else EXIT_OK


def _failure(error: BaseException) -> tuple[int, str]:
    """Return the exit code and the one line for whatever ended a verb."""
    match error:
        case click.exceptions.Exit():
            answer = error.exit_code, ""
        case click.ClickException():
            error.show()
            answer = error.exit_code, ""
        case click.Abort() | KeyboardInterrupt():
            answer = EXIT_INTERRUPTED, "interrupted; what was recorded is kept"
        case BrokenPipeError():
            # The reader went away; the flush at interpreter exit must not complain about it.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            answer = EXIT_OK, ""
        case CounterbalanceError():
            answer = error.exit_code, str(error)
        case MemoryError():
            answer = EXIT_USAGE, "there is not enough memory for this input; name a part of it"
        case OSError():
            # Files that verbs write say their own name; what is left is the output itself.
            what = error.strerror or type(error).__name__
            answer = EXIT_USAGE, f"standard output cannot be written: {one_line(what, 300)}"
        case _:
            shown = one_line(f"{type(error).__name__}: {error}", 300)
            hint = "set COUNTERBALANCE_DEBUG=1 for the details"
            answer = EXIT_INTERNAL, f"internal error: {shown} ({hint})"
    return answer
