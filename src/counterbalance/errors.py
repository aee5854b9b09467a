"""Every exception of the package, and the exit code that the command line gives it.

::

    CounterbalanceError
    ├── UsageError            a command's words are off                     exit 2
    ├── InputError            a pair file, reply file or record cannot be read   exit 2
    │   ├── PairFileError     one place (file, line) of a pair file is wrong
    │   └── TablesFileError   one place of a description of printed tables is wrong
    ├── ProtocolError         the protocol cannot start: mend it and rerun  exit 2
    ├── MissingExtraError     an optional part is not installed             exit 2
    ├── RecordError           the record cannot be used                     exit 2
    │   ├── RecordBusyError       another run holds it
    │   ├── RecordLostError       the server went away in the middle         exit 3
    │   ├── RecordVersionError    a newer version wrote it
    │   ├── RecordMismatchError   protocol or pairs are not the recorded ones
    │   └── RecordIntegrityError  a stored hash does not fit its content
    ├── OutstandingError      something else must be done first              exit 3
    ├── StatisticsError       arguments no statistic is defined for (also a ValueError)
    └── JudgeError            one call failed: becomes an outcome, never ends a run

A message says where, what was found, what is allowed and what to do next, on one line.
"""

from __future__ import annotations

__all__ = [
    "CounterbalanceError",
    "InputError",
    "JudgeError",
    "MissingExtraError",
    "OutstandingError",
    "PairFileError",
    "ProtocolError",
    "RecordBusyError",
    "RecordError",
    "RecordIntegrityError",
    "RecordLostError",
    "RecordMismatchError",
    "RecordVersionError",
    "StatisticsError",
    "TablesFileError",
    "UsageError",
    "one_line",
]

_LONGEST_QUOTE = 80


def one_line(text: object, limit: int = _LONGEST_QUOTE) -> str:
    r"""Return text that is safe inside a one-line message: escaped, and cut with a mark.

    Parameters
    ----------
    text : object
        Anything that came from outside; its ``str`` is shown.
    limit : int
        Longest result in characters.

    Returns
    -------
    str
        Printable characters only; everything else as a Python escape.

    Examples
    --------
    >>> one_line("two\nlines \x1b[31m")
    'two\\nlines \\x1b[31m'
    """
    shown = "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(text)
    )
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


class CounterbalanceError(Exception):
    """Base of everything raised on purpose; ``exit_code`` is what the command line returns."""

    exit_code = 2


class UsageError(CounterbalanceError):
    """A command was called with words that do not go together."""


class InputError(CounterbalanceError):
    """A file handed in cannot be read as what it should be."""


class PairFileError(InputError):
    """One place of a pair file is wrong.

    Parameters
    ----------
    file : str
        Name of the file as the user gave it.
    line : int | None
        Line counted from 1; None when the whole file is meant.
    problem : str
        What was found, what is allowed, what to do.
    unit : str
        What is counted: ``line``, or ``row`` where a file has no lines.
    """

    def __init__(self, file: str, line: int | None, problem: str, unit: str = "line") -> None:
        self.file = file
        self.line = line
        self.problem = problem
        number = f"{line}" if unit == "line" else f"{unit} {line}"
        where = file if line is None else f"{file}:{number}"
        super().__init__(f"{where}: {problem}")


class TablesFileError(InputError):
    """One place of a description of printed tables is wrong.

    Parameters
    ----------
    file : str
        Name of the file as the user gave it.
    place : str
        Where in it; empty when the whole file is meant.
    problem : str
        What was found, what is allowed, what to do.
    """

    def __init__(self, file: str, place: str, problem: str) -> None:
        self.file = file
        self.place = place
        self.problem = problem
        super().__init__(f"{file}: {place}: {problem}" if place else f"{file}: {problem}")


class ProtocolError(CounterbalanceError):
    """The protocol cannot be started from; a retry will not help, an edit will.

    Parameters
    ----------
    file : str
        Name of the protocol file.
    key : str
        Dotted place inside it, empty when the whole file is meant.
    problem : str
        What was found, what is allowed, what to do.
    """

    def __init__(self, file: str, key: str, problem: str) -> None:
        self.file = file
        self.key = key
        self.problem = problem
        place = f"{file}: [{key}] " if key else f"{file}: "
        super().__init__(place + problem)


class MissingExtraError(CounterbalanceError):
    """An optional part is needed and absent.

    Parameters
    ----------
    part : str
        What is missing, in words.
    command : str
        The command that installs it.
    """

    def __init__(self, part: str, command: str) -> None:
        self.part = part
        self.command = command
        super().__init__(f"{part} is not installed; install it with: {command}")


class RecordError(CounterbalanceError):
    """The record cannot be used as asked."""


class RecordBusyError(RecordError):
    """Another run holds the record."""


class RecordLostError(RecordError):
    """The server that holds the record went away; what was acknowledged is kept."""

    exit_code = 3


class RecordVersionError(RecordError):
    """The record was written by a newer version of this program."""


class RecordMismatchError(RecordError):
    """The protocol or the pairs are not those that the record was begun with."""


class RecordIntegrityError(RecordError):
    """A stored hash does not fit its content."""


class OutstandingError(CounterbalanceError):
    """What a step rests on is not complete yet."""

    exit_code = 3


class StatisticsError(CounterbalanceError, ValueError):
    """Arguments for which the statistic has no meaning, such as a negative count."""


class JudgeError(CounterbalanceError):
    """One call brought no reply; ``run`` records it as an outcome and goes on.

    Parameters
    ----------
    kind : str
        One of the kinds of a failed outcome: timeout, rate_limited, server, network, auth, quota,
        bad_request, cancelled, lost; or too_long when the request would not fit.
    problem : str
        What happened, without any key or secret.
    retry_after : float | None
        Seconds that the endpoint asks to wait before the next call; None when it names none.
    ends_run : bool
        Whether no other call can go better until somebody mends something, such as a key.
    """

    def __init__(
        self,
        kind: str,
        problem: str,
        *,
        retry_after: float | None = None,
        ends_run: bool = False,
    ) -> None:
        self.kind = kind
        self.problem = problem
        self.retry_after = retry_after
        self.ends_run = ends_run
        super().__init__(f"{kind}: {problem}")
