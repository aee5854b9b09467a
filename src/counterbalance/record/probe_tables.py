"""The step to schema 4: which pairs are probes, and of which intervention."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.record.guards import make_guards

if TYPE_CHECKING:
    from counterbalance.record.connection import Connection

__all__ = ["INSERT_PROBE", "m004_probes"]

_TABLE = """CREATE TABLE probes (
    pair {integer} PRIMARY KEY REFERENCES pairs (number),
    probe TEXT NOT NULL
){strict}"""

# The digest of a pair hashes the name of its probe, so that a link cannot be changed unnoticed.
INSERT_PROBE = """INSERT INTO probes (pair, probe)
    VALUES ((SELECT number FROM pairs WHERE digest = ?), ?) ON CONFLICT (pair) DO NOTHING"""
"""Links a recorded pair, by its digest, to the probe it belongs to."""


def m004_probes(connection: Connection) -> None:
    """Make room for the links between probes and their pairs."""
    connection.execute(_TABLE.format(**connection.dialect.types))
    make_guards(connection, ("probes",))
