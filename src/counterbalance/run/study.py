"""A study on disk: a protocol file and the pairs it names, checked against each other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from counterbalance.errors import InputError
from counterbalance.items.files import PairSet, load_pairs
from counterbalance.protocol.loading import protocol_from_toml
from counterbalance.run.fitting import check_fit

if TYPE_CHECKING:
    from pathlib import Path

    from counterbalance.protocol.protocol import Protocol

__all__ = ["Study", "load_study", "read_study"]

_LARGEST_PROTOCOL_BYTES = 4_000_000


@dataclass(frozen=True, slots=True)
class Study:
    """A protocol file and the pairs it names.

    Attributes
    ----------
    path : Path
        The protocol file.
    text : str
        Its content as read.
    protocol : Protocol
        The protocol.
    pairs : PairSet
        The pairs with their file's digest.
    """

    path: Path
    text: str
    protocol: Protocol
    pairs: PairSet

    @property
    def folder(self) -> Path:
        """Folder that the protocol's paths are relative to."""
        return self.path.parent

    @property
    def default_record(self) -> Path:
        """Where the record goes when no other place is named."""
        return self.path.with_suffix(".record.sqlite")


def load_study(path: Path) -> Study:
    """Read a protocol and its pairs.

    Parameters
    ----------
    path : Path
        The protocol file.

    Returns
    -------
    Study
        Both, checked against each other.

    Raises
    ------
    InputError
        If a file cannot be read.
    ProtocolError
        If the protocol does not fit its pairs.
    """
    whole = read_study(path)
    kept = tuple(pair for pair in whole.pairs.pairs if not pair.probe)
    n_probes = len(whole.pairs.pairs) - len(kept)
    notes = whole.pairs.notes
    if not kept:
        msg = (
            f"{whole.pairs.name}: every pair is a probe; `counterbalance bias {path}` judges those"
        )
        raise InputError(msg)
    if n_probes:
        notes = (*notes, f"{n_probes} pairs of the file are probes, which only `bias` judges.")
    study = replace(whole, pairs=replace(whole.pairs, pairs=kept, notes=notes))
    check_fit(study.protocol, study.pairs.pairs, str(path))
    return study


def read_study(path: Path) -> Study:
    """Read a protocol and every pair of its file, probes among them, without a check of their fit.

    Parameters
    ----------
    path : Path
        The protocol file.

    Returns
    -------
    Study
        Both.
    """
    text = _read_text(path)
    protocol = protocol_from_toml(text, str(path))
    return Study(path, text, protocol, load_pairs(protocol.pairs, folder=path.parent))


def _read_text(path: Path) -> str:
    try:
        size = path.stat().st_size
        if size > _LARGEST_PROTOCOL_BYTES:
            msg = f"{path}: {size} bytes is no protocol file"
            raise InputError(msg)
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        msg = f"{path}: {error.strerror}; `counterbalance init` writes a protocol to start from"
        raise InputError(msg) from None
    except UnicodeDecodeError as error:
        msg = f"{path}: not UTF-8 at byte {error.start}; save the file as UTF-8"
        raise InputError(msg) from None
