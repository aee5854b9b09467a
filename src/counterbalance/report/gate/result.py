"""What a gate found: pure data, so that every format says the same."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counterbalance.measures.estimate import Estimate
    from counterbalance.protocol.gate_section import GateRule
    from counterbalance.report.reconciliation import Reconciliation

__all__ = ["GateCheck", "GateResult", "GateVerdict"]


class GateVerdict(StrEnum):
    """What a rule, or the whole gate, came to."""

    PASS = "pass"  # noqa: S105 (no password)
    FAIL = "fail"
    NOT_ENOUGH = "not enough evidence"

    @classmethod
    def of_all(cls, verdicts: list[GateVerdict]) -> GateVerdict:
        """Return the verdict of several: one failure fails, one open question leaves it open."""
        for verdict in (cls.FAIL, cls.NOT_ENOUGH):
            if verdict in verdicts:
                return verdict
        return cls.PASS


@dataclass(frozen=True, slots=True)
class GateCheck:
    """One rule, held to one group.

    Attributes
    ----------
    rule : GateRule
        As declared.
    group : str
        Judge and labelling.
    is_held_out : bool
        Whether it is about the held-out pairs.
    estimate : Estimate
        What was measured; its interval has the rule's confidence on each side.
    verdict : GateVerdict
        What it came to.
    needed : int | None
        About how many units of the denominator would decide it if the value stayed as it is; None
        where it is decided, or no number can be named.
    """

    rule: GateRule
    group: str
    is_held_out: bool
    estimate: Estimate
    verdict: GateVerdict
    needed: int | None = None


@dataclass(frozen=True, slots=True)
class GateResult:
    """What the gate came to.

    Attributes
    ----------
    title : str
        Of the protocol.
    protocol_digest : str
        Its hash, which holds the rules.
    fixed : str
        When the rules were fixed.
    checks : tuple[GateCheck, ...]
        Every rule in every group that it is about.
    broken : tuple[str, ...]
        What of the record cannot be reconciled with its plan or its hashes: it fails the gate.
    missing : tuple[str, ...]
        What was planned and is not there yet: without it the gate does not pass.
    cautions : tuple[str, ...]
        What a reader has to know besides.
    reconciliations : tuple[Reconciliation, ...]
        Planned presentations against recorded ones; of the held-out pairs for themselves.
    """

    title: str
    protocol_digest: str
    fixed: str
    checks: tuple[GateCheck, ...]
    broken: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    reconciliations: tuple[Reconciliation, ...] = ()

    @property
    def verdict(self) -> GateVerdict:
        """The verdict of the whole."""
        verdicts = [check.verdict for check in self.checks]
        if self.broken:
            verdicts.append(GateVerdict.FAIL)
        if self.missing:
            verdicts.append(GateVerdict.NOT_ENOUGH)
        return GateVerdict.of_all(verdicts)

    @property
    def passed(self) -> bool:
        """Whether every rule passed and nothing is broken or missing."""
        return self.verdict is GateVerdict.PASS
