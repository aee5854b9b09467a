"""Every probe by its name, in the order that reports show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.probes.criterion_inverted import CRITERION_INVERTED
from counterbalance.probes.expanded import EXPANDED
from counterbalance.probes.headings import HEADINGS
from counterbalance.probes.identical import IDENTICAL
from counterbalance.probes.injection import INJECTION
from counterbalance.probes.labels import LABELS
from counterbalance.probes.markdown import MARKDOWN
from counterbalance.probes.neither import NEITHER
from counterbalance.probes.plain import PLAIN
from counterbalance.probes.position import POSITION
from counterbalance.probes.rubric_paraphrase import RUBRIC_PARAPHRASE
from counterbalance.probes.same_family import SAME_FAMILY
from counterbalance.probes.same_format import SAME_FORMAT
from counterbalance.probes.truncated import TRUNCATED
from counterbalance.probes.unsupported import UNSUPPORTED
from counterbalance.probes.whitespace import WHITESPACE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from counterbalance.probes.probe import Probe

__all__ = ["PROBES"]

PROBES: Mapping[str, Probe] = {
    probe.name: probe
    for probe in (
        IDENTICAL,
        POSITION,
        LABELS,
        EXPANDED,
        TRUNCATED,
        MARKDOWN,
        PLAIN,
        HEADINGS,
        WHITESPACE,
        SAME_FORMAT,
        SAME_FAMILY,
        INJECTION,
        CRITERION_INVERTED,
        RUBRIC_PARAPHRASE,
        NEITHER,
        UNSUPPORTED,
    )
}
"""The probes, by name."""
