"""Where a record is: a file, or a name in a PostgreSQL database.

``postgresql://USER@HOST:PORT/DATABASE#NAME`` is the address that every PostgreSQL program takes,
and the record's name after it. A password never leaves this module but to connect: whatever is
printed shows the address without it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from counterbalance.errors import InputError, RecordError, one_line

__all__ = ["Place", "PostgresPlace", "place_of"]

_SCHEMES = ("postgresql://", "postgres://")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
_SECRET_OPTIONS = {"password", "sslpassword"}


@dataclass(frozen=True, slots=True)
class PostgresPlace:
    """A record in a PostgreSQL database; as text, its address without any password.

    Attributes
    ----------
    address : str
        What the database is reached by, which may hold a password.
    name : str
        The record's name in the database.
    """

    address: str = field(repr=False)
    name: str

    def __str__(self) -> str:
        return f"{self._shown}#{self.name}"

    @property
    def schema(self) -> str:
        """Name of the schema that holds the record's tables."""
        return f"counterbalance_{self.name}"

    @property
    def password(self) -> str:
        """The password of the address as it should read; empty when there is none."""
        return unquote(self._parts[1].partition(":")[2])

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no message may repeat, in every spelling."""
        _, user, _, options = self._parts
        written = [user.partition(":")[2]]
        written += [value for name, value in options if name in _SECRET_OPTIONS]
        return tuple(s for text in written for s in {text, unquote(text)} if s)

    @property
    def _parts(self) -> tuple[str, str, str, list[tuple[str, str]]]:
        """Scheme, user with password, host with database, and options."""
        scheme, _, rest = self.address.partition("://")
        # The last one: whatever stands before it may be a part of a password.
        user, _, rest = rest.rpartition("@")
        host, _, options = rest.partition("?")
        pairs = [option.partition("=") for option in options.split("&") if option]
        return scheme, user, host, [(name, value) for name, _, value in pairs]

    @property
    def _shown(self) -> str:
        scheme, user, host, options = self._parts
        name = user.partition(":")[0]
        kept = "&".join(f"{k}={v}" for k, v in options if k not in _SECRET_OPTIONS)
        shown = f"{scheme}://{name}{'@' if name else ''}{host}{'?' if kept else ''}{kept}"
        return one_line(shown, 300)


Place = Path | PostgresPlace
"""Where a record is, or goes; as text, what is shown of it."""


def place_of(text: str, folder: Path | None = None) -> Place:
    """Return where a record is.

    Parameters
    ----------
    text : str
        A path, or the address of a database with ``#`` and the record's name.
    folder : Path | None
        What a path is relative to; None for the working folder. An address that is not typed but
        read from a file in a folder may hold no password: files are shared.

    Returns
    -------
    Place
        The place; nothing is opened yet.

    Raises
    ------
    RecordError
        If an address has no record name, or one that cannot be.
    InputError
        If an address from a file holds a password.

    Examples
    --------
    >>> print(place_of("postgresql://ada:secret@db.example/team?sslmode=require#summaries-v2"))
    postgresql://ada@db.example/team?sslmode=require#summaries-v2
    >>> place_of("study.record.sqlite").name
    'study.record.sqlite'
    """
    if not text.startswith(_SCHEMES):
        return Path(text) if folder is None else folder / text
    address, mark, name = text.rpartition("#")
    if not mark or not _NAME.fullmatch(name):
        # The text is not shown: what stands where the name should be may be a part of a password.
        msg = (
            "a record in PostgreSQL is named after a #, as in postgresql://USER@HOST/DATABASE#NAME;"
            " NAME is 1 to 40 letters, digits, dots, - or _, and begins with a letter or digit"
        )
        raise RecordError(msg)
    place = PostgresPlace(address, name)
    if folder is not None and place.secrets:
        msg = f"{place}: a file may hold no password; set PGPASSWORD or write it to ~/.pgpass"
        raise InputError(msg)
    return place
