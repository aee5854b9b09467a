"""What is expected of a coefficient before any verdict is seen."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Prior"]


@dataclass(frozen=True, slots=True)
class Prior:
    """What is expected of the length coefficient beforehand.

    Attributes
    ----------
    mean : float
        Log-odds that the longer answer gains at a difference that is large for the system.
    sd : float | None
        Standard deviation of that expectation; None for none at all.
    """

    mean: float = 0.0
    sd: float | None = 1.0

    @property
    def words(self) -> dict[str, list[float]]:
        """What statistics take it as."""
        if self.sd is None:
            return {}
        return {"prior_means": [self.mean], "prior_precisions": [self.sd**-2]}
