"""Controlled pairs that others published: which are what they are called, and which are not."""

from __future__ import annotations

import textwrap
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from counterbalance.probes.catalogue import PROBES
from counterbalance.report.layout import columns, plural, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.items.item import Pair
    from counterbalance.probes.battery import Flaw

__all__ = ["CheckedPairs", "ProbeCount", "checked_pairs", "controlled_text", "controlled_value"]

CONTROLLED_SCHEMA = "counterbalance.controlled/1"

_MOST_LISTED = 20
_WIDTH = 98


@dataclass(frozen=True, slots=True)
class ProbeCount:
    """The pairs of one probe.

    Attributes
    ----------
    probe : str
        Name of the probe.
    pairs : int
        How many there are.
    sound : int
        How many pass every check.
    failed : tuple[tuple[str, int], ...]
        How many fail each check; a pair may fail several.
    """

    probe: str
    pairs: int
    sound: int
    failed: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class CheckedPairs:
    """Published pairs after their checks.

    Attributes
    ----------
    file : str
        What was read.
    probes : tuple[ProbeCount, ...]
        Counts of each probe.
    flaws : tuple[Flaw, ...]
        Every pair that fails a check.
    """

    file: str
    probes: tuple[ProbeCount, ...]
    flaws: tuple[Flaw, ...]


def checked_pairs(file: str, pairs: Sequence[Pair], flaws: Sequence[Flaw]) -> CheckedPairs:
    """Count published pairs by probe.

    Parameters
    ----------
    file : str
        Where they are from.
    pairs : Sequence[Pair]
        All of them.
    flaws : Sequence[Flaw]
        Those that fail a check.

    Returns
    -------
    CheckedPairs
        Pairs and flaws add up.
    """
    counts = Counter(pair.probe for pair in pairs)
    found = []
    for probe in (name for name in PROBES if counts[name]):
        own = [flaw for flaw in flaws if flaw.probe == probe]
        failed = Counter(name for flaw in own for name in flaw.failed)
        found.append(
            ProbeCount(probe, counts[probe], counts[probe] - len(own), tuple(failed.items()))
        )
    return CheckedPairs(file, tuple(found), tuple(flaws))


def controlled_text(checked: CheckedPairs, *, full: bool = False) -> str:
    """Return checked pairs for a terminal; all flawed ones where ``full`` says so."""
    total = sum(count.pairs for count in checked.probes)
    sound = sum(count.sound for count in checked.probes)
    of = f"{plural(total, 'published pair')} of {visible(checked.file)}"
    lines = [f"counterbalance bias: {of}, {sound} of them as they are called"]
    rows = [["probe", "pairs", "sound", "flawed"]]
    rows += [[c.probe, str(c.pairs), str(c.sound), str(c.pairs - c.sound)] for c in checked.probes]
    lines += columns(rows, right=(1, 2, 3))
    for count in checked.probes:
        if count.failed:
            lines += ["", f"{count.probe}: of how many pairs it does not hold that"]
            lines += columns([[str(n), name] for name, n in count.failed], right=(0,))
    shown = checked.flaws if full else checked.flaws[:_MOST_LISTED]
    if shown:
        lines += ["", "Flawed pairs, and what does not hold of them"]
    for flaw in shown:
        said = f"{visible(flaw.pair)}: {'; '.join(flaw.failed)}"
        lines += textwrap.wrap(said, _WIDTH, initial_indent="  ", subsequent_indent="    ")
    if len(shown) < len(checked.flaws):
        lines.append(f"  and {len(checked.flaws) - len(shown)} more; see --full or --json")
    return "\n".join(lines) + "\n"


def controlled_value(checked: CheckedPairs) -> dict[str, Any]:
    """Return checked pairs as a JSON value, schema ``counterbalance.controlled/1``."""
    return {
        "schema": CONTROLLED_SCHEMA,
        "file": checked.file,
        "probes": [{**asdict(count), "failed": dict(count.failed)} for count in checked.probes],
        "flaws": [asdict(flaw) for flaw in checked.flaws],
    }
