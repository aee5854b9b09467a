"""The files that come with the package: demo pairs and protocol, and what ``init`` writes."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

from counterbalance.cli.output import written_text
from counterbalance.errors import InputError, UsageError

__all__ = ["copy_bias", "copy_demo", "copy_start"]

_PACKAGE = "counterbalance.cli"


def copy_demo(folder: Path) -> Path:
    """Put the demo's protocol and pairs into a folder; return the protocol's path.

    Files that are there with the same content stay, so that a second run goes on with its record.

    Parameters
    ----------
    folder : Path
        Made when it does not exist.

    Returns
    -------
    Path
        The protocol.

    Raises
    ------
    UsageError
        If one of the files was changed.
    """
    return _copied(folder, "demo", "name another folder")


def copy_bias(folder: Path) -> Path:
    """Put the bundled battery's protocol and pairs into a folder; return the protocol's path.

    Parameters
    ----------
    folder : Path
        Made when it does not exist.

    Returns
    -------
    Path
        The protocol.
    """
    return _copied(folder, "bias", f"`counterbalance bias {folder / 'protocol.toml'}` takes yours")


def _copied(folder: Path, verb: str, advice: str) -> Path:
    """Copy a verb's protocol and pairs, and leave what is there with the same content alone."""
    _make(folder)
    for name in ("pairs.jsonl", "protocol.toml"):
        target = folder / name
        text = _bundled(f"{verb}_{name}")
        if not target.exists():
            written_text(target, text)
        elif target.read_bytes() != text.encode():
            msg = f"{target} was changed, and `{verb}` does not overwrite it; {advice}"
            raise UsageError(msg)
    return folder / "protocol.toml"


def copy_start(folder: Path, *, strategies: bool = False, probes: bool = False) -> list[Path]:
    """Write a commented protocol, its schema and a small pair file; refuse to overwrite.

    Parameters
    ----------
    folder : Path
        Made when it does not exist.
    strategies : bool
        Whether the protocol compares strategies, over the demo's pairs with a known good answer.
    probes : bool
        Whether it has a probe battery, made from the pairs of the bundled one.

    Returns
    -------
    list[Path]
        The files written.

    Raises
    ------
    UsageError
        If one of the files is there already.
    """
    from counterbalance.cli.output import json_text
    from counterbalance.protocol.loading import protocol_schema

    _make(folder)
    protocol, pairs = _start(strategies=strategies, probes=probes)
    contents = {
        folder / "protocol.toml": protocol,
        folder / "protocol.schema.json": json_text(protocol_schema()) + "\n",
        folder / "pairs.jsonl": pairs,
    }
    if there := [path for path in contents if path.exists()]:
        msg = f"{there[0]} is there already; name another folder or move it away"
        raise UsageError(msg)
    for path, text in contents.items():
        written_text(path, text)
    return list(contents)


def _start(*, strategies: bool, probes: bool) -> tuple[str, str]:
    """Return the protocol and the pairs to start from."""
    if strategies and probes:
        protocol = _bundled("strategies_protocol.toml") + _bundled("strategies_bias.toml")
        return protocol, _sources_with_answers()
    if probes:
        return _bundled("bias_protocol.toml"), _bundled("bias_pairs.jsonl")
    if strategies:
        return _bundled("strategies_protocol.toml"), _known_pairs()
    return _bundled("init_protocol.toml"), _bundled("init_pairs.jsonl")


def _sources_with_answers() -> str:
    """Return the battery's pairs of items with an accepted answer, which S6 is guided by."""
    rows = [json.loads(line) for line in _bundled("bias_pairs.jsonl").splitlines()]
    known = {row["item"]: row["a"] for row in rows if "reference" in row}
    told = [{**row, "reference_answer": known[row["item"]]} for row in rows if row["item"] in known]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in told)


def _known_pairs() -> str:
    """Return the demo's pairs that have a reference answer."""
    lines = _bundled("demo_pairs.jsonl").splitlines(keepends=True)
    return "".join(line for line in lines if "reference_answer" in json.loads(line))


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        msg = f"{folder}: cannot be made: {error.strerror}; choose another place"
        raise InputError(msg) from None


def _bundled(name: str) -> str:
    return files(_PACKAGE).joinpath(name).read_text("utf-8")
